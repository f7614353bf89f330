"""Scalars in patterns: one plain Python form for each, and its text and JSON."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from ..utils import shorten

Scalar = bool | int | float | str

_EXACT_FLOAT = 2**53
_TOO_LARGE = 2**1024
_ISO_START = re.compile(r"\d{4}")


def is_missing(value: Any) -> bool:
    """Whether a scalar is None, NaN, NaT or pandas' NA."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    if isinstance(value, Decimal):
        return value.is_nan()
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    return False


def canonical(value: Any) -> Scalar:
    """A scalar as a plain bool, int, float or str.

    Whole floats below 2**53 become integers, short floats keep their short decimal form, times
    become ISO text, and intervals, periods and durations become their text.

    Raises
    ------
    ValueError
        If the value is missing, too large or not a scalar that patterns know.
    """
    if is_missing(value):
        raise ValueError(f"{value!r} matches nothing, so it cannot be a value of a pattern")
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (np.datetime64, np.timedelta64, datetime.date, datetime.timedelta)):
        return _time_text(value)
    if isinstance(value, datetime.time):
        return value.isoformat()
    if isinstance(value, (pd.Period, pd.Interval)):
        return str(value)
    if isinstance(value, Integral):
        return _bounded(int(value))
    if isinstance(value, (np.float16, np.float32)):
        return _plain_float(float(str(value)))
    if isinstance(value, (float, np.floating)):
        return _plain_float(float(value))
    if isinstance(value, Decimal) and value.is_infinite():
        return float(value)
    if isinstance(value, (Decimal, Fraction)):
        # compared before it is an integer, which may have more digits than there is memory
        if not -_TOO_LARGE < value < _TOO_LARGE:
            raise _too_large()
        return int(value) if value == int(value) else _plain_float(float(value))
    raise ValueError(
        f"{shorten(value)} of type {type(value).__name__} is not a value of a pattern; use a "
        "number, a string, True, False or a date"
    )


def _bounded(value: int) -> int:
    if not -_TOO_LARGE < value < _TOO_LARGE:
        raise _too_large()
    return value


def _too_large() -> ValueError:
    return ValueError("an integer of more than 1024 bits is too large for a pattern")


def _plain_float(value: float) -> int | float:
    if math.isfinite(value) and value.is_integer() and abs(value) < _EXACT_FLOAT:
        return int(value)
    return value


def _time_text(value: Any) -> str:
    if isinstance(value, (np.timedelta64, datetime.timedelta)):
        return str(pd.Timedelta(value))
    text = pd.Timestamp(value).isoformat()
    return text.removesuffix("T00:00:00")


def group(value: Scalar) -> str:
    """Which of the three kinds a plain scalar is: bool, number or text."""
    if isinstance(value, bool):
        return "bool"
    return "text" if isinstance(value, str) else "number"


def token(value: Scalar) -> tuple[str, Scalar]:
    """A scalar with its kind, so that True and 1 differ while 1 and 1.0 agree."""
    return group(value), value


def cell_token(cell: Any) -> tuple[str, Scalar] | None:
    """The token of a table's cell, or None for a missing cell or one no pattern can name."""
    try:
        return token(canonical(cell))
    except (ValueError, TypeError, OverflowError, ArithmeticError):
        return None


def category_token(cell: Any) -> tuple[str, Scalar]:
    """The token of a cell, its `repr` standing for a value that no pattern can name."""
    return cell_token(cell) or ("text", repr(cell))


def instant(text: str) -> pd.Timestamp | None:
    """The moment an ISO 8601 text names, or None if it names none."""
    if not _ISO_START.match(text):
        return None
    try:
        try:
            moment = pd.to_datetime(text, format="ISO8601")
        except pd.errors.OutOfBoundsDatetime:
            # an ISO text, which pandas before version 3 has in nanoseconds alone there
            moment = pd.Timestamp(text)
    except (ValueError, OverflowError):
        return None
    return None if pd.isna(moment) else moment


def to_text(value: Scalar) -> str:
    """A scalar as it is written in a pattern."""
    return repr(value)


def to_json(value: Scalar) -> Any:
    """A scalar as JSON can hold it; JSON has no infinity."""
    if isinstance(value, float) and math.isinf(value):
        return {"float": repr(value)}
    return value


def from_json(value: Any) -> Any:
    """The inverse of `to_json`."""
    if isinstance(value, dict) and value in ({"float": "inf"}, {"float": "-inf"}):
        return float(value["float"])
    return canonical(value)
