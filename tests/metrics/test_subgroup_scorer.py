"""A score of some rows, against the same score on rows picked by hand."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer, make_scorer, mean_squared_error
from sklearn.model_selection import cross_validate

from cheap_models import Centroids
from flat_search import flat_search
from skcorrupt import Pattern
from skcorrupt.evaluation import ReplayedEstimator
from skcorrupt.metrics import make_coverage_scorer, make_subgroup_scorer
from small_searches import small_data

pytestmark = pytest.mark.usefixtures("few_fits")


@pytest.fixture(scope="module")
def fitted():
    X, y = small_data()
    return LogisticRegression().fit(X, y), X, y


class TestScore:
    @pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "f1", "neg_log_loss", None])
    @pytest.mark.parametrize(
        "pattern", ["a <= 2", {"a": (None, 2)}, Pattern.parse("a <= 2"), "a <= 2 and c == 1", None]
    )
    def test_it_is_the_score_of_the_rows_that_match(self, fitted, scoring, pattern):
        model, X, y = fitted
        rows = Pattern.parse(pattern).mask(X) if isinstance(pattern, str) else (X.a <= 2)
        rows = np.ones(len(X), dtype=bool) if pattern is None else np.asarray(rows)
        scorer = get_scorer(scoring or "accuracy")
        expected = scorer(model, X[rows], y[rows])
        assert make_subgroup_scorer(scoring, pattern)(model, X, y) == pytest.approx(expected)

    def test_callables_and_regression(self):
        X, _ = small_data()
        y = X.a + X.b**2
        model = LinearRegression().fit(X, y)
        rows = X.b > 0
        scorer = make_scorer(mean_squared_error, greater_is_better=False)
        expected = -mean_squared_error(y[rows], model.predict(X[rows]))
        for scoring in (scorer, "neg_mean_squared_error"):
            found = make_subgroup_scorer(scoring, "b > 0")(model, X, y)
            assert found == pytest.approx(expected)

        def spread(estimator, X, y):
            assert list(X.columns) == ["a", "b", "c"]
            assert len(X) == len(y) == rows.sum()
            return float(np.ptp(estimator.predict(X)) + np.ptp(estimator.predict(X[:3])))

        expected = np.ptp(model.predict(X[rows])) + np.ptp(model.predict(X[rows][:3]))
        assert make_subgroup_scorer(spread, "b > 0")(model, X, y) == pytest.approx(expected)

    def test_the_label_may_be_part_of_the_pattern(self, fitted):
        model, X, y = fitted
        recall = get_scorer("recall")(model, X, y)
        assert make_subgroup_scorer("accuracy", "y == 1")(model, X, y) == pytest.approx(recall)

    def test_other_containers(self, fitted):
        model, X, y = fitted
        expected = make_subgroup_scorer("roc_auc", "a <= 2")(model, X, y)
        plain = LogisticRegression().fit(X.to_numpy(), y)
        for pattern in ("x0 <= 2", {0: (None, 2)}):
            found = make_subgroup_scorer("roc_auc", pattern)(plain, X.to_numpy(), y.tolist())
            assert found == pytest.approx(expected)
        polar = pl.DataFrame(X.to_dict("list"))
        model = LogisticRegression().fit(polar, y)
        found = make_subgroup_scorer("roc_auc", "a <= 2")(model, polar, pl.Series(y.to_list()))
        assert found == pytest.approx(expected)

    def test_weights_are_cut_along(self, fitted):
        model, X, y = fitted
        weights, rows = np.arange(1.0, 121), X.a <= 2
        scorer = make_subgroup_scorer("accuracy", "a <= 2")
        expected = get_scorer("accuracy")(model, X[rows], y[rows], sample_weight=weights[rows])
        for given in (weights, weights.tolist(), pd.Series(weights)):
            assert scorer(model, X, y, sample_weight=given) == pytest.approx(expected)
        assert expected != scorer(model, X, y)

    def test_metadata_routing(self):
        X, y = small_data()
        weights = np.arange(1.0, 121)
        with sklearn.config_context(enable_metadata_routing=True):
            asking = get_scorer("accuracy").set_score_request(sample_weight=True)
            model = LogisticRegression().set_fit_request(sample_weight=False)
            scores = [
                cross_validate(
                    model, X, y, scoring=make_subgroup_scorer(s, "a <= 2"), params=params
                )["test_score"]
                for s, params in [(asking, {"sample_weight": weights}), ("accuracy", {})]
            ]
        assert (scores[0] != scores[1]).any()

    def test_scores_of_intervals(self):
        X, _ = small_data()

        class Band(LinearRegression):
            def predict_interval(self, X):
                return np.tile([0.0, 1.0], (len(X), 1))

        model = Band().fit(X, X.b)
        rows = X.a <= 2
        found = make_subgroup_scorer(make_coverage_scorer(), "a <= 2")(model, X, X.b)
        assert found == pytest.approx(X.b[rows].between(0, 1).mean())


class TestUndefined:
    def test_no_row_matches(self, fitted):
        with pytest.warns(UndefinedMetricWarning, match=r"matches none of the 120 rows") as seen:
            assert np.isnan(make_subgroup_scorer("accuracy", "a > 99")(*fitted))
        assert "accuracy where a > 99" in str(seen[0].message)

    @pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss"])
    def test_one_label_is_left(self, fitted, scoring):
        with pytest.warns(UndefinedMetricWarning, match="leaves 1 of 2 labels") as seen:
            assert np.isnan(make_subgroup_scorer(scoring, "y == 1")(*fitted))
        assert len(seen) == 1

    def test_a_label_of_several_is_lacking(self):
        X, y = small_data()
        three = np.where(X.c == 1, 2, y)
        model = LogisticRegression().fit(X, three)
        scorer = make_subgroup_scorer("roc_auc_ovr", "c == 0")
        with pytest.warns(UndefinedMetricWarning, match="leaves 2 of 3 labels"):
            assert np.isnan(scorer(model, X, three))

    def test_other_faults_of_the_score_are_raised(self, fitted):
        def broken(estimator, X, y):
            raise ValueError("no such thing")

        with pytest.raises(ValueError, match="no such thing"):
            make_subgroup_scorer(broken, "a <= 2")(*fitted)

    def test_wrong_use_is_named(self, fitted):
        with pytest.raises(ValueError, match="income"):
            make_subgroup_scorer("accuracy", "income <= 2")(*fitted)
        with pytest.raises(ValueError, match="acuracy"):
            make_subgroup_scorer("acuracy", "a <= 2")
        with pytest.raises(ValueError, match="names several scores"):
            make_subgroup_scorer(["accuracy", "f1"], "a <= 2")
        with pytest.raises(ValueError):
            make_subgroup_scorer("accuracy", "a <=")


class TestInASearch:
    @pytest.mark.slow
    def test_a_search_lowers_the_subgroup_s_score(self):
        X, y = small_data(300)
        scorer = make_subgroup_scorer("accuracy", "c == 1")
        search = flat_search(
            Centroids(), "labels", scoring=scorer, n_calls=4, max_conditions=1, random_state=0
        ).fit(X, y)
        assert search.worst_score_ < search.baseline_score_
        assert np.isfinite(search.confirmed_interval_).all()
        assert "accuracy where c == 1 0." in search.summary()

    def test_a_resample_asks_for_predictions_once(self, fitted):
        model, X, y = fitted

        class Counted(LogisticRegression):
            calls = 0

            def predict(self, X):
                Counted.calls += 1
                return super().predict(X)

        replay = ReplayedEstimator(Counted().fit(X, y), X, y, {})
        scorer, rng = make_subgroup_scorer("accuracy", "a <= 2"), np.random.default_rng(0)
        for _ in range(5):
            rows = rng.integers(0, 120, 120)
            part = rows[X.a.to_numpy()[rows] <= 2]
            expected = (model.predict(X) == y).to_numpy()[part].mean()
            assert replay.score_on(scorer, rows) == pytest.approx(expected)
        assert Counted.calls == 1

    def test_name_repr_and_pickle(self):
        for scoring, name in [
            ("f1", "f1"),
            (None, "score"),
            (make_scorer(mean_squared_error), "mean_squared_error"),
        ]:
            scorer = make_subgroup_scorer(scoring, {"a": (None, 2)})
            assert scorer.__name__ == f"{name} where a <= 2"
            assert pickle.loads(pickle.dumps(scorer)).__name__ == scorer.__name__
        shown = repr(make_subgroup_scorer("f1", "a <= 2"))
        assert shown == "make_subgroup_scorer('f1', pattern='a <= 2')"
        again = eval(shown, {"make_subgroup_scorer": make_subgroup_scorer})
        assert again.__name__ == "f1 where a <= 2"
