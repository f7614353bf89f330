"""Numbers that users give, each kind checked by one rule."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from ._shorten import shorten

# squares and float32 copies of larger numbers can be infinite
HUGE = 1e30


def is_number(value: Any) -> bool:
    """Whether a value is a number, which truth values are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_finite_number(value: Any) -> bool:
    """Whether a value is a number that floats hold, which truth values are not."""
    try:
        return is_number(value) and math.isfinite(value)
    except OverflowError:
        return False


def checked_share(name: str, value: Any) -> float:
    """A number above 0 and below 1.

    Parameters
    ----------
    name : str
        The parameter, for the message.
    value : object
        What was given.

    Returns
    -------
    float
        The number.

    Raises
    ------
    ValueError
        If it is no such number.
    """
    if not is_number(value) or not 0 < value < 1:
        raise ValueError(f"{name}={shorten(value)} should be a number above 0 and below 1.")
    return float(value)


def checked_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number, `least` or more.

    Parameters
    ----------
    name : str
        The parameter, for the message.
    value : object
        What was given.
    least : int
        The least that is allowed.
    most : int or None, default=None
        The largest that is allowed; None is any.

    Returns
    -------
    int
        The number.

    Raises
    ------
    ValueError
        If it is no such number.
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        limit = "" if most is None else f" and at most {most:,}"
        raise ValueError(
            f"{name}={shorten(value)} should be a whole number, {least} or more{limit}."
        )
    return int(value)


def checked_numbers(name: str, values: Any) -> np.ndarray:
    """Numbers as floats, missing ones as NaN.

    Parameters
    ----------
    name : str
        The parameter, for the message.
    values : float or array-like
        What was given.

    Returns
    -------
    ndarray of float
        The numbers, in the shape they came in.

    Raises
    ------
    ValueError
        If it holds anything else, such as texts or complex numbers, or rows of unequal length.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            known = array[~pd.isna(array)]
            plain = all(isinstance(value, Real) for value in known.tolist())
            array = np.where(pd.isna(array), np.nan, array)
        else:
            plain = array.dtype.kind in "biuf" or not array.size
        if plain:
            return array.astype(float)
    except (ValueError, TypeError, OverflowError):
        pass
    raise ValueError(
        f"{name}={shorten(values)} should be a number or numbers "
        "that a float can hold, in rows of equal length; turn texts into numbers first."
    )


def unit_of(values: np.ndarray) -> float:
    """A unit in which sums of squares are finite: 1, or the size of the largest of huge numbers."""
    finite = values[np.isfinite(values)]
    top = float(abs(finite).max(initial=0.0))
    return top if top > HUGE else 1.0
