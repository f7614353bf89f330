"""Attributes that may explain gaps, with the conditions that can be put on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import gammaln

from skcorrupt.attributes._levels import Levels, named_levels, sorted_levels
from skcorrupt.patterns import Condition
from skcorrupt.patterns._times import in_zone
from skcorrupt.patterns._values import cell_token
from skcorrupt.utils import (
    Table,
    Target,
    are_names,
    are_running_numbers,
    column_key,
    shortest_between,
)

MAX_LEVELS = 64
LABEL = -1


@dataclass
class Offers:
    """Conditions of one attribute on some rows, with how many of these they match.

    Attributes
    ----------
    choices : list of tuple of int
        First and last level of a range, or all levels of a set.
    rows, gaps : ndarray of int, shape (n_choices,)
        Rows that match, and how many of these have a gap.
    sizes : ndarray of float, shape (n_choices,)
        How much there is to read: bounds or values.
    costs : ndarray of float, shape (n_choices,)
        Minus log of the share of all conditions of the attribute that a choice stands for;
        `exp(-costs)` sums up to at most 1 over all that could have been offered.
    """

    choices: list[tuple[int, ...]]
    rows: np.ndarray
    gaps: np.ndarray
    sizes: np.ndarray
    costs: np.ndarray


@dataclass
class GapAttribute:
    """A column, or the label, coded by levels.

    Attributes
    ----------
    key : str
        Its key in a Pattern.
    column : int
        Its position, `LABEL` for the label.
    levels : ndarray of int, shape (n_samples,)
        Level of every row, `n_levels` where it is not known.
    n_levels : int
        Number of levels.
    """

    key: str
    column: int
    levels: np.ndarray
    n_levels: int

    @property
    def known(self) -> np.ndarray:
        """Rows whose level is known."""
        return self.levels < self.n_levels

    def counts(self, rows: np.ndarray) -> np.ndarray:
        """Number of rows by level, those of unknown level aside."""
        return np.bincount(self.levels[rows], minlength=self.n_levels + 1)[: self.n_levels]

    def offers(self, rows: np.ndarray, gaps: np.ndarray) -> Offers:
        """The conditions worth a look on some rows, given where these have gaps, as masks."""
        raise NotImplementedError

    def mask(self, choice: tuple[int, ...]) -> np.ndarray:
        """Rows that a choice matches."""
        raise NotImplementedError

    def size(self, choice: tuple[int, ...]) -> float:
        """How much there is to read in a choice."""
        raise NotImplementedError

    def condition(self, choice: tuple[int, ...]) -> Condition:
        """A choice as a condition of a pattern."""
        raise NotImplementedError


@dataclass
class OrderedAttribute(GapAttribute):
    """Numbers, times and ordered categories: conditions are ranges.

    Attributes
    ----------
    distinct : ndarray of shape (n_levels,)
        The levels' values in order.
    discrete : bool
        Whether a single level is a condition by itself.
    zone : tzinfo or None
        The time zone of the column.
    ends : ndarray of int, shape (n_bins,)
        Last level of every quantile bin; the ranges tried first are made of whole bins.
    """

    distinct: np.ndarray
    discrete: bool
    zone: Any
    ends: np.ndarray

    def __post_init__(self) -> None:
        n_bins = len(self.ends)
        starts = np.concatenate([[0], self.ends[:-1] + 1])
        a, b = np.triu_indices(n_bins)
        proper = (a > 0) | (b < n_bins - 1)
        self._first, self._behind = a[proper], b[proper] + 1
        first, last = starts[self._first].tolist(), self.ends[self._behind - 1].tolist()
        self._ranges: list[tuple[int, ...]] = [*zip(first, last, strict=True)]
        self._sizes = np.array([self.size(choice) for choice in self._ranges])
        # unknown levels come after all ends
        self._bins = np.searchsorted(self.ends, self.levels).astype(np.uint16)

    def offers(self, rows: np.ndarray, gaps: np.ndarray) -> Offers:
        n_bins = len(self.ends)
        bins = self._bins[rows], self._bins[rows & gaps]
        counts = [np.bincount(b, minlength=n_bins + 1)[:n_bins] for b in bins]
        below_rows, below_gaps = (np.concatenate([[0], np.cumsum(c)]) for c in counts)
        return Offers(
            self._ranges,
            below_rows[self._behind] - below_rows[self._first],
            below_gaps[self._behind] - below_gaps[self._first],
            self._sizes,
            np.full(len(self._ranges), math.log(len(self._ranges))),
        )

    def mask(self, choice: tuple[int, ...]) -> np.ndarray:
        return (self.levels >= choice[0]) & (self.levels <= choice[1])

    def size(self, choice: tuple[int, ...]) -> float:
        first, last = choice
        if first == last and self.discrete:
            return 1.0
        return float(first > 0) + float(last < self.n_levels - 1)

    def condition(self, choice: tuple[int, ...]) -> Condition:
        first, last = choice
        if first == last and self.discrete:
            return Condition(one_of=[self._plain(first)])
        bounds: dict[str, Any] = {}
        if first > 0:
            next_to_it = self.discrete and self._adjacent(first - 1)
            bounds.update(
                {"ge": self._plain(first)} if next_to_it else {"gt": self._between(first - 1)}
            )
        if last < self.n_levels - 1:
            bounds["le"] = self._plain(last) if self._adjacent(last) else self._between(last)
        return Condition(**bounds)

    def _adjacent(self, level: int) -> bool:
        """Whether there is nothing between a level and the next."""
        if self.distinct.dtype.kind in "iu":
            return bool(self.distinct[level + 1] - self.distinct[level] == 1)
        return self.discrete

    def _plain(self, level: int) -> Any:
        value = self.distinct[level]
        if value.__class__ is np.datetime64 and self.zone is not None:
            return in_zone(value, self.zone)
        return value.item() if self.distinct.dtype.kind in "biuf" else value

    def _between(self, level: int) -> Any:
        """The most readable value from a level's own up to the next level's."""
        low, high = self._plain(level), self._plain(level + 1)
        if isinstance(low, (int, float)):
            return shortest_between(low, high)
        if isinstance(low, np.datetime64 | pd.Timestamp):
            midnight = pd.Timestamp(high).normalize()
            if pd.Timestamp(low) <= midnight < pd.Timestamp(high):
                return midnight
        return low


@dataclass
class UnorderedAttribute(GapAttribute):
    """Categories: conditions are sets of values.

    Attributes
    ----------
    values : list
        The values of the levels that conditions may name, the first `len(values)` levels.
    """

    values: list[Any]

    def offers(self, rows: np.ndarray, gaps: np.ndarray) -> Offers:
        n = len(self.values)
        rows, gaps = self.counts(rows)[:n], self.counts(rows & gaps)[:n]
        # sets of the values with the highest rates hold the best set of every size
        rates = np.where(rows > 0, gaps / np.maximum(rows, 1), -1.0)
        order = np.lexsort((-rows, -rates))
        longest = int((rows > 0).sum()) - (self.n_levels == n and bool((rows > 0).all()))
        sizes = np.arange(1, max(longest, 0) + 1)
        log_ways = gammaln(n + 1) - gammaln(sizes + 1) - gammaln(n - sizes + 1)
        return Offers(
            [tuple(sorted(order[:size].tolist())) for size in sizes],
            np.cumsum(rows[order])[: len(sizes)],
            np.cumsum(gaps[order])[: len(sizes)],
            np.minimum(sizes, np.maximum(n - sizes, 1)).astype(float),
            math.log(n) + log_ways,
        )

    def mask(self, choice: tuple[int, ...]) -> np.ndarray:
        chosen = np.zeros(self.n_levels + 1, dtype=bool)
        chosen[list(choice)] = True
        return chosen[self.levels]

    def size(self, choice: tuple[int, ...]) -> float:
        return float(min(len(choice), max(len(self.values) - len(choice), 1)))

    def condition(self, choice: tuple[int, ...]) -> Condition:
        return Condition(one_of=[self.values[level] for level in choice])


def column_attribute(table: Table, column: int, n_bins: int) -> GapAttribute | None:
    """Code a column, or None where no condition can tell its rows apart.

    Parameters
    ----------
    table : Table
        The data.
    column : int
        Position of the column.
    n_bins : int
        Most quantile bins of an ordered column.

    Returns
    -------
    GapAttribute or None
        The coded column; None for constants, identifiers and cells that cannot be compared.
    """
    key = column_key(table.labels[column])
    values, missing = table.values(column), table.missing(column)
    categories = table.categories(column)
    if categories is not None and all(isinstance(c, str) for c in categories):
        ranks = pd.Index(categories, dtype=object).get_indexer(pd.Index(values, dtype=object))
        levels = sorted_levels(ranks, missing)
        names = np.array([categories[rank] for rank in levels.values], dtype=object)
        return _ordered(key, column, Levels(levels.codes, names), True, None, n_bins)
    kind = table.kind(column)
    zone = table.time_zone(column) if kind == "datetime" else None
    return _coded(key, column, values, missing, kind, zone, n_bins)


def label_attribute(target: Target, n_bins: int) -> GapAttribute | None:
    """Code the label, or None where no condition can tell its rows apart.

    Parameters
    ----------
    target : Target
        The labels.
    n_bins : int
        Most quantile bins of a label of numbers.

    Returns
    -------
    GapAttribute or None
        The coded label.
    """
    values = target.values
    missing = np.asarray(pd.isna(values))
    return _coded("y", LABEL, values, missing, target.kind, None, n_bins)


def _coded(
    key: str,
    column: int,
    values: np.ndarray,
    missing: np.ndarray,
    kind: str,
    zone: Any,
    n_bins: int,
) -> GapAttribute | None:
    if kind == "real":
        missing = missing | ~np.isfinite(values)
    if kind not in ("integer", "real", "datetime", "timedelta"):
        return _unordered(key, column, values, missing, kind)
    if column != LABEL and kind == "integer" and are_running_numbers(values[~missing]):
        return None
    levels = sorted_levels(values, missing)
    discrete = kind == "integer" or levels.n_levels <= n_bins
    return _ordered(key, column, levels, discrete, zone, n_bins)


def _ordered(
    key: str, column: int, levels: Levels, discrete: bool, zone: Any, n_bins: int
) -> OrderedAttribute | None:
    if levels.n_levels < 2:
        return None
    ends = levels.bin_ends(n_bins)
    codes, values = levels.codes, levels.values
    return OrderedAttribute(key, column, codes, levels.n_levels, values, discrete, zone, ends)


def _unordered(
    key: str, column: int, values: np.ndarray, missing: np.ndarray, kind: str
) -> UnorderedAttribute | None:
    try:
        levels = named_levels(values, missing)
    except TypeError:
        # cells such as lists cannot be told apart by a condition
        return None
    n_known = int(levels.known.sum())
    if levels.n_levels < 2 or (column != LABEL and are_names(levels.n_levels, n_known)):
        return None
    named = np.array([cell_token(value) is not None for value in levels.values])
    levels = levels.ordered(np.argsort(-np.where(named, levels.counts, 0), kind="stable"))
    n_chosen = min(MAX_LEVELS, int(named.sum()))
    if not n_chosen:
        return None
    # values that no condition names share one level
    n_levels = n_chosen + (n_chosen < levels.n_levels)
    codes = np.where(levels.known, np.minimum(levels.codes, n_chosen), n_levels)
    plain = [bool(each) if kind == "bool" else each for each in levels.values[:n_chosen]]
    return UnorderedAttribute(key, column, codes, n_levels, plain)
