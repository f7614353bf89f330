"""Weights under which shares are as given."""

import numpy as np
from hypothesis import given, strategies as st
from scipy.optimize import minimize

from skcorrupt.stats._rake import rake


def table(rng, n, sizes):
    """Codes of margins of which every level has rows."""
    return [np.append(np.arange(k), rng.integers(0, k, n - k)) for k in sizes]


def shares_of(codes, weights, k):
    return np.array([weights[codes == level].sum() for level in range(k)]) / weights.sum()


@given(st.integers(0, 10**6), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_shares_are_as_asked_for_where_rows_allow_it(seed, sizes):
    rng = np.random.default_rng(seed)
    codes = table(rng, 60, sizes)
    weights = rng.uniform(0.5, 2, 60)
    # shares that some weights do have
    some = weights * rng.uniform(0.2, 5, 60)
    shares = [shares_of(each, some, k) for each, k in zip(codes, sizes, strict=True)]
    found = rake(codes, shares, weights, np.inf)
    assert np.isclose(np.average(found.factors, weights=weights), 1)
    assert found.largest_gap < 1e-4
    for each, share in zip(codes, shares, strict=True):
        assert np.allclose(shares_of(each, weights * found.factors, len(share)), share, atol=1e-4)


def test_one_margin_is_what_is_asked_for_over_what_there_is():
    codes = np.repeat([0, 1, 2], [10, 30, 60])
    found = rake([codes], [np.array([0.5, 0.3, 0.2])], np.ones(100), np.inf)
    assert np.allclose(found.factors, np.repeat([5, 1, 1 / 3], [10, 30, 60]))


def test_of_all_weights_with_these_shares_they_are_nearest_to_equal_ones():
    rng = np.random.default_rng(0)
    codes = table(rng, 12, [2, 3])
    shares = [
        shares_of(each, rng.uniform(0.5, 2, 12), k) for each, k in zip(codes, (2, 3), strict=True)
    ]
    constraints = [
        {"type": "eq", "fun": lambda w, c=c, s=s, k=k: w[c == k].sum() - 12 * s[k]}
        for c, s in zip(codes, shares, strict=True)
        for k in range(len(s))
    ]
    by_descent = minimize(
        lambda w: (w * np.log(w)).sum(), np.ones(12), constraints=constraints[:-1],
        bounds=[(1e-9, None)] * 12, options={"maxiter": 500, "ftol": 1e-12},
    ).x  # fmt: skip
    found = rake(codes, shares, np.ones(12), np.inf)
    assert np.allclose(found.factors, by_descent, atol=1e-3)


def test_rows_count_as_often_as_they_weigh():
    rng = np.random.default_rng(1)
    codes = table(rng, 30, [2, 3])
    shares = [np.array([0.3, 0.7]), np.array([0.2, 0.2, 0.6])]
    times = rng.integers(1, 4, 30)
    weighted = rake(codes, shares, times.astype(float), 2.0)
    repeated = rake([np.repeat(c, times) for c in codes], shares, np.ones(times.sum()), 2.0)
    assert np.allclose(np.repeat(weighted.factors, times), repeated.factors)


@given(
    st.integers(0, 10**6), st.sampled_from([1.0, 1.5, 3.0, 20.0]), st.sampled_from([0.1, 0.4, 5.0])
)
def test_no_factor_is_above_the_most(seed, most, even):
    rng = np.random.default_rng(seed)
    codes = table(rng, 40, [3, 2])
    # levels without a share among them
    shares = [rng.dirichlet(np.full(k, even)).round(2) for k in (3, 2)]
    shares = [each / each.sum() for each in shares]
    weights = rng.uniform(0.1, 2, 40)
    found = rake(codes, shares, weights, most).factors
    assert np.isfinite(found).all() and found.min() >= 0 and found.max() <= most
    assert np.isclose(np.average(found, weights=weights), 1)


def test_rows_with_a_share_may_be_too_few_to_carry_all_weight():
    codes = np.repeat([0, 1], [25, 75])
    found = rake([codes], [np.array([1.0, 0.0])], np.ones(100), 3.0)
    assert np.allclose(found.factors, np.repeat([3, 1 / 3], [25, 75]))
    assert np.allclose(found.gaps[0], [-0.25, 0.25])


def test_what_is_cut_is_missing_to_the_share():
    codes = np.repeat([0, 1], [2, 98])
    found = rake([codes], [np.array([0.5, 0.5])], np.ones(100), 5.0)
    # two rows of a hundred that count five times are a tenth
    assert np.allclose(found.factors, np.repeat([5, 90 / 98], [2, 98]))
    assert np.allclose(found.gaps[0], [-0.4, 0.4])


def test_margins_that_contradict_each_other_end_with_gaps():
    same = np.repeat([0, 1], 5)
    found = rake([same, same], [np.array([1.0, 0.0]), np.array([0.0, 1.0])], np.ones(10), np.inf)
    assert np.isfinite(found.factors).all() and found.largest_gap > 0.4


def test_without_margins_weights_stay():
    found = rake([], [], np.array([1.0, 3.0]), 10.0)
    assert found.factors.tolist() == [1, 1] and found.largest_gap == 0
