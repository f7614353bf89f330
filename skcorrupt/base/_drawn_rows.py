"""Rows drawn from a table that is read in parts: the same ones however it is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.utils import Source
from skcorrupt.utils._frames import PolarsTable

from ._keys import keys_of_rows
from ._noise import noise_for
from ._part_table import Part
from ._survey_table import SurveyTable

# a share of the draws this many standard deviations above the share that is wanted is enough
_DEVIATIONS = 8


@dataclass(frozen=True)
class DrawnRows:
    """Some rows of a table, or all of them.

    Attributes
    ----------
    frame : polars.DataFrame
        The rows, in the order of the table, or of their keys where they have some.
    positions : ndarray of int, shape (n_drawn,), or None
        Where they stand in the table; None where rows have keys, and the table no order.
    n_rows : int
        Number of rows of the table.
    """

    frame: Any
    positions: np.ndarray | None
    n_rows: int

    @property
    def whole(self) -> bool:
        """Whether they are all rows of the table."""
        return bool(self.frame.height == self.n_rows)


@dataclass
class _Draw:
    """The rows of a part with draws up to a bound, their draws and positions."""

    seed: int
    key: Sequence[str]
    bound: float

    def __call__(self, frame: Any, first: int) -> tuple[Any, np.ndarray, np.ndarray, int]:
        table = PolarsTable(frame)
        keys = keys_of_rows(table, [table.labels.index(k) for k in self.key]) if self.key else None
        table.part = Part(first, 0, keys)
        draws = noise_for(table, self.seed, self.seed).rows(0)
        rows = np.flatnonzero(draws <= self.bound)
        return frame[rows], draws[rows], first + rows, frame.height


def drawn_rows(
    source: Source,
    columns: Sequence[str],
    size: int,
    seed: int,
    *,
    key: Sequence[str] = (),
    n_jobs: int | None = None,
) -> DrawnRows:
    """Rows of a table, of which so many are held at most.

    Every row draws a value, which depends on its position or on its key alone, and the rows with
    the smallest are taken, so that they are the same however the table is cut and whoever reads it.

    Parameters
    ----------
    source : Source
        The table.
    columns : sequence of str
        Columns that are read, keys among them.
    size : int
        Most rows.
    seed : int
        Seed of the draws.
    key : sequence of str, default=()
        Columns that tell all rows apart; none where their positions do.
    n_jobs : int or None, default=None
        Number of workers.

    Returns
    -------
    DrawnRows
        All rows, where there are no more of them.

    Raises
    ------
    ValueError
        If there are no rows, or two of them share a key.
    """
    n_rows = SurveyTable(source, columns, (), exact_kinds=False, n_jobs=n_jobs).n_rows
    if not n_rows:
        raise ValueError(f"{source.name} has no rows.")
    share = size / n_rows
    bound = share + _DEVIATIONS * np.sqrt(share / n_rows)
    while True:
        parts = source.run(_Draw(seed, key, bound), columns, n_jobs=n_jobs)
        draws = np.concatenate([part[1] for part in parts])
        if bound >= 1 or len(draws) > size:
            break
        bound = 2 * bound
    found = sum(part[3] for part in parts)
    if found != n_rows:
        raise ValueError(
            f"{source.name} gave {n_rows} rows when they were counted, and {found} now; it should "
            "give the same rows each time."
        )
    return _smallest(parts, draws, min(size, n_rows), n_rows, key)


def _smallest(
    parts: list[Any], draws: np.ndarray, size: int, n_rows: int, key: Sequence[str]
) -> DrawnRows:
    """The rows with the smallest draws, in their order."""
    import polars as pl

    frame = pl.concat([part[0] for part in parts])
    if key:
        twice = frame.filter(frame.select(key).is_duplicated())
        if twice.height:
            raise ValueError(
                f"key={list(key)!r}: {twice.height} of {frame.height} rows share theirs, such as "
                f"{twice.select(key).row(0)!r}. Pass columns that together tell all rows apart."
            )
    positions = np.concatenate([part[2] for part in parts])
    chosen = np.sort(np.lexsort((positions, draws))[:size])
    taken = frame[chosen]
    return DrawnRows(
        taken.sort(list(key)) if key else taken, None if key else positions[chosen], n_rows
    )
