"""Weighted trees on groups, with missing as a value of its own: a proxy of forests and boosting."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._proxy import Proxy
from ._proxy_groups import Groups
from ._proxy_score import ProxyScore
from ._struck_groups import StruckGroups

DEPTH = 6
# what is left of a leaf's weight would be noise below
LEAF_SHARE = 1e-3
SMALLEST = 1e-9
TREES = ("Tree", "Forest", "Boosting", "XGB", "LGBM", "CatBoost", "Bagging")
# a tree costs as much as so many linear models
TREE_COST = 40


class TreeProxy(Proxy):
    """A tree for every candidate.

    Parameters
    ----------
    groups : Groups
        The data.
    seed : int
        Seed of the order in which columns of equal gain are taken.
    """

    automatic = prefiltered = True

    def __init__(self, groups: Groups, seed: int) -> None:
        self.groups = groups
        self.seed = seed
        columns = []
        for feature in groups.features:
            values = feature.levels.astype(np.float32)
            values[feature.missing] = np.nan
            columns.append(values)
        self.X = np.column_stack(columns)
        self.y = groups.y

    @classmethod
    def of(cls, estimator: Estimator, table: Table, groups: Groups, seed: int) -> Self:
        """A tree of its own depth, whatever the pipeline's."""
        return cls(groups, seed % 2**31)

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
        return score.exact(fold, self.predict(fold, struck)), 0.0

    def predict(self, fold: int, struck: StruckGroups) -> np.ndarray:
        """Predictions for every group under every candidate of a batch.

        Returns
        -------
        ndarray of shape (n_batch, n_groups) or (n_batch, n_groups, n_classes)
            Probability of the second of two classes, of every class, or the label.
        """
        return np.stack([self._one(fold, struck, share) for share in struck.share])

    def _one(self, fold: int, struck: StruckGroups, share: np.ndarray) -> np.ndarray:
        X, y, weights = self._training(fold, struck, share)
        kept = weights > SMALLEST
        X, y, weights = X[kept], y[kept], weights[kept]
        params = {
            "max_depth": DEPTH,
            "min_weight_fraction_leaf": LEAF_SHARE,
            "random_state": self.seed,
        }
        if not self.groups.n_classes:
            tree = DecisionTreeRegressor(**params).fit(X, y, sample_weight=weights)
            return tree.predict(self.X)
        tree = DecisionTreeClassifier(**params).fit(X, y, sample_weight=weights)
        proba = np.zeros((len(self.X), self.groups.n_classes))
        proba[:, tree.classes_.astype(int)] = tree.predict_proba(self.X)
        return proba[:, 1] if self.groups.n_classes == 2 else proba

    def _training(self, fold: int, struck: StruckGroups, share: np.ndarray) -> tuple[Any, ...]:
        weights = self.groups.trains[fold].astype(float)
        if struck.kind == "selection":
            return self.X, self.y, weights * (1 - share)
        if struck.kind == "duplicates":
            return self.X, self.y, weights * (1 + share)
        hit = np.flatnonzero(share)
        X, y = self.X[hit], self.y[hit]
        if struck.kind == "labels":
            y = struck.flipped[hit].astype(self.y.dtype)
        else:
            X[:, list(struck.columns)] = np.nan
        return (
            np.concatenate([self.X, X]),
            np.concatenate([self.y, y]),
            np.concatenate([weights * (1 - share), weights[hit] * share[hit]]),
        )
