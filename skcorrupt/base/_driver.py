"""Columns that smooth mechanisms depend on."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, as_floats, mean_and_std, unit_of
from skcorrupt.utils._hashing import hashable

from ._struck import strange_times


class Driver:
    """A column that a smooth mechanism depends on, with its mean and scale from `fit`."""

    def __init__(self, table: Table, column: int) -> None:
        self.column = column
        self.frequencies: pd.Series | None = None
        if table.kind(column) not in ("bool", "integer", "real", "datetime", "timedelta"):
            texts = pd.Series(table.values(column), dtype=object).map(hashable)
            self.frequencies = texts.value_counts(normalize=True)
        values = self._numbers(table)
        self.unit = unit_of(values)
        self.mean, self.std = mean_and_std(values / self.unit)

    def _numbers(self, table: Table) -> np.ndarray:
        values = table.values(self.column)
        if self.frequencies is not None:
            texts = pd.Series(values, dtype=object).map(hashable)
            numbers = texts.map(self.frequencies).to_numpy(dtype=float, copy=True)
        elif values.dtype.kind in "mM":
            numbers = as_floats(values)
        else:
            try:
                numbers = pd.Series(values).to_numpy(dtype=float, na_value=np.nan, copy=True)
            except TypeError:
                raise ValueError(strange_times(table.labels[self.column])) from None
        numbers[table.missing(self.column)] = np.nan
        return numbers

    @property
    def is_constant(self) -> bool:
        """Whether the column tells no rows apart."""
        # a scale lost in rounding is none
        return self.std <= 1e-12 * max(1.0, abs(self.mean))

    def standardised(self, table: Table, absent: float = 0.0) -> np.ndarray:
        """The column in fitted standard deviations; `absent` where missing or infinite."""
        if self.is_constant:
            return np.zeros(table.n_rows)
        numbers = self._numbers(table) / self.unit
        return np.where(np.isfinite(numbers), (numbers - self.mean) / self.std, absent)
