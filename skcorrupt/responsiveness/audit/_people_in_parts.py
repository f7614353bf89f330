"""In which groups the people of a table are that is read in parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from skcorrupt.utils import Source

from ._different_people import TIMES

# names that no table has, for the place of a person among the different ones, and for a group
PERSON, GROUP = "\0person", "\0group"


class PeopleInParts(NamedTuple):
    """A table that is read in parts, with its different people.

    Attributes
    ----------
    source : Source
        The table.
    frame : polars DataFrame of shape (n_different, n_features)
        The people, as they were read.
    n_rows : int
        How many rows there are.
    n_jobs : int or None
        Number of workers that read it.
    """

    source: Source
    frame: Any
    n_rows: int
    n_jobs: int | None

    def grouped(self, by: str | np.ndarray) -> tuple[np.ndarray, Any, np.ndarray]:
        """In which groups the different people are, each once for each of these.

        Parameters
        ----------
        by : str or ndarray of shape (n_rows,)
            A column of the table, or a group for each of its rows.

        Returns
        -------
        people : ndarray of int, shape (n_pairs,)
            Places of people in `frame`, in order.
        groups : array-like of shape (n_pairs,)
            A group that each is in.
        times : ndarray of int, shape (n_pairs,)
            How many there are.

        Raises
        ------
        ValueError
            If the table has no such column, or other rows than before.
        """
        import polars as pl

        columns, codes, labels = [*self.frame.columns], None, None
        if not isinstance(by, str):
            codes, labels = pd.factorize(by, use_na_sentinel=False)
        elif by in self.source.schema:
            columns.append(by)
        else:
            raise ValueError(
                f"by={by!r} is not a column; the columns are {', '.join(self.source.schema)}."
            )
        job = _Grouped(self.frame.with_row_index(PERSON), columns[-1], codes)
        parts = self.source.run(job, columns, n_jobs=self.n_jobs)
        found = pl.concat(parts).group_by(PERSON, GROUP, maintain_order=True).agg(pl.sum(TIMES))
        if found[PERSON].null_count() or found[TIMES].sum() != self.n_rows:
            raise ValueError(
                f"{self.source.name} has other rows than when it was read before; fit again, and "
                "where it changes, write it to files and pass these."
            )
        found = found.sort(PERSON, maintain_order=True)
        groups = found[GROUP].alias("").to_pandas() if labels is None else labels[found[GROUP]]
        people, times = (found[name].to_numpy().astype(np.int64) for name in (PERSON, TIMES))
        return people, groups, times


@dataclass
class _Grouped:
    """How many people of a part are in which group."""

    people: Any
    by: str
    codes: np.ndarray | None

    def __call__(self, frame: Any, first: int) -> Any:
        import polars as pl

        columns = [name for name in self.people.columns if name != PERSON]
        own = frame.get_column(self.by)
        if self.codes is not None:
            # rows that were not there before have none
            own = pl.Series(self.codes).slice(first, frame.height)
            own = own.extend_constant(None, frame.height - len(own))
        found = frame.select(columns).with_columns(own.alias(GROUP))
        met = found.join(self.people, on=columns, how="left", nulls_equal=True)
        counts = met.group_by(PERSON, GROUP, maintain_order=True)
        return counts.agg(pl.len().cast(pl.Int64).alias(TIMES))
