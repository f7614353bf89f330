"""Rows of two tables that are equal in some columns, and how much they agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import mix

from ._compared import Compared
from ._near_rows import near_each_other

# what rows have to have in common beyond what tells one of them from all others
SURE_BITS = 8.0


def joined(
    columns: list[Compared],
    subset: Sequence[int],
    dirty: np.ndarray,
    clean: np.ndarray,
    nearest: Compared | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Rows that agree in all columns of a subset, equal ones in their order.

    Where `nearest` is given, rows that are equal go together by its numbers: so that they differ
    least in all.
    """
    chosen = [columns[i] for i in subset]
    keys = row_keys(chosen, "dirty", dirty), row_keys(chosen, "clean", clean)
    if nearest is not None:
        numbers = np.append(nearest.numbers, np.nan)
        at = near_each_other(keys, (numbers[nearest.dirty[dirty]], numbers[nearest.clean[clean]]))
        return dirty[at[0]], clean[at[1]]
    ours, theirs = (_turned(side) for side in keys)
    _, ours, theirs = np.intersect1d(ours, theirs, return_indices=True)
    return dirty[ours], clean[theirs]


def _turned(keys: np.ndarray) -> np.ndarray:
    """Other keys, in which the second, third and further ones that are equal differ."""
    turn = pd.Series(keys).groupby(keys).cumcount().to_numpy().astype(np.uint64)
    return mix(keys + mix(turn))


def row_keys(
    columns: Sequence[Compared], side: str, rows: np.ndarray | slice = slice(None)
) -> np.ndarray:
    keys: Any = np.uint64(0)
    for column in columns:
        codes = getattr(column, side)[rows].astype(np.int64).view(np.uint64)
        keys = keys + mix(codes ^ mix(np.array([column.column], dtype=np.uint64)))
    return np.asarray(keys)


def agreement(columns: list[Compared], dirty: np.ndarray, clean: np.ndarray) -> np.ndarray:
    """Share of the columns in which pairs of rows agree, shape (n_pairs,)."""
    equal = np.zeros(len(dirty))
    for column in columns:
        equal += column.dirty[dirty] == column.clean[clean]
    return equal / max(len(columns), 1)


def telling(columns: list[Compared], dirty: np.ndarray, clean: np.ndarray) -> np.ndarray:
    """Whether pairs of rows agree in what hardly two rows have in common."""
    bits, total = np.zeros(len(dirty)), 0.0
    for column in columns:
        shares = column.clean_counts[column.clean_counts > 0] / max(len(column.clean), 1)
        entropy = float(-(shares * np.log2(shares)).sum())
        bits += entropy * (column.dirty[dirty] == column.clean[clean])
        total += entropy
    return np.asarray((bits > np.log2(len(columns[0].clean)) + SURE_BITS) & (bits > 0.4 * total))
