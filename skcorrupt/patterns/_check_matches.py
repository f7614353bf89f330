"""Patterns of a user's that match nothing, before anything is spent on them."""

from __future__ import annotations

import pandas as pd

from ..utils import Table, Target
from ._pattern import Pattern

SHOWN_VALUES = 8


def check_matches(
    pattern: Pattern, table: Table, target: Target | None, place: str, rows: str = "rows"
) -> None:
    """Refuse a pattern of the user's own that no row matches.

    Parameters
    ----------
    pattern : Pattern
        The pattern.
    table : Table
        The data.
    target : Target or None
        The labels.
    place : str
        Where the pattern was given, for messages.
    rows : str, default="rows"
        What the rows of the data are, for messages.

    Raises
    ------
    ValueError
        If a column is not there, or no row matches, with the condition to blame and the values
        that there are.
    """
    given, pattern = str(pattern), pattern.labelled(table, target)
    labels = None if target is None or not pattern.uses_y else target.for_patterns

    def matches(part: Pattern) -> bool:
        return bool(part.mask(table.source, labels if part.uses_y else None).any())

    if matches(pattern):
        return
    alone = [Pattern({key: condition}) for key, condition in pattern.conditions.items()]
    blamed = next((part for part in alone if not matches(part)), None)
    if blamed is None:
        hint = "each of its conditions matches some, but no row matches all; leave one out"
    else:
        label = next(iter(blamed.columns), None)
        if label is None and target is not None:
            values = target.values
        else:
            values = table.values(table.labels.index(label))
        known = pd.unique(pd.Series(values).dropna())
        shown = ", ".join(map(repr, known[:SHOWN_VALUES].tolist()))
        hint = f"{str(blamed)!r} matches none by itself; there are the values {shown}"
        hint += ", …" if len(known) > SHOWN_VALUES else ""
    raise ValueError(
        f"{place}: pattern {given!r} matches none of the {table.n_rows} {rows}: {hint}."
    )
