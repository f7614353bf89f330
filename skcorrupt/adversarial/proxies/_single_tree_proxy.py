"""The pipeline's own decision tree on groups, with imputed cells where it sees them."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._imputation import Fill, fills_of
from ._model_of import model_of
from ._proxy import Proxy
from ._proxy_groups import Groups
from ._proxy_score import ProxyScore
from ._struck_groups import StruckGroups
from ._tree_rows import TreeCopy, TreeRows

SINGLE = (
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
)
# a tree costs as much as so many steps of a linear model
COST = 40
SMALLEST = 1e-9
# groups a training row from which on a tree takes about as long on these as on the rows
AS_MANY = 0.5


class SingleTreeProxy(Proxy):
    """A tree like the pipeline's for every candidate.

    Parameters
    ----------
    groups : Groups
        The data.
    fills : list of Fill
        What is imputed in every column.
    model : estimator
        An unfitted tree; what it says in numbers of rows is of rows of the pipeline.
    """

    automatic = prefiltered = rugged = True

    def __init__(self, groups: Groups, fills: list[Fill], model: Any) -> None:
        self.groups, self.rows = groups, TreeRows(groups, fills)
        self.model = _by_weight(model, groups)
        # a tree takes single precision as it is, of whatever it is given
        self.X = np.ascontiguousarray(self.rows.X, dtype=np.float32)

    @classmethod
    def of(cls, estimator: Estimator, table: Table, groups: Groups, seed: int) -> Self:
        """Of the pipeline's own depth and leaves, and as scikit-learn has it of other models."""
        model: Any = model_of(estimator)
        if type(model).__name__ not in SINGLE:
            model = DecisionTreeClassifier() if groups.n_classes else DecisionTreeRegressor()
        if not isinstance(model.random_state, Integral):
            model = clone(model).set_params(random_state=seed % 2**31)
        return cls(groups, fills_of(estimator, table), model)

    @classmethod
    def suits(cls, model: str) -> bool:
        """Single trees."""
        return model in SINGLE

    @classmethod
    def is_compared(cls, model: str) -> bool:
        """Only where the pipeline has such a tree: it is like nothing else."""
        return cls.suits(model)

    @classmethod
    def saves(cls, groups: Groups) -> bool:
        """Where rows are alike, or a sample of them is enough."""
        return groups.n_groups < AS_MANY * _n_rows(groups)

    def cost(self, kind: str, fast: bool) -> float:
        """More where an error makes several copies of a row."""
        return COST * (3 if kind == "values" else 1)

    def scores(
        self, fold: int, struck: StruckGroups, score: ProxyScore, *, polish: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Scores of a batch of candidates."""
        return score.exact(fold, self.predict(fold, struck)), np.zeros(len(struck.share))

    def predict(self, fold: int, struck: StruckGroups) -> np.ndarray:
        """Predictions for every group under every candidate of a batch.

        Returns
        -------
        ndarray of shape (n_batch, n_groups) or (n_batch, n_groups, n_classes)
            Probability of the second of two classes, of every class, or the label.
        """
        kept, copies = self.rows.struck(fold, struck)
        return np.stack([self._one(kept, copies, i) for i in range(len(kept))])

    def _one(self, kept: np.ndarray, copies: list[TreeCopy], i: int) -> np.ndarray:
        X, y, weights = [self.X], [self.groups.y.astype(float)], [kept[i]]
        for copy in copies:
            at = np.flatnonzero(copy.weights[i] > SMALLEST)
            struck = self.X[at]
            for j, positions in copy.positions.items():
                struck[:, j] = np.broadcast_to(positions, copy.weights.shape)[i, at]
            X.append(struck)
            y.append(copy.y[at].astype(float))
            weights.append(copy.weights[i, at])
        all_weights = np.concatenate(weights)
        there = all_weights > SMALLEST
        # what lacks no value need not be looked through
        check = any(np.isnan(rows).any() for rows in X)
        tree = self.model.fit(
            np.concatenate(X)[there],
            np.concatenate(y)[there],
            sample_weight=all_weights[there],
            check_input=check,
        )
        if not self.groups.n_classes:
            return tree.predict(self.X, check_input=check)
        proba = np.zeros((self.groups.n_groups, self.groups.n_classes))
        known = tree.predict_proba(self.X, check_input=check)
        proba[:, tree.classes_.astype(int)] = known
        return proba[:, 1] if self.groups.n_classes == 2 else proba


def _n_rows(groups: Groups) -> float:
    """Training rows of a split."""
    return float(groups.trains.sum(axis=1).mean()) / groups.share


def _by_weight(model: Any, groups: Groups) -> Any:
    """A tree whose least leaves are shares of the weight: of groups there are fewer than rows."""
    changes: dict[str, Any] = {}
    least = model.min_samples_leaf
    if isinstance(least, Integral) and int(least) > 1:
        changes = {"min_samples_leaf": 1}
        share = max(int(least) / max(_n_rows(groups), 1.0), model.min_weight_fraction_leaf)
        changes["min_weight_fraction_leaf"] = min(share, 0.5)
    if model.max_features is not None:
        # columns that are one here may be several in the pipeline
        changes["max_features"] = None
    weights = getattr(model, "class_weight", None)
    if isinstance(weights, dict):
        places = {int(np.flatnonzero(groups.classes == k)[0]): w for k, w in weights.items()}
        changes["class_weight"] = places
    return clone(model).set_params(**changes)
