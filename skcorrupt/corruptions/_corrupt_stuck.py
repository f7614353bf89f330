"""Values that repeat."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Table
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._row_order import AlongRows, column_codes


class CorruptStuck(AlongRows):
    """Repeat the last value, as a sensor that is stuck or a form that is filled in from above.

    A struck cell takes its value from the last row before it, in its group, that is not struck
    and holds a value. Of rows that are struck one after the other all repeat the same value.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all but those of `order` and `group`.
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
    CorruptShiftRows : Values from a number of rows before, whatever is struck there.

    Notes
    -----
    What is missing already stays missing, and no gap is repeated: the value is the last one that
    is there. Rows are not matched where no row before them in their group holds another value,
    such as the first of a group, and where `order` or `group` is missing; these supply nothing. A
    struck cell keeps its value if the row that supplies it happens to hold the same. The rows that
    are struck at a lower rate are struck at a higher one too, where they may repeat an older value.
    In a process, rows that another member drops supply values, too.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptStuck
    >>> X = pd.DataFrame({"device": list("aabb"), "level": [1.0, 2.0, 3.0, 4.0]})
    >>> corruption = CorruptStuck("level", group="device", rate=1.0)
    >>> corruption.fit_transform(X)["level"].tolist()
    [1.0, 1.0, 3.0, 3.0]
    >>> corruption.record_.to_frame()[["source", "supplier"]].values.tolist()
    [[1, 0], [3, 2]]
    """

    short_name = "stuck"
    title = "values that repeat"
    _reads = "spared"
    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "order": "no_validation",
        "group": "no_validation",
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
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
        self.order = order
        self.group = group

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Repeating the last value", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        order, codes = self._order(table), column_codes(table, column)
        present = codes >= 0
        before = order.last(present)
        differs = present & (before >= 0) & (codes != codes[before])
        # where two rows before differ from one another, one of them differs from this one
        return differs | (present & (order.last(differs) >= 0))

    def _new_values(self, struck: Struck) -> Any:
        present = ~struck.table.missing(struck.column)
        spared = present.copy()
        spared[struck.rows] = False
        sources = self._order(struck.table).last(spared)[struck.rows]
        changes = present[struck.rows] & (sources >= 0)
        return struck.taken(np.where(changes, sources, struck.rows))
