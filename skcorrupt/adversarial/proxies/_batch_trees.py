"""Trees of a batch of candidates, grown level by level over sums of levels."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ._tree_paths import Paths, Splits

DEPTH = 6
# what is left of a leaf's weight would be noise below
LEAF_SHARE = 1e-3
# nodes whose sums fit the caches
NODES = 128
# gains that differ by no more of the best are equal: the first feature is taken
EQUAL = 1e-9


@dataclass
class Changes:
    """What candidates change in the sums of nodes.

    Attributes
    ----------
    node : ndarray of int, shape (n_changes,)
        Which candidate's, and which node's as trees grow.
    row : ndarray of int, shape (n_changes,)
        Row of the levels.
    which : ndarray of int, shape (n_changes,)
        Which of the sums.
    amount : ndarray of shape (n_changes,)
        What is added.
    """

    node: np.ndarray
    row: np.ndarray
    which: np.ndarray
    amount: np.ndarray

    def at(self, chosen: np.ndarray, node: np.ndarray) -> Changes:
        """Some of them, in other nodes."""
        return Changes(node, self.row[chosen], self.which[chosen], self.amount[chosen])


@dataclass
class Changed:
    """Sums of changes.

    Attributes
    ----------
    nodes : ndarray of int, shape (n_changed,)
        Nodes in which something is changed.
    sums : ndarray of shape (n_changed, n_sums, n_slots)
        What is added to the sums of each, by level.
    """

    nodes: np.ndarray
    sums: np.ndarray


@dataclass
class Leaves:
    """Leaves of all trees.

    Attributes
    ----------
    tree : ndarray of int, shape (n_leaves,)
        Which tree's.
    path : ndarray of int, shape (n_leaves,)
        The splits that lead there.
    sums : ndarray of shape (n_leaves, n_sums)
        What is there.
    """

    tree: np.ndarray
    path: np.ndarray
    sums: np.ndarray


class BatchTrees:
    """Trees of one batch.

    Parameters
    ----------
    paths : Paths
        What clean rows are in every node.
    codes : ndarray of int, shape (n_rows, n_features)
        Levels of the rows that changes name.
    can_lack : ndarray of int
        Features in which values can be missing.
    regression : bool
        Whether labels are numbers; sums are weight and weighted label, not weights of classes.
    """

    def __init__(
        self, paths: Paths, codes: np.ndarray, can_lack: np.ndarray, *, regression: bool
    ) -> None:
        self.paths, self.layout, self.codes = paths, paths.layout, codes
        self.slots = codes + self.layout.starts
        self.regression = regression
        layout = self.layout
        self.lacking = np.flatnonzero(np.isin(layout.feature_of, can_lack))
        self.lost_slots = (layout.starts + layout.n_levels)[layout.feature_of[self.lacking]]
        self.before = layout.feature_of.astype(float)

    def grow(self, changes: Changes, n_trees: int) -> Leaves:
        """Grow all trees.

        Parameters
        ----------
        changes : Changes
            What candidates change.
        n_trees : int
            How many there are.

        Returns
        -------
        Leaves
            Of all of them, tree by tree.
        """
        clean = self.paths.sums.sum(axis=1)
        n_sums = len(clean)
        added = np.bincount(changes.node * n_sums + changes.which, changes.amount, n_trees * n_sums)
        totals = clean + added.reshape(n_trees, n_sums)
        weight = self._weight(totals)
        # a common value for those that differ by rounding, so that nodes can be shared
        least = np.array([float(f"{LEAF_SHARE * each:.6g}") for each in weight.tolist()])
        tree, path = np.arange(n_trees), np.zeros(n_trees, dtype=int)
        nodes = np.unique(changes.node)
        changed = Changed(nodes, self._sums(changes, nodes))
        done: list[Leaves] = []
        for depth in range(DEPTH):
            splits = self._splits(path, totals, least[tree], changed)
            ended = splits.feature < 0
            done.append(Leaves(tree[ended], path[ended], totals[ended]))
            going = np.flatnonzero(~ended)
            if not len(going):
                break
            last = depth == DEPTH - 1
            splits, tree, path = splits.at(going), tree[going], path[going]
            if not last:
                place = np.full(len(ended), -1)
                place[going] = np.arange(len(going))
                changes = self._moved(changes, place, splits)
                changed = self._divided(changed, changes, place)
            right = totals[going] - splits.left
            totals = np.stack([splits.left, right], axis=1).reshape(-1, totals.shape[1])
            tree, path = np.repeat(tree, 2), self.paths.children(path, splits, last=last)
        else:
            done.append(Leaves(tree, path, totals))
        tree = np.concatenate([each.tree for each in done])
        order = np.argsort(tree, kind="stable")
        return Leaves(
            tree[order],
            np.concatenate([each.path for each in done])[order],
            np.concatenate([each.sums for each in done])[order],
        )

    def _weight(self, sums: np.ndarray) -> np.ndarray:
        return sums[:, 0] if self.regression else sums.sum(axis=1)

    def _moved(self, changes: Changes, place: np.ndarray, splits: Splits) -> Changes:
        """Changes in the nodes of the next level."""
        node = place[changes.node]
        if node.min(initial=0) < 0:
            kept = np.flatnonzero(node >= 0)
            changes, node = changes.at(kept, node[kept]), node[kept]
        levels = self.codes[changes.row, splits.feature[node]]
        left = self.layout.goes_left(levels, splits, node)
        return dataclasses.replace(changes, node=2 * node + ~left)

    def _divided(self, changed: Changed, changes: Changes, place: np.ndarray) -> Changed:
        """Sums of changes in the next level, added up where they are fewer of two nodes."""
        parents = place[changed.nodes]
        from_sums = np.flatnonzero(parents >= 0)
        parents = parents[from_sums]
        counts = np.bincount(changes.node, minlength=2 * (place.max() + 1)).reshape(-1, 2)[parents]
        fewer = (counts[:, 0] > counts[:, 1]).astype(int)
        both = np.flatnonzero(counts.min(axis=1) > 0)
        small = 2 * parents[both] + fewer[both]
        sums = changed.sums[from_sums]
        small_sums = self._sums(changes, small)
        sums[both] -= small_sums
        nodes = np.concatenate([2 * parents + 1 - fewer, small])
        return Changed(nodes, np.concatenate([sums, small_sums]))

    def _splits(
        self, path: np.ndarray, totals: np.ndarray, least: np.ndarray, changed: Changed
    ) -> Splits:
        """The best splits of all nodes, those known of clean rows where nothing is changed."""
        paths = self.paths
        is_clean = np.ones(len(path), dtype=bool)
        is_clean[changed.nodes] = False
        # not as the rounding of the trees that lead there has it
        totals[is_clean] = paths.totals(path[is_clean])
        unknown = np.flatnonzero(is_clean & (paths.split_for[path] != least))
        splits = paths.splits.at(path)
        if len(unknown):
            # trees of one batch may ask for different weights of leaves
            asked, which = np.unique(least[unknown], return_inverse=True)
            keys = path[unknown] * len(asked) + which
            _, first, place = np.unique(keys, return_index=True, return_inverse=True)
            one = unknown[first]
            found = self._best(paths.held[path[one]], totals[one], least[one])
            for known, part, new in zip(paths.splits, splits, found, strict=True):
                known[path[one]] = new
                part[unknown] = new[place]
            paths.split_for[path[one]] = least[one]
        for a in range(0, len(changed.nodes), NODES):
            some = changed.nodes[a : a + NODES]
            held = paths.held[path[some]] + changed.sums[a : a + NODES]
            found = self._best(held, totals[some], least[some])
            for part, new in zip(splits, found, strict=True):
                part[some] = new
        return splits

    def _sums(self, changes: Changes, nodes: np.ndarray) -> np.ndarray:
        """What is added to the sums of some nodes."""
        place = np.full(max(changes.node.max(initial=0), nodes.max(initial=0)) + 1, -1)
        place[nodes] = np.arange(len(nodes))
        node = place[changes.node]
        some = np.flatnonzero(node >= 0)
        n_sums, n_slots = len(self.paths.sums), self.layout.n_slots
        slots = self.slots[changes.row[some]]
        slots += ((node[some] * n_sums + changes.which[some]) * n_slots)[:, None]
        amounts = np.repeat(changes.amount[some], slots.shape[1])
        size = len(nodes) * n_sums * n_slots
        return np.bincount(slots.ravel(), amounts, size).reshape(-1, n_sums, n_slots)

    def _best(self, held: np.ndarray, totals: np.ndarray, least: np.ndarray) -> Splits:
        parts = [
            self._best_of(held[a : a + NODES], totals[a : a + NODES], least[a : a + NODES])
            for a in range(0, len(held), NODES)
        ]
        return Splits(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def _best_of(self, held: np.ndarray, totals: np.ndarray, least: np.ndarray) -> Splits:
        """The splits of highest gain, of the first feature where several gain alike."""
        # below a level is what is up to it, and all of each feature before
        below = np.cumsum(held, axis=2)
        below -= totals[:, :, None] * self.before
        gains = self._gains(below, totals, least)
        lost = None
        if len(self.lacking):
            lost = below[:, :, self.lacking] + held[:, :, self.lost_slots]
            gains = np.concatenate([gains, self._gains(lost, totals, least)], axis=1)
        best = gains.max(axis=1)
        equal = best - EQUAL * np.where(np.isfinite(best), abs(best), 0.0)
        chosen = (gains >= equal[:, None]).argmax(axis=1)
        nodes, n_slots = np.arange(len(held)), self.layout.n_slots
        lost_left = chosen >= n_slots
        slot = chosen
        if lost is not None:
            slot = np.where(
                lost_left, self.lacking[np.where(lost_left, chosen - n_slots, 0)], chosen
            )
        left = below[nodes, :, slot]
        if lost is not None:
            left[lost_left] = lost[nodes[lost_left], :, chosen[lost_left] - n_slots]
        feature = self.layout.feature_of[slot]
        cut = self._between(held, feature, slot - self.layout.starts[feature])
        absent = self._weight(held[nodes, :, (self.layout.starts + self.layout.n_levels)[feature]])
        # where nothing is missing, what will be goes with most
        heavy = 2 * self._weight(left) > self._weight(totals)
        lost_left = np.where(absent <= EQUAL * self._weight(totals), heavy, lost_left)
        return Splits(np.where(np.isfinite(best), feature, -1), cut, lost_left, left)

    def _between(self, held: np.ndarray, feature: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """Cuts in the middle between the levels that there are."""
        layout = self.layout
        levels = np.arange(layout.n_levels.max())
        inside = levels < layout.n_levels[feature][:, None]
        slots = np.where(inside, layout.starts[feature][:, None] + levels, 0)
        weights = held[:, :1] if self.regression else held
        there = np.take_along_axis(weights, slots[:, None, :], axis=2).sum(axis=1) > 1e-6
        there &= inside
        lower = np.where(there & (levels <= cut[:, None]), levels, -1).max(axis=1)
        upper = np.where(there & (levels > cut[:, None]), levels, len(levels) + 1).min(axis=1)
        middle = np.where(lower < 0, -1, (lower + upper) // 2)
        return np.where(upper > len(levels), layout.n_levels[feature] - 1, middle)

    def _gains(self, below: np.ndarray, totals: np.ndarray, least: np.ndarray) -> np.ndarray:
        """Less what is left of impurity, by cut; minus infinity where a leaf would be too small."""
        left, left_gain = self._side(below, least)
        right, right_gain = self._side(totals[:, :, None] - below, least)
        return np.where(left & right, left_gain + right_gain, -np.inf)

    def _side(self, sums: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which sides are large enough, and their parts of the gain."""
        if self.regression:
            weight, squares = sums[:, 0], sums[:, 1] ** 2
        else:
            weight, squares = sums.sum(axis=1), (sums * sums).sum(axis=1)
        return weight >= least[:, None], squares / np.where(weight > 0, weight, 1.0)
