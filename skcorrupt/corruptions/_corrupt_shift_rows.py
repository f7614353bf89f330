"""Columns that are shifted against the rest."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from skcorrupt.base import FeatureCorruption, Mechanism, Reference, Struck
from skcorrupt.base._struck import same_cells
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Table, Target
from skcorrupt.utils._compat import Interval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._row_order import AlongRows


class CorruptShiftRows(AlongRows):
    """Take values from some rows before, as when columns are joined out of line.

    A struck cell takes the value that stands `offset` rows before it in its group in clean data,
    whether that row is struck or not.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all but those of `order` and `group`.
    offset : int, default=1
        How many rows before a struck one the value stands; below zero, after it.
    order : label or None, default=None
        Column by whose values rows follow one another, such as a time; equal ones as they stand.
        None is the order in which rows stand.
    group : label, list of labels or None, default=None
        Columns within whose values the order starts anew, such as a device; None is one group.
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
    when : {"fit"}, default="fit"
        Corrupt in `fit_transform` only. "always" is refused, as values come from other rows.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed; `record_.to_frame()` tells which row supplied each
        value.

    See Also
    --------
    CorruptStuck : The last value repeats over all struck rows.

    Notes
    -----
    Gaps are shifted like values: a cell becomes missing where the one before is, and a gap is
    filled where it is not. Rows are not matched where there is no such row in their group, where
    it holds the same value, and where `order` or `group` is missing. In a process, rows that
    another member drops supply values, too.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptShiftRows
    >>> X = pd.DataFrame({"day": [3, 1, 2], "sales": [30, 10, 20]})
    >>> corruption = CorruptShiftRows("sales", order="day", rate=1.0)
    >>> corruption.fit_transform(X)["sales"].tolist()
    [20, 10, 10]
    >>> corruption.record_.to_frame()[["source", "supplier"]].values.tolist()
    [[0, 2], [2, 1]]
    """

    short_name = "shift"
    title = "values of other rows"
    _reads = "rows"
    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "offset": [Interval(Integral, None, None, closed="neither")],
        "order": "no_validation",
        "group": "no_validation",
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        offset: int = 1,
        order: Hashable | None = None,
        group: ColumnLabels | None = None,
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
        self.offset = offset
        self.order = order
        self.group = group

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if self.offset == 0:
            raise ValueError(
                "offset=0 leaves values where they are; pass another number of rows, such as 1, or "
                "-1 for the row after."
            )
        return super()._learn(table, target)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Values of other rows", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        sources = self._order(table).before(self.offset)
        able = sources >= 0
        rows = np.flatnonzero(able)
        able[rows] = ~same_cells(table, column, rows, column, sources[rows])
        return able

    def _new_values(self, struck: Struck) -> Any:
        sources = self._order(struck.table).before(self.offset)[struck.rows]
        return struck.taken(np.where(sources >= 0, sources, struck.rows))
