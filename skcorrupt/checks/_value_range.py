"""A check for values out of range."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels

from ._numbers import measure, numbers_of, shown, zone_of
from ._share_check import ShareCheck


class ValueRange(ShareCheck):
    """Raise an alarm where too many values of a batch are outside the range of the reference.

    The range of a column reaches from one of the smallest values of the reference to one of the
    largest. How many values of a batch are outside is then known whatever their distribution, as
    their ranks among all are random: a batch of 1,000 rows beside a reference of 20,000 has three
    or more outside the whole range four times in 10,000. The level of each column is `false_alarm`
    divided by the number of columns.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns of numbers or times to watch; None is all of them.
    coverage : float in (0, 1], default=1.0
        Share of the reference values that is inside the range, as many left out below as above.
        With 1 the range is from the least to the largest; a little less finds errors of moderate
        size in columns that have a few far values.
    batch_size : int, default=1000
        Rows of a batch. Batches of other sizes have limits of their own.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause, for all columns together, over references and
        batches.

    Attributes
    ----------
    lines_ : DataFrame
        A row a column: `column`, `reference`, the share of values outside, and `least` and
        `largest`, the ends of the range, times in their time zone. Columns without a value are
        left out.
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    Notes
    -----
    Missing values are not outside. A value that is no number, such as a text that does not read as
    one where the reference holds numbers, is, and so is any text where the reference holds times.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.checks import ValueRange
    >>> X = np.random.default_rng(0).normal(size=(2000, 1))
    >>> check = ValueRange(batch_size=100).fit(X)
    >>> check.passes(X[:100])
    True
    >>> check.passes(X[:100] * 1000)
    False
    """

    _kinds = ("integer", "real", "datetime", "timedelta")
    _parameter_constraints: dict[str, Any] = {
        **ShareCheck._parameter_constraints,
        "coverage": [NumberInterval(Real, 0, 1, closed="right")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        coverage: float = 1.0,
        batch_size: int = 1000,
        false_alarm: float = 0.01,
    ) -> None:
        super().__init__(columns, batch_size=batch_size, false_alarm=false_alarm)
        self.coverage = coverage

    def _learn(self, table: Table) -> pd.DataFrame:
        self._ranges: list[tuple[str, float, float]] = []
        lines = super()._learn(table)
        every = all(what == "number" for what, *_ in self._ranges)
        zones = [zone_of(table, j) for j in self._positions]
        for name, side in (("least", 1), ("largest", 2)):
            ends = [
                shown(each[0], each[side], zone)
                for each, zone in zip(self._ranges, zones, strict=True)
            ]
            lines[name] = pd.Series(ends, dtype=float if every else object)
        return lines

    def _learn_column(self, table: Table, j: int) -> tuple[float, int, float] | None:
        numbers, missing = numbers_of(table, j, measure(table, j))
        present = np.sort(numbers[~missing & ~np.isnan(numbers)])
        n = len(present)
        if not n:
            return None
        # the k-th from either end; for one value it is that from both
        k = min(int((1 - self.coverage) * n / 2 + 1e-9) + 1, (n + 1) // 2)
        least, largest = float(present[k - 1]), float(present[n - k])
        self._ranges.append((measure(table, j), least, largest))
        outside = np.count_nonzero((present < least) | (present > largest))
        return min(2 * k - 1, n), n, outside / table.n_rows

    def _marks(self, table: Table, line: int, j: int) -> np.ndarray:
        measured, least, largest = self._ranges[line]
        numbers, missing = numbers_of(table, j, measured)
        inside = (numbers >= least) & (numbers <= largest)
        return ~inside & ~missing
