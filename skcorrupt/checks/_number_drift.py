"""Distances between the distributions of numbers in batches and in a reference."""

from __future__ import annotations

import numpy as np

from skcorrupt.stats._batch_limits import furthest_distribution
from skcorrupt.utils import Table

from ._numbers import measure, numbers_of


class NumberDrift:
    """What a column of numbers is compared with.

    A value is told by how many values of the reference are less, and how many are not more: the
    sum of both is its key. Values between the same two of the reference have equal keys.
    """

    def __init__(self, table: Table, j: int, batch_size: int) -> None:
        self.column = j
        self._measured = measure(table, j)
        numbers, missing = numbers_of(table, j, self._measured)
        self._n = len(numbers)
        self._n_missing = int(np.count_nonzero(missing))
        # what is no number is last, after the infinite
        self._sorted = np.sort(numbers[~missing])
        less, not_more = self._ranks(self._sorted)
        keys = np.arange(2 * self._n + 1)
        self._less, self._not_more = keys / 2, keys / 2
        self._less[less + not_more], self._not_more[less + not_more] = less, not_more
        # the missing ones have no value of the reference below them
        self._less[self._n_missing], self._not_more[self._n_missing] = 0, self._n_missing

    def _ranks(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        less = np.searchsorted(self._sorted, numbers, side="left")
        not_more = np.searchsorted(self._sorted, numbers, side="right")
        return less + self._n_missing, not_more + self._n_missing

    def encoded(self, table: Table) -> np.ndarray:
        """The key of every row."""
        numbers, missing = numbers_of(table, self.column, self._measured)
        less, not_more = self._ranks(numbers)
        return np.where(missing, self._n_missing, less + not_more).astype(np.int32)

    def statistics(self, keys: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The Kolmogorov-Smirnov distance of every batch."""
        ordered = np.sort(keys[rows], axis=1)
        n_rows = rows.shape[1]
        steps = np.arange(n_rows + 1) / n_rows
        # among equal values the last has the step after them, the first that before
        above = (steps[1:] - (self._not_more / self._n)[ordered]).max(axis=1)
        below = ((self._less / self._n)[ordered] - steps[:-1]).max(axis=1)
        distances: np.ndarray = np.maximum(above, below)
        return distances

    def limit(self, n_rows: int, level: float) -> float:
        """The largest distance that passes."""
        return float(furthest_distribution(np.array([self._n]), n_rows, level)[0])
