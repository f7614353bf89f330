"""Which values of a column training rows make plausible."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.checks._numbers import measure, numbers_of
from skcorrupt.utils import Table
from skcorrupt.utils._columns import hashable

NUMBERS = "number"
# numbers that differ by less of their size are the same, as where one is of single precision
ROUND_OFF = 1e-6


@dataclass(frozen=True)
class KnownLevels:
    """Levels of a column, where hardly any row has one of its own.

    Attributes
    ----------
    levels : frozenset or None
        Those that were seen; None where new ones are nothing unusual.
    """

    levels: frozenset[Any] | None

    def doubts(self, table: Table, j: int) -> np.ndarray:
        """Which cells hold a level that was never seen."""
        if self.levels is None:
            return np.zeros(table.n_rows, dtype=bool)
        counted = table.counts(j).index
        unknown = {level for level in counted if level not in self.levels}
        if not unknown:
            return np.zeros(table.n_rows, dtype=bool)
        values = pd.Series(table.values(j), dtype=object)
        return np.asarray(values.map(lambda value: hashable(value) in unknown), dtype=bool)


def nearest(known: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of the nearest of sorted numbers, and whether they are the same but for round-off."""
    after = np.searchsorted(known, numbers).clip(0, len(known) - 1)
    before = (after - 1).clip(0)
    with np.errstate(invalid="ignore"):
        closer = np.abs(numbers - known[before]) < np.abs(known[after] - numbers)
        at = np.where(closer, before, after)
        same = np.isclose(numbers, known[at], rtol=ROUND_OFF, atol=0)
    return at, same


@dataclass(frozen=True)
class Neighbours:
    """Numbers that were seen, and how far from the nearest of them another one may be.

    Attributes
    ----------
    numbers : ndarray of float
        Sorted.
    limit : float
        Largest distance that is nothing unusual.
    """

    numbers: np.ndarray
    limit: float

    @classmethod
    def learned(cls, numbers: np.ndarray, share: float) -> Neighbours:
        """What all but a share of the numbers keep to, each beside the others."""
        ordered = np.sort(numbers)
        with np.errstate(over="ignore"):
            gaps = np.diff(ordered)
        nearest = np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf))
        limit = float(np.quantile(nearest, 1 - share, method="higher"))
        return cls(np.unique(ordered), limit)

    def far(self, numbers: np.ndarray) -> np.ndarray:
        """Which numbers are farther from all."""
        after = np.searchsorted(self.numbers, numbers).clip(1, max(1, len(self.numbers) - 1))
        sides = [self.numbers[after - 1], self.numbers[np.minimum(after, len(self.numbers) - 1)]]
        with np.errstate(over="ignore"):
            apart = [np.abs(numbers - side) for side in sides]
        return np.asarray(np.min(apart, axis=0) > self.limit)


@dataclass(frozen=True)
class KnownNumbers:
    """Numbers or times of a column: their range, whether they are whole, how dense they lie.

    Attributes
    ----------
    measured : str
        What they measure.
    low, high : float
        Their range.
    whole : bool
        Whether all are whole.
    plain : Neighbours
        Distances as they are.
    by_sign : dict of float to Neighbours
        Distances of logarithms, as wrong units multiply.
    """

    measured: str
    low: float
    high: float
    whole: bool
    plain: Neighbours
    by_sign: dict[float, Neighbours] = field(default_factory=dict)

    @classmethod
    def learned(cls, measured: str, numbers: np.ndarray, share: float) -> KnownNumbers:
        """What training values show, a share of which may be doubted."""
        by_sign = {}
        if measured == NUMBERS:
            for sign in (-1.0, 1.0):
                those = numbers[np.sign(numbers) == sign]
                if len(those):
                    by_sign[sign] = Neighbours.learned(np.log(np.abs(those)), share / 2)
        return cls(
            measured,
            float(numbers.min()),
            float(numbers.max()),
            bool(np.all(numbers == np.floor(numbers))),
            Neighbours.learned(numbers, share / 2),
            by_sign,
        )

    def doubts(self, table: Table, j: int) -> np.ndarray:
        """Which cells hold no such number; what is no number at all is doubted too."""
        numbers, _ = numbers_of(table, j, self.measured)
        # NaN is not within
        doubted = ~((numbers >= self.low) & (numbers <= self.high))
        rows = np.flatnonzero(~doubted)
        found = numbers[rows]
        unusual = self.plain.far(found)
        if self.whole:
            unusual |= found != np.floor(found)
        for sign, known in self.by_sign.items():
            those = np.sign(found) == sign
            unusual[those] |= known.far(np.log(np.abs(found[those])))
        doubted[rows] = unusual
        if self.measured == NUMBERS:
            _, same = nearest(self.plain.numbers, numbers)
            doubted &= ~same
        return doubted


def plausible(table: Table, j: int, share: float) -> KnownLevels | KnownNumbers:
    """What is plausible in a column, by training rows.

    Parameters
    ----------
    table : Table
        Training rows.
    j : int
        The column, which has values.
    share : float
        Share of clean values that may be doubted.

    Returns
    -------
    KnownLevels or KnownNumbers
        What says which cells of other rows are doubtful.
    """
    measured = measure(table, j)
    if measured == "text" or table.kind(j) == "bool":
        counts = table.counts(j)
        # by Good and Turing, the share of rows that have a new level is that of levels seen once
        usual = (counts == 1).sum() > share * counts.sum()
        return KnownLevels(None if usual else frozenset(counts.index))
    numbers, _ = numbers_of(table, j, measured)
    finite = numbers[np.isfinite(numbers)]
    return KnownNumbers.learned(measured, finite, share)


def usual_row(table: Table, j: int) -> int | None:
    """A row with a middling number, or the most frequent level; None where all are missing."""
    measured = measure(table, j)
    if measured == "text" or table.kind(j) == "bool":
        codes, _ = pd.factorize(pd.Series(table.values(j), dtype=object).map(hashable))
        there = codes[codes >= 0]
        if not len(there):
            return None
        return int(np.flatnonzero(codes == np.bincount(there).argmax())[0])
    numbers, _ = numbers_of(table, j, measured)
    finite = np.flatnonzero(np.isfinite(numbers))
    if not len(finite):
        return None
    return int(finite[np.argsort(numbers[finite], kind="stable")[len(finite) // 2]])
