"""Errors in served rows: no range of a column is worse than what is found, whatever the grid is."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.serving import ExactRun, FinerRanges, Lot, _exact_run, _finer_ranges

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


def worst_range(model, score, X, y, budget, corrupted):
    """The least score of errors in all rows of a range, by a loop over all of them."""
    most, least = int(budget * len(X) + 1e-9), np.inf
    for hit, j in itertools.product(NUMBERS, repeat=2):
        values = np.sort(X[j].dropna().unique())
        for low, high in itertools.combinations_with_replacement(values, 2):
            rows = X[j].between(low, high) & X[hit].notna()
            if 0 < rows.sum() <= most:
                struck = X.copy()
                struck.loc[rows, hit] = corrupted(X.loc[rows, hit])
                least = min(least, score(model, struck, y))
    return least


@pytest.mark.parametrize(
    ("model", "scoring", "amounts"),
    [
        (make_pipeline(SimpleImputer(), LogisticRegression()), "accuracy", False),
        (HistGradientBoostingClassifier(max_iter=8, random_state=0), "neg_log_loss", False),
        (make_pipeline(SimpleImputer(), Ridge()), "r2", True),
    ],
)
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0.05, 0.15]), st.sampled_from(["missing", "scale"]))
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
    least = worst_range(model, get_scorer(scoring), served, labels, budget, changed)
    assert search.worst_score_ <= least + 1e-9


def laid_out(served, labels, model, **space):
    search = AdversarialCorruptionSearch(
        model,
        "missing",
        apply_to="test",
        budget=0.2,
        scoring="r2",
        space=SearchSpace(n_bins=4, own_column="allowed", **space),
        confirm_size=None,
        random_state=0,
    )
    task = search.lay_out(served, labels).task
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
        monkeypatch.setattr(_finer_ranges, "MOST_LEVELS", most)
        finer, _, space = laid_out(served, labels, model)
        losses[most] = max(each.loss for each in finer._first(list(space.allowed)))
    clean = model.score(served, labels)
    # of the damage that the worst of all ranges does nearly all is found
    assert 0.9 <= (losses[24] + clean) / (losses[10_000] + clean) <= 1 + 1e-12


def test_ranges_that_are_looked_for_are_limited(monkeypatch):
    X, y, served, labels = tables(5, amounts=True)
    monkeypatch.setattr(_finer_ranges, "MOST_RANGES", 2)
    finer, *_, space = laid_out(served, labels, make_pipeline(SimpleImputer(), Ridge()).fit(X, y))
    assert len(finer._first(list(space.allowed))) == 2


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
    ranges = search.strategy_.phases_
    assert "between bins" in {phase["phase"] for phase in ranges}
    for text, columns in zip(
        search.cv_results_["pattern"], search.cv_results_["columns"], strict=True
    ):
        assert all(str(column) in text for column in columns)


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
