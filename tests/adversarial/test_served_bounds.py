"""What is proven of errors in served rows, against loops over all patterns and all draws."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptNoise,
    CorruptScale,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.display import any_rows
from skcorrupt.adversarial.serving._effects import Outlook
from skcorrupt.metrics import make_fairness_scorer

RANGES = [(low, high) for low in (1, 2, 3) for high in (1, 2, 3) if low <= high and high - low < 2]


def few_values(n, seed):
    """Columns of three values, between which a refinement has nowhere to go."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 4, (n, 3)), columns=list("abc"))
    return X, rng


def patterns(X, most):
    """Masks of all patterns of up to so many conditions."""
    for depth in range(1, most + 1):
        for columns in itertools.combinations(X, depth):
            for ranges in itertools.product(RANGES, repeat=depth):
                pairs = zip(columns, ranges, strict=True)
                yield np.logical_and.reduce([X[c].between(*r).to_numpy() for c, r in pairs])


def mean_over_draws(values, clean, mask, allowed, form):
    """The mean score over all choices of the struck rows."""
    rows = np.flatnonzero(mask)
    k = min(len(rows), allowed)
    draws = np.array([*itertools.combinations(rows, k)])
    total = clean - values[draws].sum(axis=1)
    return float(np.mean(-np.sqrt(-total) if form == "root" else -np.abs(total)))


def searched(model, X, y, scoring, error, **params):
    given = {"space": SearchSpace(max_conditions=2), "budget": 0.34, **params}
    return AdversarialCorruptionSearch(
        model, error, apply_to="test", scoring=scoring, confirm_size=None, random_state=0, **given
    ).fit(X, y)


def check_every_draw(search, X, contributions, form, most):
    """Bounds hold for the mean over all draws of all patterns, and what is proven is the worst."""
    clean, worst = contributions(X), np.inf
    for row in search.certificate_.to_dict("records"):
        (column,) = row["columns"]
        harm = clean - contributions(X.assign(**{column: -2 * X[column]}))
        allowed = math.floor(0.34 * len(X) + 1e-9)
        lowest = min(
            mean_over_draws(harm, clean.sum(), mask, allowed, form)
            for mask in patterns(X[[*"abc"]], most)
            if mask.any()
        )
        assert row["readable_bound"] <= lowest + 1e-12
        assert row["any_rows_score"] <= row["readable_bound"] + 1e-12
        worst = min(worst, lowest)
    (column,) = search.worst_columns_
    harm = clean - contributions(X.assign(**{column: -2 * X[column]}))
    mask = search.worst_pattern_.mask(X, None)
    mean = mean_over_draws(harm, clean.sum(), mask, allowed, form)
    np.testing.assert_allclose(search.worst_score_, mean, rtol=0, atol=1e-12)
    proven = bool(search.certificate_["proven"].all())
    if proven:
        np.testing.assert_allclose(search.worst_score_, worst, rtol=0, atol=1e-12)
    return proven


@pytest.mark.long
def test_roots_are_bounded_by_the_root_of_the_mean():
    outcomes = set()
    for seed, most in itertools.product(range(3), (1, 2)):
        X, rng = few_values(12, seed)
        y = X.sum(axis=1) + rng.normal(size=12)
        model = LinearRegression().fit(X, y)
        space = SearchSpace(max_conditions=most)
        scoring, error = "neg_root_mean_squared_error", CorruptScale(factor=-2.0)
        search = searched(model, X, y, scoring, error, space=space)

        def contributions(Z, model=model, y=y):
            return -((y - model.predict(Z)).to_numpy() ** 2) / 12

        outcomes.add(check_every_draw(search, X, contributions, "root", most))
    # the root of a mean is no mean of roots
    assert outcomes == {True, False}


@pytest.mark.long
def test_gaps_are_proven_where_no_draw_turns_them_round():
    outcomes = set()
    for seed, most in itertools.product(range(4), (1, 2)):
        X, rng = few_values(12, seed)
        X["group"] = np.tile([0, 1], 6)
        y = (X["a"] + X["b"] + 2 * X["group"] * (seed % 2) + rng.normal(size=12) > 5).astype(int)
        model = LogisticRegression(C=100.0).fit(X, y)
        fair = make_fairness_scorer("spd", sensitive_features="group", privileged=1, pos_label=1)
        columns = [*"abc"]
        space = SearchSpace(corrupt_columns=columns, pattern_columns=columns, max_conditions=most)
        search = searched(model, X, y, fair, CorruptScale(factor=-2.0), space=space)
        sign = np.where(X["group"] == 1, -1 / 6, 1 / 6)

        def contributions(Z, model=model, sign=sign):
            return sign * model.predict(Z)

        outcomes.add(check_every_draw(search, X, contributions, "gap", most))
    assert outcomes == {True, False}


def test_the_mean_over_draws_is_told_though_there_are_many():
    X, rng = few_values(200, 3)
    y = X.sum(axis=1) + rng.standard_t(2, size=200)
    model = LinearRegression().fit(X, y)
    scoring, error = "neg_root_mean_squared_error", CorruptScale(factor=4.0)
    space = SearchSpace(max_conditions=1)
    search = searched(model, X, y, scoring, error, space=space, budget=0.05)
    (column,) = search.worst_columns_
    before = ((y - model.predict(X)) ** 2).to_numpy()
    after = ((y - model.predict(X.assign(**{column: 4 * X[column]}))) ** 2).to_numpy()
    rows = np.flatnonzero(search.worst_pattern_.mask(X, None))
    assert len(rows) > 10
    draws = rng.permuted(np.tile(rows, (50_000, 1)), axis=1)[:, :10]
    scores = -np.sqrt((before.sum() + (after - before)[draws].sum(axis=1)) / 200)
    error = scores.std() / np.sqrt(len(scores))
    # a tenth of what sixteen draws are off by
    assert abs(search.worst_score_ - scores.mean()) < 4 * error < scores.std() / 4 / 10
    # what is not as bad as that mean is ruled out, so that errors in other columns are
    table = search.certificate_
    assert search.worst_score_ >= table["readable_bound"].min() - 1e-12
    assert table.loc[table["readable_bound"] > search.worst_score_, "proven"].all()


@pytest.mark.long
def test_a_gap_that_draws_turn_round_is_a_mean_over_draws():
    X = pd.DataFrame(
        {
            "a": np.repeat([2, 1], 20),
            "group": [1] * 14 + [0] * 6 + [1] * 6 + [0] * 14,
        }
    )
    y = np.ones(40, dtype=int)
    model = DecisionTreeClassifier().fit(
        X.assign(a=np.tile([-2, -1, 1, 2], 10)), np.tile([0, 1, 1, 1], 10)
    )
    fair = make_fairness_scorer("spd", sensitive_features="group", privileged=1, pos_label=1)
    space = SearchSpace(corrupt_columns=["a"], pattern_columns=["a"], max_conditions=1)
    search = searched(model, X, y, fair, CorruptScale(factor=-1.0), space=space, budget=0.25)
    assert search.n_draws_ == 1 and not search.certificate_["proven"].any()
    # of the rows that match, some are of one group and others of the other
    matched = search.worst_pattern_.mask(X, None)
    n_ones = np.arange(11)
    chances = hypergeom(matched.sum(), matched[X["group"] == 1].sum(), 10).pmf(n_ones)
    sign = np.where(X["group"] == 1, -1 / 20, 1 / 20)
    clean = (sign * model.predict(X)).sum()
    flipped = model.predict(X.assign(a=-X["a"])) - model.predict(X)
    (step,) = set(flipped[matched])
    gaps = np.abs(clean + step * ((10 - n_ones) - n_ones) / 20)
    spread = np.sqrt((chances * gaps**2).sum() - (chances * gaps).sum() ** 2)
    off = search.worst_score_ + (chances * gaps).sum()
    assert spread > 0 and abs(off) < 4 * spread / np.sqrt(512)
    drawn = cross_validate_corrupted(
        FrozenEstimator(model),
        X,
        y,
        search.worst_corruption_,
        apply_to="test",
        scoring=fair,
        cv=search.splits_,
        n_repeats=100,
        random_state=search.seed_,
    )
    assert abs(drawn["test_score"].mean() - search.worst_score_) < 4 * spread / 10


class TestForSomeDraws:
    def test_bounds_of_random_values_are_kept_and_said_to_be_of_some_draws(self):
        X, rng = few_values(60, 1)
        y = (X.sum(axis=1) + rng.normal(size=60) > 6).astype(int)
        model = GaussianNB().fit(X, y)
        search = searched(model, X, y, "neg_log_loss", CorruptNoise(scale=3.0), budget=0.1)
        found = search.certificate_
        assert found["conditional"].all() and not found["proven"].any()
        # enumerated, which is tighter than what any rows could do
        assert (found["readable_bound"] > found["any_rows_score"]).any()
        assert "any rows, with the values drawn: " in search.summary()

    def test_of_gaps_nothing_is_known(self):
        X, rng = few_values(60, 1)
        X["group"] = np.tile([0, 1], 30)
        y = (X["a"] + rng.normal(size=60) > 2).astype(int)
        fair = make_fairness_scorer("spd", sensitive_features="group", privileged=1, pos_label=1)
        model = GaussianNB().fit(X, y)
        search = searched(model, X, y, fair, CorruptNoise(scale=3.0), budget=0.1)
        assert search.certificate_[["any_rows_score", "readable_bound"]].isna().all(axis=None)
        assert "any rows" not in search.summary()

    def test_one_outcome_holds_for_all(self):
        X, rng = few_values(60, 1)
        y = (X.sum(axis=1) + rng.normal(size=60) > 6).astype(int)
        search = searched(GaussianNB().fit(X, y), X, y, "accuracy", CorruptScale(factor=-2.0))
        assert search.certificate_["proven"].all() and not search.certificate_["conditional"].any()


class TestNoLowerThan:
    def test_the_bound_of_the_area_is_said(self):
        X, rng = few_values(200, 2)
        y = (X.sum(axis=1) + rng.normal(size=200) > 6).astype(int)
        model = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, y)
        search = searched(model, X, y, "roc_auc", "missing", budget=0.05)
        bound = search.certificate_["readable_bound"].min()
        assert 0 < bound < search.worst_score_
        assert f"any rows: no lower than {bound:.3f}" in search.summary()

    def test_a_bound_that_is_no_news_is_not_said(self):
        X, rng = few_values(60, 2)
        y = (X.sum(axis=1) + rng.normal(size=60) > 6).astype(int)
        model = LogisticRegression().fit(X, y)
        search = searched(model, X, y, "roc_auc", CorruptScale(factor=-9.0), budget=0.9)
        assert (search.certificate_["readable_bound"] == 0).any()
        assert "any rows" not in search.summary()

    def test_nothing_is_said_where_one_kind_is_not_known(self):
        table = pd.DataFrame(
            {
                "budget": 0.1,
                "readable_score": [0.7, 0.8],
                "any_rows_score": [0.6, np.nan],
                "readable_bound": [0.65, np.nan],
                "conditional": False,
            }
        )
        assert not any_rows(table).is_told
        assert any_rows(table.head(1)).said() == "any rows: 0.600"
        # a column of which the model fails has no score
        failing = table.assign(readable_score=[0.7, np.nan])
        assert any_rows(failing).said() == "any rows: 0.600"

    def test_columns_of_which_checks_notice_all_conditions_count_too(self):
        table = pd.DataFrame(
            {
                "budget": 0.1,
                "readable_score": [0.7, np.nan],
                "any_rows_score": [0.6, 0.5],
                "readable_bound": [0.65, 0.5],
                "conditional": False,
            }
        )
        assert any_rows(table).said() == "any rows: 0.500"
        unknown = table.assign(any_rows_score=np.nan)
        assert any_rows(unknown).said() == "any rows: no lower than 0.500"


@pytest.mark.parametrize("n", [2_000, 400_000])
def test_few_choices_of_many_rows_tell_the_mean_of_a_root(n):
    rng = np.random.default_rng(0)
    values, clean, n_struck = rng.gamma(0.5, size=n), -float(n), n // 10
    found = Outlook("root", [clean]).over_choices(values, n_struck, np.random.default_rng(1))
    # a second-order expansion about the mean of the sums, which is as good as exact here
    mean = n_struck * values.mean() - clean
    variance = n_struck * values.var(ddof=1) * (1 - n_struck / n)
    expected = np.sqrt(mean) - variance / (8 * mean**1.5)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    # without what is known of the sums it would be further off than that
    few = [np.sqrt(rng.choice(values, n_struck, replace=False).sum() - clean) for _ in range(64)]
    assert abs(np.mean(few) / expected - 1) > 1e-6
