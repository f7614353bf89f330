"""Outliers."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import LARGEST, Table
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._facts import learn_categories, learn_scale, shifted, unseen_value


class CorruptOutliers(FeatureCorruption):
    """Move numbers and times far off, put an unseen value in text columns.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all but boolean ones.
    magnitude : float, default=5.0
        Distance from the present value, up or down with equal probability, in standard
        deviations of the column learned in `fit`.
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
    Integer columns become float64 unless the moved values are whole. Missing numbers
    and times stay missing; missing texts become the unseen value as others do.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import CorruptOutliers
    >>> X = np.array([[-1.0], [1.0], [-1.0], [1.0]])
    >>> np.abs(CorruptOutliers(rate=1.0, random_state=0).fit_transform(X) - X).ravel()
    array([5., 5., 5., 5.])
    """

    short_name = "outliers"
    title = "outliers"
    _reckons = True
    _draws_values = True
    _kinds = ("integer", "real", "datetime", "timedelta", "text")

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "magnitude": [NumberInterval(Real, 0, LARGEST, closed="right")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        magnitude: float = 5.0,
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
        self.magnitude = magnitude

    def _learn_column(self, table: Table, j: int) -> Any:
        return learn_categories(table, j) if table.kind(j) == "text" else learn_scale(table, j)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Outliers", columns)

    def _from_own_row(self, kind: str) -> bool:
        return kind != "text"

    def _new_values(self, struck: Struck) -> Any:
        if not hasattr(struck.facts, "std"):
            return unseen_value(struck)
        side = np.where(struck.draws.uniform() < 0.5, -1.0, 1.0)
        return shifted(struck.values, side, self.magnitude * struck.facts.std)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]] | Literal["unseen"]:
        if kind == "text":
            return "unseen"
        far = self.magnitude * std
        return [(0.5, numbers - far), (0.5, numbers + far)]
