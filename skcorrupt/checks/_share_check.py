"""Checks of the share of rows that have something."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import pandas as pd

from skcorrupt.stats._batch_limits import most_in_batch
from skcorrupt.utils import Table

from ._column_check import ColumnCheck


class ShareCheck(ColumnCheck):
    """Base of checks that mark rows, and raise an alarm where too many of a batch are marked.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to watch; None is all that the check is for.
    batch_size : int, default=1000
        Rows of a batch.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause.
    """

    def _learn(self, table: Table) -> pd.DataFrame:
        self._positions: list[int] = []
        lines, counts, sizes = [], [], []
        for j in self._watched(table):
            learned = self._learn_column(table, j)
            if learned is not None:
                self._positions.append(j)
                count, size, share = learned
                counts.append(count)
                sizes.append(size)
                lines.append((table.labels[j], share))
        self._counts, self._sizes = np.array(counts, dtype=float), np.array(sizes, dtype=float)
        columns = [label for label, _ in lines]
        shares = np.array([share for _, share in lines], dtype=float)
        return pd.DataFrame({"column": pd.Series(columns, dtype=object), "reference": shares})

    @abstractmethod
    def _learn_column(self, table: Table, j: int) -> tuple[float, int, float] | None:
        """Marked rows, rows and share of a column of the reference; None leaves it out.

        The share is the one to show; a batch has as many marked rows as if it came from where so
        many of so many rows are marked.
        """

    @abstractmethod
    def _marks(self, table: Table, line: int, j: int) -> np.ndarray:
        """Which rows are marked in a column."""

    def _encoded(self, table: Table) -> list[np.ndarray]:
        return [self._marks(table, line, j) for line, j in enumerate(self._positions)]

    def _statistics(self, encoded: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        shares = np.zeros((len(rows), len(encoded)))
        for line, marks in enumerate(encoded):
            # most columns have no marked rows at all
            if marks.any():
                shares[:, line] = np.count_nonzero(marks[rows], axis=1) / rows.shape[1]
        return shares

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        most = most_in_batch(self._counts, self._sizes, n_rows, self._level())
        return np.full(len(most), -np.inf), most / n_rows
