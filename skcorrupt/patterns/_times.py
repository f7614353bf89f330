"""Columns of dates as pandas Series that know their time zone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..utils import Table
from ._values import canonical, instant

# texts and Python's dates have years of four digits
FIRST_DAY, LAST_DAY = np.datetime64("0001-01-01", "D"), np.datetime64("9999-12-31", "D")


def moments(values: np.ndarray, zone: Any = None) -> pd.Series:
    """Dates as a datetime Series in their time zone.

    Raises
    ------
    ValueError
        If Python objects among them cannot be read together as dates.
    """
    if values.dtype.kind == "O":
        zones = [getattr(value, "tzinfo", None) for value in values]
        # moments of several zones have clocks of UTC only in common
        several = None not in zones and len({*map(str, zones)}) > 1
        try:
            # to Python both times of an hour that clocks show twice are one, and to a cache
            return pd.to_datetime(pd.Series(values, dtype=object), utc=several, cache=False)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"dates with and without time zones are mixed ({error}); convert the column by "
                "pandas.to_datetime(…, utc=True)"
            ) from None
    series = pd.Series(values)
    return series if zone is None else series.dt.tz_localize("UTC").dt.tz_convert(zone)


def in_zone(moment: Any, zone: Any) -> Any:
    """A time of UTC, as tables hand it out, in the zone in which patterns read it.

    It stays in UTC where its text in the zone could not be read again: before standard time zones
    were seconds apart, and at the ends of what a type can hold there is no local time.
    """
    known = pd.Timestamp(moment).tz_localize("UTC")
    try:
        local = known.tz_convert(zone)
        same = instant(str(canonical(local))) == known
    except (ValueError, NotImplementedError, OverflowError):
        return known
    return local if same else known


def as_told(table: Table, j: int) -> np.ndarray:
    """A column as a user has it: times in their time zone, as objects, all else as it is read."""
    values, zone = table.values(j), table.time_zone(j)
    if zone is None or values.dtype.kind != "M":
        return values
    codes, distinct = pd.factorize(values)
    told = np.array([*(in_zone(each, zone) for each in distinct), pd.NaT], dtype=object)
    return told[codes]


def with_dates(table: Table, j: int) -> tuple[np.ndarray, str, Any]:
    """A column, what it holds and its time zone, objects that are times as these are to patterns.

    Python's own times with a zone are compared by its clocks, which go back once a year.
    """
    values, kind, zone = table.values(j), table.kind(j), table.time_zone(j)
    present = ~table.missing(j)
    if kind == "datetime" and values.dtype.kind == "O":
        try:
            known = moments(values[present])
        except ValueError:
            # with and without a zone, or beyond what this version of pandas reads
            return values, kind, zone
        zone = known.dt.tz
        known = known if zone is None else known.dt.tz_convert("UTC").dt.tz_localize(None)
        times = np.full(len(values), "NaT", dtype=known.dtype)
        times[present] = known.to_numpy()
        return times, kind, zone
    if kind != "text" or table.categories(j) is not None:
        return values, kind, zone
    if pd.api.types.infer_dtype(values, skipna=True) != "date":
        return values, kind, zone
    times = np.full(len(values), "NaT", dtype="M8[s]")
    times[present] = values[present].astype("M8[D]")
    return times, "datetime", zone


def mixes_zones(values: np.ndarray) -> bool:
    """Whether some times of an array have a time zone and others have none."""
    return len({getattr(value, "tzinfo", None) is None for value in values}) > 1


def has_written_year(times: np.ndarray) -> np.ndarray:
    """Which times are of years that texts and Python's dates have."""
    days = times.astype("M8[D]")
    return (days >= FIRST_DAY) & (days <= LAST_DAY)


def holds_dates(values: np.ndarray) -> bool:
    """Whether all non-missing objects of an array are dates or times of day with a date."""
    kind = pd.api.types.infer_dtype(values, skipna=True)
    return kind in ("date", "datetime", "datetime64")
