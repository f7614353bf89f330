"""Times by the calendar: days, months and years of arrays of times, as their time zone has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns._times import FIRST_DAY, has_written_year

UNITS = ("second", "minute", "hour", "day", "month", "year")
_SHORT = dict(zip(UNITS, ("s", "m", "h", "D", "M", "Y"), strict=True))
_SECONDS_A_DAY = 86_400
_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15}
# of the years that times are of
_SECONDS = 1e11


def local_times(values: np.ndarray, zone: Any) -> np.ndarray:
    """Times of UTC as clocks of a time zone show them."""
    if zone is None:
        return values
    local = pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(zone).tz_localize(None)
    return np.asarray(local)


def utc_times(local: np.ndarray, zone: Any) -> np.ndarray:
    """What clocks of a time zone show as times of UTC; an hour that is skipped is the next."""
    if zone is None:
        return local
    summer = np.ones(len(local), dtype=bool)
    index = pd.DatetimeIndex(local).tz_localize(zone, ambiguous=summer, nonexistent="shift_forward")
    return np.asarray(index.tz_convert("UTC").tz_localize(None))


def offsets_in_words(ahead: np.ndarray) -> list[str]:
    """How far clocks are ahead of UTC, given as differences, as in "+05:30"."""
    minutes = np.round(ahead / np.timedelta64(1, "m")).astype(np.int64)
    signs = np.where(minutes < 0, "-", "+").tolist()
    parts = zip(signs, *(each.tolist() for each in divmod(np.abs(minutes), 60)), strict=True)
    return [f"{sign}{hour:02d}:{minute:02d}" for sign, hour, minute in parts]


def by_clock(
    values: np.ndarray, zone: Any, change: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Times of UTC, changed as clocks of a time zone show them; what these leave stays."""
    local = local_times(values, zone)
    new = change(local)
    return np.where(new == local, values, utc_times(new, zone).astype(values.dtype))


def floored(values: np.ndarray, unit: str) -> np.ndarray:
    """The beginning of the day, month and so on in which times are."""
    floor = values.astype(f"M8[{_SHORT[unit]}]").astype(values.dtype)
    # the beginning of the first month that a dtype reaches may be beyond it
    return np.where(floor <= values, floor, values)


def on_other_days(values: np.ndarray, days: np.ndarray) -> np.ndarray:
    """Times at the same time of other days; those that their dtype does not reach stay.

    Parameters
    ----------
    values : ndarray of datetime64, shape (n,)
        The times.
    days : ndarray of datetime64[D], shape (n,)
        Their new days.

    Returns
    -------
    ndarray of datetime64, shape (n,)
        In the dtype of `values`.
    """
    reached = has_written_year(days)
    ticks = _A_SECOND.get(np.datetime_data(values.dtype)[0])
    if ticks is not None:
        most = np.iinfo(np.int64).max // (ticks * _SECONDS_A_DAY) - 1
        reached &= np.abs(np.where(reached, days, FIRST_DAY).astype(np.int64)) <= most
    kept = values.astype("M8[D]")
    moved = np.where(reached, days, kept).astype(values.dtype) + (values - kept)
    return np.where(reached, moved.astype(values.dtype), values)


def parts_of(days: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Years (as months), months and days, both from 0, of days that are not missing."""
    months = days.astype("M8[M]")
    return (
        days.astype("M8[Y]").astype("M8[M]"),
        months.astype(np.int64) % 12,
        (days - months.astype("M8[D]")).astype(np.int64),
    )


def exchanged(days: np.ndarray) -> np.ndarray:
    """Days of which the number of the day and of the month change places, where they can."""
    years, month, day = parts_of(days)
    turned = (years + day.astype("m8[M]")).astype("M8[D]") + month.astype("m8[D]")
    return np.where(day < 12, turned, days)


def years_later(days: np.ndarray, years: int) -> np.ndarray:
    """The same days of other years; 29 February becomes the 28th where there is none."""
    months = days.astype("M8[M]") + np.timedelta64(12 * years, "M")
    after = (months + np.timedelta64(1, "M")).astype("M8[D]")
    last = (after - months.astype("M8[D]")).astype(np.int64) - 1
    return months.astype("M8[D]") + np.minimum(parts_of(days)[2], last).astype("m8[D]")


def hours_later(values: np.ndarray, hours: float) -> np.ndarray:
    """Times so many hours later; those that their dtype does not reach stay."""
    seconds = np.timedelta64(round(hours * 3600), "s")
    unit = np.datetime_data(values.dtype)[0]
    if unit in _A_SECOND:
        # as whole numbers, since some versions of numpy refuse what wraps around below
        ticks = values.astype(np.int64) + seconds.astype(f"m8[{unit}]").astype(np.int64)
        moved = np.where(np.isnat(values), values, ticks.astype(values.dtype))
    else:
        moved = (values.astype("M8[s]") + seconds).astype(values.dtype)
    # what is beyond the range wraps around
    wrapped = (moved < values) if hours > 0 else (moved > values)
    moved = np.where(wrapped, values, moved)
    return np.where(has_written_year(moved), moved, values)


def as_times(numbers: np.ndarray) -> np.ndarray:
    """Times that come as counts of their own unit, which is that in which they are in our era."""
    known = numbers[np.isfinite(numbers)]
    largest = np.abs(known).max(initial=0.0)
    per_second = {"s": 1.0, "ms": 1e3, "us": 1e6}
    unit = next((u for u, n in per_second.items() if largest <= _SECONDS * n), "ns")
    counts = np.full(len(numbers), np.iinfo(np.int64).min)
    counts[np.isfinite(numbers)] = known.astype(np.int64)
    return counts.view(f"M8[{unit}]")


def as_counts(times: np.ndarray) -> np.ndarray:
    """Times as counts of their unit, NaN where missing."""
    return np.where(np.isnat(times), np.nan, times.astype(np.int64).astype(float))
