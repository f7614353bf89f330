"""Values of a column as numbers, whatever a batch holds in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns._times import in_zone, with_dates
from skcorrupt.utils import Table, as_floats

_MEASURES = {"bool": "number", "integer": "number", "real": "number"}


def measure(table: Table, j: int) -> str:
    """What numbers of a column measure: number, datetime, timedelta or text."""
    return _MEASURES.get(table.kind(j), table.kind(j))


def numbers_of(table: Table, j: int, measured: str) -> tuple[np.ndarray, np.ndarray]:
    """A column as floats, times in nanoseconds, and which of its cells are missing.

    A cell that is there, but is no number of what is measured, such as a text, is NaN.
    """
    values, missing = table.values(j), table.missing(j)
    if table.kind(j) == "datetime":
        values, _, _ = with_dates(table, j)
    floats = np.full(len(values), np.nan)
    if measure(table, j) == measured:
        try:
            floats = as_floats(values)
        except (TypeError, ValueError, OverflowError):
            floats = np.asarray(pd.to_numeric(pd.Series(values, dtype=object), errors="coerce"))
            floats = floats.astype(float)
    elif measured == "number" and measure(table, j) == "text":
        converted = pd.to_numeric(pd.Series(values, dtype=object), errors="coerce")
        floats = np.asarray(converted.to_numpy(dtype=float, na_value=np.nan))
    return np.where(missing, np.nan, floats), missing


def zone_of(table: Table, j: int) -> Any:
    """The time zone in which times of a column are shown, where they have one."""
    return with_dates(table, j)[2] if table.kind(j) == "datetime" else None


def shown(measured: str, number: Any, zone: Any) -> Any:
    """A number of a column as a user has it, times of UTC in their zone."""
    if measured not in ("datetime", "timedelta") or not isinstance(number, float):
        return number
    # floats do not tell nanoseconds of our era apart
    microseconds = round(number / 1e3)
    if measured == "timedelta":
        return pd.Timedelta(np.timedelta64(microseconds, "us"))
    moment = np.datetime64(microseconds, "us")
    return pd.Timestamp(moment) if zone is None else in_zone(moment, zone)
