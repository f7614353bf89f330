"""Columns before and after actions, as constraints see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from ._action_element import ActionElement

Elements: TypeAlias = Mapping[str, ActionElement]
# values by column: of one person, or of rows that may agree in one number
Person: TypeAlias = Mapping[str, float]
Columns: TypeAlias = Mapping[str, Any]
Limits: TypeAlias = Mapping[str, tuple[float, float]]
# True where something holds in all rows
Where: TypeAlias = np.ndarray | bool


class People:
    """Columns of rows as numbers, categories as their position.

    Parameters
    ----------
    elements : mapping of str to ActionElement
        The columns there are.
    columns : mapping of str to ndarray of shape (n_rows,), or to a number
        Their values, a number where they are the same in every row.
    """

    def __init__(self, elements: Elements, columns: Columns) -> None:
        self.elements = elements
        self._columns = columns

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def equal(self, name: str, value: Any) -> Any:
        """Where a column has a value, which for a categorical one is a category."""
        return self._columns[name] == self.elements[name]._code(value)
