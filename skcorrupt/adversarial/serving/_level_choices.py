"""What conditions on a column there are among some rows: ranges of its levels, and sets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from skcorrupt.metrics._ranks import JointChanges

# levels of a column of which all ranges are looked at, and those inside bins at both ends of one
MOST_LEVELS = 128
# categories of a column of which all sets are looked at
ALL_SETS = 8


class LevelChoices:
    """The levels of a column among rows that may be struck, and its ranges and sets.

    Parameters
    ----------
    codes, masks : list of ndarray of shape (n_part,)
        By part, the levels of its rows, and which of them may be struck.
    everywhere : ndarray of int, shape (n_levels,)
        Rows of the table that may be struck and have a level.
    support : float
        Rows of the table that a range or set has to match.

    Attributes
    ----------
    n_levels : int
        Number of levels.
    is_coarse : bool
        Whether ranges begin and end at some levels alone.
    """

    def __init__(
        self,
        codes: Sequence[np.ndarray],
        masks: Sequence[np.ndarray],
        everywhere: np.ndarray,
        support: float,
    ) -> None:
        self.n_levels = len(everywhere)
        self._codes, self._masks, self._least = codes, masks, support
        self._below = self._before(masks)
        self._everywhere = np.concatenate([[0.0], everywhere.cumsum()])
        # rows that are not scored count where a pattern has to match some number of them
        self._rows = self._below.sum(axis=0) if support <= 0 else self._everywhere
        self._edges = self._edges_of(MOST_LEVELS)
        self.is_coarse = len(self._edges) <= self.n_levels

    def summed(self, harm: Sequence[np.ndarray]) -> np.ndarray:
        """The harm in rows below every level, shape (n_parts, n_levels + 1)."""
        pairs = zip(harm, self._masks, strict=True)
        return self._before([np.where(mask, each, 0.0) for each, mask in pairs])

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """First levels of ranges, and levels behind their last."""
        return self._paired(self._edges, self._edges)

    def matched(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Rows of every part that may be struck and lie in ranges."""
        return self._below[:, b] - self._below[:, a]

    @property
    def rows_of_levels(self) -> np.ndarray:
        """Rows of every part that may be struck, by level."""
        return np.diff(self._below)

    def sets(self, harm: np.ndarray) -> np.ndarray:
        """Sets of levels that are no ranges, the smaller ones first.

        Parameters
        ----------
        harm : ndarray of float, shape (n_levels,)
            What is lost in the rows of every level.

        Returns
        -------
        ndarray of bool, shape (n_sets, n_levels)
            All of few levels; of many each alone, all but one, and those in which rows lose most.
        """
        n = self.n_levels
        if n <= ALL_SETS:
            every = np.arange(1, 2**n - 1)[:, None] >> np.arange(n) & 1
            found = every.astype(bool)
        else:
            each = harm / np.maximum(self.rows_of_levels.sum(axis=0), 1.0)
            order = np.argsort(-each, kind="stable")
            most = np.zeros((n - 1, n), dtype=bool)
            most[:, order] = np.tri(n - 1, n, dtype=bool)
            found = np.concatenate([np.eye(n, dtype=bool), most, ~np.eye(n, dtype=bool)])
        held = found @ np.diff(self._everywhere) >= self._least
        found = found[held & (found @ np.diff(self._everywhere) > 0)]
        return found[np.argsort(found.sum(axis=1), kind="stable")]

    def joint(self, changes: Sequence[JointChanges], edges: np.ndarray) -> np.ndarray:
        """What pairs of rows below levels change together.

        Parameters
        ----------
        changes : sequence of JointChanges
            By part.
        edges : ndarray of int, shape (n_edges,)
            The levels.

        Returns
        -------
        ndarray of float, shape (n_parts, n_edges, n_edges)
            Of rows of the positive class below the first and of others below the second.
        """
        found = np.zeros((len(changes), len(edges), len(edges)))
        for part, (own, codes, mask) in enumerate(
            zip(changes, self._codes, self._masks, strict=True)
        ):
            rows, places = [], []
            for side in (own.positive, own.negative):
                held = np.flatnonzero(mask[side])
                held = held[np.argsort(codes[side[held]], kind="stable")]
                rows.append(held)
                places.append(np.searchsorted(codes[side[held]], edges))
            below = np.zeros((len(rows[0]) + 1, len(rows[1]) + 1))
            some = own.each[np.ix_(*rows)].cumsum(axis=0, dtype=float)
            np.cumsum(some, axis=1, out=below[1:, 1:])
            found[part] = below[np.ix_(*places)]
        return found

    def closer(self, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
        """The same of ranges with both ends inside the bins around those of one of them."""
        return self._paired(self._inside(a), self._inside(b))

    def _before(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        found = np.zeros((len(weights), self.n_levels + 1))
        for k, (codes, each) in enumerate(zip(self._codes, weights, strict=True)):
            found[k, 1:] = np.bincount(codes, each, minlength=self.n_levels + 1)[:-1].cumsum()
        return found

    def _paired(self, firsts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a, b = np.array(np.meshgrid(firsts, ends, indexing="ij")).reshape(2, -1)
        # all levels are no condition
        some = (a < b) & ((a > 0) | (b < self.n_levels))
        some &= self._everywhere[b] - self._everywhere[a] >= self._least
        return a[some], b[some]

    def _edges_of(self, most: int) -> np.ndarray:
        """Levels at which ranges may begin or end, at most about so many, of rows alike."""
        # where no row is between two levels, one of them is enough, but for levels below all rows:
        # a range of all levels is no condition, and one without these is
        rows = self._rows
        held = np.flatnonzero(np.diff(rows))
        distinct = np.union1d([0, self.n_levels, *held[:1]], held + 1).astype(int)
        if len(distinct) <= most:
            return distinct
        wanted = np.linspace(0, rows[-1], most)
        return np.union1d(distinct[[0, -1]], distinct[np.searchsorted(rows[distinct], wanted)])

    def _inside(self, end: int) -> np.ndarray:
        """Levels around one of the edges, to the edges beside it."""
        edges = self._edges
        place = int(np.searchsorted(edges, end))
        first, last = edges[max(0, place - 1)], edges[min(len(edges) - 1, place + 1)]
        levels = np.arange(first, last + 1)
        if len(levels) <= MOST_LEVELS:
            return levels
        return np.union1d(levels[np.linspace(0, len(levels) - 1, MOST_LEVELS).astype(int)], [end])
