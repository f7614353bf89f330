"""Values beyond a limit, against numpy's own clip."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from skcorrupt import CorruptClip
from skcorrupt.utils import as_table

NUMBERS = st.floats(-1e9, 1e9, width=32) | st.sampled_from([np.nan, np.inf, -np.inf, 0.0])


def struck(X, *args, **kwargs):
    return CorruptClip(*args, rate=1.0, random_state=0, **kwargs).fit_transform(X)


@given(
    values=st.lists(NUMBERS, min_size=1, max_size=8),
    limits=st.tuples(st.integers(-100, 100), st.integers(0, 100)),
    dtype=st.sampled_from(["f4", "f8"]),
)
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_struck_values_are_cut_at_the_limits(values, limits, dtype):
    lower, upper = limits[0], limits[0] + limits[1]
    X = np.array(values, dtype=dtype)[:, None]
    out = struck(X, lower=lower, upper=upper)
    assert out.dtype == X.dtype
    np.testing.assert_array_equal(out, np.clip(X, lower, upper))
    for given_one in ({"lower": lower}, {"upper": upper}):
        expected = np.clip(X, given_one.get("lower"), given_one.get("upper"))
        np.testing.assert_array_equal(struck(X, **given_one), expected)


@pytest.mark.parametrize(
    ("values", "dtype", "limits", "expected", "kept"),
    [
        ([1, 5, 9], "int8", (2, 7), [2, 5, 7], True),
        ([1, 5, 9], "int8", (300, 400), [300, 300, 300], False),
        ([1, 5, 9], "int64", (1.5, None), [1.5, 5, 9], False),
        ([1, None, 9], "Int64", (None, 4), [1, None, 4], True),
        ([2**64 - 1, 3], "uint64", (-5, 2**53), [2**53, 3], True),
        ([2**63 - 1, -(2**63)], "int64", (None, 10), [10, -(2**63)], True),
        ([1, 5, 9], "int64[pyarrow]", (None, 4), [1, 4, 4], True),
    ],
)
def test_integers_stay_integers_where_the_limits_are_whole(values, dtype, limits, expected, kept):
    X = pd.DataFrame({"a": pd.Series(values, dtype=dtype)})
    out = struck(X, lower=limits[0], upper=limits[1])["a"]
    assert [None if pd.isna(v) else v for v in out] == expected
    assert (out.dtype == X["a"].dtype) is kept


def test_what_is_within_the_limits_is_not_matched():
    X = pd.DataFrame({"a": np.arange(100.0)})
    clip = CorruptClip(upper=79, rate=0.5, random_state=0)
    out = clip.fit_transform(X)["a"]
    assert clip.record_.n_matched == 20 and clip.record_.n_corrupted == 10
    assert ((out == 79) & (X["a"] > 79)).sum() == 10
    holes = pd.DataFrame({"a": [np.nan, 5.0, -5.0, np.inf]})
    can = CorruptClip(lower=0, upper=5)._can_change(as_table(holes), 0)
    assert can.tolist() == [False, False, True, True]


def test_limits_are_learned_in_fit_as_values_of_the_data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.permutation(100), "b": rng.normal(size=100), "c": [0, 1] * 50})
    fitted = CorruptClip(rate=1.0).fit(X)
    # of 100 numbers the fifth and the ninety-fifth
    assert (fitted.reference_.facts[0].lower, fitted.reference_.facts[0].upper) == (4, 94)
    a, b = np.sort(X["a"])[[4, 94]], np.sort(X["b"])[[4, 94]]
    out = fitted.corrupt(X).X
    np.testing.assert_array_equal(out["a"], X["a"].clip(*a))
    np.testing.assert_array_equal(out["b"], X["b"].clip(*b))
    # nothing is beyond the quantiles of a column of two values: its larger one is cut
    assert set(out["c"]) == {0} and out.dtypes["c"] == X.dtypes["c"]
    assert fitted.corrupt(X + 1000).X["a"].eq(94).all()


def test_limits_by_column():
    X = pd.DataFrame({"a": [1, 5, 9], "b": [1.0, 5.0, 9.0], "c": [1.0, 5.0, 9.0]})
    out = struck(X, ["a", "b"], lower={"a": 3}, upper={"a": 7, "b": 2})
    assert out.to_dict("list") == {"a": [3, 5, 7], "b": [1.0, 2.0, 2.0], "c": [1.0, 5.0, 9.0]}
    settled = CorruptClip(upper={"b": 2})._settled(as_table(X))
    assert settled.upper == {"a": 5, "b": 2, "c": 5} and settled.lower is None
    one = settled._striking(["b"])
    assert one.upper == {"b": 2} and one.columns == ["b"]
    arrays = CorruptClip(upper={"x1": 2.0, "x0": 0.5}, rate=1.0).fit_transform(X.to_numpy())
    assert arrays[:, 1].tolist() == [1.0, 2.0, 2.0]


def test_containers():
    frame = pl.DataFrame({"a": pl.Series([1, None, 9], dtype=pl.Int8)})
    out = struck(frame, upper=4)["a"]
    assert out.to_list() == [1, None, 4] and out.dtype == pl.Int8
    dense = np.array([[0.0, -3.0], [4.0, 0.0]])
    made = struck(sparse.csr_array(dense), lower=-1, upper=2)
    np.testing.assert_array_equal(made.toarray(), [[0, -1], [2, 0]])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"lower": np.nan}, "'lower' parameter"),
        ({"upper": "9"}, "'upper' parameter"),
        ({"lower": 5, "upper": 4}, "lower=5 is above upper=4 for 'a'"),
        ({"lower": {"a": 5}, "upper": 4}, "lower=5 is above upper=4 for 'a'"),
        ({"upper": {"a": None}}, "should hold a number"),
        ({"upper": {"z": 4}}, "no column 'z'"),
    ],
)
def test_limits_that_are_none_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        CorruptClip("a", **params).fit(pd.DataFrame({"a": [1, 9]}))


def test_what_a_stand_in_is_told():
    numbers = np.array([1.0, 5.0, 9.0])
    [(chance, made)] = CorruptClip(["a"], upper={"a": 4})._simulated_values("real", numbers, 1.0)
    assert chance == 1.0 and made.tolist() == [1, 4, 4]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64"])
def test_limits_of_large_integers_are_values_of_the_data(dtype):
    known = [2**60 + 1, 2**60 + 3, 2**60 + 5]
    X = pd.DataFrame({"a": pd.Series(np.resize(known, 300), dtype=dtype)})
    error = CorruptClip(["a"], rate=1.0, random_state=0)
    out = error.fit(X).corrupt(X).X
    assert out["a"].dtype == X["a"].dtype
    assert out["a"].max() == known[1] and set(out["a"]) == set(known[:2])
    assert (out["a"] == np.minimum(X["a"].to_numpy(dtype="int64"), known[1])).all()
