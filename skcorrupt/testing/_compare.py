"""Comparison of data in any container, cell by cell, without the adapters under test."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse


def columns_of(data: Any) -> list[np.ndarray]:
    """The columns of a table, or the one column of labels, as one-dimensional arrays."""
    if data is None:
        return []
    if sparse.issparse(data):
        data = data.toarray()
    if isinstance(data, pd.DataFrame):
        return [np.asarray(data.iloc[:, j]) for j in range(data.shape[1])]
    if isinstance(data, (pd.Series, pd.Index, pd.api.extensions.ExtensionArray)):
        return [np.asarray(data)]
    if is_polars(data):
        frame = data.to_frame() if hasattr(data, "to_frame") else data
        return [_polars_array(frame.to_series(j)) for j in range(frame.width)]
    array = np.asarray(data)
    return [array] if array.ndim == 1 else [array[:, j] for j in range(array.shape[1])]


def is_polars(data: Any) -> bool:
    """Whether the data is a polars frame or series."""
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(data, (polars.DataFrame, polars.Series))


def _polars_array(series: Any) -> np.ndarray:
    if series.dtype.is_float() and not series.null_count():
        return np.asarray(series.to_numpy())
    return np.array([*series.to_list(), None], dtype=object)[:-1]


def dtypes_of(data: Any) -> list[Any]:
    """The dtype of every column; a single one for arrays and labels."""
    if data is None or isinstance(data, (list, tuple)):
        return []
    if hasattr(data, "dtypes") and not isinstance(data, pd.Series):
        return list(data.dtypes)
    return [data.dtype]


def labels_of(data: Any) -> list[Any]:
    """Column labels of a frame; an empty list for other containers."""
    return list(data.columns) if hasattr(data, "columns") else []


def container_of(data: Any) -> tuple[Any, ...]:
    """What has to stay the same about a container: its type and a sparse one's format."""
    return type(data), getattr(data, "format", None) if sparse.issparse(data) else None


def equal_cells(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where two columns hold the same: the same bits for floats, the same value else."""
    if a.dtype == b.dtype and a.dtype.kind == "f" and a.dtype.itemsize <= 8:
        bits = f"u{a.dtype.itemsize}"
        return np.ascontiguousarray(a).view(bits) == np.ascontiguousarray(b).view(bits)
    if a.dtype.kind in "biu" and b.dtype.kind in "biu":
        return np.asarray(a == b)
    left, right = a.astype(object), b.astype(object)
    both_missing = _missing(left) & _missing(right)
    pairs = zip(left, right, strict=True)
    return both_missing | np.fromiter((_equal(x, y) for x, y in pairs), bool, len(left))


def _missing(values: np.ndarray) -> np.ndarray:
    return np.asarray(pd.isna(values), dtype=bool)


def _equal(x: Any, y: Any) -> bool:
    try:
        return bool(x == y)
    except (TypeError, ValueError):
        return x is y


def same_values(a: Any, b: Any) -> bool:
    """Whether two tables, or labels, hold the same cells, whatever their dtypes."""
    left, right = columns_of(a), columns_of(b)
    return len(left) == len(right) and all(
        len(x) == len(y) and bool(equal_cells(x, y).all()) for x, y in zip(left, right, strict=True)
    )


def same_data(a: Any, b: Any) -> bool:
    """Whether two containers are equal: type, dtypes, labels, index and every cell."""
    if container_of(a) != container_of(b):
        return False
    if isinstance(a, (pd.DataFrame, pd.Series)) and not a.index.equals(b.index):
        return False
    alike = dtypes_of(a) == dtypes_of(b) and labels_of(a) == labels_of(b)
    return alike and same_values(a, b)


def dense(mask: Any) -> np.ndarray:
    """A mask as a dense boolean array."""
    return np.asarray(mask.toarray() if sparse.issparse(mask) else mask)
