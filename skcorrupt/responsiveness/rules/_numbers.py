"""How large numbers of rules may be, and how far apart those that are meant to be equal."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

TINY = 1e-100
HUGE = 1e100
ALLOWED = f"0 or between {TINY:g} and {HUGE:g} in size"

ABSOLUTE = 1e-9
# sums of large numbers are rounded by more
RELATIVE = 1e-13
FEW_ULPS = 4 * np.finfo(float).eps
MOST_OF_A_STEP = 0.01


def fits(value: Any, smallest: float = TINY) -> bool:
    """Whether a number is 0, or of a size that sums and products of such numbers can hold."""
    if not isinstance(value, (Real, np.number)):
        return False
    try:
        return value == 0 or bool(smallest <= abs(float(value)) <= HUGE)
    except OverflowError:
        return False


def tolerance(size: Any) -> Any:
    """What rounding may add to sums of numbers of this size."""
    return np.maximum(ABSOLUTE, RELATIVE * np.abs(size))


def step_tolerance(size: Any, step: float) -> Any:
    """The same in parts of a step."""
    return np.clip(FEW_ULPS * np.abs(size) / step, ABSOLUTE, MOST_OF_A_STEP)
