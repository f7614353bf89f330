"""The cells of one column that an error strikes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import MISSING, Coded, Table, Taken

from ._noise import Draws

_FEW = 8


def unhashable(label: Any) -> str:
    """What is wrong with a column of lists and the like."""
    return (
        f"columns: {label!r} holds unhashable values such as lists; leave the column out or turn "
        "its cells into strings or tuples first."
    )


def strange_times(label: Any) -> str:
    """What is wrong with times that are kept as Python objects."""
    return (
        f"columns: {label!r} holds times as Python objects of which some have time zones or are "
        "too far off; convert the column by pandas.to_datetime(…, utc=True), or leave it out."
    )


def are_strange_times(table: Table, j: int) -> bool:
    """Whether a column holds times of which no dtype holds all."""
    if table.kind(j) not in ("datetime", "timedelta"):
        return False
    return table.values_at(j, np.empty(0, dtype=np.intp)).dtype.kind not in "mM"


class Struck:
    """Cells of one column on the rows an error strikes, handed to a corruption's hook.

    Parameters
    ----------
    table : Table
        The clean data.
    column : int
        Position of the column.
    rows : ndarray of int, shape (size,)
        Positions of the struck rows.
    facts : object
        What `fit` learned about the column.
    draws : Draws
        Random draws for these rows.
    """

    def __init__(
        self, table: Table, column: int, rows: np.ndarray, facts: Any, draws: Draws
    ) -> None:
        self._table = table
        self._column = column
        self.rows = rows
        self.size = len(rows)
        self.facts = facts
        self.draws = draws
        self._values: np.ndarray | None = None

    @property
    def table(self) -> Table:
        """The clean data."""
        return self._table

    @property
    def column(self) -> int:
        """The column's position."""
        return self._column

    @property
    def label(self) -> Any:
        """The column's label."""
        return self._table.labels[self._column]

    @property
    def kind(self) -> str:
        """What the column holds: bool, integer, real, datetime, timedelta or text."""
        return self._table.kind(self._column)

    @property
    def time_zone(self) -> Any:
        """Time zone of a column of times, of which `values` are those of UTC; else None."""
        return self._table.time_zone(self._column)

    @property
    def only_days(self) -> bool:
        """Whether the column holds days without a time of day."""
        return self._table.only_days(self._column)

    @property
    def values(self) -> np.ndarray:
        """The cells' present values, shape (size,); a copy."""
        if self._values is None:
            self._values = self._table.values_at(self._column, self.rows)
        return self._values.copy()

    @property
    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """The cells as codes, −1 where missing, and the distinct values they stand for."""
        try:
            return self._table.coded(self._column, self.rows)
        except TypeError:
            raise ValueError(unhashable(self.label)) from None

    def taken(self, rows: np.ndarray, column: int | None = None) -> Taken:
        """Values that stand elsewhere, for a hook to return.

        Parameters
        ----------
        rows : ndarray of int, shape (size,)
            Position of the row that supplies the value of each struck cell.
        column : int, default=None
            Position of the column that they stand in; None is the column struck.

        Returns
        -------
        Taken
            The values, copied as the column holds them.
        """
        return Taken(rows, self._column if column is None else column)

    def keeps(self, new: Any) -> bool:
        """Whether the new values leave all cells as they are.

        Parameters
        ----------
        new : ndarray of shape (size,), scalar or MISSING
            What the error would put into the cells.

        Returns
        -------
        bool
            True if no cell would change. An error that never read `values` is not compared.
        """
        # a few cells nearly always tell, and reading all of them takes long
        if new is MISSING:
            few = pd.isna(self._table.values_at(self._column, self.rows[:_FEW]))
            return bool(np.all(few) and self._table.missing(self._column)[self.rows].all())
        if isinstance(new, Coded):
            return bool((new.codes < 0).all())
        if isinstance(new, Taken):
            same = same_cells(self._table, self._column, self.rows, new.column, new.rows)
            return bool(same.all())
        if self._values is None:
            return False
        old, new = self._values, np.broadcast_to(new, self.rows.shape)
        return _all_same(old[:_FEW], new[:_FEW]) and _all_same(old[_FEW:], new[_FEW:])


def same_cells(
    table: Table, column: int, rows: np.ndarray, other: int, others: np.ndarray
) -> np.ndarray:
    """Whether cells of a column are equal to cells of another, or of itself, or miss both.

    Parameters
    ----------
    table : Table
        The data.
    column : int
        Position of the column.
    rows : ndarray of int, shape (size,)
        Positions of its rows.
    other : int
        Position of the other column, of the same kind.
    others : ndarray of int, shape (size,)
        Positions of the rows of that one.

    Returns
    -------
    ndarray of bool, shape (size,)
        A value for each pair of cells.
    """
    old, new = table.values_at(column, rows), table.values_at(other, others)
    if old.dtype.kind in "biuf" and new.dtype.kind in "biuf":
        return np.asarray((old == new) | ((old != old) & (new != new)))
    absent = table.missing(column)[rows], table.missing(other)[others]
    same, present = absent[0] & absent[1], ~(absent[0] | absent[1])
    old, new = old[present], new[present]
    try:
        same[present] = np.asarray(old == new, dtype=bool)
    except (TypeError, ValueError):
        # lists and arrays in cells, of which the comparison has no truth value
        same[present] = list(map(_same, old, new))
    return same


def _all_same(old: np.ndarray, new: np.ndarray) -> bool:
    if old.dtype.kind in "biuf" and new.dtype.kind in "biuf":
        return not np.any((old != new) & ~(np.isnan(old) & np.isnan(new)))
    absent = np.asarray(pd.isna(old)) & np.asarray(pd.isna(new))
    return all(map(_same, old[~absent], new[~absent]))


def _same(old: Any, new: Any) -> bool:
    try:
        return bool(old == new)
    except (TypeError, ValueError):
        return old is new
