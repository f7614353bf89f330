"""Parameters chosen by their worst case: the oracle, the rungs, the confirmation, scikit-learn."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy import stats
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.datasets import load_diabetes
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from cheap_models import Centroids
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptNoise,
    CorruptScale,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.evaluation import Terminated, corrupted_split
from skcorrupt.learned import learn_errors
from skcorrupt.report import write_html
from skcorrupt.robustness import RobustSearchCV
from skcorrupt.robustness._fresh_confirmation import Confirming
from skcorrupt.robustness._parameter_settings import parameter_settings
from skcorrupt.utils import progress_bar
from small_searches import small_data

pytestmark = pytest.mark.usefixtures("few_fits")

SPACE = SearchSpace(max_conditions=0, n_bins=3)


class Tempered(Centroids):
    """Class means, of which a column counts less."""

    def __init__(self, weight=1.0, breaks=False):
        self.weight = weight
        self.breaks = breaks

    def fit(self, X, y, sample_weight=None):
        if self.breaks == "fit":
            raise ValueError("broken in fit")
        lost = pd.DataFrame(X).iloc[:, 0].isna().mean()
        if lost > {"training gaps in a": 0.0, "many training gaps in a": 0.1}.get(self.breaks, 1):
            raise ValueError(f"broken by {self.breaks}")
        return super().fit(self._weighed(X), y, sample_weight)

    def predict_proba(self, X):
        X = pd.DataFrame(X)
        if self.breaks == "gaps" and X.isna().to_numpy().any():
            raise ValueError("broken by gaps")
        for column in ("a", "b"):
            if self.breaks == f"gaps in {column}" and X[column].isna().any():
                raise ValueError(f"broken by gaps in {column}")
        if self.breaks == "score":
            return np.full((len(X), 2), np.nan)
        return super().predict_proba(self._weighed(X))

    def _weighed(self, X):
        X = pd.DataFrame(X).copy()
        X[X.columns[0]] = X[X.columns[0]] * self.weight
        return X


class Killed(BaseException):
    """The process ends, as far as what is under way can tell."""


def counted_fits(monkeypatch, most=np.inf, end=Killed, ends=np.inf):
    """A list that grows by each fit; some after `most`, or all, are an end."""
    fits = []

    def counting(self, X, y, sample_weight=None):
        fits.append(1)
        if most < len(fits) <= most + ends:
            raise end
        return FIT(self, X, y, sample_weight)

    monkeypatch.setattr(Centroids, "fit", counting)
    return fits


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Fewer draws and resamples of what is confirmed, which is not what most tests are about."""
    for name, n in (("N_DRAWS", 3), ("DRAWS_A_RESAMPLE", 2), ("N_RESAMPLES", 40)):
        monkeypatch.setattr(f"skcorrupt.robustness._fresh_confirmation.{name}", n)


FIT = Centroids.fit
GRID = {"weight": [0.3, 1.0, 3.0]}


def robust(grid=None, estimator=None, corruption="missing", **params):
    settings = {
        "budget": 0.2, "apply_to": "test", "scoring": "accuracy", "space": SPACE, "cv": 2,
        "confirm_size": None, "random_state": 0, "max_clean_loss": 1.0,
    }  # fmt: skip
    estimator = Tempered() if estimator is None else estimator
    return RobustSearchCV(estimator, grid or GRID, corruption, **{**settings, **params})


def said_in(warned, text):
    """Whether one of several warnings of fits that failed says this."""
    return any(text in str(w.message) for w in warned if w.category is FitFailedWarning)


def worst_of(params, search, X, y, **settings):
    """What a search of its own finds against some parameters, on the same splits."""
    rows = search.search_indices_
    made = clone(search.estimator).set_params(**params)
    alone = AdversarialCorruptionSearch(
        made, search.corruption, budget=search.budget, apply_to=search.apply_to,
        scoring=search.scoring, cv=search.splits_, space=search.space, confirm_size=None,
        random_state=search.seed_, **settings,
    )  # fmt: skip
    return alone.fit(X.iloc[rows], y.iloc[rows]).worst_score_


class TestOracle:
    @pytest.mark.many
    @pytest.mark.parametrize("apply_to", ["train", "test", "both"])
    @pytest.mark.long
    def test_the_best_of_exhaustive_searches_for_every_candidate(self, apply_to):
        X, y = small_data()
        search = robust(apply_to=apply_to).fit(X, y)
        table = pd.DataFrame(search.cv_results_)
        assert set(table.rung) == {3} and set(table.status) == {"finalist"}
        worst = [
            worst_of(params, search, X, y, strategy="exhaustive") for params in table["params"]
        ]
        if apply_to == "test":
            # in closed form, so that nothing is left to draws
            np.testing.assert_allclose(table.worst_score, worst)
            assert search.best_score_ == pytest.approx(max(worst))
        assert search.best_index_ == np.argmax(table.worst_score)
        assert table.rank_worst_score[search.best_index_] == 1

    @pytest.mark.long
    def test_several_divisions_into_folds_decide_together(self):
        X, y = small_data()
        cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0)
        search = robust(cv=cv, confirm_size=0.4).fit(X, y)
        assert search.n_splits_ == 4 and np.isfinite(search.confirmed_worst_)
        tested = np.concatenate([test for _, test in search.splits_])
        assert (np.bincount(tested) == 2).all()
        table = pd.DataFrame(search.cv_results_)
        for row in table.itertuples():
            assert row.worst_score == pytest.approx(worst_of(row.params, search, X, y))
        parts = table[[f"split{k}_test_score" for k in range(4)]]
        np.testing.assert_allclose(table.worst_score, parts.mean(axis=1))

    def test_the_price_on_clean_data_is_kept(self):
        X, y = small_data()
        free = robust({"weight": [0.0]}, cv=3).fit(X, y)
        loss = free.baseline_clean_score_ - free.cv_results_["mean_clean_score"][1]
        assert loss > 0
        strict = robust({"weight": [0.0]}, max_clean_loss=loss / 2, cv=3)
        with pytest.warns(UserWarning, match="No other candidate, of 1"):
            strict.fit(X, y)
        assert strict.best_params_ == {"weight": 1.0}
        assert strict.best_index_ == strict.baseline_index_ == 0
        assert strict.cv_results_["status"][1] == "loses too much on clean data"
        assert np.isnan(strict.cv_results_["worst_score"][1])

    @pytest.mark.long
    def test_worst_scores_on_higher_rungs_are_no_better(self):
        X, y = small_data()
        grid = {"weight": np.linspace(0.2, 4.0, 13).tolist()}
        search = robust(grid).fit(X, y)
        table = pd.DataFrame(search.cv_results_)
        assert set(table.rung) == {1, 2, 3}
        assert (table.rung == 3).sum() == 4
        whole = table[table.rung == 3]
        # equal scores share the best rank of theirs, as in a grid search
        ranks = stats.rankdata(-whole.worst_score.round(9), method="min")
        assert whole.rank_worst_score.tolist() == ranks.tolist()
        assert (table.status == "stopped").sum() == 10
        assert search.best_score_ >= search.baseline_worst_score_

    def test_equal_scores_share_a_rank_and_the_chosen_is_shown_first(self, tmp_path):
        X, y = small_data()
        # what does not change the model, so that all are equal
        search = robust({"breaks": ["nothing", False, "nor this"]}).fit(X, y)
        assert len(set(search.cv_results_["mean_test_score"])) == 1
        assert search.cv_results_["rank_test_score"].tolist() == [1, 1, 1]
        assert search.best_params_ == {"breaks": False} and search.best_index_ == 1
        page = write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")
        tried = page[page.index("What was tried") :]
        assert tried.index("False") < tried.index("nothing")

    @pytest.mark.long
    def test_columns_of_a_grid_search_tell_what_is_chosen_by(self):
        X, y = small_data()
        search = robust({"weight": [0.3, 1.0, 3.0], "breaks": [False, "gaps"]})
        with pytest.warns(FitFailedWarning):
            search.fit(X, y)
        grid = GridSearchCV(Tempered(), search.param_grid, scoring="accuracy", cv=2).fit(X, y)
        assert set(grid.cv_results_) <= set(search.cv_results_)
        table = pd.DataFrame(search.cv_results_)
        best = table.loc[search.best_index_]
        assert best.mean_test_score == search.best_score_ == best.worst_score
        assert best.rank_test_score == 1
        splits = table[["split0_test_score", "split1_test_score"]].to_numpy()
        np.testing.assert_allclose(splits.mean(1), table.mean_test_score)
        np.testing.assert_allclose(splits.std(1), table.std_test_score)
        failed = table.status.str.startswith("failed")
        assert failed.sum() == 3 and table.mean_test_score[failed].isna().all()
        assert (table.rank_test_score[failed] == 4).all()
        np.testing.assert_allclose(
            np.sort(grid.cv_results_["mean_test_score"]), np.sort(table.mean_clean_score)
        )
        assert (table[["mean_fit_time", "mean_score_time"]] > 0).all(axis=None)


class TestGivenParameters:
    def test_they_are_a_candidate_even_if_not_in_the_grid(self):
        X, y = small_data()
        search = robust({"weight": [0.3, 3.0]}).fit(X, y)
        assert search.baseline_params_ == {"weight": 1.0}
        assert search.baseline_index_ == 0 and len(search.cv_results_["params"]) == 3

    def test_equal_numbers_are_the_same(self):
        settings, given = parameter_settings(Tempered(), {"weight": [2, 1]}, None, 0)
        assert (len(settings), given) == (2, 1)

    def test_large_steps_that_are_printed_alike_are_not_the_same(self):
        def step(middle):
            names = [f"a column of a long name, number {i}" for i in range(60)]
            return FunctionTransformer(kw_args={"names": [*names[:30], middle, *names[30:]]})

        given = Pipeline([("step", step("one")), ("model", Tempered())])
        assert repr(step("one")) == repr(step("two"))
        assert len(parameter_settings(given, {"step": [step("two")]}, None, 0)[0]) == 2
        assert len(parameter_settings(given, {"step": [step("one")]}, None, 0)[0]) == 1

    def test_distributions_are_drawn(self):
        grid = {"weight": stats.uniform(0.1, 3)}
        with pytest.raises(ValueError, match=r"distribution for 'weight'.*n_iter"):
            parameter_settings(Tempered(), grid, None, 0)
        drawn, given = parameter_settings(Tempered(), grid, 5, 0)
        assert len(drawn) == 6 and given == 0
        assert drawn == parameter_settings(Tempered(), grid, 5, 0)[0]

    def test_lists_of_grids_mask_what_they_lack(self):
        X, y = small_data()
        search = robust([{"weight": [0.3]}, {"weight": [3.0], "breaks": [False]}]).fit(X, y)
        masked = np.ma.getmaskarray(search.cv_results_["param_breaks"]).tolist()
        assert masked == [False, True, False]

    def test_unknown_names(self):
        with pytest.raises(ValueError, match="param_grid: 'heavy' is no parameter"):
            robust({"heavy": [1]}).fit(*small_data())

    @pytest.mark.parametrize("name", ["weight", "modle__weight", "model__weigt"])
    def test_unknown_names_of_a_pipeline_have_those_that_are_alike(self, name):
        pipeline = Pipeline([("same", FunctionTransformer()), ("model", Tempered())])
        said = rf"^param_grid: '{name}' is no parameter .* \(did you mean 'model__weight'\?\)"
        with pytest.raises(ValueError, match=said):
            robust({name: [1.0]}, pipeline).fit(*small_data())

    def test_no_grid(self):
        with pytest.raises(TypeError, match=r"param_grid=.* should be a dict"):
            parameter_settings(Tempered(), "weight", None, 0)


class TestFailures:
    @pytest.mark.slow
    @pytest.mark.parametrize("where", ["fit", "gaps", "score"])
    def test_what_fails_cannot_win(self, where):
        X, y = small_data()
        search = robust({"breaks": [where], "weight": [1.0, 2.0]})
        if where == "score":
            search.set_params(scoring="roc_auc")
        with pytest.warns(Warning) as said:
            search.fit(X, y)
        assert any(issubclass(w.category, FitFailedWarning) for w in said)
        assert search.best_index_ == search.baseline_index_
        status = search.cv_results_["status"][1:]
        assert all(text.startswith("failed: ") for text in status)

    def test_given_parameters_that_fail_on_clean_data(self):
        with pytest.raises(ValueError, match=r"given parameters cannot be fitted.*broken in fit"):
            robust(estimator=Tempered(breaks="fit")).fit(*small_data())

    def test_given_parameters_that_cannot_take_the_error_lose(self):
        X, y = small_data()
        search = robust({"breaks": [False]}, Tempered(breaks="gaps"))
        with pytest.warns(FitFailedWarning, match="1 of 2 candidates failed"):
            search.fit(X, y)
        assert search.best_params_ == {"breaks": False}
        assert np.isnan(search.baseline_worst_score_)

    def test_given_parameters_that_fail_under_some_errors_lose_to_those_that_do_not(self):
        X, y = small_data()
        given = Tempered(breaks="gaps in a")
        search = robust({"breaks": [False], "weight": [0.0]}, given)
        with pytest.warns(Warning) as warned:
            search.fit(X, y)
        assert said_in(warned, "1 of 2 candidates failed")
        assert search.best_index_ == 1 and search.baseline_index_ == 0
        assert search.cv_results_["status"][0].startswith("failed: ")
        assert search.baseline_worst_score_ > search.best_score_
        assert search.cv_results_["rank_test_score"].tolist() == [2, 1]
        assert "a failure → " in search.summary() and search.left_out_.empty

    @pytest.mark.many
    @pytest.mark.parametrize("confirm_size", [None, 0.4])
    @pytest.mark.parametrize("apply_to", ["test", "train"])
    def test_errors_on_which_all_raise_are_left_out_for_all(self, apply_to, confirm_size):
        X, y = small_data(160)
        given = Tempered(breaks="gaps in a" if apply_to == "test" else "training gaps in a")
        settings = {"apply_to": apply_to, "confirm_size": confirm_size}
        search = robust(None, given, **settings)
        with pytest.warns(FitFailedWarning) as warned:
            search.fit(X, y)
        (said,) = (str(each.message) for each in warned)
        for part in ("missing values in `a`", "SearchSpace(corrupt_columns=[", "SimpleImputer()"):
            assert part in said
        assert search.left_out_[["corruption", "columns"]].values.tolist() == [["missing", ("a",)]]
        space = SearchSpace(max_conditions=0, n_bins=3, corrupt_columns=["b", "c"])
        others = robust(space=space, **settings).fit(X, y)
        for name in ("status", "worst_score", "rung", "rank_test_score"):
            assert list(search.cv_results_[name]) == list(others.cv_results_[name])
        assert search.best_index_ == others.best_index_
        assert search.summary().endswith("as all candidates raise on them: missing values in `a`.")
        assert others.left_out_.empty and "Left out" not in others.summary()

    def test_what_is_left_out_is_kept_in_files(self, tmp_path):
        X, y = small_data()
        search = robust({"weight": [0.3]}, Tempered(breaks="gaps in a"))
        with pytest.warns(FitFailedWarning, match="left out"):
            search.fit(X, y)
        again = RobustSearchCV.from_json(search.to_json(tmp_path / "s.json"))
        assert again.summary() == search.summary()
        pd.testing.assert_frame_equal(again.left_out_, search.left_out_)
        page = write_html(search, tmp_path / "s.html").read_text()
        assert "so these were left out" in page

    @pytest.mark.parametrize("weights", [[2.0], [0.5, 0.75, 1.25, 1.5]])
    def test_what_one_candidate_takes_others_that_raise_have_failed(self, weights):
        X, y = small_data()
        raising = {"weight": weights}
        # no column tells it anything, so that it scores worse than those that raise
        takes = {"breaks": [False], "weight": [30.0]}
        search = robust([raising, takes], Tempered(breaks="gaps in a"))
        n = len(weights) + 1
        with pytest.warns(FitFailedWarning, match=f"{n} of {n + 1} candidates failed"):
            search.fit(X, y)
        table = pd.DataFrame(search.cv_results_)
        assert search.best_params_ == {"breaks": False, "weight": 30.0}
        assert table.rank_test_score[search.best_index_] == 1
        failed = table.drop(search.best_index_)
        assert failed.status.str.startswith("failed: missing values in `a`: ").all()
        assert (failed.mean_test_score.dropna() > search.best_score_).all()
        assert search.left_out_.empty

    @pytest.mark.long
    def test_who_raises_on_fewer_errors_wins(self):
        X, y = small_data()
        settings = {"apply_to": "train", "space": SearchSpace(max_conditions=1, n_bins=3)}
        grid = {"breaks": ["many training gaps in a"], "weight": [0.0]}
        search = robust(grid, Tempered(breaks="training gaps in a"), **settings)
        with pytest.warns(FitFailedWarning) as warned:
            search.fit(X, y)
        assert said_in(warned, "1 of 2 candidates failed")
        assert search.best_index_ == 1
        # of those that strike more rows both raise
        assert search.left_out_["columns"].tolist() == [("a",)]

    @pytest.mark.long
    def test_what_the_winner_takes_is_not_left_out_where_the_given_one_raises_often(self):
        """Only some of the errors on which one raises are tried on the others."""
        X, y = small_data()
        settings = {"apply_to": "train", "space": SearchSpace(max_conditions=1, n_bins=3)}
        search = robust({"breaks": [False]}, Tempered(breaks="training gaps in a"), **settings)
        with pytest.warns(FitFailedWarning) as warned:
            search.fit(X, y)
        (said,) = (str(each.message) for each in warned)
        assert said.startswith("1 of 2 candidates failed")
        assert search.best_index_ == 1
        assert search.left_out_.empty and "Left out" not in search.summary()

    @pytest.mark.long
    def test_what_one_that_failed_takes_is_not_left_out(self):
        X, y = small_data()
        settings = {"apply_to": "both", "space": SearchSpace(max_conditions=1, n_bins=3)}
        grid = {"breaks": ["gaps in b"]}
        search = robust(grid, Tempered(breaks="training gaps in a"), **settings)
        with pytest.warns(FitFailedWarning) as warned:
            search.fit(X, y)
        assert said_in(warned, "the given parameters stay")
        assert not said_in(warned, "left out for all")
        assert search.left_out_.empty

    def test_where_each_raises_on_what_another_takes_the_given_parameters_stay(self):
        X, y = small_data()
        search = robust({"breaks": ["gaps in b"]}, Tempered(breaks="gaps in a"))
        with pytest.warns(FitFailedWarning) as warned:
            search.fit(X, y)
        assert said_in(warned, "2 of 2 candidates failed")
        assert said_in(warned, "the given parameters stay")
        assert said_in(warned, "SearchSpace(corrupt_columns=[")
        assert not any("max_clean_loss" in str(each.message) for each in warned)
        assert search.best_index_ == search.baseline_index_ == 0
        assert search.cv_results_["rank_test_score"].tolist() == [1, 2]
        assert np.isnan(search.cv_results_["mean_test_score"][1])
        assert "They fail under errors that other candidates take (missing" in search.summary()

    def test_who_loses_too_much_ranks_last(self):
        X, y = small_data()
        grid = {"weight": [0.0]}
        search = robust(grid, Tempered(breaks="gaps in a"), max_clean_loss=0.0, cv=3)
        with pytest.warns(Warning) as warned:
            search.fit(X, y)
        assert said_in(warned, "left out for all")
        assert any("Raise max_clean_loss" in str(each.message) for each in warned)
        assert search.cv_results_["rank_test_score"].tolist() == [1, 2]

    def test_what_helps_depends_on_why_others_cannot_win(self):
        X, y = small_data()
        search = robust({"breaks": ["gaps in a"]})
        with pytest.warns(Warning) as warned:
            search.fit(X, y)
        (said,) = (str(w.message) for w in warned if "No other candidate" in str(w.message))
        assert said.endswith("win. Pass another param_grid.")

    @pytest.mark.long
    def test_without_known_errors_all_are_searched_shortly(self):
        X, y = small_data()
        grid = {"breaks": [False], "weight": [0.1, 0.5, 1.0, 2.0, 3.0]}
        search = robust(grid, Tempered(breaks="gaps"))
        with pytest.warns(FitFailedWarning, match="1 of 6 candidates failed"):
            search.fit(X, y)
        assert sorted(search.cv_results_["rung"][1:]) == [2, 2, 3, 3, 3]

    def test_what_cannot_be_searched_is_not_confirmed(self):
        X, y = small_data(160)
        search = robust({"breaks": [False]}, Tempered(breaks="gaps"), confirm_size=0.4)
        with pytest.warns(Warning) as warned:
            search.fit(X, y)
        assert said_in(warned, "so that it has no confirmed score")
        assert np.isfinite(search.confirmed_worst_)
        assert np.isnan([search.baseline_confirmed_worst_, search.confirmed_gain_]).all()
        assert np.isnan(search.confirmed_gain_interval_).all()
        said = search.summary()
        assert "a failure → " in said and "nan" not in said
        assert said.endswith(f"; on rows not searched {search.confirmed_worst_:.3f}.")

    def test_confirmed_without_errors_where_none_is_feasible(self):
        X, y = small_data(160)
        search = robust(confirm_size=0.4, budget=0.03)
        with pytest.warns(UserWarning, match="confirmed score is that without errors"):
            search.fit(X, y)
        assert search.confirmed_gain_ == pytest.approx(-search.confirmed_clean_loss_)


class TestConfirmation:
    @pytest.mark.slow
    @pytest.mark.parametrize("apply_to", ["train", "test", "both"])
    def test_numbers_and_interval(self, apply_to):
        X, y = small_data(160)
        search = robust({"weight": [0.0, 0.2]}, confirm_size=0.4, apply_to=apply_to).fit(X, y)
        gain = search.confirmed_worst_ - search.baseline_confirmed_worst_
        assert search.confirmed_gain_ == pytest.approx(gain)
        low, high = search.confirmed_gain_interval_
        assert low <= high and low >= -1 and high <= 1
        assert len(search.search_indices_) == 96
        if search.best_index_ != search.baseline_index_:
            assert low <= search.confirmed_gain_ <= high

    def test_of_the_given_parameters_nothing_is_gained(self):
        X, y = small_data()
        search = robust({"weight": [0.0]}, confirm_size=0.4, max_clean_loss=0.0)
        with pytest.warns(UserWarning, match="No other candidate, of 1"):
            search.fit(X, y)
        assert search.confirmed_gain_ == 0.0
        assert search.confirmed_gain_interval_ == (0.0, 0.0)
        assert "The given parameters" in search.summary()

    @pytest.mark.long
    def test_hardly_different_parameters_gain_hardly_anything(self):
        # searches come to other ones of several equal errors
        X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
        X, y = X[["age", "bmi", "bp", "s5"]].iloc[:300], y.iloc[:300]
        settings = {
            "budget": 0.1, "apply_to": "test", "space": SearchSpace(max_conditions=1, n_bins=3),
            "max_clean_loss": 0.05,
        }  # fmt: skip
        for seed in range(2):
            search = RobustSearchCV(
                Ridge(), {"alpha": [1.0, 1.01]}, "scale", random_state=seed, **settings
            ).fit(X, y)
            assert search.best_params_ == {"alpha": 1.01}
            assert abs(search.confirmed_gain_) < 0.01 * abs(search.confirmed_worst_)
            low, high = search.confirmed_gain_interval_
            assert max(abs(low), abs(high)) < 0.01 * abs(search.confirmed_worst_)

    @pytest.mark.long
    def test_errors_are_those_that_strike_rows_which_are_scored(self, monkeypatch):
        X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
        X, y = X[["bmi", "s5"]].iloc[:120], y.iloc[:120]
        struck = []
        measured = Confirming._measure

        def measure(self, estimator, errors, split, seeds, *, done):
            for error in errors:
                rows = corrupted_split(split, error, seeds[0], "test")[1][-1].row_fraction
                struck.append(rows)
            return measured(self, estimator, errors, split, seeds, done=done)

        monkeypatch.setattr(Confirming, "_measure", measure)
        for seed in range(4):
            RobustSearchCV(
                Ridge(), {"alpha": [0.1, 10.0]}, CorruptScale(factor=100.0), apply_to="test",
                space=SearchSpace(max_conditions=1, n_bins=3), max_clean_loss=1.0, cv=2,
                random_state=seed,
            ).fit(X, y)  # fmt: skip
        assert len(struck) >= 8 and min(struck) > 0

    @pytest.mark.long
    def test_rows_set_aside_make_no_difference_to_the_choice(self):
        X, y = small_data(160)
        first = robust(confirm_size=0.4).fit(X, y)
        aside = np.setdiff1d(np.arange(160), first.search_indices_)
        changed = X.copy()
        changed.iloc[aside] = changed.iloc[aside].to_numpy() + 0.3
        again = robust(confirm_size=0.4).fit(changed, y)
        np.testing.assert_array_equal(again.search_indices_, first.search_indices_)
        for name in ("worst_score", "mean_clean_score"):
            np.testing.assert_array_equal(again.cv_results_[name], first.cv_results_[name])

    def test_too_few_rows(self):
        X, y = small_data(60)
        with pytest.warns(UserWarning, match="The choice is not confirmed: 12 rows are too few"):
            search = robust(confirm_size=0.2).fit(X, y)
        assert np.isnan(search.confirmed_gain_)

    def test_splits_are_those_that_were_given(self):
        X, y = small_data()
        assert robust({"weight": [1.0]}, cv=4).fit(X, y).n_splits_ == 4
        assert robust({"weight": [1.0]}, cv=None).fit(X, y).n_splits_ == 3
        rows = [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))]
        search = robust({"weight": [1.0]}, cv=iter(rows)).fit(X, y)
        np.testing.assert_array_equal(search.splits_, rows)

    def test_lists_of_splits_leave_no_rows(self):
        search = robust(cv=[(np.arange(60), np.arange(60, 120))], confirm_size=0.25)
        with pytest.raises(ValueError, match=r"pass confirm_size=None"):
            search.fit(*small_data())

    # few rows of each part make a candidate no better than chance
    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore:The clean pipeline scores")
    def test_whole_groups_are_set_aside(self):
        X, y = small_data()
        groups = np.repeat(np.arange(30), 4)
        search = robust(confirm_size=0.4, cv=GroupKFold(2)).fit(X, y, groups=groups)
        rows = search.search_indices_
        assert not set(groups[rows]) & set(np.delete(groups, rows))

    def test_models_that_are_served_errors_are_not_fitted_for_every_draw(self, monkeypatch):
        fits, fit = [], Tempered.fit

        def counted(self, *args, **kwargs):
            fits.append(self)
            return fit(self, *args, **kwargs)

        monkeypatch.setattr(Tempered, "fit", counted)
        noise = CorruptNoise(scale=3)
        search = robust(corruption=noise, confirm_size=0.4, apply_to="test", refit=False)
        search.fit(*small_data())
        assert np.isfinite(search.confirmed_worst_)
        # every candidate on two splits, clean and for its search, both pipelines on both halves
        # for theirs, and once more to be confirmed; twenty draws of each error would be far more
        assert len(fits) <= 4 * len(search.cv_results_["params"]) + 2 * 2 * 3


class TestProgress:
    def test_long_searches_are_shown_by_candidate(self, capsys):
        X, y = small_data()
        search = robust(confirm_size=0.4, verbose=1).fit(X, y)
        shown = capsys.readouterr().err
        assert "Given parameters, " in shown and "Confirming, " in shown
        others = {0, 1, 2} - {search.baseline_index_}
        assert all(f"Candidate {index}, " in shown for index in others)
        assert "Confirming, step 4 of at most 4" in shown

    @pytest.mark.parametrize("n", [1, 3, 4, 9, 13])
    def test_steps_are_counted(self, capsys, n):
        X, y = small_data()
        weights = np.geomspace(0.1, 10, n).tolist()
        search = robust({"weight": weights}, verbose=1, max_clean_loss=1.0).fit(X, y)
        found = re.findall(r"step (\d+) of at most (\d+)", capsys.readouterr().err)
        steps, most = {int(step) for step, _ in found}, {int(each) for _, each in found}
        n = len(search.cv_results_["params"]) - 1
        shortly = int((search.cv_results_["rung"] >= 2).sum()) - 1 if n > 9 else 0
        assert most == {1 + n * (n > 3) + shortly + min(3, n)}
        assert steps == {*range(1, max(most) + 1)}

    def test_who_is_only_struck_shows_no_bar_and_finalists_one_a_search(self, monkeypatch):
        made = []

        def noted(*args):
            made.append(progress_bar(*args))
            return made[-1]

        monkeypatch.setattr("skcorrupt.adversarial.candidates._progress.progress_bar", noted)
        X, y = small_data()
        search = robust({"weight": np.geomspace(0.1, 10, 13).tolist()}, verbose=1).fit(X, y)
        rungs = np.delete(search.cv_results_["rung"], search.baseline_index_)
        assert set(rungs) == {1, 2, 3}
        # finalists are searched shortly, then fully; the given parameters fully
        assert len(made) == 1 + (rungs == 2).sum() + 2 * (rungs == 3).sum()
        assert all(bar.disable for bar in made)

    def test_nothing_is_shown_by_default(self, capsys):
        X, y = small_data()
        robust(confirm_size=0.4).fit(X, y)
        assert capsys.readouterr().err == ""


class TestRepeated:
    @pytest.mark.parametrize("apply_to", ["test", "train", "both"])
    def test_worst_scores_are_means_over_draws(self, apply_to):
        X, y = small_data()
        search = robust(corruption=CorruptNoise(scale=3), apply_to=apply_to).fit(X, y)
        table = pd.DataFrame(search.cv_results_)
        assert (table["n_draws"] > 0).all() and table["n_draws"].max() > 1
        rows = search.search_indices_
        for row in table.itertuples():
            again = cross_validate_corrupted(
                Tempered(**row.params), X.iloc[rows], y[rows], row.worst_corruption,
                apply_to=apply_to, cv=search.splits_, scoring="accuracy", n_repeats=row.n_draws,
                random_state=search.seed_,
            )  # fmt: skip
            assert again["test_score"].mean() == pytest.approx(row.worst_score)

    @pytest.mark.long
    def test_seeds_and_workers(self):
        X, y = small_data()
        settings = {"confirm_size": 0.4, "apply_to": "both"}
        with parallel_config(backend="threading"):
            found = [
                robust(n_jobs=n_jobs, random_state=seed, **settings).fit(X, y)
                for n_jobs, seed in ((None, 0), (2, 0), (None, 1))
            ]
        one, two, other = (
            (*s.cv_results_["worst_score"], s.confirmed_worst_, *s.confirmed_gain_interval_)
            for s in found
        )
        assert one == two != other

    @pytest.mark.slow
    def test_a_journal_goes_on_to_the_same_end(self, tmp_path, monkeypatch):
        X, y = small_data()
        X = X.iloc[:, :2]
        grid = {"weight": [0.3, 0.6, 1.0, 2.0, 3.0]}
        settings = {"apply_to": "train", "confirm_size": 0.4}
        fits = counted_fits(monkeypatch)
        alone = robust(grid, **settings).fit(X, y)
        n_all, settings["journal"] = len(fits), tmp_path / "j.sqlite"
        done = 0
        # in the searches, and in the confirmation
        for n in (n_all // 2, n_all - 20):
            fits = counted_fits(monkeypatch, most=n - done)
            with pytest.raises(Killed):
                robust(grid, **settings).fit(X, y)
            done += len(fits) - 1
        fits = counted_fits(monkeypatch)
        again = robust(grid, **settings).fit(X, y)
        assert len(fits) < 0.6 * n_all
        for name, column in alone.cv_results_.items():
            if name.endswith("_time"):
                continue
            assert list(map(repr, again.cv_results_[name])) == list(map(repr, column)), name
        for name in ("confirmed_worst_", "confirmed_gain_interval_", "seed_", "best_params_"):
            assert getattr(again, name) == getattr(alone, name)

    @pytest.mark.long
    def test_a_journal_keeps_the_seed(self, tmp_path, monkeypatch):
        X, y = small_data()
        settings = {"random_state": None, "journal": tmp_path / "j.sqlite"}
        first = robust(**settings).fit(X, y)
        fits = counted_fits(monkeypatch)
        again = robust(**settings).fit(X, y)
        # models of each search that are fitted before it starts, and the refit
        assert len(fits) <= 3 * len(GRID["weight"]) + 1
        assert again.seed_ == first.seed_
        assert (
            again.cv_results_["worst_score"].tolist() == first.cv_results_["worst_score"].tolist()
        )

    def test_inputs_are_left_alone(self):
        X, y = small_data()
        before, grid = X.copy(), {"weight": [0.3, 1.0]}
        robust(grid, confirm_size=0.4).fit(X, y)
        pd.testing.assert_frame_equal(X, before)
        assert grid == {"weight": [0.3, 1.0]}


class TestEndedEarly:
    """Ctrl-C and SIGTERM, at one of the fits."""

    @pytest.fixture
    def stopped(self, monkeypatch):
        X, y = small_data()
        settings = {"apply_to": "train", "confirm_size": 0.4, "cv": 2, "refit": False}
        grid = {"weight": [0.3, 1.0, 3.0]}
        fits = counted_fits(monkeypatch)
        whole = robust(grid, **settings).fit(X[["a", "b"]], y)
        n_all = len(fits)

        def fitted(share, end=KeyboardInterrupt, ends=1, **params):
            counted_fits(monkeypatch, most=share * n_all, end=end, ends=ends)
            search = robust(grid, **settings | params)
            try:
                return search.fit(X[["a", "b"]], y)
            finally:
                monkeypatch.setattr(Centroids, "fit", FIT)

        return whole, fitted

    @pytest.mark.slow
    def test_before_the_given_parameters_were_searched_it_is_raised(self, stopped):
        for share in (0.001, 0.02):
            with pytest.raises(KeyboardInterrupt):
                stopped[1](share)

    @pytest.mark.long
    def test_the_search_of_the_given_parameters_may_be_the_one_that_ends(self, stopped):
        with pytest.warns(UserWarning, match="ended by Ctrl-C"):
            search = stopped[1](0.1)
        assert search.best_index_ == search.baseline_index_
        assert search.cv_results_["interrupted"].all()
        assert (
            "none of them searched to the end before the search was ended early" in search.summary()
        )

    @pytest.mark.long
    def test_what_was_searched_is_kept(self, stopped, tmp_path):
        whole, fitted = stopped
        assert not whole.interrupted_
        with pytest.warns(UserWarning, match=r"ended by Ctrl-C when .* searched.*j\.s"):
            search = fitted(0.3, journal=tmp_path / "j.sqlite")
        table = pd.DataFrame(search.cv_results_)
        assert search.interrupted_ and np.isnan(search.confirmed_worst_)
        assert set(table.status) == {"finalist", "ended early"}
        left = table.status == "ended early"
        assert (table.rung[~left] == 3).all() and (table.rung[left] < 3).all()
        assert (table.interrupted == left).all() and not whole.cv_results_["interrupted"].any()
        assert search.best_index_ in table.index[~left] and table.rank_test_score.min() == 1
        assert table.rank_test_score[search.best_index_] == 1
        np.testing.assert_array_equal(table.mean_clean_score, whole.cv_results_["mean_clean_score"])
        assert "ended early" in search.summary()
        again = fitted(np.inf, journal=tmp_path / "j.sqlite")
        assert not again.interrupted_ and again.best_params_ == whole.best_params_
        assert again.confirmed_gain_ == whole.confirmed_gain_

    @pytest.mark.long
    def test_while_it_is_confirmed_the_choice_stands(self, stopped):
        whole, fitted = stopped
        with pytest.warns(UserWarning, match="while the choice was confirmed"):
            search = fitted(0.98, end=Terminated)
        assert search.interrupted_ and search.best_params_ == whole.best_params_
        assert np.isnan([search.confirmed_worst_, search.confirmed_gain_]).all()
        np.testing.assert_array_equal(
            search.cv_results_["worst_score"], whole.cv_results_["worst_score"]
        )

    @pytest.mark.long
    def test_a_second_one_is_raised(self, stopped):
        with pytest.warns(UserWarning, match="ended by"), pytest.raises(KeyboardInterrupt):
            stopped[1](0.4, ends=2, refit=True)


class TestLimitOfTime:
    GRID = {"weight": [0.3, 1.0, 3.0]}

    def slow(self, monkeypatch, seconds):
        """Every fit takes so long, on a clock of its own that all read."""
        clock = [0.0]

        def fit(self, X, y, sample_weight=None):
            clock[0] += seconds
            return FIT(self, X, y, sample_weight)

        monkeypatch.setattr(Centroids, "fit", fit)
        monkeypatch.setattr("skcorrupt.adversarial.candidates._deadline.now", lambda: clock[0])
        monkeypatch.setattr("skcorrupt.robustness._shares_of_time.now", lambda: clock[0])
        return clock

    @pytest.mark.long
    def test_it_ends_full_searches_which_have_equal_shares(self, monkeypatch, tmp_path):
        X, y = small_data()
        settings = {"apply_to": "train", "confirm_size": 0.4, "cv": 2, "refit": False}
        clock = self.slow(monkeypatch, 1.0)
        whole = robust(self.GRID, **settings).fit(X[["a", "b"]], y)
        needed, clock[0] = clock[0], 0.0
        with pytest.warns(UserWarning, match=r"max_time=\d+ s ended \d of the searches") as told:
            search = robust(self.GRID, max_time=needed // 4, **settings).fit(X[["a", "b"]], y)
        ended = int(re.search(r"ended (\d)", str(told[-1].message))[1])
        assert 3 <= ended <= 7 and clock[0] < 0.8 * needed
        assert search.interrupted_ and np.isfinite(search.confirmed_gain_)
        assert {*search.cv_results_["status"]} == {"finalist"}
        cut = search.cv_results_["interrupted"]
        assert ended - 4 <= cut.sum() <= min(ended, 3)
        told = f"of 3 candidates, {3 - cut.sum() or 'none'} of them searched to the end before "
        told += "the search was ended early"
        assert told in search.summary()
        page = write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")
        assert f"Of 3 candidates {3 - cut.sum()} were searched fully" in page
        assert page.count("search ended early") == cut.sum()
        assert "this gives the same result again" not in page
        # fewer errors were tried
        assert (search.cv_results_["worst_score"] >= whole.cv_results_["worst_score"] - 1e-9).all()

    @pytest.mark.long
    def test_one_that_suffices_changes_nothing(self):
        X, y = small_data()
        settings = {"confirm_size": 0.4, "refit": False}
        one, other = (
            robust(max_time=each, **settings).fit(X[["a", "b"]], y) for each in (None, 1e6)
        )
        np.testing.assert_array_equal(
            one.cv_results_["worst_score"], other.cv_results_["worst_score"]
        )
        assert not other.interrupted_ and not other.cv_results_["interrupted"].any()
        assert one.confirmed_gain_ == other.confirmed_gain_

    def test_one_in_which_nothing_can_be_scored_is_told_with_what_would_do(self, monkeypatch):
        X, y = small_data()
        self.slow(monkeypatch, 1.0)
        message = r"max_time=0\.5 s leaves .* s to each of \d searches, .* at least max_time=\d+"
        with pytest.raises(ValueError, match=message):
            robust(self.GRID, apply_to="train", max_time=0.5).fit(X[["a", "b"]], y)


class TestPlan:
    GRIDS = ({"weight": [0.3, 1.0, 3.0]}, {"weight": np.geomspace(0.1, 10, 17).tolist()})

    @pytest.mark.many
    @pytest.mark.parametrize("confirm_size", [None, 0.4])
    @pytest.mark.parametrize("grid", GRIDS)
    @pytest.mark.long
    def test_as_many_fits_as_are_told(self, grid, confirm_size, monkeypatch):
        X, y = small_data()
        search = robust(grid, apply_to="train", confirm_size=confirm_size)
        plan = search.plan(X, y)
        assert not [name for name in vars(search) if name.endswith("_")]
        assert str(plan).startswith(f"about {plan.expected_evaluations} errors in ")
        n_full = 4 if len(grid["weight"]) > 3 else 3
        n_full += 0 if confirm_size is None else 4
        n_candidates = len(grid["weight"])
        assert f"{n_candidates} candidates, {n_full} full searches" in plan.note
        assert plan.expected_fits < plan.n_fits
        fits = counted_fits(monkeypatch)
        search.fit(X, y)
        assert plan.expected_fits / 3 <= len(fits) <= min(3 * plan.expected_fits, plan.n_fits)

    def test_a_limit_of_time(self):
        X, y = small_data()
        whole = robust(apply_to="train").plan(X, y)
        short = robust(apply_to="train", max_time=whole.seconds / 100).plan(X, y)
        assert short.expected_fits < whole.expected_fits and short.n_fits == whole.n_fits
        assert short.seconds < whole.seconds and short.most_seconds < whole.most_seconds
        # known errors and draws that confirm come on top
        assert short.seconds > short.limit
        assert f"partly ended by max_time={short.limit:g} s" in str(short)
        assert "max_time" not in str(whole)

    def test_generators_are_left_as_they_are(self):
        X, y = small_data()
        drawn, shuffled = np.random.RandomState(3), np.random.RandomState(4)
        cv = StratifiedKFold(2, shuffle=True, random_state=shuffled)
        search = robust(random_state=drawn, cv=cv)
        before = drawn.get_state()[1].copy(), shuffled.get_state()[1].copy()
        search.plan(X, y)
        np.testing.assert_array_equal(drawn.get_state()[1], before[0])
        np.testing.assert_array_equal(shuffled.get_state()[1], before[1])
        assert search.cv is cv and search.random_state is drawn

    def test_of_others_where_the_given_ones_cannot_take_the_error(self):
        X, y = small_data()
        grid = {"breaks": ["gaps", False]}
        plan = robust(grid, Tempered(breaks="gaps")).plan(X, y)
        assert plan.expected_evaluations > 0
        with pytest.raises(ValueError, match="No candidate can take the error; of the given"):
            robust({"weight": [1.0, 2.0]}, Tempered(breaks="gaps")).plan(X, y)

    def test_no_more_than_there_are_without_conditions(self):
        X, y = small_data()
        plan = robust(GRID, apply_to="train").plan(X, y)
        assert plan.expected_evaluations < 200

    def test_a_generator_of_splits_is_not_used_up(self):
        X, y = small_data()
        splits = iter([(np.arange(60), np.arange(60, 120))])
        with pytest.raises(ValueError, match=r"pass cv=list"):
            robust(cv=splits).plan(X, y)
        assert len(list(splits)) == 1


class TestAsEstimator:
    pytestmark = pytest.mark.filterwarnings("ignore")

    @pytest.mark.slow
    def test_sklearn_checks(self):
        search = RobustSearchCV(
            Centroids(), {}, "missing", budget=0.2, apply_to="test", cv=2, space=SPACE,
            confirm_size=None, random_state=0,
        )  # fmt: skip
        check_estimator(search)

    @pytest.mark.long
    def test_delegation(self):
        X, y = small_data()
        search = robust().fit(X, y)
        assert search.classes_.tolist() == [0, 1]
        assert search.n_features_in_ == 3
        assert search.predict(X).tolist() == search.best_estimator_.predict(X).tolist()
        assert search.predict_proba(X).shape == (120, 2)
        assert search.score(X, y) == search.best_estimator_.score(X, y)
        assert not hasattr(search, "transform")
        assert not hasattr(robust(refit=False).fit(X, y), "predict")

    def test_without_a_refit_it_says_why_it_does_not_predict(self):
        X, y = small_data()
        search = robust(refit=False).fit(X[["a", "b"]], y)
        assert not hasattr(search, "predict")
        with pytest.raises(AttributeError) as raised:
            search.predict(X[["a", "b"]])
        assert "refit=False; pass refit=True" in str(raised.value.__cause__)
        with pytest.raises(AttributeError, match="no attribute 'nothing_such'"):
            search.nothing_such  # noqa: B018

    def test_transformers_in_a_pipeline_are_candidates(self):
        X, y = small_data()
        pipeline = Pipeline([("fill", "passthrough"), ("model", Tempered())])
        search = robust({"fill": ["passthrough", Zeros()]}, pipeline).fit(X, y)
        assert len(search.cv_results_["params"]) == 2
        assert not hasattr(search, "transform")

    @pytest.mark.long
    def test_pickles_and_words(self):
        X, y = small_data(160)
        search = robust(confirm_size=0.4).fit(X, y)
        again = pickle.loads(pickle.dumps(search))
        assert again.summary() == search.summary()
        assert "of 3 candidates: accuracy" in search.summary()
        assert "under the worst of missing values in up to 20 % of rows" in search.summary()
        assert "on rows not searched" in search.summary()

    @pytest.mark.long
    def test_a_gain_or_a_loss_and_whether_it_may_be_chance(self):
        search = robust({"weight": [0.3]}, confirm_size=0.4, scoring=None).fit(*small_data(160))
        search.best_index_ = 1 - search.baseline_index_
        for gain, ends, told in (
            (0.1, (0.02, 0.2), "a gain of 0.100 (0.020 to 0.200)."),
            (0.1, (-0.02, 0.2), "a gain of 0.100 (-0.020 to 0.200), which may be chance."),
            (-0.1, (-0.2, 0.02), "a loss of 0.100 (-0.020 to 0.200), which may be chance."),
            (0.0, (0.0, 0.0), f" {search.confirmed_worst_:.3f} with either."),
        ):
            search.confirmed_gain_, search.confirmed_gain_interval_ = gain, ends
            assert search.summary().endswith(told)
        # what a classifier's own score is
        assert "accuracy 0." in search.summary()

    def test_parameters_that_change_no_prediction_gain_nothing_at_all(self, monkeypatch):
        def others_first(self, rival):
            return -rival.rung, -rival.worst_score, rival is self.given

        monkeypatch.setattr("skcorrupt.robustness._halving.Halving._place", others_first)
        X, y = small_data()
        search = robust({"breaks": [None]}, confirm_size=0.4, apply_to="both").fit(X, y)
        assert search.best_index_ != search.baseline_index_
        assert search.confirmed_gain_ == 0
        assert search.confirmed_gain_interval_ == (0, 0)
        assert "with either" in search.summary()

    @pytest.mark.parametrize(("noise", "seed"), [(1.5, 5), (1.5, 6), (3.5, 7)])
    def test_few_rows_on_which_a_constant_is_as_good_are_no_reason_to_check_the_pipeline(
        self, noise, seed
    ):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120)})
        y = (X["a"] + noise * rng.normal(size=120) > 0).astype(int)
        settings = {"space": SearchSpace(max_conditions=0), "cv": 3, "confirm_size": 0.4}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            search = robust({"C": [1.0]}, LogisticRegression(), "scale", **settings).fit(X, y)
        assert not [w for w in told if "no better than a constant" in str(w.message)]
        halves = [half.mean() for half in (y, 1 - y)]
        assert search.best_clean_score_ > max(halves) and np.isfinite(search.confirmed_worst_)

    def test_errors_that_strike_nothing_in_a_split_are_no_warning(self):
        """Learned ones strike rows of their own among those that a pattern matches."""
        rng = np.random.default_rng(1)
        X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.integers(0, 10, 200)})
        y = (X["a"] + X["b"] / 5 + rng.normal(size=200) / 2 > 1).astype(int)
        learned = learn_errors(X.assign(a=X["a"].mask(X["b"] > 8, 10 * X["a"])), X)
        space = SearchSpace(max_conditions=1, n_bins=8)
        # where they are errors a fit fails of them, which says nothing
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            search = robust(corruption=learned.corruption, cv=4, space=space).fit(X, y)
        assert [str(each.message) for each in told] == []
        assert search.best_score_ <= search.best_clean_score_ + 1e-12

    def test_numbers_of_numpy_are_said_as_numbers(self):
        X, y = small_data()
        search = robust({"weight": np.array([0.5, 1.0])}).fit(X, y)
        assert "np.float64" not in search.summary()
        assert "weight=" in search.summary()

    @pytest.mark.long
    def test_weights_are_cut(self):
        X, y = small_data()
        weights = np.linspace(0.1, 2.0, 120)
        weighed = robust(apply_to="train").fit(X, y, sample_weight=weights)
        plain = robust(apply_to="train").fit(X, y)
        assert (weighed.cv_results_["worst_score"] != plain.cv_results_["worst_score"]).any()

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"budget": 2}, "'budget' parameter of RobustSearchCV"),
            ({"max_clean_loss": -1}, "'max_clean_loss' parameter of RobustSearchCV"),
            ({"apply_to": "all"}, "'apply_to' parameter of RobustSearchCV"),
            ({"corruption": "labels"}, "changes labels"),
        ],
    )
    def test_odd_parameters(self, params, message):
        with pytest.raises(ValueError, match=message):
            robust().set_params(**params).fit(*small_data())


class Zeros(TransformerMixin, BaseEstimator):
    """Zeros in the place of gaps."""

    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        return X.fillna(0.0)
