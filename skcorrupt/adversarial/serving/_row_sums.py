"""What errors do to rows, summed in the cells of a grid of conditions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from ._condition_tree import ConditionTree
from ._covers import covers
from ._effects import FEW_HARMED, Part

# rows that are worth a cell more in what they are summed in
ROWS_A_CELL = 16
# sums in cells that are held at a time, as numbers
MOST_CELLS = 4_000_000


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
        self.codes = {
            j: tree.codes[rows].astype(np.min_scalar_type(tree.n_levels))
            for j, tree in trees.items()
        }
        known: dict[bytes, int] = {}
        self.flags: list[np.ndarray] = []
        which = []
        able = [change if keep is None else change[keep] for change in part.changeable]
        for each in able:
            place = known.setdefault(np.packbits(each).tobytes(), len(known))
            if place == len(self.flags):
                self.flags.append(each)
            which.append(place)
        self.which = np.array(which)

        def harm_of(h: int) -> np.ndarray:
            # made one by one, as all together are what takes most memory
            each = part.harm[h].each
            return np.where(able[h], each if keep is None else each[keep], 0.0)

        self.harmed: list[np.ndarray | None] = []
        self.helps, self.sizes_of = [], []
        sums = []
        for h in range(self.n_hits):
            harm = harm_of(h)
            sums.append(harm.sum())
            rows = np.flatnonzero(harm)
            few = len(rows) <= FEW_HARMED * len(harm)
            self.harmed.append(rows if few else None)
            values = harm[rows] if few else harm
            self.helps.append(values < 0)
            self.sizes_of.append(np.abs(values))
        self.matched = np.array([each.sum() for each in self.flags], dtype=float)[self.which]
        self.harm = np.array(sums)

    def tables(
        self, wanted: Sequence[tuple[tuple[int, ...], np.ndarray]]
    ) -> list[tuple[np.ndarray, np.ndarray, tuple[int, ...]]]:
        """Sums below every corner of grids, by channel.

        Where rows are many, they are summed once for several grids, in the cells of a larger one.

        Parameters
        ----------
        wanted : sequence of (tuple of int, ndarray of int)
            Attributes that make a grid, in ascending order, and positions of the groups of columns
            hit.

        Returns
        -------
        list of (ndarray, ndarray, tuple)
            For each grid a table of shape (n_channels, n_corners) of counts, harm and good; which
            channels are the count, harm and good of every group of columns, of shape (3, n_hits);
            the number of corners by attribute.
        """
        found: dict[int, tuple[np.ndarray, np.ndarray, tuple[int, ...]]] = {}
        most = min(self.n_rows // ROWS_A_CELL, MOST_CELLS // (3 * self.n_hits))
        for cover, held in covers([attributes for attributes, _ in wanted], self.sizes, most):
            hits = np.unique(np.concatenate([wanted[place][1] for place in held]))
            counts, which = np.unique(self.which[hits], return_inverse=True)
            shape = tuple(self.sizes[j] for j in cover)
            sums = self._sums(self._cells(cover, shape), counts, hits, math.prod(shape))
            sums = sums.reshape(-1, *shape)
            for place in held:
                attributes, own = wanted[place]
                at = np.searchsorted(hits, own)
                needed, count = np.unique(which[at], return_inverse=True)
                bad = len(needed) + np.arange(len(own))
                some = np.concatenate([needed, len(counts) + at, len(counts) + len(hits) + at])
                rest = tuple(i + 1 for i, j in enumerate(cover) if j not in attributes)
                some_sums = sums[some].sum(axis=rest) if rest else sums[some]
                table = below_corners(some_sums, range(1, some_sums.ndim))
                channels = np.stack([count, bad, bad + len(own)])
                found[place] = table.reshape(len(table), -1), channels, table.shape[1:]
        return [found[place] for place in range(len(wanted))]

    def _cells(self, attributes: Sequence[int], shape: Sequence[int]) -> np.ndarray:
        """The cell of a grid that every row is in."""
        cells = np.zeros(self.n_rows, dtype=np.int64)
        for j, size in zip(attributes, shape, strict=True):
            cells *= size
            cells += self.codes[j]
        return cells

    def _sums(
        self, cells: np.ndarray, counts: np.ndarray, hits: np.ndarray, n_cells: int
    ) -> np.ndarray:
        """Sums in cells: of the counts, of harm and of good."""
        sums = np.empty((len(counts) + 2 * len(hits), n_cells))
        for i, c in enumerate(counts):
            some = cells if self.flags[c].all() else cells[self.flags[c]]
            sums[i] = np.bincount(some, minlength=n_cells)
        bad, good = np.array_split(sums[len(counts) :], 2)
        # harm and good of a cell side by side
        cells = 2 * cells
        for k, h in enumerate(hits):
            rows = self.harmed[h]
            places = (cells if rows is None else cells[rows]) + self.helps[h]
            each = np.bincount(places, self.sizes_of[h], minlength=2 * n_cells)
            bad[k], good[k] = each[::2], each[1::2]
        return sums


def below_corners(sums: np.ndarray, axes: Iterable[int]) -> np.ndarray:
    """Sums over all cells below each, along some axes."""
    for axis in axes:
        # the last level holds the rows that no condition matches
        below = np.zeros_like(sums)
        inner = [slice(None)] * sums.ndim
        before = inner.copy()
        inner[axis], before[axis] = slice(1, None), slice(None, -1)
        np.cumsum(sums[tuple(before)], axis=axis, out=below[tuple(inner)])
        sums = below
    return sums


def corners(strides: np.ndarray, ends: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """Where the corners of boxes are among sums below corners, and their signs.

    Parameters
    ----------
    strides : ndarray of int, shape (n, n_attributes)
        Steps from a level of an attribute to the next.
    ends : ndarray of int, shape (n, n_attributes, 2)
        First levels of the boxes, and those after the last ones.

    Yields
    ------
    at : ndarray of int, shape (n,)
        Positions.
    sign : int
        1 or −1.
    """
    steps = strides[:, :, None] * ends
    for corner in itertools.product((1, 0), repeat=ends.shape[1]):
        at = np.sum([steps[:, i, end] for i, end in enumerate(corner)], axis=0)
        yield at, -1 if (len(corner) - sum(corner)) % 2 else 1
