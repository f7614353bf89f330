"""What the gaps of training rows hide: values that were to be seen beside others, and were not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcorrupt.checks._levels import Levels, levels_of
from skcorrupt.checks._numbers import measure, numbers_of
from skcorrupt.utils import Table

# distinct values that stand for themselves, of texts the most frequent
MOST_LEVELS = 16
# of more numbers, ranges with about as many rows in each
N_RANGES = 8
# rows that were to have a value before it tells something that none has, as none of as many has by
# chance once in 160,000 times
LEAST_EXPECTED = 12.0
# how much of what is not seen the gaps have to account for
EXPLAINED = 0.5
# rows with few gaps by which it is told how frequent values are
LEAST_QUIET = 30


@dataclass(frozen=True)
class Divided:
    """A column cut into levels or ranges.

    Attributes
    ----------
    measured : str
        What its numbers measure, or text.
    levels : Levels or None
        Values that stand for themselves; None where there are ranges.
    starts : ndarray of float
        Where ranges begin, but the first.
    once : float
        The share of values that one row alone has, which is that of new ones, by Good and Turing.
    """

    measured: str
    levels: Levels | None
    starts: np.ndarray
    once: float

    @classmethod
    def of(cls, table: Table, j: int) -> Divided:
        """A column of training rows, which has values."""
        measured = measure(table, j)
        levels, counts = levels_of(table, j)
        once = float((counts == 1).sum() / counts.sum())
        if measured == "text" or len(counts) <= MOST_LEVELS:
            common = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
            values = [levels.values[k] for k in common]
            known = {value: code for code, value in enumerate(values)}
            return cls(measured, replace(levels, known=known, values=values), np.empty(0), once)
        numbers, _ = numbers_of(table, j, measured)
        shares = np.linspace(0, 1, N_RANGES + 1)[1:-1]
        starts = np.unique(np.quantile(numbers[np.isfinite(numbers)], shares))
        return cls(measured, None, starts, once)

    @property
    def n_values(self) -> int:
        """Codes of levels or ranges; other values have the next, and gaps the one after it."""
        return len(self.starts) + 1 if self.levels is None else len(self.levels.values)

    def codes(self, table: Table, j: int) -> np.ndarray:
        """The codes of a column."""
        if self.levels is not None:
            return self.levels.codes(table, j)
        numbers, missing = numbers_of(table, j, self.measured)
        codes = np.searchsorted(self.starts, numbers, side="right")
        codes[np.isnan(numbers)] = self.n_values
        codes[np.asarray(missing, dtype=bool)] = self.n_values + 1
        return codes

    def unseen(self, codes: np.ndarray, share: float) -> np.ndarray:
        """Which cells hold a new number, where those are at most a share and all are told apart."""
        if self.levels is None or self.measured == "text" or self.once > share:
            return np.zeros(len(codes), dtype=bool)
        return codes == self.n_values

    def value(self, code: int) -> Any:
        """The level, or (low, high) of a range, None for an open end."""
        if self.levels is not None:
            return self.levels.values[code]
        ends = [None, *self.starts.tolist(), None]
        return ends[code], ends[code + 1]


@dataclass(frozen=True)
class Hidden:
    """A value of a column that gaps hide beside a value of another one.

    Attributes
    ----------
    column, beside : int
        Positions.
    code, code_beside : int
        The values.
    expected : float
        Rows that were to have both, of which none has.
    """

    column: int
    code: int
    beside: int
    code_beside: int
    expected: float


def hidden_in(
    divided: dict[int, Divided], codes: dict[int, np.ndarray], j: int
) -> Iterator[Hidden]:
    """What the gaps of a column hide beside each other column.

    Parameters
    ----------
    divided : dict of int to Divided
        The columns.
    codes : dict of int to ndarray of int, each of shape (n_rows,)
        Their codes in training rows.
    j : int
        The column with gaps.

    Yields
    ------
    Hidden
        One for each pair of values.
    """
    n, own = divided[j].n_values, codes[j]
    for beside, other in codes.items():
        if beside == j:
            continue
        n_other = divided[beside].n_values + 2
        counts = np.bincount(own * n_other + other, minlength=(n + 2) * n_other)
        counts = counts.reshape(n + 2, n_other)
        seen, gaps, rows = counts[:n], counts[-1], counts.sum(axis=0)
        expected = _frequencies(seen, gaps, rows)[:, None] * rows
        none = (seen == 0) & (expected >= LEAST_EXPECTED) & (gaps >= EXPLAINED * expected)
        # cells that hold something else, or nothing, are no value to be recognised by
        for code, code_beside in np.argwhere(none[:, : n_other - 2]).tolist():
            yield Hidden(j, code, beside, code_beside, float(expected[code, code_beside]))


def _frequencies(seen: np.ndarray, gaps: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """How frequent values are, by rows among which there are few gaps if there are such."""
    shares = np.divide(gaps, rows, out=np.zeros(len(rows)), where=rows > 0)
    quiet = shares <= gaps.sum() / rows.sum() / 2
    if rows[quiet].sum() >= LEAST_QUIET:
        seen = seen[:, quiet]
    totals = seen.sum(axis=1)
    found: np.ndarray = totals / max(1, totals.sum())
    return found
