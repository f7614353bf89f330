"""Scores of rows drawn again and again are scikit-learn's of these rows."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, make_scorer, roc_auc_score

from skcorrupt.metrics import resampled_score_of

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(60, 2)).round(1), columns=["a", "b"])
LABELS = np.where(X["a"] + RNG.normal(size=60) > 0, "yes", "no")


class Coarse(LogisticRegression):
    """Few distinct scores, so that many rows are equal in rank."""

    def decision_function(self, X):
        """Whole numbers."""
        return np.round(2 * super().decision_function(X))


MODELS = [LogisticRegression().fit(X, LABELS), Coarse().fit(X, LABELS)]


@given(st.integers(0, 2**32 - 1), st.sampled_from(["roc_auc", "accuracy"]), st.booleans())
def test_it_is_the_score_of_the_rows(seed, scoring, ties):
    scorer, model = get_scorer(scoring), MODELS[ties]
    rows = np.random.default_rng(seed).integers(60, size=60)
    found = resampled_score_of(scorer, model, X, LABELS)
    assert found(rows) == pytest.approx(scorer(model, X.iloc[rows], LABELS[rows]), abs=1e-12)


def test_rows_of_one_class_have_no_area():
    found = resampled_score_of(get_scorer("roc_auc"), MODELS[0], X, LABELS)
    assert np.isnan(found(np.flatnonzero(LABELS == "yes")))


def area_of_half(y, scores):
    return roc_auc_score(y[::2], scores[::2])


@pytest.mark.parametrize(
    "scorer",
    [
        get_scorer("f1_macro"),
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
