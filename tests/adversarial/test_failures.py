"""Pipelines that refuse the error, scorers that fail, searches with nothing to find."""

import re
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.exceptions import FitFailedWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from cheap_models import Centroids, Refusing
from skcorrupt import CorruptLabels, CorruptMissing, SampleCorruption, SelectionBias
from skcorrupt.adversarial.display import broken_by
from skcorrupt.base import Edit
from small_searches import ONE_SPLIT, quick, results, small_data

pytestmark = pytest.mark.usefixtures("few_fits")


class Erase(SampleCorruption):
    """Drops all rows but two of one class, whatever the rate says."""

    def _strike_rows(self, rows, table, target, reference, noise):
        keep = np.flatnonzero(target.values == target.values[0])[:2]
        return Edit(dropped=np.setdiff1d(np.arange(table.n_rows), keep))


class Empty(SampleCorruption):
    """Drops all rows."""

    def _strike_rows(self, rows, table, target, reference, noise):
        return Edit(dropped=np.arange(table.n_rows))


def first_probability(model, X, y):
    """Mean probability of the label, without a prediction."""
    return float(np.mean(model.predict_proba(X)[np.arange(len(y)), np.asarray(y)]))


class FailsOnFewOnes(Centroids):
    """Fails halfway: on training data with fewer ones than there should be."""

    def __init__(self, least):
        self.least = least

    def fit(self, X, y, sample_weight=None):
        """Fit, or fail."""
        if np.sum(np.asarray(y) == 1) < self.least:
            raise RuntimeError("too few ones to learn from")
        return super().fit(X, y, sample_weight)


class TestPipelinesThatRefuse:
    @pytest.mark.parametrize(
        ("model", "step"),
        [
            (
                Pipeline([("scale", StandardScaler()), ("clf", LogisticRegression())]),
                r"step 'clf' \(LogisticRegression\)",
            ),
            (LogisticRegression(), "LogisticRegression"),
            (
                Pipeline(
                    [
                        ("in", Pipeline([("scale", StandardScaler()), ("ref", Refusing((0, 1)))])),
                    ]
                ),
                r"step 'in__ref' \(Refusing\)",
            ),
        ],
    )
    def test_the_step_and_the_remedy_are_named_before_any_candidate(self, model, step):
        X, y = small_data()
        X = X[["a", "b"]]
        with pytest.raises(ValueError, match=f"{step}.*missing values; add an imputer"):
            quick("missing", model).fit(X, y)
        with pytest.raises(ValueError, match="add an imputer"):
            quick("missing", model).plan(X, y)

    @pytest.mark.parametrize("nested", [False, True])
    def test_a_step_that_drops_rows(self, nested):
        X, y = small_data()
        drops = FunctionTransformer(lambda X: X.dropna())
        first, step = (make_pipeline(drops), "pipeline__") if nested else (drops, "")
        said = rf"step '{step}functiontransformer' \(.*\) returned \d+ of 80 rows, but"
        search = quick("missing", make_pipeline(first, GaussianNB()))
        for data in (X, X.mask(X["b"] < 0)):
            with pytest.raises(ValueError, match=said):
                search.plan(data, y)

    def test_all_columns_of_a_template_are_hit_together(self):
        X, y = small_data()
        with pytest.raises(ValueError, match="Refusing does not accept missing values"):
            quick(CorruptMissing(["a", "b"]), Refusing((0,))).fit(X, y)

    def test_erased_labels(self):
        X, y = small_data()
        model = make_pipeline(SimpleImputer(), LogisticRegression())
        with pytest.raises(ValueError, match=r"'logisticregression'.* missing labels"):
            quick(CorruptLabels(missing_label=np.nan), model).fit(X, y)
        marked = quick(CorruptLabels(missing_label=-1), Centroids(), n_calls=2).fit(X, y)
        assert marked.worst_score_ < marked.baseline_score_

    @pytest.mark.parametrize(("name", "told"), [("b", "['b']"), ("b, left", "['`b, left`']")])
    def test_a_pipeline_that_refuses_some_columns_is_searched_on_the_others(self, name, told):
        X, y = small_data()
        X = X.rename(columns={"b": name})
        search = quick("missing", Refusing((1,)), max_conditions=2)
        with pytest.warns() as caught:
            search.fit(X, y)
        texts = [str(w.message) for w in caught]
        assert len(texts) == 2
        assert f"cannot take the error in {told}" in texts[0]
        assert caught[1].category is FitFailedWarning
        assert "Input X contains NaN in position 1." in texts[1]
        table = results(search)
        failed = table["columns"] == (name,)
        assert set(table.status[failed]) == {"failed"}
        assert set(table.status[~failed]) == {"ok"}
        assert table.mean_test_score[failed].isna().all()
        assert table.message[failed].str.contains("ValueError: Input X contains NaN").all()
        assert (table.rank_test_score[failed] > table.rank_test_score[~failed].max()).all()
        assert search.worst_columns_ != ["b"]
        assert np.isfinite(search.worst_score_)
        assert f"failed on {failed.sum()} of {len(table)} candidates" in texts[1]
        assert "pass space=SearchSpace(corrupt_columns=[…]) with the others" in texts[0]
        assert f"Errors in `{name}` have no score: the pipeline raises." in search.summary()

    def test_a_column_transformer_that_imputes_some_columns_only(self):
        X, y = small_data()
        model = make_pipeline(
            make_column_transformer((SimpleImputer(), ["a"]), remainder="passthrough"),
            LogisticRegression(),
        )
        search = quick("missing", model, max_conditions=1, n_calls=2)
        with (
            pytest.warns(UserWarning, match=r"cannot take the error in \['b', 'c'\]"),
            pytest.warns(FitFailedWarning),
        ):
            search.fit(X, y)
        assert search.worst_columns_ == ["a"]
        assert "Errors in `b`, `c` have no score" in search.summary()

    def test_of_several_kinds_it_is_told_which_breaks_the_pipeline(self):
        X, y = small_data()
        search = quick(["missing", "noise"], Refusing((1,)), max_conditions=1, n_calls=2)
        with pytest.warns(UserWarning), pytest.warns(FitFailedWarning):
            search.fit(X, y)
        assert "Errors in `b` (missing) have no score" in search.summary()

    def test_columns_that_are_hit_together_are_told_apart_from_others(self):
        found = {
            "columns": [("a", "b"), ("b", "c"), ("a", "c")],
            "status": ["failed", "failed", "ok"],
            "mean_test_score": [np.nan, np.nan, 0.5],
        }
        assert broken_by([SimpleNamespace(cv_results_=found)]) == ["`a` and `b`", "`b` and `c`"]


class TestErrorScore:
    def failing(self, **params):
        X, y = small_data()
        n_ones = int(y.iloc[ONE_SPLIT[0][0]].sum())
        return quick(SelectionBias(), FailsOnFewOnes(n_ones - 3), **params), X, y

    def test_nan_never_wins(self):
        search, X, y = self.failing()
        with pytest.warns(FitFailedWarning, match="too few ones to learn from"):
            search.fit(X, y)
        table = results(search)
        assert {"failed", "ok"} <= set(table.status)
        assert search.worst_score_ == table.mean_test_score.min()
        assert set(table.status[table.rank_test_score == 1]) == {"ok"}
        n = (table.status == "failed").sum()
        told = f"{n} of {len(table)} candidates ha[sv]e? no score: the pipeline raises"
        assert re.search(told, search.summary())

    def test_a_number_is_the_score(self):
        search, X, y = self.failing(error_score=-5.0)
        with pytest.warns(FitFailedWarning, match="score -5.0"):
            search.fit(X, y)
        assert search.worst_score_ == -5.0
        assert (results(search).status == "failed").any()
        assert "no score" not in search.summary()

    def test_raise(self):
        search, X, y = self.failing(error_score="raise")
        with pytest.raises(RuntimeError, match="too few ones"):
            search.fit(X, y)

    def test_raise_leaves_infeasible_candidates_alone(self):
        X, y = small_data()
        with pytest.warns(UserWarning, match="No candidate is feasible"):
            quick(Empty(), error_score="raise").fit(X, y)


class TestScorers:
    def test_a_scorer_that_raises_on_clean_data(self):
        def broken(model, X, y):
            raise KeyError("no such column")

        X, y = small_data()
        with pytest.raises(KeyError, match="no such column"):
            quick(scoring=broken).fit(X, y)

    def test_a_scorer_that_raises_on_some_candidates(self):
        X, y = small_data()
        clean = Centroids().fit(X.iloc[:80], y.iloc[:80]).means_

        def picky(model, X_test, y_test):
            if model.means_[0, 0] < clean[0, 0]:
                raise ZeroDivisionError("no gap")
            return float(model.score(X_test, y_test))

        search = quick(scoring=picky, n_calls=8)
        with pytest.warns(FitFailedWarning, match="ZeroDivisionError: no gap"):
            search.fit(X, y)
        assert {"failed", "ok"} == set(results(search).status)

    @pytest.mark.parametrize("scoring", [["accuracy", "f1"], {"a": "accuracy"}, ("f1",)])
    def test_several_scores_are_refused(self, scoring):
        X, y = small_data()
        with pytest.raises(ValueError, match=r"names several scores.*pass a single"):
            quick(scoring=scoring).fit(X, y)

    def test_a_scorer_that_returns_several_scores_is_refused(self):
        X, y = small_data()
        with pytest.raises(
            ValueError,
            match=r"returned \{'p': 1.0, 'q': 0.0\} \(dict\); .* should return one real number",
        ):
            quick(scoring=lambda model, X, y: {"p": 1.0, "q": 0.0}).fit(X, y)

    def test_a_baseline_that_is_nan(self):
        X, y = small_data()
        with pytest.raises(ValueError, match=r"clean pipeline scores .*nan"):
            quick(scoring=lambda model, X, y: np.nan).fit(X, y)

    def test_an_unknown_scorer(self):
        X, y = small_data()
        with pytest.raises(ValueError, match="scoring"):
            quick(scoring="roc_acu").fit(X, y)

    @pytest.mark.long
    def test_scorers_by_name_and_by_function_agree(self):
        X, y = small_data()
        by_name = quick(scoring="roc_auc").fit(X, y)
        made = make_scorer(roc_auc_score, response_method="predict_proba")
        by_function = quick(scoring=made).fit(X, y)
        assert by_name.worst_score_ == by_function.worst_score_
        assert by_name.summary() == by_function.summary()
        assert by_name.summary().count("AUC") == 1


class TestNothingToFind:
    def assert_nothing(self, search, X, y, reason):
        with pytest.warns(UserWarning, match=f"No candidate is feasible .*{reason}") as caught:
            search.fit(X, y)
        assert len(caught) == 1
        assert search.worst_corruption_ is None
        assert search.worst_pattern_ is None
        assert search.worst_columns_ == []
        assert search.worst_score_ == search.baseline_score_ == search.random_score_
        assert search.score_drop_ == 0
        assert "No feasible error" in search.summary()
        assert len(pd.DataFrame(search.cv_results_)) == search.n_evaluations_
        assert not (results(search).status == "ok").any()

    def test_less_than_a_row_of_budget(self):
        X, y = small_data()
        search = quick(budget=0.012)
        self.assert_nothing(search, X, y, "budget is less than one row")
        assert search.n_evaluations_ == 0
        # 80 training rows, so that one row is 0.0125 of them
        assert quick(budget=0.0125).fit(X, y).worst_corruption_ is not None

    def test_one_class_left(self):
        X, y = small_data()
        search = quick(Erase(), error_score=-9.0)
        self.assert_nothing(search, X, y, "one class is left")
        assert set(search.cv_results_["status"]) == {"infeasible"}

    def test_no_rows_left(self):
        X, y = small_data()
        self.assert_nothing(quick(Empty(), error_score=-9.0), X, y, "would drop all 80 rows")

    def test_a_column_that_is_missing_everywhere(self):
        X, y = small_data()
        X["d"] = np.where(np.arange(len(X)) % 20 == 0, X.a, np.nan)
        search = quick(
            "missing", corrupt_columns=["d"], pattern_columns=["c"], own_column="allowed",
            label="allowed", max_conditions=1, budget=1.0, error_score=-9.0, n_bins=2,
            exhaustive=True,
        )  # fmt: skip
        X["c"] = (X.d.isna() & (X.index % 2 == 0)).astype(float)
        X.loc[X.d.notna(), "c"] = 2.0
        search.fit(X, y)
        table = results(search)
        gone = np.array([X.d[~p.mask(X, y)].iloc[:60].isna().all() for p in table.pattern])
        assert gone.any()
        assert (table.status[gone] == "infeasible").all()
        assert table.message[gone].str.contains("'d' is missing everywhere").all()
        assert search.worst_score_ > -9.0 or (table.status == "infeasible").all()

    def test_cells_that_are_missing_already_are_not_lost_again(self):
        X, y = small_data()
        X.loc[X.c == 1, "a"] = np.nan
        params = {"corrupt_columns": ["a"], "pattern_columns": ["c"], "own_column": "allowed"}
        table = results(quick("missing", max_conditions=1, **params).fit(X, y))
        # where c is 1 nothing can change, so that "y == 0" strikes no other rows
        assert {str(p) for p in table.pattern} == {"c == 0 and y == 0", "c == 0 and y == 1"}
        X["a"] = np.nan
        reason = "can change"
        self.assert_nothing(quick("missing", Centroids(), **params), X, y, reason)

    def test_no_support(self):
        X, y = small_data()
        self.assert_nothing(quick(min_support=0.99), X, y, "matches less than min_support")

    def test_everything_excluded(self):
        X, y = small_data()
        search = quick(exclude=[lambda pattern, X, y: True], refit=True, n_calls=2)
        self.assert_nothing(search, X, y, "excluded")
        # what is refitted is then the clean pipeline
        clean = Centroids().fit(X, y)
        np.testing.assert_array_equal(search.predict(X), clean.predict(X))

    def test_no_column_tells_rows_apart(self):
        X, y = small_data()
        X = X.assign(a=1.0, b=2.0, c=3.0)
        self.assert_nothing(quick(), X, y, "no column can tell rows apart")

    def test_a_zero_rate_template(self):
        X, y = small_data()
        self.assert_nothing(quick(CorruptMissing(rate=0)), X, y, "strikes less than one row")

    def test_confirmed_without_a_winner(self):
        X, y = small_data()
        search = quick(budget=0.001, cv=3, confirm_size=0.25)
        with pytest.warns(UserWarning, match="No candidate is feasible"):
            search.fit(X, y)
        assert search.confirmed_score_ == search.confirmed_baseline_score_
        assert search.confirmed_interval_ == (0.0, 0.0)


@pytest.mark.long
def test_a_reused_search_forgets_what_an_earlier_fit_left():
    X, y = small_data()
    search = quick(confirm_size=0.25, refit=True, cv=3, n_calls=2, max_conditions=1).fit(X, y)
    search.set_params(confirm_size=None, refit=False).fit(X, y)
    assert not [name for name in vars(search) if name.startswith("confirmed_")]
    assert not hasattr(search, "worst_estimator_")


class TestPipelinesThatMindDtypes:
    """Gaps make floats of integers where the pipeline is fitted, not where it is scored."""

    model = make_pipeline(SimpleImputer(strategy="constant"), LogisticRegression())

    def data(self):
        X, y = small_data()
        return X.assign(a=np.arange(len(X)) % 7, b=np.arange(len(X)) % 5), y

    def test_told_before_any_candidate(self):
        X, y = self.data()
        X = X[["a", "b"]]
        said = r"Fitted on rows with missing values, the pipeline cannot predict rows without.*"
        with pytest.raises(ValueError, match=rf"{said}X.astype\({{column: float}}\)"):
            quick("missing", self.model).fit(X, y)
        found = quick("missing", self.model).fit(X.astype(float), y)
        assert set(results(found).status) == {"ok"}

    @pytest.mark.long
    def test_some_columns(self):
        X, y = self.data()
        filled = make_column_transformer(
            (SimpleImputer(strategy="constant"), ["a"]), (SimpleImputer(), ["b", "c"])
        )
        with pytest.warns() as caught:
            search = quick("missing", make_pipeline(filled, GaussianNB())).fit(X, y)
        texts = [str(w.message) for w in caught]
        assert "cannot take the error in ['a']" in texts[0]
        assert "X.astype({column: float})" in texts[1]
        table = results(search)
        assert set(table.status[table["columns"] == ("b",)]) == {"ok"}

    @pytest.mark.long
    @pytest.mark.parametrize("says", ["pass horizon", "a dtype that is odd"])
    def test_other_failures_of_predict_refuse_nothing(self, says):
        class Asks(Centroids):
            def predict(self, X):
                raise NotImplementedError(says)

        X, y = self.data()
        search = quick("missing", Asks(), scoring=first_probability)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert set(results(search.fit(X, y)).status) == {"ok"}

    def test_rows_scored_with_the_error_are_not_asked_for_without(self):
        X, y = self.data()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = quick("missing", self.model, apply_to="both").fit(X[["a", "b"]], y)
        assert (results(search).status == "ok").any()


class FailsOnFewRows(Centroids):
    """Fails where any row is missing."""

    def fit(self, X, y, sample_weight=None):
        """Fit, or fail."""
        if len(X) < 80:
            raise RuntimeError("too few rows to learn from")
        return super().fit(X, y, sample_weight)


def test_where_all_fail_nothing_else_is_blamed():
    X, y = small_data()
    with pytest.warns(FitFailedWarning, match="The pipeline failed on") as caught:
        search = quick("selection", FailsOnFewRows()).fit(X, y)
    assert "too few rows to learn from" in str(caught[0].message)
    assert not any("No candidate is feasible" in str(w.message) for w in caught)
    assert search.summary().startswith(
        "No error within a budget of 10 % of the rows has a score: the pipeline raises."
    )
