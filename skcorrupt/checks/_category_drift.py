"""Distances between the shares of categories in batches and in a reference."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2

from skcorrupt.utils import Table

from ._levels import counted, levels_of

LEAST_EXPECTED = 5
# draws beyond a limit, of which there are at most so many in all
BEYOND, MOST_DRAWS = 20, 50_000


class CategoryDrift:
    """What a column of categories is compared with.

    Categories are cells, the rarest and those never seen together, so that a batch should have at
    least five rows in each. Where one category leaves too few for that, it is one cell and all the
    rest are another.
    """

    def __init__(self, table: Table, j: int, batch_size: int) -> None:
        self.column = j
        self._levels, _ = levels_of(table, j)
        codes = self._levels.codes(table, j)
        self._n = len(codes)
        held = np.bincount(codes, minlength=self._levels.unseen + 2)
        order = np.argsort(held, kind="stable")
        least = LEAST_EXPECTED / batch_size * self._n
        # the rarest ones up to the first with which they are enough
        before = np.append(0, np.cumsum(held[order]))[:-1]
        joined = (before < least) | (held[order] < least)
        joined[-1] = held[order[-1]] < least
        self._cells = np.zeros(len(held), dtype=np.int64)
        self._cells[order[~joined]] = np.arange(1, 1 + np.count_nonzero(~joined))
        self._counts = np.bincount(self._cells, weights=held).astype(np.int64)

    def encoded(self, table: Table) -> np.ndarray:
        """The cell of every row."""
        cells: np.ndarray = self._cells[self._levels.codes(table, self.column)]
        return cells

    def statistics(self, cells: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The chi-square statistic of every batch beside the reference."""
        counts = counted(cells, rows, len(self._counts))
        return _chi_square(counts, (counts + self._counts) / (self._n + rows.shape[1]), self._n)

    def limit(self, n_rows: int, level: float) -> float:
        """The largest statistic that passes."""
        if len(self._counts) < 2:
            return float("inf")
        n_draws = int(min(BEYOND / level, MOST_DRAWS))
        # a cell that the reference does not know has a row or two nevertheless
        together = np.maximum(np.round(self._counts * (1 + n_rows / self._n)), 2).astype(np.int64)
        n_rows = min(n_rows, int(together.sum()))
        # a batch is a part of all rows, like any other of its size
        drawn = np.random.default_rng(0).multivariate_hypergeometric(
            together, n_rows, size=n_draws, method="marginals"
        )
        found = np.sort(_chi_square(drawn, together / together.sum(), self._n))
        beyond = int(level * (n_draws + 1))
        drawn_limit = found[n_draws - beyond] if beyond else np.inf
        known_limit = chi2.isf(level, len(self._counts) - 1)
        return float(known_limit if not beyond else max(drawn_limit, known_limit))


def _chi_square(counts: np.ndarray, shares: np.ndarray, n_reference: int) -> np.ndarray:
    """The statistic of two samples, from the shares that cells have in both together."""
    n_rows = counts.sum(axis=1, keepdims=True)
    expected = n_rows * shares
    parts = (counts - expected) ** 2 / np.maximum(expected, np.finfo(float).tiny)
    statistic: np.ndarray = parts.sum(axis=1) * (1 + n_rows[:, 0] / n_reference)
    return statistic
