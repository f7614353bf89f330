"""Verdicts on data without effect are wrong as seldom as is promised, and with effect right."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.pipeline import Pipeline

from skcorrupt import StageFairnessAblator


class Jitter(TransformerMixin, BaseEstimator):
    """Noise on every column that knows nothing of the group."""

    def __init__(self, scale=1.0, random_state=None):
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y=None):
        """Draw a shift of every column."""
        self.shift_ = self._drawn(X.shape[1:], 1)
        return self

    def transform(self, X):
        """Add noise that is the same for the same rows."""
        return X + self.shift_ + self._drawn(X.shape, 2)

    def _drawn(self, shape, stream):
        rng = np.random.default_rng([self.random_state, stream])
        return self.scale * rng.normal(size=shape)


class Choose(TransformerMixin, BaseEstimator):
    """Keeps one of several columns of noise, whichever goes best with the label."""

    def fit(self, X, y):
        """Find the column."""
        self.best_ = abs((X - X.mean(axis=0)).T @ (y - y.mean())).argmax()
        return self

    def transform(self, X):
        """Keep it."""
        return X[:, [self.best_]]


class Threshold(ClassifierMixin, BaseEstimator):
    """Sum of the columns by the sign of their covariance with the label, cut at the median."""

    def fit(self, X, y):
        """Find signs and median."""
        self.classes_ = np.array([0, 1])
        self.signs_ = np.sign((X - X.mean(axis=0)).T @ (y - y.mean()))
        self.cut_ = np.median(X @ self.signs_)
        return self

    def predict(self, X):
        """Cut."""
        return (X @ self.signs_ > self.cut_).astype(int)


def exchangeable(stage, n, rng):
    """Features and labels, independent of the group that is drawn afterwards."""
    X = rng.normal(size=(n, 5))
    signal = X.sum(axis=1) if isinstance(stage, Jitter) else np.zeros(n)
    y = (signal + rng.normal(size=n) > 0).astype(int)
    return X, y, rng.integers(0, 2, n)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "n_splits"),
    [
        pytest.param(Jitter(), 6, id="jitter-splits"),
        pytest.param(Choose(), 1, id="choose-bootstrap", marks=pytest.mark.slow),
        pytest.param(Jitter(), 1, id="jitter-bootstrap", marks=pytest.mark.slow),
        pytest.param(Choose(), 6, id="choose-splits", marks=pytest.mark.slow),
    ],
)
def test_errors_of_the_first_kind(stage, n_splits):
    """The level is 10 %, so that 80 runs can tell more than 21 % from it."""
    n_runs, level = 80, 0.1
    rng = np.random.default_rng(7)
    cv = ShuffleSplit(n_splits, test_size=0.3, random_state=0)
    pipeline = Pipeline([("stage", stage), ("model", Threshold())])
    ablator = StageFairnessAblator(
        pipeline,
        sensitive_features=None,
        privileged=1,
        pos_label=1,
        cv=cv,
        alpha=level,
    )
    found = []
    for run in range(n_runs):
        X, y, group = exchangeable(stage, 400, rng)
        ablator.set_params(random_state=run).fit(X, y, sensitive_features=group)
        found.append(ablator.stage_effects_.set_index("metric"))
    # an unlikely share of wrong verdicts if each had the probability of the level
    most = binom.ppf(0.999, n_runs, level)
    for metric in ("spd", "eod", "aod", "erd"):
        rows = pd.DataFrame([frame.loc[metric] for frame in found])
        assert (rows["change_rate"] > 0.05).all()
        wrong = rows["significant"].sum()
        assert wrong <= most, (metric, wrong)
        covered = ((rows["ci_low"] <= 0) & (rows["ci_high"] >= 0)).sum()
        assert n_runs - covered <= most


@pytest.mark.slow
@pytest.mark.parametrize("cv", [5, 10])
def test_several_stages_together(cv):
    """A star on any of three stages without effect is as seldom as the level says, by folds too."""
    n_runs, level = 60, 0.1
    rng = np.random.default_rng(11)
    steps = [(f"jitter{k}", Jitter(scale)) for k, scale in enumerate((0.5, 1.0, 2.0))]
    ablator = StageFairnessAblator(
        Pipeline([*steps, ("model", Threshold())]),
        sensitive_features=None,
        privileged=1,
        pos_label=1,
        cv=StratifiedKFold(cv, shuffle=True, random_state=0),
        alpha=level,
    )
    wrong = dict.fromkeys(("spd", "eod", "aod", "erd"), 0)
    for run in range(n_runs):
        X, y, group = exchangeable(Jitter(), 300, rng)
        ablator.set_params(random_state=run).fit(X, y, sensitive_features=group)
        for metric, rows in ablator.stage_effects_.groupby("metric"):
            wrong[metric] += bool(rows["significant"].any())
    assert max(wrong.values()) <= binom.ppf(0.999, n_runs, level), wrong


def test_power_where_there_is_an_effect():
    """A stage that shifts one group is found in every run."""

    class Shift(Jitter):
        def transform(self, X):
            return X - 2.0 * X[:, [5]]

    rng = np.random.default_rng(1)
    pipeline = Pipeline([("stage", Shift()), ("model", Threshold())])
    cv = ShuffleSplit(6, test_size=0.3, random_state=0)
    ablator = StageFairnessAblator(
        pipeline, sensitive_features="x5", privileged=1, pos_label=1, cv=cv, random_state=0
    )
    for _ in range(5):
        X, y, group = exchangeable(Jitter(), 400, rng)
        effects = ablator.fit(np.column_stack([X, group]), y).stage_effects_
        row = effects.set_index("metric").loc["spd"]
        assert row["significant"]
        assert row["mean"] > 0.2
