"""The different people of a table that is read in parts, each with how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from skcorrupt.utils import Source
from skcorrupt.utils._typing import TableLike

# names that no table has, for where a person is met first, and for how many there are
FIRST, TIMES = "\0first", "\0times"


class DifferentPeople(NamedTuple):
    """People who differ in a column of the action set, in the order in which they are met.

    Attributes
    ----------
    X : table of shape (n_different, n_features)
        The people, as models are given them.
    frame : polars DataFrame of shape (n_different, n_features)
        The same as they were read.
    first : ndarray of int, shape (n_different,)
        The position in the table at which each is met first.
    times : ndarray of int, shape (n_different,)
        How often each is met.
    """

    X: TableLike
    frame: Any
    first: np.ndarray
    times: np.ndarray

    @classmethod
    def of(cls, source: Source, columns: Sequence[str], n_jobs: int | None) -> DifferentPeople:
        """Those of a table.

        Parameters
        ----------
        source : Source
            The table.
        columns : sequence of str
            The columns of the action set.
        n_jobs : int or None
            Number of workers.

        Returns
        -------
        DifferentPeople
            All of them.

        Raises
        ------
        ValueError
            If the table lacks a column, or has no fixed order of rows.
        """
        wrong = [name for name in columns if name not in source.schema]
        if wrong:
            raise ValueError(
                f"{source.name} has no column {wrong[0]!r}; its columns are: "
                f"{', '.join(source.schema)}."
            )
        if not source.ordered:
            raise ValueError(
                f"{source.name} gives its rows in no fixed order, so that nothing tells whose "
                "results are whose; write it to Parquet, and pass the file."
            )
        gather = _Gather([*columns])
        people = gather.joined_up(source.stream(gather, columns, n_jobs=n_jobs))
        if people is None:
            raise ValueError(f"{source.name} has no rows; pass people to audit.")
        frame = people.select(columns)
        first, times = (people[name].to_numpy().astype(np.int64) for name in (FIRST, TIMES))
        return cls(source.handed_out(frame), frame, first, times)


@dataclass
class _Gather:
    """The different people of a part, in the order in which they come."""

    columns: list[str]

    def __call__(self, frame: Any, first: int) -> Any:
        import polars as pl

        numbered = frame.select(self.columns).with_row_index(FIRST, offset=first)
        return self.joined([numbered.with_columns(pl.lit(1, pl.UInt32).alias(TIMES))])

    def joined(self, frames: Sequence[Any]) -> Any:
        """Those of several parts."""
        import polars as pl

        people = pl.concat(frames).group_by(self.columns, maintain_order=True)
        return people.agg(pl.col(FIRST).min().cast(pl.UInt32), pl.col(TIMES).sum())

    def joined_up(self, parts: Iterator[Any]) -> Any:
        """Those of all parts, of which no more are held than a few times the different people."""
        held: list[Any] = []
        for part in parts:
            held.append(part)
            if len(held) > 1 and sum(each.height for each in held[1:]) > held[0].height:
                held = [self.joined(held)]
        return self.joined(held).sort(FIRST) if held else None
