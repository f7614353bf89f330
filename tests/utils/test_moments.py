"""Sums that do not depend on the order of the numbers."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from skcorrupt.utils import mean_and_std
from skcorrupt.utils._moments import sum_in_any_order

numbers = st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=200)


@given(numbers, st.randoms())
def test_the_sum_is_the_same_in_any_order(values, random):
    mixed = list(values)
    random.shuffle(mixed)
    total = sum_in_any_order(np.array(values))
    assert total == sum_in_any_order(np.array(mixed))
    scale = max(map(abs, values)) * len(values)
    assert abs(total - math.fsum(values)) <= 2e-16 * scale


def test_moments_are_the_same_in_any_order():
    values = np.random.default_rng(0).normal(size=1000)
    shuffled = np.random.default_rng(1).permutation(values)
    assert values.sum() != shuffled.sum()
    assert mean_and_std(values) == mean_and_std(shuffled) == mean_and_std(values[::-1])


@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1.0, 1e12, 1e300])
def test_moments_are_those_of_numpy(scale):
    values = np.random.default_rng(0).normal(3.0, 2.0, size=500)
    expected = (values.mean() * scale, values.std() * scale)
    given_values = np.append(values * scale, [np.nan, np.inf])
    np.testing.assert_allclose(mean_and_std(given_values), expected, rtol=1e-12)
    assert mean_and_std(np.array([np.nan])) == (0.0, 0.0)
