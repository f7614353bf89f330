"""How large numbers may be that are multiplied and added up."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

SMALLEST = 1e-100
LARGEST = 1e100
ALLOWED = f"0 or between {SMALLEST:g} and {LARGEST:g} in size"


def fits(value: Any, smallest: float = SMALLEST) -> bool:
    """Whether a number is 0, or of a size that sums and products of such numbers can hold."""
    if not isinstance(value, (Real, np.number)):
        return False
    try:
        return value == 0 or bool(smallest <= abs(float(value)) <= LARGEST)
    except OverflowError:
        return False
