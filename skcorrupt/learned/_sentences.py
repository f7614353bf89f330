"""What goes wrong in a table, a line for each column and kind of error."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

from skcorrupt.patterns import Pattern
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._readable import listed_labels

from ._in_words import KINDS, MOST_NAMED, duration

ROWS = {"labels": "labels", "selection": "lost rows", "duplicates": "rows added"}
# rates of large tables are those of some of their rows, and as much off
SAME_UP_TO = 1.02
# parameters of which zero is as good a value as any; of others it means that there is nothing
ZERO_TELLS = ("value", "old", "new", "lower", "upper")
_SHOWN = (
    "value", "old", "new", "jitter", "copies", "factor", "offset", "step", "size", "spread", "kind",
    "prefix", "suffix", "hours", "years", "date_format", "lower", "upper", "column",
)  # fmt: skip


def name_of(row: Mapping[Hashable, Any]) -> Any:
    """What a row of the report is about: a column, or whole rows by a name."""
    return ROWS[row["kind"]] if row["column"] is None else row["column"]


def sentence(row: Mapping[Hashable, Any], n_rows: int) -> str:
    """One row of the report.

    Parameters
    ----------
    row : dict
        The row.
    n_rows : int
        Number of rows of the table.

    Returns
    -------
    str
        Column, kind, how often, and where.
    """
    names = listed_labels(row["together_with"])
    return _place_of(row, n_rows) + (f"; mostly in the same rows as {names}" if names else "")


def left_out(given: Mapping[str, Any]) -> list[str]:
    """Columns that only one of the tables had, a line for each table."""
    left: Mapping[str, list[Any]] = given.get("left_out", {})
    return [
        f"Only the {one} table has {', '.join(map(repr, labels))}"
        for one, labels in left.items()
        if labels
    ]


def _place_of(row: Mapping[Hashable, Any], n_rows: int) -> str:
    shown = _parameters(row)
    what = KINDS[str(row["kind"])] + (f" ({shown})" if shown else "")
    start = f"{name_of(row)}: {what} in {_share(row, n_rows)}"
    if row["column"] is None:
        own = f" ({shown})" if shown and row["kind"] == "duplicates" else ""
        often = f"{100 * row['rate']:.1f} % of rows"
        start = f"{name_of(row)}{own}: {_share(row, n_rows) if row['kind'] == 'labels' else often}"
    if row["kind"] == "duplicates" and row["share_explained"] < 1:
        # only of copies it is known which rows they are of
        copies = round(row["share_explained"] * row["n_cells"])
        start = f"{name_of(row)}: {row['n_cells']}, none of them a copy of a row"
        if not copies:
            return start
        known = "is a copy" if copies == 1 else "are copies"
        start = (
            f"{name_of(row)}{own}: {row['n_cells']}, of which {copies} {known}, of "
            f"{100 * row['rate']:.1f} % of rows"
        )
    if row["pattern"] is not None:
        return (
            f"{start}; {100 * row['rate_inside']:.1f} % where {_conditions(row['pattern'])}, "
            f"{100 * row['rate_outside']:.1f} % elsewhere"
        )
    if row["mechanism"] is not None:
        names = " and ".join(map(str, row["explained_by"]))
        end = "high" if row["strength"] > 0 else "low"
        return f"{start}; more often where {names} is {end} (strength {row['strength']:.2f})"
    return f"{start}; nothing here explains where"


def _share(row: Mapping[Hashable, Any], n_rows: int) -> str:
    """How often, and of what: cells that the error cannot change do not count in the rate."""
    share = row["n_cells"] / max(n_rows, 1)
    rate, of_all = f"{100 * row['rate']:.1f} %", f"{100 * share:.1f} %"
    if row["rate"] <= SAME_UP_TO * share or rate == of_all:
        return f"{rate} of rows"
    able = "rows that had a value" if row["kind"] == "missing" else "rows that it can happen to"
    return f"{rate} of {able} ({of_all} of all)"


def _parameters(row: Mapping[Hashable, Any]) -> str:
    params = row["parameters"]
    by = {"time_zone": "hours", "year": "years"}.get(str(params.get("kind")))
    if row["kind"] == "dates" and by in params:
        amount = params[by]
        size = duration(3600 * amount) if by == "hours" else counted(abs(amount), "year")
        return f"{size} {'later' if amount > 0 else 'earlier'}"
    return ", ".join(
        f"{key} {_parameter(key, value, params)}"
        for key, value in params.items()
        if isinstance(value, (int, float, str))
        and not isinstance(value, bool)
        and (value.strip() if isinstance(value, str) else value != 0 or key in ZERO_TELLS)
        and not (isinstance(value, float) and math.isnan(value))
        and key in _SHOWN
    )


def _parameter(key: str, value: Any, params: Mapping[str, Any]) -> str:
    if key == "spread" and params.get("form") == "moved":
        return duration(value)
    is_long = isinstance(value, float) and len(str(value)) > 11
    return f"{value:.9g}" if is_long else str(value).strip()


def _conditions(pattern: Pattern) -> str:
    """A pattern of which only a handful of the values of a column are named."""
    said = []
    for name, condition in pattern.conditions.items():
        one = str(Pattern({name: condition}))
        if condition.values is not None and len(condition.values) > MOST_NAMED:
            named = ", ".join(map(repr, condition.values[:MOST_NAMED]))
            one = f"{one.split(' in (')[0]} in ({named}, ... {len(condition.values)} values)"
        said.append(one)
    return " and ".join(said) or str(pattern)
