"""Features that go together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from skcorrupt.attributes._levels import named_levels, sorted_levels
from skcorrupt.utils import Table, as_floats, as_table, unit_of
from skcorrupt.utils._columns import hashable
from skcorrupt.utils._typing import TableLike

NUMERIC = ("bool", "integer", "real")
TIMES = ("datetime", "timedelta")
# identical columns correlate to 1 but for rounding
ROUNDING = 1e-9
# with fewer, chance alone goes far; the correction for it needs categories that come back
LEAST_ROWS = 10
ROWS_PER_CATEGORY = 2


@dataclass(frozen=True, eq=False)
class Column:
    """A column as numbers.

    Attributes
    ----------
    numeric : bool
        Whether it holds numbers.
    values : ndarray of float, shape (n_samples,)
        The numbers, or codes of its categories; NaN where missing.
    """

    numeric: bool
    values: np.ndarray

    @cached_property
    def known(self) -> np.ndarray:
        """Which rows have a finite value."""
        return np.isfinite(self.values)

    @cached_property
    def codes(self) -> np.ndarray:
        """Places of the values among the distinct ones in ascending order, -1 where unknown."""
        return np.where(self.known, sorted_levels(self.values, ~self.known).codes, -1)

    def says_nothing(self, codes: np.ndarray) -> bool:
        """Whether there is nothing to learn from some rows of the column.

        Parameters
        ----------
        codes : ndarray of int
            Codes of these rows.

        Returns
        -------
        bool
            True of few rows, of a constant, and of categories that hardly ever come back.
        """
        if len(codes) < LEAST_ROWS:
            return True
        n_distinct = np.count_nonzero(np.bincount(codes))
        rare = not self.numeric and n_distinct * ROWS_PER_CATEGORY > len(codes)
        return bool(n_distinct < 2 or rare)


def association(X: TableLike, columns: Sequence[int] | None = None) -> np.ndarray:
    """How strongly any two columns go together, from 0 to 1.

    Two columns of numbers by the larger size of Pearson's and Spearman's correlation, two of
    categories by Cramér's V, one of each by the correlation ratio. Times count as numbers. Many
    categories agree with anything by chance, so that what chance gives is taken off V [1]_ and the
    ratio [2]_. Rows where either is missing are left out. A constant column goes with nothing, nor
    do columns that are known together in fewer than ten rows, nor a column of categories with
    fewer than two rows each on average, such as names.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The data.
    columns : sequence of int, default=None
        Positions of the columns to look at; None is all.

    Returns
    -------
    ndarray of shape (n_columns, n_columns)
        Symmetric, with ones in the diagonal.

    References
    ----------
    .. [1] Bergsma, "A bias-correction for Cramér's V and Tschuprow's T", Journal of the Korean
       Statistical Society 42(3), 2013.
    .. [2] Kelley, "An unbiased correlation ratio measure", Proceedings of the National Academy of
       Sciences 21(9), 1935.
    """
    table = as_table(X)
    columns = range(table.n_columns) if columns is None else columns
    coded = [coded_column(table, j) for j in columns]
    found = np.eye(len(coded))
    whole = np.array([each.numeric and bool(each.known.all()) for each in coded], dtype=bool)
    plain = [i for i in np.flatnonzero(whole) if not coded[i].says_nothing(coded[i].codes)]
    if len(plain) > 1:
        found[np.ix_(plain, plain)] = _correlations([coded[i] for i in plain])
    for i, one in enumerate(coded):
        for j, other in enumerate(coded[:i]):
            if not (whole[i] and whole[j]):
                found[i, j] = found[j, i] = pair_association(one, other)
    return found


def pair_association(one: Column, other: Column) -> float:
    """How strongly two columns go together.

    Parameters
    ----------
    one, other : Column
        Two columns of the same rows.

    Returns
    -------
    float
        From 0 to 1; 0 where one of them says nothing.
    """
    known = one.known & other.known
    a, b = one.codes[known], other.codes[known]
    if one.says_nothing(a) or other.says_nothing(b):
        return 0.0
    if one.numeric and other.numeric:
        x, y = one.values[known], other.values[known]
        return max(_correlation(x, y), _correlation(_ranks(a), _ranks(b)))
    if one.numeric:
        return _correlation_ratio(b, one.values[known])
    if other.numeric:
        return _correlation_ratio(a, other.values[known])
    return _cramers_v(a, b)


def correlated_groups(
    X: TableLike, threshold: float, columns: Sequence[int] | None = None
) -> list[tuple[str, ...]]:
    """Columns that go together, directly or through one another.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The data.
    threshold : float in (0, 1]
        The least association that counts.
    columns : sequence of int, default=None
        Positions of the columns to look at, in the order of the data; None is all.

    Returns
    -------
    list of tuple of str
        Groups of two or more, in the order of the data.
    """
    table = as_table(X)
    columns = range(table.n_columns) if columns is None else columns
    if not columns:
        return []
    together = association(X, columns) >= threshold - ROUNDING
    _, group = connected_components(together, directed=False)
    names = [str(table.labels[j]) for j in columns]
    members = [[name for name, g in zip(names, group, strict=True) if g == k] for k in set(group)]
    groups = [tuple(each) for each in members if len(each) > 1]
    return sorted(groups, key=lambda each: names.index(each[0]))


def coded_column(table: Table, j: int) -> Column:
    """A column as numbers.

    Parameters
    ----------
    table : Table
        The data.
    j : int
        Position of the column.

    Returns
    -------
    Column
        Its numbers, or codes of its categories.
    """
    values = table.values(j)
    if table.kind(j) in TIMES:
        return Column(True, as_floats(values))
    if table.kind(j) in NUMERIC:
        numbers = pd.to_numeric(pd.Series(values), errors="coerce").to_numpy(float)
        return Column(True, numbers / unit_of(numbers))
    cells = pd.Series(values, dtype=object).map(hashable).to_numpy()
    levels = named_levels(cells, table.missing(j))
    return Column(False, np.where(levels.known, levels.codes, np.nan))


def _correlations(columns: list[Column]) -> np.ndarray:
    """The larger of Pearson's and Spearman's correlation of columns without missing values."""
    found = np.zeros((len(columns), len(columns)))
    for rows in ([c.values for c in columns], [_ranks(c.codes) for c in columns]):
        found = np.fmax(found, abs(np.corrcoef(rows)))
    # rounding depends on which of two columns comes first
    found = np.fmax(found, found.T)
    np.fill_diagonal(found, 1.0)
    return found


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    return float(abs(np.corrcoef(x, y)[0, 1]))


def _ranks(codes: np.ndarray) -> np.ndarray:
    """Ranks, the mean of them where values are equal; codes save sorting for every pair."""
    counts = np.bincount(codes)
    return (np.cumsum(counts) - (counts - 1) / 2)[codes]


def _correlation_ratio(category: np.ndarray, number: np.ndarray) -> float:
    """Share of the spread that lies between categories, less what chance gives; its root."""
    counts = np.bincount(category)
    used = np.maximum(counts, 1)
    # in units of the spread, so that rounding of large numbers such as times is no spread
    number = (number - number.mean()) / number.std()
    means = np.bincount(category, weights=number) / used
    n, k = len(number), np.count_nonzero(counts)
    within = float(np.mean((number - means[category]) ** 2))
    return float(np.sqrt(max(0.0, 1 - within * (n - 1) / (n - k))))


def _cramers_v(x: np.ndarray, y: np.ndarray) -> float:
    """Cramér's V less what chance gives; in pairs that occur, as the whole table can be vast."""
    n, in_x, in_y = len(x), np.bincount(x), np.bincount(y)
    pairs, counts = np.unique(x * len(in_y) + y, return_counts=True)
    a, b = np.divmod(pairs, len(in_y))
    phi2 = float(np.sum(counts**2 / (in_x[a] * in_y[b]))) - 1
    k, r = (np.count_nonzero(each) - 1 for each in (in_x, in_y))
    least = min(each * (1 - each / (n - 1)) for each in (k, r))
    return float(np.sqrt(max(0.0, phi2 - k * r / (n - 1)) / least))
