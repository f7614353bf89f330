"""The test by the spread of resamples against Student's t test, and its level by simulation."""

import numpy as np
import pytest
from scipy.stats import binom, ttest_1samp

from skcorrupt.stats._resampled_test import resampled_test


def resamples(x, n_resamples, seed):
    rng = np.random.default_rng(seed)
    return x[rng.integers(len(x), size=(n_resamples, len(x)))].mean(axis=1)


@pytest.mark.parametrize("n", [8, 40, 300])
def test_of_a_mean_it_is_students_t_test(n):
    x = np.random.default_rng(n).normal(0.2, 1.0, n)
    expected = ttest_1samp(x, 0.0)
    low, high, p_value = resampled_test(x.mean(), resamples(x, 40_000, 0), n)
    assert p_value == pytest.approx(expected.pvalue, abs=0.01)
    assert (low, high) == pytest.approx(tuple(expected.confidence_interval()), abs=0.02)


def test_it_finds_as_many_as_it_may_where_there_is_nothing():
    rng = np.random.default_rng(1)
    n, found = 400, 0
    for k in range(n):
        x = rng.choice([-1.0, 0.0, 1.0], size=60)
        found += resampled_test(x.mean(), resamples(x, 200, k), 60)[2] <= 0.05
    assert binom.ppf(1e-4, n, 0.03) <= found <= binom.ppf(1 - 1e-4, n, 0.06)


def test_small_p_values_need_no_more_resamples():
    draws = np.random.default_rng(0).normal(1.0, 0.1, 200)
    assert resampled_test(1.0, draws, 100)[2] < 1e-10


def test_the_sign_makes_no_difference_and_the_level_widens():
    draws = np.random.default_rng(0).normal(0.3, 0.2, 200)
    low, high, p_value = resampled_test(0.3, draws, 50)
    other = resampled_test(-0.3, -draws, 50)
    assert other == (-high, -low, p_value)
    wide = resampled_test(0.3, draws, 50, alpha=0.01)
    assert wide[0] < low and wide[1] > high and wide[2] == p_value


def test_without_spread_signs_decide():
    assert resampled_test(0.0, np.zeros(50), 30) == (0.0, 0.0, 1.0)
    assert resampled_test(1.0, np.ones(50), 4) == (1.0, 1.0, 0.125)


@pytest.mark.parametrize(
    ("difference", "draws", "n"),
    [
        (np.nan, np.ones(50), 30),
        (0.1, np.full(50, np.nan), 30),
        (0.1, np.r_[np.full(30, np.nan), np.ones(20)], 30),
        (0.1, np.ones(50), 1),
        (0.1, np.ones(0), 30),
    ],
)
def test_what_cannot_be_tested_has_no_p_value(difference, draws, n):
    assert np.isnan(resampled_test(difference, draws, n)).all()
