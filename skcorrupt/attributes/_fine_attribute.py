"""An attribute at full resolution: any range of observed values, any set of categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.patterns import Condition
from skcorrupt.patterns._times import in_zone, with_dates
from skcorrupt.utils import Table, shortest_between

from ._levels import Levels, named_levels, sorted_levels

RANGED = ("integer", "real", "datetime", "timedelta")


@dataclass(frozen=True, eq=False)
class FineAttribute:
    """One column with every distinct value as a level of its own.

    Attributes
    ----------
    levels : Levels
        The distinct values, in order where they have one.
    kind : str
        What the column holds.
    zone : tzinfo or None
        Time zone of the column, of which the levels are the times of UTC.
    """

    levels: Levels
    kind: str
    zone: Any = None

    @classmethod
    def of(cls, table: Table, column: int) -> FineAttribute:
        """The attribute of a column.

        Parameters
        ----------
        table : Table
            The features.
        column : int
            Position of the column.

        Returns
        -------
        FineAttribute
            Its levels.
        """
        (values, kind, zone), missing = with_dates(table, column), table.missing(column)
        make = sorted_levels if kind in RANGED else named_levels
        return cls(make(values, missing), kind, zone)

    @property
    def ranged(self) -> bool:
        """Whether conditions are ranges rather than sets."""
        return self.kind in RANGED

    def matched(self, mask: np.ndarray) -> np.ndarray:
        """Which levels rows of a mask have, of shape (n_levels,)."""
        found = np.zeros(self.levels.n_levels, dtype=bool)
        codes = self.levels.codes[mask]
        found[codes[codes < len(found)]] = True
        return found

    def mask(self, chosen: np.ndarray) -> np.ndarray:
        """Rows whose level is among the chosen ones, of shape (n_samples,)."""
        return np.append(chosen, False)[self.levels.codes]

    def condition(self, chosen: np.ndarray) -> Condition:
        """The condition that holds on the chosen levels and on no other.

        Parameters
        ----------
        chosen : ndarray of bool, shape (n_levels,)
            Some levels but not all; of a range, neighbours.

        Returns
        -------
        Condition
            Bounds, open where a short number lies between two values, or the categories.
        """
        values, places, zone = self.levels.values, np.flatnonzero(chosen), self.zone
        first, last = int(places[0]), int(places[-1])
        if not self.ranged or first == last:
            return Condition(one_of=[plain(value, zone) for value in values[chosen]])
        bounds: dict[str, Any] = {}
        real = values.dtype.kind == "f"
        if first and real:
            bounds["gt"] = shortest_between(values[first - 1], values[first])
        elif first:
            bounds["ge"] = plain(values[first], zone)
        if last < len(values) - 1:
            upper = shortest_between(values[last], values[last + 1]) if real else values[last]
            bounds["le"] = plain(upper, zone)
        return Condition(**bounds)


def plain(value: Any, zone: Any = None) -> Any:
    """A value as Python has it, floats as they are, times of UTC in the zone of their column."""
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return value if zone is None else in_zone(value, zone)
    return value.item() if isinstance(value, np.generic) and value.dtype.kind != "f" else value
