"""Which clean rows the rows that were added are copies of, nearly or exactly."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.spatial import KDTree

from ._compared import Compared
from ._equal_rows import joined, row_keys, telling

# pairs of rows that are all compared; of more only those that are near by their numbers
MOST_PAIRS = 40_000_000
N_NEAR = 8
_BLOCK = 2_000_000
# a row is near if the next one is twice as far, as one of 2**p unrelated rows with p numbers is
NEAR = 0.5
# numbers further apart are as different as two words
_FAR = 1.0


def sources_of(columns: list[Compared], added: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The clean row that each added one is a copy of.

    Rows that are equal in all columns come first, one copy each as long as there are such. Of the
    others the nearest row is taken, where it is far nearer than the next, or has in common with the
    copy what hardly two rows have. Where most copies are that near, the rest are copies too.

    Parameters
    ----------
    columns : list of Compared
        The columns that both tables have.
    added : ndarray of int
        Dirty rows.

    Returns
    -------
    source : ndarray of int, shape of `added`
        The rows, -1 for none.
    sure : ndarray of bool, shape of `added`
        Whether no other row can be meant.
    """
    source, sure = _equal(columns, added)
    open_ = np.flatnonzero(source < 0)
    n_clean = len(columns[0].clean)
    if not len(open_) or n_clean < 3:
        return source, sure
    row, first, second = _two_nearest(columns, added[open_])
    near = first <= NEAR * second
    alike = telling(columns, added[open_], row)
    taken = near | alike
    if near.mean() > 0.5:
        taken |= first <= first[near].max()
    source[open_[taken]] = row[taken]
    sure[open_] = taken & (first <= NEAR**2 * second) & (first < second)
    return source, sure


def _equal(columns: list[Compared], added: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows that are equal in all columns."""
    n_clean = len(columns[0].clean)
    every = range(len(columns))
    source = np.full(len(added), -1)
    theirs = row_keys(columns, "clean")
    mine = row_keys(columns, "dirty", added)
    first = ~pd.Series(theirs).duplicated().to_numpy()
    at = pd.Index(theirs[first]).get_indexer(pd.Index(mine))
    source[at >= 0] = np.flatnonzero(first)[at[at >= 0]]
    # copies of equal rows are copies of one each
    ours, rows = joined(columns, list(every), added, np.arange(n_clean))
    place = pd.Series(np.arange(len(added)), index=added)
    source[place[ours].to_numpy()] = rows
    alone = ~pd.Series(theirs).duplicated(keep=False).to_numpy()
    return source, (source >= 0) & alone[source]


def _two_nearest(
    columns: list[Compared], added: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nearest clean row of each, how far it is, and how far the next one is."""
    n_clean = len(columns[0].clean)
    if len(added) * n_clean <= MOST_PAIRS:
        rows = np.arange(n_clean)[None, :]
        step = max(1, _BLOCK // n_clean)
        parts = [
            _best_two(columns, added[start : start + step], rows)
            for start in range(0, len(added), step)
        ]
    else:
        parts = [_best_two(columns, added, _likely(columns, added))]
    row, first, second = (np.concatenate(each) for each in zip(*parts, strict=True))
    return row, np.sqrt(first), np.sqrt(second)


def _best_two(
    columns: list[Compared], added: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    far = _squares(columns, added, rows)
    two = np.argpartition(far, 1, axis=1)[:, :2]
    each = np.take_along_axis(far, two, axis=1)
    order = np.argsort(each, axis=1, kind="stable")
    two, each = (np.take_along_axis(side, order, axis=1) for side in (two, each))
    if len(rows) == 1:
        return rows[0, two[:, 0]], each[:, 0], each[:, 1]
    return np.take_along_axis(rows, two, axis=1)[:, 0], each[:, 0], each[:, 1]


def _squares(columns: list[Compared], added: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Squared distances: numbers in standard deviations, and one for every other word."""
    total = np.zeros((len(added), rows.shape[1]), dtype=np.float32)
    for column in columns:
        dirty, clean = column.dirty[added][:, None], column.clean[rows]
        if column.is_number:
            numbers = _scaled(column)
            off = np.minimum(np.abs(numbers[dirty] - numbers[clean]), _FAR)
            total += np.where(np.isnan(off), dirty != clean, off * off)
        else:
            # of a text that no row has it is not known which one it was
            known = (dirty < 0) | (np.append(column.clean_counts, 1)[dirty] > 0)
            total += known & (dirty != clean)
    return total


def _likely(columns: list[Compared], added: np.ndarray) -> np.ndarray:
    """Some clean rows with near numbers for each, shape (n_added, N_NEAR)."""
    n_clean = len(columns[0].clean)
    numeric = [_scaled(column) for column in columns if column.is_number]
    if not numeric:
        return np.tile(np.arange(min(N_NEAR, n_clean)), (len(added), 1))
    held = [column for column in columns if column.is_number]
    clean, dirty = (
        np.nan_to_num(np.column_stack([n[codes] for n, codes in zip(numeric, side, strict=True)]))
        for side in ([c.clean for c in held], [c.dirty[added] for c in held])
    )
    return np.asarray(KDTree(clean).query(dirty, k=min(N_NEAR, n_clean))[1])


def _scaled(column: Compared) -> np.ndarray:
    """The distinct values in standard deviations of the clean ones, NaN behind them."""
    numbers = np.append(column.numbers, np.nan)
    held = numbers[column.clean]
    held = held[np.isfinite(held)]
    std = float(np.std(held)) if len(held) else 0.0
    scaled = (numbers - (held.mean() if len(held) else 0.0)) / (std if std > 0 else 1.0)
    return scaled.astype(np.float32)
