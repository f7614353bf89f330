"""What errors do to rows, summed in the cells of a grid of conditions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse

from ._condition_tree import ConditionTree
from ._effects import Part

# sums up to which they are made one by one
FEW_CHANNELS = 6
# share of the rows that errors harm up to which the others are left out
FEW_HARMED = 0.25


class RowSums:
    """Rows that can be struck, harm and good of a part, by cell of a grid.

    Parameters
    ----------
    trees : dict of int to ConditionTree
        Conditions by attribute.
    part : Part
        Rows with what the error does to them, by columns hit.
    among : ndarray of bool or None
        Rows of the table that count, None for all.
    """

    def __init__(
        self, trees: Mapping[int, ConditionTree], part: Part, among: np.ndarray | None
    ) -> None:
        keep = None if among is None else among[part.rows]
        rows = part.rows if keep is None else part.rows[keep]
        self.n_rows, self.n_hits = len(rows), len(part.harm)
        self.sizes = {j: tree.n_levels + 1 for j, tree in trees.items()}
        # a level fits into a byte or two, which saves memory where there are many rows
        small = {j: np.min_scalar_type(tree.n_levels) for j, tree in trees.items()}
        self.codes = {j: tree.codes[rows].astype(small[j]) for j, tree in trees.items()}
        known: dict[bytes, int] = {}
        self.flags: list[np.ndarray] = []
        which = []
        harm = []
        for change, each in zip(part.changeable, part.harm, strict=True):
            able = change if keep is None else change[keep]
            place = known.setdefault(np.packbits(able).tobytes(), len(known))
            if place == len(self.flags):
                self.flags.append(able)
            which.append(place)
            harm.append(np.where(able, each if keep is None else each[keep], 0.0))
        self.which = np.array(which)
        n_harmed = sum(np.count_nonzero(each) for each in harm)
        self.dense: np.ndarray | None = None
        if n_harmed > FEW_HARMED * self.n_rows * self.n_hits:
            flags = [each.astype(float) for each in self.flags]
            bad, good = ([np.maximum(sign * h, 0.0) for h in harm] for sign in (1, -1))
            self.dense = np.column_stack([*flags, *bad, *good])
        else:
            self.harmed = [np.flatnonzero(each) for each in harm]
            self.values = [each[rows] for each, rows in zip(harm, self.harmed, strict=True)]
        self.matched = np.array([each.sum() for each in self.flags], dtype=float)[self.which]
        self.harm = np.array([each.sum() for each in harm])

    def table(
        self, attributes: Sequence[int], hits: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
        """Sums below every corner of a grid, by channel.

        Parameters
        ----------
        attributes : sequence of int
            Those that make the grid.
        hits : ndarray of int
            Positions of the groups of columns hit.

        Returns
        -------
        table : ndarray of shape (n_channels, n_corners)
            Counts, harm and good.
        own : ndarray of int, shape (3, n_hits)
            Which channels are the count, harm and good of every group of columns.
        shape : tuple of int
            Number of corners by attribute.
        """
        shape = tuple(self.sizes[j] for j in attributes)
        cells = np.zeros(self.n_rows, dtype=np.int64)
        for j, size in zip(attributes, shape, strict=True):
            cells *= size
            cells += self.codes[j]
        counts, place = np.unique(self.which[hits], return_inverse=True)
        own = len(counts) + np.arange(len(hits))
        sums = self._sums(cells, counts, hits, math.prod(shape)).reshape(-1, *shape)
        for axis in range(1, sums.ndim):
            # the last level holds the rows that no condition matches
            below = np.zeros_like(sums)
            inner = [slice(None)] * sums.ndim
            before = inner.copy()
            inner[axis], before[axis] = slice(1, None), slice(None, -1)
            np.cumsum(sums[tuple(before)], axis=axis, out=below[tuple(inner)])
            sums = below
        return sums.reshape(len(sums), -1), np.stack([place, own, own + len(hits)]), shape

    def _sums(
        self, cells: np.ndarray, counts: np.ndarray, hits: np.ndarray, n_cells: int
    ) -> np.ndarray:
        """Sums in cells: of the counts, of harm and of good."""
        if self.dense is not None:
            n_counts = len(self.flags)
            channels = np.concatenate([counts, n_counts + hits, n_counts + self.n_hits + hits])
            if len(channels) <= FEW_CHANNELS:
                given = (self.dense[:, c] for c in channels)
                return np.stack([np.bincount(cells, each, minlength=n_cells) for each in given])
            indicator = sparse.csc_matrix(
                (np.ones(self.n_rows), cells, np.arange(self.n_rows + 1)),
                shape=(n_cells, self.n_rows),
            )
            # to take columns of many rows costs more than their sums
            return np.asarray(indicator @ self.dense).T[channels]
        sums = np.empty((len(counts) + 2 * len(hits), n_cells))
        for i, c in enumerate(counts):
            some = cells if self.flags[c].all() else cells[self.flags[c]]
            sums[i] = np.bincount(some, minlength=n_cells)
        bad, good = np.array_split(sums[len(counts) :], 2)
        for k, h in enumerate(hits):
            each = np.bincount(
                cells[self.harmed[h]] + n_cells * (self.values[h] < 0),
                np.abs(self.values[h]),
                minlength=2 * n_cells,
            )
            bad[k], good[k] = each[:n_cells], each[n_cells:]
        return sums
