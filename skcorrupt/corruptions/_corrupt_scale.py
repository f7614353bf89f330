"""Unit errors."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from skcorrupt.base import FeatureCorruption, Mechanism, Reference, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import LARGEST, Table, Target, resolve_columns
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When


class CorruptScale(FeatureCorruption):
    """Multiply numbers by a factor and add an offset, as when they are in another unit.

    Kilograms become grams by a factor of 1000, degrees Celsius become Fahrenheit by one of 1.8 and
    an offset of 32.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Numeric columns to strike; None is all of them.
    factor : float, default=1000.0
        What the values are multiplied by; not 1 without an offset.
    offset : float, default=0.0
        What is added to the products.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows.
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
    Integer columns stay integer where the results are whole and fit, else become float64.
    Missing values stay as they are, and so does the number that the error leads to itself: zero
    without an offset.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import CorruptScale
    >>> X = np.array([[1.5], [2.0]])
    >>> CorruptScale(factor=100.0, rate=1.0).fit_transform(X).ravel()
    array([150., 200.])
    >>> CorruptScale(factor=1.8, offset=32.0, rate=1.0).fit_transform(X).ravel()
    array([34.7, 35.6])
    """

    short_name = "scale"
    title = "values in wrong units"
    _draws_values = False
    _kinds = ("integer", "real")

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "factor": [NumberInterval(Real, -LARGEST, LARGEST, closed="both")],
        "offset": [NumberInterval(Real, -LARGEST, LARGEST, closed="both")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        factor: float = 1000.0,
        offset: float = 0.0,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            columns,
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )
        self.factor = factor
        self.offset = offset

    def _applicable_columns(self, table: Table) -> list[int]:
        for j in [] if self.columns is None else resolve_columns(table, self.columns):
            if table.kind(j) == "datetime":
                raise ValueError(
                    f"columns: {table.labels[j]!r} holds datetime values, which have no unit; use "
                    "CorruptDates(kind='time_zone', hours=…) to move them, or leave the column out."
                )
        return super()._applicable_columns(table)

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if self.factor == 1 and self.offset == 0:
            raise ValueError(
                "factor=1 changes nothing without an offset; pass another factor, for example "
                "1000, or an offset."
            )
        return super()._learn(table, target)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        moved = f", plus {self.offset:g}" if self.offset else ""
        return self._in_columns(f"Unit errors (times {self.factor:g}{moved})", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        values = table.values(column)
        return ~table.missing(column) & np.asarray(self._scaled(values) != values, dtype=bool)

    def _new_values(self, struck: Struck) -> Any:
        return self._scaled(struck.values)

    def _scaled(self, values: np.ndarray) -> np.ndarray:
        # what is beyond the dtype's range is infinite, as in the column itself
        with np.errstate(over="ignore", invalid="ignore"):
            number = values.dtype.type if values.dtype.kind == "f" else np.float64
            scaled: np.ndarray = values * number(self.factor)
            # adding zero would make another zero of a negative one
            return scaled + number(self.offset) if self.offset else scaled

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]]:
        return [(1.0, numbers * self.factor + self.offset)]
