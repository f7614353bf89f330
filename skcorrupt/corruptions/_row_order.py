"""Which row comes before which, and what errors that go along rows have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from skcorrupt.base import FeatureCorruption, Reference
from skcorrupt.base._struck import unhashable
from skcorrupt.utils import Table, Target, resolve_columns
from skcorrupt.utils._typing import ColumnLabels


class RowOrder:
    """Rows one after the other, those of each group by themselves.

    Parameters
    ----------
    ranked : ndarray of int, shape (n_placed,)
        Positions of the rows that have a place, group by group, each in its order.
    begins : ndarray of bool, shape (n_placed,)
        Whether a group begins with a row.
    n_rows : int
        Number of rows, those without a place included.
    """

    def __init__(self, ranked: np.ndarray, begins: np.ndarray, n_rows: int) -> None:
        self.ranked, self.n_rows = ranked, n_rows
        self._first = np.maximum.accumulate(np.where(begins, np.arange(len(ranked)), 0))

    @classmethod
    def of(cls, table: Table, order: Any, group: ColumnLabels | None) -> Self:
        """The rows of a table by the values of a column, equal ones as they stand.

        Parameters
        ----------
        table : Table
            The data.
        order : label or None
            The column; None is the order in which rows stand. Rows in which it is missing have
            no place.
        group : label, list of labels or None
            Columns whose values tell groups apart; None is one group. Rows in which one of them
            is missing have no place.

        Returns
        -------
        RowOrder
            The rows that have a place.
        """
        places = [_ranks(table, j) for j in _one(table, order)]
        groups = [_codes(table, j)[0] for j in _several(table, group)]
        ranked = np.arange(table.n_rows)
        if places or groups:
            # the last key counts first, and equal rows stay as they stand
            ranked = np.lexsort([*places, *groups])
            placed = np.logical_and.reduce([codes >= 0 for codes in [*places, *groups]])
            ranked = ranked[placed[ranked]]
        begins = np.zeros(len(ranked), dtype=bool)
        begins[:1] = True
        for codes in groups:
            begins[1:] |= codes[ranked[1:]] != codes[ranked[:-1]]
        return cls(ranked, begins, table.n_rows)

    def before(self, offset: int) -> np.ndarray:
        """For every row the one so many places before it, −1 where there is none.

        Parameters
        ----------
        offset : int
            Number of places; below zero, the row comes after it.

        Returns
        -------
        ndarray of int, shape (n_rows,)
            Positions.
        """
        at = np.arange(len(self.ranked))
        # as far as rows go; no row is farther
        there = at - max(-len(at), min(len(at), offset))
        inside = (there >= 0) & (there < len(at))
        there = np.where(inside, there, 0)
        # rows of one group have the same first one
        inside &= self._first[there] == self._first
        return self._placed(np.where(inside, self.ranked[there], -1))

    def last(self, among: np.ndarray) -> np.ndarray:
        """For every row the last one before it that a mask names, −1 where there is none.

        Parameters
        ----------
        among : ndarray of bool, shape (n_rows,)
            The rows.

        Returns
        -------
        ndarray of int, shape (n_rows,)
            Positions, of rows of the same group.
        """
        named = np.where(among[self.ranked], np.arange(len(self.ranked)), -1)
        found = np.full(len(named), -1)
        found[1:] = np.maximum.accumulate(named)[:-1]
        inside = found >= self._first
        return self._placed(np.where(inside, self.ranked[found], -1))

    def _placed(self, values: np.ndarray) -> np.ndarray:
        """Values of the rows that have a place as values of all rows."""
        out = np.full(self.n_rows, -1)
        out[self.ranked] = values
        return out


class AlongRows(FeatureCorruption):
    """Base of errors that take values from rows before; a subclass has `order` and `group`."""

    _is_base = True
    _draws_values = False
    order: Any
    group: ColumnLabels | None

    def _order(self, table: Table) -> RowOrder:
        # every column that is struck asks for it
        key = RowOrder, tuple(_one(table, self.order)), tuple(_several(table, self.group))
        if key not in table.worked_out:
            table.worked_out[key] = RowOrder.of(table, self.order, self.group)
        found: RowOrder = table.worked_out[key]
        return found

    def _learn(self, table: Table, target: Target | None) -> Reference:
        # what cannot be put in order is refused before anything is struck
        self._order(table)
        return super()._learn(table, target)

    def _unnamed_columns(self, table: Table) -> list[int]:
        by = {*_one(table, self.order), *_several(table, self.group)}
        return [j for j in super()._unnamed_columns(table) if j not in by]

    def _also_read(self, columns: Sequence[str]) -> list[str]:
        given = [] if self.order is None else [self.order]
        if self.group is not None:
            given += self.group if isinstance(self.group, list) else [self.group]
        return [str(label) for label in given]


def column_codes(table: Table, j: int) -> np.ndarray:
    """A column as codes of its distinct values, −1 where missing, shape (n_rows,)."""
    return _codes(table, j)[0]


def _one(table: Table, order: Any) -> list[int]:
    """The position of the column that rows are ordered by, if there is one."""
    found = [] if order is None else resolve_columns(table, order, parameter="order")
    if len(found) > 1:
        raise ValueError(
            f"order={order!r} names {len(found)} columns; rows are put in order by one. Pass its "
            "label, and group= for columns within whose values the order starts anew."
        )
    return found


def _several(table: Table, group: ColumnLabels | None) -> list[int]:
    return [] if group is None else resolve_columns(table, group, parameter="group")


def _codes(table: Table, j: int) -> tuple[np.ndarray, np.ndarray]:
    try:
        return pd.factorize(table.values(j))
    except TypeError:
        raise ValueError(unhashable(table.labels[j])) from None


def _ranks(table: Table, j: int) -> np.ndarray:
    """Ranks of the values of a column, equal ones alike, −1 where missing."""
    codes, distinct = _codes(table, j)
    ordered = table.categories(j)
    if ordered is not None:
        position = {value: i for i, value in enumerate(ordered)}
        rank = np.array([position[value] for value in distinct.tolist()], dtype=np.intp)
    else:
        try:
            sorted_first = np.argsort(distinct, kind="stable")
        except TypeError:
            raise ValueError(
                f"order={table.labels[j]!r} holds values that cannot be sorted, such as numbers "
                "among texts; convert the column to one type."
            ) from None
        rank = np.empty(len(distinct), dtype=np.intp)
        rank[sorted_first] = np.arange(len(distinct))
    return np.append(rank, -1)[codes]
