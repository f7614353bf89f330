"""The search as a scikit-learn estimator: parameters, delegation, checks, words."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from cheap_models import Centroids, Levels, share_right
from flat_search import flat_search
from skcorrupt import AdversarialCorruptionSearch, CorruptDuplicates, CorruptLabels, CorruptMissing
from skcorrupt.adversarial import AdversarialSearchDisplay
from skcorrupt.utils._as_text import score
from small_searches import quick, results, small_data

pytestmark = pytest.mark.usefixtures("few_fits")

CHEAP = {
    "exhaustive": True, "max_conditions": 0, "n_bins": 2, "cv": 2, "confirm_size": None,
    "random_state": 0,
}  # fmt: skip


class TestSklearnChecks:
    pytestmark = pytest.mark.filterwarnings("ignore")

    @pytest.mark.parametrize(
        ("corruption", "refit"), [("missing", True), ("labels", False), ("selection", True)]
    )
    @pytest.mark.many
    def test_around_a_classifier(self, corruption, refit):
        search = flat_search(Centroids(), corruption, refit=refit, scoring=share_right, **CHEAP)
        check_estimator(search)

    @pytest.mark.slow
    def test_around_a_regressor(self):
        search = flat_search(Levels(), "missing", refit=True, **CHEAP)
        check_estimator(search)


class TestParameters:
    def test_parameters_of_space_and_strategy_are_nested(self):
        search = quick(n_calls=4, n_bins=3)
        search.set_params(space__n_bins=5, strategy__n_calls=6)
        assert (search.space.n_bins, search.strategy.n_calls) == (5, 6)
        again = pickle.loads(pickle.dumps(clone(search)))
        assert (again.space.n_bins, again.strategy.n_calls) == (5, 6)
        assert again.space is not search.space

    @pytest.mark.parametrize("name", ["space__n_bins", "strategy__n_calls"])
    def test_what_is_not_there_has_no_parameters(self, name):
        owner = name.partition("__")[0]
        with pytest.raises(ValueError, match=f"{name} needs .* pass {owner}="):
            AdversarialCorruptionSearch(Centroids(), "missing").set_params(**{name: 3})

    def test_nested_parameters(self):
        search = quick(CorruptMissing(rate=0.2), LogisticRegression(C=3.0))
        assert search.get_params()["estimator__C"] == 3.0
        search.set_params(estimator__C=1.0, corruption__rate=0.3)
        assert search.estimator.C == 1.0
        assert search.corruption.rate == 0.3

    def test_nothing_happens_before_fit(self):
        given = {"estimator": object(), "corruption": object(), "budget": "much"}
        search = flat_search(**given)
        assert {name: search.get_params(deep=False)[name] for name in given} == given
        assert not [name for name in vars(search) if name.endswith("_")]

    def test_fitted_attributes(self):
        X, y = small_data()
        search = quick(cv=2, confirm_size=0.25, n_calls=2, max_conditions=1).fit(X, y)
        assert search.n_features_in_ == 3
        assert search.feature_names_in_.tolist() == ["a", "b", "c"]
        assert search.scorer_(Centroids().fit(X, y), X, y) == Centroids().fit(X, y).score(X, y)
        assert not hasattr(quick().fit(X.to_numpy(), y), "feature_names_in_")
        for value in (search.worst_score_, search.random_score_, search.overhead_):
            assert type(value) is float
        assert isinstance(search.n_evaluations_, int)

    def test_the_template_and_the_pipeline_are_left_unfitted(self):
        X, y = small_data()
        template, model = CorruptMissing(), Centroids()
        search = quick(template, model, refit=True, n_calls=2, max_conditions=1).fit(X, y)
        assert not hasattr(template, "reference_")
        assert not hasattr(model, "classes_")
        assert not hasattr(search.worst_corruption_, "reference_")
        assert search.worst_corruption_.pattern == search.worst_pattern_
        assert search.worst_corruption_.columns == search.worst_columns_

    def test_a_fitted_search_pickles(self):
        X, y = small_data()
        search = quick(refit=True, n_calls=2, max_conditions=1).fit(X, y)
        again = pickle.loads(pickle.dumps(search))
        assert again.summary() == search.summary()
        np.testing.assert_array_equal(again.predict(X), search.predict(X))
        X_test, y_test = small_data(60, seed=4)
        again.confirm(X_test, y_test)
        search.confirm(X_test, y_test)
        assert again.confirmed_interval_ == search.confirmed_interval_


class TestResults:
    @pytest.mark.long
    def test_the_table_and_its_ranks(self):
        X, y = small_data()
        search = quick(cv=3, n_calls=3, scoring="roc_auc").fit(X, y)
        table = results(search)
        assert len(table) == search.n_evaluations_
        splits = table[[f"split{k}_test_score" for k in range(3)]].to_numpy()
        np.testing.assert_allclose(table.mean_test_score, splits.mean(axis=1))
        np.testing.assert_allclose(table.std_test_score, splits.std(axis=1))
        order = table.mean_test_score.rank(method="min").astype(int)
        np.testing.assert_array_equal(table.rank_test_score, order)
        winner = table[table.rank_test_score == 1].iloc[0]
        assert winner.mean_test_score == search.worst_score_ == table.mean_test_score.min()
        assert winner.pattern == search.worst_pattern_
        assert list(winner["columns"]) == search.worst_columns_
        assert winner.rate == search.worst_corruption_.rate
        assert (table.mean_fit_time > 0).all()
        assert (table.mean_score_time > 0).all()

    def test_a_candidate_can_be_taken_from_the_table(self):
        X, y = small_data()
        search = quick(n_calls=3).fit(X, y)
        for corruption, fraction in zip(
            search.cv_results_["corruption"], search.cv_results_["row_fraction"], strict=True
        ):
            record = clone(corruption).set_params(random_state=0).corrupt(X[:80], y[:80]).record
            assert record.row_fraction == fraction


class TestRefit:
    def test_without_refit_there_is_nothing_to_predict_with(self):
        X, y = small_data()
        search = quick(n_calls=2, max_conditions=1).fit(X, y)
        for name in ("predict", "predict_proba", "decision_function", "score", "classes_"):
            assert not hasattr(search, name)
        with pytest.raises(AttributeError, match="predict"):
            search.predict(X)
        assert get_tags(search).estimator_type is None
        assert not is_classifier(search)

    def test_with_refit_it_is_the_estimator_on_the_worst_data(self):
        X, y = small_data()
        names = y.map({0: "no", 1: "yes"})
        search = quick(refit=True, budget=1.0, scoring="roc_auc", n_calls=4).fit(X, names)
        assert is_classifier(search)
        X_dirty = X.copy()
        X_dirty.loc[search.worst_pattern_.mask(X, names), search.worst_columns_] = np.nan
        by_hand = Centroids().fit(X_dirty, names)
        np.testing.assert_allclose(search.predict_proba(X), by_hand.predict_proba(X))
        np.testing.assert_array_equal(search.predict(X), by_hand.predict(X))
        np.testing.assert_array_equal(search.classes_, ["no", "yes"])
        expected = get_scorer("roc_auc")(by_hand, X, names)
        assert search.score(X, names) == pytest.approx(expected, abs=1e-12)
        assert not hasattr(search, "decision_function")
        search.confirm(X, names)

    def test_the_methods_are_those_of_the_estimator(self):
        X, y = small_data()
        search = quick("labels", Perceptron(), refit=True, n_calls=1, max_conditions=1)
        assert hasattr(search, "decision_function")
        assert not hasattr(search, "predict_proba")
        with pytest.raises(NotFittedError):
            search.predict(X)
        search.fit(X, y)
        expected = search.worst_estimator_.decision_function(X)
        np.testing.assert_array_equal(search.decision_function(X), expected)
        regressor = quick("missing", Levels(), refit=True, n_calls=1, max_conditions=1)
        assert is_regressor(regressor)
        assert regressor.fit(X, X.a).predict(X).shape == (120,)

    def test_dropped_rows_take_their_weights_along(self):
        X, y = small_data()
        weights = np.linspace(0, 1, 120)
        search = quick("selection", refit=True, budget=1.0, n_calls=2, max_conditions=1)
        search.fit(X, y, sample_weight=weights)
        assert search.worst_corruption_.rate == 1
        keep = ~search.worst_pattern_.mask(X, y)
        by_hand = Centroids().fit(X[keep], y[keep], sample_weight=weights[keep])
        np.testing.assert_allclose(search.predict_proba(X), by_hand.predict_proba(X))

    def test_nested_cross_validation(self):
        X, y = small_data()
        search = quick("labels", refit=True, cv=2, n_calls=2, max_conditions=0, budget=0.4)
        scores = cross_val_score(search, X, y, cv=3, error_score="raise")
        clean = cross_val_score(Centroids(), X, y, cv=3)
        assert scores.shape == (3,)
        assert scores.mean() <= clean.mean()


class TestWords:
    @pytest.mark.many
    @pytest.mark.parametrize(
        ("corruption", "start"),
        [
            (CorruptMissing("a"), "Losing `a` in "),
            (CorruptMissing(["a", "b"], pattern="y == 1"), "Losing `a`, `b` in "),
            ("labels", "Flipping the label in "),
            (CorruptLabels(missing_label=-1), "Erasing the label in "),
            ("selection", "Dropping "),
            (CorruptDuplicates(), "Duplicating "),
        ],
    )
    def test_the_summary_is_a_sentence(self, corruption, start):
        X, y = small_data()
        search = quick(corruption, scoring="accuracy", n_calls=2).fit(X, y)
        text = search.summary()
        assert text.startswith(start)
        assert f"where {search.worst_pattern_}: accuracy " in text
        share = search.worst_corruption_.rate
        assert ("every row" in text) == (share == 1)
        if share < 1:
            assert f"{100 * share:.3g} % of rows" in text
        baseline, worst = (f"{s:.3f}" for s in (search.baseline_score_, search.worst_score_))
        assert f"accuracy {baseline} → {worst} (random 0." in text
        assert text.endswith(".")
        assert "\n" not in text

    @pytest.mark.parametrize(
        ("rate", "share", "end"),
        [(0.8, "80 %", ""), (0.25, "25 %", "; no candidate lowers the score")],
    )
    def test_the_whole_sentence(self, rate, share, end):
        X, y = small_data()
        template = CorruptMissing("b", pattern={"b": (0.0, None), "y": 1}, rate=rate)
        search = quick(template, max_conditions=0, scoring="accuracy", budget=1.0).fit(X, y)
        assert (search.score_drop_ > 0) == (not end)
        scores = (search.baseline_score_, search.worst_score_, search.random_score_)
        clean, worst, random = (f"{score:.3f}" for score in scores)
        # what a condition on the label asks for is said after it
        assert search.summary().startswith(
            f"Losing `b` in {share} of rows where b >= 0 and y == 1: accuracy {clean} → {worst} "
            f"(random {random}){end}. `y` is the true label"
        )

    def test_a_template_on_every_row(self):
        X, y = small_data()
        search = quick("selection", max_conditions=0, label="allowed", n_calls=9).fit(X, y)
        table = results(search)
        assert "every row" in {str(p) for p in table.pattern}
        unbounded = quick("selection", max_conditions=0, label="allowed", n_calls=9)
        unbounded.set_params(space__exclude=["y == 0", "y == 1"]).fit(X, y)
        assert unbounded.summary().startswith("Dropping 10 % of rows: ")

    def test_unfitted(self):
        with pytest.raises(NotFittedError):
            quick().summary()

    def test_large_and_negative_scores(self):
        X, _ = small_data()
        search = quick("missing", Levels(), scoring="neg_mean_squared_error", n_calls=2)
        search.fit(X, 1000 * X.a)
        assert f"negative mean squared error {score(search.baseline_score_)} → " in search.summary()


def test_the_display_shows_the_scores():
    X, y = small_data()
    search = quick("labels", cv=2, confirm_size=0.25, n_calls=2, max_conditions=1, budget=0.4).fit(
        X, y
    )
    display = AdversarialSearchDisplay.from_search(search).plot()
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(display.scores)
    assert display.scores["worst found"] == search.worst_score_
    shown = {text.get_text() for text in display.ax_.texts}
    assert shown == {f"{score:.3f}" for score in display.scores.values()}
    low, high = search.confirmed_interval_
    (line,) = [line for line in display.ax_.lines if len(set(line.get_xdata())) == 2]
    clean = search.confirmed_baseline_score_
    np.testing.assert_allclose(sorted(line.get_xdata()), [clean - high, clean - low])
