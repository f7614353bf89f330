"""Dates written in another format or cut to a unit, planted by other means than found."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptDates, CorruptRounding
from skcorrupt.learned import LearnedErrors, learn_errors

N = 400


def days(seed=0):
    rng = np.random.default_rng(seed)
    stamps = pd.Timestamp("2019-03-05 10:20:30") + pd.to_timedelta(
        rng.integers(0, 900 * 86400, N), unit="s"
    )
    return pd.Series(stamps), pd.Series(rng.normal(size=N))


def pair(clean, struck, changed):
    clean = pd.DataFrame({"day": clean, "x": days()[1]})
    return clean.assign(day=clean["day"].where(~struck, changed)), clean


STRUCK = np.random.default_rng(5).random(N) < 0.3


@pytest.mark.many
@pytest.mark.parametrize(
    ("read", "write"),
    [
        ("%Y-%m-%d", "%d/%m/%Y"),
        ("%Y-%m-%d", "%m/%d/%Y"),
        ("%Y-%m-%d", "%Y%m%d"),
        ("%Y-%m-%d", "%d%m%Y"),
        ("%d.%m.%Y", "%Y-%m-%d"),
        ("%m/%d/%Y", "%d/%m/%Y"),
        ("%Y-%m-%d %H:%M", "%d.%m.%y %H:%M"),
        ("%Y-%m-%d", "%d %B %Y"),
    ],
)
def test_another_format_is_told_with_its_parameters(read, write):
    stamps, _ = days()
    dirty, clean = pair(stamps.dt.strftime(read), STRUCK, stamps.dt.strftime(write))
    learned = LearnedErrors.from_dict(learn_errors(dirty, clean).to_dict())
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["share_explained"]) == ("dates", 1.0)
    assert row["parameters"] == {
        "form": "date_format",
        "kind": "format",
        "read_format": read,
        "date_format": write,
    }
    # the same in days that were not seen
    other, x = days(9)
    fresh = pd.DataFrame({"day": other.dt.strftime(read), "x": x})
    made = learned.corruption.set_params(random_state=0).fit_resample(fresh, None)[0]["day"]
    wrong = made != fresh["day"]
    # 5 May is the same in both orders
    assert abs(wrong.sum() - (dirty["day"] != clean["day"]).sum()) <= 3
    assert (made[wrong] == other.dt.strftime(write)[wrong]).all()
    template = learned.template("day")
    assert isinstance(template, CorruptDates)
    whole = template.set_params(rate=1.0).fit(fresh).corrupt(fresh).X["day"]
    assert (whole == other.dt.strftime(write)).all()


@pytest.mark.parametrize("read", ["%d/%m/%Y", "%m/%d/%Y"])
def test_days_that_could_be_months_are_decided_by_all_cells(read):
    stamps, _ = days()
    struck = STRUCK & (stamps.dt.day <= 12)
    dirty, clean = pair(stamps.dt.strftime(read), struck, stamps.dt.strftime("%Y-%m-%d"))
    [row] = learn_errors(dirty, clean).report.to_dict("records")
    assert row["parameters"]["read_format"] == read
    assert row["parameters"]["date_format"] == "%Y-%m-%d"


def test_an_exchange_that_spares_days_above_twelve_is_no_format():
    stamps, _ = days()
    may, differs = stamps.dt.day <= 12, stamps.dt.day != stamps.dt.month
    struck = STRUCK & may & differs
    dirty, clean = pair(stamps.dt.strftime("%d/%m/%Y"), struck, stamps.dt.strftime("%m/%d/%Y"))
    [row] = learn_errors(dirty, clean).report.to_dict("records")
    assert row["parameters"]["kind"] == "day_month"
    # days up to 12 and not the month's number are all that could be struck
    assert row["rate"] == pytest.approx(struck.sum() / (may & differs).sum())


@pytest.mark.parametrize("zone", [None, "Europe/Paris"])
@pytest.mark.parametrize("unit", ["hour", "day", "month", "year"])
def test_times_cut_to_a_unit(unit, zone):
    stamps, _ = days()
    stamps = stamps.dt.tz_localize(zone) if zone else stamps
    form = {"hour": "%Y-%m-%d %H:00", "day": "%Y-%m-%d", "month": "%Y-%m-01", "year": "%Y-01-01"}
    cut = pd.to_datetime(stamps.dt.strftime(form[unit]))
    cut = cut.dt.tz_localize(zone) if zone else cut
    dirty, clean = pair(stamps, STRUCK, cut)
    learned = learn_errors(dirty, clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["parameters"]["step"]) == ("rounding", unit)
    made = learned.corruption.set_params(random_state=0).fit_resample(clean, None)[0]["day"]
    wrong = made != clean["day"]
    assert abs(wrong.sum() - STRUCK.sum()) <= 3
    assert (made[wrong] == cut[wrong]).all()
    template = learned.template("day")
    assert isinstance(template, CorruptRounding) and template.step == unit


@pytest.mark.parametrize(
    ("form", "unit"),
    [
        ("%d/%m/%Y", "month"),
        ("%Y-%m-%d", "year"),
        ("%m/%d/%Y", "month"),
        ("%d.%m.%Y %H:%M", "year"),
        ("%d.%m.%Y %H:%M", "day"),
        pytest.param("%d/%m/%Y", "year", marks=pytest.mark.slow),
        pytest.param("%Y-%m-%d", "month", marks=pytest.mark.slow),
        pytest.param("%m/%d/%Y", "year", marks=pytest.mark.slow),
        pytest.param("%d.%m.%Y %H:%M", "month", marks=pytest.mark.slow),
    ],
)
def test_texts_of_times_are_cut_to_a_unit(form, unit):
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2015-01-01") + pd.to_timedelta(rng.integers(0, 10**8, 1500), unit="s")
    first = {"month": {"day": 1}, "year": {"month": 1, "day": 1}, "day": {}}[unit]
    first = first | ({"hour": 0, "minute": 0} if "%H" in form else {})
    clean = pd.DataFrame({"since": days.strftime(form), "n": rng.integers(0, 9, 1500)})
    cut = pd.Series([day.replace(**first).strftime(form) for day in days])
    hit = (rng.uniform(size=1500) < 0.6) & (clean["n"] > 4)
    learned = learn_errors(clean.assign(since=clean["since"].mask(hit, cut)), clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["parameters"]["step"]) == ("rounding", unit)
    assert row["n_cells"] == (hit & (cut != clean["since"])).sum()
    assert row["explained_by"] == ("n",)
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    changed = made["since"] != clean["since"]
    assert changed.sum() == pytest.approx(row["n_cells"], rel=0.1)
    assert (made["since"] == cut)[changed].all()
    with pytest.raises(ValueError, match="no corruption is known"):
        learned.template("since")


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%m/%d/%Y %H:%M"])
def test_days_that_are_moved_have_as_many_digits_as_others(form):
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2015-01-01") + pd.to_timedelta(rng.integers(0, 10**8, 1500), unit="s")
    clean = pd.DataFrame({"since": days.strftime(form), "n": rng.integers(0, 9, 1500)})
    later = pd.Series((days + pd.Timedelta(days=9)).strftime(form))
    hit = rng.uniform(size=1500) < 0.6
    learned = learn_errors(clean.assign(since=clean["since"].mask(hit, later)), clean)
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    changed = made["since"] != clean["since"]
    assert (made["since"] == later)[changed].all()


def test_days_written_otherwise_and_without_their_time():
    rng = np.random.default_rng(0)
    days = pd.Timestamp("1995-01-01") + pd.to_timedelta(rng.integers(0, 2000, 1500), unit="D")
    texts = [f"{day.month}/{day.day}/{day.year} 0:00:00" for day in days]
    clean = pd.DataFrame({"since": texts, "n": rng.integers(0, 9, 1500)})
    other = pd.Series(days.strftime("%B %d, %Y").str.replace(" 0", " "))
    hit = (rng.uniform(size=1500) < 0.6) & (clean["n"] > 4)
    learned = learn_errors(clean.assign(since=clean["since"].mask(hit, other)), clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("dates", hit.sum())
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    changed = made["since"] != clean["since"]
    assert (made["since"] == other)[changed].all()


FORMS = {
    "pandas": lambda times: times.astype(str),
    "ISO": lambda times: times.map(pd.Timestamp.isoformat),
    "UTC": lambda times: pd.to_datetime(times, utc=True).dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
    "fractions": lambda times: pd.to_datetime(times, utc=True).dt.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    "offsets": lambda times: pd.to_datetime(times, utc=True).dt.strftime("%Y-%m-%d %H:%M:%S%z"),
    "minutes": lambda times: times.dt.strftime("%Y-%m-%d %H:%M"),
    "clocks": lambda times: times.dt.tz_localize(None).astype(str),
}


def by_the_hour(zone):
    hours = np.random.default_rng(3).permutation(7200)[:N]
    times = pd.Series(pd.Timestamp("2024-01-01", tz=zone) + pd.to_timedelta(hours, unit="h"))
    return times, times.where(~STRUCK, times + pd.Timedelta(hours=2))


def hours_late(dirty, clean):
    others = days()[1]
    found = learn_errors(
        pd.DataFrame({"day": dirty, "x": others}), pd.DataFrame({"day": clean, "x": others})
    )
    (row,) = found.report.to_dict("records")
    return (row["kind"], row["n_cells"], row["parameters"]["hours"]), found


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("form", FORMS)
def test_times_beside_texts_that_say_when_they_should_be(zone, form):
    clean, dirty = by_the_hour(zone)
    said, _ = hours_late(dirty, FORMS[form](clean))
    assert said == ("dates", STRUCK.sum(), 2.0)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata"])
def test_texts_with_an_offset_are_times(zone):
    clean, dirty = (each.astype(str) for each in by_the_hour(zone))
    said, found = hours_late(dirty, clean)
    assert said == ("dates", STRUCK.sum(), 2.0)
    error = found.corruption.set_params(random_state=0).fit(pd.DataFrame({"day": clean, "x": 0.0}))
    made, _, _ = error.corrupt(pd.DataFrame({"day": clean, "x": 0.0}))
    late = pd.to_datetime(made["day"]) - pd.to_datetime(clean)
    assert set(late) == {pd.Timedelta(0), pd.Timedelta(hours=2)}


def test_texts_that_are_times_of_utc_can_be_late():
    clean, _ = by_the_hour("UTC")
    X = pd.DataFrame({"day": clean.astype(str)})
    made = CorruptDates("day", kind="time_zone", hours=2, rate=1.0, random_state=0).fit_transform(X)
    late = pd.to_datetime(made["day"]) - clean
    assert (late == pd.Timedelta(hours=2)).all()
