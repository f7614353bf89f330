"""Columns that smooth mechanisms depend on."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils import Moments, Table
from skcorrupt.utils._columns import hashable

from ._struck import strange_times


class Driver:
    """A column that a smooth mechanism depends on, with its mean and scale from `fit`."""

    def __init__(self, table: Table, column: int) -> None:
        self.column = column
        self.frequencies: pd.Series | None = None
        if table.kind(column) in ("bool", "integer", "real", "datetime", "timedelta"):
            try:
                moments = table.moments(column)
            except TypeError:
                raise ValueError(strange_times(table.labels[column])) from None
        else:
            counts = table.counts(column)
            self.frequencies = counts / counts.sum()
            moments = Moments()
            for frequency, count in zip(self.frequencies, counts, strict=True):
                moments.add_times(frequency, int(count))
        self.unit = moments.unit
        mean, std = moments.mean_and_std()
        self.mean, self.std = mean / self.unit, std / self.unit

    def _numbers(self, table: Table) -> np.ndarray:
        if self.frequencies is None:
            return table.numbers(self.column)
        texts = pd.Series(table.values(self.column), dtype=object).map(hashable)
        numbers = texts.map(self.frequencies).to_numpy(dtype=float, copy=True)
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
