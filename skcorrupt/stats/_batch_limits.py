"""How far counts and distributions in a batch may be from those in a reference sample."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln


def most_in_batch(counts: np.ndarray, sizes: np.ndarray, n_rows: int, alpha: float) -> np.ndarray:
    """The largest counts in a batch that a one-sided exact test against a reference passes.

    Where the rows of reference and batch are exchangeable, the marked ones among them fall into the
    batch as a hypergeometric distribution says (Fisher's exact test), so that a batch has more than
    this many with a probability of at most `alpha`, the chance of the reference included.

    For a range from the k-th smallest to the k-th largest of continuous reference values, the
    number of batch values outside has the same bound with a count of `2 k - 1`.

    Parameters
    ----------
    counts : ndarray of shape (n_lines,)
        Marked rows in the reference.
    sizes : ndarray of shape (n_lines,)
        Rows of the reference.
    n_rows : int
        Rows of the batch.
    alpha : float
        Level of each test.

    Returns
    -------
    ndarray of int, shape (n_lines,)
        Counts from 0 to `n_rows`; the latter where no count is improbable enough.
    """
    counts, sizes = np.asarray(counts, dtype=float), np.asarray(sizes, dtype=float)
    passes = np.floor(n_rows * counts / sizes).astype(np.int64)
    fails = np.full(len(counts), n_rows + 1)
    while (open_ := fails - passes > 1).any():
        tried = np.where(open_, (passes + fails) // 2, passes)
        improbable = _upper_tail(tried, counts, sizes, n_rows) <= alpha
        fails = np.where(open_ & improbable, tried, fails)
        passes = np.where(open_ & ~improbable, tried, passes)
    return passes


def _upper_tail(
    at_least: np.ndarray, counts: np.ndarray, sizes: np.ndarray, n_rows: int
) -> np.ndarray:
    """Chance of so many marked rows or more in a batch, given the marked rows of both.

    It is for numbers beyond the mean, from where the terms fall so fast that those left out are
    next to nothing.
    """
    marked, rows = counts + at_least, sizes + n_rows
    first = (
        _log_choose(marked, at_least)
        + _log_choose(rows - marked, n_rows - at_least)
        - _log_choose(rows, np.full(len(rows), n_rows))
    )
    width = min(n_rows, 40 + int(7 * np.sqrt(n_rows)))
    x = at_least[:, None] + np.arange(width)
    left = np.maximum(marked[:, None] - x, 0) * np.maximum(n_rows - x, 0)
    ratios = left / ((x + 1) * (rows[:, None] - marked[:, None] - n_rows + x + 1))
    tail: np.ndarray = np.exp(first) * (1 + np.cumprod(ratios, axis=1).sum(axis=1))
    return tail


def _log_choose(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    chosen: np.ndarray = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return chosen


def furthest_distribution(sizes: np.ndarray, n_rows: int, alpha: float) -> np.ndarray:
    """The largest Kolmogorov-Smirnov distance that a batch passes.

    It is the bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, for two samples
    (Wei and Dudley 2012), which holds for ties as well.

    Parameters
    ----------
    sizes : ndarray of shape (n_lines,)
        Rows of the reference.
    n_rows : int
        Rows of the batch.
    alpha : float
        Level of each test.

    Returns
    -------
    ndarray of shape (n_lines,)
        Distances between two empirical distribution functions, at most 1.
    """
    distances = np.sqrt(np.log(2 / alpha) / 2 * (1 / np.asarray(sizes) + 1 / n_rows))
    return np.minimum(distances, 1.0)
