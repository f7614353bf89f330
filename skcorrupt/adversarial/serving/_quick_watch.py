"""How much of an error the room's own checks let pass, at all rates at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.checks import BaseCheck
from skcorrupt.checks._check_part import CheckPart
from skcorrupt.utils import Table

# shares of the largest rate that are tried
N_RATES = 32
# rounding of statistics that are compared with others, not with limits
SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Watching:
    """A check with the batches by which it is judged.

    Attributes
    ----------
    check : BaseCheck
        The check.
    rows : ndarray of int, shape (n_batches, n_rows)
        Rows of the batches, in the order in which they are struck.
    most : int
        Batches in which it may alarm without noticing an error.
    limits : tuple of ndarray
        Least and largest statistics that pass.
    parts : list of CheckPart
        What it looks at apart.
    lines : list of slice
        Lines of every part.
    clean : list of ndarray
        Statistics of batches without an error, of every part.
    """

    check: BaseCheck
    rows: np.ndarray
    most: int
    limits: tuple[np.ndarray, np.ndarray]
    parts: list[CheckPart]
    lines: list[slice]
    clean: list[np.ndarray]

    @classmethod
    def of(cls, check: BaseCheck, rows: np.ndarray, most: float, table: Table) -> Watching:
        """A check with batches of a table; it may alarm in that share of them."""
        parts = check._parts()
        clean = [part.statistics(part.encoded(table), rows) for part in parts]
        ends = np.cumsum([0, *(each.shape[1] for each in clean)])
        lines = [slice(a, b) for a, b in itertools.pairwise(ends)]
        shares = np.arange(len(rows) + 1) / len(rows)
        most_alarms = int(np.count_nonzero(shares <= most)) - 1
        limits = check._limits_of(rows.shape[1])
        return cls(check, rows, most_alarms, limits, parts, lines, clean)

    def excess(self, part: int, statistics: np.ndarray) -> np.ndarray:
        """How far the statistics of a part are beyond their limits, the furthest of each batch."""
        lower, upper = (each[self.lines[part]] for each in self.limits)
        return np.maximum(statistics - upper, lower - statistics).max(axis=1, initial=-np.inf)

    def alarms(self, part: int, statistics: np.ndarray) -> np.ndarray:
        """In which batches a part raises an alarm."""
        lower, upper = (each[self.lines[part]] for each in self.limits)
        found: np.ndarray = np.any((statistics > upper) | (statistics < lower), axis=1)
        return found


class Struck:
    """Which rows of batches are struck, by rate.

    Parameters
    ----------
    rows : ndarray of int, shape (n_batches, n_rows)
        Rows of the batches, in the order in which they are struck.
    matched : ndarray of bool, shape (n_samples,)
        Rows that can be struck.
    rate : float
        The largest rate.
    most : int
        How many 32nds of it are looked at.
    """

    def __init__(self, rows: np.ndarray, matched: np.ndarray, rate: float, most: int) -> None:
        self.rows, self.n = rows, len(matched)
        self.able = matched[rows]
        self.n_able = np.count_nonzero(self.able, axis=1)
        rates = rate * np.arange(1, most + 1) / N_RATES
        self.counts = np.floor(rates * self.n_able[:, None] + 0.5 + 1e-9).astype(np.int64)
        self._flat: np.ndarray | None = None

    def summed(self, change: np.ndarray) -> np.ndarray:
        """What struck rows change together, of shape (n_batches, n_rates)."""
        if self._flat is None:
            self._flat = np.flatnonzero(self.able.ravel())
        sums = np.append(0, np.cumsum(change.ravel()[self._flat], dtype=np.int64))
        start = np.append(0, np.cumsum(self.n_able))[:-1, None]
        found: np.ndarray = sums[start + self.counts] - sums[start]
        return found

    def served(self, batches: np.ndarray, place: int) -> np.ndarray:
        """Positions of the rows of some batches among clean rows and the same ones struck."""
        able, rows = self.able[batches], self.rows[batches]
        struck = able & (np.cumsum(able, axis=1) <= self.counts[batches, place, None])
        return np.where(struck, rows + self.n, rows)


@dataclass(frozen=True, eq=False)
class _Marked:
    """Marks that an error changes.

    Attributes
    ----------
    clean : ndarray of int, shape (n_batches,)
        Marked rows of batches without an error.
    change : ndarray of int, shape (n_batches, n_rows)
        What an error in a row adds to them.
    of_row : ndarray of int, shape (n_samples,)
        The same by row.
    most : float
        The largest share that passes.
    """

    clean: np.ndarray
    change: np.ndarray
    of_row: np.ndarray
    most: float


@dataclass(frozen=True, eq=False)
class _Measured:
    """Statistics that an error changes and that are reckoned anew.

    Attributes
    ----------
    place : int
        The part of the check.
    encoded : object
        What the statistics are reckoned from, of clean rows and the same ones struck below them.
    excess : ndarray of float, shape (n_batches,)
        How far batches without an error are beyond the limits.
    """

    place: int
    encoded: Any
    excess: np.ndarray


class _Side:
    """What one check says of one error."""

    def __init__(
        self, watching: Watching, joined: Callable[[], Table], columns: Sequence[int]
    ) -> None:
        self.watching = watching
        self.still = np.zeros(len(watching.rows), dtype=bool)
        self.marked: list[_Marked] = []
        self.measured: list[_Measured] = []
        rows = watching.rows
        for i, part in enumerate(watching.parts):
            clean = watching.clean[i]
            touched = part.columns is None or not {*part.columns}.isdisjoint(columns)
            encoded = part.encoded(joined()) if touched else None
            if not isinstance(encoded, np.ndarray):
                if encoded is None:
                    self.still |= watching.alarms(i, clean)
                else:
                    self.measured.append(_Measured(i, encoded, watching.excess(i, clean)))
                continue
            before, after = np.array_split(encoded, 2)
            if np.array_equal(before, after):
                self.still |= watching.alarms(i, clean)
            elif part.are_marks:
                change = after.astype(np.int8) - before
                most = float(watching.limits[1][watching.lines[i]][0])
                marks = np.count_nonzero(before[rows], axis=1)
                self.marked.append(_Marked(marks, change[rows], change, most))
            else:
                self.measured.append(_Measured(i, encoded, watching.excess(i, clean)))

    def notices_nothing(self, struck: Struck) -> bool:
        """Whether so few rows are struck that the check cannot notice it."""
        if self.marked:
            return False
        doubtful = self.still
        for one in self.measured:
            if not self.watching.parts[one.place].is_steady:
                return False
            far = struck.counts[:, -1] / self.watching.rows.shape[1]
            doubtful = doubtful | (one.excess >= -far - SLACK)
        return bool(np.count_nonzero(doubtful) <= self.watching.most)

    def caps(self, able: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of each kind of mark, most struck rows of every batch without an alarm.

        Parameters
        ----------
        able : ndarray of bool, shape (n_samples,)
            Rows that can be struck by any pattern.

        Returns
        -------
        list of (ndarray of shape (n_batches,), ndarray of int, shape (n_samples,))
            The number of rows, -inf where there is an alarm in any case, and by how much a row
            raises it that may be struck without being marked.
        """
        size = self.watching.rows.shape[1]
        found = []
        for each in self.marked:
            passing = np.count_nonzero(np.arange(size + 1) / size <= each.most) - 1
            caps = np.where(self.still, -np.inf, passing - each.clean)
            found.append((caps, np.where(able, 1 - each.of_row, 0)))
        if np.count_nonzero(self.still) > self.watching.most:
            none = np.zeros(len(able), dtype=np.int8)
            found.append((np.where(self.still, -np.inf, np.inf), none))
        return found


class _Tally:
    """In which batches a check alarms, by rate, as far as that is known."""

    def __init__(self, side: _Side, struck: Struck) -> None:
        self.side, self.struck = side, struck
        watching = side.watching
        self.size = watching.rows.shape[1]
        self.alarms = np.repeat(side.still[:, None], struck.counts.shape[1], axis=1)
        for each in side.marked:
            marks = each.clean[:, None] + struck.summed(each.change)
            self.alarms |= marks / self.size > each.most
        # by part, where it is not known yet
        self.open: list[np.ndarray] = []
        for one in side.measured:
            if watching.parts[one.place].is_steady:
                far = struck.counts / self.size
                self.alarms |= one.excess[:, None] > far + SLACK
                self.open.append(one.excess[:, None] >= -far - SLACK)
            else:
                self.open.append(struck.counts > 0)
                self.alarms |= (struck.counts == 0) & (one.excess > 0)[:, None]

    def may_pass(self) -> np.ndarray:
        """At which rates the check may notice nothing, of shape (n_rates,)."""
        found: np.ndarray = np.count_nonzero(self.alarms, axis=0) <= self.side.watching.most
        return found

    def passes(self, place: int) -> bool:
        """Whether the check notices nothing at a rate."""
        watching = self.side.watching
        doubtful = np.logical_or.reduce([self.alarms[:, place], *(o[:, place] for o in self.open)])
        if np.count_nonzero(doubtful) <= watching.most:
            return True
        for one, is_open in zip(self.side.measured, self.open, strict=True):
            known = self.alarms[:, place]
            batches = np.flatnonzero(is_open[:, place] & ~known)
            n_known = np.count_nonzero(known)
            if n_known > watching.most:
                return False
            if len(batches):
                self._measure(one, is_open, batches, place)
        return bool(np.count_nonzero(self.alarms[:, place]) <= watching.most)

    def _measure(
        self, one: _Measured, is_open: np.ndarray, batches: np.ndarray, place: int
    ) -> None:
        watching = self.side.watching
        part = watching.parts[one.place]
        found = part.statistics(one.encoded, self.struck.served(batches, place))
        self.alarms[batches, place] |= watching.alarms(one.place, found)
        is_open[batches, place] = False
        if part.is_steady:
            counts = self.struck.counts[batches]
            far = np.abs(counts - counts[:, place, None]) / self.size
            excess = watching.excess(one.place, found)[:, None]
            self.alarms[batches] |= excess > far + SLACK
            is_open[batches] &= excess >= -far - SLACK


class QuickWatch:
    """What the room's own checks say of one error, wherever it strikes.

    Parameters
    ----------
    watchings : sequence of Watching
        The checks.
    joined : callable
        Gives clean rows and the same ones struck below them.
    columns : sequence of int
        Positions of the columns that the error hits.
    """

    def __init__(
        self, watchings: Sequence[Watching], joined: Callable[[], Table], columns: Sequence[int]
    ) -> None:
        self.sides = [_Side(watching, joined, columns) for watching in watchings]

    def unnoticed(self, matched: np.ndarray, rate: float, most: int = N_RATES) -> int:
        """How many 32nds of a rate no check notices, the most of them.

        Parameters
        ----------
        matched : ndarray of bool, shape (n_samples,)
            Rows that can be struck.
        rate : float
            The rate if nobody watched.
        most : int
            So many at most.

        Returns
        -------
        int
            0 where a check notices all.
        """
        known: dict[int, Struck] = {}
        tallies = []
        possible = np.ones(most, dtype=bool)
        for side in self.sides:
            rows = side.watching.rows
            if not side.marked and not side.measured:
                if np.count_nonzero(side.still) > side.watching.most:
                    return 0
                continue
            if id(rows) not in known:
                known[id(rows)] = Struck(rows, matched, rate, most)
            if side.notices_nothing(known[id(rows)]):
                continue
            tally = _Tally(side, known[id(rows)])
            possible &= tally.may_pass()
            if not possible.any():
                return 0
            tallies.append(tally)
        while possible.any():
            place = int(np.flatnonzero(possible)[-1])
            for tally in tallies:
                if not tally.passes(place):
                    possible &= tally.may_pass()
                    possible[place] = False
                    break
            else:
                return place + 1
        return 0
