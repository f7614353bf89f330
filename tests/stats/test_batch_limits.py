"""Limits of counts and distances in batches, beside scipy's distributions and simulations."""

import numpy as np
import pytest
from scipy.stats import betabinom, hypergeom, ks_2samp

from skcorrupt.stats._batch_limits import furthest_distribution, most_in_batch


@pytest.mark.parametrize(
    ("n_rows", "size", "counts", "alpha"),
    [
        (1000, 20_000, [0, 1, 5, 100, 3000, 10_000, 19_990, 20_000], 7e-4),
        (200, 4000, [0, 1, 37, 2000, 3999], 0.01),
        (50, 30, [0, 3, 30], 0.01),
        (1, 20, [0, 1, 10], 0.2),
        (50_000, 20_000, [0, 3, 10_000], 1e-3),
        (300, 400, [0, 10, 390], 0.7),
    ],
)
def test_counts_are_the_largest_that_an_exact_test_passes(n_rows, size, counts, alpha):
    found = most_in_batch(np.array(counts), np.full(len(counts), size), n_rows, alpha)
    for count, most in zip(counts, found, strict=True):

        def tail(at_least, count=count):
            return hypergeom.sf(at_least - 1, size + n_rows, count + at_least, n_rows)

        assert most == n_rows or tail(most + 1) <= alpha
        # below the mean all pass
        assert tail(most) > alpha or most == n_rows * count // size


@pytest.mark.parametrize("k", [1, 2, 50])
def test_values_outside_a_range_are_beta_binomial(k):
    size, n_rows, alpha = 5000, 400, 0.003
    found = most_in_batch(np.array([2 * k - 1]), np.array([size]), n_rows, alpha)[0]
    outside = betabinom(n_rows, 2 * k, size + 1 - 2 * k)
    assert outside.sf(found) <= alpha < outside.sf(found - 1)


@pytest.mark.many
@pytest.mark.parametrize("draw", ["normal", "poisson", "standard_cauchy"])
def test_distances_are_beyond_their_limit_as_seldom_as_stated(draw):
    rng, alpha = np.random.default_rng(0), 0.05
    limit = furthest_distribution(np.array([2000]), 100, alpha)[0]
    samples = [(getattr(rng, draw)(size=2000), getattr(rng, draw)(size=100)) for _ in range(400)]
    beyond = sum(ks_2samp(*pair, method="asymp").statistic > limit for pair in samples)
    # 400 times 0.05, and three standard deviations
    assert beyond <= 33


def test_no_distance_is_more_than_one():
    assert furthest_distribution(np.array([10]), 1, 1e-3).tolist() == [1.0]
