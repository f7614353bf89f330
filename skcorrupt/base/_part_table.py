"""Parts of a table that is not in memory as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.utils._frames import PolarsTable

from ._cuts import Cuts


@dataclass
class Part:
    """What rows are of a whole table.

    Attributes
    ----------
    first : int
        Position of the first row in the whole table.
    total : int
        Number of rows of the whole table.
    keys : ndarray of uint64, shape (n_rows,), or None
        Keys of the rows, where what they draw depends on these and not on their position.
    cuts : Cuts or None
        Which rows are struck; None where the part is the whole.
    """

    first: int
    total: int
    keys: np.ndarray | None = None
    cuts: Cuts | None = None


class PartTable(PolarsTable):
    """Rows of a table, with some of its columns, that are read as those of the whole would be.

    Parameters
    ----------
    frame : polars.DataFrame of shape (n_rows, n_present)
        The rows.
    labels : list of str
        All columns of the whole table, those that are absent here included.
    part : Part
        What the rows are of it.
    nullable : frozenset of str
        Columns of the whole table that have missing values somewhere.
    """

    def __init__(
        self, frame: Any, labels: Sequence[str], part: Part, nullable: frozenset[str]
    ) -> None:
        super().__init__(frame)
        self.labels = list(labels)
        self.n_rows, self.n_columns = frame.height, len(self.labels)
        self.part = part
        self._nullable = nullable

    def _series(self, j: int) -> Any:
        return self.source.get_column(self.labels[j])

    def _column(self, j: int) -> np.ndarray:
        series = self._series(j)
        if self.labels[j] not in self._nullable or series.null_count():
            return super()._column(j)
        # the whole column is read in another dtype where a value is missing
        alone = series.to_frame()
        return PolarsTable(alone.vstack(alone.clear(1)))._column(0)[:-1]
