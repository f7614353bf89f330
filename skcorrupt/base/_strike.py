"""Which rows are struck: the exact count, taken by smallest noise."""

from __future__ import annotations

import math

import numpy as np


def strike_count(rate: float, n_matched: int) -> int:
    """Number of rows struck at `rate` of `n_matched` rows, rounded half up.

    Parameters
    ----------
    rate : float in [0, 1]
        Share of the matched rows.
    n_matched : int
        Rows that can be struck.

    Returns
    -------
    int
        ⌊rate · n_matched + ½ + 1e−9⌋; the last term absorbs rounding of the product.

    Examples
    --------
    >>> from skcorrupt.base import strike_count
    >>> strike_count(0.25, 10)
    3
    """
    return min(n_matched, math.floor(rate * n_matched + 0.5 + 1e-9))


def smallest(
    scores: np.ndarray, matched: np.ndarray | None, count: int, *, ordered: bool = True
) -> np.ndarray:
    """Positions of the `count` matched rows with the smallest scores, in order of score or not."""
    if matched is not None:
        rows = np.flatnonzero(matched)
        return rows[smallest(scores[rows], None, count, ordered=ordered)]
    if count == 0:
        return np.empty(0, dtype=np.intp)
    if not ordered:
        if count == len(scores):
            return np.arange(count)
        rows = np.flatnonzero(scores <= np.partition(scores, count - 1)[count - 1])
        if len(rows) == count:
            return rows
        # equal scores at the edge are broken as they are in order
    if count < len(scores):
        part = np.argpartition(scores, count - 1)[:count]
        return part[np.argsort(scores[part])]
    return np.argsort(scores)


def threshold_for(scores: np.ndarray, count: int) -> tuple[float, int]:
    """The score up to which rows are struck so that at most `count` are, and how many are.

    Rows of equal score are struck together.
    """
    if count == 0:
        return -np.inf, 0
    if count == len(scores):
        return np.inf, count
    ordered = np.sort(scores)
    reached = int(np.searchsorted(ordered, ordered[count], side="left"))
    reached = min(reached, count)
    return (float(ordered[reached - 1]) if reached else -np.inf), reached
