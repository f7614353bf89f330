"""Errors in served rows: the exact search against plain loops, and what it asks of its user."""

import itertools
import math
import sqlite3
import tempfile
import warnings
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import FitFailedWarning
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import check_scoring, get_scorer, make_scorer
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    Pattern,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import AdversarialSearchDisplay, BeamSearch, SearchSpace
from skcorrupt.adversarial.candidates._evaluator import EVALUATIONS
from skcorrupt.adversarial.proxies import Screened
from skcorrupt.adversarial.serving import ServedEvaluator
from skcorrupt.metrics import make_change_scorer, make_fairness_scorer, make_row_scorer
from skcorrupt.report import write_html
from told_answers import told

EXACT = {"rtol": 0, "atol": 1e-12}
SMALL = SearchSpace(max_conditions=2, n_bins=3)


def table(n=90, seed=0, regression=False):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(2),
            "b": rng.integers(0, 4, n),
            "c": rng.normal(size=n).round(2),
        }
    )
    X.loc[rng.random(n) < 0.1, "c"] = np.nan
    signal = X.a + X.b - X.c.fillna(0) + rng.normal(size=n)
    y = signal if regression else (signal > signal.median()).astype(int)
    return X, pd.Series(y, name="label")


@pytest.mark.parametrize("corruption", ["missing", "scale", "outliers"])
def test_a_table_whose_columns_have_one_value_each_has_no_pattern(corruption):
    X, y = pd.DataFrame({"a": np.ones(60), "b": np.full(60, 3.0)}), np.arange(60) % 2
    model = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, y)
    with (
        pytest.warns(UserWarning, match="no column can tell rows apart"),
        pytest.warns(UserWarning, match="no better than a constant prediction"),
    ):
        search = served_search(model, corruption).fit(X, y)
    assert search.worst_pattern_ is None and search.score_drop_ == 0


def model_of(estimator, regression=False):
    X, y = table(seed=9, regression=regression)
    return make_pipeline(SimpleImputer(), StandardScaler(), estimator).fit(X, y)


def served_search(model, corruption="missing", **params):
    given = {"space": SMALL, "confirm_size": None, "random_state": 0, "budget": 0.2, **params}
    return AdversarialCorruptionSearch(model, corruption, apply_to="test", **given)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "neg_log_loss"])
@pytest.mark.parametrize("n", [60, 90, 113])
def test_an_error_that_does_nothing_leaves_the_score_to_the_last_digit(scoring, n):
    X, y = table(n)
    blind = ColumnTransformer([("a", "passthrough", ["a"])])
    model = make_pipeline(blind, LogisticRegression()).fit(X, y)
    space = SearchSpace(max_conditions=1, n_bins=3, corrupt_columns=["b", "c"])
    search = served_search(model, space=space, scoring=scoring).fit(X, y)
    assert set(search.cv_results_["mean_test_score"]) == {search.baseline_score_}
    assert search.summary().count("no candidate lowers the score") == 1


def expected_score(model, scorer, X, y, struck, rate, column, n_draws):
    """Mean score over many choices of the struck rows."""
    rng = np.random.default_rng(1)
    rows = np.flatnonzero(struck)
    count = math.floor(rate * len(rows) + 0.5 + 1e-9)
    scores = []
    for _ in range(n_draws):
        Z = X.copy()
        Z.loc[rng.permutation(rows)[:count], column] = np.nan
        scores.append(scorer(model, Z, y))
    return np.mean(scores), np.std(scores) / math.sqrt(n_draws)


def all_patterns(search, X, depth):
    """Masks of all patterns of the grid with so many conditions, by the search's attributes."""
    problem = search.lay_out(X, search._data.y)
    attributes = list(problem.task.space.attributes.values())
    for some in itertools.combinations(attributes, depth):
        for atoms in itertools.product(*(range(each.n_atoms) for each in some)):
            yield np.logical_and.reduce([e.mask(a) for e, a in zip(some, atoms, strict=True)])


@pytest.mark.parametrize(
    ("estimator", "scoring"),
    [
        pytest.param(LogisticRegression(), "accuracy", marks=pytest.mark.slow),
        (LogisticRegression(), "neg_log_loss"),
        (GaussianNB(), "balanced_accuracy"),
        pytest.param(
            DecisionTreeClassifier(max_depth=4, random_state=0), "recall", marks=pytest.mark.slow
        ),
        pytest.param(GaussianNB(), "neg_brier_score", marks=pytest.mark.slow),
        (DecisionTreeClassifier(max_depth=3, random_state=0), None),
        (LogisticRegression(), make_row_scorer(lambda y, p: (y != p) * (1.0 + 4 * y))),
    ],
)
def test_the_worst_of_all_patterns_by_loops_over_classifiers(estimator, scoring):
    model = model_of(estimator)
    X, y = table()
    search = served_search(model, scoring=scoring).fit(X, y)
    check_grid(search, model, X, y, check_scoring(model, scoring=scoring))


@pytest.mark.parametrize(
    "scoring",
    [
        "r2",
        # the loops on columns of few values have these as well
        pytest.param("neg_mean_squared_error", marks=pytest.mark.slow),
        pytest.param("neg_mean_absolute_error", marks=pytest.mark.slow),
        pytest.param("neg_mean_absolute_percentage_error", marks=pytest.mark.slow),
        "d2_absolute_error_score",
    ],
)
def test_the_worst_of_all_patterns_by_loops_over_regressors(scoring):
    model = model_of(Ridge(), regression=True)
    X, y = table(regression=True)
    search = served_search(model, scoring=scoring).fit(X, y)
    check_grid(search, model, X, y, check_scoring(model, scoring=scoring))


def check_grid(search, model, X, y, scorer):
    """The certificate's bounds are those of plain loops, column by column."""
    clean, allowed = scorer(model, X, y), math.floor(0.2 * len(X) + 1e-9)
    found = search.certificate_.set_index("columns")
    assert found["proven"].all()
    patterns = [mask for depth in (1, 2) for mask in all_patterns(search, X, depth)]
    for column in X:
        alone, answers = np.zeros(len(X)), told(model, X, X.assign(**{column: np.nan}))
        np.testing.assert_allclose(scorer(answers, np.zeros(len(X), dtype=bool), y), clean, **EXACT)
        for i in np.flatnonzero(X[column].notna()):
            alone[i] = clean - scorer(answers, np.arange(len(X)) == i, y)
        able = X[column].notna().to_numpy()
        worst = np.inf
        for mask in patterns:
            rows = mask & able
            if rows.any():
                share = min(1.0, allowed / rows.sum())
                worst = min(worst, clean - share * alone[rows].sum())
        row = found.loc[[(column,)]].iloc[0]
        # a refinement between the bins may find something worse still
        assert row["readable_bound"] <= worst + 1e-10
        assert row["readable_bound"] >= row["any_rows_score"] - 1e-10
        np.testing.assert_allclose(
            row["any_rows_score"], clean - np.sort(alone)[::-1][:allowed].clip(0).sum(), **EXACT
        )
        on_grid = search.cv_results_
        exact = [
            s
            for s, c, d in zip(
                on_grid["mean_test_score"], on_grid["columns"], on_grid["depth"], strict=True
            )
            if c == (column,) and d <= 2
        ]
        assert min(exact) <= worst + 1e-10


def test_without_refinement_the_bound_is_the_best_of_the_grid():
    """On columns of few values there is nothing between the bins."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 3, (120, 3)), columns=list("abc"))
    y = pd.Series((X.sum(axis=1) + rng.normal(size=120) > 3).astype(int))
    model = GaussianNB().fit(X, y)
    search = served_search(model, CorruptScale(factor=10.0), budget=0.1).fit(X, y)
    clean, allowed = model.score(X, y), 12
    right = model.predict(X) == y
    patterns = [mask for depth in (1, 2) for mask in all_patterns(search, X, depth)]
    for columns, score in search.certificate_[["columns", "readable_score"]].itertuples(
        index=False
    ):
        Z = X.copy()
        Z[columns[0]] *= 10
        harm = (right.astype(int) - (model.predict(Z) == y)).to_numpy()
        able = (X[columns[0]] != 0).to_numpy()
        worst = max(
            min(1.0, allowed / rows.sum()) * harm[rows].sum()
            for mask in patterns
            for rows in [mask & able]
            if rows.any()
        )
        np.testing.assert_allclose(score, clean - worst / 120, **EXACT)


@pytest.mark.long
def test_the_score_is_the_mean_over_draws():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X[["mean radius", "worst texture", "mean area"]]
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(X, y)
    search = served_search(FrozenEstimator(model), budget=0.05).fit(X, y)
    drawn = cross_validate_corrupted(
        FrozenEstimator(model),
        X,
        y,
        search.worst_corruption_,
        apply_to="test",
        cv=search.splits_,
        n_repeats=60,
        random_state=search.seed_,
    )["test_score"]
    error = drawn.std() / math.sqrt(60)
    assert abs(drawn.mean() - search.worst_score_) <= 4 * error + 1e-12


def test_what_strikes_every_matched_row_is_remade_exactly():
    X, y = table()
    model = FrozenEstimator(model_of(GaussianNB()))
    search = served_search(model, budget=1.0).fit(X, y)
    assert search.worst_corruption_.rate == 1
    drawn = cross_validate_corrupted(
        model, X, y, search.worst_corruption_, apply_to="test", cv=search.splits_, random_state=0
    )
    np.testing.assert_allclose(drawn["test_score"].mean(), search.worst_score_, **EXACT)


def test_an_estimator_that_is_not_fitted_is_fitted_on_every_split():
    X, y = table()
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    search = served_search(pipeline, cv=KFold(3), budget=1.0).fit(X, y)
    assert len(search.splits_) == 3
    drawn = cross_validate_corrupted(
        pipeline,
        X,
        y,
        search.worst_corruption_,
        apply_to="test",
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
    )
    error = drawn["test_score"].std() / math.sqrt(len(drawn["test_score"]))
    assert abs(drawn["test_score"].mean() - search.worst_score_) <= 4 * error + 1e-12


def test_it_is_no_worse_than_a_search_by_candidates():
    X, y = table(n=150)
    model = model_of(LogisticRegression())
    exact = served_search(model).fit(X, y)
    beams = served_search(model, strategy=BeamSearch(n_calls=20)).fit(X, y)
    assert exact.worst_score_ <= beams.worst_score_ + 1e-12


def test_gaps_between_groups_are_made_by_errors_of_both_signs():
    X, y = table(n=200)
    X["group"] = np.tile([0, 1], 100)
    model = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, y)
    fair = make_fairness_scorer("spd", sensitive_features="group", privileged=1, pos_label=1)
    space = SearchSpace(corrupt_columns=["a", "group"], max_conditions=1, n_bins=4)
    search = served_search(model, CorruptScale(factor=-5.0), scoring=fair, space=space).fit(X, y)
    worst = 0.0
    for column in ["a", "group"]:
        able = (X[column] != 0).to_numpy()
        Z = X.copy()
        Z[column] *= -5
        clean, struck = model.predict(X), model.predict(Z)
        sign = np.where(X.group == 1, -1 / 100, 1 / 100)
        for mask in all_patterns(search, X, 1):
            rows = mask & able
            if rows.any():
                share = min(1.0, 40 / rows.sum())
                gap = (sign * clean).sum() + share * (sign * (struck - clean))[rows].sum()
                worst = min(worst, -abs(gap))
    # what is drawn is no smaller than the gap of the mean
    assert search.worst_score_ <= worst + 0.02


def test_without_labels_changed_decisions_count():
    X, _ = table()
    model = model_of(LogisticRegression())
    search = served_search(model, budget=0.1).fit(X)
    assert search.metric_name_ == "negative share of predictions changed"
    assert search.baseline_score_ == 0
    assert -0.1 <= search.worst_score_ < 0
    assert not search.worst_pattern_.uses_y
    soft = served_search(model, scoring=make_change_scorer("proba"), budget=0.1).fit(X)
    assert soft.worst_score_ < 0


def test_without_labels_regressors_move():
    X, _ = table(regression=True)
    search = served_search(model_of(Ridge(), regression=True)).fit(X)
    assert search.worst_score_ < 0


@pytest.mark.slow
def test_a_score_that_is_not_defined_for_some_struck_rows_is_asked_for_each_candidate():
    X, _ = coarse_table()
    y = (0.1 + X["a"] + X["b"]).rename("amount")
    model = Ridge().fit(X, y)
    space = SearchSpace(corrupt_columns=["a"], max_conditions=1)
    search = served_search(
        model, CorruptScale(factor=-1.0), scoring="neg_mean_poisson_deviance", space=space
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search.fit(X, y)
    said = " ".join(str(warning.message) for warning in caught)
    assert "not defined for some struck rows" in said and "The pipeline failed on" in said
    assert not search.certificate_["proven"].any()
    assert "failed" in search.cv_results_["status"]


@pytest.mark.slow
def test_weights_lead_scores_that_are_no_sums():
    X, y = table(n=150)
    weights = np.where(X["b"] > 1, 9.0, 1.0)
    model = FrozenEstimator(model_of(LogisticRegression()))
    space = SearchSpace(max_conditions=1, n_bins=3)
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("f1").set_score_request(sample_weight=True)
        search, exhaustive = (
            served_search(model, scoring=scorer, space=space, strategy=strategy).fit(
                X, y, sample_weight=weights
            )
            for strategy in ("auto", "exhaustive")
        )
    assert search.worst_score_ < search.baseline_score_
    assert search.worst_score_ <= exhaustive.worst_score_ + 1e-9
    assert "in closed form" in {phase["phase"] for phase in search.strategy_.phases_}


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_a_journal_keeps_what_is_scored_in_closed_form(tmp_path):
    X, y = table()
    path = tmp_path / "journal.sqlite"
    model = model_of(LogisticRegression())
    alone = served_search(model, CorruptNoise(scale=3.0)).fit(X, y)
    for corruption, known in ((CorruptNoise(scale=3.0), alone), ("missing", None)):
        first = served_search(model, corruption, journal=path).fit(X, y)
        kept = journaled(path)
        again = served_search(model, corruption, journal=path).fit(X, y)
        after = journaled(path)
        assert again.worst_score_ == first.worst_score_
        assert known is None or known.worst_score_ == first.worst_score_
        pd.testing.assert_frame_equal(kept, after)
        # a row for each candidate at least
        assert (kept[2] == EVALUATIONS).sum() >= first.n_evaluations_ > 0


def journaled(path):
    with closing(sqlite3.connect(path)) as connection:
        return pd.DataFrame(connection.execute("SELECT * FROM outcomes").fetchall())


@pytest.mark.long
def test_several_kinds_at_once():
    X, y = table()
    model = model_of(LogisticRegression())
    search = served_search(model, ["missing", CorruptScale(factor=100.0)]).fit(X, y)
    assert set(search.certificate_["kind"]) == {"missing", "scale"}
    alone = [
        served_search(model, each).fit(X, y).worst_score_
        for each in ("missing", CorruptScale(factor=100.0))
    ]
    np.testing.assert_allclose(search.worst_score_, min(alone), **EXACT)


@pytest.mark.long
def test_random_values_are_drawn_afresh_and_prove_nothing():
    X, y = table()
    search = served_search(model_of(LogisticRegression()), CorruptNoise(scale=3.0)).fit(X, y)
    assert not search.certificate_["proven"].any()
    assert search.n_draws_ >= 4
    drawn = cross_validate_corrupted(
        FrozenEstimator(model_of(LogisticRegression())),
        X,
        y,
        search.worst_corruption_,
        apply_to="test",
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
    )
    np.testing.assert_allclose(drawn["test_score"].mean(), search.worst_score_, **EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["selection", "duplicates"])
def test_rows_that_never_come_or_come_twice(kind):
    X, y = table()
    space = SearchSpace(max_conditions=1, n_bins=2)
    search = served_search(model_of(LogisticRegression()), kind, space=space).fit(X, y)
    assert search.worst_score_ < search.baseline_score_


def test_scores_that_are_no_sums():
    X, y = table()
    space = SearchSpace(max_conditions=1, n_bins=3)
    search = served_search(model_of(LogisticRegression()), scoring="roc_auc", space=space)
    search.fit(X, y)
    assert search.worst_score_ < search.baseline_score_
    assert not search.certificate_["proven"].any()
    drawn = cross_validate_corrupted(
        FrozenEstimator(model_of(LogisticRegression())),
        X,
        y,
        search.worst_corruption_,
        apply_to="test",
        scoring="roc_auc",
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
    )
    np.testing.assert_allclose(drawn["test_score"].mean(), search.worst_score_, **EXACT)


@pytest.mark.slow
def test_models_that_look_at_the_whole_batch_are_scored_candidate_by_candidate():
    class Centred(GaussianNB):
        def predict(self, X):
            return super().predict(X - X.mean())

    X, y = table()
    X = X.fillna(0.0)
    model = Centred().fit(X - X.mean(), y)
    space = SearchSpace(max_conditions=1, n_bins=2)
    search = served_search(model, CorruptScale(factor=30.0), space=space)
    with pytest.warns(UserWarning, match="depends on the rows beside it"):
        search.fit(X, y)
    assert not search.certificate_["proven"].any()
    assert search.worst_score_ < search.baseline_score_


@pytest.mark.slow
def test_both_parts_are_struck():
    X, y = table()
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    search = AdversarialCorruptionSearch(
        pipeline,
        "missing",
        apply_to="both",
        budget=0.2,
        space=SearchSpace(max_conditions=1, n_bins=2),
        strategy=BeamSearch(n_calls=6),
        random_state=0,
    ).fit(X, y)
    rows = search.search_indices_
    drawn = cross_validate_corrupted(
        pipeline,
        X.iloc[rows],
        y.iloc[rows],
        search.worst_corruption_,
        apply_to="both",
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
        return_records=True,
    )
    np.testing.assert_allclose(drawn["test_score"].mean(), search.worst_score_, **EXACT)
    assert max(r.row_fraction for pair in drawn["records"] for r in pair) <= 0.2 + 1e-9


@pytest.mark.long
def test_confirmed_on_rows_not_searched():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X[["mean radius", "worst texture", "mean area"]]
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(X, y)
    search = served_search(model, confirm_size=0.4, budget=0.1).fit(X, y)
    low, high = search.confirmed_interval_
    assert low <= search.confirmed_baseline_score_ - search.confirmed_score_ <= high
    assert "any rows" in search.summary()
    again = clone(search).set_params(estimator=FrozenEstimator(model)).fit(X, y)
    assert again.worst_score_ == search.worst_score_
    search.confirm(X, y)
    np.testing.assert_allclose(search.confirmed_baseline_score_, model.score(X, y), **EXACT)


@pytest.mark.long
def test_budgets_and_workers():
    X, y = table(n=200)
    model = FrozenEstimator(model_of(DecisionTreeClassifier(max_depth=4, random_state=0)))
    search = served_search(model, budget=[0.05, 0.1, 0.3]).fit(X, y)
    curve = search.budget_curve_["worst_score"].to_numpy()
    assert (np.diff(curve) <= 1e-12).all()
    for budget, score in zip([0.05, 0.1, 0.3], curve, strict=True):
        # what was found for another budget may be where a refinement begins
        alone = served_search(model, budget=budget).fit(X, y).worst_score_
        assert alone - 0.002 <= score <= alone + 1e-12
    workers = served_search(model, n_jobs=2, budget=0.3).fit(X, y)
    assert workers.worst_score_ == alone


@pytest.mark.many
@pytest.mark.parametrize(
    ("model", "scoring", "seed"),
    [
        (DecisionTreeClassifier(max_depth=4, random_state=0), "accuracy", 0),
        (LogisticRegression(), "neg_log_loss", 1),
        (LogisticRegression(), "accuracy", 2),
    ],
)
@pytest.mark.long
def test_what_a_smaller_budget_comes_to_leads_no_larger_one_astray(model, scoring, seed):
    X, y = table(n=200, seed=seed)
    given = {"scoring": scoring, "space": SearchSpace(max_conditions=1, n_bins=3)}
    model, budgets = FrozenEstimator(model_of(model)), [0.05, 0.1, 0.2]
    curve = served_search(model, budget=budgets, **given).fit(X, y).budget_curve_
    for budget, score in zip(budgets, curve["worst_score"], strict=True):
        alone = served_search(model, budget=budget, **given).fit(X, y)
        assert score <= alone.worst_score_ + 1e-12


def test_nothing_that_was_given_changes():
    X, y = table()
    before = X.copy(), y.copy()
    served_search(model_of(GaussianNB())).fit(X, y)
    pd.testing.assert_frame_equal(X, before[0])
    pd.testing.assert_series_equal(y, before[1])


def test_patterns_name_neither_labels_nor_need_the_column_hit():
    X, y = table()
    search = served_search(model_of(LogisticRegression())).fit(X, y)
    assert search.space_.label == "forbidden" and search.space_.own_column == "allowed"
    required = SearchSpace(max_conditions=1, label="required", n_bins=3)
    found = served_search(model_of(LogisticRegression()), space=required).fit(X, y)
    assert found.worst_pattern_.uses_y and found.worst_score_ <= found.baseline_score_
    given = CorruptMissing("a", pattern="b >= 1")
    kept = served_search(model_of(LogisticRegression()), given).fit(X, y)
    assert kept.worst_pattern_ & Pattern({"b": (1, None)}) == kept.worst_pattern_


class TestRefused:
    def refused(self, message, model=None, corruption="missing", y="labels", **params):
        X, labels = table()
        model = model_of(GaussianNB()) if model is None else model
        given = {"apply_to": "test", "random_state": 0, "space": SMALL, **params}
        search = AdversarialCorruptionSearch(model, corruption, **given)
        with pytest.raises(ValueError, match=message):
            search.fit(X, labels if isinstance(y, str) else y)

    def test_a_frozen_model_cannot_learn_from_errors(self):
        frozen = FrozenEstimator(model_of(GaussianNB()))
        for apply_to in ("train", "both"):
            self.refused("is frozen.*apply_to='test'", frozen, apply_to=apply_to)

    @pytest.mark.parametrize("apply_to", ["test", "both"])
    def test_labels_are_not_served(self, apply_to):
        message = f"'labels' changes labels, which no model is served.*apply_to={apply_to!r} pass"
        for corruption in (CorruptLabels(), ["missing", "labels"]):
            self.refused(message, corruption=corruption, apply_to=apply_to)

    def test_errors_in_test_parts_beside_a_search_for_them(self):
        self.refused("test_corruption is for apply_to='train'", test_corruption=CorruptMissing())

    def test_splits_of_a_fitted_model(self):
        self.refused("cv=3 has no effect on a fitted estimator", cv=3)

    def test_refitting_a_fitted_model(self):
        self.refused("refit=True would fit", refit=True)

    def test_weights_for_fitting_a_fitted_model(self):
        X, y = table()
        search = AdversarialCorruptionSearch(model_of(GaussianNB()), "missing", apply_to="test")
        for step in (search.fit, search.plan):
            with pytest.raises(ValueError, match="sample_weight: a fitted estimator is not fitted"):
                step(X, y, sample_weight=np.ones(len(y)))

    def test_no_labels_for_a_score_that_needs_them(self):
        self.refused("scoring='accuracy' needs labels", y=None, scoring="accuracy")
        self.refused(
            "label='allowed' of the space needs", y=None, space=SearchSpace(label="allowed")
        )
        self.refused("is not fitted and needs labels", GaussianNB(), y=None)

    def test_changes_under_errors_in_training_data(self):
        self.refused("scoring='change' compares", GaussianNB(), apply_to="train", scoring="change")

    def test_a_model_that_cannot_take_the_error(self):
        X, y = table()
        X = X.fillna(0.0)
        search = served_search(GaussianNB().fit(X, y))
        with pytest.raises(ValueError, match=r"cannot predict rows with missing values.*imputer"):
            search.fit(X, y)

    @pytest.mark.parametrize("steps", [(), (StandardScaler(),)])
    def test_a_model_that_checks_all_columns_is_asked_about_one(self, steps, monkeypatch):
        def failures(self, *args):
            raise AssertionError("columns are looked at one by one")

        monkeypatch.setattr(ServedEvaluator, "failures", failures)
        X, y = table()
        X = X.fillna(0.0)
        search = served_search(make_pipeline(*steps, LogisticRegression()).fit(X, y))
        with pytest.raises(ValueError, match=r"cannot predict rows with missing values.*imputer"):
            search.fit(X, y)

    def test_a_model_that_takes_the_error_in_the_last_column(self):
        X, y = table()
        X = X.fillna(0.0)
        filled = ColumnTransformer([("c", SimpleImputer(), ["c"])], remainder="passthrough")
        search = served_search(make_pipeline(filled, LogisticRegression()).fit(X, y))
        with (
            pytest.warns(UserWarning, match=r"missing values in \['a', 'b'\]"),
            pytest.warns(FitFailedWarning),
        ):
            assert search.fit(X, y).worst_columns_ == ["c"]


def test_trees_that_take_gaps():
    X, y = table(regression=True)
    model = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y)
    search = served_search(model, scoring="neg_root_mean_squared_error").fit(X, y)
    assert search.worst_score_ < search.baseline_score_


class TestColumnsTogether:
    @pytest.mark.slow
    @pytest.mark.parametrize("apply_to", ["train", "test"])
    def test_columns_of_one_source_are_lost_together(self, apply_to):
        X, y = table()
        model = (
            model_of(LogisticRegression())
            if apply_to == "test"
            else (make_pipeline(SimpleImputer(), GaussianNB()))
        )
        space = SearchSpace(
            corrupt_columns=["b", ("a", "c")], max_conditions=2, n_bins=2, own_column="allowed"
        )
        search = AdversarialCorruptionSearch(
            model,
            "missing",
            apply_to=apply_to,
            space=space,
            strategy="auto" if apply_to == "test" else BeamSearch(n_calls=3),
            confirm_size=None,
            random_state=0,
        ).fit(X, y)
        assert {*search.cv_results_["columns"]} == {("b",), ("a", "c")}
        both = next(
            c
            for c, columns in zip(
                search.cv_results_["corruption"], search.cv_results_["columns"], strict=True
            )
            if len(columns) == 2
        )
        record = clone(both).set_params(random_state=0).fit(X, y).corrupt(X, y).record
        rows = record.X_mask.any(axis=1)
        assert record.X_mask[rows][:, [0, 2]].all() and not record.X_mask[:, 1].any()

    def test_two_are_at_least_as_bad_as_one(self):
        X, y = table(n=200)
        model = model_of(LogisticRegression())

        def worst(*columns):
            space = SearchSpace(corrupt_columns=[*columns], max_conditions=1, n_bins=3)
            return served_search(model, space=space).fit(X, y).worst_score_

        together = worst("a", ("a", "b"))
        assert together <= worst("a") + 1e-12

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ([("a", "nowhere")], "nowhere"),
            ([()], "empty tuple"),
            ([], "names no column"),
        ],
    )
    def test_groups_that_are_none(self, columns, message):
        X, y = table()
        space = SearchSpace(corrupt_columns=columns)
        with pytest.raises(ValueError, match=message):
            served_search(model_of(GaussianNB()), space=space).fit(X, y)


def titles_of(ax):
    texts = [ax.get_title(), ax.get_title(loc="left"), *(text.get_text() for text in ax.texts)]
    return [" ".join(text.split()) for text in texts if text.startswith("What errors")]


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_the_damage_by_column_is_shown():
    X, y = table()
    search = served_search(model_of(LogisticRegression()), budget=[0.1, 0.2]).fit(X, y)
    shown = AdversarialSearchDisplay.from_search(search).plot("damage").table_
    assert set(shown["budget"]) == {0.2}
    assert shown["readable_score"].is_monotonic_increasing
    assert shown["error"].tolist() == [", ".join(each) for each in shown["columns"]]
    page = search_page(search)
    assert "Damage by column" in page and "rows that the model is served" in page
    told = pd.DataFrame(
        {
            "budget": 0.1, "kind": "", "columns": [("a",), ("b",)], "random_score": 0.9,
            "any_rows_score": [0.5, 0.6], "readable_score": [0.7, 0.8],
            "readable_bound": [0.7, 0.65],
        }
    )  # fmt: skip
    ax = AdversarialSearchDisplay({"clean": 1.0}, certificate=told).plot("damage").ax_
    assert titles_of(ax) == [
        "What errors in each column do, at random, by the worst condition, in any rows"
    ]
    unknown = told.assign(random_score=np.nan, any_rows_score=np.nan, readable_bound=np.nan)
    only = AdversarialSearchDisplay({"clean": 1.0}, certificate=unknown).plot("damage").ax_
    assert titles_of(only) == ["What errors in each column do, by the worst condition"]
    drawn = {line.get_label(): line.get_xdata() for line in ax.get_lines()}
    # what is not known to be the worst of its columns is not called that
    np.testing.assert_array_equal(drawn["worst condition"], [0.7, np.nan])
    np.testing.assert_array_equal(drawn["condition found"], [np.nan, 0.8])
    np.testing.assert_array_equal(drawn["bound of all conditions"], [np.nan, 0.65])
    plain = AdversarialSearchDisplay({"clean": 1.0}, certificate=None)
    with pytest.raises(ValueError, match="apply_to='test'"):
        plain.plot("damage")


def search_page(search):
    """The page of a search as text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        write_html(search, path)
        return path.read_text(encoding="utf-8")


def coarse_table(n=150, seed=0):
    """Columns of few values, between which a refinement has nowhere to go."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 4, (n, 3)), columns=list("abc"))
    y = pd.Series((X.sum(axis=1) + rng.normal(size=n) > 6).astype(int), name="label")
    return X, y


def worst_by_loops(X, parts, harm, sums, budget, most, label=None, least=0):
    """The lowest mean score over parts of any pattern, by loops over all sets of values."""
    ranges = [None, *([low, high] for low in (1, 2, 3) for high in (1, 2, 3) if low <= high)]
    ranges.remove([1, 3])
    worst = np.inf
    labels = [np.ones(len(X), dtype=bool)] if label is None else [label == k for k in (0, 1)]
    for given in itertools.product(ranges, repeat=3):
        used = [(c, each) for c, each in zip(X, given, strict=True) if each is not None]
        if not 1 <= len(used) <= most:
            continue
        inside = np.logical_and.reduce([X[c].between(*each).to_numpy() for c, each in used])
        for own in labels:
            mask = inside & own
            matched = [int(mask[rows].sum()) for rows in parts]
            if min(matched) == 0 or mask.sum() < least:
                continue
            allowed = [math.floor(budget * len(rows) + 1e-9) for rows in parts]
            rate = min(min(1.0, a / m) for a, m in zip(allowed, matched, strict=True))
            struck = [min(m, math.floor(rate * m + 0.5 + 1e-9)) for m in matched]
            if min(struck) < 1:
                continue
            scores = [
                total - k / m * harm[rows][mask[rows]].sum()
                for rows, m, k, total in zip(parts, matched, struck, sums, strict=True)
            ]
            worst = min(worst, float(np.mean(scores)))
    return worst


@pytest.mark.parametrize(
    "scoring",
    ["accuracy", "neg_log_loss", pytest.param("neg_brier_score", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("n_splits", [1, 3])
@pytest.mark.parametrize("label", [False, True])
def test_three_conditions_by_loops(scoring, n_splits, label):
    X, y = coarse_table()
    error = CorruptScale(factor=4.0)
    space = SearchSpace(
        corrupt_columns=["b"],
        max_conditions=3,
        min_support=0.1,
        label="required" if label else "forbidden",
    )
    folds = list(KFold(3).split(X)) if n_splits > 1 else [(np.arange(150), np.arange(150))]
    pipeline = GaussianNB() if n_splits > 1 else GaussianNB().fit(X, y)
    params = {"cv": folds} if n_splits > 1 else {}
    search = served_search(
        pipeline, error, scoring=scoring, space=space, budget=0.15, **params
    ).fit(X, y)
    harm, sums, Z = np.zeros(150), [], X.assign(b=4 * X.b)
    for train, test in folds:
        model = GaussianNB().fit(X.iloc[train], y.iloc[train])
        clean, struck = (each_row(scoring, model, D.iloc[test], y.iloc[test]) for D in (X, Z))
        harm[test] = (clean - struck) / len(test)
        sums.append(clean.mean())
    parts = [test for _, test in folds]
    worst = worst_by_loops(
        X, parts, harm, sums, 0.15, 3, label=y.to_numpy() if label else None, least=15
    )
    np.testing.assert_allclose(search.worst_score_, worst, rtol=0, atol=1e-10)
    (row,) = search.certificate_.to_dict("records")
    assert row["n_patterns"] >= 1 and row["n_pruned"] >= 0
    assert row["proven"] and row["readable_bound"] <= row["readable_score"] + 1e-12


def each_row(scoring, model, X, y):
    """What every row adds to a score."""
    if scoring == "accuracy":
        return (model.predict(X) == y).to_numpy().astype(float)
    p = model.predict_proba(X)[:, 1]
    if scoring == "neg_brier_score":
        return -((y.to_numpy() - p) ** 2)
    p = np.clip(p, np.finfo(float).eps, 1 - np.finfo(float).eps)
    return np.where(y == 1, np.log(p), np.log(1 - p))


@pytest.mark.long
def test_any_rows_are_the_worst_of_every_subset():
    X, y = coarse_table(n=9, seed=3)
    model = GaussianNB().fit(*coarse_table(seed=4))
    space = SearchSpace(max_conditions=1)
    search = served_search(model, CorruptScale(factor=-3.0), budget=0.34, space=space).fit(X, y)
    for columns, bound in search.certificate_[["columns", "any_rows_score"]].itertuples(
        index=False
    ):
        scores = []
        for rows in itertools.chain.from_iterable(
            itertools.combinations(range(9), k) for k in range(4)
        ):
            Z = X.copy()
            Z.loc[list(rows), columns[0]] *= -3
            scores.append(model.score(Z, y))
        np.testing.assert_allclose(bound, min(scores), **EXACT)


class TestWhatCannotBeProven:
    def test_other_rows_that_change_with_the_struck_ones(self):
        """A gap makes numbers floats, and texts of all others different ones."""
        from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

        X, y = coarse_table()
        texts = FunctionTransformer(lambda frame: frame.astype(str))
        coded = OneHotEncoder(handle_unknown="ignore")
        model = make_pipeline(texts, coded, LogisticRegression()).fit(X, y)
        space = SearchSpace(max_conditions=1, corrupt_columns=["a"])
        search = served_search(model, space=space)
        with pytest.warns(UserWarning, match="depends on the rows beside it"):
            search.fit(X, y)
        assert not search.certificate_["proven"].any()
        drawn = cross_validate_corrupted(
            FrozenEstimator(model),
            X,
            y,
            search.worst_corruption_,
            apply_to="test",
            cv=search.splits_,
            n_repeats=search.n_draws_,
            random_state=search.seed_,
        )
        np.testing.assert_allclose(drawn["test_score"].mean(), search.worst_score_, **EXACT)

    @pytest.mark.long
    def test_a_score_of_its_own_that_looks_like_accuracy(self):
        from sklearn.model_selection import GridSearchCV

        X, y = coarse_table()
        y = (X.a > 1).astype(int)
        tree = DecisionTreeClassifier(random_state=0)
        model = GridSearchCV(tree, {"max_depth": [2]}, scoring="roc_auc", cv=2).fit(X, y)
        space = SearchSpace(max_conditions=1)
        search = served_search(model, CorruptScale(factor=-1.0), space=space)
        with pytest.warns(UserWarning, match="none that is understood.*make_row_scorer"):
            search.fit(X, y)
        assert not search.certificate_["proven"].any()

    def test_a_function_of_the_users_is_told_of_before_the_work(self):
        X, y = table(regression=True)
        model, loss = model_of(Ridge(), regression=True), lambda true, said: np.abs(true - said)
        plain = make_scorer(lambda true, said: -loss(true, said).mean())
        with pytest.warns(UserWarning, match=r"one by one, which is slow.*make_row_scorer\(loss\)"):
            served_search(model, scoring=plain).lay_out(X, y)
        # warnings are errors here
        served_search(model, scoring=make_row_scorer(loss)).lay_out(X, y)
        served_search(model, CorruptMissing(sampling="normal"), scoring=plain).lay_out(X, y)

    def test_kinds_share_the_reason_why_they_were_drawn(self):
        told = Screened()
        gaps = {"missing": ["slow"], "scale": ["slow", "drawn"], "noise": []}
        told.join({kind: Screened(gaps=own) for kind, own in gaps.items()}, 0.0, column="kind")
        assert told.gaps == ["missing, scale: slow", "scale: drawn"]

    @pytest.mark.long
    def test_means_over_draws_of_what_is_no_sum(self):
        X, y = table(n=120, regression=True)
        scoring, model = "neg_root_mean_squared_error", model_of(Ridge(), regression=True)
        # a half of the rows that a pattern matches, so that scores depend on which
        search = served_search(model, CorruptMissing(rate=0.5), scoring=scoring).fit(X, y)
        drawn = cross_validate_corrupted(
            FrozenEstimator(model),
            X,
            y,
            search.worst_corruption_,
            apply_to="test",
            scoring=scoring,
            cv=search.splits_,
            n_repeats=100,
            random_state=search.seed_,
        )
        error = drawn["test_score"].std(ddof=1) / 10
        assert search.n_draws_ == 1
        assert 0 < abs(drawn["test_score"].mean() - search.worst_score_) < 4 * error
        table_ = search.certificate_
        beyond = table_["readable_bound"] < search.worst_score_ - 1e-9
        assert (table_["proven"] == ~beyond).all()

    def test_columns_that_make_the_model_fail(self):
        X, y = table()
        X = X.fillna(0.0)
        from sklearn.compose import make_column_transformer

        filled = make_column_transformer((SimpleImputer(), ["a", "c"]), ("passthrough", ["b"]))
        model = make_pipeline(filled, GaussianNB()).fit(X, y)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search = served_search(model).fit(X, y)
        said = " ".join(str(warning.message) for warning in caught)
        assert "cannot predict rows with missing values in ['b']" in said
        assert "The pipeline failed on 1 of" in said
        found = search.certificate_.set_index("columns")
        assert not found.loc[[("b",)], "proven"].any()
        assert found.loc[[("a",)], "proven"].all()
        assert "failed" in search.cv_results_["status"]
        assert "Errors in `b` have no score: the model raises." in search.summary()

    def test_interrupted_while_values_are_drawn_again(self, monkeypatch):
        from skcorrupt.adversarial.candidates import Evaluator

        def interrupted(*_, **__):
            raise KeyboardInterrupt

        X, y = table()
        search = served_search(model_of(LogisticRegression()), CorruptNoise(scale=3.0))
        monkeypatch.setattr(Evaluator, "draw_again", interrupted)
        with pytest.warns(UserWarning):
            search.fit(X, y)
        assert np.isfinite(search.worst_score_) and search.worst_score_ < search.baseline_score_


def test_alternatives_are_the_worst_of_their_classes():
    X, y = coarse_table()
    model = GaussianNB().fit(*coarse_table(seed=5))
    error = CorruptScale(factor=4.0)
    for own in ("required", "forbidden"):
        space = SearchSpace(max_conditions=3, own_column=own)
        alone = served_search(model, error, space=space, budget=0.15).fit(X, y)
        whole = served_search(model, error, space=SearchSpace(max_conditions=3), budget=0.15).fit(
            X, y
        )
        table = whole.alternatives_
        found = table.loc[table["uses_own_column"] == (own == "required"), "score"].min()
        np.testing.assert_allclose(found, alone.worst_score_, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "given",
    [{"min_support": 0.999}, {"exclude": [lambda pattern, X, y: pattern.mask(X).mean() < 2]}],
)
def test_patterns_that_are_all_refused_are_not_looked_at_one_by_one(given):
    X, y = table(n=200)
    search = served_search(
        model_of(LogisticRegression()), space=SearchSpace(max_conditions=2, n_bins=8, **given)
    )
    with pytest.warns(UserWarning, match="No candidate is feasible"):
        search.fit(X, y)
    assert search.worst_corruption_ is None


@pytest.mark.long
def test_the_area_under_the_curve_is_bounded():
    X, y = coarse_table()
    model = GaussianNB().fit(*coarse_table(seed=6))
    search = served_search(model, CorruptScale(factor=-2.0), scoring="roc_auc").fit(X, y)
    bounds = search.certificate_.set_index("columns")["readable_bound"]
    assert not search.certificate_["proven"].any()
    score = check_scoring(model, scoring="roc_auc")
    rng = np.random.default_rng(0)
    for column in X:
        answers = told(model, X, X.assign(**{column: -2 * X[column]}))
        gain = np.array([score(answers, np.arange(len(X)) == i, y) for i in range(len(X))])
        order = np.argsort(gain, kind="stable")
        chosen = [order[:30], *(rng.permutation(len(X))[: rng.integers(1, 31)] for _ in range(50))]
        for rows in chosen:
            assert (
                score(answers, np.isin(np.arange(len(X)), rows), y)
                >= bounds.loc[[(column,)]].iloc[0] - 1e-12
            )


@pytest.mark.long
def test_plans_of_fitted_models_speak_of_scores():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = GaussianNB().fit(X, y)
    searches = [
        AdversarialCorruptionSearch(each, "scale", apply_to="test")
        for each in (model, GaussianNB())
    ]
    plans = [str(search.plan(X, y)) for search in searches]
    assert " scores of " in plans[0] and " fits of " in plans[1]


@pytest.mark.long
def test_a_frozen_model_s_own_score_is_confirmed_like_accuracy():
    model = FrozenEstimator(model_of(GaussianNB()))
    found = [
        served_search(model, scoring=scoring, confirm_size=0.4).fit(*table()).confirmed_interval_
        for scoring in (None, "accuracy")
    ]
    assert found[0] == found[1] != (0.0, 0.0)


@pytest.mark.parametrize("own", [None, "forbidden"])
@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_budget_of_all_rows_takes_every_row(own, most):
    X, y = table(regression=True)
    model = model_of(Ridge(), regression=True)
    space = SearchSpace(max_conditions=most, n_bins=3, own_column=own, corrupt_columns=["a"])
    search = served_search(model, CorruptScale(factor=-9.0), space=space, budget=1.0).fit(X, y)
    struck = model.score(X.assign(a=-9 * X["a"]), y)
    assert search.worst_score_ <= struck + 1e-12
    bare = search.alternatives_[search.alternatives_["n_conditions"] == 0]
    assert bare["score"].max() == pytest.approx(struck)
    if most:
        # less may be struck, and no other budget has it
        least = served_search(model, CorruptScale(factor=-9.0), space=space, budget=0.9).fit(X, y)
        assert min(search.worst_score_, least.worst_score_) == search.worst_score_
        assert 0 not in set(least.alternatives_["n_conditions"])
