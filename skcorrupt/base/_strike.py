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


def up_to(scores: np.ndarray, matched: np.ndarray | None, threshold: float) -> np.ndarray:
    """Positions of the matched rows whose score is at most a threshold."""
    below = scores <= threshold
    return np.flatnonzero(below if matched is None else below & matched)


def smallest(scores: np.ndarray, matched: np.ndarray | None, rate: float) -> np.ndarray:
    """Positions of the share `rate` of the matched rows with the smallest scores, in their order.

    Of equal scores the earlier rows are taken.
    """
    if matched is not None:
        rows = np.flatnonzero(matched)
        return rows[smallest(scores[rows], None, rate)]
    count = strike_count(rate, len(scores))
    if count == 0 or count == len(scores):
        return np.arange(count)
    edge = np.partition(scores, count - 1)[count - 1]
    rows = np.flatnonzero(scores <= edge)
    if len(rows) > count:
        at_edge = np.flatnonzero(scores[rows] == edge)
        rows = np.delete(rows, at_edge[count - len(rows) :])
    return rows


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
