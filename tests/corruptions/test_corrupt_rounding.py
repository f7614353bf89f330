"""Rounded values: the nearest multiple, by arithmetic of fractions, and learned steps."""

import datetime as dt
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from skcorrupt import CorruptRounding
from skcorrupt.utils import as_table

STEPS = [0.001, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 1000]


def struck(X, *args, **kwargs):
    return CorruptRounding(*args, rate=1.0, random_state=0, **kwargs).fit_transform(X)


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8), step=st.sampled_from(STEPS))
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_numbers_go_to_the_nearest_multiple(values, step):
    out = struck(np.array(values)[:, None], step=step).ravel()
    exact = Fraction(str(step))
    for old, new in zip(values, out.tolist(), strict=True):
        # the nearest float to a multiple, which is at most half a step away
        assert float(round(Fraction(new) / exact) * exact) == new
        assert abs(Fraction(new) - Fraction(old)) <= exact / 2 + Fraction(1, 10**9)
    twice = struck(out[:, None], step=step).ravel()
    np.testing.assert_array_equal(twice, out)


@given(
    values=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8),
    step=st.sampled_from([2, 5, 10, 1000, 10**15]),
)
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_integers_stay_integers_up_to_the_limits(values, step):
    X = pd.DataFrame({"a": np.array(values, dtype=np.int64)})
    out = struck(X, step=step)["a"]
    assert out.dtype == np.int64
    for old, new in zip(values, out.tolist(), strict=True):
        nearest = floor(Fraction(old, step) + Fraction(1, 2)) * step
        if -(2**63) <= nearest < 2**63:
            assert new == nearest
        else:
            assert abs(new - old) < step


@given(
    counts=st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=8),
    rest=st.sampled_from(["0", "0.001", "0.3", "0.5", "0.999"]),
    step=st.sampled_from(["0.001", "0.1", "0.25", "1", "2.5", "10"]),
    direction=st.sampled_from(["down", "up"]),
)
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_numbers_go_down_or_up_to_the_next_multiple(counts, rest, step, direction):
    exact = Fraction(step)
    values = [float((count + Fraction(rest)) * exact) for count in counts]
    out = struck(np.array(values)[:, None], step=float(step), direction=direction).ravel()
    # what is a multiple already stays, though floats are not tenths
    more = int(direction == "up" and rest != "0")
    expected = [float((count + more) * exact) for count in counts]
    assert out.tolist() == pytest.approx(expected, rel=1e-12)


@given(
    values=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8),
    step=st.sampled_from([2, 5, 10**15]),
    direction=st.sampled_from(["down", "up"]),
)
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_integers_go_down_or_up(values, step, direction):
    X = pd.DataFrame({"a": np.array(values, dtype=np.int64)})
    out = struck(X, step=step, direction=direction)["a"]
    for old, new in zip(values, out.tolist(), strict=True):
        wanted = (floor if direction == "down" else ceil)(Fraction(old, step)) * step
        # beyond what the dtype holds there is none, and the value stays
        assert new == (wanted if -(2**63) <= wanted < 2**63 else old)


def test_times_have_one_direction_and_what_is_no_direction_is_refused():
    X = pd.DataFrame({"t": pd.to_datetime(["2024-05-17", "2024-05-01"])})
    for direction in ("nearest", "up"):
        out = struck(X, step="month", direction=direction)["t"]
        assert out.dt.day.tolist() == [1, 1]
    with pytest.raises(ValueError, match="'direction' parameter of CorruptRounding"):
        CorruptRounding(step=5, direction="away").fit(np.ones((3, 1)))


@pytest.mark.parametrize(
    ("values", "dtype", "step", "expected"),
    [
        ([23, 25, 38], "int8", 5, [25, 25, 40]),
        ([23, 25, 28], "uint8", 10, [20, 30, 30]),
        ([2**64 - 1, 7], "uint64", 10, [2**64 - 6, 10]),
        ([23, None, 38], "Int64", 5, [25, None, 40]),
        ([23, 24], "int64", 2.5, [22.5, 25.0]),
        ([1.26, -1.26], "float32", 0.5, [1.5, -1.5]),
        ([23, 38], "int64[pyarrow]", 5, [25, 40]),
        ([np.inf, 1.2, np.nan, -np.inf], "float64", 1, [np.inf, 1.0, None, -np.inf]),
    ],
)
def test_dtypes(values, dtype, step, expected):
    X = pd.DataFrame({"a": pd.Series(values, dtype=dtype)})
    out = struck(X, step=step)["a"]
    assert [None if pd.isna(v) else v for v in out] == expected
    assert out.dtype == X["a"].dtype or step == 2.5


def test_what_is_round_or_missing_cannot_change():
    X = pd.DataFrame({"a": [20.0, 21.0, np.nan, np.inf, 0.0]})
    can = CorruptRounding(step=10)._can_change(as_table(X), 0)
    assert can.tolist() == [False, True, False, False, False]
    rounding = CorruptRounding(step=10, rate=0.5, random_state=0)
    many = pd.DataFrame({"a": np.arange(100)})
    rounding.fit_transform(many)
    assert rounding.record_.n_matched == 90 and rounding.record_.n_corrupted == 45


@pytest.mark.parametrize(
    ("values", "step"),
    [
        (np.arange(18, 66), 5.0),
        (np.arange(18, 66) * 1000.0, 5000.0),
        (np.arange(18, 66) / 1000, 0.005),
        # multiples of 100 need a larger step than their spread asks for
        (np.arange(5) * 100.0, 200.0),
        (np.array([0, 1, 1, 0]), 2.0),
        (np.full(4, 37.0), 10.0),
        (np.zeros(4), 1.0),
        (np.array([np.nan, np.inf]), 1.0),
    ],
)
def test_a_step_is_learned_from_the_spread(values, step):
    table = as_table(pd.DataFrame({"a": values}))
    assert CorruptRounding()._learn_column(table, 0) == step


def test_the_step_comes_from_fit_and_from_a_dict():
    ages = pd.DataFrame({"age": np.arange(18, 66), "b": np.arange(48.0)})
    fitted = CorruptRounding(rate=1.0).fit(ages)
    assert fitted.corrupt(ages.head(3)).X["age"].tolist() == [20, 20, 20]
    out = CorruptRounding("age", step={"age": 10}, rate=1.0).fit_transform(ages)["age"]
    assert set(out) == {20, 30, 40, 50, 60, 70}
    settled = CorruptRounding(step={"b": 20})._settled(as_table(ages))
    assert settled.step == {"age": 5.0, "b": 20}
    assert settled._striking(["age"]).step == {"age": 5.0}
    assert CorruptRounding(step=5)._settled(as_table(ages)).step == 5


TIMES = ["2020-05-17 13:45:59", "2020-01-01", None, "1969-12-31 23:59:59"]
FLOORED = {
    "hour": ["2020-05-17 13:00", "2020-01-01", None, "1969-12-31 23:00"],
    "day": ["2020-05-17", "2020-01-01", None, "1969-12-31"],
    "month": ["2020-05-01", "2020-01-01", None, "1969-12-01"],
    "year": ["2020-01-01", "2020-01-01", None, "1969-01-01"],
}


@pytest.mark.parametrize("unit", FLOORED)
@pytest.mark.parametrize("zone", [None, "Europe/Paris", "Asia/Kolkata"])
def test_times_are_cut_by_the_clock_that_is_shown(unit, zone):
    X = pd.DataFrame({"t": pd.to_datetime(pd.Series(TIMES), format="ISO8601").dt.tz_localize(zone)})
    out = struck(X, step=unit)["t"]
    expected = pd.to_datetime(pd.Series(FLOORED[unit]), format="ISO8601").dt.tz_localize(zone)
    assert out.dtype == X["t"].dtype
    assert [str(v) for v in out] == [str(v) for v in expected]
    if zone is None:
        for dtype in ("M8[s]", "M8[us]", "M8[ns]"):
            made = struck(X["t"].to_numpy().astype(dtype)[:, None], step=unit)
            assert made.dtype == dtype
            np.testing.assert_array_equal(made[:, 0], expected.to_numpy().astype(dtype))


def test_the_hour_that_a_clock_shows_twice_stays_itself():
    twice = pd.to_datetime(["2024-10-27 00:30", "2024-10-27 01:00"]).tz_localize("UTC")
    X = pd.DataFrame({"t": twice.tz_convert("Europe/Paris")})
    # both show 02:…, an hour apart; one that is whole already must not become the other
    assert CorruptRounding(step="minute")._can_change(as_table(X), 0).tolist() == [False, False]
    assert CorruptRounding(step="hour")._can_change(as_table(X), 0).tolist() == [True, False]


def test_units_of_time_are_learned_and_days_stay_days():
    days = pd.DataFrame({"d": pd.date_range("2020-01-30", periods=4)})
    assert CorruptRounding()._learn_column(as_table(days), 0) == "month"
    timed = days + pd.Timedelta("1h")
    assert CorruptRounding()._learn_column(as_table(timed), 0) == "day"
    frame = pl.DataFrame({"d": [dt.date(2020, 5, 17), None]})
    out = struck(frame)["d"]
    assert out.to_list() == [dt.date(2020, 5, 1), None] and out.dtype == pl.Date


def test_sparse_tables_and_read_only_arrays():
    dense = np.array([[1.4, 0.0], [0.0, 2.6]])
    dense.flags.writeable = False
    expected = [[1, 0], [0, 3]]
    np.testing.assert_array_equal(struck(dense, step=1), expected)
    out = struck(sparse.csr_array(dense), step=1)
    np.testing.assert_array_equal(out.toarray(), expected)


@pytest.mark.parametrize(
    ("step", "column", "message"),
    [
        (0, None, "'step' parameter"),
        (np.inf, None, "'step' parameter"),
        ("week", None, "'step' parameter"),
        ({"a": -1}, None, "above 0, or for times one of second"),
        ({"a": "day"}, "a", "is no step of 'a', which holds integer values; pass a number"),
        ({"t": 5}, "t", "pass one of second, minute, hour"),
        ({"z": 5}, None, "step: X has no column 'z'|no column 'z'"),
        (5, "t", "strikes columns that hold integer, real"),
        ("day", "a", "strikes columns that hold datetime"),
    ],
)
def test_steps_that_do_not_fit_are_refused(step, column, message):
    X = pd.DataFrame({"a": [1, 2], "t": pd.to_datetime(["2020-01-01", "2020-02-02"])})
    with pytest.raises(ValueError, match=message):
        CorruptRounding(column, step=step).fit(X)


@pytest.mark.parametrize("unit", ["s", "ns"])
def test_what_a_stand_in_is_told(unit):
    rounding = CorruptRounding(["a"], step={"a": 5})
    [(chance, made)] = rounding._simulated_values("integer", np.array([23.0, 38.0]), 1.0)
    assert chance == 1.0 and made.tolist() == [25, 40]
    times = np.array(["2020-05-17T13:00", "2021-01-01", "2020-02-02"], dtype=f"M8[{unit}]")
    counts = times.astype(np.int64).astype(float)
    [(_, made)] = CorruptRounding("t", step="month")._simulated_values("datetime", counts, 1.0)
    expected = np.array(["2020-05-01", "2021-01-01", "2020-02-01"], dtype=f"M8[{unit}]")
    np.testing.assert_array_equal(made, expected.astype(np.int64))
