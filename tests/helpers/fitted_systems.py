"""A tiny fitted object of each of the five systems."""

import copy
import functools

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cheap_models import Centroids
from flat_search import flat_search
from skcorrupt import (
    CorruptNoise,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    ResponsivenessAuditor,
    StageFairnessAblator,
)
from skcorrupt.curation import LabelingFunctionSelector, MajorityVoteLabeler
from skcorrupt.responsiveness import ActionSet


def table(n=120, names=("a", "b", "c")):
    """Three numeric columns of any names, and a label that depends on two of them."""
    rng = np.random.default_rng(0)
    values = np.column_stack(
        [rng.integers(0, 6, n), rng.normal(size=n), rng.integers(0, 2, n)]
    ).astype(float)
    y = (values[:, 0] / 3 + values[:, 1] + rng.normal(size=n) / 2 > 1).astype(int)
    return pd.DataFrame(values, columns=list(names)), y


def search(names=("a", "b", "c"), corruption="missing", **params):
    """A search for lost values."""
    X, y = table(names=names)
    settings = {"n_calls": 4, "max_conditions": 1, "n_bins": 2, "cv": 2}
    settings |= {"scoring": "accuracy", "random_state": 0}
    return flat_search(Centroids(), corruption, **settings | params).fit(X, y)


def profiler(names=("a", "b", "c"), **params):
    """A profile of two models under noise."""
    X, y = table(names=names)
    models = {"tree": DecisionTreeClassifier(max_depth=2), "bayes": GaussianNB()}
    settings = {"levels": (0, 0.5, 1), "n_repeats": 12, "random_state": 0}
    return ErrorSensitivityProfiler(
        models, corruptions={"noise": CorruptNoise(scale=3.0)}, **settings | params
    ).fit(X, y)


def ablator(names=("a", "b", "sex"), **params):
    """An ablation of a scaler and a selection."""
    X, y = table(200, names)
    steps = [("scale", StandardScaler()), ("select", SelectKBest(k=1))]
    settings = {"sensitive_features": names[2], "privileged": 1.0, "pos_label": 1, "cv": 3}
    settings |= {"random_state": 0}
    return StageFairnessAblator(
        Pipeline([*steps, ("model", LogisticRegression())]), **settings | params
    ).fit(X, y)


def auditor(names=("a", "b", "c", "who"), n=60, change=None, rules=(), **params):
    """An audit of people who have names, as values and as index."""
    X, y = table(n, names[:3])
    X[names[1]] = X[names[1]].round(1)
    X[names[3]] = [f"person-{i}" for i in range(n)]
    X.index = [f"key-{i}" for i in range(n)]
    model = Numbers(DecisionTreeClassifier(max_depth=3, random_state=0), 3).fit(X, y)
    actions = ActionSet.from_data(X, actionable=[names[0]])
    actions[names[0]].change = change
    for rule in rules:
        actions.add(rule)
    settings = {"target": 1, "task": "preclusion", "random_state": 0}
    return ResponsivenessAuditor(model, actions, **settings | params).fit(X)


class Numbers(ClassifierMixin, BaseEstimator):
    """A model that looks at the first columns only."""

    def __init__(self, model, n):
        self.model, self.n = model, n

    def fit(self, X, y):
        """Fit on the first columns."""
        self.model.fit(np.asarray(X.iloc[:, : self.n], dtype=float), y)
        self.classes_ = self.model.classes_
        return self

    def predict(self, X):
        """Predict from the first columns."""
        return self.model.predict(np.asarray(X.iloc[:, : self.n], dtype=float))


def curator(names=("f", "g", "h", "i", "j"), evaluate=True, **params):
    """An order by five functions, one of them a copy."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    L = np.where(rng.random((200, 5)) < 0.75, y[:, None], 1 - y[:, None])
    L[rng.random((200, 5)) < 0.4] = -1
    L[:, 4] = L[:, 0]
    made = NaturalAdversarialCurator(
        MajorityVoteLabeler(), LabelingFunctionSelector(), **{"random_state": 0} | params
    ).fit(pd.DataFrame(L, columns=list(names)))
    if evaluate:
        made.evaluate(LogisticRegression(), y[:, None] + rng.normal(size=(200, 1)), y)
    return made


SYSTEMS = {
    "search": search,
    "profiler": profiler,
    "ablator": ablator,
    "auditor": auditor,
    "curator": curator,
}


def made():
    """One of each, fitted once for all test files that have nothing to set."""
    return {name: copy.deepcopy(_fitted(name)) for name in SYSTEMS}


@functools.cache
def _fitted(name):
    return SYSTEMS[name]()
