"""What the gaps of training rows hide: values that were to be seen, and were not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import gammaln
from scipy.stats import chi2

from skcorrupt.checks._levels import Levels, levels_of
from skcorrupt.checks._numbers import measure, numbers_of
from skcorrupt.utils import Table

from ._plausible import KnownLevels, Neighbours, nearest

# distinct values that stand for themselves, of texts the most frequent
MOST_LEVELS = 16
# of more numbers, ranges with about as many rows in each
N_RANGES = 16
# rows that were to show a value before it tells something that none does
LEAST_EXPECTED = 12.0
# the same for each of several values that tell it together, and minus the logarithm of the chance
LEAST_EACH, SURPRISING = 2.0, 10.0
# how much of what is not seen the gaps have to account for, those that are not everywhere
EXPLAINED = 0.5
# share of what several values were to show that may be left of them
LEFT = 0.1
# rows with few gaps by which it is told how frequent values are
LEAST_QUIET = 30
# chance that gaps at random go by any of the other columns
BY_CHANCE = 0.01
# gaps, and rows without, that a value of that column needs for the test
LEAST_COUNTED = 3.0
TIMES = {"datetime": pd.Timestamp, "timedelta": pd.Timedelta}


@dataclass(frozen=True)
class Divided:
    """A column cut into levels or ranges, each with a code.

    Attributes
    ----------
    measured : str
        What its numbers measure, or text.
    texts : Levels or None
        The most frequent texts, None of numbers.
    numbers : ndarray of float
        Numbers that stand for themselves, or where ranges begin, and the end of the last.
    single : bool
        Whether values stand for themselves.
    """

    measured: str
    texts: Levels | None
    numbers: np.ndarray
    single: bool

    @classmethod
    def of(cls, table: Table, j: int) -> Divided:
        """A column of training rows, which has values.

        Raises
        ------
        ValueError
            If its values cannot be told apart, as lists cannot.
        """
        measured = measure(table, j)
        if measured == "text":
            levels, counts = levels_of(table, j)
            common = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
            values = [levels.values[k] for k in common]
            known = {value: code for code, value in enumerate(values)}
            return cls(measured, replace(levels, known=known, values=values), np.empty(0), True)
        numbers, _ = numbers_of(table, j, measured)
        there = numbers[~np.isnan(numbers)]
        distinct = np.unique(there)
        if len(distinct) <= MOST_LEVELS:
            return cls(measured, None, distinct, True)
        return cls(measured, None, _ends(there), False)

    @property
    def n_values(self) -> int:
        """Codes of levels or ranges; other values have the next, and gaps the one after it."""
        if self.texts is not None:
            return len(self.texts.values)
        return len(self.numbers) - (not self.single)

    def codes(self, table: Table, j: int) -> np.ndarray:
        """The codes of a column."""
        if self.texts is not None:
            return self.texts.codes(table, j)
        numbers, missing = numbers_of(table, j, self.measured)
        if self.single:
            codes, near = nearest(self.numbers, numbers)
            codes[~near] = self.n_values
        else:
            # the last range has its end
            codes = np.searchsorted(self.numbers[:-1], numbers, side="right") - 1
            # what lies beyond all training rows is of no range, as times go on
            codes[(codes < 0) | (numbers > self.numbers[-1])] = self.n_values
        codes[np.isnan(numbers)] = self.n_values
        codes[np.asarray(missing, dtype=bool)] = self.n_values + 1
        return codes

    def value(self, code: int) -> Any:
        """The level, or (low, high) of a range."""
        if self.texts is not None:
            return self.texts.values[code]
        make = TIMES.get(self.measured, float)
        if self.single:
            return make(self.numbers[code])
        return make(self.numbers[code]), make(self.numbers[code + 1])


def _ends(numbers: np.ndarray) -> np.ndarray:
    """Where ranges begin, and the last ends: values that many rows share have one of their own."""
    distinct, counts = np.unique(numbers, return_counts=True)
    alone = counts * N_RANGES > len(numbers)
    # a value of its own, and what comes after it
    starts = distinct[alone | np.append(False, alone[:-1])]
    others = np.repeat(distinct[~alone], counts[~alone])
    shares = np.linspace(0, 1, N_RANGES + 1)[1:-1]
    if len(others):
        starts = np.append(starts, np.quantile(others, shares, method="higher"))
    # a value that many share may come last
    return np.append(np.unique(np.append(distinct[0], starts)), distinct[-1])


@dataclass(frozen=True)
class Seen:
    """Numbers that were seen, of a column where new ones are rare.

    Attributes
    ----------
    low, high : float
        Their range.
    near : Neighbours
        The finite ones, and how far from the nearest of them others are.
    """

    low: float
    high: float
    near: Neighbours

    def new(self, numbers: np.ndarray) -> np.ndarray:
        """Which numbers were not to come up; NaN is none."""
        found: np.ndarray = (numbers < self.low) | (numbers > self.high)
        # infinite ones within the range were seen
        within = np.flatnonzero(~found & np.isfinite(numbers))
        found[within] = self.near.far(numbers[within])
        _, same = nearest(self.near.numbers, numbers)
        return found & ~same


@dataclass(frozen=True)
class SeenLevels:
    """Numbers that stand for themselves, of a column where new ones are rare.

    Attributes
    ----------
    numbers : ndarray of float
        Those that were seen, sorted.
    """

    numbers: np.ndarray

    def new(self, numbers: np.ndarray) -> np.ndarray:
        """Which numbers were not seen; NaN is none."""
        _, same = nearest(self.numbers, numbers)
        found: np.ndarray = ~same & ~np.isnan(numbers)
        return found


def seen_in(
    table: Table, j: int, divided: Divided, share: float
) -> KnownLevels | Seen | SeenLevels | None:
    """What tells which values of a column are new; None where new ones are nothing unusual.

    Parameters
    ----------
    table : Table
        Training rows.
    j : int
        The column.
    divided : Divided
        The column, divided.
    share : float
        Share of values that may be new by chance.

    Returns
    -------
    KnownLevels, Seen, SeenLevels or None
        Of times None, as they go on.
    """
    if divided.measured in TIMES:
        return None
    n_gaps = int(np.sum(table.missing(j)))
    if divided.texts is not None:
        levels = table.counts(j)
        kept = _well_seen(levels.to_numpy(), n_gaps, share)
        return None if kept is None else KnownLevels(frozenset(levels.index[kept]))
    numbers, _ = numbers_of(table, j, divided.measured)
    there = numbers[~np.isnan(numbers)]
    if divided.single:
        distinct, counts = np.unique(there, return_counts=True)
        kept = _well_seen(counts, n_gaps, share)
        return None if kept is None else SeenLevels(distinct[kept])
    finite = there[np.isfinite(there)]
    # beyond the ends of so many lies one of them more, on either side
    if 2 / (len(finite) + 1) > share:
        return None
    # values that many rows share are not apart from each other, and say nothing of what is far
    near = Neighbours.learned(np.unique(finite), share / 2)
    return Seen(float(there.min()), float(there.max()), near)


def _well_seen(counts: np.ndarray, n_gaps: int, share: float) -> np.ndarray | None:
    """Which levels are no news, by how often each was seen; None where new ones are usual.

    The rarest may be what gaps left of levels that are frequent otherwise.
    """
    ordered = np.sort(counts)
    # rows whose levels were seen so often, or less
    rows = np.append(0, np.cumsum(ordered))

    def up_to(times: np.ndarray) -> np.ndarray:
        return rows[np.searchsorted(ordered, times, side="right")]

    # by Good and Turing, those seen so often have the share of those seen once more
    often = np.unique(np.append(0, ordered))
    can_be_news = (up_to(often + 1) <= share * rows[-1]) & (up_to(often) <= LEFT * n_gaps)
    found: np.ndarray = counts > often[can_be_news].max(initial=-1)
    return found if can_be_news[0] else None


@dataclass(frozen=True)
class Pair:
    """A value of a column that gaps hide beside a value of another one.

    Attributes
    ----------
    column, beside : int
        Positions.
    code, code_beside : int
        The values.
    expected : float
        Of the rows that show the column beside that value, those that were to show this one; none
        does, or hardly any.
    """

    column: int
    code: int
    beside: int
    code_beside: int
    expected: float


@dataclass(frozen=True)
class Crossed:
    """How often the values and the gaps of a column come up beside the values of others.

    Attributes
    ----------
    column : int
        The column.
    others : list of int
        The other columns.
    known : ndarray of bool of shape (n_others, width)
        Which codes are values of theirs; cells that hold something else, or nothing, are no value
        to be recognised by.
    shown : ndarray of shape (n_others, n_values + 1, width)
        Rows that show a value of the column, others together last.
    gaps : ndarray of shape (n_others, width)
        Rows that have the gap.
    """

    column: int
    others: list[int]
    known: np.ndarray
    shown: np.ndarray
    gaps: np.ndarray

    @classmethod
    def of(cls, divided: dict[int, Divided], codes: dict[int, np.ndarray], j: int) -> Crossed:
        """Count the training rows, by the codes of all columns."""
        others = [k for k in divided if k != j]
        n, own = divided[j].n_values, codes[j]
        sizes = np.array([divided[k].n_values for k in others], dtype=int)
        # a code of other values and one of gaps come after each column's own
        width = int(sizes.max(initial=0)) + 2
        counts = np.empty((len(others), n + 2, width))
        for place, k in enumerate(others):
            found = np.bincount(own * width + codes[k], minlength=(n + 2) * width)
            counts[place] = found.reshape(n + 2, width)
        known = np.arange(width) < sizes[:, None]
        return cls(j, others, known, counts[:, : n + 1], counts[:, n + 1])

    @property
    def rows(self) -> np.ndarray:
        """Rows that show the column, of shape (n_others, width)."""
        found: np.ndarray = self.shown.sum(axis=1)
        return found

    @cached_property
    def log_chances(self) -> np.ndarray:
        """Logarithm of the chance that gaps at random go by a column so far, by chi-square."""
        rows = np.where(self.known, self.rows + self.gaps, 0)
        gaps = np.where(self.known, self.gaps, 0)
        share = (gaps.sum(axis=1) / np.maximum(1, rows.sum(axis=1)))[:, None]
        rare = np.minimum(share, 1 - share) * rows < LEAST_COUNTED
        rows, gaps = _pooled(rows, rare), _pooled(gaps, rare)
        spread = share * (1 - share) * rows
        apart = (gaps - share * rows) ** 2
        found = np.divide(apart, spread, out=np.zeros(rows.shape), where=spread > 0)
        degrees = np.maximum(1, (rows > 0).sum(axis=1) - 1)
        logs: np.ndarray = chi2.logsf(found.sum(axis=1), degrees)
        return logs

    @property
    def associated(self) -> np.ndarray:
        """Which columns the gaps go by, more than by chance."""
        found: np.ndarray = self.log_chances <= np.log(BY_CHANCE / max(1, len(self.others)))
        return found

    def most_associated(self, most: int) -> list[int]:
        """The columns that the gaps go by, the most first."""
        order = np.argsort(self.log_chances, kind="stable")
        return [self.others[k] for k in order[:most] if self.associated[k]]


def _pooled(counts: np.ndarray, rare: np.ndarray) -> np.ndarray:
    """Counts of frequent values, and one of all rare ones together."""
    together = np.where(rare, counts, 0).sum(axis=1)
    return np.column_stack([np.where(rare, 0, counts), together])


def hidden_pairs(crossed: Crossed, share: float) -> Iterator[Pair]:
    """What the gaps of a column hide beside each other column.

    Parameters
    ----------
    crossed : Crossed
        The column beside the others.
    share : float
        Share of the rows that may have pairs of values by chance that none of these has.

    Yields
    ------
    Pair
        One for each pair of values.
    """
    if not crossed.associated.any():
        return
    shown, gaps, known, rows = crossed.shown, crossed.gaps, crossed.known, crossed.rows
    seen = shown[:, :-1]
    quiet = _quiet(rows, gaps)
    # what is missing for another reason is missing there, too
    usual = (gaps * quiet).sum(axis=1) / np.maximum(1, ((rows + gaps) * quiet).sum(axis=1))
    lost = gaps - usual[:, None] * (rows + gaps)
    # gaps that go by no column explain nothing, whatever chance makes of them
    lost[~crossed.associated] = 0
    expected = _frequencies(seen, rows, quiet) * rows[:, None]
    explained = lost[:, None] >= EXPLAINED * expected
    none = known[:, None] & (seen == 0) & (expected >= LEAST_EXPECTED) & explained
    # few pairs came up once: by Good and Turing, few are new by chance
    once = ((seen == 1) & (expected >= LEAST_EACH) & explained).sum(axis=(1, 2))
    some = np.flatnonzero(once <= share * rows.sum(axis=1))
    none[some] |= _few_of_several(*(part[some] for part in (seen, lost, rows, quiet, known)))
    for place, code, code_beside in np.argwhere(none).tolist():
        wanted = float(expected[place, code, code_beside])
        yield Pair(crossed.column, code, crossed.others[place], code_beside, wanted)


def _quiet(rows: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """The values beside which there are few gaps, which tell how frequent others are."""
    shares = np.divide(gaps, rows + gaps, out=np.zeros(rows.shape), where=rows + gaps > 0)
    usual = gaps.sum(axis=1) / (rows + gaps).sum(axis=1)
    quiet: np.ndarray = shares <= usual[:, None] / 2
    quiet[(rows * quiet).sum(axis=1) < LEAST_QUIET] = True
    return quiet


def _frequencies(seen: np.ndarray, rows: np.ndarray, quiet: np.ndarray) -> np.ndarray:
    """How frequent values are where there are few gaps, of shape (n_columns, n_values, 1)."""
    of_quiet = np.maximum(1, (rows * quiet).sum(axis=1))
    found: np.ndarray = (seen * quiet[:, None]).sum(axis=2) / of_quiet[:, None]
    return found[..., None]


def _few_of_several(
    seen: np.ndarray, lost: np.ndarray, rows: np.ndarray, quiet: np.ndarray, known: np.ndarray
) -> np.ndarray:
    """Pairs too rare to tell something alone, of which several do.

    Beside each value, and beside those together beside which most is missing, no row, or hardly
    any, shows some values. That has an exact chance, given how often they are shown where there are
    few gaps, times the sets of values that there are to choose from.
    """
    counts = (seen * quiet[:, None]).sum(axis=2)
    n_quiet = (rows * quiet).sum(axis=1)[:, None]
    frequencies = _frequencies(seen, rows, quiet)
    missing = np.divide(lost, rows + lost, out=np.zeros(lost.shape), where=rows + lost > 0)
    order = np.argsort(np.where(known, -missing, np.inf), axis=1, kind="stable")
    n_known = known.sum(axis=1)[:, None]
    there = np.arange(order.shape[1]) < n_known
    choices = np.log(2) * seen.shape[1] + np.log(np.maximum(1, n_known))
    parts = [
        np.take_along_axis(part, order[:, None], axis=2)
        for part in (seen, rows[:, None], lost[:, None], (rows * quiet)[:, None])
    ]
    parts.append(np.take_along_axis(seen * quiet[:, None], order[:, None], axis=2))
    found = np.zeros(seen.shape, dtype=bool)
    for together in (False, True):
        cells, shown, gone, of_quiet, quiet_cells = (
            np.cumsum(part, axis=2) if together else part for part in parts
        )
        expected = frequencies * shown
        few = (cells <= LEFT * expected) & (frequencies * (shown + gone) >= LEAST_EACH)
        hidden = np.where(few, expected - cells, 0).sum(axis=1)
        few &= (there & (EXPLAINED * hidden <= gone[:, 0]))[:, None]
        n_seen = (cells * few).sum(axis=1)
        n_values = n_seen + ((counts[..., None] - quiet_cells) * few).sum(axis=1)
        surprise = _surprise(n_seen, n_values, shown[:, 0], n_quiet - of_quiet[:, 0])
        few &= (surprise - choices >= SURPRISING)[:, None]
        if together:
            # a column stands for all before it, too
            few = np.logical_or.accumulate(few[..., ::-1], axis=2)[..., ::-1]
        found |= few
    ordered = np.zeros(seen.shape, dtype=bool)
    np.put_along_axis(ordered, order[:, None].repeat(seen.shape[1], axis=1), found, axis=2)
    return ordered


def _surprise(
    n_seen: np.ndarray, n_values: np.ndarray, n_rows: np.ndarray, n_others: np.ndarray
) -> np.ndarray:
    """Minus the logarithm of the chance that of so many values so few are among the rows.

    By the hypergeometric distribution, as in Fisher's exact test; of a number much below its mean,
    fewer together are not more likely than it.
    """
    of_others, n = n_values - n_seen, n_rows + n_others
    found: np.ndarray = (
        _log_ways(n, n_values) - _log_ways(n_rows, n_seen) - _log_ways(n_others, of_others)
    )
    return found - np.log(2) * (n_seen > 0)


def _log_ways(n: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Logarithm of the number of ways to choose k of n."""
    ways: np.ndarray = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return ways
