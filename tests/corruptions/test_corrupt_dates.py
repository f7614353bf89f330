"""Wrong dates, against Python's own calendar, in columns of times and of texts."""

import calendar
import datetime as dt
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

from skcorrupt import CorruptDates
from skcorrupt.corruptions._date_texts import FORMATS, found_format
from skcorrupt.utils import as_table

MOMENTS = st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2199, 12, 31, 23, 59, 59)).map(
    lambda moment: moment.replace(microsecond=0)
)
DAYS = st.dates(dt.date(1970, 1, 1), dt.date(2068, 12, 31))


def exchanged(moment):
    able = moment.day <= 12 and moment.day != moment.month
    return moment.replace(day=moment.month, month=moment.day) if able else moment


def in_year(moment, years):
    year = moment.year + years
    return moment.replace(
        year=year, day=min(moment.day, calendar.monthrange(year, moment.month)[1])
    )


def struck(X, *args, **kwargs):
    return CorruptDates(*args, rate=1.0, random_state=0, **kwargs).fit_transform(X)


@given(moments=st.lists(MOMENTS, min_size=1, max_size=6), years=st.sampled_from([-1, 1, 4, 100]))
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_times_by_the_calendar(moments, years):
    X = pd.DataFrame({"t": pd.Series(moments).astype("M8[us]")})
    cases = {
        "day_month": ({}, exchanged),
        "year": ({"years": years}, lambda moment: in_year(moment, years)),
        "time_zone": ({"hours": 5.5}, lambda moment: moment + dt.timedelta(hours=5.5)),
    }
    for kind, (params, expected) in cases.items():
        corruption = CorruptDates(kind=kind, rate=1.0, **params)
        out = corruption.fit_transform(X)["t"]
        wanted = [expected(moment) for moment in moments]
        assert out.tolist() == wanted and out.dtype == X["t"].dtype
        changed = [a != b for a, b in zip(wanted, moments, strict=True)]
        assert corruption._can_change(as_table(X), 0).tolist() == changed


@pytest.mark.long
@given(days=st.lists(DAYS, min_size=12, max_size=20, unique=True), form=st.sampled_from(FORMATS))
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_texts_stay_of_their_format(days, form):
    def written(day):
        # strftime of Linux has %-d, and writes years before 1000 without zeros only
        return dt.datetime(day.year, day.month, day.day, 9, 5, 7).strftime(form)

    texts = [written(day) for day in days]
    X = pd.DataFrame({"t": pd.Series(texts, dtype=object)})
    for given_format in (None, form):
        corruption = CorruptDates("t", rate=1.0, kind="year", read_format=given_format)
        try:
            out = corruption.fit_transform(X)["t"]
        except ValueError:
            pytest.fail(f"{texts} are not read as {form}")
        assert out.tolist() == [written(in_year(day, -1)) for day in days]
    ambiguous = all(day.day <= 12 for day in days)
    out = CorruptDates("t", rate=1.0, read_format=form).fit_transform(X)["t"]
    assert out.tolist() == [written(exchanged(day)) for day in days] or ambiguous


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2024-04-03", "2024-12-31"], "%Y-%m-%d"),
        (["03.04.2024", "31.12.2024"], "%d.%m.%Y"),
        (["3.4.2024", "31.12.2024"], "%-d.%-m.%Y"),
        (["03/04/2024", "12/31/2024"], "%m/%d/%Y"),
        (["03/04/2024", "31/12/2024"], "%d/%m/%Y"),
        # of several that read all, the first
        (["03/04/2024", "11/12/2024"], "%d/%m/%Y"),
        (["3 Apr 2024", "31 Dec 2024"], "%-d %b %Y"),
        (["2024-04-03T10:00:00Z"], "%Y-%m-%dT%H:%M:%SZ"),
        (["2024-01-31T10:00:00+01:00", "2024-07-31T10:00:00+02:00"], "%Y-%m-%dT%H:%M:%S%z"),
        (["2024-01-31 10:00-0330", "2024-07-31 10:00Z"], "%Y-%m-%d %H:%M%z"),
        (["2024-04-03 10:00"] * 9 + ["unknown"], "%Y-%m-%d %H:%M"),
        (["2024-04-03"] + ["unknown", "?"] * 3, None),
        (["2024-13-03"] * 3, None),
        (["red", "green"], None),
        ([], None),
    ],
)
def test_the_format_is_found_in_the_values(texts, expected):
    assert found_format(np.array(texts, dtype=object)) == expected


def test_what_is_no_date_or_missing_stays():
    days = [f"2024-{m:02d}-01" for m in range(1, 13)]
    X = pd.DataFrame({"t": pd.Series([*days, "unknown", None, "2024-02-31"], dtype=object)})
    corruption = CorruptDates(rate=1.0, random_state=0)
    out = corruption.fit_transform(X)["t"]
    # 1 January stays too
    assert corruption.record_.n_matched == 11
    assert out.tolist()[12:] == ["unknown", None, "2024-02-31"] and out[0] == "2024-01-01"
    assert out.tolist()[1:12] == [f"2024-01-{m:02d}" for m in range(2, 13)]


def test_columns_that_are_struck_and_those_that_are_refused():
    X = pd.DataFrame(
        {
            "t": pd.to_datetime(["2024-04-03"] * 3),
            "text": ["2024-04-03"] * 3,
            "word": ["a", "b", "c"],
            "n": [1, 2, 3],
            "many": [["a"]] * 3,
        }
    )
    fitted = CorruptDates(rate=1.0).fit(X)
    assert fitted.reference_.columns == [0, 1]
    assert CorruptDates()._settled(as_table(X)).read_format == {"text": "%Y-%m-%d"}
    with pytest.raises(ValueError, match="'word' holds texts that are not dates of one format"):
        CorruptDates("word").fit(X)
    with pytest.raises(ValueError, match=r"strikes columns that hold datetime, text .* 'n'"):
        CorruptDates("n").fit(X)
    with pytest.raises(ValueError, match="columns: 'many' holds unhashable"):
        CorruptDates("many").fit(X)


@pytest.mark.parametrize("zone", ["Europe/Paris", "Asia/Kolkata", "America/New_York"])
def test_clocks_of_a_time_zone(zone):
    local = [dt.datetime(2024, 4, 3, 1, 30), dt.datetime(2024, 7, 12, 23), dt.datetime(2024, 2, 29)]
    X = pd.DataFrame({"t": pd.to_datetime(pd.Series(local)).dt.tz_localize(zone)})
    for kind, expected in (("day_month", exchanged), ("year", lambda m: in_year(m, -1))):
        out = struck(X, kind=kind)["t"]
        assert out.dtype == X["t"].dtype
        assert [v.tz_localize(None).to_pydatetime() for v in out] == [*map(expected, local)]
    moved = struck(X, kind="time_zone", hours=1)["t"]
    assert ((moved - X["t"]) == pd.Timedelta("1h")).all()
    frame = pl.DataFrame({"t": pl.Series(local).dt.replace_time_zone(zone)})
    turned = struck(frame)["t"].to_list()
    assert turned == [exchanged(m).replace(tzinfo=ZoneInfo(zone)) for m in local]


def test_days_without_a_time_of_day():
    days = [dt.date(2024, 4, 3), None, dt.date(2024, 7, 30)]
    frame = pl.DataFrame({"d": days})
    assert struck(frame)["d"].to_list() == [dt.date(2024, 3, 4), None, days[2]]
    # five hours before midnight it is the day before, five hours after it the same day
    assert struck(frame, kind="time_zone")["d"].to_list()[0] == dt.date(2024, 4, 2)
    later = CorruptDates(kind="time_zone", hours=5)
    assert not later._can_change(as_table(frame), 0).any()
    for made in (
        pd.Series(days, dtype=object),
        pd.Series(pd.array(days, dtype=pd.ArrowDtype(__import__("pyarrow").date32()))),
    ):
        out = struck(pd.DataFrame({"d": made}), kind="year")["d"]
        assert [None if pd.isna(v) else v for v in out] == [
            dt.date(2023, 4, 3), None, dt.date(2023, 7, 30)
        ]  # fmt: skip
    array = np.array([["2024-04-03"], ["NaT"]], dtype="M8[D]")
    out = struck(array)
    assert out.dtype == array.dtype and out[0, 0] == np.datetime64("2024-03-04")


@pytest.mark.parametrize(
    ("values", "params", "expected"),
    [
        (["2262-04-01", "2020-01-01"], {"kind": "year", "years": 1}, ["2262-04-01", "2021-01-01"]),
        (["1677-12-01"], {"kind": "year"}, ["1677-12-01"]),
        (["2262-04-11T20:00"], {"kind": "time_zone", "hours": 9}, ["2262-04-11T20:00"]),
    ],
)
@pytest.mark.filterwarnings("ignore:.*(kept their values|changed nothing)")
def test_times_beyond_the_range_of_their_dtype_stay(values, params, expected):
    X = np.array(values, dtype="M8[ns]")[:, None]
    np.testing.assert_array_equal(struck(X, **params)[:, 0], np.array(expected, dtype="M8[ns]"))
    texts = pd.DataFrame({"t": ["0001-01-01", "9999-12-31"] * 5})
    for kind in ("year", "time_zone"):
        assert struck(texts, kind=kind)["t"][0] == "0001-01-01"


def test_dates_in_another_format():
    X = pd.DataFrame(
        {
            "day": pd.to_datetime(["2024-04-03", None]),
            "time": pd.to_datetime(["2024-04-03 10:30", "2024-04-04"], format="mixed"),
            "text": ["03/04/2024", "31/12/2024"],
            "iso": ["2024-04-03T10:30", "2024-12-31T00:00"],
        }
    )
    out = struck(X, kind="format")
    assert out["day"].tolist() == ["03/04/2024", pd.NaT] and out["day"].dtype == object
    assert out["time"].tolist() == ["03/04/2024 10:30:00", "04/04/2024 00:00:00"]
    assert out["text"].tolist() == ["2024-04-03", "2024-12-31"]
    assert out["iso"].tolist() == ["03/04/2024T10:30", "31/12/2024T00:00"]
    named = struck(X, "day", kind="format", date_format="%-d %B %Y")
    assert named["day"].tolist() == ["3 April 2024", pd.NaT]
    half = CorruptDates("time", kind="format", rate=0.5, random_state=1).fit_transform(X)["time"]
    assert sorted(type(v).__name__ for v in half) == ["Timestamp", "str"]
    frame = pl.DataFrame({"t": [dt.date(2024, 4, 3)], "text": ["2024-04-03"]})
    assert struck(frame, kind="format")["text"].to_list() == ["03/04/2024"]
    with pytest.raises(ValueError, match="'t' is of times, and a polars table cannot hold texts"):
        struck(frame, "t", kind="format")


def test_offsets_from_utc_stay_as_they_are_written():
    texts = ["2024-01-03T00:30:00+01:00", "2024-07-04T12:00:00+02:00", "2024-05-06T00:00:00Z"]
    X = pd.DataFrame({"t": texts})
    assert struck(X)["t"].tolist() == [
        "2024-03-01T00:30:00+01:00", "2024-04-07T12:00:00+02:00", "2024-06-05T00:00:00Z",
    ]  # fmt: skip
    moved = struck(X, kind="time_zone", hours=-1)["t"]
    hours = pd.to_datetime(moved, utc=True) - pd.to_datetime(X["t"], utc=True)
    assert hours.tolist() == [pd.Timedelta(hours=-1)] * 3
    assert [text[19:] for text in moved] == ["+01:00", "+02:00", "Z"]
    assert struck(X, kind="format")["t"][1] == "04/07/2024T12:00:00+02:00"


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/St_Johns", "Europe/Berlin"])
def test_times_are_written_with_their_offset(zone):
    times = pd.to_datetime(["2024-01-03 10:30", "2024-07-04 23:15"]).tz_localize(zone)
    form = "%d.%m.%Y %H:%M:%S%z"
    out = struck(pd.DataFrame({"t": times}), kind="format", date_format=form)["t"]
    assert [dt.datetime.strptime(text, form) for text in out] == times.to_pydatetime().tolist()
    plain = struck(pd.DataFrame({"t": times.tz_localize(None)}), kind="format", date_format=form)
    assert plain["t"][0] == "03.01.2024 10:30:00"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"kind": "time_zone", "hours": 0}, "hours=0 moves no time"),
        ({"kind": "year", "years": 0}, "years=0 changes no year"),
        ({"years": 1.5}, "'years' parameter"),
        ({"date_format": "%q"}, "date_format='%q' has %q; pass a format of %Y"),
        ({"date_format": "day"}, "has no part of a date"),
        ({"read_format": "%d.%m."}, "should have a year"),
        ({"read_format": {"t": "%Y-%d"}}, "should have a year"),
        ({"read_format": {"z": "%Y-%m-%d"}}, "no column 'z'"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        CorruptDates(**params).fit(pd.DataFrame({"t": ["2024-04-03", "2024-12-31"]}))


@pytest.mark.parametrize("unit", ["s", "ns"])
def test_what_a_stand_in_is_told(unit):
    times = np.array(["2024-04-03", "2024-04-30", "2024-02-29"], dtype=f"M8[{unit}]")
    counts = times.astype(np.int64).astype(float)
    [(chance, made)] = CorruptDates()._simulated_values("datetime", counts, 1.0)
    expected = np.array(["2024-03-04", "2024-04-30", "2024-02-29"], dtype=f"M8[{unit}]")
    assert chance == 1.0
    np.testing.assert_array_equal(made, expected.astype(np.int64))
    assert CorruptDates()._simulated_as(classifier=True) == "values"
    assert CorruptDates(kind="format")._simulated_as(classifier=True) is None
