"""Numbers rounded to multiples of a step, and a step for numbers of some spread."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from skcorrupt.utils import LARGEST

Direction: TypeAlias = Literal["nearest", "down", "up"]

_MANTISSAS = (1.0, 2.0, 5.0)
# units in the last place of a quotient, within which it is a whole number
_MOST_OFF = 8
# floats have no digits after the point from here on
_WHOLE_FROM = 2.0**52
_LEAST = 1e-300
# steps that are tried until one changes a value
_MOST_STEPS = 40


def rounded(values: np.ndarray, step: float, direction: Direction = "nearest") -> np.ndarray:
    """Numbers at the nearest multiple of a step, halves rounded up, or at the next.

    Parameters
    ----------
    values : ndarray of numbers, shape (n,)
        Those that are missing or infinite stay.
    step : float
        Above 0.
    direction : {"nearest", "down", "up"}, default="nearest"
        Which multiple; one that is there already stays.

    Returns
    -------
    ndarray, shape (n,)
        Integers at whole steps as integers, floats in their dtype.
    """
    if values.dtype.kind in "iuO" and float(step).is_integer():
        return _rounded_whole(values, int(step), direction)
    numbers = values.astype(float)
    inverse = 1 / step
    # tenths are no floats, but a quotient is the nearest float to them
    by = float(round(inverse)) if inverse < _WHOLE_FROM else inverse
    divided = step < 1 and math.isclose(by, inverse, rel_tol=1e-9) and math.isfinite(by)
    with np.errstate(over="ignore", invalid="ignore"):
        counts = numbers * by if divided else numbers / step
        nearest = np.floor(counts + 0.5)
        if direction != "nearest":
            # a multiple may be a little off as a float
            unit = np.finfo(values.dtype if values.dtype.kind == "f" else float).eps
            away = np.abs(counts - nearest) > _MOST_OFF * unit * np.maximum(np.abs(counts), 1.0)
            nearest = np.where(away, _NEXT[direction](counts), nearest)
        multiples = nearest / by if divided else nearest * step
        new = np.where(np.abs(counts) < _WHOLE_FROM, multiples, numbers)
        return new.astype(values.dtype) if values.dtype.kind == "f" else new


_NEXT = {"down": np.floor, "up": np.ceil}


def _rounded_whole(values: np.ndarray, step: int, direction: Direction) -> np.ndarray:
    limits = np.iinfo(np.int64)
    numbers = values
    if values.dtype.kind != "O":
        low, high = int(values.min(initial=0)), int(values.max(initial=0))
        if low - step < limits.min or high + step > limits.max:
            return _rounded_at_limits(values, step, direction)
        numbers = values.astype(np.int64)
    rest = numbers % step
    if direction == "nearest":
        up = np.asarray(rest >= step - rest, dtype=bool)
    else:
        up = np.asarray(rest > 0, dtype=bool) & (direction == "up")
    return numbers - rest + np.array([0, step], dtype=numbers.dtype)[up.astype(np.intp)]


def _rounded_at_limits(values: np.ndarray, step: int, direction: Direction) -> np.ndarray:
    """Integers that have to go the other way, or stay, where their dtype ends."""
    limits, new = np.iinfo(values.dtype), []
    for value in values.tolist():
        down = value - value % step
        near = [down + step, down] if value % step * 2 >= step else [down, down + step]
        if direction != "nearest":
            up = direction == "up" and value % step > 0
            near = [down + step if up else down]
        fitting = (each for each in near if limits.min <= each <= limits.max)
        new.append(next(fitting, value))
    return np.array(new, dtype=values.dtype)


def learned_step(values: np.ndarray, std: float) -> float:
    """Of 1, 2 and 5 times powers of ten the largest up to half a spread that changes a value.

    Parameters
    ----------
    values : ndarray of numbers, shape (n,)
        A column.
    std : float
        Its standard deviation.

    Returns
    -------
    float
        Where the largest changes none, the next that does.
    """
    numbers = values.astype(float)
    known = numbers[np.isfinite(numbers)]
    most = float(np.abs(known).max(initial=0.0))
    spread = std / 2 if std > 0 and math.isfinite(std) else most / 2
    if not _LEAST <= spread <= LARGEST:
        return 1.0
    exponent = math.floor(math.log10(spread))
    step = 1.0
    for i in range(_MOST_STEPS):
        step = float(f"{_MANTISSAS[i % 3]:g}e{exponent + i // 3}")
        following = float(f"{_MANTISSAS[(i + 1) % 3]:g}e{exponent + (i + 1) // 3}")
        if following > spread and np.any(rounded(known, step) != known):
            break
        if following > LARGEST:
            break
    return step
