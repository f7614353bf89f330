"""Simulations: false alarms are at most as frequent as stated, whatever the distribution."""

import functools

import numpy as np
import pytest
from scipy.stats import binom

from drawn_tables import drawn
from skcorrupt.checks import (
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
)
from skcorrupt.utils import as_table

N_REFERENCES, N_BATCHES, SIZE, FALSE_ALARM = 40, 50, 100, 0.05
SETTINGS = {"batch_size": SIZE, "false_alarm": FALSE_ALARM}
CHECKS = {
    "missing": MissingShare(**SETTINGS),
    "range": ValueRange(**SETTINGS),
    "inner range": ValueRange(coverage=0.98, **SETTINGS),
    "categories": KnownCategories(**SETTINGS),
    "drift": Drift(**SETTINGS),
    "drift of one": Drift("category", **SETTINGS),
    "segments": SegmentShare(**SETTINGS),
    "joint segments": SegmentShare([("category", "rarely"), "long tail"], **SETTINGS),
    "rows": UniqueKeys(**SETTINGS),
    "keys": UniqueKeys("key", **SETTINGS),
    "many repeats": UniqueKeys(["category", "ties"], **SETTINGS),
}


@functools.cache
def reference_and_batches(seed):
    """Rows to fit a check on, and batches of the same distribution."""
    rng = np.random.default_rng(seed)
    return drawn(rng, 20 * SIZE), as_table(drawn(rng, N_BATCHES * SIZE))


@pytest.mark.many
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.long
def test_false_alarms_are_at_most_as_frequent_as_stated(name):
    check, alarms = CHECKS[name], 0
    for seed in range(N_REFERENCES):
        reference, new = reference_and_batches(seed)
        rows = np.arange(N_BATCHES * SIZE).reshape(N_BATCHES, SIZE)
        alarms += int(check.fit(reference)._alarms(new, rows).sum())
    # batches that share a reference are alike, which the mean allows for
    assert alarms <= binom.isf(1e-3, N_REFERENCES * N_BATCHES, FALSE_ALARM)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["missing", "range", "drift", "segments"])
@pytest.mark.parametrize("size", [20, 400])
def test_batches_of_other_sizes_have_limits_of_their_own(name, size):
    check, alarms, n_batches = CHECKS[name], 0, 10
    for seed in range(60):
        rng = np.random.default_rng(seed)
        reference, new = drawn(rng, 20 * SIZE), as_table(drawn(rng, n_batches * size))
        rows = np.arange(n_batches * size).reshape(n_batches, size)
        alarms += int(check.fit(reference)._alarms(new, rows).sum())
    assert alarms <= binom.isf(1e-3, 60 * n_batches, FALSE_ALARM)


def test_exact_limits_are_not_far_below_what_is_stated():
    # of one continuous column, where nothing is lost to ties or to several columns
    alarms = np.zeros(2)
    for seed in range(N_REFERENCES):
        rng = np.random.default_rng(seed)
        reference, new = rng.normal(size=(2000, 1)), rng.normal(size=(N_BATCHES * SIZE, 1))
        rows = np.arange(N_BATCHES * SIZE).reshape(N_BATCHES, SIZE)
        for i, check in enumerate((ValueRange(coverage=0.8, **SETTINGS), Drift(**SETTINGS))):
            alarms[i] += check.fit(reference)._alarms(as_table(new), rows).sum()
    shares = alarms / (N_REFERENCES * N_BATCHES)
    assert (shares > 0.4 * FALSE_ALARM).all() and (shares < 1.4 * FALSE_ALARM).all()


def test_numbers_of_rows_that_arrive_independently():
    rng = np.random.default_rng(0)
    lower, upper = RowCount(batch_size=500).fit(np.zeros((3, 1)))._limits(500)
    counts = rng.poisson(500, 20_000)
    share = ((counts < lower) | (counts > upper)).mean()
    assert 0.004 < share <= 0.01


@pytest.mark.parametrize("share", [0.0005, 0.002, 0.02, 0.5])
def test_drift_of_a_rare_category(share):
    alarms = 0
    check = Drift(batch_size=200, false_alarm=0.02)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        reference, new = rng.random((4000, 1)) < share, rng.random((4000, 1)) < share
        alarms += int(
            check.fit(reference)._alarms(as_table(new), np.arange(4000).reshape(20, 200)).sum()
        )
    assert alarms <= binom.isf(1e-3, 2000, 0.02)
