"""A check for distributions that changed."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table

from ._category_drift import CategoryDrift
from ._check_part import CheckPart
from ._column_check import ColumnCheck
from ._number_drift import NumberDrift


class Drift(ColumnCheck):
    """Raise an alarm where the distribution of a column is not that of the reference.

    Numbers and times are compared by the Kolmogorov-Smirnov distance, with limits that hold for all
    distributions, ties included [1]_. Texts, categories and truth values are compared by the
    chi-square statistic of two samples, of which the limits come from drawing batches from the
    reference, always the same ones. The level of each column is `false_alarm` divided by the number
    of columns.

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
        A row a column: `column` and `test`, "ks" or "chi2".
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    Notes
    -----
    Missing values are values like others: below all numbers, and a category of their own. What is
    no number where the reference holds numbers is above all of them. Categories of which a batch
    should hold fewer than five are one, together with those that the reference does not hold;
    `KnownCategories` looks at the latter. A column in which all categories are so rare is not
    compared.

    References
    ----------
    .. [1] Wei and Dudley, "Two-sample Dvoretzky-Kiefer-Wolfowitz inequalities", Statistics and
       Probability Letters 82 (2012).

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.checks import Drift
    >>> X = np.random.default_rng(0).normal(size=(20_000, 1))
    >>> check = Drift().fit(X)
    >>> check.passes(X[:1000])
    True
    >>> check.report(X[:1000] + 0.5)[["column", "test", "alarm"]]
      column test  alarm
    0     x0   ks   True
    """

    def _learn(self, table: Table) -> pd.DataFrame:
        self._drifts: list[NumberDrift | CategoryDrift] = []
        names, tests = [], []
        for j in self._watched(table):
            categories = table.kind(j) in ("text", "bool")
            drift: Any = CategoryDrift if categories else NumberDrift
            self._drifts.append(drift(table, j, self.batch_size))
            names.append(table.labels[j])
            tests.append("chi2" if categories else "ks")
        return pd.DataFrame({"column": pd.Series(names, dtype=object), "test": tests})

    def _parts(self) -> list[CheckPart]:
        return [
            CheckPart(
                (each.column,), each.encoded, partial(_of_one, each), isinstance(each, NumberDrift)
            )
            for each in self._drifts
        ]

    def _encoded(self, table: Table) -> list[np.ndarray]:
        return [each.encoded(table) for each in self._drifts]

    def _statistics(self, encoded: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        found = np.zeros((len(rows), len(encoded)))
        for line, (each, codes) in enumerate(zip(self._drifts, encoded, strict=True)):
            found[:, line] = each.statistics(codes, rows)
        return found

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        most = np.array([each.limit(n_rows, self._level()) for each in self._drifts], dtype=float)
        return np.full(len(most), -np.inf), most


def _of_one(drift: NumberDrift | CategoryDrift, codes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The distances of one column, of shape (n_batches, 1)."""
    return drift.statistics(codes, rows)[:, None]
