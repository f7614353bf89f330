"""Errors on Adult that aim at the gap between groups, with and without reweighing (tables 5, 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search._common import on_test_set
from skcorrupt import AdversarialCorruptionSearch, cross_validate_corrupted
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.metrics import make_fairness_scorer

BUDGET, GROUP = 0.1, "gender"
# by method the factor that a model is wrapped in
METHODS = ("none", "reweighing")


class Reweighing(ClassifierMixin, BaseEstimator):
    """A classifier fitted with weights that make group and label independent (Kamiran, Calders).

    Parameters
    ----------
    estimator : classifier
        Takes `sample_weight`.
    group : str, default="gender"
        Column of the group.
    """

    def __init__(self, estimator: Any, group: str = GROUP):
        self.estimator = estimator
        self.group = group

    def fit(self, X: pd.DataFrame, y: pd.Series) -> Self:
        """Fit the classifier with P(group) P(label) / P(group, label) as weights.

        Parameters
        ----------
        X, y : DataFrame, Series
            Training data.

        Returns
        -------
        Reweighing
            Itself.
        """
        self.classes_ = np.unique(y)
        weight = weights(X[self.group].to_numpy(), np.asarray(y))
        self.estimator_ = clone(self.estimator).fit(X, y, sample_weight=weight)
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Decisions of the classifier."""
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Probabilities of the classifier."""
        return np.asarray(self.estimator_.predict_proba(X))


def weights(group: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What each row counts so that group and label are independent.

    Parameters
    ----------
    group, y : ndarray of shape (n_rows,)
        Group and label.

    Returns
    -------
    ndarray of shape (n_rows,)
        The weights, 1 in the mean.
    """
    table = pd.DataFrame({"group": group, "y": y})
    n = len(table)
    of_group, of_label = (table.groupby(name)[name].transform("size") for name in table)
    both = table.groupby(["group", "y"])["y"].transform("size")
    return (of_group * of_label / (n * both)).to_numpy()


def gap_rows(data: tuple) -> Iterator[dict[str, Any]]:
    """What errors of a tenth of the rows do to the gap of mean probabilities among positives.

    Parameters
    ----------
    data : tuple
        Training features and labels, test features and labels.

    Yields
    ------
    dict
        A row a kind of error and method.
    """
    X, y, cv = on_test_set(data)
    gap = make_fairness_scorer(
        "eod", sensitive_features=GROUP, privileged=1, pos_label=1, response="proba"
    )
    for method in METHODS:
        for error in ("labels", "selection"):
            model = estimator_for(error)
            model = Reweighing(model) if method == "reweighing" else model
            search = AdversarialCorruptionSearch(
                model,
                error,
                scoring=gap,
                budget=BUDGET,
                cv=cv,
                confirm_size=None,
                # no proxy has this score
                strategy=BeamSearch(n_calls=16),
                space=SearchSpace(max_conditions=2),
                random_state=0,
            ).fit(X, y)
            found = cross_validate_corrupted(
                model, X, y, search.worst_corruption_, cv=cv, scoring="f1", random_state=0
            )
            row = {"error": error, "method": method, "clean": -search.baseline_score_}
            row |= {"gap": -search.worst_score_, "f1": float(found["test_score"].mean())}
            yield row | {"pattern": str(search.worst_pattern_)}
