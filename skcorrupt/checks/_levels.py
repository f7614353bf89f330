"""Values of a column as codes that reference and batches have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base._struck import unhashable
from skcorrupt.utils import Table, as_floats


@dataclass(frozen=True)
class Levels:
    """Distinct values of a column of the reference.

    Attributes
    ----------
    known : dict of object to int
        Values, missing ones aside, with their codes.
    values : list
        The values in the order of their codes.
    """

    known: dict[Any, int]
    values: list[Any]

    @property
    def unseen(self) -> int:
        """The code of values that the reference does not hold; missing ones have the next."""
        return len(self.values)

    def codes(self, table: Table, j: int) -> np.ndarray:
        """The codes of a table's column."""
        codes, distinct = coded(table, j)
        to = [self.known.get(value, self.unseen) for value in _keys(distinct)]
        return np.array([*to, self.unseen + 1], dtype=np.int64)[codes]


def levels_of(table: Table, j: int) -> tuple[Levels, np.ndarray]:
    """The levels of a column of the reference, and how many rows hold each."""
    codes, distinct = coded(table, j)
    keys = _keys(distinct)
    levels = Levels({key: code for code, key in enumerate(keys)}, keys)
    return levels, np.bincount(codes[codes >= 0], minlength=len(keys))


def coded(table: Table, j: int) -> tuple[np.ndarray, np.ndarray]:
    """A column as codes, −1 where missing, and what they stand for."""
    try:
        return table.coded(j, np.arange(table.n_rows))
    except TypeError:
        raise ValueError(unhashable(table.labels[j])) from None


def _keys(distinct: Any) -> list[Any]:
    values = np.asarray(distinct)
    return (as_floats(values) if values.dtype.kind in "mM" else values).tolist()


def joined(codes: np.ndarray, more: np.ndarray) -> np.ndarray:
    """Codes of pairs of codes."""
    return pd.factorize(codes * (int(more.max(initial=0)) + 1) + more)[0]


def counted(codes: np.ndarray, rows: np.ndarray, n_codes: int) -> np.ndarray:
    """How often each code is in each batch, of shape (n_batches, n_codes)."""
    of_batch = codes[rows] + n_codes * np.arange(len(rows))[:, None]
    counts = np.bincount(of_batch.ravel(), minlength=n_codes * len(rows))
    return counts.reshape(len(rows), n_codes)
