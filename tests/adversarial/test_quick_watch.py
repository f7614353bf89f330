"""What checks let pass at all rates at once is what their public methods say batch by batch."""

import warnings

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptMissing, CorruptScale, CorruptSentinel, SelectionBias
from skcorrupt.adversarial.serving import _watch
from skcorrupt.checks import (
    BaseCheck,
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
)
from skcorrupt.utils import as_table

N_BATCHES = 12


class Mean(BaseCheck):
    """A check of which nothing is known but what all checks do."""

    def _learn(self, table):
        return pd.DataFrame({"column": ["a"]})

    def _encoded(self, table):
        return np.nan_to_num(table.numbers(0))

    def _statistics(self, encoded, rows):
        return encoded[rows].mean(axis=1)[:, None]

    def _limits(self, n_rows):
        return np.array([-0.2]), np.array([0.8])


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(0.3, 1, n), "b": rng.integers(1, 40, n)})
    X = X.assign(c=rng.choice([*"xyz"], n, p=[0.6, 0.3, 0.1]), d=rng.integers(0, 3, n) * 1.5)
    return X.mask(rng.random(X.shape) < [0.05, 0.0, 0.0, 0.1])


@pytest.fixture
def watch_of(monkeypatch):
    """Makes a watch of some checks, which few batches judge."""
    monkeypatch.setattr(_watch, "N_BATCHES", N_BATCHES)

    def make(X, *makers):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            checks = [make(batch_size=25, false_alarm=0.05) for make in makers]
            return _watch.Watch([check.fit(table(300, 1)) for check in checks], as_table(X), 0)

    return make


def by_hand(watch, X, struck, matched, rate):
    """The largest 32nd of a rate at which every check passes nine of ten batches."""
    for parts in range(32, 0, -1):
        if all(
            alarms(watcher, X, struck, matched, rate * parts / 32) <= 0.1 * N_BATCHES
            for watcher in watch.watchers
        ):
            return parts
    return 0


def alarms(watcher, X, struck, matched, rate):
    found = 0
    for rows in watcher._batches(len(X), watcher.size):
        own = np.flatnonzero(matched[rows])
        first = own[: int(np.floor(rate * len(own) + 0.5))]
        batch = X.iloc[rows].astype(object)
        batch.iloc[first] = struck.iloc[rows[first]].astype(object)
        batch = batch.infer_objects()
        found += not watcher.check.passes(batch.astype({"c": object}))
    return found


ERRORS = {
    "missing": CorruptMissing(["a"]),
    "units": CorruptScale(["b"], factor=2.0),
    "large": CorruptScale(["b"], factor=1000.0),
    "sentinel": CorruptSentinel(["c"], value="N/A"),
    "two": CorruptMissing(["a", "c"]),
}
PATTERNS = {
    "all": lambda X: np.ones(len(X), dtype=bool),
    "half": lambda X: (X["b"] > 20).to_numpy(),
    "some": lambda X: ((X["b"] > 10) & (X["c"] == "x")).to_numpy(),
    "none": lambda X: np.zeros(len(X), dtype=bool),
}


CHECKS = (MissingShare, ValueRange, KnownCategories, Drift, SegmentShare, UniqueKeys, RowCount)


def quickly(watch, X, error):
    """The quick answers for an error, all rows struck, and those that can be."""
    corruption = ERRORS[error]
    struck = corruption.set_params(rate=1.0, random_state=0).fit(X).corrupt(X).X
    able = (struck != X)[corruption.columns].any(axis=1).to_numpy()
    return watch.quickly(error, lambda: struck, corruption.columns), struck, able


@pytest.mark.parametrize("checks", [CHECKS[:3], CHECKS[3:5], CHECKS[5:], (Mean,), CHECKS])
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.many
def test_as_rate_by_rate(watch_of, checks, error):
    X = table(160)
    watch = watch_of(X, *checks)
    quick, struck, able = quickly(watch, X, error)
    joined = as_table(pd.concat([X, struck]))
    for pattern in PATTERNS.values():
        matched = pattern(X) & able
        batches = _watch.Batches(ERRORS[error], "", joined, matched)
        passing = [
            parts
            for parts in range(33)
            if all(w.alarm_share(batches, parts / 32) <= w.most for w in watch.watchers)
        ]
        # with no error at all there may be alarms, too
        assert quick.unnoticed(matched, 1.0) == max(passing, default=0)
        assert quick.unnoticed(matched, 1.0, 7) == max([p for p in passing if p <= 7], default=0)


@pytest.mark.parametrize("check", CHECKS)
def test_of_batches_that_lose_all_rows_only_the_number_is_noticed(watch_of, check):
    X = table(160)
    watch = watch_of(X, check)
    (watcher,) = watch.watchers
    every = _watch.Batches(SelectionBias(), "", as_table(X), np.ones(len(X), dtype=bool))
    assert watcher.alarm_share(every, 1.0) == (check is RowCount)


@pytest.mark.slow
@pytest.mark.parametrize("checks", [CHECKS[:3], (Drift,), (Mean,)])
@pytest.mark.parametrize("error", ERRORS)
def test_as_by_hand(watch_of, checks, error):
    X = table(160)
    watch = watch_of(X, *checks)
    quick, struck, able = quickly(watch, X, error)
    for name in ("half", "some"):
        matched = PATTERNS[name](X) & able
        expected = by_hand(watch, X, struck, matched, 1.0)
        assert quick.unnoticed(matched, 1.0) == expected
