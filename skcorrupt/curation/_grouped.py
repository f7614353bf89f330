"""Rows of equal votes, which every label model treats alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

# beyond it, counting keys directly takes more memory than sorting them
MOST_COUNTED = 4_000_000
# below it, multiplying zeros is faster than skipping them
MOST_DENSE = 2_000_000


class Grouped(NamedTuple):
    """Distinct rows of votes.

    Attributes
    ----------
    codes : ndarray of shape (n_distinct, n_lfs)
        Position of the voted class, -1 for abstentions.
    inverse : ndarray of int, shape (n_samples,)
        Position of every row among the distinct ones.
    counts : ndarray of shape (n_distinct,)
        How often each occurs.
    """

    codes: np.ndarray
    inverse: np.ndarray
    counts: np.ndarray


def grouped(codes: np.ndarray, n_classes: int) -> Grouped:
    """Distinct rows, where they can be told by one number each, else all rows.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples, n_lfs)
        Position of the voted class, -1 for abstentions.
    n_classes : int
        Number of classes.

    Returns
    -------
    Grouped
        The rows; those of very many functions are seldom equal and stay as they are.
    """
    n, m = codes.shape
    base = n_classes + 1
    if m * np.log2(base) >= 62:
        return Grouped(codes, np.arange(n), np.ones(n))
    keys = np.zeros(n, dtype=np.int64)
    for column in codes.T:
        keys *= base
        keys += column
    # every column of -1 would have been 0
    keys += (base**m - 1) // (base - 1)
    if base**m <= min(MOST_COUNTED, 16 * n):
        counts = np.bincount(keys, minlength=base**m)
        distinct = np.flatnonzero(counts)
        place = np.zeros(base**m, dtype=np.intp)
        place[distinct] = np.arange(len(distinct))
        inverse, counts = place[keys], counts[distinct]
    else:
        distinct, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    rows = np.empty((len(distinct), m), dtype=codes.dtype)
    for j in range(m - 1, -1, -1):
        rows[:, j] = distinct % base - 1
        distinct = distinct // base
    return Grouped(rows, inverse, counts.astype(float))


def indicators(codes: np.ndarray, n_classes: int) -> np.ndarray | csr_array:
    """Votes as a matrix of indicators, sparse where it is large.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples, n_lfs)
        Position of the voted class, -1 for abstentions.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray or csr_array of shape (n_samples, n_lfs * n_classes)
        1 at `j * n_classes + k` where function j votes class k.
    """
    n, m = codes.shape
    if n * m * n_classes <= MOST_DENSE:
        dense = np.zeros((n, m * n_classes))
        for k in range(n_classes):
            dense[:, k::n_classes] = codes == k
        return dense
    voted = codes >= 0
    columns = (codes + np.arange(m) * n_classes)[voted]
    ends = np.concatenate([[0], np.cumsum(voted.sum(axis=1))])
    return csr_array((np.ones(len(columns)), columns, ends), shape=(n, m * n_classes))
