"""Weighted trees on groups, with missing as a value of its own: a proxy of forests and boosting."""

from __future__ import annotations

from typing import Self

import numpy as np

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._batch_trees import BatchTrees, Changes, Leaves
from ._proxy import Proxy
from ._proxy_groups import Groups
from ._proxy_score import ProxyScore, areas_of_leaves
from ._struck_groups import StruckGroups
from ._tree_paths import Layout, Paths

SMALLEST = 1e-12
TREES = ("Tree", "Forest", "Boosting", "XGB", "LGBM", "CatBoost", "Bagging")
# a tree costs as much as so many linear models
TREE_COST = 12


class TreeProxy(Proxy):
    """A tree for every candidate, of a whole batch at once.

    Parameters
    ----------
    groups : Groups
        The data.
    """

    automatic = prefiltered = rugged = True

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.layout = Layout(groups)
        self._paths: dict[int, Paths] = {}

    @classmethod
    def of(cls, estimator: Estimator, table: Table, groups: Groups, seed: int) -> Self:
        """A tree of its own depth, whatever the pipeline's."""
        return cls(groups)

    @classmethod
    def suits(cls, model: str) -> bool:
        """Trees, forests and boosting."""
        return any(part in model for part in TREES)

    @classmethod
    def simulates(cls, kind: str) -> bool:
        """All but changed values, of which it knows that they are others, but not which."""
        return kind != "values"

    def cost(self, kind: str, fast: bool) -> float:
        """The same for every error."""
        return TREE_COST

    def scores(
        self, fold: int, struck: StruckGroups, score: ProxyScore, *, polish: bool
    ) -> tuple[np.ndarray, float]:
        """Scores of a batch of candidates."""
        tested = score.tested(fold)
        if tested is None:
            return score.exact(fold, self.predict(fold, struck)), 0.0
        leaves = self.grow(fold, struck)
        distinct, place = np.unique(leaves.path, return_inverse=True)
        members = [self._paths[fold].members_of(path) for path in distinct.tolist()]
        rows, owner = np.concatenate(members), np.repeat(np.arange(len(members)), _sizes(members))
        weights = [np.bincount(owner, each[rows], len(members))[place] for each in tested]
        return areas_of_leaves(leaves.tree, self._values(leaves.sums), *weights), 0.0

    def predict(self, fold: int, struck: StruckGroups) -> np.ndarray:
        """Predictions for every group under every candidate of a batch.

        Returns
        -------
        ndarray of shape (n_batch, n_groups) or (n_batch, n_groups, n_classes)
            Probability of the second of two classes, of every class, or the label.
        """
        leaves = self.grow(fold, struck)
        paths = self._paths[fold]
        values = self._values(leaves.sums)
        members = [paths.members_of(path) for path in leaves.path.tolist()]
        sizes = _sizes(members)
        place = np.repeat(leaves.tree, sizes) * self.groups.n_groups + np.concatenate(members)
        n = len(struck.share)
        predicted = np.empty((n * self.groups.n_groups, *values.shape[1:]))
        predicted[place] = np.repeat(values, sizes, axis=0)
        return predicted.reshape(n, self.groups.n_groups, *values.shape[1:])

    def grow(self, fold: int, struck: StruckGroups) -> Leaves:
        """The leaves of the tree of every candidate."""
        if fold not in self._paths or self._paths[fold].is_full:
            self._paths[fold] = Paths(self.layout, self._sums(fold, self.groups.y))
        paths, groups = self._paths[fold], self.groups
        struck_at = np.nonzero(struck.share * (groups.trains[fold] > 0))
        tree, group = struck_at
        row = group
        share = struck.share[struck_at].astype(float)
        own = paths.sums[:, group] * share
        codes = self.layout.codes
        can_lack = {j for j, feature in enumerate(groups.features) if feature.missing.any()}
        if struck.kind == "selection":
            amount = -own
        elif struck.kind == "duplicates":
            amount = own
        elif struck.kind == "labels":
            amount = self._sums(fold, struck.flipped)[:, group] * share - own
        else:
            lost = codes.copy()
            for j in struck.columns:
                lost[:, j] = self.layout.n_levels[j]
            codes = np.concatenate([codes, lost])
            can_lack |= set(struck.columns)
            tree, row = np.tile(tree, 2), np.concatenate([group, group + groups.n_groups])
            amount = np.concatenate([-own, own], axis=1)
        trees = BatchTrees(
            paths, codes, np.array(sorted(can_lack), dtype=int), regression=not groups.n_classes
        )
        which, at = np.nonzero(amount)
        changes = Changes(tree[at], row[at], which, amount[which, at])
        return trees.grow(changes, len(struck.share))

    def _sums(self, fold: int, y: np.ndarray) -> np.ndarray:
        """Weights of every class, or weight and weighted label."""
        weights = self.groups.trains[fold].astype(float)
        if not self.groups.n_classes:
            return np.stack([weights, weights * y])
        return weights * (np.arange(self.groups.n_classes)[:, None] == np.rint(y))

    def _values(self, sums: np.ndarray) -> np.ndarray:
        if not self.groups.n_classes:
            return sums[:, 1] / sums[:, 0]
        proba = sums / np.maximum(sums.sum(axis=1), SMALLEST)[:, None]
        return proba[:, 1] if self.groups.n_classes == 2 else proba


def _sizes(parts: list[np.ndarray]) -> list[int]:
    return [len(part) for part in parts]
