"""Effects that are a sum of changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from skcorrupt.utils import Reader, shorten

from ..rules._numbers import ALLOWED, fits
from ..rules._people import Columns, Person
from ._effect import Effect


class LinearEffect(Effect):
    """A column changes by a sum of the changes of others, cut to whole numbers on request.

    Parameters
    ----------
    target : str
        The column that changes.
    coefficients : mapping of str to float
        Its change for one unit of each source.
    whole : bool, default=False
        Whether the sum is cut to a whole number towards 0, as when every twelve months make a
        year.
    outside : {"clip", "refuse"}, default="clip"
        What becomes of a value beyond the bounds.

    Examples
    --------
    >>> from skcorrupt.responsiveness import LinearEffect
    >>> LinearEffect("age", {"n_years": 1}, whole=True)
    LinearEffect(target='age', coefficients={'n_years': 1}, whole=True, outside='clip')
    """

    def __init__(
        self,
        target: str,
        coefficients: Mapping[str, float],
        *,
        whole: bool = False,
        outside: Literal["clip", "refuse"] = "clip",
    ) -> None:
        self.target = Reader(target, "target").text()
        self.targets = (target,)
        factors = Reader(coefficients, "coefficients").entries("a mapping of columns to numbers")
        self.coefficients = {name: factor.number() for name, factor in factors.items()}
        self.sources = tuple(self.coefficients)
        self.whole = Reader(whole, "whole").boolean()
        self.outside = outside
        numbers = self.coefficients.values()
        if not self.coefficients or target in self.coefficients or not all(map(fits, numbers)):
            raise ValueError(
                f"coefficients={shorten(coefficients)} should give a number for one or more "
                f"columns other than {target!r}, each {ALLOWED}."
            )

    def _draw(self, before: Person, after: Columns, n: int, rng: np.random.Generator) -> np.ndarray:
        total: Any = np.zeros(n)
        for name, coefficient in self.coefficients.items():
            total = total + coefficient * (after[name] - before[name])
        # a twelfth of twelve is a little less than one in floating point
        return np.trunc(total + np.sign(total) * 1e-9) if self.whole else total
