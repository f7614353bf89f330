"""How far apart numbers may be that are meant to be equal."""

from __future__ import annotations

from typing import Any

import numpy as np

ABSOLUTE = 1e-9
# sums of large numbers are rounded by more
RELATIVE = 1e-13
FEW_ULPS = 4 * np.finfo(float).eps
MOST_OF_A_STEP = 0.01


def tolerance(size: Any) -> Any:
    """What rounding may add to sums of numbers of this size."""
    return np.maximum(ABSOLUTE, RELATIVE * np.abs(size))


def step_tolerance(size: Any, step: float) -> Any:
    """The same in parts of a step."""
    return np.clip(FEW_ULPS * np.abs(size) / step, ABSOLUTE, MOST_OF_A_STEP)
