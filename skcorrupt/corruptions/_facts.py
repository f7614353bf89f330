"""Reference facts that `fit` learns about a column, and values drawn from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import Struck
from skcorrupt.base._struck import strange_times, unhashable
from skcorrupt.utils import NANOSECONDS, Coded, Table, time_counts

TIME_LIMIT = 9.2e18


@dataclass(frozen=True)
class Scale:
    """Standard deviation of a numeric or time column, in its own unit or in nanoseconds."""

    std: float


@dataclass(frozen=True)
class Categories:
    """Distinct values of a column, sorted where they can be."""

    values: np.ndarray


def learn_scale(table: Table, j: int) -> Scale:
    """Standard deviation (dividing by n) of the finite values of column `j`."""
    try:
        return Scale(table.moments(j).mean_and_std()[1])
    except TypeError:
        raise ValueError(strange_times(table.labels[j])) from None


def shifted(values: np.ndarray, by: np.ndarray, size: float) -> np.ndarray:
    """Values plus `by` times `size`, which is in their unit, or in nanoseconds for times."""
    # what is beyond the dtype's range is infinite
    with np.errstate(over="ignore", invalid="ignore"):
        by = by * size
        if values.dtype.kind == "f":
            # float32 columns stay float32: float64 draws must not widen them
            return values + by.astype(values.dtype)
        if values.dtype.kind not in "mM":
            return values + by
    counts, unit = time_counts(values)
    moved = np.clip(counts + by / NANOSECONDS[unit], -TIME_LIMIT, TIME_LIMIT)
    out = moved.astype(np.int64).view(f"{values.dtype.kind}8[{unit}]").astype(values.dtype)
    out[np.isnat(values)] = "NaT"
    return out


def learn_categories(table: Table, j: int) -> Categories:
    """Distinct values of column `j`, missing ones aside.

    Raises
    ------
    ValueError
        If cells hold values that cannot be compared, such as lists.
    """
    try:
        distinct = table.distinct(j)
    except TypeError as error:
        raise ValueError(unhashable(table.labels[j])) from error
    try:
        distinct = np.sort(distinct)
    except TypeError:
        order = sorted(range(len(distinct)), key=lambda i: (type(distinct[i]).__name__, i))
        distinct = distinct[order]
    return Categories(distinct)


def other_category(struck: Struck) -> Coded:
    """Another of the known categories for every struck cell, uniformly; missing cells stay."""
    categories: np.ndarray = struck.facts.values
    codes, distinct = struck.coded
    # left to infer a dtype, pandas would copy texts into strings of its own
    dtype: Any = object if "O" in (categories.dtype.kind, distinct.dtype.kind) else None
    if categories.dtype.kind == "f":
        # an index has no shorter or longer floats
        dtype = float
    position = pd.Index(categories, dtype=dtype).get_indexer(pd.Index(distinct, dtype=dtype))
    known = np.append(position, -1)[codes]
    room = np.where(known >= 0, len(categories) - 1, len(categories))
    drawn = struck.draws.integers(room)
    drawn += (known >= 0) & (drawn >= known)
    return Coded(np.where((room > 0) & (codes >= 0), drawn, -1), categories)


def unseen_value(struck: Struck) -> Any:
    """One value that column does not hold: a text, or a number beyond the largest one.

    Where no dtype of its kind has one beyond, it is the largest that the column does not hold.
    """
    categories: np.ndarray = struck.facts.values
    if categories.dtype.kind in "iu" and len(categories):
        new = int(categories[-1]) + 1
        # shorter integers become longer ones
        if new > max(np.iinfo(np.int64).max, np.iinfo(categories.dtype).max):
            new = int(_below(categories, lambda value: value - 1))
        return np.full(struck.size, new)
    if categories.dtype.kind == "f" and len(categories):
        finite = categories[np.isfinite(categories)]
        first, last = (float(finite[0]), float(finite[-1])) if len(finite) else (0.0, -1.0)
        top = last + max(last - first, 1.0)
        if top > float(np.finfo(categories.dtype).max):
            top = _below(finite, lambda value: np.nextafter(value, -np.inf, dtype=value.dtype))
        return np.full(struck.size, top)
    known, name, i = set(categories.tolist()), "unseen", 1
    while name in known:
        i += 1
        name = f"unseen{i}"
    return Coded(np.zeros(struck.size, dtype=np.intp), np.array([name], dtype=object))


def _below(values: np.ndarray, step: Callable[[Any], Any]) -> Any:
    """The first number down from the largest that is not among sorted ones."""
    held = set(values.tolist())
    new = values[-1]
    while new.item() in held:
        new = step(new)
    return new
