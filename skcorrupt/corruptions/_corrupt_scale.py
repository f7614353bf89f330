"""Unit errors."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from skcorrupt.base import FeatureCorruption, Mechanism, Reference, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import LARGEST, Table, Target
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When


class CorruptScale(FeatureCorruption):
    """Multiply numbers by a factor, as when grams are entered for kilograms.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Numeric columns to strike; None is all of them.
    factor : float, default=1000.0
        What the values are multiplied by; not 1.
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
    Integer columns stay integer where the products are whole and fit, else become float64.
    Zeros and missing values stay as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import CorruptScale
    >>> X = np.array([[1.5], [2.0]])
    >>> CorruptScale(factor=100.0, rate=1.0).fit_transform(X).ravel()
    array([150., 200.])
    """

    short_name = "scale"
    title = "values in wrong units"
    _kinds = ("integer", "real")

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "factor": [NumberInterval(Real, -LARGEST, LARGEST, closed="both")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        factor: float = 1000.0,
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

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if self.factor == 1:
            raise ValueError("factor=1 changes nothing; pass another factor, for example 1000.")
        return super()._learn(table, target)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Unit errors", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        values = table.values(column)
        return ~table.missing(column) & np.asarray(values != 0, dtype=bool)

    def _new_values(self, struck: Struck) -> Any:
        values = struck.values
        # a product beyond the dtype's range is infinite, as in the column itself
        with np.errstate(over="ignore", invalid="ignore"):
            if values.dtype.kind == "f":
                return values * values.dtype.type(self.factor)
            return values * np.float64(self.factor)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]]:
        return [(1.0, numbers * self.factor)]
