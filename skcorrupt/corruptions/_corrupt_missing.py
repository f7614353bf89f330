"""Missing values."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logit

from skcorrupt.base import FeatureCorruption, Struck
from skcorrupt.utils import MISSING, Table, resolve_columns
from skcorrupt.utils._compat import Interval, StrOptions


class CorruptMissing(FeatureCorruption):
    r"""Erase values.

    Rows are struck completely at random, or more often where a column is high:
    with `mechanism="mar"` or `"mnar"` the matched rows are ranked by
    :math:`\mathrm{logit}(u) - \mathrm{strength} \cdot s(x)` with uniform noise u, so that the
    probability of a missing value follows a logistic model with that coefficient while the count
    stays exact (definition 2 and example 1 of [1]_ with a smooth mechanism).

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns that lose values; None is all.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    mechanism : {"mcar", "mar", "mnar"}, default="mcar"
        What the probability depends on: nothing, other columns, or the erased column itself.
    mechanism_columns : label, list of labels or None, default=None
        With `mechanism="mar"`, the columns it depends on; None is all columns not in `columns`.
    strength : float, default=1.0
        Logistic coefficient for one standard deviation of s(x); 0 is completely at random,
        negative values erase low cells.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows; then s is the mean of their
        standardised values.
    when : {"fit", "always"}, default="fit"
        Corrupt in `fit_transform` only, or in every `transform`.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed.

    Notes
    -----
    Columns that cannot hold a missing value change to the nearest dtype that can: integers to
    float64, bool to object. Non-numeric columns enter a mechanism by the frequency of their
    value; missing or constant values count as 0.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptMissing
    >>> X = pd.DataFrame({"age": [25, 32, 47, 51], "sex": ["f", "m", "f", "m"]})
    >>> CorruptMissing("age", pattern="sex == 'f'", rate=1.0).fit_transform(X)
        age sex
    0   NaN   f
    1  32.0   m
    2   NaN   f
    3  51.0   m
    """

    _ordered = False
    _parameter_constraints: dict = {
        **FeatureCorruption._parameter_constraints,
        "mechanism": [StrOptions({"mcar", "mar", "mnar"})],
        "mechanism_columns": "no_validation",
        "strength": [Interval(Real, None, None, closed="neither")],
    }

    def __init__(
        self,
        columns=None,
        *,
        pattern=None,
        rate=None,
        sampling="uniform",
        mechanism="mcar",
        mechanism_columns=None,
        strength=1.0,
        same_rows=True,
        when="fit",
        random_state=None,
    ):
        super().__init__(
            columns,
            pattern=pattern,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )
        self.mechanism = mechanism
        self.mechanism_columns = mechanism_columns
        self.strength = strength

    def _new_values(self, struck: Struck) -> Any:
        return MISSING

    def _learn_scores(self, table: Table, columns: list[int]) -> Any:
        if self.mechanism_columns is not None and self.mechanism != "mar":
            raise ValueError(
                f"mechanism_columns={self.mechanism_columns!r} has no effect with "
                f"mechanism={self.mechanism!r}; use mechanism='mar'."
            )
        if self.mechanism == "mcar" or not columns:
            return None
        drivers = columns
        if self.mechanism == "mar":
            if self.mechanism_columns is not None:
                drivers = resolve_columns(
                    table, self.mechanism_columns, parameter="mechanism_columns"
                )
            else:
                hit = columns if self.columns is None else resolve_columns(table, self.columns)
                drivers = [j for j in range(table.n_columns) if j not in hit]
            if not drivers:
                raise ValueError(
                    "mechanism='mar' needs columns that stay: name some in mechanism_columns, or "
                    "leave some out of columns."
                )
        return [_Driver(table, j) for j in drivers]

    def _scores(self, u, table, columns, reference, group):
        drivers = reference.extra["scores"][group]
        if drivers is None:
            return u
        # np.mean would add up in an order that depends on the number of rows
        s = sum(driver.standardised(table) for driver in drivers) / len(drivers)
        return logit(u) - self.strength * s


class _Driver:
    """A column that a smooth mechanism depends on, with its mean and scale from `fit`."""

    def __init__(self, table: Table, column: int):
        self.column = column
        self.frequencies: pd.Series | None = None
        if table.kind(column) not in ("bool", "integer", "real", "datetime", "timedelta"):
            texts = pd.Series(table.values(column), dtype=object).map(_key)
            self.frequencies = texts.value_counts(normalize=True)
        values = self._numbers(table)
        finite = values[np.isfinite(values)]
        self.mean = float(finite.mean()) if len(finite) else 0.0
        self.std = float(finite.std()) if len(finite) else 0.0

    def _numbers(self, table: Table) -> np.ndarray:
        values = table.values(self.column)
        if self.frequencies is not None:
            texts = pd.Series(values, dtype=object).map(_key)
            numbers = texts.map(self.frequencies).to_numpy(dtype=float, copy=True)
        elif values.dtype.kind in "mM":
            numbers = values.astype(f"{values.dtype.kind}8[ns]").astype(np.int64).astype(float)
        else:
            numbers = pd.Series(values).to_numpy(dtype=float, na_value=np.nan, copy=True)
        numbers[table.missing(self.column)] = np.nan
        return numbers

    def standardised(self, table: Table) -> np.ndarray:
        """The column in fitted standard deviations; 0 where missing, infinite or constant."""
        numbers = self._numbers(table)
        # a scale lost in rounding is a constant column
        if self.std <= 1e-12 * max(1.0, abs(self.mean)):
            return np.zeros(table.n_rows)
        return np.where(np.isfinite(numbers), (numbers - self.mean) / self.std, 0.0)


def _key(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value
