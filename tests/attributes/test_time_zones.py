"""Conditions on times with a zone hold where they were looked for."""

from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import AdversarialCorruptionSearch, CorruptMissing, Pattern
from skcorrupt.adversarial import SearchSpace
from skcorrupt.attributes._attribute import learn_attributes, learn_column
from skcorrupt.attributes._fine_attribute import FineAttribute
from skcorrupt.utils import as_table

ZONES = [None, "UTC", "Asia/Tokyo", "America/New_York", "Europe/Berlin"]


def frame(n, zone, kind="pandas"):
    """Every half hour of the night in which clocks are set back, some of it missing."""
    rng = np.random.default_rng(n)
    start = pd.Timestamp("2024-10-26 20:00", tz="UTC")
    times = start + pd.to_timedelta(30 * rng.integers(0, n, 200), unit="min")
    times = pd.Series(times.tz_convert(zone) if zone else times.tz_localize(None))
    frame = pd.DataFrame({"t": times.where(rng.random(200) > 0.05), "b": rng.normal(size=200)})
    if kind == "polars":
        return pytest.importorskip("polars").from_pandas(frame)
    return frame


@pytest.mark.parametrize("kind", ["", "polars"])
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("n_times", [3, 20, 120])
def test_conditions_match_the_rows_of_their_atoms(zone, n_times, kind):
    X = frame(n_times, zone, kind)
    outcome = np.arange(200).reshape(-1, 1) % 2.0
    found = learn_column(as_table(X), 0, key="t", outcome=outcome, n_bins=8)
    for atom, condition in enumerate(found.conditions):
        assert (found.mask(atom) == Pattern({"t": condition}).mask(X)).all(), condition


@pytest.mark.parametrize("zone", ZONES)
def test_ranges_of_observed_times_match_theirs(zone):
    X = frame(60, zone, "")
    fine = FineAttribute.of(as_table(X), 0)
    for first in range(0, fine.levels.n_levels - 1, 4):
        for last in range(first, fine.levels.n_levels - 1, 3):
            chosen = np.zeros(fine.levels.n_levels, dtype=bool)
            chosen[first : last + 1] = True
            mask = Pattern({"t": fine.condition(chosen)}).mask(X)
            assert (mask == fine.mask(chosen)).all() and (fine.matched(mask) == chosen).all()


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
@pytest.mark.parametrize(
    ("zone", "odd"),
    [
        # clocks that were seconds apart
        ("Europe/Paris", "1900-01-01"),
        ("Europe/Moscow", "1890-06-01"),
        # times that have none there
        ("Asia/Tokyo", "2262-04-11 23:47:16"),
        ("America/New_York", "1677-09-21 00:12:44"),
        ("Asia/Tokyo", "9999-12-31 23:59:59"),
        ("America/New_York", "0001-01-01"),
    ],
)
def test_times_that_a_zone_has_no_readable_text_for(zone, odd, unit):
    usual = np.array(["2024-01-01", "2024-06-01", "2025-01-01"] * 20, dtype=f"M8[{unit}]")
    times = np.concatenate([usual, np.array([odd] * 20, dtype=f"M8[{unit}]")])
    X = pd.DataFrame({"t": pd.Series(times).dt.tz_localize("UTC").dt.tz_convert(zone)})
    found = learn_column(as_table(X), 0, key="t", outcome=np.ones((80, 1)), n_bins=8)
    fine = FineAttribute.of(as_table(X), 0)
    for atom, condition in enumerate(found.conditions):
        pattern = Pattern({"t": condition})
        assert (Pattern.parse(str(pattern)).mask(X) == found.mask(atom)).all(), condition
        assert (pattern.mask(X) == found.mask(atom)).all()
    for level in range(fine.levels.n_levels):
        chosen = np.arange(fine.levels.n_levels) == level
        mask = Pattern({"t": fine.condition(chosen)}).mask(X)
        assert (mask == fine.mask(chosen)).all()


def hours(X):
    """The features as numbers."""
    since = X["t"].dt.tz_convert("UTC").dt.tz_localize(None) - pd.Timestamp("2024-10-26")
    return X.assign(t=since / pd.Timedelta("1h"))


@pytest.mark.long
def test_a_search_counts_the_rows_that_its_patterns_name():
    X = frame(60, "Asia/Tokyo", "")
    X["t"] = X["t"].bfill().ffill()
    y = (X["b"] > 0).to_numpy() ^ (hours(X)["t"] > 10).to_numpy()
    cv = ShuffleSplit(1, test_size=0.3, random_state=0)
    pipeline = make_pipeline(
        FunctionTransformer(hours), SimpleImputer(), DecisionTreeClassifier(random_state=0)
    )
    search = AdversarialCorruptionSearch(
        pipeline,
        CorruptMissing(columns=["b"]),
        space=SearchSpace(n_bins=4, label="forbidden", own_column="allowed", pattern_columns=["t"]),
        strategy="exhaustive",
        cv=cv,
        confirm_size=None,
    ).fit(X, y)
    train, _ = next(cv.split(X, y))
    results = pd.DataFrame(search.cv_results_)
    assert len(results) > 3
    columns = (results[name] for name in ("pattern", "rate", "row_fraction"))
    for pattern, rate, fraction in zip(*columns, strict=True):
        rows = rate * Pattern.parse(pattern).mask(X.iloc[train]).sum()
        assert rows == pytest.approx(fraction * len(train), abs=1), pattern


def test_dates_of_python_have_ranges_as_times_have():
    rng = np.random.default_rng(0)
    days = pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(200), unit="D"))
    days = days.sample(frac=1, random_state=0, ignore_index=True).mask(rng.random(200) < 0.1)
    dates = days.dt.date.astype(object).where(days.notna(), None)
    outcome = rng.random((200, 1)).round()
    coded, fine = [], []
    for cells in (dates, days):
        X = pd.DataFrame({"t": cells})
        table = as_table(X)
        attribute = learn_attributes(table, [0], ["t"], outcome, 8)[0][0]
        for k, condition in enumerate(attribute.conditions):
            matched = Pattern({"t": condition}).mask(X)
            np.testing.assert_array_equal(matched, attribute.mask(k))
        coded.append(list(map(str, attribute.conditions)))
        fine.append(FineAttribute.of(table, 0))
    assert coded[0] == coded[1]
    np.testing.assert_array_equal(fine[0].levels.codes, fine[1].levels.codes)


def as_objects(times, zones):
    """Moments as Python's own times, each in a zone drawn for it."""
    drawn = np.random.default_rng(0).integers(0, len(zones), len(times))
    cells = [
        time.to_pydatetime().astimezone(zones[k]) for time, k in zip(times, drawn, strict=True)
    ]
    return pd.Series([*cells, None], dtype=object)


def test_times_with_and_without_a_zone_are_left_out_as_such():
    naive = [pd.Timestamp(2020, 1, 1 + i % 20).to_pydatetime() for i in range(80)]
    mixed = [t.replace(tzinfo=ZoneInfo("UTC")) if i % 2 else t for i, t in enumerate(naive)]
    cells = {"mixed": mixed, "list": [[1]] * 80, "naive": naive}
    X = pd.DataFrame({name: pd.Series(each, dtype=object) for name, each in cells.items()})
    found, left_out = learn_attributes(as_table(X), [0, 1, 2], [*X], np.ones((80, 1)), 4)
    assert [each.key for each in found] == ["naive"]
    reasons = {name: why for why, names in left_out.items() for name in names}
    assert reasons["mixed"].startswith("times with and without time zones")
    assert reasons["list"].startswith("cells such as lists")


@pytest.mark.parametrize("start", ["2023-10-28 22:00", "1890-06-01", "2024-07-01"])
@pytest.mark.parametrize(
    "zones", [["Europe/Berlin"], ["Europe/Berlin", "Europe/Paris"], ["UTC", "America/New_York"]]
)
@pytest.mark.parametrize("n_times", [1, 4])
def test_times_of_python_are_in_order_of_their_moments(zones, start, n_times):
    n = 120 // n_times
    moments = pd.date_range(start, periods=n, freq=f"{3 * n_times}min", tz="UTC")
    # of values that come back, readers would remember what they read
    times = moments.repeat(n_times)
    X = pd.DataFrame({"t": as_objects(times, list(map(ZoneInfo, zones)))})
    table = as_table(X)
    fine = FineAttribute.of(table, 0)
    # the clocks of a zone show an hour twice, which Python takes for the same times
    assert fine.levels.codes.tolist() == [*np.arange(n).repeat(n_times), n]
    found = learn_column(table, 0, key="t", outcome=np.ones((121, 1)), n_bins=4)
    for atom, condition in enumerate(found.conditions):
        pattern = Pattern.parse(str(Pattern({"t": condition})))
        assert (pattern.mask(X) == found.mask(atom)).all(), condition
    for first in range(1, n, 7):
        chosen = np.arange(n) >= first
        mask = Pattern({"t": fine.condition(chosen)}).mask(X)
        assert (mask == fine.mask(chosen)).all()
