"""Seeds drawn up front, and keys of rows by their content."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from skcorrupt.utils import as_table, draw_seed, mix, row_keys, spawn_seeds


def keys(X):
    return row_keys(as_table(X)).tolist()


def test_an_integer_is_the_seed_and_none_is_fresh():
    assert draw_seed(0) == 0 and draw_seed(np.int64(7)) == 7
    assert len({draw_seed(None) for _ in range(20)}) == 20
    assert 0 <= draw_seed(None) < 2**63
    assert draw_seed(np.random.RandomState(0)) == draw_seed(np.random.RandomState(0))
    assert draw_seed(np.random.default_rng(0)) == draw_seed(np.random.default_rng(0))


@pytest.mark.parametrize("bad", [-1, 1.0, "0", True, [1]])
def test_what_seeds_nothing_is_refused(bad):
    with pytest.raises(ValueError, match="non-negative integer"):
        draw_seed(bad)


def test_spawned_seeds_differ_by_parent_and_stream():
    seeds = [
        spawn_seeds(seed, 3, *stream) for seed in (0, 1) for stream in ((), (0,), (1,), (0, 1))
    ]
    assert len({child for children in seeds for child in children}) == 24
    assert spawn_seeds(5, 2, 1) == spawn_seeds(5, 4, 1)[:2]


@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=50))
def test_mixing_loses_nothing(values):
    mixed = mix(np.array(values, dtype=np.uint64))
    assert len(np.unique(mixed)) == len(values)


def test_mixing_spreads_a_single_bit():
    values = np.arange(1000, dtype=np.uint64)
    flipped = mix(values) ^ mix(values ^ np.uint64(1))
    bits = np.unpackbits(flipped.view(np.uint8)).reshape(1000, 64)
    assert abs(bits.mean() - 0.5) < 0.01


def test_keys_follow_values_not_containers_or_dtypes():
    numbers = np.array([[1, 0], [3, 4], [0, 6]])
    expected = keys(numbers)
    assert len(set(expected)) == 3
    for X in (
        numbers.astype(float),
        numbers.astype(np.uint8),
        numbers.astype(object),
        pd.DataFrame(numbers),
        pd.DataFrame(numbers).astype("Int64"),
        pd.DataFrame(numbers, index=[9, 9, 9]).astype("float32"),
        pl.DataFrame(numbers),
        sparse.csc_array(numbers),
    ):
        assert keys(X) == expected


def test_keys_of_texts_flags_and_times():
    words = ["a", "b", "a"]
    expected = keys(pd.DataFrame({"w": words}))
    assert expected[0] == expected[2] != expected[1]
    for dtype in (object, "string", "category"):
        assert keys(pd.DataFrame({"w": pd.Series(words, dtype=dtype)})) == expected
    assert keys(np.array(words).reshape(3, 1)) == keys(pl.DataFrame({"w": words})) == expected
    flags = [True, False, True]
    ones = keys(pd.DataFrame({"f": [1, 0, 1]}))
    for values in (flags, pd.Series(flags, dtype=object), pd.Series(flags, dtype="boolean")):
        assert keys(pd.DataFrame({"f": values})) == ones
    gaps = keys(pd.DataFrame({"f": [1.0, 0.0, np.nan]}))
    for values in (
        pd.Series([True, False, None], dtype=object),
        pd.Series([True, False, None], dtype="boolean"),
        pd.Series([1, 0, None], dtype="Int64"),
    ):
        assert keys(pd.DataFrame({"f": values})) == gaps
    days = pd.Series(pd.date_range("2020", periods=3))
    stamps = keys(pd.DataFrame({"t": days.dt.as_unit("s")}))
    assert len(set(stamps)) == 3
    for values in (days.dt.as_unit("ns"), days.dt.tz_localize("UTC"), days.astype(object)):
        assert keys(pd.DataFrame({"t": values})) == stamps
    assert keys(pl.DataFrame({"t": days.tolist()})) == stamps


def test_a_key_does_not_depend_on_the_other_rows():
    X = pd.DataFrame({"a": [1, "b", None, 2.5], "b": [[1], (2,), None, {3}], "c": [1, 2, 3, 4]})
    assert [keys(X.iloc[[i]])[0] for i in range(4)] == keys(X)
    numbers = pd.DataFrame({"a": pd.Series([1, None, 2], dtype=object)})
    assert [keys(numbers.iloc[[i]])[0] for i in range(3)] == keys(numbers)


def test_order_of_columns_and_gaps_count():
    assert keys([[1.0, 2.0]]) != keys([[2.0, 1.0]])
    assert keys([[1.0, np.nan]]) != keys([[np.nan, 1.0]])
    assert keys([[0.0]]) == keys([[-0.0]])
    assert keys(pd.DataFrame({"a": ["1"]})) != keys(pd.DataFrame({"a": [1]}))
    gaps = [None, np.nan, pd.NA, pd.NaT]
    assert (
        len({keys(pd.DataFrame({"a": pd.Series([gap, "x"], dtype=object)}))[0] for gap in gaps})
        == 1
    )
