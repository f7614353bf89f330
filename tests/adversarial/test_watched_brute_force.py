"""The worst pattern that checks let pass, by loops over patterns, rates and batches."""

import itertools
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.serving import _watch
from skcorrupt.checks import MissingShare, ValueRange

COLUMNS = [*"abc"]
RANGES = [(1, 1), (2, 2), (3, 3), (1, 2), (2, 3)]
BUDGET, SIZE, N_BATCHES = 0.25, 30, 20
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


def limits_of(gaps, ranges, X):
    """Thresholds, as the checks report them."""
    gap, outside = (check.report(X[:SIZE]).set_index("column") for check in (gaps, ranges))
    ends = ranges.lines_.set_index("column")
    found = {"gaps": gap["threshold"], "outside": outside["threshold"]}
    found |= {"least": ends["least"], "largest": ends["largest"]}
    return {name: each[COLUMNS].to_numpy() for name, each in found.items()}


def worst_by_hand(model, X, y, rows, limits, most_conditions):
    """The lowest score of patterns at the largest rates that pass, by error and column."""
    clean = (model.predict(X) == y).to_numpy()
    allowed = math.floor(BUDGET * len(X))
    worst = {}
    for (kind, factor), column in itertools.product(ERRORS.items(), COLUMNS):
        struck = struck_in(X, column, factor)
        harm = clean.astype(float) - (model.predict(struck) == y).to_numpy()
        for depth in range(1, most_conditions + 1):
            for some in itertools.combinations(COLUMNS, depth):
                for ranges in itertools.product(RANGES, repeat=depth):
                    pairs = zip(some, ranges, strict=True)
                    mask = np.logical_and.reduce([X[c].between(*r).to_numpy() for c, r in pairs])
                    mask &= X[column].notna().to_numpy()
                    n = int(mask.sum())
                    most = min(1.0, allowed / max(n, 1))
                    score = clean.mean() - harm[mask].mean() * allowed / len(X) if n else np.inf
                    # patterns that lose less even if nobody watches cannot be the worst
                    if n == 0 or score >= worst.get((kind, column), clean.mean()):
                        continue
                    for parts in range(32, 0, -1):
                        rate = most * parts / 32
                        given = rows, X.to_numpy(), struck.to_numpy(), mask, rate, limits
                        if n_alarms(*given) <= 0.1 * N_BATCHES:
                            n_struck = math.floor(rate * n + 0.5 + 1e-9)
                            score = clean.mean() - harm[mask].mean() * n_struck / len(X)
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = table(600, seed + 20)[0]
        gaps, ranges = (make(batch_size=SIZE).fit(reference) for make in (MissingShare, ValueRange))
    rng = np.random.default_rng(seed)
    rows = np.array([rng.permutation(len(X))[:SIZE] for _ in range(N_BATCHES)])
    monkeypatch.setattr(_watch._Watcher, "_batches", lambda self, n, size: rows)
    search = AdversarialCorruptionSearch(
        FrozenEstimator(model),
        ["missing", CorruptScale(factor=2.0), CorruptScale(factor=-2.0)],
        apply_to="test",
        scoring="accuracy",
        checks=[gaps, ranges],
        budget=BUDGET,
        space=SearchSpace(max_conditions=most_conditions),
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    limits = limits_of(gaps, ranges, X)
    expected = worst_by_hand(model, X, y, rows, limits, most_conditions)
    known = search.certificate_
    assert known["proven"].all()
    found = {
        (row["kind"], row["columns"][0]): row["readable_score"] for row in known.to_dict("records")
    }
    for key, score in expected.items():
        assert found[key] == pytest.approx(score, abs=1e-12), key
