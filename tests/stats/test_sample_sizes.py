"""Sample sizes, against brute force over the binomial distribution."""

import numpy as np
import pytest
from scipy.stats import beta as beta_distribution, binom

from skcorrupt.responsiveness import (
    minimum_informative_size,
    sample_size_for_test,
    sample_size_for_width,
)


def widest(n, alpha):
    s = np.arange(n + 1)
    low = np.nan_to_num(beta_distribution.ppf(alpha / 2, s, n - s + 1), nan=0.0)
    high = np.nan_to_num(beta_distribution.ppf(1 - alpha / 2, s + 1, n - s), nan=1.0)
    return (high - low).max()


def power(n, alpha, epsilon, truth, at_least=False):
    """Probability of the claim, from the bound of every count on its own."""
    s = np.arange(n + 1)
    if at_least:
        claims = np.nan_to_num(beta_distribution.ppf(alpha, s, n - s + 1), nan=0.0) > epsilon
    else:
        claims = np.nan_to_num(beta_distribution.ppf(1 - alpha, s + 1, n - s), nan=1.0) < epsilon
    return binom.pmf(s, n, truth)[claims].sum()


def test_figures_of_the_paper_and_their_corrections():
    assert sample_size_for_width(0.05, 0.1) == 402
    sizes = [
        sample_size_for_test(0.01, 0.2, 0.1, 0.05, rule=r) for r in ("stable", "exact", "paper")
    ]
    assert sizes == [312, 287, 254]
    assert minimum_informative_size(0.05, 0.1) == 29
    assert power(254, 0.01, 0.1, 0.05) == pytest.approx(0.709, abs=5e-4)


@pytest.mark.parametrize(
    ("alpha", "width"), [(0.05, 0.3), (0.1, 0.2), (0.01, 0.25), (0.05, 0.9), (0.2, 0.5)]
)
def test_the_width_is_reached_and_one_point_less_is_not_enough(alpha, width):
    n = sample_size_for_width(alpha, width)
    assert widest(n, alpha) <= width
    assert all(widest(m, alpha) > width for m in range(1, n))


@pytest.mark.parametrize("direction", ["at_most", "at_least"])
@pytest.mark.parametrize(
    ("alpha", "beta", "epsilon", "delta"),
    [(0.05, 0.2, 0.2, 0.1), (0.01, 0.1, 0.5, 0.2), (0.1, 0.5, 0.1, 0.1)],
)
def test_the_power_is_reached_first_and_for_good(alpha, beta, epsilon, delta, direction):
    at_least = direction == "at_least"
    threshold = 1 - epsilon if at_least else epsilon
    truth = threshold + delta if at_least else threshold - delta
    args = alpha, beta, threshold, delta
    first = sample_size_for_test(*args, rule="exact", direction=direction)
    stable = sample_size_for_test(*args, direction=direction)
    powers = [power(n, alpha, threshold, truth, at_least) for n in range(1, 3 * stable)]
    enough = np.array(powers) >= 1 - beta
    assert first == np.argmax(enough) + 1
    assert stable == len(enough) - np.argmax(~enough[::-1]) + 1 if not enough.all() else 1
    assert first <= stable


@pytest.mark.parametrize(("alpha", "epsilon"), [(0.05, 0.1), (0.01, 0.5), (0.2, 0.03)])
def test_fewer_points_can_claim_nothing(alpha, epsilon):
    n = minimum_informative_size(alpha, epsilon)
    assert power(n, alpha, epsilon, 0.0) == 1.0
    assert power(n - 1, alpha, epsilon, 0.0) == 0.0
    n = minimum_informative_size(alpha, epsilon, direction="at_least")
    assert power(n, alpha, epsilon, 1.0, at_least=True) == 1.0
    assert power(n - 1, alpha, epsilon, 1.0, at_least=True) == 0.0


@pytest.mark.many
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_size_for_width(0, 0.1), "alpha=0 should be a number above 0"),
        (
            lambda: sample_size_for_width(0.05, 1e-6),
            "alpha=0.05 and width=1e-06 need more than 1,000,000,000 points.*a larger width",
        ),
        (
            lambda: sample_size_for_test(0.05, 0.1, 0.5, 1e-6, rule="paper"),
            "epsilon=0.5 and delta=1e-06 need more than .*a larger delta",
        ),
        (
            lambda: sample_size_for_test(0.05, 0.2, 0.1, 0.2),
            "delta=0.2 should be above 0 and below",
        ),
        (lambda: sample_size_for_test(0.05, 0.2, 0.1, 0.1, rule="paper"), "delta=0.1"),
        (lambda: sample_size_for_test(0.05, 0.2, 0.1, 0.05, rule="best"), "rule='best'"),
        (lambda: sample_size_for_test(0.05, 0.2, 0.5, 1e-5), "test for a larger distance"),
        (lambda: minimum_informative_size(0.05, 0.1, direction="up"), "direction='up'"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
