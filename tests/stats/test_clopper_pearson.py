"""Exact binomial intervals, against their definition and scipy's."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, binomtest

from skcorrupt.stats import clopper_pearson


@given(
    n=st.integers(1, 500),
    share=st.floats(0, 1),
    alpha=st.sampled_from([0.2, 0.05, 0.01]),
)
def test_equals_scipys_for_whole_counts(n, share, alpha):
    successes = round(share * n)
    expected = binomtest(successes, n).proportion_ci(1 - alpha, method="exact")
    assert clopper_pearson(successes, n, alpha) == pytest.approx(tuple(expected), abs=1e-9)


@pytest.mark.parametrize("alpha", [0.2, 0.05])
@pytest.mark.parametrize("n", [7, 60])
def test_coverage_is_at_least_nominal_for_every_proportion(n, alpha):
    low, high = clopper_pearson(np.arange(n + 1), n, alpha)
    for p in np.linspace(0, 1, 201):
        inside = (low <= p) & (p <= high)
        assert binom.pmf(np.arange(n + 1), n, p)[inside].sum() >= 1 - alpha - 1e-12


def test_one_sided_bound_of_the_paper():
    assert clopper_pearson(4, 254, 0.02)[1] == pytest.approx(0.0450, abs=5e-5)


def test_counts_need_not_be_whole():
    lows, highs = clopper_pearson([2.0, 2.5, 3.0], 10)
    assert np.all(np.diff(lows) > 0) and np.all(np.diff(highs) > 0)
    assert clopper_pearson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("args", "message"),
    [((11, 10), "successes=11"), ((-1, 10), "successes=-1"), ((1, 10, 1.0), "alpha=1.0")],
)
def test_impossible_counts_are_refused(args, message):
    with pytest.raises(ValueError, match=message):
        clopper_pearson(*args)
