"""Tables of how much harm the hardening takes away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks._results import markdown_table
from benchmarks.search._served_data import SETS

# of the errors one by one, of all of them in one, and of models
ALL, TOGETHER, TWO = "all of these", "any of these", "any two models"
# as they are shown
MODELS = ("logistic regression", "forest", "boosting")
ERRORS = (
    "missing values", "units", "sentinels", TOGETHER, "missing values, label forbidden",
    "missing values, label allowed", "wrong labels",
)  # fmt: skip


def counted(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """By error: on how many tables the harm was halved for two of three models."""
    found = []
    single = [row for row in rows if row["error"] != TOGETHER]
    every = {row["error"] for row in single}
    of_error: dict[str, list[dict[str, Any]]] = {
        error: [row for row in single if row["error"] == error]
        for error in sorted(every, key=ERRORS.index)
    }
    if len(every) > 1:
        of_error[ALL] = [row for row in single if _errors_of(single, row) == every]
    together = [row for row in rows if row["error"] == TOGETHER]
    if together:
        of_error[TOGETHER] = together
    for error, of in of_error.items():
        models = sorted({row["model"] for row in of}, key=MODELS.index)
        ran = {model: {r["data"] for r in of if r["model"] == model} for model in models}
        each = {model: _judged([r for r in of if r["model"] == model]) for model in models}
        tables = list(dict.fromkeys(row["data"] for row in of))
        judged = {
            **{model: (each[model], [ran[model]], 1) for model in models},
            TWO: ([table for model in models for table in each[model]], [*ran.values()], 2),
        }
        for model, (those, run, need) in judged.items():
            # a table on which other models alone were run says nothing of this one
            enough = [sum(table in some for some in run) >= need for table in tables]
            harmed = [sum(t == table for t, _ in those) >= need for table in tables]
            halved = [sum(t == table and h for t, h in those) >= need for table in tables]
            found.append(
                {
                    "error": error, "model": model, "run": sum(enough),
                    "harmed": sum(harmed), "halved": sum(halved),
                }
            )  # fmt: skip
    return found


def _errors_of(rows: Sequence[dict[str, Any]], one: dict[str, Any]) -> set[str]:
    """Errors that were run for the table and the model of a row."""
    return {r["error"] for r in rows if (r["data"], r["model"]) == (one["data"], one["model"])}


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return row["data"], row["model"], row["error"]


def _place(row: dict[str, Any]) -> tuple[int, int]:
    """Where a row stands in a table."""
    return ERRORS.index(row["error"]), list(SETS).index(row["data"])


def _rounded(value: Any) -> Any:
    """A difference of scores that are the same is 0."""
    return round(value, 9) if isinstance(value, float) else value


def _judged(rows: Sequence[dict[str, Any]]) -> list[tuple[str, bool]]:
    """Tables on which there is harm, and whether all of it was halved."""
    harmed = dict.fromkeys(row["data"] for row in rows if row["counts"])
    return [
        (data, all(r["halved"] for r in rows if r["data"] == data and r["counts"]))
        for data in harmed
    ]


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    each = {
        "data": "data", "model": "model", "error": "error", "clean": "clean", "drop": "drop",
        "drop_low": "from", "drop_high": "to", "drop_left": "drop left",
        "clean_loss": "clean loss", "halved": "halved", "candidates": "candidates",
        "chosen": "chosen",
    }  # fmt: skip
    beside = {
        "data": "data", "error": "error", "candidates": "candidates",
        "seconds_of_one_search": "seconds of one search", "seconds_to_choose": "seconds to choose",
        "ratio": "ratio", "allowed": "allowed", "verdict": "verdict",
    }  # fmt: skip
    sums = {
        "error": "error", "model": "model", "run": "tables run",
        "harmed": "tables with harm", "halved": "halved",
    }  # fmt: skip
    sections = content["sections"]
    made = {}
    for name in ("served", "trained"):
        rows = sorted(sections.get(name, []), key=_place)
        made[f"hardening-{name}"] = markdown_table(
            [{key: _rounded(row.get(key, "")) for key in each} for row in rows], each
        )
        made[f"hardening-{name}-counts"] = markdown_table(counted(rows), sums)
    why = {
        "data": "data", "model": "model", "drop": "drop", "columns": "hit", "pattern": "pattern",
        "struck": "rows struck", "right_clean": "right, clean", "right_struck": "with gaps",
        "right_without": "model without the column", "drop_left": "drop left, gaps planted",
        "clean_loss": "clean loss",
    }  # fmt: skip
    sought = {
        "data": "data", "model": "model", "columns": "hit", "pattern": "pattern",
        "found": "drop where searched", "clean": "clean", "drop": "drop", "drop_low": "from",
        "drop_high": "to", "counts": "harm", "drop_left": "drop left, gaps told",
        "clean_loss": "clean loss", "then": "by",
    }  # fmt: skip
    made["hardening-looked"] = markdown_table(
        [{key: _rounded(row.get(key, "")) for key in sought} for row in sections.get("looked", [])],
        sought,
    )
    masked = {
        "data": "data", "model": "model", "budget": "rows with gaps", "by": "hit, and pattern",
        "clean": "clean", "drop": "drop", "drop_low": "from", "drop_high": "to", "counts": "harm",
        "n_evaluations": "candidates", "drop_left": "drop left", "clean_loss": "clean loss",
        "then": "by", "n_then": "candidates then",
    }  # fmt: skip
    for name in ("hidden", "further", "in_order"):
        made[f"hardening-{name.replace('_', '-')}"] = markdown_table(
            [{key: _rounded(row.get(key, "")) for key in masked} for row in sections.get(name, [])],
            masked,
        )
    stood = masked | {
        "candidates": "remedies, cheap enough", "remedy": "remedy",
    }  # fmt: skip
    stood = {"data": "data", "model": "model", "error": "error"} | {
        key: name for key, name in stood.items() if key not in ("data", "model", "budget")
    }
    made["hardening-best"] = markdown_table(
        [{key: _rounded(row.get(key, "")) for key in stood} for row in sections.get("best", [])],
        stood,
    )
    hindsight = {
        "data": "data", "model": "model", "drop": "drop", "candidates": "candidates",
        "n_kept": "of these cheap enough", "n_halved": "halve it", "least_left": "least drop left",
        "remedy": "by", "chosen_left": "drop left as chosen",
    }  # fmt: skip
    chosen = {_key(row): row.get("drop_left", "") for row in sections.get("served", [])}
    made["hardening-each"] = markdown_table(
        [
            {key: _rounded(row.get(key, "")) for key in hindsight}
            | {"chosen_left": _rounded(chosen.get(_key(row), ""))}
            for row in sections.get("each", [])
            if row["counts"]
        ],
        hindsight,
    )
    divided = {
        "data": "data", "model": "model", "rows": "rows", "clean": "clean",
        "moves": "moves (standard deviation)",
    }  # fmt: skip
    made["hardening-folds"] = markdown_table(sections.get("folds", []), divided)
    caused = [row for row in sections.get("causes", []) if row["counts"]]
    made["hardening-causes"] = markdown_table(caused, why)
    weighted = {
        "data": "data", "pattern": "rows lost", "clean": "clean", "share": "lost of them",
        "left": "rows left", "plain": "without weights", "weighted_3": "weights up to 3",
        "weighted_10": "up to 10", "worth": "rows they are worth",
    }  # fmt: skip
    made["hardening-weights"] = markdown_table(
        [
            {key: row.get(key, row.get(f"{key}_{lost}")) for key in weighted} | {"share": share}
            for row in sections.get("weights", [])
            for lost, share in (("1", "all"), ("0.9", "90 %"), ("0.7", "70 %"))
        ],
        weighted,
    )
    made["hardening-effort"] = markdown_table(sections.get("effort", []), beside)
    return made
