"""Times with a time zone: whatever stores them, they are struck as the same moments."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptDates,
    CorruptDuplicates,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
)
from skcorrupt.adversarial import Screening, SearchSpace

ZONES = ["Europe/Berlin", "Asia/Kolkata", "America/New_York"]
HALF = {"rate": 0.5, "random_state": 0}
STRIKING = [
    CorruptDates("t", kind="day_month", **HALF),
    CorruptDates("t", kind="time_zone", hours=5, **HALF),
    CorruptDates("t", kind="year", years=1, **HALF),
    CorruptRounding("t", step="hour", **HALF),
    CorruptRounding("t", step="day", **HALF),
    CorruptNoise("t", scale=0.01, **HALF),
    CorruptOutliers("t", **HALF),
    # of old times the zones of older versions of pandas have other clocks
    CorruptSentinel("t", value="1950-01-01", **HALF),
    CorruptSentinel("t", value=pd.Timestamp("1970-01-01"), **HALF),
    CorruptMissing("t", **HALF),
    CorruptStuck("t", **HALF),
    CorruptShiftRows("t", **HALF),
    CorruptDuplicates(jitter=0.1, **HALF),
]


def times(zone, unit="us"):
    """Times around both changes of the clocks and of the whole year, and a gap."""
    spring = pd.date_range("2024-03-30 12:00", periods=60, freq="37min", tz="UTC")
    autumn = pd.date_range("2024-10-26 12:00", periods=60, freq="37min", tz="UTC")
    year = pd.date_range("2024-01-01", periods=60, freq="41h", tz="UTC")
    series = pd.Series(spring.append([autumn, year]).tz_convert(zone)).dt.as_unit(unit)
    return series.where(series.index != 5)


def struck(corruption, X):
    if isinstance(corruption, CorruptDuplicates):
        return corruption.fit_resample(X)[0]["t"]
    return corruption.fit_transform(X)["t"]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("corruption", STRIKING, ids=repr)
def test_times_of_pyarrow_and_polars_are_struck_as_those_of_pandas(corruption, zone):
    pytest.importorskip("pyarrow")
    X = pd.DataFrame({"t": times(zone)})
    expected = struck(corruption, X)
    assert expected.dtype == X["t"].dtype

    arrow = struck(corruption, X.astype({"t": f"timestamp[us, tz={zone}][pyarrow]"}))
    assert arrow.dtype == f"timestamp[us, tz={zone}][pyarrow]"
    pd.testing.assert_series_equal(arrow.astype(expected.dtype), expected)

    given = pl.from_pandas(X)
    polars = struck(corruption, given)
    assert polars.dtype == given["t"].dtype
    assert polars.to_list() == pl.from_pandas(expected).to_list()


@pytest.mark.parametrize("unit", ["s", "us"])
def test_times_of_pyarrow_without_a_zone_keep_their_dtype(unit):
    pytest.importorskip("pyarrow")
    X = pd.DataFrame({"t": times(None, unit)})
    noise = CorruptNoise("t", rate=1.0, random_state=0)
    arrow = noise.fit_transform(X.astype({"t": f"timestamp[{unit}][pyarrow]"}))["t"]
    assert arrow.dtype == f"timestamp[{unit}][pyarrow]"
    pd.testing.assert_series_equal(arrow.astype(X["t"].dtype), noise.fit_transform(X)["t"])


def test_an_hour_that_clocks_skip_is_no_obstacle_to_times_of_pyarrow():
    pytest.importorskip("pyarrow")
    dtype = "timestamp[us, tz=Europe/Berlin][pyarrow]"
    local = pd.to_datetime(["2024-03-30 22:30", "2024-03-30 12:00"]).tz_localize("Europe/Berlin")
    X = pd.DataFrame({"t": pd.Series(local).astype(dtype)})
    out = CorruptDates("t", kind="time_zone", hours=5, rate=1.0).fit_transform(X)["t"]
    assert out.dtype == dtype
    assert out.astype(str).tolist() == ["2024-03-31 04:30:00+02:00", "2024-03-30 17:00:00+01:00"]


MIXED = [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02", tz="UTC")] * 10


@pytest.mark.parametrize(
    "make", [CorruptNoise, CorruptOutliers, CorruptSentinel, CorruptRounding, CorruptDates]
)
def test_times_that_no_dtype_holds_are_left_out_where_columns_are_not_named(make):
    X = pd.DataFrame(
        {
            "t": pd.Series(MIXED, dtype=object),
            "d": pd.date_range("2024-01-01 10:30", periods=20, freq="17D"),
        }
    )
    out = make(rate=1.0, random_state=0).fit_transform(X)
    assert out["t"].tolist() == MIXED
    assert (out["d"] != X["d"]).any()
    with pytest.raises(ValueError, match="'t' holds times as Python objects"):
        make("t", rate=1.0).fit_transform(X)


def test_copies_keep_times_that_no_dtype_holds():
    X = pd.DataFrame({"t": pd.Series(MIXED, dtype=object), "a": range(20)})
    copies = CorruptDuplicates(jitter=0.5, rate=1.0, random_state=0).fit_resample(X)[0][20:]
    assert copies["t"].tolist() == MIXED and copies["a"].tolist() != list(range(20))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_search_goes_on_beside_times_that_no_dtype_holds():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"t": pd.Series(MIXED * 5, dtype=object), "b": rng.normal(size=100)})
    columns = make_column_transformer(("passthrough", ["b"]))
    search = AdversarialCorruptionSearch(
        make_pipeline(columns, GaussianNB()),
        "noise",
        space=SearchSpace(max_conditions=1, pattern_columns=["b"]),
        confirm_size=None,
        strategy=Screening("linear", n_rerank=4),
        random_state=0,
    ).fit(X, X["b"] > 0)
    assert search.worst_pattern_ is not None


def test_hours_are_added_to_the_moment_where_clocks_change():
    local = pd.to_datetime(["2024-03-30 12:00"]).tz_localize("Europe/Berlin")
    X = pd.DataFrame({"t": local})
    out = CorruptDates("t", kind="time_zone", hours=24, rate=1.0).fit_transform(X)["t"]
    assert str(out[0]) == "2024-03-31 13:00:00+02:00"


def test_a_scale_of_times_says_what_moves_them():
    with pytest.raises(ValueError, match=r"'t' holds datetime.*CorruptDates\(kind='time_zone'"):
        CorruptScale("t", factor=2.0).fit(pd.DataFrame({"t": times(None)}))
