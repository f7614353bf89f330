"""Errors in test data, which are the same for every candidate and for the clean pipeline."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold

from cheap_models import Centroids, share_right
from skcorrupt import (
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    SelectionBias,
)
from small_searches import ONE_SPLIT, quick, small_data

pytestmark = pytest.mark.usefixtures("few_fits")

MISSING = CorruptMissing(["b"], rate=0.5)


class Watching(Centroids):
    """Notes the data it is fitted on and predicts, in this process."""

    fitted, predicted = [], []

    def fit(self, X, y, sample_weight=None):
        Watching.fitted.append(np.asarray(X, float).copy())
        return super().fit(X, y, sample_weight)

    def predict(self, X):
        Watching.predicted.append(np.asarray(X, float).copy())
        return super().predict(X)


@pytest.fixture(autouse=True)
def _nothing_seen():
    Watching.fitted, Watching.predicted = [], []
    yield


def n_missing(X, column=1):
    return int(np.isnan(X[:, column]).sum())


def test_every_test_part_has_the_same_errors_and_no_training_part_has():
    X, y = small_data()
    search = quick("labels", Watching(), test_corruption=MISSING).fit(X, y)
    assert search.n_evaluations_ > 3
    first = Watching.predicted[0]
    assert n_missing(first) == 20
    assert n_missing(first, 0) == 0
    for seen in Watching.predicted:
        np.testing.assert_array_equal(seen, first)
    assert all(n_missing(seen) == 0 for seen in Watching.fitted)


def test_the_baseline_is_the_clean_pipeline_on_corrupted_test_parts():
    X, y = small_data()
    flipped = CorruptLabels(rate=1.0)
    clean = quick(estimator=Centroids()).fit(X, y)
    search = quick(estimator=Centroids(), test_corruption=flipped).fit(X, y)
    assert search.baseline_score_ == pytest.approx(1 - clean.baseline_score_)
    # what was worst is best when every test label is wrong
    assert search.worst_score_ <= 1 - clean.worst_score_
    assert search.score_drop_ == search.baseline_score_ - search.worst_score_


@pytest.mark.slow
def test_folds_have_draws_of_their_own_and_a_seed_of_its_own_makes_no_difference():
    X, y = small_data()
    runs = []
    for seed in (None, 0, 5):
        Watching.predicted = []
        corruption = CorruptMissing(["b"], rate=0.5, random_state=seed)
        search = quick("labels", Watching(), cv=3, n_calls=2, test_corruption=corruption)
        search.fit(X, y)
        runs.append([np.isnan(part[:, 1]) for part in Watching.predicted[:3]])
        assert corruption.random_state == seed
        assert not hasattr(corruption, "n_features_in_")
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])
    assert (runs[0][0] != runs[0][1]).any()


def test_rows_to_confirm_on_have_errors_too():
    X, y = small_data()
    search = quick("labels", Watching(), cv=2, confirm_size=0.25, test_corruption=MISSING).fit(X, y)
    assert n_missing(Watching.predicted[-1]) == 15 == len(Watching.predicted[-1]) // 2
    assert np.isfinite(search.confirmed_interval_).all()


@pytest.mark.long
def test_rows_of_ones_own_have_errors_too():
    X, y = small_data()
    X_test, y_test = small_data(60, seed=9)
    search = quick("labels", Watching(), test_corruption=MISSING).fit(X, y)
    search.confirm(X_test, y_test)
    assert n_missing(Watching.predicted[-1]) == 30
    assert not X_test.isna().any().any()
    flipped = quick(test_corruption=CorruptLabels(rate=1.0)).fit(X, y).confirm(X_test, y_test)
    plain = quick().fit(X, y).confirm(X_test, y_test)
    assert flipped.confirmed_baseline_score_ == 1 - plain.confirmed_baseline_score_


def test_reference_facts_are_those_of_training_data():
    """Noise is measured in standard deviations of clean training rows."""
    X, y = small_data()
    X = X.copy()
    train, test = ONE_SPLIT[0]
    X.loc[test, "b"] = 0.0
    noise = CorruptNoise(["b"], scale=2.0, rate=1.0)
    quick("labels", Watching(), test_corruption=noise).fit(X, y)
    seen = Watching.predicted[0][:, 1]
    assert 0.5 < seen.std() / (2 * X.loc[train, "b"].std()) < 1.5


def test_a_pattern_may_use_the_label():
    X, y = small_data()
    corruption = CorruptMissing(["b"], pattern="y == 1", rate=1.0)
    quick("labels", Watching(), test_corruption=corruption).fit(X, y)
    test = ONE_SPLIT[0][1]
    np.testing.assert_array_equal(np.isnan(Watching.predicted[0][:, 1]), y.to_numpy()[test] == 1)


@pytest.mark.parametrize(
    ("corruption", "n_rows"),
    [
        (SelectionBias(pattern="a <= 2", rate=1.0), None),
        (CorruptDuplicates(rate=0.5), 60),
        (CorruptionProcess([("missing", MISSING), ("twice", CorruptDuplicates(rate=0.5))]), 60),
    ],
)
def test_rows_may_go_or_come_twice(corruption, n_rows):
    X, y = small_data()
    quick("missing", Watching(), test_corruption=corruption).fit(X, y)
    seen = Watching.predicted[0]
    if n_rows is None:
        test = ONE_SPLIT[0][1]
        assert len(seen) == (X.a.to_numpy()[test] > 2).sum()
        assert (seen[:, 0] > 2).all()
    else:
        assert len(seen) == n_rows
    assert {len(each) for each in Watching.predicted} == {len(seen)}


@pytest.mark.long
def test_what_goes_with_rows_is_cut_with_them():
    """Weights of test rows, and groups of rows that are confirmed on."""
    import sklearn

    X, y = small_data(200)
    weights, seen = np.arange(1.0, 201.0), []

    def weighted(y_true, y_pred, sample_weight=None):
        seen.append(np.asarray(sample_weight))
        return float(np.average(y_true == y_pred, weights=sample_weight))

    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(weighted).set_score_request(sample_weight=True)
        model = Centroids().set_fit_request(sample_weight=False)
        search = quick(
            "missing",
            model,
            cv=GroupKFold(2),
            scoring=scorer,
            confirm_size=0.25,
            test_corruption=SelectionBias(pattern="a <= 2", rate=1.0),
        )
        search.fit(X, y, groups=np.arange(200) // 2, sample_weight=weights)
    kept = set(weights[X.a.to_numpy() > 2])
    assert all(set(each) <= kept for each in seen)
    assert np.isfinite(search.confirmed_interval_).all()


def test_frames_stay_frames():
    X, y = small_data()
    kinds = []

    def scorer(model, X, y):
        kinds.append((type(X), list(X.columns), type(y)))
        return share_right(model, X, y)

    quick(scoring=scorer, test_corruption=MISSING).fit(X, y)
    assert set(map(str, kinds)) == {str((pd.DataFrame, ["a", "b", "c"], pd.Series))}


@pytest.mark.parametrize("wrong", ["missing", 0.1, CorruptMissing, {"rate": 0.1}])
def test_what_is_no_corruption_is_refused(wrong):
    X, y = small_data()
    with pytest.raises(TypeError, match=r"test_corruption=.* should be a corruption object"):
        quick(test_corruption=wrong).fit(X, y)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (CorruptMissing(rate=2.0), "'rate' parameter"),
        (CorruptMissing(pattern="q > 1"), "no column q in X"),
        (CorruptMissing(["q"]), "'q'"),
        (SelectionBias(rate=1.0), "test_corruption=.* does not go with the 40 test rows.*rate"),
        (CorruptLabels(missing_label=-1), "missing_label=-1, which erases labels"),
        (
            CorruptionProcess([("gone", CorruptLabels(missing_label=np.nan))]),
            "gone__missing_label=nan, which erases labels",
        ),
    ],
)
def test_what_does_not_fit_is_refused(wrong, message):
    X, y = small_data()
    with pytest.raises(ValueError, match=message):
        quick(test_corruption=wrong).fit(X, y)


def test_a_pipeline_that_cannot_predict_is_told():
    X, y = small_data()
    model = LogisticRegression()
    with pytest.raises(ValueError, match=r"cannot score test parts with test_corruption=.*imputer"):
        quick("labels", model, test_corruption=MISSING).fit(X, y)


class Odd(ClassifierMixin, BaseEstimator):
    """Predicts a class by whether a value is there."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[np.isnan(np.asarray(X, float)[:, 1]).astype(int)]


def test_random_draws_are_scored_on_the_same_test_parts():
    """Of a model that looks at test rows alone, every score is the same."""
    X, y = small_data()
    search = quick("labels", Odd(), test_corruption=MISSING).fit(X, y)
    scores = [search.baseline_score_, search.worst_score_, search.random_score_]
    assert np.ptp(scores) < 1e-12
