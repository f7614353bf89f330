"""Keys of rows by their content: equal values give equal keys, whatever the dtype or batch."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from ._columns import hashable
from ._frames import Table

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MISSING_KEY = np.uint64(0xD1B54A32D192ED03)
_TIME_KEY = np.uint64(0x8CB92BA72F3D8DD7)


def mix(values: np.ndarray) -> np.ndarray:
    """Scramble 64-bit integers (the finaliser of splitmix64, Steele et al. 2014).

    Parameters
    ----------
    values : ndarray of uint64
        Integers.

    Returns
    -------
    ndarray of uint64
        As many integers; a bijection that spreads every input bit over all output bits.
    """
    z = values + _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def row_keys(
    table: Table,
    columns: Sequence[int] | None = None,
    positions: Sequence[int] | None = None,
) -> np.ndarray:
    """One 64-bit key a row, a function of the row's values and of the columns they are in.

    Parameters
    ----------
    table : Table
        The rows; 1, 1.0 and True count as equal, and so do all missing values.
    columns : sequence of int of shape (n_columns,), default=None
        A key a column, such as those of `column_keys`, with which rows keep their keys where
        columns change places; None is their positions.
    positions : sequence of int, default=None
        The columns that keys are made of; None is all.

    Returns
    -------
    ndarray of uint64 of shape (n_rows,)
        The keys.
    """
    of_columns = np.array(range(table.n_columns) if columns is None else columns, dtype=np.uint64)
    keys = np.zeros(table.n_rows, dtype=np.uint64)
    mixed = mix(of_columns)
    for j in range(table.n_columns) if positions is None else positions:
        # a sum does not depend on the order of the columns
        keys += mix(mixed[j] ^ _cell_keys(table.values(j), table.missing(j)))
    return mix(keys)


def column_keys(table: Table) -> list[int]:
    """One 64-bit key a column, a function of its label and not of its position.

    A frame of the columns 0, 1 and so on is to pandas an array without names, whose columns are
    x0, x1 and so on here; both have the same keys.

    Parameters
    ----------
    table : Table
        The columns; of those with equal labels the second, third and so on have other keys.

    Returns
    -------
    list of int
        The keys.
    """
    labels = table.labels
    if all(isinstance(label, numbers.Integral) for label in labels):
        labels = [f"x{label}" for label in labels]
    if all(type(label) is str for label in labels):
        return list(_keys_of_texts(tuple(labels)))
    return _keys_of_labels(labels)


@lru_cache(maxsize=32)
def _keys_of_texts(labels: tuple[str, ...]) -> tuple[int, ...]:
    # every corruption asks for those of its table, which is the same in all fits of a search
    return tuple(_keys_of_labels(labels))


def _keys_of_labels(labels: Sequence[Any]) -> list[int]:
    keys = _object_keys(np.fromiter(labels, object, len(labels)))
    occurrence = pd.Series(keys).groupby(keys).cumcount().to_numpy(dtype=np.uint64)
    return [int(key) for key in mix(keys + occurrence)]


def _cell_keys(values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    if values.dtype.kind in "biuf":
        keys = _number_keys(values)
    elif values.dtype.kind in "mM":
        try:
            stamps = values.astype(f"{values.dtype.kind}8[ns]").astype(np.int64)
        except OverflowError:
            # numpy refuses from 2.5 on what it let wrap around before, as these do
            unit, count = np.datetime_data(values.dtype)
            step = np.array(count).astype(f"m8[{unit}]").astype("m8[ns]").astype(np.int64)
            stamps = values.astype(np.int64) * step
        keys = mix(stamps.view(np.uint64) ^ _TIME_KEY)
    else:
        keys = _object_keys(values)
    return np.where(missing, _MISSING_KEY, keys)


def _number_keys(values: np.ndarray) -> np.ndarray:
    # adding 0.0 turns -0.0 into 0.0, which compare equal but differ in bits
    floats = values.astype(np.float64) + 0.0
    return mix(floats.view(np.uint64))


def _object_keys(values: np.ndarray) -> np.ndarray:
    codes, distinct = pd.factorize(np.fromiter(map(hashable, values), object, len(values)))
    numeric = np.fromiter(map(_is_float, distinct), bool, len(distinct))
    keys = np.empty(len(distinct) + 1, dtype=np.uint64)
    keys[-1] = _MISSING_KEY
    texts = np.array([str(v) for v in distinct[~numeric]], dtype=object)
    keys[:-1][~numeric] = pd.util.hash_array(texts, categorize=False) if len(texts) else 0
    keys[:-1][numeric] = _number_keys(distinct[numeric].astype(np.float64))
    return keys[codes]


def _is_float(value: object) -> bool:
    if not isinstance(value, numbers.Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True
