"""An assertion that fails with the worst error in words, and never passes without a test."""

import contextlib
import functools
import io
import signal

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from cheap_models import Centroids, Levels, share_right
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptedEstimator,
    CorruptionProcess,
    CorruptMissing,
    CorruptScale,
    SelectionBias,
)
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.testing import assert_robust
from skcorrupt.testing._error_in_code import code_of
from skcorrupt.testing._not_robust import NotRobust
from small_searches import ONE_SPLIT, small_data

pytestmark = pytest.mark.usefixtures("few_fits")

QUICK = {
    "strategy": BeamSearch(n_calls=4),
    "space": SearchSpace(max_conditions=1, n_bins=3),
    "scoring": share_right,
}


def asserted(**params):
    X, y = small_data()
    settings = {"corruption": "labels", "budget": 0.2, "max_drop": 0.9, **QUICK, **params}
    return assert_robust(Centroids(), X, y, **settings)


@functools.cache
def default():
    """The search of an assertion that holds, fitted once."""
    return asserted()


def drops(search):
    return {
        "confirmed": search.confirmed_baseline_score_ - search.confirmed_score_,
        "certain": search.confirmed_interval_[0],
        "searched": search.score_drop_,
    }


class TestVerdict:
    @pytest.mark.long
    def test_within_the_bound_the_fitted_search_is_returned(self):
        search = default()
        assert isinstance(search, AdversarialCorruptionSearch)
        assert search.budget == 0.2
        X, y = small_data()
        own = AdversarialCorruptionSearch(
            Centroids(), "labels", budget=0.2, random_state=0, **QUICK
        ).fit(X, y)
        assert repr(own.worst_corruption_) == repr(search.worst_corruption_)

    @pytest.mark.many
    @pytest.mark.parametrize("judge", ["confirmed", "certain", "searched"])
    @pytest.mark.long
    def test_each_judge_has_its_own_drop_and_the_bound_is_allowed(self, judge):
        drop = drops(default())[judge]
        # a drop below 0 is within any bound
        asserted(judge=judge, max_drop=max(drop, 0))
        if drop > 0:
            with pytest.raises(AssertionError, match=f"loses {drop:.4g} on"):
                asserted(judge=judge, max_drop=drop * (1 - 1e-9))

    def test_the_drops_differ_so_that_the_judge_matters(self):
        found = drops(default())
        assert found["certain"] < found["confirmed"]
        assert found["confirmed"] != found["searched"] > 0

    @pytest.mark.long
    def test_confirmed_is_the_default(self):
        found = drops(default())
        bound = (found["confirmed"] + found["searched"]) / 2
        fails = found["confirmed"] > bound
        for judge, expected in [(None, fails), ("confirmed", fails), ("searched", not fails)]:
            given = {} if judge is None else {"judge": judge}
            with pytest.raises(AssertionError) if expected else contextlib.nullcontext():
                asserted(max_drop=bound, **given)

    def test_the_outcome_is_the_same_every_time(self):
        assert asserted().confirmed_score_ == default().confirmed_score_

    def test_a_bound_of_zero(self):
        with pytest.raises(AssertionError, match="max_drop=0"):
            asserted(max_drop=0, judge="searched")

    def test_searched_needs_no_rows_set_aside(self):
        search = asserted(judge="searched", confirm_size=None, cv=ONE_SPLIT)
        assert not hasattr(search, "confirmed_score_")
        with pytest.raises(AssertionError) as failure:
            asserted(judge="searched", confirm_size=None, cv=ONE_SPLIT, max_drop=0)
        assert "confirmed" not in str(failure.value)

    @pytest.mark.long
    def test_groups_go_to_the_search(self):
        groups = np.arange(120) // 3
        own = asserted(fit_params={"groups": groups}, cv=GroupKFold(3))
        X, y = small_data()
        same = AdversarialCorruptionSearch(
            Centroids(), "labels", budget=0.2, cv=GroupKFold(3), random_state=0, **QUICK
        ).fit(X, y, groups=groups)
        assert own.confirmed_score_ == same.confirmed_score_


class TestMessage:
    def failure(self, **params):
        with pytest.raises(AssertionError) as failure:
            asserted(max_drop=0, judge="searched", **params)
        return str(failure.value)

    def test_it_has_the_worst_error_the_drops_and_the_bound(self):
        text, search = self.failure(), default()
        low, high = search.confirmed_interval_
        assert text.startswith("Centroids loses ")
        for part in (
            "more than max_drop=0.",
            search.summary(),
            f"searched {search.score_drop_:.4g}",
            f"confirmed {drops(search)['confirmed']:.4g}",
            f"(95 % interval {low:.4g} to {high:.4g})",
        ):
            assert part in text

    @pytest.mark.long
    def test_its_code_runs_and_shows_the_drop(self):
        text = self.failure()
        code = text.split("To reproduce the error:\n\n")[1]
        X, y = small_data()
        names = {"pipeline": Centroids(), "X": X, "y": y, "scoring": share_right}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec("\n".join(line[4:] for line in code.splitlines()), names)
        clean, dirty = map(float, printed.getvalue().split())
        assert clean == cross_val_score(Centroids(), X, y, scoring=share_right, cv=3).mean()
        model = CorruptedEstimator(Centroids(), default().worst_corruption_)
        assert dirty == cross_val_score(model, X, y, scoring=share_right, cv=3).mean() < clean

    @pytest.mark.long
    @pytest.mark.filterwarnings("ignore:scoring=.* is a function of yours")
    def test_code_for_served_rows_strikes_served_rows(self, capsys):
        served = {"corruption": "scale", "apply_to": "test", "judge": "searched", "max_drop": 0.0}
        with pytest.raises(AssertionError) as raised:
            asserted(**served)
        code = str(raised.value).partition("To reproduce the error:\n\n")[2]
        assert "cross_validate_corrupted" in code and "CorruptedEstimator" not in code
        X, y = small_data()
        names = {"pipeline": Centroids(), "X": X, "y": y, "scoring": share_right}
        exec("\n".join(line[4:] for line in code.splitlines()), names)
        clean, worst = map(float, capsys.readouterr().out.split())
        assert clean > worst

    @pytest.mark.parametrize("scoring", [None, "accuracy", share_right, "change"])
    @pytest.mark.filterwarnings("ignore:scoring=.* is a function of yours")
    def test_code_for_a_fitted_model_scores_it_as_it_is(self, scoring, capsys):
        X, y = small_data()
        # few rows, so that a fit on those that are served would give another model
        model = Fitted().fit(X.head(12), y.head(12))
        served = {**QUICK, "scoring": scoring, "apply_to": "test", "confirm_size": None}
        with pytest.raises(NotRobust) as raised:
            assert_robust(
                model, X, y, corruption=CorruptScale(factor=-9.0, rate=1.0), judge="searched",
                budget=0.3, max_drop=0.0, **served,
            )  # fmt: skip
        said, _, code = str(raised.value).partition("To reproduce the error:\n\n")
        names = {"pipeline": model, "X": X, "y": y, "scoring": share_right}
        exec("\n".join(line[4:] for line in code.splitlines()), names)
        clean, worst = map(float, capsys.readouterr().out.split())
        search = raised.value.search
        # every row of a pattern is struck, so that nothing is left to draws
        assert clean == pytest.approx(search.baseline_score_)
        assert worst == pytest.approx(search.worst_score_) and worst < clean
        if scoring == "change":
            assert "FrozenEstimator(pipeline)" in code
        else:
            assert "cross_validate" not in code
            told = (
                f"On all 120 rows the fitted model scores {clean:.4g} without it, and {worst:.4g}"
            )
            assert told in said

    def test_code_for_a_fitted_model_without_labels(self, capsys):
        X, y = small_data()
        model = Fitted().fit(X, y)
        with pytest.raises(NotRobust) as raised:
            assert_robust(
                model, X, None, corruption=CorruptScale(factor=-9.0, rate=1.0), judge="searched",
                budget=0.3, max_drop=0.0, apply_to="test", confirm_size=None,
                **{**QUICK, "scoring": "change"},
            )  # fmt: skip
        code = str(raised.value).partition("To reproduce the error:\n\n")[2]
        names = {"pipeline": model, "X": X, "y": None}
        exec("\n".join(line[4:] for line in code.splitlines()), names)
        clean, worst = map(float, capsys.readouterr().out.split())
        assert 0.0 == clean > worst == pytest.approx(raised.value.search.worst_score_)

    def test_rows_set_aside_are_scored_by_the_code_too(self, capsys):
        X, y = small_data()
        model = Fitted().fit(X, y)
        with pytest.raises(NotRobust) as raised:
            assert_robust(
                model, X, y, corruption="missing", judge="searched", max_drop=0.0,
                apply_to="test", budget=0.3, **{**QUICK, "scoring": "accuracy"},
            )  # fmt: skip
        said, _, code = str(raised.value).partition("To reproduce the error:\n\n")
        exec("\n".join(line[4:] for line in code.splitlines()), {"pipeline": model, "X": X, "y": y})
        clean, worst = map(float, capsys.readouterr().out.split())
        assert clean == model.score(X, y)
        assert f"scores {clean:.4g} without it, and {worst:.4g} with one draw" in said

    def test_code_of_a_process_and_of_a_splitter(self):
        worst = CorruptionProcess(
            [("lost", CorruptMissing("a", pattern="y == 1")), ("gone", SelectionBias(rate=0.1))]
        )
        search = AdversarialCorruptionSearch(None, None, cv=ONE_SPLIT, scoring="f1")
        code = code_of(search, worst)
        first = (
            "from skcorrupt import CorruptMissing, CorruptedEstimator, CorruptionProcess, Pattern,"
        )
        assert first in code and "SelectionBias" in code
        assert "scoring='f1', cv=cv)" in code
        search.cv = 5
        assert "cv=5)" in code_of(search, worst)

    def test_a_class_of_your_own_is_imported_from_where_it_lives(self):
        search = AdversarialCorruptionSearch(None, None)
        code = code_of(search, LostCells("a"))
        assert f"from {LostCells.__module__} import LostCells" in code


class Fitted(Centroids):
    """Takes gaps, as zeros."""

    def predict_proba(self, X):
        return super().predict_proba(X.fillna(0.0))


class Brittle(Centroids):
    """Gives up where much of a column is missing."""

    def fit(self, X, y):
        if X["a"].isna().mean() > 0.05:
            raise ValueError("too much of a is missing")
        return super().fit(X.fillna(0.0), y)

    def predict(self, X):
        return super().predict(X.fillna(0.0))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:The pipeline failed on", "ignore:The pipeline cannot take")
def test_a_pipeline_that_fails_within_the_budget_is_not_robust():
    X, y = small_data()
    params = {**QUICK, "corruption": "missing", "budget": 0.3, "max_drop": 0.9}
    with pytest.raises(AssertionError) as caught:
        assert_robust(Brittle(), X, y, **params)
    said = str(caught.value)
    assert "The pipeline fails under" in said and "too much of a is missing" in said
    code = said.partition("To reproduce the error:")[2]
    assert "CorruptMissing(" in code and "columns=['a']" in code
    params["space"] = SearchSpace(corrupt_columns=["b"], max_conditions=1)
    assert assert_robust(Brittle(), X, y, **params).score_drop_ <= 0.9


class LostCells(CorruptMissing):
    """A kind of error that a user wrote."""


class TestNothingTested:
    def test_no_feasible_candidate(self):
        with (
            pytest.warns(UserWarning, match="No candidate is feasible"),
            pytest.raises(ValueError, match="Nothing was tested: No feasible error"),
        ):
            asserted(space=SearchSpace(min_support=0.99, max_conditions=1))

    def test_too_few_rows_to_confirm_on(self):
        with (
            pytest.warns(UserWarning, match="not confirmed"),
            pytest.raises(ValueError, match="is NaN, so nothing was tested"),
        ):
            asserted(confirm_size=0.05)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"max_drop": -0.1}, r"max_drop=-0\.1 should be a number, 0 or more"),
            ({"max_drop": float("nan")}, "max_drop=nan"),
            ({"max_drop": float("inf")}, "max_drop=inf"),
            ({"max_drop": "5 %"}, "max_drop='5 %'"),
            ({"max_drop": True}, "max_drop=True"),
            ({"budget": [0.1, 0.2]}, r"budget=\[0\.1, 0\.2\] should be one number"),
            ({"judge": "mean"}, r"judge='mean' should be one of \['confirmed', 'certain'"),
            ({"confirm_size": None}, "judge='confirmed' needs rows that were not searched"),
            ({"budget": 2.0}, "'budget' parameter"),
            ({"update_baseline": True}, "update_baseline=True keeps a score .* there is none"),
        ],
    )
    def test_wrong_use_is_named(self, params, message):
        with pytest.raises(ValueError, match=message):
            asserted(**params)

    def test_a_misspelt_parameter(self):
        with pytest.raises(TypeError, match=r"assert_robust has no parameter 'max_dropp' .did you"):
            asserted(max_dropp=0.1)
        with pytest.raises(TypeError, match=r"'apply_too' .did you mean 'apply_to'"):
            asserted(apply_too="test")


@pytest.mark.long
def test_regression_in_units_of_the_score():
    X, _ = small_data()
    y = pd.Series(X.a + 3 * X.b)
    with pytest.raises(AssertionError, match="neg_mean_squared_error"):
        assert_robust(
            Levels(),
            X,
            y,
            corruption="missing",
            max_drop=0,
            judge="searched",
            scoring="neg_mean_squared_error",
            strategy=BeamSearch(n_calls=4),
            space=SearchSpace(max_conditions=1, n_bins=3),
        )


def test_what_was_interrupted_proves_nothing():
    calls = []

    def scorer(estimator, X, y):
        calls.append(1)
        if len(calls) == 12:
            signal.raise_signal(signal.SIGINT)
        return float(np.mean(estimator.predict(X) == y))

    X, y = load_breast_cancer(return_X_y=True)
    with (
        pytest.warns(UserWarning, match="interrupted"),
        pytest.raises(KeyboardInterrupt),
    ):
        assert_robust(
            GaussianNB(),
            X[:, :3],
            y,
            corruption="labels",
            max_drop=1.0,
            scoring=scorer,
            strategy=BeamSearch(n_calls=4),
        )
