"""Measurement noise."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import LARGEST, Table
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._facts import learn_categories, learn_scale, other_category, shifted

# cases that stand for all that noise can be
SLICES = 6


class CorruptNoise(FeatureCorruption):
    """Add normal noise to numbers and times, put another category in other columns.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all.
    scale : float, default=1.0
        Standard deviation of the noise, in standard deviations of the column learned in `fit`.
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
    Integer columns become float64. Missing cells stay missing. On text, categories and booleans
    each struck cell gets another of the values that the column holds, uniformly.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptNoise
    >>> X = pd.DataFrame({"age": [25.0, 32.0, 47.0, 51.0], "sex": ["f", "m", "f", "m"]})
    >>> dirty = CorruptNoise("age", scale=0.5, rate=0.5, random_state=0).fit_transform(X)
    >>> int((dirty["age"] != X["age"]).sum())
    2
    """

    short_name = "noise"
    title = "noise in values"
    _reckons = True
    _draws_values = True
    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "scale": [NumberInterval(Real, 0, LARGEST, closed="right")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        scale: float = 1.0,
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
        self.scale = scale

    def _learn_column(self, table: Table, j: int) -> Any:
        categorical = table.kind(j) in ("bool", "text")
        return learn_categories(table, j) if categorical else learn_scale(table, j)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Noise", columns)

    def _from_own_row(self, kind: str) -> bool:
        return kind not in ("bool", "text")

    def _new_values(self, struck: Struck) -> Any:
        if hasattr(struck.facts, "std"):
            return shifted(struck.values, struck.draws.normal(), self.scale * struck.facts.std)
        return other_category(struck)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]] | Literal["another"]:
        if kind in ("bool", "text"):
            return "another"
        # middles of slices of a normal distribution, of which none leaves a value where it was
        at = ndtri((np.arange(SLICES) + 0.5) / SLICES)
        at /= at.std()
        return [(1 / SLICES, numbers + x * self.scale * std) for x in at]
