"""Shares of strata: Clopper and Pearson's limits for one, known error rates for several."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom, chi2

from skcorrupt.stats import clopper_pearson
from skcorrupt.stats._stratified_share import stratified_share


def of(successes, n, weights, n_weights=np.inf, **expected):
    expected = {name: np.array(each) for name, each in expected.items()}
    return stratified_share(
        np.array(successes), np.array(n), np.array(weights), n_weights, **expected
    )


@pytest.mark.parametrize(("x", "n"), [(0, 30), (3, 200), (100, 200), (30, 30)])
def test_one_stratum_has_the_limits_of_clopper_and_pearson_and_the_binomial_test(x, n):
    share = of([x], [n], [1.0])
    assert share.share == x / n
    for alpha in (0.05, 0.001):
        assert share.interval(alpha) == pytest.approx(clopper_pearson(x, n, alpha), abs=2e-4)
    for threshold in (0.02, 0.5, 0.97):
        below, above = binom.cdf(x, n, threshold), binom.sf(x - 1, n, threshold)
        assert share.p_value(threshold, "at_most") == pytest.approx(below, rel=0.02, abs=1e-9)
        assert share.p_value(threshold, "at_least") == pytest.approx(above, rel=0.02, abs=1e-9)


def test_a_sum_has_the_quantiles_of_its_simulation():
    x, n = np.array([1, 4, 30, 50]), np.array([500, 40, 60, 50])
    w = np.array([0.9, 0.06, 0.03, 0.01])
    rng = np.random.default_rng(0)
    low = rng.beta(x, n - x + 1, size=(400_000, 4)) @ w
    most = np.column_stack(
        [rng.beta(x[:3] + 1, n[:3] - x[:3], size=(400_000, 3)), np.ones(400_000)]
    )
    found = of(x, n, w).interval(0.05)
    expected = np.quantile(low, 0.025), np.quantile(most @ w, 0.975)
    assert found == pytest.approx(expected, rel=0.01)


def test_an_unknown_stratum_keeps_its_limit_beside_a_known_one():
    # nearly all successes are of a stratum that is known well; a gamma limit is too low here
    x, n, w = np.array([0, 10_000]), np.array([1_000, 10_000]), np.array([0.98, 0.02])
    _, high = of(x, n, w).interval(0.1)
    assert high == pytest.approx(0.02 + 0.98 * clopper_pearson(0, 1_000, 0.1)[1], rel=1e-3)
    # Fay and Feuer's
    y, v, unit = w @ (x / n), (w / n) ** 2 @ x, (w / n).max()
    shape = (y + unit) ** 2 / (v + unit**2)
    gamma = (y + unit) / shape * chi2.ppf(0.95, 2 * shape) / 2
    rate = (gamma - 0.02) / 0.98
    assert binom.pmf(0, 1_000, rate) > 0.065


@pytest.mark.parametrize(("n", "w"), [((9, 5), (0.8, 0.2)), ((6, 6), (0.5, 0.5))])
def test_each_limit_errs_as_seldom_as_it_says(n, w):
    counts = [np.arange(size + 1) for size in n]
    limits = np.array([[of([i, j], n, w).interval(0.1) for j in counts[1]] for i in counts[0]])
    for p in ([0.02, 0.5], [0.1, 0.95], [0.2, 0.1], [0.3, 0.3], [0.25, 1.0], [0.6, 0.02]):
        chances = np.outer(
            *(binom.pmf(k, size, q) for k, size, q in zip(counts, n, p, strict=True))
        )
        truth = np.dot(w, p)
        assert chances[limits[..., 0] > truth].sum() <= 0.05
        assert chances[limits[..., 1] < truth].sum() <= 0.05


def test_strata_without_an_expected_success_have_one_limit():
    x, n, w = [0, 0, 30], [900, 90, 40], [0.9, 0.09, 0.01]
    alone = of(x, n, w)
    as_one = of(x, n, w, none_expected=[True, True, False])
    pooled = of([0, 30], [990, 40], [0.99, 0.01])
    assert as_one.interval(0.05) == pytest.approx(pooled.interval(0.05), rel=1e-3)
    assert as_one.interval(0.05)[1] < alone.interval(0.05)[1]
    # of strata with other weights of a trial the heaviest one's holds
    skewed = of(x, [900, 180, 40], w, none_expected=[True, True, False])
    assert skewed.interval(0.05)[1] == pytest.approx(as_one.interval(0.05)[1], rel=1e-3)
    # misses mirror it
    mirrored = of([900, 90, 10], n, w, all_expected=[True, True, False])
    low, high = as_one.interval(0.05)
    assert mirrored.interval(0.05) == pytest.approx((1 - high, 1 - low), abs=2e-5)
    # one success is enough for limits of their own
    x[1] = 1
    assert of(x, n, w, none_expected=[True, True, False])[0] == of(x, n, w)[0]
    assert of(x, n, w, none_expected=[True, True, False]).interval(0.05) == of(x, n, w).interval(
        0.05
    )


def test_one_limit_of_strata_is_never_above_their_weight():
    group = {"none_expected": [True, True, False]}
    # the light stratum's many trials add no weight
    many = of([0, 0, 3], [10, 100_000, 1_000], [0.1, 0.1, 0.8], **group)
    pooled = of([0, 3], [20, 1_000], [0.2, 0.8])
    assert many.interval(0.05) == pytest.approx(pooled.interval(0.05), rel=1e-3)
    few = of([0, 0, 1], [1, 500, 5_000], [0.3, 0.1, 0.6], **group)
    assert few.p_value(0.45, "at_most") < 1e-9
    assert few.interval(1e-6)[1] < 0.45
    mirrored = of(
        [1, 500, 4_999], [1, 500, 5_000], [0.3, 0.1, 0.6], all_expected=[True, True, False]
    )
    assert mirrored.p_value(0.55, "at_least") < 1e-9


@pytest.mark.parametrize("group", [[True, False, False], [False, False, False]])
def test_strata_without_weight_say_nothing(group):
    for x in ([0, 3, 5], [10, 3, 5]):
        found = of(x, [10, 10, 10], [0.0, 0.4, 0.6], none_expected=group, all_expected=group)
        without = of(x[1:], [10, 10], [0.4, 0.6])
        assert found.interval(0.05) == without.interval(0.05)
        assert found.p_value(0.5, "at_most") == without.p_value(0.5, "at_most")


@pytest.mark.many
@pytest.mark.parametrize(
    "expected",
    [
        {"none_expected": [True, True, False]},
        {"none_expected": [True, False, True]},
        {"none_expected": [True, True, True]},
        {"none_expected": [True, False, False], "all_expected": [False, True, True]},
        {"all_expected": [True, True, False]},
    ],
)
@pytest.mark.parametrize("w", [(0.8, 0.15, 0.05), (0.4, 0.3, 0.3), (0.1, 0.1, 0.8)])
def test_limits_of_strata_with_one_err_as_seldom_as_they_say(w, expected):
    n = (7, 4, 3)
    counts = list(itertools.product(*(range(size + 1) for size in n)))
    limits = np.array([of(x, n, w, **expected).interval(0.1) for x in counts])
    rng = np.random.default_rng(0)
    for p in [
        *rng.beta(0.3, 0.3, (200, 3)),
        *rng.beta(0.5, 3, (100, 3)),
        *rng.beta(3, 0.5, (100, 3)),
    ]:
        chances = np.prod(binom.pmf(counts, n, p), axis=1)
        truth = np.dot(w, p)
        assert chances[limits[:, 0] > truth].sum() <= 0.05
        assert chances[limits[:, 1] < truth].sum() <= 0.05


@pytest.mark.long
def test_weights_that_are_counted_make_it_wider_and_it_holds():
    rng = np.random.default_rng(1)
    p, w, n = np.array([0.001, 0.2, 0.99]), np.array([0.9, 0.05, 0.05]), np.array([300, 100, 50])
    missed = np.zeros(2)
    for _ in range(80):
        counts = rng.multinomial(2_000, w)
        low, high = of(rng.binomial(n, p), n, counts / 2_000, 2_000).interval(0.1)
        missed += [low > w @ p, high < w @ p]
    assert (missed <= binom.ppf(0.9999, 80, 0.05)).all()
    counted, known = (of([0, 20, 50], n, w, size).interval(0.05) for size in (2_000, np.inf))
    assert counted[0] < known[0] < known[1] < counted[1]
