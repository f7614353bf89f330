"""A sample of a table that is read in parts, for what needs its rows in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skcorrupt.base._noise import Noise
from skcorrupt.base._strike import smallest
from skcorrupt.utils import HeldRows, Unread, as_source, as_table, draw_seed, warn
from skcorrupt.utils._typing import RandomState

# rows that are drawn of a table with more of them
MOST_ROWS = 100_000


def rows_in_memory(
    X: Any, y: Any, random_state: RandomState, given: Mapping[str, Any] | None = None
) -> tuple[Any, Any]:
    """Rows and labels in memory: a sample of a table that is read in parts, all else as it is.

    Parameters
    ----------
    X : table
        In memory or read in parts.
    y : array-like or str or None
        Labels, of a table in parts the name of their column.
    random_state : None, int, RandomState or Generator
        Seed of the sample.
    given : mapping or None, default=None
        What else goes along with rows, by name, None where it does not.

    Returns
    -------
    X, y : table and labels
        Of a table in parts at most 100,000 rows, those with the smallest draws, in their order: the
        same ones however the table is cut.

    Raises
    ------
    ValueError
        If a part cannot be read, there is no such column, or arrays go along with the rows.

    Warns
    -----
    UserWarning
        If not all rows are taken, of how many.
    """
    source = as_source(X)
    if source is None:
        return X, y
    beside = [name for name, value in (given or {}).items() if value is not None]
    if beside:
        raise ValueError(
            f"{', '.join(beside)}: arrays of an entry for each row do not go with {source.name}, "
            "which is read in parts; leave them out, or pass a sample of the rows in memory."
        )
    source.features(y)
    try:
        rows = HeldRows.of(source, list(source.schema), [], None)
        some = rows.take(_drawn(rows.n_rows, random_state))
        frame = some.fetched()
    except Unread as stop:
        raise stop.args[0] from stop.args[0].__cause__
    if some.n_rows < rows.n_rows:
        again = "" if source.ordered else " As rows come in no fixed order, others are drawn again."
        warn(
            f"{source.name} has {rows.n_rows:,} rows, of which {some.n_rows:,} were drawn: what is "
            f"found rests on these.{again} For other ones, draw them yourself and pass them in "
            "memory."
        )
    if y is None:
        return frame, None
    labels = frame[y]
    is_polars = as_table(frame).container == "polars"
    return (frame.drop(y) if is_polars else frame.drop(columns=y)), labels


def _drawn(n_rows: int, random_state: RandomState) -> np.ndarray:
    """Positions of the rows that are drawn, in order."""
    if n_rows <= MOST_ROWS:
        return np.arange(n_rows)
    seed = draw_seed(random_state)
    return smallest(Noise(n_rows, seed, seed).rows(0), None, MOST_ROWS / n_rows)
