"""The least AUC on Adult that errors by one attribute and the label can reach, by enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from benchmarks.replication.savage.adult import corruption_for, estimator_for
from benchmarks.search._fixed_split import FixedSplit

ERRORS = ("mean", "median", "labels", "selection")
BUDGETS = (5, 10, 20, 30, 40, 50)
Ranges = dict[str, tuple[int, int]]


def enumerated_rows(
    data: tuple, errors: Sequence[str] = ERRORS, budgets: Sequence[int] = BUDGETS
) -> Iterator[dict[str, Any]]:
    """Every range of every attribute with either label or both, all matched rows struck.

    A pattern that matches more rows than a budget allows is left out of that budget, so that
    nothing here depends on a draw.

    Parameters
    ----------
    data : tuple
        Training features and labels, test features and labels.
    errors : sequence of str, default=ERRORS
        The name of an imputer's strategy, "labels" or "selection".
    budgets : sequence of int, default=BUDGETS
        In per cent of the training rows.

    Yields
    ------
    dict
        A row an error and budget: the least AUC, where, and of how many candidates.
    """
    X, y, X_test, y_test = data
    for error in errors:
        task = FixedSplit(estimator_for(error), corruption_for(error), X, y, X_test, y_test)
        columns = list(X) if corruption_for(error) == "missing" else [""]
        found = []
        for ranges in single_ranges(task.values):
            struck = task.matched(ranges)
            size = int(struck.sum())
            if not 0 < size <= max(budgets) / 100 * len(X) or _one_class(error, y, struck):
                continue
            found += [(size, task.score(name, struck), name, ranges) for name in columns]
        for percent in budgets:
            allowed = [one for one in found if one[0] <= percent / 100 * len(X)]
            _, least, column, ranges = min(allowed, key=lambda one: one[1])
            yield {
                "error": error,
                "budget_percent": percent,
                "least": least,
                "column": column,
                "ranges": ranges,
                "candidates": len(allowed),
            }
        task.reset()


def single_ranges(values: dict[str, np.ndarray]) -> Iterator[Ranges]:
    """All closed ranges of each attribute, with either label and with both.

    Parameters
    ----------
    values : dict of str to ndarray
        Columns, the label as "y".

    Yields
    ------
    dict of str to tuple
        Ranges by column.
    """
    for name, column in values.items():
        if name == "y":
            continue
        for low, high in combinations_with_replacement(np.unique(column).tolist(), 2):
            for label in ({}, {"y": (0, 0)}, {"y": (1, 1)}):
                yield {name: (low, high), **label}


def _one_class(error: str, y: Any, struck: np.ndarray) -> bool:
    """Whether an error of labels or rows would leave one class."""
    left = {"labels": y.where(~struck, 1 - y), "selection": y[~struck]}.get(error, y)
    return left.nunique() < 2
