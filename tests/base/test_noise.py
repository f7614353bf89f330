"""Noise and draws, the count, and what a subclass has to write."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from skcorrupt import FeatureCorruption, SampleCorruption
from skcorrupt.base import BaseCorruption, KeyedNoise, Noise, strike_count
from skcorrupt.base._strike import smallest
from skcorrupt.utils import mix


def rows(k):
    return np.arange(k)


@given(
    seed=st.integers(0, 2**64),
    stream=st.integers(0, 2**64 - 1),
    bounds=st.tuples(st.integers(0, 300), st.integers(0, 300)).map(sorted),
)
def test_the_rows_of_a_part_draw_what_they_draw_in_the_whole(seed, stream, bounds):
    start, stop = bounds
    whole, part = Noise(300, seed, seed), Noise(stop - start, seed, seed, first=start)
    np.testing.assert_array_equal(part.rows(stream), whole.rows(stream)[start:stop])
    of_all, of_part = whole.draws(rows(300), stream), part.draws(rows(stop - start), stream)
    for draw in ("uniform", "normal", "uniform"):
        expected = getattr(of_all, draw)()[start:stop]
        np.testing.assert_array_equal(getattr(of_part, draw)(), expected)
    np.testing.assert_array_equal(of_part.integers(7), of_all.integers(7)[start:stop])


@given(struck=st.lists(st.integers(0, 299), unique=True))
def test_what_a_row_draws_does_not_depend_on_which_others_are_struck(struck):
    some, every = (Noise(300, 1, 2).draws(np.array(r, int), 3) for r in (struck, rows(300)))
    for _ in range(2):
        np.testing.assert_array_equal(some.normal(), every.normal()[struck])


def test_positions_reach_beyond_any_table():
    far = 2**50 + 3
    value = Noise(1, 5, 5, first=far).rows(0)[0]
    assert 0 <= value < 1
    assert value == Noise(3, 5, 5, first=far - 2).rows(0)[2]


@given(st.lists(st.integers(0, 4), min_size=1), st.data())
def test_equal_scores_are_struck_from_the_first_row_on(scores, data):
    count = data.draw(st.integers(0, len(scores)))
    expected = np.sort(np.argsort(scores, kind="stable")[:count])
    found = smallest(np.array(scores, float), None, count / len(scores))
    np.testing.assert_array_equal(found, expected)


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


def test_values_of_rows_cannot_be_changed_for_those_who_ask_next():
    values = Noise(20, 5, 6).rows(0)
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 1.0
    assert Noise(20, 5, 6).rows(0) is values
    others = [Noise(20, 6, 6).rows(0), Noise(20, 5, 6).rows(1), Noise(20, 5, 6, first=4).rows(0)]
    assert all((each != values).any() for each in others)
