"""At which rates checks notice a pattern for certain, by how many rows of batches it matches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ._condition_tree import ConditionTree
from ._pattern_groups import Jobs
from ._quick_watch import QuickWatch
from ._row_sums import below_corners, corners

# groups of patterns that are looked at together
MOST_AT_ONCE = 1 << 11


class BatchBounds:
    """The rates from which on checks notice patterns, as far as the number of rows says it.

    Of rows of a batch that an error strikes, a check marks all but those that it does not mark
    wherever they are, so that it alarms from so many struck rows on.

    Parameters
    ----------
    trees : dict of int to ConditionTree
        Conditions by attribute.
    watched : sequence of QuickWatch
        What checks say of the error in every group of columns hit.
    able : sequence of ndarray of bool, shape (n_samples,)
        Rows that can be struck, by group of columns.
    among : ndarray of bool or None
        Rows of the table that count, None for all.
    """

    def __init__(
        self,
        trees: Mapping[int, ConditionTree],
        watched: Sequence[QuickWatch],
        able: Sequence[np.ndarray],
        among: np.ndarray | None,
    ) -> None:
        self.trees = trees
        self.able = [each if among is None else each & among for each in able]
        self.sides = [side.watching for side in watched[0].sides]
        # of each check, by columns hit
        self.caps = [
            [each.sides[i].caps(own) for each, own in zip(watched, self.able, strict=True)]
            for i in range(len(self.sides))
        ]
        self.binds = [np.array([len(caps) > 0 for caps in own]) for own in self.caps]
        self._codes: dict[tuple[int, int], np.ndarray] = {}

    def n_cells(self, n_corners: int, hits: np.ndarray) -> int:
        """How many numbers are held for a grid of some attributes."""
        return n_corners * sum(
            len(side.rows) * sum(1 + len(own[h]) for h in hits.tolist() if own[h])
            for side, own in zip(self.sides, self.caps, strict=True)
        )

    def of(self, jobs: Jobs) -> JobBounds:
        """The bounds of some pairs of attributes and columns hit."""
        return JobBounds(self, jobs)

    def cells(self, rows: np.ndarray, attributes: Sequence[int]) -> np.ndarray:
        """The cell of a grid that every row of batches is in, and of which batch it is."""
        found = np.zeros(rows.size, dtype=np.int64)
        for j in attributes:
            key = id(rows), j
            if key not in self._codes:
                self._codes[key] = self.trees[j].codes[rows].ravel()
            found *= self.trees[j].n_levels + 1
            found += self._codes[key]
        found *= len(rows)
        found += np.repeat(np.arange(len(rows)), rows.shape[1])
        return found


class JobBounds:
    """The bounds of some pairs of attributes and columns hit.

    Parameters
    ----------
    bounds : BatchBounds
        What checks say.
    jobs : Jobs
        The pairs.
    """

    def __init__(self, bounds: BatchBounds, jobs: Jobs) -> None:
        self.bounds, self.jobs = bounds, jobs
        shapes = [
            tuple(bounds.trees[j].n_levels + 1 for j in attributes)
            for attributes in jobs.attributes
        ]
        strides = [np.cumprod([1, *shape[:0:-1]])[::-1] for shape in shapes]
        self.strides = np.array(strides)[jobs.combination]
        self._shapes = shapes
        self._cells: dict[tuple[int, int], np.ndarray] = {}
        self._tables = [self._of(side) for side in range(len(bounds.sides))]

    def _of(self, place: int) -> list[_Table]:
        """Rows of batches that are matched, and those that are not marked, by kind of mark."""
        caps, hits = self.bounds.caps[place], self.jobs.hit
        rows = self.bounds.sides[place].rows
        able = {h: self.bounds.able[h] for h in np.unique(hits).tolist() if caps[h]}
        tables = [self._table(rows, able)] if able else []
        for k in range(max((len(caps[h]) for h in able), default=0)):
            others = {h: caps[h][k][1] for h in able if len(caps[h]) > k}
            tables.append(self._table(rows, {h: w for h, w in others.items() if w.any()}))
        return tables

    def _table(self, rows: np.ndarray, weights: Mapping[int, np.ndarray]) -> _Table:
        """Sums of weights of rows of batches below every corner of grids, by columns hit."""
        names = {h: each.tobytes() for h, each in weights.items()}
        some = {names[h]: each[rows].ravel() for h, each in weights.items()}
        places = {name: np.flatnonzero(each) for name, each in some.items()}
        n = len(rows)
        start = np.zeros(len(self.jobs.hit), dtype=np.int64)
        # where there are no weights, all corners are the same one
        blocks: list[np.ndarray] = [np.zeros((1, n), dtype=np.int32)]
        total = 1
        known = np.zeros(len(start), dtype=bool)
        for c, (attributes, shape) in enumerate(
            zip(self.jobs.attributes, self._shapes, strict=True)
        ):
            key = id(rows), c
            if key not in self._cells:
                self._cells[key] = self.bounds.cells(rows, attributes)
            size, done = math.prod(shape), {}
            for job in np.flatnonzero(self.jobs.combination == c).tolist():
                name = names.get(int(self.jobs.hit[job]))
                if name is None:
                    continue
                if name not in done:
                    at, own = self._cells[key][places[name]], some[name][places[name]]
                    sums = np.bincount(at, None if own.dtype == bool else own, size * n)
                    sums = below_corners(sums.reshape(*shape, n), range(len(shape)))
                    blocks.append(sums.reshape(-1, n).astype(np.int32))
                    done[name] = total
                    total += size
                start[job], known[job] = done[name], True
        return _Table(np.concatenate(blocks), start, np.where(known[:, None], self.strides, 0))

    def rates(self, job: np.ndarray, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
        """Rates from which on a check notices all patterns between two boxes.

        Parameters
        ----------
        job : ndarray of int, shape (n,)
            Pairs of attributes and columns hit.
        inner, outer : ndarray of int, shape (n, n_attributes, 2)
            First levels of what all of the patterns match, and those after the last ones; the same
            of what some of them match.

        Returns
        -------
        ndarray of shape (n,)
            Infinite where that is not known, 0 where a check always does.
        """
        found = np.full(len(job), np.inf)
        for place, binds in enumerate(self.bounds.binds):
            some = np.flatnonzero(binds[self.jobs.hit[job]])
            for own in np.array_split(some, -(-len(some) // MOST_AT_ONCE) or 1):
                if len(own):
                    most = self._first(place, job[own], inner[own], outer[own])
                    found[own] = np.minimum(found[own], most)
        return found

    def _first(
        self, place: int, job: np.ndarray, inner: np.ndarray, outer: np.ndarray
    ) -> np.ndarray:
        """The rates at which there is one alarm too many."""
        side, (able, *others) = self.bounds.sides[place], self._tables[place]
        if side.most >= len(side.rows):
            return np.full(len(job), np.inf)
        matched = able.totals(job, inner)
        first = np.full(matched.shape, np.inf)
        hits, which = np.unique(self.jobs.hit[job], return_inverse=True)
        for k, table in enumerate(others):
            own = [self.bounds.caps[place][h] for h in hits.tolist()]
            none = np.full(len(side.rows), np.inf)
            caps = np.array([each[k][0] if len(each) > k else none for each in own])[which]
            with np.errstate(divide="ignore"):
                np.minimum(first, (caps + table.totals(job, outer) + 0.5) / matched, out=first)
        # where there is an alarm without any error
        np.maximum(first, 0.0, out=first)
        found: np.ndarray = np.partition(first, side.most, axis=1)[:, side.most]
        return found


@dataclass(frozen=True, eq=False)
class _Table:
    """Sums over rows of batches below corners of grids.

    Attributes
    ----------
    flat : ndarray of shape (n_corners, n_batches)
        Of all grids, one after the other.
    start : ndarray of int, shape (n_jobs,)
        Where the one of each pair of attributes and columns hit begins.
    strides : ndarray of int, shape (n_jobs, n_attributes)
        Steps from a level of an attribute to the next.
    """

    flat: np.ndarray
    start: np.ndarray
    strides: np.ndarray

    def totals(self, job: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Sums over the rows in boxes, shape (n, n_batches)."""
        found = np.zeros((len(job), self.flat.shape[1]), dtype=np.int32)
        for at, sign in corners(self.strides[job], ends):
            (np.add if sign > 0 else np.subtract)(found, self.flat[self.start[job] + at], out=found)
        return found
