"""Means and standard deviations that do not depend on the order in which numbers are added."""

from __future__ import annotations

import math

import numpy as np

from ._numbers import unit_of

# three times the bits that are left beside the count: more than a float holds of the sum
_PARTS = 3


def sum_in_any_order(values: np.ndarray) -> float:
    """Sum that is the same to the last bit for any order and any grouping of the numbers.

    The numbers are split into multiples of one power of two, chosen by their number and the
    largest of them such that no sum of multiples is rounded, and what is left over, which is
    split again. So parts of a table that agree on these two numbers can be added up apart.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        Finite numbers.

    Returns
    -------
    float
        The sum, at least as precise as one number after the other.
    """
    total, rest = 0.0, values
    for _ in range(_PARTS):
        top = float(np.abs(rest).max(initial=0.0))
        if top == 0:
            break
        exponent = math.frexp(top)[1] + len(rest).bit_length() - 53
        unit = math.ldexp(1.0, max(exponent, -1074))
        part = np.rint(rest / unit) * unit
        total += float(part.sum())
        rest = rest - part
    return total


def mean_and_std(values: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation (dividing by n) of the finite numbers; 0 where there are none.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        Numbers, of which those that are not finite are left out.

    Returns
    -------
    mean, std : float
        The same for any order of the numbers (see `sum_in_any_order`).
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 0.0
    unit = unit_of(finite)
    finite = finite / unit
    mean = sum_in_any_order(finite) / len(finite)
    std = math.sqrt(sum_in_any_order((finite - mean) ** 2) / len(finite))
    return mean * unit, std * unit
