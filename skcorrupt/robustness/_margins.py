"""Shares of a population, column by column, and where the rows of a table belong."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import pairwise
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from skcorrupt.checks._levels import coded
from skcorrupt.checks._numbers import numbers_of
from skcorrupt.utils import Table, as_table, is_number, resolve_columns, shorten
from skcorrupt.utils._typing import ColumnLabels, TableLike

# shares by level, by column
Margins: TypeAlias = Mapping[Hashable, Mapping[Any, float]]
NUMBERS = ("integer", "real")
TIMES = ("datetime", "timedelta")
OPEN = (-np.inf, np.inf)
# by as much a share may be off that was rounded to two decimals
ROUNDED = 0.005
# what is left over by less than this is nothing
TINY = 1e-9


@dataclass(frozen=True)
class Margin:
    """A column with the shares that it should have.

    Attributes
    ----------
    label : label
        The column's.
    levels : list
        A value, None for missing cells, or `(low, high)`, a range without its upper end.
    shares : ndarray of shape (n_levels + 1,)
        Of every level, and of all that is in none of them.
    codes : ndarray of shape (n_rows,)
        The level of every row.
    """

    label: Hashable
    levels: list[Any]
    shares: np.ndarray
    codes: np.ndarray


def margins_in(table: Table, margins: Any) -> list[Margin]:
    """Margins with the level of every row of a table.

    Parameters
    ----------
    table : Table
        The rows.
    margins : mapping of label to mapping
        Shares by level, by column.

    Returns
    -------
    list of Margin
        One a column.

    Raises
    ------
    TypeError
        If they are no mappings.
    ValueError
        If a column is not there, shares are none, or levels overlap.
    """
    if not isinstance(margins, Mapping) or not all(
        isinstance(shares, Mapping) for shares in margins.values()
    ):
        raise TypeError(
            f"margins={shorten(margins)} should give shares by level, by column, such as "
            "{'sex': {'f': 0.5, 'm': 0.5}}; population_margins(X) reads them off a table."
        )
    positions = resolve_columns(table, list(margins), parameter="margins") if margins else []
    return [
        _margin(table, j, label, shares)
        for j, (label, shares) in zip(positions, margins.items(), strict=True)
    ]


def _margin(table: Table, j: int, label: Hashable, given: Mapping[Any, float]) -> Margin:
    where = f"margins[{label!r}]"
    shares = list(given.values())
    if not all(is_number(share) and share >= 0 for share in shares):
        raise ValueError(f"{where}={shorten(given)} should have shares of at least 0, as numbers.")
    total = float(sum(shares))
    if not 0 < total <= 1 + ROUNDED * len(shares):
        raise ValueError(
            f"{where}: its shares sum to {total:.4g}; they should sum to 1, or to less where the "
            "rest is that of all other values. Divide them by what they should sum to, percents by "
            "100."
        )
    rest = max(0.0, 1 - total)
    codes = _codes(table, j, [_level(level, where) for level in given], where)
    of_levels = np.array([*shares, rest if rest > TINY else 0.0])
    return Margin(label, list(given), of_levels / of_levels.sum(), codes)


def _level(level: Any, where: str) -> Any:
    if not isinstance(level, tuple):
        return None if pd.isna(level) else level
    # None is an open end
    ends = [by if end is None else end for end, by in zip(level, OPEN, strict=False)]
    if len(level) == 2 and all(map(is_number, ends)):
        with suppress(OverflowError):
            low, high = map(float, ends)
            if low < high:
                return low, high
    raise ValueError(
        f"{where}: {shorten(level)} is no range; give (low, high) with low < high, None for an "
        "open end."
    )


def _codes(table: Table, j: int, levels: list[Any], where: str) -> np.ndarray:
    other = len(levels)
    codes = np.full(table.n_rows, other)
    ranges = [(k, level) for k, level in enumerate(levels) if isinstance(level, tuple)]
    values = {level: k for k, level in enumerate(levels) if not isinstance(level, tuple)}
    if len(values) + len(ranges) < len(levels):
        raise ValueError(f"{where} has two levels for missing cells; give them one.")
    of_missing = values.pop(None, other)
    if ranges and table.kind(j) in (*TIMES, "bool"):
        raise ValueError(
            f"{where} has ranges of numbers, and the column holds {held(table, j)}; give levels, "
            "or leave the column out."
        )
    if values:
        try:
            at, distinct = coded(table, j)
        except ValueError:
            raise ValueError(
                f"{where}: the column holds what has no share, such as lists; leave it out."
            ) from None
        known = _listed(distinct)
        if np.asarray(distinct).dtype.kind in "mM":
            values = {_as_time(level): k for level, k in values.items()}
        there, gaps = set(known), bool((at < 0).any())
        _check_types([level for level in values if level not in there], known, gaps, where)
        text = next((level for level in values if isinstance(level, str)), None)
        if text is not None and table.kind(j) in NUMBERS:
            raise ValueError(
                f"{where}: the level {text!r} is a text, and the column holds {held(table, j)}; "
                "give numbers or ranges of them, such as (None, 50)."
            )
        codes = np.array([*(values.get(value, other) for value in known), of_missing])[at]
    if ranges:
        # what is no number is in none of them
        numbers, _ = numbers_of(table, j, "number")
        for k, (low, high) in ranges:
            within = (numbers >= low) & ((numbers < high) | (high == np.inf))
            twice = within & (codes != other)
            if twice.any():
                raise ValueError(
                    f"{where}: {numbers[twice][0]:g} is in several levels; let a range end where "
                    "the next one begins."
                )
            codes[within] = k
    codes[np.asarray(table.missing(j), dtype=bool)] = of_missing
    return codes


def _listed(distinct: Any) -> list[Any]:
    """Distinct values as Python's, times as pandas', of which numpy makes whole numbers."""
    values = np.asarray(distinct)
    return (pd.Index(values) if values.dtype.kind in "mM" else values).tolist()


def _as_time(level: Any) -> Any:
    """A level as a column of times holds it, in UTC and without a zone."""
    if isinstance(level, np.timedelta64):
        return pd.Timedelta(level)
    if not isinstance(level, (date, np.datetime64)):
        return level
    found = pd.Timestamp(level)
    return found if found.tzinfo is None else found.tz_convert(None)


def _check_types(absent: list[Any], known: list[Any], gaps: bool, where: str) -> None:
    """Refuse levels that only their type keeps from being there, such as those from JSON."""
    as_text = {str(value): value for value in known}
    # JSON writes keys that are no texts so
    as_text |= {str(v).lower(): v for v in known if isinstance(v, (bool, np.bool_))}
    as_text |= {"null": None} if gaps else {}
    for level in absent:
        if str(level) in as_text:
            value = as_text[str(level)]
            raise ValueError(
                f"{where}: the level {level!r} is a {type(level).__name__}, and the column holds "
                f"the {type(value).__name__} {value!r}; write that."
            )


def held(table: Table, j: int) -> str:
    """What a column holds, in words.

    Parameters
    ----------
    table : Table
        The rows.
    j : int
        Position of the column.

    Returns
    -------
    str
        The kind of its values, and some of them.
    """
    try:
        some = ", ".join(map(repr, _listed(table.distinct(j)[:3])))
    except TypeError:
        some = ""
    return f"{table.kind(j)} values" + (f", such as {some}" if some else "")


def population_margins(
    X: TableLike,
    columns: ColumnLabels | None = None,
    *,
    n_bins: int = 8,
    min_share: float = 0.01,
    min_count: int = 5,
) -> dict[Hashable, dict[Any, float]]:
    """Shares of levels and ranges in each column, for estimators that weigh rows by them.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Rows of the population, such as those that a model was asked about lately. They need no
        labels.
    columns : label, list of labels or None, default=None
        Columns to read; None is all that hold numbers, truth values or categories. Times are not
        read, as a population is met at other times than its sample.
    n_bins : int, default=8
        Ranges that numbers are divided into, about as many rows in each, with ends rounded to two
        digits of the distance to the next; numbers of no more distinct values are levels as they
        are.
    min_share : float, default=0.01
        Levels with a smaller share have none of their own. A column without any, such as one of
        names, is left out.
    min_count : int, default=5
        Levels of fewer rows have none either, so that nobody is told apart.

    Returns
    -------
    dict of label to dict
        Shares by level, by column. Where cells are texts, finite numbers and truth values, they are
        Python literals: `repr` writes them down, and `ast.literal_eval` reads them.

    Raises
    ------
    ValueError
        If a named column is not there or has no such shares, a number is out of range, or there
        are no rows.

    See Also
    --------
    ReweightedClassifier : Weighs training rows by them.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.robustness import population_margins
    >>> X = pd.DataFrame({"sex": [*"fmff"] * 5, "age": [20, 30, 40, 60] * 5})
    >>> population_margins(X, n_bins=2)
    {'sex': {'f': 0.75, 'm': 0.25}, 'age': {(None, 40.0): 0.5, (40.0, None): 0.5}}
    """
    for name, value, least in (("n_bins", n_bins, 2), ("min_count", min_count, 1)):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise ValueError(f"{name}={value!r} should be a whole number of at least {least}.")
    if not is_number(min_share) or not 0 <= min_share < 1:
        raise ValueError(f"min_share={min_share!r} should be at least 0 and below 1.")
    table = as_table(X)
    if not table.n_rows:
        raise ValueError("X has no rows, of which shares could be told; pass some.")
    least = max(min_count, math.ceil(min_share * table.n_rows - TINY))
    once = [j for j, label in enumerate(table.labels) if table.labels.count(label) == 1]
    found: dict[Hashable, dict[Any, float]] = {}
    for j in once if columns is None else resolve_columns(table, columns):
        counts = _counts_of(table, j, n_bins)
        # four digits tell all that a sample knows
        shares = {k: float(f"{n / table.n_rows:.4g}") for k, n in counts.items() if n >= least}
        if shares:
            found[table.labels[j]] = shares
        elif columns is not None:
            raise ValueError(
                f"columns: {table.labels[j]!r} holds {held(table, j)}, and has no level or range "
                f"of at least {least} rows (times are not read); leave it out."
            )
    return found


def _counts_of(table: Table, j: int, n_bins: int) -> dict[Any, int]:
    """Rows of each level or range of a column, none where it has no such."""
    missing = np.asarray(table.missing(j), dtype=bool)
    if table.kind(j) in TIMES:
        return {}
    try:
        codes, distinct = coded(table, j)
    except ValueError:
        return {}
    levels = _listed(distinct)
    # pairs would be read as ranges, and objects and categories may be times too
    if any(isinstance(level, (tuple, date, time, timedelta, pd.Period)) for level in levels):
        return {}
    if table.kind(j) in NUMBERS and len(levels) > n_bins:
        counts = _ranges(numbers_of(table, j, "number")[0][~missing], n_bins)
    else:
        each = np.bincount(codes[codes >= 0], minlength=len(levels))
        counts = dict(zip(levels, each.tolist(), strict=True))
    if missing.any():
        counts[None] = int(missing.sum())
    return counts


def _ranges(numbers: np.ndarray, n_bins: int) -> dict[Any, int]:
    """About equally many numbers in each, but a number that many rows have is alone in its own."""
    distinct, counts = np.unique(numbers, return_counts=True)
    # as many of all bins as the numbers before a number fill
    filled = (np.cumsum(counts) - counts) * n_bins // len(numbers)
    starts = distinct[np.flatnonzero(np.diff(filled, prepend=-1))[1:]]
    starts = _rounded(starts[np.isfinite(starts)], distinct[np.isfinite(distinct)])
    # rounding may leave a range without a row, which goes to the one before it, or after the first
    rows = np.bincount(np.searchsorted(starts, numbers, side="right"), minlength=len(starts) + 1)
    starts = starts[rows[1:] > 0][int(rows[0] == 0) :]
    rows = np.bincount(np.searchsorted(starts, numbers, side="right"), minlength=len(starts) + 1)
    ends = [None, *starts.tolist(), None]
    return dict(zip(pairwise(ends), rows.tolist(), strict=True))


def _rounded(starts: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Starts of ranges that are no values of rows, to two digits of what is between them."""
    if not len(starts):
        return starts
    ends = [float(numbers[0]), *starts.tolist(), float(numbers[-1])]
    found = []
    for low, start, high in zip(ends, ends[1:], ends[2:], strict=False):
        # not of what all numbers span, which one outlier may stretch at will
        apart = min((d for d in (start - low, high - start) if 0 < d < np.inf), default=0.0)
        with suppress(OverflowError):
            start = round(start, 1 - math.floor(math.log10(apart))) if apart else start
        found.append(start)
    rounded: np.ndarray = np.unique(found)
    return rounded
