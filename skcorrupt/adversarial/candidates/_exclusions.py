"""Which candidates a user calls implausible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.utils import Table, Target, resolve_columns, shorten, user_function, warn


def _lies_within(pattern: Pattern, wider: Pattern) -> bool:
    """Whether the conditions of a pattern, attribute by attribute, imply those of another."""
    for key, condition in wider.conditions.items():
        own = pattern.conditions.get(key)
        try:
            if own is None or own & condition != own:
                return False
        except ValueError:
            # the two have no value in common
            return False
    return True


def _said(answer: Any) -> bool:
    """The answer of a rule of the user's."""
    if not isinstance(answer, (bool, np.bool_)):
        raise ValueError(
            f"exclude: the function returned {shorten(answer)}; it should return True where a "
            "candidate is excluded and False where it is kept."
        )
    return bool(answer)


def exclusion(
    rule: Any, table: Table, target: Target
) -> Callable[[Pattern, frozenset[Any], Any, Any], bool]:
    """A rule of `exclude` as a function of pattern, columns used, X and y.

    Parameters
    ----------
    rule : Pattern, str, dict, (label, label) or callable
        A pattern excludes candidates that lie within it; a pair of columns
        excludes candidates that use both; a callable is asked.
    table : Table
        The data, for the positions of columns.
    target : Target
        The labels.

    Returns
    -------
    callable
        True where a candidate is excluded.

    Raises
    ------
    ValueError
        If the rule is none of these.

    Warns
    -----
    UserWarning
        If a pattern matches no row.
    """
    if isinstance(rule, str) and rule in map(str, table.labels):
        raise ValueError(
            f"exclude: {rule!r} is a column; a pair of columns that must not be used together is a "
            "tuple of its own, as in exclude=[('a', 'b')]."
        )
    if isinstance(rule, (Pattern, str, dict)):
        unwanted = as_pattern(rule).labelled(table, target)
        # a column or label that is not there raises, a value that is not there matches nothing
        if not unwanted.mask(table.source, target.for_patterns if unwanted.uses_y else None).any():
            warn(
                f"exclude: {str(unwanted)!r} matches none of the {table.n_rows} rows searched, so "
                "it excludes nothing; check its values, or leave it out.",
            )
        return lambda pattern, used, X, y: _lies_within(pattern, unwanted)
    if callable(rule):
        ask = user_function("exclude", rule, ("pattern", "X", "y"))
        return lambda pattern, used, X, y: _said(ask(pattern, X, y))
    if isinstance(rule, Iterable):
        pair = frozenset(resolve_columns(table, list(rule), parameter="exclude"))
        if len(pair) == 2:
            return lambda pattern, used, X, y: pair <= used
    raise ValueError(
        f"exclude: {rule!r} should be a pattern, a pair of columns or a callable on "
        "(pattern, X, y)."
    )
