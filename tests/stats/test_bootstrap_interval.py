"""The expanded percentile bootstrap against normal theory and simple properties."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, norm, ttest_1samp

from skcorrupt.stats import bootstrap_interval


def mean_of(x):
    return lambda rows, rng: x[rows].mean()


def test_it_is_the_normal_interval_of_a_mean():
    x = np.random.default_rng(0).normal(3.0, 2.0, 400)
    low, high = bootstrap_interval(mean_of(x), 400, n_resamples=4000)
    half = norm.ppf(0.975) * x.std() / 20
    assert low == pytest.approx(x.mean() - half, abs=0.03)
    assert high == pytest.approx(x.mean() + half, abs=0.03)


@pytest.mark.long
def test_it_covers_the_mean_at_its_level():
    rng = np.random.default_rng(1)
    covered = 0
    for k in range(300):
        low, high = bootstrap_interval(mean_of(rng.normal(size=60)), 60, seed=k)
        covered += low <= 0 <= high
    assert binom.ppf(1e-4, 300, 0.92) <= covered <= binom.ppf(1 - 1e-4, 300, 0.96)


@pytest.mark.long
@pytest.mark.parametrize("n_groups", [None, 10])
def test_it_covers_the_mean_of_few_rows_or_groups_at_its_level(n_groups):
    """Plain percentiles of ten cover it in 89 %."""
    rng = np.random.default_rng(2)
    n_rows = 10 if n_groups is None else 40
    groups = None if n_groups is None else np.arange(40) % n_groups
    covered = 0
    for k in range(1_000):
        x = rng.normal(size=10)
        x = x if groups is None else x[groups]
        low, high = bootstrap_interval(mean_of(x), n_rows, groups=groups, seed=k)
        covered += low <= 0 <= high
    assert binom.ppf(1e-4, 1_000, 0.935) <= covered <= binom.ppf(1 - 1e-4, 1_000, 0.955)


def test_of_few_rows_it_is_the_interval_of_a_t_test():
    x = np.random.default_rng(0).normal(3.0, 2.0, 8)
    low, high = bootstrap_interval(mean_of(x), 8, n_resamples=20_000)
    expected = ttest_1samp(x, 0).confidence_interval(0.95)
    # not by much narrower, as tails of a bootstrap of eight values end
    half, wanted = (high - low) / 2, (expected.high - expected.low) / 2
    assert 0.9 * wanted < half < 1.05 * wanted
    assert half > 1.15 * norm.ppf(0.975) * x.std() / np.sqrt(8)


@settings(max_examples=25)
@given(
    x=st.lists(st.floats(-100, 100), min_size=2, max_size=30),
    seed=st.integers(0, 2**32),
    level=st.floats(0.5, 0.99),
)
def test_it_lies_within_the_data_and_grows_with_the_level(x, seed, level):
    x = np.array(x)
    low, high = bootstrap_interval(mean_of(x), len(x), alpha=1 - level, seed=seed)
    tolerance = 1e-9 * max(1.0, np.abs(x).max())
    assert x.min() - tolerance <= low <= high <= x.max() + tolerance
    narrow = bootstrap_interval(mean_of(x), len(x), alpha=1 - level / 2, seed=seed)
    assert low <= narrow[0] <= narrow[1] <= high
    assert (low, high) == bootstrap_interval(mean_of(x), len(x), alpha=1 - level, seed=seed)


def test_groups_are_drawn_whole():
    groups = np.array(["b", "a", "b", "c", "a", "b"])

    def whole(rows, rng):
        counts = np.bincount(rows, minlength=6)
        for group in "abc":
            assert len(set(counts[groups == group])) == 1
        assert sum(counts[groups == g][0] for g in "abc") == 3
        return float(len(rows))

    low, high = bootstrap_interval(whole, 6, groups=groups)
    assert 3 <= low < high <= 9


def test_groups_of_copies_are_as_wide_as_the_groups_alone():
    x = np.random.default_rng(0).normal(size=50)
    alone = bootstrap_interval(mean_of(x), 50, n_resamples=2000)
    copies = np.repeat(x, 8)
    groups = np.repeat(np.arange(50), 8)
    whole = bootstrap_interval(mean_of(copies), 400, groups=groups, n_resamples=2000)
    apart = bootstrap_interval(mean_of(copies), 400, n_resamples=2000)
    assert np.ptp(whole) == pytest.approx(np.ptp(alone), rel=0.1)
    assert np.ptp(apart) == pytest.approx(np.ptp(alone) / np.sqrt(8), rel=0.15)


def test_undefined_resamples_are_left_out_up_to_half():
    x = np.arange(50.0)
    expected = bootstrap_interval(mean_of(x), 50)

    def sometimes(share):
        calls = iter(range(10_000))
        return lambda rows, rng: np.nan if next(calls) % 10 < share else x[rows].mean()

    low, high = bootstrap_interval(sometimes(4), 50)
    assert low == pytest.approx(expected[0], abs=1.5)
    assert high == pytest.approx(expected[1], abs=1.5)
    assert np.isnan(bootstrap_interval(sometimes(6), 50)).all()
    assert np.isnan(bootstrap_interval(lambda rows, rng: np.nan, 50)).all()


def test_the_generator_is_for_further_draws():
    spread = bootstrap_interval(lambda rows, rng: rng.normal(), 400, n_resamples=2000)
    assert spread[0] == pytest.approx(-1.96, abs=0.2)
    assert spread[1] == pytest.approx(1.96, abs=0.2)
