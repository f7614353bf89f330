"""Columns that say which thresholds a value has passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from skcorrupt.utils import Reader

from ._action_element import DIRECTIONS
from ._binary_columns import _BinaryColumns
from ._people import Elements, People, Person


class Thermometer(_BinaryColumns):
    """Columns of 0 and 1 that are 1 up to some threshold and 0 above it.

    Parameters
    ----------
    columns : sequence of str
        The columns, that of the lowest threshold first.
    direction : {"increase", "decrease", "both"}, default="increase"
        Where an action can lead the number of thresholds passed.

    Examples
    --------
    >>> from skcorrupt.responsiveness import Thermometer
    >>> Thermometer(["savings", "savings_over_100"])
    Thermometer(columns=['savings', 'savings_over_100'], direction='increase')
    """

    def __init__(
        self,
        columns: Sequence[str],
        direction: Literal["increase", "decrease", "both"] = "increase",
    ) -> None:
        super().__init__(columns)
        self.direction = Reader(direction, "direction").one_of(DIRECTIONS)

    def _holds(self, before: People, after: People) -> Any:
        kept = True
        for lower, higher in zip(self.columns, self.columns[1:], strict=False):
            kept = kept & (after[lower] >= after[higher])
        old, new = (sum(people[name] for name in self.columns) for people in (before, after))
        if self.direction == "increase":
            return kept & (new >= old)
        return kept & (new <= old) if self.direction == "decrease" else kept

    def _table(self, present: Person, elements: Elements) -> np.ndarray | None:
        n = len(self.columns)
        table = np.tri(n + 1, n, -1)
        level = sum(present[name] for name in self.columns)
        if self.direction == "increase":
            return table[int(level) :]
        return table[: int(level) + 1] if self.direction == "decrease" else table
