"""A check of the number of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import poisson
from sklearn.utils.validation import check_is_fitted, validate_data

from skcorrupt.utils import Table, as_table
from skcorrupt.utils._typing import TableLike

from ._base_check import BaseCheck
from ._check_part import CheckPart


class RowCount(BaseCheck):
    """Raise an alarm where a batch has many more or fewer rows than `batch_size`.

    Rows that arrive independently of one another make numbers that follow a Poisson distribution
    with a mean of `batch_size`. Limits are its quantiles at half of `false_alarm`: from 919 to
    1,082 rows for 1,000. A reference, which is one table, does not tell how batches vary, so that
    `fit` learns the columns only. An empty batch is one of 0 rows.

    Parameters
    ----------
    batch_size : int, default=1000
        Rows that a batch should have.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause.

    Attributes
    ----------
    lines_ : DataFrame
        One row: `column`, which is "(rows)", and `reference`, the `batch_size`.
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    See Also
    --------
    SegmentShare : Notices rows that are lost from one part of the data.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.checks import RowCount
    >>> X = np.zeros((500, 2))
    >>> check = RowCount(batch_size=100).fit(X)
    >>> check.passes(X[:90])
    True
    >>> check.passes(X[:50])
    False
    """

    _learns = False
    _is_of_any_size = False

    def _learn(self, table: Table) -> pd.DataFrame:
        return pd.DataFrame({"column": ["(rows)"], "reference": [float(self.batch_size)]})

    def _batch(self, X: TableLike) -> Table:
        check_is_fitted(self)
        table = as_table(X) if hasattr(X, "shape") else None
        if table is None or table.n_rows:
            return super()._batch(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return table

    def _parts(self) -> list[CheckPart]:
        return [CheckPart((), self._encoded, self._statistics, True)]

    def _encoded(self, table: Table) -> None:
        return None

    def _statistics(self, encoded: None, rows: np.ndarray) -> np.ndarray:
        return np.full((len(rows), 1), float(rows.shape[1]))

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        ends = poisson.ppf([self.false_alarm / 2, 1 - self.false_alarm / 2], self.batch_size)
        return ends[:1], ends[1:]
