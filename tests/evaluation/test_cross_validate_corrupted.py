"""Cross-validation under a corruption, against scikit-learn's and against loops by hand."""

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_validate

from cheap_models import Centroids, Levels
from skcorrupt import (
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptOutliers,
    SelectionBias,
    cross_validate_corrupted,
)
from small_searches import small_data

TIMES = ("fit_time", "score_time")


def scores_of(results):
    return {
        name: values
        for name, values in results.items()
        if name.startswith(("test_", "train_")) or name in ("repeat", "split")
    }


def assert_same_scores(first, second):
    assert set(first) == set(second)
    for name in first:
        np.testing.assert_allclose(first[name], second[name], rtol=0, atol=1e-12)


@pytest.mark.parametrize("corruption", [None, CorruptMissing(rate=0), SelectionBias(rate=0)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cv": 4, "scoring": ["roc_auc", "accuracy"], "return_train_score": True},
        {"scoring": {"p": "f1", "q": "neg_log_loss"}, "cv": KFold(3)},
        {"cv": GroupKFold(3), "groups": np.arange(120) % 7, "scoring": "roc_auc"},
        {"params": {"sample_weight": np.linspace(0, 1, 120)}, "cv": StratifiedKFold(2)},
    ],
    ids=["defaults", "several scores", "named scores", "groups", "weights"],
)
def test_clean_data_gives_what_scikit_learn_gives(corruption, options):
    X, y = small_data()
    expected = cross_validate(Centroids(), X, y, **options)
    found = cross_validate_corrupted(Centroids(), X, y, corruption, random_state=0, **options)
    assert set(found) == set(expected) | {"repeat", "split"}
    for name in set(expected) - set(TIMES):
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=1e-12)


def test_a_callable_with_several_scores():
    X, y = small_data()

    def scoring(model, X, y):
        return {"size": float(len(X)), "right": model.score(X, y)}

    expected = cross_validate(Centroids(), X, y, scoring=scoring, return_train_score=True)
    found = cross_validate_corrupted(
        Centroids(), X, y, None, scoring=scoring, return_train_score=True
    )
    for name in ("test_size", "test_right", "train_size", "train_right"):
        np.testing.assert_array_equal(found[name], expected[name])


def test_a_regressor_and_a_clusterer():
    X, _ = small_data()
    found = cross_validate_corrupted(Levels(), X, X.a + X.b, None, cv=3)
    expected = cross_validate(Levels(), X, X.a + X.b, cv=3)
    np.testing.assert_array_equal(found["test_score"], expected["test_score"])
    model = KMeans(2, n_init=1, random_state=0)
    found = cross_validate_corrupted(model, X, corruption=None, cv=3)
    np.testing.assert_allclose(found["test_score"], cross_validate(model, X, cv=3)["test_score"])
    dirty = cross_validate_corrupted(
        model, X, corruption=SelectionBias(rate=0.5), cv=3, random_state=0
    )
    assert dirty["test_score"].shape == (3,)


@pytest.mark.parametrize("apply_to", ["train", "test", "both"])
def test_scores_by_hand(apply_to):
    X, y = small_data()
    corruption = CorruptMissing("a", pattern="a >= 3", rate=1.0)
    found = cross_validate_corrupted(
        Centroids(), X, y, corruption, apply_to=apply_to, cv=3, return_train_score=True,
        return_indices=True, return_estimator=True,
    )  # fmt: skip
    dirty = X.assign(a=X.a.where(X.a < 3))
    for k, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        X_train = (X if apply_to == "test" else dirty).iloc[train]
        X_test = (X if apply_to == "train" else dirty).iloc[test]
        model = Centroids().fit(X_train, y.iloc[train])
        assert found["test_score"][k] == model.score(X_test, y.iloc[test])
        assert found["train_score"][k] == model.score(X_train, y.iloc[train])
        np.testing.assert_array_equal(found["indices"]["train"][k], train)
        np.testing.assert_array_equal(found["indices"]["test"][k], test)
        np.testing.assert_allclose(found["estimator"][k].means_, model.means_)


@settings(max_examples=15)
@given(
    n_repeats=st.integers(1, 3),
    folds=st.integers(2, 4),
    apply_to=st.sampled_from(["train", "test", "both"]),
    rate=st.floats(0.1, 0.9),
)
def test_entries_are_repeat_major_with_records(n_repeats, folds, apply_to, rate):
    X, y = small_data()
    found = cross_validate_corrupted(
        Centroids(), X, y, CorruptMissing("a", rate=rate), apply_to=apply_to, cv=folds,
        n_repeats=n_repeats, return_records=True, return_indices=True, random_state=1,
    )  # fmt: skip
    n = n_repeats * folds
    np.testing.assert_array_equal(found["repeat"], np.repeat(np.arange(n_repeats), folds))
    np.testing.assert_array_equal(found["split"], np.tile(np.arange(folds), n_repeats))
    assert all(len(found[name]) == n for name in found if name != "indices")
    assert len(found["indices"]["train"]) == n
    parts = {"train": ["train"], "test": ["test"], "both": ["train", "test"]}[apply_to]
    for k, records in enumerate(found["records"]):
        assert len(records) == len(parts)
        for part, record in zip(parts, records, strict=True):
            size = len(found["indices"][part][k])
            assert record.n_samples_in == size
            assert record.n_corrupted == int(rate * size + 0.5 + 1e-9)
    seeds = [record.seed for records in found["records"] for record in records]
    assert len(set(seeds)) == len(seeds)


def test_splits_stay_and_draws_change_from_repeat_to_repeat():
    X, y = small_data()
    found = cross_validate_corrupted(
        Centroids(), X, y, CorruptMissing("a", rate=0.5), cv=KFold(3, shuffle=True), n_repeats=2,
        return_records=True, return_indices=True, random_state=1,
    )  # fmt: skip
    for k in range(3):
        train = found["indices"]["train"]
        np.testing.assert_array_equal(train[k], train[k + 3])
        first, second = (found["records"][i][0].X_mask for i in (k, k + 3))
        assert (first != second).any()


def test_reference_facts_come_from_the_clean_training_part():
    X, y = small_data()
    X.loc[80:, "a"] = 1000.0
    seen = []

    class Peek(Centroids):
        def predict(self, X):
            seen.append(X)
            return super().predict(X)

    train, test = np.arange(80), np.arange(80, 120)
    cross_validate_corrupted(
        Peek(), X, y, CorruptOutliers("a", magnitude=5.0, rate=1.0), apply_to="test",
        cv=[(train, test)], random_state=0,
    )  # fmt: skip
    # five standard deviations of the training part; the test part has none, the whole many
    moved = np.abs(seen[0].a - X.a.iloc[test])
    np.testing.assert_allclose(moved, 5 * X.a[:80].std(ddof=0))


@pytest.mark.parametrize(
    "corruption", [SelectionBias(rate=0.5), CorruptDuplicates(rate=0.5), CorruptLabels(rate=0.3)]
)
def test_weights_are_cut_with_the_rows(corruption):
    X, y = small_data()
    weights = np.arange(120.0) + 1
    found = cross_validate_corrupted(
        Centroids(), X, y, corruption, cv=3, params={"sample_weight": weights}, random_state=0,
        return_records=True, return_estimator=True,
    )  # fmt: skip
    for k, (train, _) in enumerate(StratifiedKFold(3).split(X, y)):
        (record,) = found["records"][k]
        again = clone(corruption).set_params(random_state=record.seed)
        X_dirty, y_dirty, _ = again.fit(X.iloc[train], y.iloc[train]).corrupt(
            X.iloc[train], y.iloc[train]
        )
        by_hand = Centroids().fit(X_dirty, y_dirty, weights[train][record.sample_indices])
        np.testing.assert_allclose(found["estimator"][k].means_, by_hand.means_)


def test_seeds_and_workers():
    X, y = small_data()
    options = {"cv": 3, "n_repeats": 2, "random_state": 0}
    model, corruption = RandomForestClassifier(2, max_depth=2), CorruptLabels(rate=0.3)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    alone = scores_of(cross_validate_corrupted(model, X, y, corruption, **options))
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    assert_same_scores(
        alone, scores_of(cross_validate_corrupted(model, X, y, corruption, **options))
    )
    with joblib.parallel_config(backend="threading"):
        parallel = cross_validate_corrupted(model, X, y, corruption, n_jobs=2, **options)
    assert_same_scores(alone, scores_of(parallel))
    other = cross_validate_corrupted(model, X, y, corruption, **(options | {"random_state": 1}))
    assert (other["test_score"] != alone["test_score"]).any()
    assert model.random_state is None
    assert corruption.random_state is None


def test_unset_seeds_of_the_estimator_are_the_same_in_every_repeat():
    X, y = small_data()
    found = cross_validate_corrupted(
        RandomForestClassifier(2, max_depth=2), X, y, CorruptMissing(rate=0), cv=3, n_repeats=2,
        return_estimator=True, random_state=0,
    )  # fmt: skip
    np.testing.assert_array_equal(found["test_score"][:3], found["test_score"][3:])
    seeds = [model.random_state for model in found["estimator"]]
    assert seeds[:3] == seeds[3:]
    assert len(set(seeds)) == 3


class TestFailures:
    def test_failed_fits_are_nan_and_said(self):
        X, y = small_data()
        with pytest.warns(FitFailedWarning, match="6 of 6 fits failed and score nan; the first"):
            found = cross_validate_corrupted(
                LogisticRegression(), X, y, CorruptMissing("a"), cv=3, n_repeats=2,
                return_train_score=True, return_estimator=True,
            )  # fmt: skip
        assert np.isnan(found["test_score"]).all()
        assert np.isnan(found["train_score"]).all()
        assert len(found["estimator"]) == 6

    def test_every_score_is_there_where_all_fits_fail(self):
        X, y = small_data()
        with pytest.warns(FitFailedWarning, match="score -1"):
            found = cross_validate_corrupted(
                LogisticRegression(), X, y, CorruptMissing("a"), cv=3, error_score=-1,
                scoring=["accuracy", "roc_auc"], return_train_score=True,
            )  # fmt: skip
        for name in ("test_accuracy", "test_roc_auc", "train_accuracy", "train_roc_auc"):
            np.testing.assert_array_equal(found[name], [-1, -1, -1])
        assert "test_score" not in found

    def test_some_fail(self):
        X, y = small_data()
        X.loc[:39, "b"] = -5.0
        template = CorruptMissing("a", pattern="b <= -5", rate=1.0)
        with pytest.warns() as caught:
            found = cross_validate_corrupted(
                LogisticRegression(), X, y, template, cv=KFold(3), error_score=0.0,
                scoring={"p": "accuracy"},
            )  # fmt: skip
        assert {w.category for w in caught} == {FitFailedWarning, UserWarning}
        assert found["test_p"][0] > 0
        np.testing.assert_array_equal(found["test_p"][1:], [0, 0])

    def test_raise(self):
        X, y = small_data()
        with pytest.raises(ValueError, match="contains NaN"):
            cross_validate_corrupted(
                LogisticRegression(), X, y, CorruptMissing("a"), error_score="raise"
            )

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                {"apply_to": "all"},
                "The 'apply_to' parameter of .* must be a str among .*'train'.* Got 'all'",
            ),
            ({"n_repeats": 0}, r"The 'n_repeats' parameter of .* range \[1, 1000000000\]\. Got 0"),
            ({"n_repeats": 1.5}, r"The 'n_repeats' parameter of .* Got 1\.5"),
            ({"scoring": "rocket"}, "rocket"),
            ({"random_state": "dice"}, "random_state='dice'"),
        ],
    )
    def test_refused_parameters(self, options, message):
        X, y = small_data()
        with pytest.raises(ValueError, match=message):
            cross_validate_corrupted(Centroids(), X, y, CorruptMissing(), **options)

    def test_inputs_are_left_as_they_were(self):
        X, y = small_data()
        kept = X.copy(deep=True), y.copy(deep=True)
        cross_validate_corrupted(Centroids(), X, y, CorruptLabels(rate=0.5), apply_to="both")
        pd.testing.assert_frame_equal(X, kept[0])
        pd.testing.assert_series_equal(y, kept[1])


class Shifting(CorruptLabels):
    """Does something of its own to what it corrupts."""

    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return result._replace(X=result.X + 100.0)


def test_a_class_that_corrupts_in_its_own_way_is_asked():
    X, y = small_data()
    seen = []

    class Seeing(Centroids):
        def fit(self, X, y):
            seen.append(float(np.min(X)))
            return super().fit(X, y)

    cross_validate_corrupted(Seeing(), X, y, Shifting(rate=0.2), cv=2, random_state=0)
    assert min(seen[-2:]) > 50
    again, _ = Shifting(rate=0.2, random_state=0).fit_resample(X, y)
    assert np.min(again) > 50
