"""Means and standard deviations that do not depend on the order in which numbers are added."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ._numbers import HUGE

# the whole part of a float has 53 bits; it is cut into limbs of 18 bits, the highest with the sign,
# of whose products so many can be added up as floats without rounding
_LIMB = 18
_ROWS = 2**15
# every float is a whole multiple of this power of two, whichever way its whole part is written
_LOWEST = -1126
_UNIT = Fraction(1, 2**-_LOWEST)
# bits of a root, more than a float has
_ROOT_BITS = 128

_Limbs = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
_SQUARES: tuple[_Limbs, ...] = (
    lambda a, b, c: c * c,
    lambda a, b, c: 2 * b * c,
    lambda a, b, c: b * b + 2 * a * c,
    lambda a, b, c: 2 * a * b,
    lambda a, b, c: a * a,
)


class Moments:
    """Number, sum and sum of squares of finite numbers, without any rounding.

    So they are the same for any order and any grouping of the numbers, and parts of a table can be
    added up apart.
    """

    def __init__(self) -> None:
        self.count = 0
        self.largest = 0.0
        # in units of `_LOWEST`, and of its square
        self._sum = 0
        self._squares = 0

    def add(self, values: np.ndarray) -> Moments:
        """Add numbers, leaving out those not finite."""
        values = values[np.isfinite(values)].astype(float, copy=False)
        self.count += len(values)
        self.largest = max(self.largest, float(np.abs(values).max(initial=0.0)))
        for start in range(0, len(values), _ROWS):
            self._add(values[start : start + _ROWS])
        return self

    def add_times(self, value: float, times: int) -> None:
        """Add one finite number many times."""
        whole = int(Fraction(value) / _UNIT)
        self.count += times
        self.largest = max(self.largest, abs(value))
        self._sum += times * whole
        self._squares += times * whole**2

    def merge(self, other: Moments) -> None:
        """Add the numbers that another one was given."""
        self.count += other.count
        self.largest = max(self.largest, other.largest)
        self._sum += other._sum
        self._squares += other._squares

    def _add(self, values: np.ndarray) -> None:
        fractions, exponents = np.frexp(values)
        least = int(exponents.min())
        places = exponents - least
        shift = least - 53 - _LOWEST
        whole = np.ldexp(fractions, 53).astype(np.int64)
        mask = (1 << _LIMB) - 1
        limbs = whole & mask, (whole >> _LIMB) & mask, whole >> 2 * _LIMB
        c, b, a = (limb.astype(float) for limb in limbs)
        for i, limb in enumerate((c, b, a)):
            self._sum += _total(places, limb, 1) << (shift + i * _LIMB)
        for i, product in enumerate(_SQUARES):
            self._squares += _total(places, product(a, b, c), 2) << (2 * shift + i * _LIMB)

    @property
    def unit(self) -> float:
        """A unit in which squares are finite: 1, or the size of the largest of huge numbers."""
        return self.largest if self.largest > HUGE else 1.0

    def sum(self) -> float:
        """The sum, rounded once."""
        return float(self._sum * _UNIT)

    def mean_and_std(self) -> tuple[float, float]:
        """Mean and standard deviation (dividing by n); 0 where there are no numbers."""
        if not self.count:
            return 0.0, 0.0
        mean = Fraction(self._sum, self.count) * _UNIT
        top, bottom = self._squares * self.count - self._sum**2, self.count**2
        shift = max(0, _ROOT_BITS + bottom.bit_length() - top.bit_length() // 2)
        root = math.isqrt((top << 2 * shift) // bottom)
        return float(mean), float(Fraction(root, 1 << shift) * _UNIT)


def _total(places: np.ndarray, wholes: np.ndarray, power: int) -> int:
    """Sum of whole numbers, each times two to the `power` times its place."""
    sums = np.bincount(places, weights=wholes)
    found = np.flatnonzero(sums)
    return sum(int(sums[place]) << power * int(place) for place in found)


def sum_in_any_order(values: np.ndarray) -> float:
    """Sum that is the same to the last bit for any order and any grouping of the numbers.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        Finite numbers.

    Returns
    -------
    float
        The sum, rounded once.
    """
    return Moments().add(values).sum()


def mean_and_std(values: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation (dividing by n) of the finite numbers; 0 where there are none.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        Numbers, of which those that are not finite are left out.

    Returns
    -------
    mean, std : float
        The same for any order of the numbers, and for any grouping of them (see `Moments`).
    """
    return Moments().add(values).mean_and_std()
