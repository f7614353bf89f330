"""Noise and draws, the count, and what a subclass has to write."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skcorrupt import FeatureCorruption, SampleCorruption
from skcorrupt.base import BaseCorruption, KeyedNoise, Noise, strike_count
from skcorrupt.utils import mix


def rows(k):
    return np.arange(k)


@pytest.mark.parametrize("draw", ["uniform", "normal"])
def test_fewer_draws_are_the_first_of_more(draw):
    many = getattr(Noise(100, 1, 2).draws(rows(100), 3), draw)()
    few = getattr(Noise(100, 1, 2).draws(rows(17), 3), draw)()
    np.testing.assert_array_equal(few, many[:17])


def test_streams_and_seeds_are_independent():
    noise = Noise(2000, 1, 2)
    values = [
        noise.rows(0),
        noise.rows(1),
        Noise(2000, 2, 2).rows(0),
        noise.draws(rows(2000), 0).uniform(),
        noise.draws(rows(2000), 1).uniform(),
    ]
    assert np.abs(np.corrcoef(values) - np.eye(5)).max() < 0.1
    np.testing.assert_array_equal(noise.rows(0), Noise(2000, 1, 99).rows(0))


def keyed(n=5000, seed=0):
    return KeyedNoise(mix(np.arange(n, dtype=np.uint64)), seed)


@pytest.mark.parametrize("seed", [0, 1, 2**62])
def test_keyed_noise_is_uniform_and_normal(seed):
    noise = keyed(seed=seed)
    draws = noise.draws(rows(5000), 0)
    first, second, normal = draws.uniform(), draws.uniform(), draws.normal()
    for u in (noise.rows(0), noise.rows(1), first, second):
        assert u.min() >= 0 and u.max() < 1
        assert stats.kstest(u, "uniform").pvalue > 1e-3
    assert stats.kstest(normal, "norm").pvalue > 1e-3
    assert (
        np.abs(np.corrcoef([noise.rows(0), noise.rows(1), first, second]) - np.eye(4)).max() < 0.06
    )


def test_keyed_noise_follows_the_key():
    order = np.random.default_rng(0).permutation(5000)
    keys = mix(np.arange(5000, dtype=np.uint64))
    a, b = KeyedNoise(keys, 3), KeyedNoise(keys[order], 3)
    np.testing.assert_array_equal(a.rows(0)[order], b.rows(0))
    np.testing.assert_array_equal(a.draws(order[:50], 1).uniform(), b.draws(rows(50), 1).uniform())


def test_integers_stay_below_their_bound():
    draws = Noise(10, 0, 0).draws(rows(20_000), 0)
    counts = np.bincount(draws.integers(7), minlength=7)
    assert len(counts) == 7 and stats.chisquare(counts).pvalue > 1e-3
    bounds = np.arange(20_000) % 5
    drawn = draws.integers(bounds)
    assert (drawn[bounds > 0] < bounds[bounds > 0]).all() and (drawn[bounds == 0] == 0).all()


@given(rate=st.floats(0, 1), n=st.integers(0, 10**9))
def test_the_count_is_within_half_a_row_and_never_more_than_there_are(rate, n):
    count = strike_count(rate, n)
    assert 0 <= count <= n
    assert abs(count - rate * n) <= 0.5 + 1e-6
    assert strike_count(0.0, n) == 0 and strike_count(1.0, n) == n


@given(low=st.floats(0, 1), high=st.floats(0, 1), n=st.integers(0, 1000))
def test_the_count_grows_with_the_rate(low, high, n):
    low, high = sorted((low, high))
    assert strike_count(low, n) <= strike_count(high, n)


def test_a_subclass_is_told_what_to_write():
    class Feature(FeatureCorruption):
        pass

    class Sample(SampleCorruption):
        pass

    X = np.arange(20.0).reshape(20, 1)
    with pytest.raises(NotImplementedError, match=r"Feature should define _new_values\(struck\)"):
        Feature(rate=1.0).fit_transform(X)
    with pytest.raises(NotImplementedError, match="Sample should define _strike_rows"):
        Sample(rate=1.0).fit_resample(X)
    with pytest.raises(NotImplementedError, match="derive from FeatureCorruption or Sample"):
        BaseCorruption().corrupt(X)


def test_a_subclass_sees_the_cells_it_strikes():
    seen = []

    class Looks(FeatureCorruption):
        def _new_values(self, struck):
            values = struck.values
            values[:] = -1
            seen.append((struck.label, struck.kind, struck.size, struck.rows, struck.values))
            return values

    X = np.arange(1.0, 11.0).reshape(5, 2)
    out = Looks("x1", pattern="x0 >= 5", rate=1.0).fit_transform(X)
    label, kind, size, struck_rows, values = seen[0]
    assert (label, kind, size) == ("x1", "real", 3)
    # what a hook writes into its copy does not reach the next one
    assert sorted(values) == [6, 8, 10] and set(struck_rows) == {2, 3, 4}
    assert out[:, 1].tolist() == [2, 4, -1, -1, -1]
