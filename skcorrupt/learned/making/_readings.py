"""What rows are told apart by: columns read as numbers, or as names."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, Target, are_names, are_running_numbers, as_floats

from ..kinds._time_text import read_time

MOST_NAMES = 256
# of the texts of a column that have to be numbers, or times, to be read so
MOSTLY = 0.95
# share of rows in which two columns have the same value, for that to tell rows apart
SOME_EQUAL = 0.02
MOST_EQUALITIES = 20
LEAST_THINGS = 20
# words and numbers within a name
PART = re.compile(r"[^\W\d_]+|\d+")
MOST_PARTS = 8
_NUMERIC = ("bool", "integer", "real")
_TIMES = ("datetime", "timedelta")


@dataclass(eq=False)
class Reading:
    """A column, or the label, as numbers or as names.

    Attributes
    ----------
    what : dict
        How it is read, as JSON types: `column` and `as` ("number", "text number", "time", "stamp",
        "name"), of names which `part`; or `equal`, two columns.
    values : ndarray
        Numbers with NaN, or texts with None, one a row.
    """

    what: dict[str, Any]
    values: np.ndarray

    @property
    def is_name(self) -> bool:
        """Whether it is made of names."""
        return self.what["as"] == "name"


def readings(table: Table, target: Target | None) -> list[Reading]:
    """All readings of a table that may tell its rows apart.

    Parameters
    ----------
    table : Table
        The rows.
    target : Target or None
        Their labels.

    Returns
    -------
    list of Reading
        Without columns that have a name or a number of its own for every row.
    """
    found = []
    for j, label in enumerate(table.labels):
        reading = _of_column(table, j, label)
        if reading is not None:
            found.append(reading)
    found += _parts(table, {each.what["column"] for each in found if not each.is_name})
    found += _gaps(table)
    found += _equalities(table)
    if target is not None:
        numeric = target.values.dtype.kind in "iuf" and len(pd.unique(target.values)) > 20
        what = {"column": None, "as": "number" if numeric else "name"}
        found.append(Reading(what, read_target(target, what)))
    return found


def _parts(table: Table, numbers: set[Any]) -> list[Reading]:
    """What names are put together of, in columns whose names mostly have as many parts."""
    found: list[Reading] = []
    for j, label in enumerate(table.labels):
        if label in numbers or table.kind(j) in (*_NUMERIC, *_TIMES):
            continue
        texts = pd.unique(read(table, j, "name"))
        sizes = [len(PART.findall(text)) for text in texts if text is not None]
        if len(sizes) < LEAST_THINGS:
            continue
        size = int(np.bincount(sizes).argmax())
        if not 2 <= size <= MOST_PARTS or np.mean(np.array(sizes) == size) < MOSTLY:
            continue
        for k in range(size):
            what = {"column": label, "as": "name", "part": k}
            values = read_part(table, j, k)
            n_names = len(pd.unique(values[~pd.isna(values)]))
            if 2 <= n_names <= min(MOST_NAMES, len(sizes) / 2):
                found.append(Reading(what, values))
    return found


def read_part(table: Table, j: int, k: int) -> np.ndarray:
    """The k-th part of every name of a column, None where there is none."""
    codes, distinct = pd.factorize(read(table, j, "name"))
    parts = [PART.findall(text) for text in distinct]
    return np.array([*(p[k] if k < len(p) else None for p in parts), None], dtype=object)[codes]


def _gaps(table: Table) -> list[Reading]:
    """Whether a cell is missing, where that varies."""
    found = []
    for j, label in enumerate(table.labels):
        gone = missing_cells(table, j)
        if gone.any() and not gone.all():
            found.append(Reading({"missing": label, "as": "number"}, gone.astype(float)))
    return found


def missing_cells(table: Table, j: int) -> np.ndarray:
    """Where cells are missing, or texts without a character other than white space."""
    missing = table.missing(j)
    if table.kind(j) != "text":
        return missing
    codes, distinct = pd.factorize(table.values(j))
    blank = [isinstance(value, str) and not value.strip() for value in distinct]
    return missing | np.array([*blank, False], dtype=bool)[codes]


def things(found: list[Reading]) -> tuple[int, np.ndarray] | None:
    """A column of names of things that several rows are of, and that settle most else.

    Parameters
    ----------
    found : list of Reading
        All readings of a table.

    Returns
    -------
    tuple of int and ndarray of int, or None
        Its position among the readings, and the thing of every row.
    """
    columns = [
        i
        for i, each in enumerate(found)
        if each.what.get("column") is not None and "part" not in each.what
    ]
    codes = {i: pd.factorize(found[i].values)[0] for i in columns}
    best: tuple[int, np.ndarray] | None = None
    for i in columns:
        mine = codes[i]
        n_names = int(mine.max()) + 1
        if not found[i].is_name or not LEAST_THINGS <= n_names <= len(mine) / 2:
            continue
        settled = sum(_settles(mine, codes[k], n_names) for k in columns if k != i)
        if settled >= max(2, (len(columns) - 1) / 2) and (best is None or n_names < best[1].max()):
            best = i, mine
    return best


def _settles(mine: np.ndarray, other: np.ndarray, n_names: int) -> bool:
    pairs = (mine + 1).astype(np.int64) * (int(other.max()) + 2) + other + 1
    return len(np.unique(pairs)) <= 1.05 * n_names and len(np.unique(other)) > 2


def _of_column(table: Table, j: int, label: Any) -> Reading | None:
    kind = table.kind(j)
    if kind in _NUMERIC or kind in _TIMES:
        what = {"column": label, "as": "number" if kind in _NUMERIC else "stamp"}
        reading = Reading(what, read(table, j, what["as"]))
        known = reading.values[~np.isnan(reading.values)]
        whole = kind in ("integer", "real") and len(known) and np.all(known == np.round(known))
        if len(known) < 2 or (whole and _is_running(known)):
            return None
        return reading
    texts = read(table, j, "name")
    codes, distinct = pd.factorize(texts)
    if len(distinct) < 2:
        return None
    for how in ("text number", "time"):
        numbers = _numbers_of(distinct, how)
        if np.mean(np.isfinite(numbers)) >= MOSTLY and len(distinct) > 8:
            values = np.append(numbers, np.nan)[codes]
            if how == "text number" and _is_running(values[np.isfinite(values)]):
                return None
            return Reading({"column": label, "as": how}, values)
    if are_names(len(distinct), int((codes >= 0).sum())) or len(distinct) > MOST_NAMES * 4:
        return None
    return Reading({"column": label, "as": "name"}, texts)


def _is_running(known: np.ndarray) -> bool:
    whole = bool(len(known) and np.all(known == np.round(known)) and np.abs(known).max() < 2**53)
    return whole and are_running_numbers(known.astype(np.int64))


def read(table: Table, j: int, how: str) -> np.ndarray:
    """A column as a reading has it."""
    if how in ("number", "stamp"):
        try:
            numbers = as_floats(table.values(j)).astype(float)
        except (TypeError, ValueError):
            return np.full(table.n_rows, np.nan)
        numbers[table.missing(j)] = np.nan
        return numbers
    codes, distinct = pd.factorize(_as_objects(table, j))
    if how == "name":
        texts = np.array([*map(_name, distinct), None], dtype=object)
        return texts[codes]
    return np.append(_numbers_of([_name(value) for value in distinct], how), np.nan)[codes]


def _as_objects(table: Table, j: int) -> np.ndarray:
    values = table.values(j).astype(object)
    values[table.missing(j)] = None
    return values


def _name(value: Any) -> str | None:
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _numbers_of(texts: Any, how: str) -> np.ndarray:
    return np.array([_number_of(text, how) for text in texts], dtype=float)


def _number_of(text: Any, how: str) -> float:
    if text is None:
        return math.nan
    if how == "text number":
        try:
            number = float(text)
        except ValueError:
            return math.nan
        return number if math.isfinite(number) else math.nan
    time = read_time(text)
    if time is None:
        return math.nan
    day = 0 if time.day is None else (time.day[0] or 0) * 372 + time.day[1] * 31 + time.day[2]
    return day * 86400.0 + (time.seconds or 0)


def read_target(target: Target, what: dict[str, Any]) -> np.ndarray:
    """Labels as a reading has them."""
    if what["as"] == "number":
        return target.values.astype(float)
    missing = np.asarray(pd.isna(target.values))
    found = np.array([*map(_name, target.values.tolist()), None], dtype=object)[:-1]
    found[missing] = None
    return found


def _equalities(table: Table) -> list[Reading]:
    """Whether two columns have the same value, where that varies."""
    texts = {
        j: _as_objects(table, j) for j in range(table.n_columns) if table.kind(j) not in ("bool",)
    }
    found: list[Reading] = []
    for j, mine in texts.items():
        for k, other in texts.items():
            if k <= j or table.kind(j) != table.kind(k) or len(found) >= MOST_EQUALITIES:
                continue
            equal = are_equal(mine, other)
            if SOME_EQUAL <= float(np.nanmean(equal)) <= 1 - SOME_EQUAL:
                what = {"equal": [table.labels[j], table.labels[k]], "as": "number"}
                found.append(Reading(what, equal))
    return found


def are_equal(mine: np.ndarray, other: np.ndarray) -> np.ndarray:
    """1 where values are equal, 0 where they differ."""
    equal = np.asarray(mine == other, dtype=bool)
    return np.where(equal, 1.0, 0.0)


def read_again(
    table: Table, target: Target | None, what: dict[str, Any], places: Any
) -> np.ndarray:
    """A reading of other rows.

    Parameters
    ----------
    table : Table
        The rows.
    target : Target or None
        Their labels.
    what : dict
        How the reading was made.
    places : callable
        Gives the position of a column by its label.

    Returns
    -------
    ndarray of shape (n_rows,)
        Numbers with NaN, or texts with None.
    """
    if "equal" in what:
        mine, other = (_as_objects(table, places(label)) for label in what["equal"])
        return are_equal(mine, other)
    if "missing" in what:
        return missing_cells(table, places(what["missing"])).astype(float)
    if what["column"] is None:
        if target is None:
            raise ValueError(
                "These errors were learned with labels, which they depend on; pass y as well."
            )
        return read_target(target, what)
    if "part" in what:
        return read_part(table, places(what["column"]), what["part"])
    return read(table, places(what["column"]), what["as"])
