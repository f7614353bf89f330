"""Wilcoxon's test by enumeration of signs, and the repeats that it needs."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import false_discovery_control, rankdata, wilcoxon

from skcorrupt.stats import least_repeats, wilcoxon_pvalue


def test_the_smallest_p_value_is_by_enumeration_of_signs():
    # of 2^n sign patterns two are as extreme as all of one sign
    for n in range(3, 12):
        assert wilcoxon_pvalue(np.zeros(n), np.arange(1, n + 1)) == pytest.approx(2 / 2**n)


@given(values=st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_it_is_exact_by_enumeration_with_ties(values):
    differences = np.array([value for value in values if value])
    found = wilcoxon_pvalue(np.zeros(len(values)), values)
    if not len(differences):
        assert found == 1
        return
    ranks = rankdata(abs(differences))
    sums = [
        ranks[np.array(signs) > 0].sum() for signs in itertools.product([-1, 1], repeat=len(ranks))
    ]
    mine, sums = ranks[differences > 0].sum(), np.array(sums)
    tail = min((sums <= mine + 1e-9).mean(), (sums >= mine - 1e-9).mean())
    assert found == pytest.approx(min(1.0, 2 * tail))


def test_many_pairs_are_as_scipy_has_them():
    rng = np.random.default_rng(0)
    for n in (30, 150, 400):
        differences = rng.normal(0.1, 1, n)
        expected = wilcoxon(differences).pvalue
        assert wilcoxon_pvalue(np.zeros(n), differences) == pytest.approx(expected, rel=1e-2)


def test_equal_pairs_and_failed_fits():
    assert wilcoxon_pvalue([0.5] * 8, [0.5] * 8) == 1
    assert np.isnan(wilcoxon_pvalue([0.5, np.nan], [np.nan, 0.5]))
    some = wilcoxon_pvalue([1, 2, 3, 4, np.nan], [2, 4, 6, 8, 1])
    assert some == wilcoxon_pvalue([1, 2, 3, 4], [2, 4, 6, 8])
    with pytest.raises(ValueError, match="one pair per repeat"):
        wilcoxon_pvalue([1, 2], [1, 2, 3])


@pytest.mark.parametrize(("m", "n"), [(728, 18), (50, 14), (1, 6)])
def test_fewest_repeats(m, n):
    assert least_repeats(m) == n


@given(m=st.integers(1, 300))
def test_one_fewer_is_too_few(m):
    n = least_repeats(m)
    for repeats, found in ((n, True), (n - 1, False)):
        p = np.ones(m)
        p[0] = min(1.0, 2 / 2**repeats)
        assert (false_discovery_control(p, method="by")[0] <= 0.05) == found


@pytest.mark.parametrize(("m", "alpha"), [(0, 0.05), (2.5, 0.05), (3, 0), (3, 1)])
def test_wrong_arguments(m, alpha):
    with pytest.raises(ValueError, match="should be"):
        least_repeats(m, alpha)
