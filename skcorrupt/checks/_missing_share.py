"""A check for missing values."""

from __future__ import annotations

import numpy as np

from skcorrupt.utils import Table

from ._share_check import ShareCheck


class MissingShare(ShareCheck):
    """Raise an alarm where a column of a batch has more missing values than in the reference.

    The number of missing values is compared by Fisher's exact test, one-sided, at `false_alarm`
    divided by the number of columns.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to watch; None is all.
    batch_size : int, default=1000
        Rows of a batch. Batches of other sizes have limits of their own.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause, for all columns together, over references and
        batches.

    Attributes
    ----------
    lines_ : DataFrame
        A row a column: `column` and `reference`, the share of missing values.
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    See Also
    --------
    Drift : Compares whole distributions, missing values included.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.checks import MissingShare
    >>> X = np.random.default_rng(0).normal(size=(2000, 2))
    >>> check = MissingShare(batch_size=100).fit(X)
    >>> batch = X[:100].copy()
    >>> check.passes(batch)
    True
    >>> batch[:10, 1] = np.nan
    >>> check.report(batch)
      column  reference  statistic  threshold  alarm
    0     x0        0.0        0.0       0.01  False
    1     x1        0.0        0.1       0.01   True
    """

    def _learn_column(self, table: Table, j: int) -> tuple[float, int, float]:
        count = int(np.count_nonzero(table.missing(j)))
        return count, table.n_rows, count / table.n_rows

    def _marks(self, table: Table, line: int, j: int) -> np.ndarray:
        return table.missing(j)
