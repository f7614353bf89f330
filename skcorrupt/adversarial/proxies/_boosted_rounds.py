"""A few rounds of small trees for many candidates at once, over histograms of levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._sigmoid import sigmoid

ROUNDS = 6
DEPTH = 5
RATE = 0.5
# what keeps leaves of hardly any weight from going far, in rows
SHRINKAGE = 1.0
LEAST = 1e-3
LARGEST_LEAF = 4.0
SMALLEST = 1e-12


@dataclass
class Rows:
    """Rows of all candidates of a batch, one after the other.

    Attributes
    ----------
    owner : ndarray of int, shape (n_rows,)
        Candidate of each row.
    codes : list of ndarray of int, each of shape (n_rows,)
        Bin of every column; 0 is missing.
    sizes : list of int
        Number of bins of every column.
    weights : ndarray of shape (n_rows,)
        What each row counts; 0 for what is only predicted.
    y : ndarray of shape (n_rows,)
        Labels.
    """

    owner: np.ndarray
    codes: list[np.ndarray]
    sizes: list[int]
    weights: np.ndarray
    y: np.ndarray

    def part(self, at: np.ndarray) -> Rows:
        """Some of the rows."""
        codes = [each[at] for each in self.codes]
        return Rows(self.owner[at], codes, self.sizes, self.weights[at], self.y[at])


def boosted(rows: Rows, n_candidates: int, share: float, *, logistic: bool) -> np.ndarray:
    """Margins, or predicted labels, of all rows after some rounds.

    Parameters
    ----------
    rows : Rows
        The rows.
    n_candidates : int
        Number of candidates.
    share : float
        What a row of the pipeline counts here.
    logistic : bool
        Whether labels are two classes.

    Returns
    -------
    ndarray of shape (n_rows,)
        One for each row.
    """
    total = np.bincount(rows.owner, rows.weights, n_candidates)
    sums = np.bincount(rows.owner, rows.weights * rows.y, n_candidates)
    mean = sums / np.maximum(total, SMALLEST)
    if logistic:
        mean = np.clip(mean, 1e-6, 1 - 1e-6)
        mean = np.log(mean / (1 - mean))
    margins = mean[rows.owner]
    counted = np.flatnonzero(rows.weights > 0)
    trained = rows.part(counted)
    for _ in range(ROUNDS):
        m = margins[counted]
        if logistic:
            p = sigmoid(m)
            slope, bend = trained.weights * (trained.y - p), trained.weights * p * (1 - p)
        else:
            slope, bend = trained.weights * (trained.y - m), trained.weights
        margins += RATE * _tree(rows, trained, slope, bend, n_candidates, share, logistic)
    return margins


def _tree(
    rows: Rows,
    trained: Rows,
    slope: np.ndarray,
    bend: np.ndarray,
    n_candidates: int,
    share: float,
    logistic: bool,
) -> np.ndarray:
    """What a tree of every candidate adds to each row."""
    node, asked = trained.owner, rows.owner
    n_nodes = n_candidates
    for _ in range(DEPTH):
        column, cut, lacking_left = _splits(trained, node, n_nodes, slope, bend, share)
        node = 2 * node + _goes_right(trained, node, column, cut, lacking_left)
        asked = 2 * asked + _goes_right(rows, asked, column, cut, lacking_left)
        n_nodes *= 2
    slopes, bends = np.bincount(node, slope, n_nodes), np.bincount(node, bend, n_nodes)
    leaves = slopes / (bends + SHRINKAGE * share)
    if logistic:
        leaves = np.clip(leaves, -LARGEST_LEAF, LARGEST_LEAF)
    return leaves[asked]


def _splits(
    rows: Rows, node: np.ndarray, n_nodes: int, slope: np.ndarray, bend: np.ndarray, share: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The best column of every node, the last bin that goes left, and where what is missing goes.

    A node that is not worth splitting sends all to the left.
    """
    best = np.full(n_nodes, 1e-9)
    column = np.zeros(n_nodes, dtype=np.int64)
    cut = np.full(n_nodes, np.iinfo(np.int64).max)
    lacking = np.ones(n_nodes, dtype=bool)
    all_slope = np.bincount(node, slope, n_nodes)[:, None]
    all_bend = np.bincount(node, bend, n_nodes)[:, None]
    shrinkage, least = SHRINKAGE * share, LEAST * share
    whole = all_slope**2 / (all_bend + shrinkage)
    for j, (codes, size) in enumerate(zip(rows.codes, rows.sizes, strict=True)):
        if size < 3:
            continue
        key = node * size + codes
        slopes = np.bincount(key, slope, n_nodes * size).reshape(n_nodes, size)
        bends = np.bincount(key, bend, n_nodes * size).reshape(n_nodes, size)
        none = slopes[:, :1], bends[:, :1]
        left = np.cumsum(slopes[:, 1:], axis=1), np.cumsum(bends[:, 1:], axis=1)
        sides: list[tuple[bool, Any, Any]] = [(False, *left)]
        if none[1].any():
            sides.append((True, left[0] + none[0], left[1] + none[1]))
        for goes_left, s, b in sides:
            gain = s**2 / (b + shrinkage)
            gain += (all_slope - s) ** 2 / (np.maximum(all_bend - b, 0.0) + shrinkage)
            gain -= whole
            gain[(b < least) | (all_bend - b < least)] = -np.inf
            at = gain.argmax(axis=1)
            value = gain[np.arange(n_nodes), at]
            better = value > best
            best[better], column[better], cut[better] = value[better], j, at[better] + 1
            lacking[better] = goes_left
    return column, cut, lacking


def _goes_right(
    rows: Rows, node: np.ndarray, column: np.ndarray, cut: np.ndarray, lacking_left: np.ndarray
) -> np.ndarray:
    right = np.zeros(len(node), dtype=np.int64)
    mine, bound, left = column[node], cut[node], lacking_left[node]
    for j in np.unique(column):
        at = np.flatnonzero(mine == j)
        codes = rows.codes[j][at]
        right[at] = np.where(codes == 0, ~left[at], codes > bound[at])
    return right
