"""Which columns go wrong in the same rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import hypergeom

# least share of the rows struck in either column that are struck in both
MOSTLY = 0.5


def together(
    masks: Sequence[tuple[np.ndarray, np.ndarray]], columns: Sequence[Any], alpha: float
) -> list[tuple[Any, ...]]:
    """The columns that go wrong where each kind of error strikes.

    Columns count as going together where most of the rows in which one of two went wrong are wrong
    in both, and more of them than errors that know nothing of each other would share (Fisher's
    exact test, corrected for all pairs). They may share a pattern, or chance.

    Parameters
    ----------
    masks : sequence of tuple of ndarray of bool, each of shape (n_rows,)
        For every kind of error the rows it struck and those that it could have struck.
    columns : sequence of labels
        The column of each, None for errors of labels and whole rows, which go with none.
    alpha : float
        Chance that any two columns are said to go together that do not.

    Returns
    -------
    list of tuple of labels
        For each kind of error the other columns, in the order in which they come.
    """
    of_cells = [i for i, column in enumerate(columns) if column is not None]
    pairs = [
        (i, j) for i, j in itertools.combinations(of_cells, 2) if columns[i] != columns[j]
    ]  # fmt: skip
    found: list[list[Any]] = [[] for _ in columns]
    for i, j in pairs:
        if _are_together(masks[i], masks[j], alpha / len(pairs)):
            for own, other in ((i, j), (j, i)):
                if columns[other] not in found[own]:
                    found[own].append(columns[other])
    return [tuple(others) for others in found]


def _are_together(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray], alpha: float
) -> bool:
    able = one[1] & other[1]
    first, second = one[0] & able, other[0] & able
    n_both, n_either = int((first & second).sum()), int((first | second).sum())
    if not n_both or n_both < MOSTLY * n_either:
        return False
    chance = hypergeom.sf(n_both - 1, int(able.sum()), int(first.sum()), int(second.sum()))
    return bool(chance <= alpha)
