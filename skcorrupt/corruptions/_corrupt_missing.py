"""Missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcorrupt.base import (
    FeatureCorruption,
    Mechanism,
    Struck,
)
from skcorrupt.base._strikes_outside import OUTSIDE_RATIO, StrikesOutside
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import MISSING, Table
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When


class CorruptMissing(StrikesOutside, FeatureCorruption):
    """Erase values (example 1 of [1]_).

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns that lose values; None is all.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    outside_ratio : float in [0, 1], default=0.0
        Rate in the rows that the pattern does not match, as a ratio to `rate`: what is lost
        elsewhere. Needs a pattern; 0 is the rule that only matched rows are struck.
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
    Columns that cannot hold a missing value change to the nearest dtype that can: integers to
    float64, bool to object.

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

    short_name = "missing"
    title = "values that get lost"
    _draws_values = False
    _erases = True
    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        **OUTSIDE_RATIO,
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        outside_ratio: float = 0.0,
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
        self.outside_ratio = outside_ratio

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return " ".join(["Losing", ", ".join(f"`{column}`" for column in columns)]).strip()

    def _new_values(self, struck: Struck) -> Any:
        return MISSING

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        return ~table.missing(column)

    def _simulated_as(self, *, classifier: bool) -> str | None:
        plain = self.mechanism is None and self.same_rows and not self.outside_ratio
        return "missing" if plain and self.sampling == "uniform" else None
