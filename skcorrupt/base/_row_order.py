"""Whether a table that is read again gives its rows in the order that they had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# odd numbers by which bits are spread (Steele, Lea and Flood, 2014, splitmix64)
_STEP, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_MODULUS = 2**64


@dataclass
class RowOrder:
    """A mark of rows in their order, which is a sum over rows, however they are cut into parts.

    Attributes
    ----------
    columns : sequence of str
        Columns that tell rows apart; without any, all orders are the same.
    mark : int
        That of the rows seen so far.
    """

    columns: Sequence[str]
    mark: int = 0

    def add(self, frame: Any, first: int) -> None:
        """Go on with a part.

        Parameters
        ----------
        frame : polars.DataFrame
            Its rows.
        first : int
            Position of the first of them.
        """
        self.join(order_mark(frame, self.columns, first))

    def join(self, mark: int) -> None:
        """Go on with the mark of a part."""
        self.mark = (self.mark + mark) % _MODULUS

    def check(self, counted: int | None, name: str) -> None:
        """Refuse rows in another order than those that were counted.

        Parameters
        ----------
        counted : int or None
            The mark of these; None where none was made.
        name : str
            What is read.

        Raises
        ------
        ValueError
            If it is another one.
        """
        if counted is not None and counted != self.mark:
            raise ValueError(
                f"{name} gives its rows in another order, or other rows, each time it is read, so "
                "that others would be struck than were counted. Pass key=, columns that tell all "
                "rows apart; or sort it; or write it to Parquet, as by sink_parquet, and pass the "
                "file."
            )


def order_mark(frame: Any, columns: Sequence[str], first: int) -> int:
    """The mark of a part.

    Parameters
    ----------
    frame : polars.DataFrame
        Its rows.
    columns : sequence of str
        Columns that tell rows apart.
    first : int
        Position of the first row.

    Returns
    -------
    int
        A number of 64 bits.
    """
    if not columns:
        return 0
    content = frame.select(columns).hash_rows(seed=0).to_numpy()
    place = np.arange(first, first + len(content), dtype=np.uint64) * _STEP
    mixed = (content ^ place) * _SPREAD
    return int((mixed ^ (mixed >> np.uint64(31))).sum(dtype=np.uint64))
