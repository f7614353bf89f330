"""The cells of one column that an error strikes."""

from __future__ import annotations

from typing import Any

import numpy as np

from skcorrupt.utils import Table

from ._noise import Draws


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

    def __init__(self, table: Table, column: int, rows: np.ndarray, facts: Any, draws: Draws):
        self._table = table
        self._column = column
        self.rows = rows
        self.size = len(rows)
        self.facts = facts
        self.draws = draws

    @property
    def label(self) -> Any:
        """The column's label."""
        return self._table.labels[self._column]

    @property
    def kind(self) -> str:
        """What the column holds: bool, integer, real, datetime, timedelta or text."""
        return self._table.kind(self._column)

    @property
    def values(self) -> np.ndarray:
        """The cells' present values, shape (size,); a copy."""
        return self._table.values(self._column)[self.rows]
