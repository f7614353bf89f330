"""Provenance of a corruption of a table that is read in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True, eq=False)
class PartitionedRecord:
    """What a corruption changes in a table that is read in parts.

    Attributes
    ----------
    n_matched : int
        Input rows that the pattern matched and the error could strike.
    n_samples_in : int
        Number of input rows.
    seed : int
        The seed that makes the same draw again, as `random_state`.
    feature_names : tuple of str
        The columns of features.

    See Also
    --------
    CorruptionRecord : That of a table in memory.

    Examples
    --------
    >>> import polars as pl
    >>> from skcorrupt import CorruptMissing
    >>> X = pl.DataFrame({"age": [20, 30, 40, 50]}).lazy()
    >>> record = CorruptMissing("age", rate=0.5, random_state=0).corrupt(X).record
    >>> record.n_matched, record.n_corrupted, record.row_fraction
    (4, 2, 0.5)
    """

    n_matched: int
    n_samples_in: int
    seed: int
    feature_names: tuple[str, ...]
    _events: Callable[[], Any] = field(repr=False)
    _count: Callable[[], int] = field(repr=False)

    @cached_property
    def n_corrupted(self) -> int:
        """Input rows struck or dropped; where several parts of an error strike, read from X."""
        return self._count()

    @property
    def row_fraction(self) -> float:
        """`n_corrupted` over the number of input rows."""
        return self.n_corrupted / self.n_samples_in

    def to_lazy(self) -> Any:
        """Every struck cell and label and every dropped row as a row of a lazy frame.

        Returns
        -------
        polars.LazyFrame
            Columns `event` ("cell", "label" or "dropped"), `source` (input row, or the key
            columns of a table with `key=`), `column` (None for dropped rows) and `from_row`
            (whether the value was made of those of the same row). Write it by
            `sink_parquet(path)`.
        """
        return self._events()
