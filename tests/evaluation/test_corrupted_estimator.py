"""A corruption in front of an estimator, inside plain scikit-learn."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from cheap_models import Centroids, Levels
from skcorrupt import (
    CorruptDuplicates,
    CorruptedEstimator,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    SelectionBias,
)
from small_searches import small_data


class Recorder(ClassifierMixin, BaseEstimator):
    """Keeps what it is given."""

    def fit(self, X, y, sample_weight=None, sensitive_features=None, note=None):
        """Keep it."""
        self.classes_ = np.unique(y)
        self.given_ = {
            "X": X, "y": y, "sample_weight": sample_weight,
            "sensitive_features": sensitive_features, "note": note,
        }  # fmt: skip
        return self

    def predict(self, X, offset=0):
        """The first column, moved."""
        return np.asarray(X)[:, 0] + offset

    def score(self, X, y, sample_weight=None):
        """A number that tells whether weights came along."""
        return -1.0 if sample_weight is None else float(np.sum(sample_weight))


class TestSklearnChecks:
    pytestmark = pytest.mark.filterwarnings("ignore")

    @pytest.mark.parametrize(
        ("model", "corruption", "expected"),
        [
            (Centroids(), CorruptMissing(rate=0.2, random_state=0), {}),
            (Centroids(), SelectionBias(rate=0.2, random_state=0), {}),
            (Centroids(), CorruptLabels(rate=0.1, random_state=0), {}),
            (
                Levels(),
                CorruptNoise(rate=0.1, random_state=0),
                {"check_dtype_object": "cells that are dictionaries have no other category"},
            ),
        ],
        ids=["missing", "selection", "labels", "noise"],
    )
    def test_common_checks(self, model, corruption, expected):
        check_estimator(CorruptedEstimator(model, corruption), expected_failed_checks=expected)


class TestFit:
    @pytest.mark.parametrize(
        "corruption",
        [
            CorruptMissing("a", pattern="y == 1", rate=0.5, random_state=0),
            CorruptLabels(rate=0.3, random_state=0),
            SelectionBias(pattern="a <= 2", rate=0.5, random_state=0),
            CorruptDuplicates(rate=0.2, random_state=0),
            CorruptionProcess(
                [("m", CorruptMissing("a", rate=0.2)), ("s", SelectionBias(rate=0.3))],
                random_state=0,
            ),
        ],
        ids=lambda c: type(c).__name__,
    )
    def test_the_estimator_sees_what_the_corruption_makes(self, corruption):
        X, y = small_data()
        model = CorruptedEstimator(Recorder(), corruption).fit(X, y)
        X_dirty, y_dirty, record = clone(corruption).fit(X, y).corrupt(X, y)
        pd.testing.assert_frame_equal(model.estimator_.given_["X"], X_dirty)
        pd.testing.assert_series_equal(model.estimator_.given_["y"], y_dirty)
        np.testing.assert_array_equal(model.record_.sample_indices, record.sample_indices)
        assert not hasattr(model.estimator, "given_")
        assert not hasattr(corruption, "reference_")

    @pytest.mark.parametrize("routing", [False, True])
    @pytest.mark.parametrize("corruption", [SelectionBias(rate=0.4), CorruptDuplicates(rate=0.4)])
    def test_arrays_with_an_entry_a_row_are_cut_along(self, routing, corruption):
        X, y = small_data()
        weights = np.arange(120.0)
        sex = pd.Series(np.where(X.c == 1, "f", "m"), index=np.arange(120) * 2)
        with sklearn.config_context(enable_metadata_routing=routing):
            inner = Recorder()
            if routing:
                inner.set_fit_request(sample_weight=True, sensitive_features=True, note=True)
            model = CorruptedEstimator(inner, corruption)
            model.fit(X, y, sample_weight=weights, sensitive_features=sex, note="kept")
        kept = model.record_.sample_indices
        given = model.estimator_.given_
        np.testing.assert_array_equal(given["sample_weight"], weights[kept])
        pd.testing.assert_series_equal(given["sensitive_features"], sex.iloc[kept])
        assert given["note"] == "kept"
        np.testing.assert_array_equal(given["X"].index, X.index[kept])

    def test_lists_and_frames_are_cut_too(self):
        X, y = small_data()
        frame = X[["a", "c"]]
        model = CorruptedEstimator(Recorder(), SelectionBias(rate=0.4, random_state=0))
        model.fit(X, y, sample_weight=list(range(120)), sensitive_features=frame)
        kept = model.record_.sample_indices
        assert model.estimator_.given_["sample_weight"] == kept.tolist()
        pd.testing.assert_frame_equal(
            model.estimator_.given_["sensitive_features"], frame.iloc[kept]
        )

    @pytest.mark.parametrize("corruption", [SelectionBias(rate=0.4), CorruptDuplicates(rate=0.4)])
    @pytest.mark.parametrize("as_list", [False, True])
    def test_weights_of_the_rows_that_are_left_are_refused(self, corruption, as_list):
        X, y = small_data()
        n_left = CorruptedEstimator(Recorder(), corruption).fit(X, y).record_.sample_indices.size
        weights = [1.0] * n_left if as_list else np.ones(n_left)
        with pytest.raises(ValueError, match=f"sample_weight has {n_left} .*each of the 120 rows"):
            CorruptedEstimator(Recorder(), corruption).fit(X, y, sample_weight=weights)

    def test_without_labels(self):
        X, _ = small_data()
        model = CorruptedEstimator(
            KMeans(2, n_init=1, random_state=0), SelectionBias(rate=0.3, random_state=0)
        ).fit(X)
        kept = model.record_.sample_indices
        alone = KMeans(2, n_init=1, random_state=0).fit(X.iloc[kept])
        np.testing.assert_array_equal(model.predict(X), alone.predict(X))
        np.testing.assert_allclose(model.transform(X), alone.transform(X))

    def test_an_unrequested_weight_is_an_error_with_routing(self):
        X, y = small_data()
        with sklearn.config_context(enable_metadata_routing=True):
            model = CorruptedEstimator(Recorder(), SelectionBias())
            with pytest.raises(ValueError, match="sample_weight"):
                model.fit(X, y, sample_weight=np.ones(120))

    def test_weights_go_through_cross_validation_with_routing(self):
        X, y = small_data()
        weights = np.arange(120.0)
        with sklearn.config_context(enable_metadata_routing=True):
            inner = Recorder().set_fit_request(sample_weight=True)
            inner.set_score_request(sample_weight=True)
            model = CorruptedEstimator(inner, SelectionBias(rate=0.4, random_state=0))
            found = cross_validate(
                model, X, y, params={"sample_weight": weights}, cv=3, return_estimator=True,
                return_indices=True, error_score="raise",
            )  # fmt: skip
        for k, fitted in enumerate(found["estimator"]):
            train, test = found["indices"]["train"][k], found["indices"]["test"][k]
            kept = train[fitted.record_.sample_indices]
            np.testing.assert_array_equal(fitted.estimator_.given_["sample_weight"], weights[kept])
            assert found["test_score"][k] == weights[test].sum()


class TestPredict:
    def test_new_data_stays_clean(self):
        X, y = small_data()
        model = CorruptedEstimator(Recorder(), CorruptNoise("a", rate=1.0)).fit(X, y)
        np.testing.assert_array_equal(model.predict(X), X.a)
        np.testing.assert_array_equal(model.predict(X, offset=2), X.a + 2)

    def test_when_always_corrupts_new_data_too(self):
        X, y = small_data()
        corruption = CorruptNoise("a", rate=1.0, when="always", random_state=0)
        model = CorruptedEstimator(Recorder(), corruption).fit(X, y)
        expected = clone(corruption).fit(X, y).transform(X)
        assert (expected.a != X.a).all()
        np.testing.assert_array_equal(model.predict(X), expected.a)
        np.testing.assert_array_equal(model.estimator_.given_["X"].a, expected.a)

    def test_the_methods_are_those_of_the_estimator(self):
        X, y = small_data()
        probable = CorruptedEstimator(LogisticRegression(), CorruptLabels(random_state=0))
        for name in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
            with pytest.raises(NotFittedError):
                getattr(probable, name)(X)
        probable.fit(X, y)
        for name in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
            np.testing.assert_array_equal(
                getattr(probable, name)(X), getattr(probable.estimator_, name)(X)
            )
        assert not hasattr(CorruptedEstimator(Perceptron(), SelectionBias()), "predict_proba")
        assert not hasattr(probable, "transform")
        assert probable.score(X, y) == probable.estimator_.score(X, y)
        np.testing.assert_array_equal(probable.classes_, [0, 1])

    def test_the_kind_of_estimator_is_kept(self):
        assert is_classifier(CorruptedEstimator(Centroids(), SelectionBias()))
        assert is_regressor(CorruptedEstimator(Levels(), SelectionBias()))
        assert not hasattr(CorruptedEstimator(Levels(), SelectionBias()), "classes_")


class TestInsideOtherTools:
    def test_grid_search_over_the_rate(self):
        X, y = small_data()
        model = CorruptedEstimator(
            Centroids(), CorruptMissing("a", pattern="y == 1", random_state=0)
        )
        grid = {"corruption__rate": [0.0, 0.5, 1.0], "corruption__pattern": [None, "y == 1"]}
        search = GridSearchCV(model, grid, cv=3, scoring="roc_auc", error_score="raise").fit(X, y)
        scores = pd.DataFrame(search.cv_results_)
        clean = cross_val_score(Centroids(), X, y, cv=3, scoring="roc_auc").mean()
        at_zero = scores[scores.param_corruption__rate == 0].mean_test_score
        np.testing.assert_allclose(at_zero, clean, atol=1e-12)
        assert scores.mean_test_score.nunique() > 2
        assert search.predict_proba(X).shape == (120, 2)

    def test_the_last_step_of_a_pipeline(self):
        X, y = small_data()
        model = Pipeline(
            [
                ("scale", StandardScaler().set_output(transform="pandas")),
                ("model", CorruptedEstimator(Recorder(), CorruptMissing("a", rate=1.0))),
            ]
        ).fit(X, y)
        given = model[-1].estimator_.given_["X"]
        assert given.a.isna().all()
        np.testing.assert_allclose(given.b.std(ddof=0), 1)
        np.testing.assert_allclose(model.predict(X), StandardScaler().fit_transform(X)[:, 0])

    def test_a_pipeline_inside(self):
        X, y = small_data()
        inner = make_pipeline(StandardScaler(), LogisticRegression())
        model = CorruptedEstimator(inner, CorruptLabels(pattern="y == 1", rate=1.0))
        with pytest.raises(ValueError, match="class"):
            model.fit(X, y)
        flipped = CorruptedEstimator(inner, CorruptLabels(rate=1.0)).fit(X, y)
        assert flipped.score(X, y) < 0.2

    def test_names_pickles_and_clones(self):
        X, y = small_data()
        model = CorruptedEstimator(Centroids(), CorruptMissing(rate=0.3, random_state=0))
        model.fit(X, y)
        assert model.n_features_in_ == 3
        assert model.feature_names_in_.tolist() == ["a", "b", "c"]
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        assert not hasattr(clone(model), "estimator_")
        model.fit(X.to_numpy(), y)
        assert not hasattr(model, "feature_names_in_")
        assert "CorruptMissing" in repr(model)

    def test_an_unseeded_corruption_draws_afresh(self):
        X, y = small_data()
        model = CorruptedEstimator(Recorder(), CorruptMissing("a", rate=0.5))
        first, second = (model.fit(X, y).estimator_.given_["X"].a.isna() for _ in range(2))
        assert first.sum() == second.sum() == 60
        assert (first != second).any()
