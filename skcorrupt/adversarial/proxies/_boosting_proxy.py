"""A few rounds of boosting on groups, with imputed cells where trees see them."""

from __future__ import annotations

from typing import Self

import numpy as np

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._boosted_rounds import Rows, boosted
from ._imputation import Fill, fills_of
from ._proxy import Proxy
from ._proxy_groups import Groups
from ._proxy_score import ProxyScore
from ._sigmoid import sigmoid
from ._struck_groups import StruckGroups
from ._tree_rows import TreeCopy, TreeRows

ENSEMBLES = ("Forest", "Boosting", "XGB", "LGBM", "CatBoost", "Bagging", "ExtraTrees")
# the rounds of a candidate cost as much as so many steps of a linear model
COST = 60
# candidates whose histograms are made together
AT_ONCE = 16


class BoostingProxy(Proxy):
    """Boosted small trees for every candidate.

    Parameters
    ----------
    groups : Groups
        The data.
    fills : list of Fill
        What is imputed in every column.
    """

    automatic = prefiltered = rugged = True
    taken = "two classes, or numbers"

    def __init__(self, groups: Groups, fills: list[Fill]) -> None:
        self.groups = groups
        self.rows = TreeRows(groups, fills)
        # a bin for what is missing, one for every level and one before, between and behind them
        self.sizes = [2 * len(feature.values) + 2 for feature in groups.features]
        self.codes = [_bins(positions) for positions in self.rows.X.T]

    @classmethod
    def of(cls, estimator: Estimator, table: Table, groups: Groups, seed: int) -> Self:
        """Of rounds and depths of its own, whatever the pipeline's."""
        return cls(groups, fills_of(estimator, table))

    @classmethod
    def suits(cls, model: str) -> bool:
        """Forests and boosting."""
        return any(part in model for part in ENSEMBLES)

    @classmethod
    def is_compared(cls, model: str) -> bool:
        """Only where the pipeline has many trees: for one tree, another proxy is closer."""
        return cls.suits(model)

    @classmethod
    def takes(cls, n_classes: int) -> bool:
        """Two classes, or numbers."""
        return n_classes in (0, 2)

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
        ndarray of shape (n_batch, n_groups)
            Probability of the second of two classes, or the label.
        """
        kept, copies = self.rows.struck(fold, struck)
        parts = [
            self._some(kept, copies, np.arange(a, min(a + AT_ONCE, len(kept))))
            for a in range(0, len(kept), AT_ONCE)
        ]
        margins = np.concatenate(parts)
        return sigmoid(margins) if self.groups.n_classes else margins

    def _some(self, kept: np.ndarray, copies: list[TreeCopy], some: np.ndarray) -> np.ndarray:
        n, n_groups = len(some), self.groups.n_groups
        owners, weights = [np.repeat(np.arange(n), n_groups)], [kept[some].ravel()]
        labels = [np.tile(self.groups.y.astype(float), n)]
        codes = [[np.tile(each, n)] for each in self.codes]
        for copy in copies:
            mine = copy.weights[some]
            owner, group = np.nonzero(mine > 0)
            owners.append(owner)
            weights.append(mine[owner, group])
            labels.append(copy.y[group].astype(float))
            for j, column in enumerate(codes):
                if j in copy.positions:
                    positions = np.broadcast_to(copy.positions[j], copy.weights.shape)[some]
                    column.append(_bins(positions[owner, group]))
                else:
                    column.append(self.codes[j][group])
        rows = Rows(
            np.concatenate(owners),
            [np.concatenate(column) for column in codes],
            self.sizes,
            np.concatenate(weights),
            np.concatenate(labels),
        )
        logistic = self.groups.n_classes == 2
        margins = boosted(rows, n, self.groups.share, logistic=logistic)
        return margins[: n * n_groups].reshape(n, n_groups)


def _bins(positions: np.ndarray) -> np.ndarray:
    """Whole numbers in the order of positions, those between levels among them; 0 is missing."""
    there = ~np.isnan(positions)
    known = np.where(there, positions, 0.0)
    below = np.floor(known)
    return np.where(there, 2 * below + np.where(known > below, 3, 2), 0).astype(np.int64)
