"""Joint values of which some lead to others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcorrupt.utils import Reader

from ._constraint import Constraint
from ._people import Elements, People, Person


class Reachability(Constraint):
    """Some columns take listed joint values, of which each leads to some others.

    Parameters
    ----------
    columns : sequence of str
        The columns.
    values : sequence of sequence
        Joint values of the columns, a row each.
    matrix : array-like of shape (n_values, n_values)
        `matrix[i][j]` says whether the i-th row leads to the j-th. The diagonal counts as true,
        because doing nothing is always possible.

    Examples
    --------
    >>> from skcorrupt.responsiveness import Reachability
    >>> Reachability(["abuser", "treated"], [[1, 0], [1, 1]], [[1, 1], [0, 1]])
    Reachability(columns=['abuser', 'treated'], values=[[1, 0], [1, 1]], matrix=[[1, 1], [0, 1]])
    """

    def __init__(
        self, columns: Sequence[str], values: Sequence[Sequence[Any]], matrix: ArrayLike
    ) -> None:
        self.columns = Reader(columns, "columns").name_or_names()
        what = f"rows of a value for each of {list(self.columns)}"
        rows = [row.items(what) for row in Reader(values, "values").items(what)]
        self.values = [[_plain(value.scalar()) for value in row] for row in rows]
        leads = Reader(matrix, "matrix")
        found = leads.array((2,), "rows of 0 and 1")
        if not np.isin(found, (0, 1)).all():
            leads.refuse("rows of 0 and 1")
        self.matrix = found.astype(int)
        if not self.values or any(len(row) != len(self.columns) for row in self.values):
            Reader(values, "values").refuse(what)
        if len({tuple(map(repr, row)) for row in self.values}) < len(self.values):
            raise ValueError(f"values={values!r} has rows that are the same; list each once.")
        if self.matrix.shape != (len(self.values), len(self.values)):
            raise ValueError(
                f"matrix has shape {self.matrix.shape}; it should have a row and a column for each "
                f"of the {len(self.values)} rows of values."
            )

    def _check(self, elements: Elements) -> None:
        super()._check(elements)
        self._codes(elements)

    def _codes(self, elements: Elements) -> np.ndarray:
        """The listed values as numbers, by what the columns are now."""
        rows = [
            [elements[name]._code(value) for name, value in zip(self.columns, row, strict=True)]
            for row in self.values
        ]
        return np.array(rows)

    def _positions(self, people: People) -> np.ndarray:
        """Which of the listed rows each row is, −1 for none."""
        rows = np.column_stack(np.broadcast_arrays(*(people[name] for name in self.columns)))
        codes = self._codes(people.elements)
        same = (rows[:, np.newaxis, :] == codes[np.newaxis]).all(axis=2)
        return np.where(same.any(axis=1), same.argmax(axis=1), -1)

    def _holds(self, before: People, after: People) -> Any:
        start, end = np.broadcast_arrays(self._positions(before), self._positions(after))
        known = (start >= 0) & (end >= 0)
        return known & ((self.matrix[start, end] == 1) | (start == end))

    def _table(self, present: Person, elements: Elements) -> np.ndarray | None:
        here = np.array([present[name] for name in self.columns])
        codes = self._codes(elements)
        start = np.flatnonzero((codes == here).all(axis=1))
        if not len(start):
            return codes[:0]
        leads = self.matrix[start[0]] == 1
        leads[start[0]] = True
        return codes[leads]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
