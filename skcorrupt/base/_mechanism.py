"""Smooth mechanisms: rows are struck more often where a column, or the struck value, is high."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy.special import logit
from sklearn.base import BaseEstimator

from skcorrupt.utils import Table, Target, as_table, column_keys, warn
from skcorrupt.utils._number_interval import NumberInterval

from ._driver import Driver
from ._serialise import Constructed


class Mechanism(Constructed, BaseEstimator):
    r"""Base of `MAR` and `MNAR`: the chance of an error follows a logistic model.

    The matched rows are ranked by :math:`\mathrm{logit}(u) - \mathrm{strength} \cdot s(x)` with
    uniform noise u, and the first are struck. The count stays exact, and rows struck at a lower
    rate are among those of a higher one.

    Parameters
    ----------
    strength : float, default=1.0
        Logistic coefficient for one standard deviation of s(x); 0 is completely at random,
        negative values strike low rows.

    Notes
    -----
    Values are standardised by the mean and standard deviation learned in `fit`. Of several
    columns s is the mean of the standardised values. Non-numeric columns enter by the frequency of
    their value; missing or constant values count as 0.
    """

    _form = "mechanism"
    _is_base: ClassVar[bool] = True
    _parameter_constraints: dict[str, Any] = {
        "strength": [NumberInterval(Real, None, None, closed="neither")],
    }

    def __init__(self, strength: float = 1.0) -> None:
        self.strength = strength

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def _check_params(self) -> None:
        self._validate_params()

    def _check_strikes(self, strikes: str, name: str) -> None:
        """Refuse kinds of error that there is no such mechanism for."""

    def _source(self, strikes: str, table: Table, target: Target | None) -> Table:
        """The columns that rows are ranked by are in this table."""
        return table

    def _columns(self, source: Table, hit: list[int], struck: list[int]) -> list[int]:
        """Positions in the source of what it goes by, for errors in `hit` out of `struck`."""
        raise NotImplementedError(f"{type(self).__name__} should define _columns.")

    def _learn(
        self, source: Table, hit: list[int], struck: list[int], *, named: bool
    ) -> list[Driver]:
        """What it goes by, with reference facts; a constant one that was named is cautioned of."""
        keys = column_keys(source)
        # added up in the same order wherever the columns stand
        columns = sorted(self._columns(source, hit, struck), key=keys.__getitem__)
        drivers = [Driver(source, j) for j in columns]
        constant = [source.labels[d.column] for d in drivers if d.is_constant]
        if self.strength and constant and (len(constant) == len(drivers) or named):
            rest = "" if len(constant) < len(drivers) else ", so that rows are struck at random"
            warn(
                f"mechanism={self!r}: {', '.join(map(repr, constant[:10]))} holds no two different "
                f"values that the mechanism could go by{rest}. Name other columns, or use "
                "mechanism=None."
            )
        return drivers

    def _ranked(self, u: np.ndarray, source: Table, drivers: Sequence[Driver]) -> np.ndarray:
        """Scores of the rows by noise and drivers; the smallest are struck."""
        # np.mean would add up in an order that depends on the number of rows
        s = sum(driver.standardised(source) for driver in drivers) / len(drivers)
        # a noise value of exactly 0 comes first
        with np.errstate(divide="ignore"):
            return logit(u) - self.strength * s


def labels_as_table(target: Target) -> Table:
    """The labels as a table of one column y."""
    return as_table(pd.DataFrame({"y": target.values}))
