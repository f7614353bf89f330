"""Reference facts that `fit` learns about a column, and values drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import Struck
from skcorrupt.utils import Coded, Table

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
    values = as_floats(table.values(j))
    with np.errstate(invalid="ignore", over="ignore"):
        std = float(values.std())
    if not np.isfinite(std):
        finite = values[np.isfinite(values)]
        std = float(finite.std()) if len(finite) else 0.0
    return Scale(std)


def as_floats(values: np.ndarray) -> np.ndarray:
    """Numbers as float64; times as nanoseconds, NaT as NaN."""
    if values.dtype.kind in "mM":
        floats = values.astype(f"{values.dtype.kind}8[ns]").astype(np.int64).astype(float)
        floats[np.isnat(values)] = np.nan
        return floats
    return values.astype(float, copy=False)


def shifted(values: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Values plus `by`, which is in their unit, or in nanoseconds for times."""
    if values.dtype.kind not in "mM":
        # float32 columns stay float32: float64 draws must not widen them
        with np.errstate(over="ignore"):
            return values + (by.astype(values.dtype) if values.dtype.kind == "f" else by)
    moved = np.clip(as_floats(values) + by, -TIME_LIMIT, TIME_LIMIT)
    out = np.where(np.isnan(moved), 0, moved).astype(np.int64).view(f"{values.dtype.kind}8[ns]")
    out = out.astype(values.dtype)
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
        raise ValueError(
            f"columns: {table.labels[j]!r} holds unhashable values such as lists; leave the "
            "column out or turn its cells into strings or tuples first."
        ) from error
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
    dtype = object if "O" in (categories.dtype.kind, distinct.dtype.kind) else None
    position = pd.Index(categories, dtype=dtype).get_indexer(pd.Index(distinct, dtype=dtype))
    known = np.append(position, -1)[codes]
    room = np.where(known >= 0, len(categories) - 1, len(categories))
    drawn = struck.draws.integers(room)
    drawn += (known >= 0) & (drawn >= known)
    return Coded(np.where((room > 0) & (codes >= 0), drawn, -1), categories)


def unseen_value(struck: Struck) -> Any:
    """One value that column does not hold: a text, or a number beyond the largest one."""
    categories: np.ndarray = struck.facts.values
    if categories.dtype.kind in "iu" and len(categories):
        return np.full(struck.size, int(categories[-1]) + 1)
    if categories.dtype.kind == "f" and len(categories):
        finite = categories[np.isfinite(categories)].astype(float)
        top = finite[-1] + max(finite[-1] - finite[0], 1.0) if len(finite) else 0.0
        return np.full(struck.size, top)
    known, name, i = set(categories.tolist()), "unseen", 1
    while name in known:
        i += 1
        name = f"unseen{i}"
    return Coded(np.zeros(struck.size, dtype=np.intp), np.array([name], dtype=object))
