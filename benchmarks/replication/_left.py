"""What is not run, or less often than in a study, and what it would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.replication._costs import FIGURE_5
from benchmarks.replication._rows import NOT_RUN, OURS, Saved
from benchmarks.replication.esp._judged import GERMAN, N_MODELS, RUNS, SHOPPERS
from benchmarks.replication.esp._studies import FAMILIES, LEVELS
from benchmarks.replication.fairness._transformers import N_SEEDS, OTHERS, SAMPLERS, SCALERS
from benchmarks.replication.savage._random_graphs import N_SEEDS as SEEDS_OF_GRAPHS

# how rows of the script begin that has one split
GERMAN_SCRIPT = "German, "
# seeds of figure 5 that hours are told for
SEEDS_OF_FIGURE_5 = 1000
# the F1 of either class is a study of its own
CLASSES = 2
SECONDS = 3600.0
FACTS = "replication-facts"
Found = dict[str, Any]


def reasons(sections: dict[str, list[Found]]) -> list[Found]:
    """Numbers that are not run by the reason.

    Parameters
    ----------
    sections : dict of str to list of dict
        Rows by paper, as they are saved.

    Returns
    -------
    list of dict
        `paper, numbers, where, why`, the most numbers first.
    """
    found: dict[tuple[str, str], Found] = {}
    for paper, rows in sections.items():
        for row in rows:
            if row["verdict"] != NOT_RUN or not row["n_printed"]:
                continue
            new = {"paper": paper, "numbers": 0, "where": [], "why": row["why"]}
            group = found.setdefault((paper, row["why"]), new)
            group["numbers"] += row["n_printed"]
            if row["where"] not in group["where"]:
                group["where"].append(row["where"])
    groups = sorted(found.values(), key=lambda group: -group["numbers"])
    return [{**group, "where": ", ".join(group["where"])} for group in groups]


def fewer(sections: dict[str, list[Found]], saved: Saved) -> list[Found]:
    """What is run less often than in a study, or too seldom to be told.

    Parameters
    ----------
    sections : dict of str to list of dict
        Rows by paper, as they are saved.
    saved : Saved
        Results of benchmarks.

    Returns
    -------
    list of dict
        `paper, what, here, more, hours, by`; hours of one core are None where no seconds of a fit
        are saved, or where time is not what is missing.
    """
    rows = [
        _families(saved),
        _graphs(saved),
        _figure_5(sections, saved),
        _figure_5_elsewhere(sections),
        *_open(sections),
        _pruning(),
        _draws(saved),
    ]
    return [row for row in rows if row is not None]


def _row(paper: str, what: str, here: str, more: str, hours: float | None, by: str) -> Found:
    return {"paper": paper, "what": what, "here": here, "more": more, "hours": hours, "by": by}


def _families(saved: Saved) -> Found | None:
    """All families and repeats of the sensitivity study."""
    seconds, repeats = 0.0, []
    for data in (SHOPPERS, GERMAN):
        studies = [
            row
            for row in saved.rows("error-sensitivity", "speed")
            if f"{data}, F1 of" in row["data"]
        ]
        others = [row["seconds"] for row in saved.rows(FACTS, "costs", data=data)]
        if not (studies and others):
            return None
        mean = float(np.mean([row["mean"] for row in studies]))
        fits = CLASSES * RUNS * ((len(LEVELS) - 1) * studies[0]["scenarios"] + 1)
        seconds += fits * (len(FAMILIES) * mean + sum(others))
        repeats.append(f"{studies[0]['repeats']}")
    return _row(
        "esp",
        "table 3: families and repeats",
        f"{len(FAMILIES)}, {' and '.join(repeats)}, by settings of scikit-learn",
        f"{N_MODELS}, {RUNS}, by those of PyCaret",
        seconds / SECONDS,
        f"seconds of the saved studies, and of a fit of the others on whole data; {N_MODELS} "
        "with XGBoost, which is not timed",
    )


def _graphs(saved: Saved) -> Found | None:
    """Seeds of random graphs that are not saved yet."""
    graphs = saved.rows(FACTS, "random_graphs")
    drawn = [
        row for row in saved.rows("adult", "random_search") if row["error"] in ("mean", "median")
    ]
    if not (graphs and drawn):
        return None
    n = len({row["seed"] for row in graphs})
    if n >= SEEDS_OF_GRAPHS:
        return None
    fits = sum(row["fits"] for row in graphs) / n
    each = sum(row["seconds"] for row in drawn) / sum(row["n_fits"] for row in drawn)
    return _row(
        "savage",
        "table 9: seeds of random graphs",
        f"{n}, for {len({row['imputer'] for row in graphs})} pipelines of 8",
        f"{SEEDS_OF_GRAPHS}, for the same",
        (SEEDS_OF_GRAPHS - n) * fits * each / SECONDS,
        f"{fits:.0f} fits a seed, {each:.3f} s a fit of the random candidates on Adult",
    )


def _open_rows(rows: Sequence[Found], where: str, what: str = "") -> list[Found]:
    """Rows of a table or figure that our own spread leaves open, those of some beginning."""
    return [
        row
        for row in rows
        if (row["where"], row["verdict"]) == (where, "undecided")
        and row["why"].startswith(OURS)
        and row["what"].startswith(what)
    ]


def _figure_5(sections: dict[str, list[Found]], saved: Saved) -> Found | None:
    """Seeds that would tell what is open of figure 5."""
    left = _open_rows(sections.get("fairness", []), "figure 5", GERMAN_SCRIPT)
    costs = {row["model"]: row["seconds"] for row in saved.rows(FACTS, "costs", data=FIGURE_5)}
    drawn = {
        (row["model"], row["stage"]): row
        for row in saved.rows(FACTS, "transformers")
        if row.get("data") == "german" and "model" in row
    }
    if not (left and costs):
        return None
    told = sum(_needed(row, drawn) <= SEEDS_OF_FIGURE_5 for row in left)
    samplers = SEEDS_OF_FIGURE_5 * (len(SAMPLERS) - 1)
    stages = 1 + len(SCALERS) + len(OTHERS)
    seconds = 0.0
    for model, each in costs.items():
        seeds = SEEDS_OF_FIGURE_5 if len(drawn[model, "Standard"]["script"]) > 1 else 1
        seconds += each * (seeds * (stages + 1) + samplers)
    return _row(
        "fairness",
        "figure 5, German: numbers that our own spread leaves open",
        f"{len(left)}, {N_SEEDS} seeds",
        f"{SEEDS_OF_FIGURE_5} seeds would tell {told} of them",
        seconds / SECONDS,
        "a fit of each model on the whole training data, XGBoost apart; that of a sampler is not "
        "counted. Seeds by the square of the width",
    )


def _figure_5_elsewhere(sections: dict[str, list[Found]]) -> Found | None:
    """What is open of figure 5 on the other data."""
    rows = _open_rows(sections.get("fairness", []), "figure 5")
    left = [row for row in rows if not row["what"].startswith(GERMAN_SCRIPT)]
    if not left:
        return None
    on_compas = sum(row["what"].startswith("COMPAS") for row in left)
    return _row(
        "fairness",
        f"figure 5, COMPAS ({on_compas}) and Adult: numbers that our own spread leaves open",
        f"{len(left)}",
        "more seeds on Adult",
        None,
        "a hundred splits of COMPAS are all that there are",
    )


def _needed(row: Found, drawn: dict[tuple[str, str], Found]) -> float:
    """Seeds at which an interval is half as wide as its printed number."""
    _, model, stage = row["what"].partition(":")[0].split(", ")
    values = np.asarray(drawn[model, stage]["script"])
    low, high = (float(end) for end in row["spread"].partition(",")[0].split(" – "))
    size = abs(float(row["printed"][0]))
    return float(len(values) * (2 * (high - low) / size) ** 2)


def _open(sections: dict[str, list[Found]]) -> list[Found]:
    """All else that our own spread leaves open."""
    out = []
    for paper, rows in sections.items():
        for where in dict.fromkeys(row["where"] for row in rows):
            left = [row for row in _open_rows(rows, where) if row["n_printed"]]
            if not left or where in ("figure 5", "table 9"):
                continue
            few = sum(row["what"].startswith("BM") for row in left)
            more, by = "more repeats or splits", "the seconds of a repeat are not saved"
            if few:
                more = "all rows of the bank, and more splits"
                by = f"{few} are about the bank, of whose rows a tenth is here"
            what = f"{where}: numbers that our own spread leaves open"
            out.append(_row(paper, what, f"{len(left)}", more, None, by))
    return out


def _pruning() -> Found:
    return _row(
        "savage",
        "table 10: what pruning saves",
        "from its own counts alone",
        "its 5,619 graphs searched",
        None,
        "which graphs of Employee's columns these are is not stated",
    )


def _draws(saved: Saved) -> Found | None:
    """Draws near the decision boundary, which the paper leaves for later."""
    rows = [row for row in saved.rows("importance", "ratio") if row["required"]]
    short = [row for row in rows if row["verdict"] == "missed"]
    if not short:
        return None
    found = ", ".join(f"{row['ratio']:.0f} × ({row['model']})" for row in rows)
    return _row(
        "responsiveness",
        "rare shares: uniform draws for one by importance, at a share of .001",
        found,
        f"{rows[0]['required']:.0f} × was the aim",
        None,
        f"missed with {' and '.join(row['model'] for row in short)}; no question of time",
    )
