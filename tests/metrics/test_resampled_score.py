"""Scores of rows drawn again and again are scikit-learn's of these rows."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import (
    balanced_accuracy_score,
    f1_score,
    get_scorer,
    make_scorer,
    roc_auc_score,
)

from skcorrupt.metrics import resampled_score_of

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(60, 2)).round(1), columns=["a", "b"])
LABELS = np.where(X["a"] + RNG.normal(size=60) > 0, "yes", "no")


class Rounded(LogisticRegression):
    """Equal rows have the same score to the last digit, wherever they stand."""

    def decision_function(self, X):
        """To nine digits."""
        return np.round(super().decision_function(X), 9)


class Coarse(LogisticRegression):
    """Few distinct scores, so that many rows are equal in rank."""

    def decision_function(self, X):
        """Whole numbers."""
        return np.round(2 * super().decision_function(X))


MODELS = [Rounded().fit(X, LABELS), Coarse().fit(X, LABELS)]


def of_scikit_learn(scorer, model, y, rows):
    """A scorer's own word on some rows, NaN where it refuses them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return scorer(model, X.iloc[rows], y[rows])
        except ValueError:
            return np.nan


OF_CLASSES = ["roc_auc", "accuracy", "balanced_accuracy", "neg_log_loss"]


@given(st.integers(0, 2**32 - 1), st.sampled_from(OF_CLASSES), st.booleans(), st.integers(1, 60))
def test_it_is_the_score_of_the_rows(seed, scoring, ties, n):
    scorer, model = get_scorer(scoring), MODELS[ties]
    rows = np.random.default_rng(seed).integers(60, size=n)
    found = resampled_score_of(scorer, model, X, LABELS)
    wanted = of_scikit_learn(scorer, model, LABELS, rows)
    assert found(rows) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


POSITIVE = (LABELS == "yes").astype(int)
OF_POSITIVE = LogisticRegression().fit(X, POSITIVE)


@pytest.mark.long
@given(
    st.integers(0, 2**32 - 1), st.sampled_from(["f1", "precision", "recall"]), st.integers(1, 60)
)
def test_it_is_the_score_of_a_positive_class(seed, scoring, n):
    rows = np.random.default_rng(seed).integers(60, size=n)
    for scorer, model, y in (
        (get_scorer(scoring), OF_POSITIVE, POSITIVE),
        (
            make_scorer(get_scorer(scoring)._score_func, pos_label="no", average="binary"),
            MODELS[0],
            LABELS,
        ),
    ):
        found = resampled_score_of(scorer, model, X, y)
        wanted = of_scikit_learn(scorer, model, y, rows)
        assert found(rows) == pytest.approx(wanted, abs=1e-12)


AVERAGED = [
    f"{name}_{average}"
    for name in ("f1", "precision", "recall")
    for average in ("macro", "micro", "weighted")
]
THREE = np.digitize(X["a"] + RNG.normal(size=60), [-0.5, 0.5])


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["accuracy", "balanced_accuracy", "neg_log_loss", *AVERAGED]),
    st.integers(1, 60),
)
def test_it_is_the_score_of_three_classes(seed, scoring, n):
    rows = np.random.default_rng(seed).integers(60, size=n)
    scorer, model = get_scorer(scoring), OF_THREE
    found = resampled_score_of(scorer, model, X, THREE)
    wanted = of_scikit_learn(scorer, model, THREE, rows)
    assert found(rows) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("scoring", AVERAGED)
def test_averages_over_classes_that_are_texts(scoring):
    named = np.array(["low", "middle", "high"])[THREE]
    model, scorer = LogisticRegression().fit(X, named), get_scorer(scoring)
    found = resampled_score_of(scorer, model, X, named)
    for rows in (np.arange(60), np.flatnonzero(named != "low"), np.flatnonzero(named == "high")):
        assert found(rows) == pytest.approx(of_scikit_learn(scorer, model, named, rows))


OF_THREE = Rounded().fit(X, THREE)
NUMBERS = np.round(2 * X["a"].to_numpy() + RNG.normal(size=60))
OF_NUMBERS = [LinearRegression().fit(X, NUMBERS), DummyRegressor().fit(X, NUMBERS)]
OF_ERRORS = [
    "r2",
    "neg_mean_squared_error",
    "neg_root_mean_squared_error",
    "neg_mean_absolute_error",
]


@given(st.integers(0, 2**32 - 1), st.sampled_from(OF_ERRORS), st.booleans(), st.integers(1, 60))
def test_it_is_the_score_of_numbers(seed, scoring, constant, n):
    rng = np.random.default_rng(seed)
    # of few rows, often of one value
    rows = rng.integers(rng.integers(1, 61), size=n)
    scorer, model = get_scorer(scoring), OF_NUMBERS[constant]
    found = resampled_score_of(scorer, model, X, NUMBERS)
    wanted = of_scikit_learn(scorer, model, NUMBERS, rows)
    assert found(rows) == pytest.approx(wanted, rel=1e-9, abs=1e-12, nan_ok=True)


def test_rows_of_one_class_have_no_area():
    found = resampled_score_of(get_scorer("roc_auc"), MODELS[0], X, LABELS)
    assert np.isnan(found(np.flatnonzero(LABELS == "yes")))


def area_of_half(y, scores):
    return roc_auc_score(y[::2], scores[::2])


@pytest.mark.parametrize(
    "scorer",
    [
        make_scorer(f1_score, average="macro", labels=["yes"]),
        get_scorer("average_precision"),
        make_scorer(balanced_accuracy_score, adjusted=True),
        make_scorer(roc_auc_score, response_method="decision_function", max_fpr=0.5),
        make_scorer(roc_auc_score, response_method="decision_function", greater_is_better=False),
        make_scorer(area_of_half, response_method="decision_function"),
        lambda model, X, y: model.score(X, y),
    ],
)
def test_other_scorers_are_not_known(scorer):
    assert resampled_score_of(scorer, MODELS[0], X, LABELS) is None


def test_more_than_two_classes_have_no_single_area():
    y = np.arange(60) % 3
    scorer = get_scorer("roc_auc_ovr")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression().fit(X, y)
    assert resampled_score_of(scorer, model, X, y) is None
    assert resampled_score_of(get_scorer("accuracy"), model, X, y) is not None


@pytest.mark.parametrize("scoring", ["roc_auc", "accuracy"])
def test_of_models_that_fail_nothing_is_known(scoring):
    class Fails(LogisticRegression):
        def predict(self, X):
            raise RuntimeError("out of range")

        decision_function = predict_proba = predict

    model = Fails().fit(X, LABELS)
    assert resampled_score_of(get_scorer(scoring), model, X, LABELS) is None
