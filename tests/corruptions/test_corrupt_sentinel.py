"""Defaults in place of values: what is put where, and what stays."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skcorrupt import CorruptSentinel, Pattern
from skcorrupt.utils import as_table


@pytest.fixture
def people():
    return pd.DataFrame(
        {
            "age": [25, 32, -999, 51],
            "wage": [1.5, np.nan, 2.0, -999.0],
            "job": ["clerk", None, "N/A", "cook"],
            "size": pd.Categorical(["S", "L", "S", None], ["S", "L"], ordered=True),
            "code": pd.Categorical([10, 20, 10, 10]),
            "since": pd.to_datetime(["2020-01-01", None, "1900-01-01", "2021-05-05"]),
            "smokes": [True, False, True, True],
        }
    )


def struck(X, *args, **kwargs):
    return CorruptSentinel(*args, rate=1.0, random_state=0, **kwargs).fit_transform(X)


def test_every_kind_has_a_default_and_missing_cells_stay_missing(people):
    out = struck(people)
    pd.testing.assert_frame_equal(out.isna(), people.isna())
    assert {column: set(out[column].dropna()) for column in out} == {
        "age": {-999},
        "wage": {-999.0},
        "job": {"N/A"},
        "size": {"N/A"},
        "code": {-999},
        "since": {pd.Timestamp("1900-01-01")},
        "smokes": {-999.0},
    }
    assert out["size"].cat.categories.tolist() == ["S", "L", "N/A"] and out["size"].cat.ordered
    assert out["code"].cat.categories.tolist() == [10, 20, -999]
    assert out.dtypes["age"] == np.int64 and out.dtypes["since"] == people.dtypes["since"]


@pytest.mark.parametrize(
    ("value", "hit"),
    [
        (0, ["age", "wage", "smokes"]),
        (-0.5, ["age", "wage", "smokes"]),
        ("unknown", ["job", "size", "code"]),
        (dt.date(1970, 1, 1), ["since"]),
        (np.datetime64("1970-01-01"), ["since"]),
        (pd.Timestamp("1970-01-01"), ["since"]),
        (False, ["smokes"]),
    ],
)
def test_a_default_goes_into_the_columns_of_its_kind(people, value, hit):
    corruption = CorruptSentinel(value=value, rate=1.0).fit(people)
    result = corruption.corrupt(people)
    assert people.columns[result.record.X_mask.any(axis=0)].tolist() == hit
    expected = pd.Timestamp(value) if hit == ["since"] else value
    for column in hit:
        assert set(result.X[column].dropna()) == {expected}
    kept = people.columns.difference(hit)
    pd.testing.assert_frame_equal(result.X[kept], people[kept])


@pytest.mark.parametrize(
    ("value", "column", "given"),
    [
        ("N/A", "age", "a text"),
        ("N/A", "since", "a text"),
        (-999, "job", "a number"),
        (-999, "size", "a number"),
        (-999, "since", "a number"),
        (dt.date(1970, 1, 1), "wage", "a date"),
        (True, "age", "a truth value"),
    ],
)
def test_a_default_of_another_kind_is_refused(people, value, column, given):
    with pytest.raises(ValueError, match=f"'{column}' holds .* is {given}; .*value=None"):
        CorruptSentinel(column, value=value).fit(people)


def test_categories_that_are_numbers_take_a_number_where_they_are_named(people):
    out = struck(people, "code", value=7)["code"]
    assert out.tolist() == [7] * 4 and out.cat.categories.dtype == np.int64
    assert struck(people, "code", value="none")["code"].tolist() == ["none"] * 4


@pytest.mark.parametrize("value", [np.nan, np.inf, [1], dt.timedelta(1), 1j])
def test_what_is_no_default_is_refused(people, value):
    with pytest.raises(ValueError, match="'value' parameter"):
        CorruptSentinel(value=value).fit(people)
    for gap in (np.datetime64("NaT", "ns"), pd.NaT):
        with pytest.raises(ValueError, match="is a missing value, not a default"):
            CorruptSentinel(value=gap).fit(people)


def test_what_is_missing_or_the_default_already_cannot_change(people):
    table = as_table(people)
    can = {
        column: np.flatnonzero(CorruptSentinel()._can_change(table, j)).tolist()
        for j, column in enumerate(people)
    }
    assert can == {
        "age": [0, 1, 3],
        "wage": [0, 2],
        "job": [0, 3],
        "size": [0, 1, 2],
        "code": [0, 1, 2, 3],
        "since": [0, 3],
        "smokes": [0, 1, 2, 3],
    }
    with pytest.warns(UserWarning, match="all kept their values"):
        struck(people.iloc[[1, 2]], "job")


def test_truth_values_stay_so_where_the_default_is_one(people):
    for value in (False, 0):
        assert struck(people, "smokes", value=value)["smokes"].dtype == bool
    gaps = people.assign(smokes=pd.Series([True, None, False, True], dtype=object))
    out = struck(gaps, "smokes", value=False)["smokes"]
    assert out.tolist() == [False, None, False, False]
    assert struck(gaps, "smokes")["smokes"].dropna().tolist() == [-999] * 3
    frame = pl.DataFrame({"a": [True, None, False]})
    assert struck(frame)["a"].to_list() == [-999, None, -999]
    assert struck(frame, value=True)["a"].to_list() == [True, None, True]


def test_dates_in_other_units_and_zones():
    X = pd.DataFrame({"t": pd.to_datetime(["2020-01-01", "2020-01-02"]).tz_localize("Asia/Tokyo")})
    out = struck(X)["t"]
    assert out.dtype == X["t"].dtype
    local = pd.Timestamp("1900-01-01", tz="Asia/Tokyo")
    assert out.tolist() == [local] * 2
    assert struck(X, value=local)["t"].tolist() == [local] * 2
    early = dt.date(1, 1, 1)
    for dtype in ("M8[s]", "M8[us]", "M8[D]"):
        times = np.array([["2020-01-01"], ["2020-01-02"]], dtype=dtype)
        assert struck(times, value=early)[0, 0].astype("M8[D]").item() == early
    with pytest.raises(ValueError, match="'x0' holds times in nanoseconds, which do not reach"):
        struck(times.astype("M8[ns]"), value=early)
    days = pl.DataFrame({"d": [dt.date(2020, 1, 1), None]})
    assert struck(days)["d"].to_list() == [dt.date(1900, 1, 1), None]


def test_polars_and_pandas_agree(people):
    jobs = [None if pd.isna(job) else job for job in people["job"]]
    p = pl.DataFrame({"age": people["age"].tolist(), "job": jobs})
    for value in (None, 3, "x"):
        left, right = struck(p, value=value), struck(people[["age", "job"]], value=value)
        assert left["age"].to_list() == right["age"].tolist()
        assert left["job"].to_list() == [None if pd.isna(v) else v for v in right["job"]]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_the_default_of_times_is_simulated_in_their_unit(unit):
    times = np.array(["2020-01-01", "1999-01-01", "2024-06-30"], dtype=f"M8[{unit}]")
    [(chance, made)] = CorruptSentinel()._simulated_values(
        "datetime", times.astype(np.int64).astype(float), 1.0
    )
    expected = float(np.datetime64("1900-01-01", unit).astype(np.int64))
    assert chance == 1.0 and made.tolist() == [expected] * 3


@pytest.mark.parametrize("dtype", ["string", "boolean", object])
def test_cells_that_are_neither_equal_nor_unequal(dtype):
    values = [True, pd.NA, False] if dtype == "boolean" else ["a", pd.NA, "b"]
    X = pd.DataFrame({"s": pd.Series(values * 20, dtype=dtype)})
    struck = CorruptSentinel("s", rate=1.0, random_state=0).corrupt(X)
    assert struck.record.n_corrupted == 40
    assert struck.X["s"].isna().sum() == 20


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata", "America/New_York"])
def test_a_date_without_a_zone_is_read_by_the_clocks_of_the_column(zone):
    X = pd.DataFrame({"t": pd.to_datetime(["2020-01-01", "2020-07-02"]).tz_localize(zone)})
    for value in (None, pd.Timestamp("1900-01-01"), dt.date(1900, 1, 1), "1900-01-01"):
        out = struck(X, "t", value=value)
        assert out["t"].tolist() == [pd.Timestamp("1900-01-01", tz=zone)] * 2
        assert out["t"].dtype == X["t"].dtype
        assert Pattern.parse("t == '1900-01-01'").mask(out).all()
    moment = pd.Timestamp("1970-01-01", tz="UTC")
    assert struck(X, "t", value=moment)["t"].tolist() == [moment] * 2
    polars = struck(pl.from_pandas(X), "t")["t"]
    assert polars.dt.replace_time_zone(None).to_list() == [dt.datetime(1900, 1, 1)] * 2


def test_a_date_as_a_text_is_one_in_named_columns_of_times():
    X = pd.DataFrame({"t": pd.to_datetime(["2020-01-01", None]), "note": ["a", "b"]})
    out = struck(X, ["t", "note"], value="1900-01-01")
    assert out["t"].tolist() == [pd.Timestamp("1900-01-01"), pd.NaT]
    assert out["note"].tolist() == ["1900-01-01"] * 2
    assert struck(X, value="1900-01-01")["t"].equals(X["t"])
    with pytest.raises(ValueError, match="'t' holds datetime values, but value='n/a' is a text"):
        struck(X, "t", value="n/a")


@pytest.mark.parametrize("dtype", [object, "category"])
def test_the_default_of_dates_of_python_is_a_date(dtype):
    cells = [dt.date(2020, 1, 1), None, dt.date(1900, 1, 1), dt.date(2021, 5, 5)]
    X = pd.DataFrame({"d": pd.Series(cells, dtype=object).astype(dtype), "job": list("abcd")})
    out = struck(X)
    assert set(out["d"].dropna()) == {dt.date(1900, 1, 1)} and out["job"].eq("N/A").all()
    assert out["d"].isna().tolist() == [False, True, False, False]
    assert struck(X.to_numpy(dtype=object)[:, [0]])[[0, 2], 0].tolist() == [dt.date(1900, 1, 1)] * 2
