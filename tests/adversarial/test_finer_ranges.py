"""Errors in served rows: no range of a column is worse than what is found, whatever the grid is."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch, CorruptScale, Pattern
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.serving import (
    ExactRun,
    FinerRanges,
    Lot,
    _exact_run,
    _finer_ranges,
    _level_choices,
)

NUMBERS = ["a", "b", "c"]


def tables(seed, n=60, *, amounts=False):
    """Rows to learn from and rows to serve, of numbers with few ties and many."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=2 * n), "b": rng.integers(0, 9, 2 * n).astype(float)})
    X["c"] = rng.exponential(size=2 * n).round(1)
    X.loc[rng.random(2 * n) < 0.1, "c"] = np.nan
    z = X.a + np.sin(X.b) - X.c.fillna(1) + rng.normal(size=2 * n) * 0.5
    y = z if amounts else (z > z.median()).astype(int)
    return X[:n], y[:n], X[n:].reset_index(drop=True), y[n:].reset_index(drop=True)


def share_right(y, answers):
    return np.mean(y == answers)


def log_likelihood(y, answers):
    return np.mean(np.log(answers[np.arange(len(y)), y]))


def explained(y, answers):
    return 1 - np.sum((y - answers) ** 2) / np.sum((y - y.mean()) ** 2)


# the response that a score is of, and the score of it
SCORES = {
    "accuracy": ("predict", share_right),
    "neg_log_loss": ("predict_proba", log_likelihood),
    "r2": ("predict", explained),
}


def worst_range(model, scoring, X, y, budget, corrupted):
    """The least score of errors in all rows of a range, by a loop over all of them."""
    most, least = int(budget * len(X) + 1e-9), np.inf
    asked, score = SCORES[scoring]
    answer, y = getattr(model, asked), y.to_numpy()
    clean = answer(X)
    assert score(y, clean) == pytest.approx(get_scorer(scoring)(model, X, y))
    for hit, j in itertools.product(NUMBERS, repeat=2):
        struck = answer(X.assign(**{hit: corrupted(X[hit])}))
        values, there = X[j].to_numpy(), X[hit].notna().to_numpy()
        known = np.unique(values[~np.isnan(values)])
        for low, high in itertools.combinations_with_replacement(known, 2):
            rows = (low <= values) & (values <= high) & there
            if 0 < rows.sum() <= most:
                answers = clean.copy()
                answers[rows] = struck[rows]
                least = min(least, score(y, answers))
    return least


# of some tables boosting learns less than a constant says; what is worst is worst for it, too
@pytest.mark.many
@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
@pytest.mark.parametrize(
    ("model", "scoring", "amounts"),
    [
        (make_pipeline(SimpleImputer(), LogisticRegression()), "accuracy", False),
        (HistGradientBoostingClassifier(max_iter=8, random_state=0), "neg_log_loss", False),
        (make_pipeline(SimpleImputer(), Ridge()), "r2", True),
    ],
)
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0.05, 0.15]), st.sampled_from(["missing", "scale"]))
@pytest.mark.long
def test_no_range_of_a_column_is_worse(model, scoring, amounts, seed, budget, kind):
    X, y, served, labels = tables(seed, amounts=amounts)
    model.fit(X, y)
    corruption = "missing" if kind == "missing" else CorruptScale(factor=10.0)
    search = AdversarialCorruptionSearch(
        model,
        corruption,
        apply_to="test",
        budget=budget,
        scoring=scoring,
        space=SearchSpace(max_conditions=1, n_bins=4, own_column="allowed"),
        confirm_size=None,
        random_state=0,
    ).fit(served, labels)
    changed = (lambda cells: np.nan) if kind == "missing" else (lambda cells: 10 * cells)
    least = worst_range(model, scoring, served, labels, budget, changed)
    assert search.worst_score_ <= least + 1e-9


def search_of(model):
    return AdversarialCorruptionSearch(
        model,
        "missing",
        apply_to="test",
        budget=0.2,
        scoring="r2",
        space=SearchSpace(n_bins=4, own_column="allowed"),
        confirm_size=None,
        random_state=0,
    )


def laid_out(served, labels, model):
    task = search_of(model).lay_out(served, labels).task
    (space,) = task.spaces
    return FinerRanges(Lot(task, "", space), task.evaluator.root), task, space


def test_what_sums_say_of_a_pattern_is_its_score():
    X, y, served, labels = tables(3, amounts=True)
    finer, task, space = laid_out(served, labels, make_pipeline(SimpleImputer(), Ridge()).fit(X, y))
    found = finer._first(list(space.allowed))
    assert len(found) == len(NUMBERS) ** 2
    for each in found:
        candidate = finer.shapes.made(space, each.shape)
        task.evaluator.evaluate([candidate])
        assert task.evaluator.done[candidate.key].score == pytest.approx(-each.loss, abs=1e-9)


def test_of_many_levels_ends_are_looked_for_inside_bins(monkeypatch):
    X, y, served, labels = tables(5, n=300, amounts=True)
    model = make_pipeline(SimpleImputer(), Ridge()).fit(X, y)
    losses = {}
    for most in (10_000, 24):
        monkeypatch.setattr(_level_choices, "MOST_LEVELS", most)
        finer, _, space = laid_out(served, labels, model)
        losses[most] = max(each.loss for each in finer._first(list(space.allowed)))
    clean = model.score(served, labels)
    # of the damage that the worst of all ranges does nearly all is found
    assert 0.9 <= (losses[24] + clean) / (losses[10_000] + clean) <= 1 + 1e-12


def test_ranges_that_are_looked_for_are_limited(monkeypatch):
    X, y, served, labels = tables(5, amounts=True)
    model = make_pipeline(SimpleImputer(), Ridge()).fit(X, y)
    for most, n_found in ((2, 1), (8, 6), (12, 9)):
        monkeypatch.setattr(_finer_ranges, "MOST_RANGES", most)
        finer, *_, space = laid_out(served, labels, model)
        assert len(finer._first(list(space.allowed))) == n_found
        assert finer.cut_short == (n_found < 9)
    search = search_of(model)
    monkeypatch.setattr(_finer_ranges, "MOST_RANGES", 8)
    assert "between some bins" in {p["phase"] for p in search.fit(served, labels).strategy_.phases_}


@pytest.mark.many
@pytest.mark.parametrize("support", [0.0, 0.08, 0.12])
@pytest.mark.parametrize(
    "cv",
    [
        ShuffleSplit(1, test_size=0.3, random_state=1),
        RepeatedKFold(n_splits=2, n_repeats=2, random_state=0),
    ],
)
@pytest.mark.long
def test_rows_that_are_not_scored_count_where_some_number_has_to_match(cv, support):
    rng, n = np.random.default_rng(1), 90
    X = pd.DataFrame({name: rng.integers(0, 30, n).astype(float) for name in "ab"})
    y = pd.Series(X.a * 2 - X.b + rng.normal(size=n))
    cv = [*cv.split(X)]
    pipeline = make_pipeline(SimpleImputer(), Ridge())
    search = AdversarialCorruptionSearch(
        pipeline,
        "missing",
        apply_to="test",
        budget=0.15,
        scoring="r2",
        cv=cv,
        space=SearchSpace(max_conditions=1, n_bins=4, own_column="allowed", min_support=support),
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    models = [clone(pipeline).fit(X.iloc[train], y.iloc[train]) for train, _ in cv]
    least = np.inf
    for hit, j in itertools.product("ab", repeat=2):
        for low, high in itertools.combinations_with_replacement(np.sort(X[j].unique()), 2):
            rows = X[j].between(low, high).to_numpy()
            whole = all(1 <= rows[test].sum() <= int(0.15 * len(test) + 1e-9) for _, test in cv)
            if rows.mean() >= support and whole:
                struck = X.assign(**{hit: X[hit].where(~rows)})
                scored = zip(models, cv, strict=True)
                scores = [m.score(struck.iloc[test], y.iloc[test]) for m, (_, test) in scored]
                least = min(least, np.mean(scores))
    assert search.worst_score_ <= least + 1e-9 < np.inf
    assert search.worst_pattern_.mask(X).mean() >= support


def test_conditions_that_a_pattern_has_to_have_come_first():
    X, y, served, labels = tables(7, amounts=True)
    model = make_pipeline(SimpleImputer(), Ridge()).fit(X, y)
    search = AdversarialCorruptionSearch(
        model,
        "missing",
        apply_to="test",
        scoring="r2",
        space=SearchSpace(own_column="required", max_conditions=2),
        confirm_size=None,
        random_state=0,
    ).fit(served, labels)
    (between,) = [p for p in search.strategy_.phases_ if p["phase"] == "between bins"]
    assert between["n_candidates"] > 0
    patterns, hits = search.cv_results_["pattern"], search.cv_results_["columns"]
    for text, columns in zip(patterns, hits, strict=True):
        assert {*columns} <= {*Pattern.parse(text).columns}


def test_the_clock_is_looked_at_while_patterns_are_put_together(monkeypatch):
    X, y, served, labels = tables(3, amounts=True)
    finer, task, _ = laid_out(served, labels, make_pipeline(SimpleImputer(), Ridge()).fit(X, y))
    run = ExactRun([finer.lot], task.evaluator.root)
    monkeypatch.setattr(_exact_run, "AT_ONCE", 1)
    looks = []
    monkeypatch.setattr(ExactRun, "_tick", lambda self: looks.append(1))
    assert len(run._combinations(2, None)) == 3
    # three pairs of attributes, for each of three columns that are hit
    assert len(looks) == 9


class AboveThousand(ClassifierMixin, BaseEstimator):
    """Says of large values that they are of the second class."""

    def fit(self, X, y):
        """Learn nothing."""
        self.classes_, self.n_features_in_ = np.array([0, 1]), 1
        return self

    def predict(self, X):
        """Tell which values are large."""
        return (np.asarray(X)[:, 0] > 1000).astype(int)


@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
def test_a_range_of_all_rows_that_can_change_is_one_where_others_are_below_it():
    rng = np.random.default_rng(26)
    some = [0.0] * int(rng.integers(1, 4))
    values = np.r_[some, rng.integers(1, int(rng.integers(4, 30)), 40 - len(some)) / 10]
    X, y = pd.DataFrame({"a": values}), (rng.random(40) < 0.45).astype(int)
    # a factor does not change zeros
    harm = np.where(y == 0, 1, -1) * (values > 0)
    levels = np.unique(values)
    ranges = itertools.combinations_with_replacement(range(len(levels)), 2)
    inside = [
        (values >= levels[a]) & (values <= levels[b])
        for a, b in ranges
        if b > 0 and (a, b) != (0, len(levels) - 1)
    ]
    search = AdversarialCorruptionSearch(
        AboveThousand().fit(X, y),
        CorruptScale(factor=1e6),
        budget=1.0,
        apply_to="test",
        scoring="accuracy",
        confirm_size=None,
        space=SearchSpace(max_conditions=1, own_column="required", n_bins=3),
        random_state=0,
    ).fit(X, y)
    worst = np.mean(y == 0) - max(harm[rows].sum() for rows in inside) / 40
    assert search.worst_score_ == pytest.approx(worst)
