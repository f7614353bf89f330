"""What errors learned from a dirty table have to say."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

import pandas as pd

from skcorrupt.evaluation._described import parts_of, public_module
from skcorrupt.learned import LearnedErrors, LearnedErrorsDisplay
from skcorrupt.learned._in_words import KINDS, error_in_words, kind_in_words, shown, where_in_words
from skcorrupt.learned._kind_templates import template_of
from skcorrupt.learned._sentences import left_out
from skcorrupt.utils._as_text import counted, percent

from ._code import HOW, imports_for
from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._tables import Column, facts, table

MOST_TOLD = 4
_MATCHED = {
    "key": "a key, columns that tell which row is which",
    "index": "their index labels",
    "place": "their place",
    "content": "what is in them",
    "rules": "none; there was no corrected table",
}
_ERRORS = [
    Column("column", "Column"),
    Column("what", "What goes wrong"),
    Column("n_cells", "Errors", meaning="Number of cells; of rows where no column is named."),
    Column("rate", "Share", "percent", "Of the cells that the error would change."),
    Column("share_explained", "Of its column", "percent", "Of all errors of the column."),
    Column("example", "Such as", meaning="What is right → what the table has."),
]
_PLACES = [
    Column("name", "Error"),
    Column("where", "Where"),
    Column("rate_inside", "Rate there", "percent"),
    Column(("rate_inside_low", "rate_inside_high"), "95 % interval, there", "percent"),
    Column("rate_outside", "Rate elsewhere", "percent"),
    Column(("rate_outside_low", "rate_outside_high"), "95 % interval, elsewhere", "percent"),
    Column(
        "p_adjusted",
        "p-value",
        "chance",
        "Chance of a place like this where errors strike at random, corrected for all that was "
        "tried.",
    ),
]


def learned_content(learned: LearnedErrors, asked: Asked) -> Content:
    """Collect what was learned.

    Parameters
    ----------
    learned : LearnedErrors
        As returned by `learn_errors`.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    given = learned.given
    by_rules = learned.matched_by == "rules"
    other = "rules that have to hold in every row" if by_rules else "its corrected version"
    return Content(
        heading="What goes wrong in this data",
        glance=_glance(learned),
        question=(
            f"A table was compared with {other}. What goes wrong, how often, where, and how sure "
            "is that?"
        ),
        answer=[*_answer(learned), *asked.legend()],
        results=[
            ("What goes wrong", [table(_errors(learned), _ERRORS, "Errors, the most first.")]),
            ("Where, and how sure", [table(_places(learned), _PLACES, "Where errors strike.")]),
        ],
        pictures=_pictures(learned),
        limits=_limits(learned),
        data=Data(
            learned.n_rows,
            [str(name) for name in given.get("columns", ())],
            row="rows, of the table with errors" if by_rules else "rows, of the corrected table",
            notes=["Examples are single values that the tables have."],
        ),
        seed=None,
        repeat=Repeat("learned"),
        seed_note="none; the same tables give the same result",
        settings=facts(_settings(learned), "What was asked for."),
        code=_code(learned),
    )


def _glance(learned: LearnedErrors) -> Glance:
    rows = _ranked(learned)
    if not rows:
        return Glance(
            "No error was seen.",
            f"None in {counted(learned.n_rows, 'row')}.",
            "Only what was corrected, or breaks a rule, can be seen.",
            "Look at other columns, or at rows that were corrected by hand.",
            harm=0,
        )
    worst = rows[0]
    placed = [row for row in rows if row["pattern"] is not None or row["mechanism"] is not None]
    told = sum(row["n_cells"] for row in rows if row["kind"] != "unexplained")
    whole = sum(row["n_cells"] for row in rows)
    gather = "gathers" if len(placed) == 1 else "gather"
    return Glance(
        f"{counted(len(rows), 'kind')} of error, the most frequent in {_name(worst)}: "
        f"{kind_in_words(worst)}.",
        " ".join(error_in_words(worst)),
        f"Of {counted(whole, 'error')}, {percent(told / whole)} follow a rule that was found"
        + (
            f"; {counted(len(placed), 'kind')} {gather} in certain rows by more than chance."
            if placed
            else "; none was seen to gather in certain rows."
        ),
        "Mend the cause where these errors arise. Then see what they do to a model"
        + ("." if learned.corruption is None else f": {HOW} makes such errors."),
        harm=2,
    )


def _ranked(learned: LearnedErrors) -> list[dict[Any, Any]]:
    ranked = learned.report.sort_values("n_cells", ascending=False, kind="stable")
    return ranked.to_dict("records")


def _answer(learned: LearnedErrors) -> list[str]:
    rows = _ranked(learned)
    cells = [row for row in rows if row["column"] is not None]
    n_cells = sum(row["n_cells"] for row in cells)
    columns = {str(row["column"]) for row in cells}
    said = [
        f"In {counted(learned.n_rows, 'row')} there are {counted(n_cells, 'wrong cell')} in "
        f"{counted(len(columns), 'column')}."
        + ("" if len(rows) == len(cells) else " Labels or whole rows went wrong, too.")
    ]
    said += [" ".join(error_in_words(row)) for row in rows[:MOST_TOLD]]
    if len(rows) > MOST_TOLD:
        said.append(f"The table below has {len(rows) - MOST_TOLD:,} more.")
    return said


def _name(row: dict[Any, Any]) -> str:
    return (
        "whole rows"
        if row["column"] is None and row["kind"] != "labels"
        else ("labels" if row["column"] is None else f"`{row['column']}`")
    )


def _errors(learned: LearnedErrors) -> pd.DataFrame:
    records = []
    for row in _ranked(learned):
        pairs = [
            shown(dirty) if "rule" in row["parameters"] else f"{shown(clean)} → {shown(dirty)}"
            for dirty, clean in row["examples"]
        ]
        records.append(
            {
                "column": _name(row),
                "what": kind_in_words(row),
                "example": "; ".join(pairs) or None,
                **{name: row[name] for name in ("n_cells", "rate", "share_explained")},
            }
        )
    return pd.DataFrame(records)


def _places(learned: LearnedErrors) -> pd.DataFrame:
    frame = learned.report.sort_values("n_cells", ascending=False, kind="stable")
    rows = frame.to_dict("records")
    return frame.assign(
        name=[f"{_name(row)}: {KINDS[row['kind']]}" for row in rows],
        where=[_where(row) for row in rows],
    )


def _where(row: dict[Any, Any]) -> str:
    if row["pattern"] is not None:
        return where_in_words(row["pattern"])
    if row["mechanism"] is None:
        return "anywhere"
    names = " and ".join(f"`{name}`" for name in row["explained_by"]) or "the label"
    return f"more often where {names} is {'high' if row['strength'] > 0 else 'low'}"


def _pictures(learned: LearnedErrors) -> list[Picture]:
    display = LearnedErrorsDisplay.from_learned(learned)
    n = min(len(learned.report), 20)
    n_columns = min(learned.report["column"].nunique(dropna=False), 20)
    return [
        Picture(
            "Number of errors by column and by what went wrong.",
            "A grid of columns and kinds of errors with numbers, which the first table has, too.",
            partial(display.plot, "cells"),
            (7.5, 1.8 + 0.4 * n_columns),
        ),
        Picture(
            "Share of cells that went wrong where the pattern holds and elsewhere, with 95 % "
            "intervals.",
            "Points with intervals for each error; the second table has the numbers.",
            partial(display.plot, "rates"),
            (8.0, 1.8 + 0.5 * n),
        ),
    ]


def _limits(learned: LearnedErrors) -> list[str]:
    limits = [
        "Errors that the correction missed are not seen, and what was changed without need counts "
        "as an error."
        if learned.matched_by != "rules"
        else "Only what breaks a rule is seen, and what the right values would be is not known.",
        "What a value was changed to is told by the simplest rule that makes it; others may be "
        "true.",
        "Where errors strike is searched for among the columns of the table"
        + (" and the label" if learned.y_seen else "")
        + "; a cause that is not among them is not found.",
        "Where errors strike at random, the chance that any place at all is named is at most 5 %.",
    ]
    if learned.matched_by == "content":
        limits.append("Rows were matched by what is in them, so that some pairs may be wrong.")
    limits += [f"{line}; this was not compared." for line in left_out(learned.given)]
    unknown = learned.report[learned.report["kind"] == "unexplained"]
    if len(unknown) and learned.matched_by != "rules":
        limits.append(
            f"Of {counted(int(unknown['n_cells'].sum()), 'cell')} no rule tells how they went "
            "wrong."
        )
    return limits


def _settings(learned: LearnedErrors) -> dict[str, str]:
    given = learned.given
    settings = {
        "Rows were matched by": _MATCHED[learned.matched_by],
        "Label among what may explain errors": "yes" if learned.y_seen else "no",
    }
    if given.get("key") is not None:
        settings["Key"] = f"`{given['key']!r}`"
    if given.get("rules"):
        settings["Rules"] = "; ".join(f"`{rule}`" for rule in given["rules"])
    return settings


def _code(learned: LearnedErrors) -> str:
    """The call, and every kind of error as a corruption by itself."""
    given = learned.given
    call = ["dirty"] if learned.matched_by == "rules" else ["dirty", "clean"]
    if given.get("key") is not None:
        call.append(f"key={given['key']!r}")
    call += ["y=y"] if learned.y_seen else []
    call += ["dirty_y=dirty_y"] if given.get("dirty_y") else []
    if given.get("rules"):
        call.append(f"rules={given['rules']!r}")
    kinds, modules, used = [], {"learn_errors": "skcorrupt.learned"}, {"learn_errors"}
    for row in _ranked(learned):
        made = template_of(row, placed=True)
        if made is None:
            continue
        made.set_params(rate=round(float(row["rate_inside"]), 6))
        text = repr(made)
        for part in parts_of(made):
            modules[type(part).__name__] = public_module(type(part))
        used |= {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
        kinds.append(f"    {text},")
    imports, _ = imports_for(used, modules)
    y = "y" if learned.y_seen else "None"
    lines = [*imports, "", f"learned = learn_errors({', '.join(call)})"]
    if learned.corruption is not None:
        lines += [
            "# errors like these in other data X",
            f"made, _ = learned.corruption.set_params(random_state=0).fit_resample(X, {y})",
        ]
    if kinds:
        lines += ["# each kind by itself, as it was seen", "kinds = [", *kinds, "]"]
    return "\n".join(lines)
