"""Errors on Adult that aim at the gap between groups, and debiasing under them (tables 5, 6)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search._common import on_test_set
from skcorrupt import AdversarialCorruptionSearch, cross_validate_corrupted
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.metrics import make_fairness_scorer

Scores = dict[str, float]
BUDGET, GROUP = 0.1, "gender"
# by method the factor that a model is wrapped in
METHODS = ("none", "reweighing")
# the weights that AIF360, where most take the method from, has by default
LFR_SETTINGS = {
    "n_prototypes": 5,
    "reconstruct_weight": 0.01,
    "target_weight": 1.0,
    "fairness_weight": 50.0,
    "max_iter": 100,
}


class _Debiased(ClassifierMixin, BaseEstimator):
    """A classifier that decides as its `estimator_`, which is fitted with the groups in mind."""

    estimator_: Any

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Decisions of the classifier."""
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Probabilities of the classifier."""
        return np.asarray(self.estimator_.predict_proba(X))


class Reweighing(_Debiased):
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


class FairRepresentations(_Debiased):
    """Learned fair representations (Zemel and others) by fairlearn, on scaled columns.

    Parameters
    ----------
    group : str, default="gender"
        Column of the group.
    """

    def __init__(self, group: str = GROUP):
        self.group = group

    def fit(self, X: pd.DataFrame, y: pd.Series) -> Self:
        """Learn prototypes that neither group is nearer to.

        Parameters
        ----------
        X, y : DataFrame, Series
            Training data.

        Returns
        -------
        FairRepresentations
            Itself.
        """
        learner = import_module("fairlearn.preprocessing").PrototypeRepresentationLearner
        steps = [("scale", StandardScaler()), ("learn", learner(**LFR_SETTINGS, random_state=0))]
        groups = X[self.group].to_numpy()
        self.estimator_ = Pipeline(steps).fit(X, y, learn__sensitive_features=groups)
        self.classes_ = self.estimator_.classes_
        return self


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
    debiased: Scores | None = None
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
            if method == "none" and find_spec("fairlearn") is not None:
                if debiased is None:
                    debiased = _of_lfr(X, y, cv, None, gap)
                harmed = _of_lfr(X, y, cv, search.worst_corruption_, gap)
                row = {"error": error, "method": "LFR", **harmed}
                row |= {f"clean_{name}": value for name, value in debiased.items()}
                row |= {"library": f"fairlearn {version('fairlearn')}"}
                yield row | {"pattern": str(search.worst_pattern_)}


def _of_lfr(X: pd.DataFrame, y: pd.Series, cv: Any, corruption: Any, gap: Any) -> Scores:
    """Gap and F1 of fair representations; a fit takes minutes, so that none is searched for."""
    scores = {"gap": gap, "f1": "f1"}
    found = cross_validate_corrupted(
        FairRepresentations(), X, y, corruption, cv=cv, scoring=scores, random_state=0
    )
    # the scorer has the sign of a score
    return {"gap": -float(found["test_gap"].mean()), "f1": float(found["test_f1"].mean())}
