"""The worst pattern that checks let pass, by loops over patterns, rates and batches."""

import itertools
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.serving import _watch
from skcorrupt.checks import MissingShare, ValueRange

COLUMNS = [*"abc"]
RANGES = [(1, 1), (2, 2), (3, 3), (1, 2), (2, 3)]
BUDGET, N_BATCHES = 0.25, 20
# of the values 1, 2 and 3 the last two are out of range then, or all
ERRORS = {"missing": None, "scale": 2.0, "scale-2": -2.0}


def table(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 4, (n, 3)), columns=COLUMNS).astype(float)
    y = (X.sum(axis=1) + rng.normal(size=n) > 6).astype(int)
    # some values are missing before there is an error
    return X.mask(rng.random(X.shape) < 0.02), y


def struck_in(X, column, factor):
    struck = X.copy()
    struck[column] = np.nan if factor is None else struck[column] * factor
    return struck


def n_alarms(rows, X, struck, matched, rate, limits):
    """In how many batches a share is beyond what the checks report as their threshold."""
    values = X[rows]
    for batch, own in zip(rows, values, strict=True):
        able = np.flatnonzero(matched[batch])
        first = able[: math.floor(rate * len(able) + 0.5 + 1e-9)]
        own[first] = struck[batch[first]]
    gaps = np.isnan(values).mean(axis=1) > limits["gaps"]
    beyond = (values < limits["least"]) | (values > limits["largest"])
    return np.count_nonzero((gaps | (beyond.mean(axis=1) > limits["outside"])).any(axis=1))


def limits_of(gaps, ranges, X, size):
    """Thresholds, as the checks report them."""
    gap, outside = (check.report(X[:size]).set_index("column") for check in (gaps, ranges))
    ends = ranges.lines_.set_index("column")
    found = {"gaps": gap["threshold"], "outside": outside["threshold"]}
    found |= {"least": ends["least"], "largest": ends["largest"]}
    return {name: each[COLUMNS].to_numpy() for name, each in found.items()}


def worst_by_hand(parts, X, y, rows, limits, most_conditions):
    """The lowest score of patterns at the largest rates that pass, by error and column.

    Parts are models with the rows that they are scored on.
    """
    worst = {}
    right = [(model.predict(X.iloc[own]) == y.iloc[own]).to_numpy() for model, own in parts]
    clean = np.mean([each.mean() for each in right])
    for (kind, factor), column in itertools.product(ERRORS.items(), COLUMNS):
        struck = struck_in(X, column, factor)
        harm = [
            each.astype(float) - (model.predict(struck.iloc[own]) == y.iloc[own]).to_numpy()
            for each, (model, own) in zip(right, parts, strict=True)
        ]
        for depth in range(1, most_conditions + 1):
            for some in itertools.combinations(COLUMNS, depth):
                for ranges in itertools.product(RANGES, repeat=depth):
                    pairs = zip(some, ranges, strict=True)
                    mask = np.logical_and.reduce([X[c].between(*r).to_numpy() for c, r in pairs])
                    mask &= X[column].notna().to_numpy()
                    masks = [mask[own] for _, own in parts]
                    n = np.array([own.sum() for own in masks])
                    allowed = np.array([math.floor(BUDGET * len(own)) for own in masks])
                    most = min(1.0, *(allowed / np.maximum(n, 1)))
                    known = worst.get((kind, column), clean)
                    means = np.array(
                        [h[m].mean() if m.any() else 0.0 for h, m in zip(harm, masks, strict=True)]
                    )
                    sizes = np.array([len(own) for own in masks])
                    at_most = np.floor(most * n + 0.5 + 1e-9)
                    # patterns that lose less even if nobody watches cannot be the worst
                    least = clean - np.mean(at_most * np.maximum(means, 0.0) / sizes)
                    if (at_most < 1).any() or least >= known:
                        continue
                    for share in range(32, 0, -1):
                        rate = most * share / 32
                        given = rows, X.to_numpy(), struck.to_numpy(), mask, rate, limits
                        if n_alarms(*given) <= 0.1 * N_BATCHES:
                            n_struck = np.floor(rate * n + 0.5 + 1e-9)
                            score = clean - np.mean(n_struck * means / sizes)
                            known = worst.get((kind, column), np.inf)
                            worst[kind, column] = min(known, score)
                            break
    return worst


@pytest.mark.parametrize(
    ("most_conditions", "seed"),
    [
        (1, 0),
        pytest.param(2, 0, marks=pytest.mark.slow),
        pytest.param(2, 1, marks=pytest.mark.slow),
    ],
)
def test_no_pattern_that_passes_is_worse(monkeypatch, most_conditions, seed):
    X, y = table(200, seed)
    model = make_pipeline(SimpleImputer(), GaussianNB()).fit(*table(400, seed + 10))
    check_nothing_is_worse(monkeypatch, FrozenEstimator(model), X, y, most_conditions, seed, 30)


@pytest.mark.long
def test_none_is_worse_on_several_small_splits(monkeypatch):
    """Where fewer rows are struck, a split that gains may be left out."""
    X, y = table(45, 19)
    splits = [*KFold(3).split(X)]
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    check_nothing_is_worse(monkeypatch, pipeline, X, y, 1, 19, 15, splits)


def check_nothing_is_worse(monkeypatch, model, X, y, most_conditions, seed, size, splits=None):
    """The search finds the worst of every kind and column, in batches of some size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = table(600, seed + 20)[0]
        gaps, ranges = (make(batch_size=size).fit(reference) for make in (MissingShare, ValueRange))
    rng = np.random.default_rng(seed)
    rows = np.array([rng.permutation(len(X))[:size] for _ in range(N_BATCHES)])
    monkeypatch.setattr(_watch._Watcher, "_batches", lambda self, n, size: rows)
    search = AdversarialCorruptionSearch(
        model,
        ["missing", CorruptScale(factor=2.0), CorruptScale(factor=-2.0)],
        apply_to="test",
        scoring="accuracy",
        checks=[gaps, ranges],
        budget=BUDGET,
        cv=splits,
        space=SearchSpace(max_conditions=most_conditions),
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    parts = [(model, np.arange(len(X)))]
    if splits is not None:
        parts = [(clone(model).fit(X.iloc[own], y.iloc[own]), test) for own, test in splits]
    expected = worst_by_hand(parts, X, y, rows, limits_of(gaps, ranges, X, size), most_conditions)
    known = search.certificate_
    assert known["proven"].all()
    found = {(row["kind"], row["columns"][0]): row for row in known.to_dict("records")}
    for key, score in expected.items():
        assert found[key]["readable_score"] == pytest.approx(score, abs=1e-12), key
        assert found[key]["readable_bound"] <= score + 1e-12
