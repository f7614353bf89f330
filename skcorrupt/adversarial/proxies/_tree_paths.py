"""What splits make of clean rows: trees of many candidates share most of their nodes."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from ._proxy_groups import Groups

# sums of what paths hold, in bytes
MOST_BYTES = 1e8
# shares of all weight that are rounding
ROUNDING = 1e-10
FIRST = 1024


class Splits(NamedTuple):
    """How nodes are divided.

    Attributes
    ----------
    feature : ndarray of int, shape (n_nodes,)
        What they are divided by, −1 where they are not.
    cut : ndarray of int, shape (n_nodes,)
        Levels up to this one go left.
    lost_left : ndarray of bool, shape (n_nodes,)
        Whether missing values go left.
    left : ndarray of shape (n_nodes, n_sums)
        Sums of what goes left.
    """

    feature: np.ndarray
    cut: np.ndarray
    lost_left: np.ndarray
    left: np.ndarray

    def at(self, chosen: np.ndarray) -> Splits:
        """Those of some nodes."""
        return Splits(*(part[chosen] for part in self))


class Layout:
    """Levels of all features side by side, the missing one of each last.

    Parameters
    ----------
    groups : Groups
        The data.
    """

    def __init__(self, groups: Groups) -> None:
        self.codes = np.column_stack([feature.levels for feature in groups.features])
        self.n_levels = np.array([len(feature.values) for feature in groups.features])
        self.starts = np.concatenate([[0], np.cumsum(self.n_levels + 1)[:-1]])
        self.n_slots = int((self.n_levels + 1).sum())
        self.feature_of = np.repeat(np.arange(len(self.n_levels)), self.n_levels + 1)
        self.slots = self.codes + self.starts

    def goes_left(self, levels: np.ndarray, splits: Splits, node: np.ndarray) -> np.ndarray:
        """Whether rows with these levels of the features they are divided by go left."""
        left = levels <= splits.cut[node]
        if splits.lost_left.any():
            left |= splits.lost_left[node] & (levels == self.n_levels[splits.feature[node]])
        return left


class Paths:
    """Nodes of trees by the splits that lead to them, with clean rows in sums of levels.

    Parameters
    ----------
    layout : Layout
        Levels of the features.
    sums : ndarray of shape (n_sums, n_groups)
        What is added up: weight by class, or weight and weighted label.
    """

    def __init__(self, layout: Layout, sums: np.ndarray) -> None:
        self.layout, self.sums = layout, sums
        self.trained = (sums != 0).any(axis=0)
        self.smallest = ROUNDING * abs(sums).sum(axis=1)[:, None]
        everyone = np.arange(sums.shape[1])
        self.members = [everyone]
        # of those at the largest depth, whose numbers are negative
        self.last_members: list[np.ndarray] = []
        self.known: dict[int, int] = {}
        self.held = np.zeros((FIRST, len(sums), layout.n_slots))
        self.held[0] = self._held(everyone[self.trained], None, 1)[0]
        self.splits = Splits(
            np.full(FIRST, -1),
            np.zeros(FIRST, int),
            np.zeros(FIRST, bool),
            np.zeros((FIRST, len(sums))),
        )
        # the smallest weight of a leaf for which a split is the best
        self.split_for = np.full(FIRST, np.nan)

    @property
    def is_full(self) -> bool:
        """Whether to begin again, rather than to hold more."""
        return self.held.nbytes > MOST_BYTES

    def members_of(self, path: int) -> np.ndarray:
        """Groups in a node, of training and test rows."""
        return self.members[path] if path >= 0 else self.last_members[-1 - path]

    def totals(self, path: np.ndarray) -> np.ndarray:
        """Sums of all that clean rows have in nodes, of shape (n_nodes, n_sums)."""
        # every row has one level of the first feature
        return self.held[path, :, : self.layout.n_levels[0] + 1].sum(axis=2)

    def children(self, path: np.ndarray, splits: Splits, *, last: bool) -> np.ndarray:
        """What nodes are divided into.

        Parameters
        ----------
        path : ndarray of int, shape (n_nodes,)
            Their paths.
        splits : Splits
            How they are divided.
        last : bool
            Whether children are leaves, of which no sums are needed.

        Returns
        -------
        ndarray of int, shape (2 * n_nodes,)
            Paths, the left and the right one of each.
        """
        width = len(self.layout.n_levels)
        keys = (path * width + splits.feature) * (self.layout.n_slots + 1) + splits.cut + 1
        keys = 2 * keys + splits.lost_left
        distinct, first, place = np.unique(keys, return_index=True, return_inverse=True)
        found = np.array([self.known.get(key, 0) for key in distinct.tolist()])
        new = np.flatnonzero(found == 0)
        if len(new):
            start = -1 - len(self.last_members) if last else len(self.members)
            step = -1 if last else 1
            found[new] = start + 2 * step * np.arange(len(new))
            self.known.update(zip(distinct[new].tolist(), found[new].tolist(), strict=True))
            self._divide(path[first[new]], splits.at(first[new]), last=last)
        left = found[place]
        return np.stack([left, left + (-1 if last else 1)], axis=1).ravel()

    def _divide(self, parents: np.ndarray, splits: Splits, *, last: bool) -> None:
        parts = [self.members[p] for p in parents.tolist()]
        rows = np.concatenate(parts)
        owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        left = self.layout.goes_left(self.layout.codes[rows, splits.feature[owner]], splits, owner)
        sides = []
        for side in (left, ~left):
            taken = rows[side]
            ends = np.cumsum(np.bincount(owner[side], minlength=len(parts))).tolist()
            sides.append([taken[a:b] for a, b in itertools.pairwise([0, *ends])])
        start = len(self.members)
        into = self.last_members if last else self.members
        for pair in zip(*sides, strict=True):
            into.extend(pair)
        if last:
            return
        self._reserve()
        counted = self.trained[rows]
        rows, owner, left = rows[counted], owner[counted], left[counted]
        n_left = np.bincount(owner[left], minlength=len(parts))
        fewer = n_left * 2 <= np.bincount(owner, minlength=len(parts))
        some = left == fewer[owner]
        small = self._held(rows[some], owner[some], len(parts))
        large = self.held[parents] - small
        large[abs(large) < self.smallest] = 0
        at = start + 2 * np.arange(len(parts))
        self.held[at + ~fewer] = small
        self.held[at + fewer] = large

    def _held(self, rows: np.ndarray, owner: np.ndarray | None, n: int) -> np.ndarray:
        layout = self.layout
        at = layout.slots[rows]
        if owner is not None:
            at = at + owner[:, None] * layout.n_slots
        flat, width = at.ravel(), at.shape[1]
        return (
            np.stack(
                [
                    np.bincount(flat, np.repeat(each[rows], width), n * layout.n_slots)
                    for each in self.sums
                ],
                axis=0,
            )
            .reshape(len(self.sums), n, layout.n_slots)
            .transpose(1, 0, 2)
        )

    def _reserve(self) -> None:
        size = len(self.split_for)
        if len(self.members) <= size:
            return
        more = max(len(self.members), 2 * size) - size

        def longer(part: np.ndarray) -> np.ndarray:
            return np.concatenate([part, np.zeros((more, *part.shape[1:]), part.dtype)])

        self.held = longer(self.held)
        self.splits = Splits(*map(longer, self.splits))
        self.split_for = np.concatenate([self.split_for, np.full(more, np.nan)])
