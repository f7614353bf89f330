"""Checks of the share of rows that have something."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import numpy as np
import pandas as pd

from skcorrupt.stats._batch_limits import most_in_batch
from skcorrupt.utils import Table

from ._check_part import CheckPart
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

    def _parts(self) -> list[CheckPart]:
        return [
            CheckPart((j,), partial(self._marks, line=line, j=j), _shares, True, are_marks=True)
            for line, j in enumerate(self._positions)
        ]

    def _encoded(self, table: Table) -> list[np.ndarray]:
        return [part.encoded(table) for part in self._parts()]

    def _statistics(self, encoded: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        shares = [np.empty((len(rows), 0)), *(_shares(marks, rows) for marks in encoded)]
        return np.concatenate(shares, axis=1)

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        most = most_in_batch(self._counts, self._sizes, n_rows, self._level())
        return np.full(len(most), -np.inf), most / n_rows


def _shares(marks: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Shares of marked rows, of shape (n_batches, 1)."""
    # most columns have no marked rows at all
    if not marks.any():
        return np.zeros((len(rows), 1))
    shares: np.ndarray = np.count_nonzero(marks[rows], axis=1)[:, None] / rows.shape[1]
    return shares
