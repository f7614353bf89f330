"""Features that go together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components
from scipy.stats import chi2_contingency

from skcorrupt.utils import Table, as_table

NUMERIC = ("bool", "integer", "real")
TIMES = ("datetime", "timedelta")
# identical columns correlate to 1 but for rounding
ROUNDING = 1e-9


def association(X: Any) -> np.ndarray:
    """How strongly any two columns go together, from 0 to 1.

    Two columns of numbers by the larger size of Pearson's and Spearman's correlation, two of
    categories by Cramér's V, one of each by the correlation ratio. Times count as numbers. Rows
    where either is missing are left out; a constant column goes with nothing, nor does a column of
    categories that never repeat.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The data.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        Symmetric, with ones in the diagonal.
    """
    table = as_table(X)
    columns = [coded_column(table, j) for j in range(table.n_columns)]
    found = np.eye(len(columns))
    for i, one in enumerate(columns):
        for j, other in enumerate(columns[:i]):
            found[i, j] = found[j, i] = pair_association(one, other)
    return found


def pair_association(one: tuple[bool, np.ndarray], other: tuple[bool, np.ndarray]) -> float:
    """How strongly two columns go together.

    Parameters
    ----------
    one, other : tuple of bool and ndarray of shape (n_samples,)
        Columns as `coded_column` gives them.

    Returns
    -------
    float
        From 0 to 1; 0 where one of them says nothing.
    """
    (one_numeric, a), (other_numeric, b) = one, other
    known = np.isfinite(a) & np.isfinite(b)
    x, y = a[known], b[known]
    if _says_nothing(x, one_numeric) or _says_nothing(y, other_numeric):
        return 0.0
    if one_numeric and other_numeric:
        return max(_correlation(x, y), _correlation(_ranks(x), _ranks(y)))
    if one_numeric or other_numeric:
        return _correlation_ratio(*((y, x) if one_numeric else (x, y)))
    return _cramers_v(x, y)


def correlated_groups(X: Any, threshold: float) -> list[tuple[str, ...]]:
    """Columns that go together, directly or through one another.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The data.
    threshold : float in (0, 1]
        The least association that counts.

    Returns
    -------
    list of tuple of str
        Groups of two or more, in the order of the data.
    """
    table = as_table(X)
    _, group = connected_components(association(X) >= threshold - ROUNDING, directed=False)
    names = [str(label) for label in table.labels]
    members = [[name for name, g in zip(names, group, strict=True) if g == k] for k in set(group)]
    groups = [tuple(each) for each in members if len(each) > 1]
    return sorted(groups, key=lambda each: names.index(each[0]))


def coded_column(table: Table, j: int) -> tuple[bool, np.ndarray]:
    """A column as numbers.

    Parameters
    ----------
    table : Table
        The data.
    j : int
        Position of the column.

    Returns
    -------
    tuple of bool and ndarray of shape (n_samples,)
        Whether it holds numbers, and them or codes of its categories, NaN where missing.
    """
    values = table.values(j)
    if table.kind(j) in TIMES:
        stamps = values.astype(f"{values.dtype.kind}8[ns]").astype(np.int64)
        return True, np.where(table.missing(j), np.nan, stamps)
    if table.kind(j) in NUMERIC:
        return True, pd.to_numeric(pd.Series(values), errors="coerce").to_numpy(float)
    codes = pd.factorize(pd.Series(values, dtype=object))[0]
    return False, np.where(codes < 0, np.nan, codes)


def _says_nothing(values: np.ndarray, numeric: bool) -> bool:
    n_distinct = len(np.unique(values))
    return n_distinct < 2 or (not numeric and n_distinct == len(values))


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    return float(abs(np.corrcoef(x, y)[0, 1]))


def _ranks(x: np.ndarray) -> np.ndarray:
    return pd.Series(x).rank().to_numpy()


def _correlation_ratio(category: np.ndarray, number: np.ndarray) -> float:
    """Share of the spread that lies between categories, its square root."""
    means = pd.Series(number).groupby(category).transform("mean").to_numpy()
    total = np.sum((number - number.mean()) ** 2)
    return float(np.sqrt(np.sum((means - number.mean()) ** 2) / total))


def _cramers_v(x: np.ndarray, y: np.ndarray) -> float:
    counts = pd.crosstab(x, y).to_numpy()
    chi2 = chi2_contingency(counts, correction=False).statistic
    return float(np.sqrt(chi2 / (counts.sum() * (min(counts.shape) - 1))))
