"""Rows of equal keys in two tables, put together by a number in which they differ."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

# of a key with more pairs the rows go together in the order of their numbers
MOST_PAIRS = 250_000

Sides = tuple[np.ndarray, np.ndarray]


def near_each_other(keys: Sides, numbers: Sides) -> Sides:
    """Pairs of rows of equal keys that differ least in all.

    Parameters
    ----------
    keys : tuple of ndarray
        Of each table the key of every row.
    numbers : tuple of ndarray
        Of each table the number of every row, NaN where it has none.

    Returns
    -------
    tuple of ndarray of int
        Places of rows in the one and the other table, as many as the rarer of each key.
    """
    orders = [np.lexsort(side) for side in zip(numbers, keys, strict=True)]
    ordered = [key[order] for key, order in zip(keys, orders, strict=True)]
    common = np.intersect1d(*keys)
    first = [np.searchsorted(key, common, side="left") for key in ordered]
    size = [
        np.searchsorted(key, common, side="right") - at
        for key, at in zip(ordered, first, strict=True)
    ]
    # of as many numbers on either side those in order differ least
    alike = size[0] == size[1]
    within = _within(size[0][alike])
    pairs = [[np.repeat(at[alike], size[0][alike]) + within] for at in first]
    for g in np.flatnonzero(~alike):
        at = [np.arange(f[g], f[g] + s[g]) for f, s in zip(first, size, strict=True)]
        held = [number[order[a]] for number, order, a in zip(numbers, orders, at, strict=True)]
        for side, a, chosen in zip(pairs, at, _assigned(*held), strict=True):
            side.append(a[chosen])
    ours, theirs = (order[np.concatenate(side)] for order, side in zip(orders, pairs, strict=True))
    return ours, theirs


def _within(sizes: np.ndarray) -> np.ndarray:
    """0, 1, 2, … for every group."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)


def _assigned(one: np.ndarray, other: np.ndarray) -> Sides:
    """Which numbers of two lists go together."""
    n = min(len(one), len(other))
    if len(one) * len(other) > MOST_PAIRS:
        return np.arange(n), np.arange(n)
    # of parts, as differences of huge numbers may be infinite; two infinite ones have none
    with np.errstate(invalid="ignore"):
        off = np.abs(one[:, None] / 8 - other[None, :] / 8)
    known = np.isfinite(off)
    off[~known] = 2 * off[known].max(initial=0) + 1
    ours, theirs = linear_sum_assignment(off)
    return ours, theirs
