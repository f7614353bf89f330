"""Batches of rows with an error, and which checks alarm on them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.adversarial.serving import resamples, suits_rows
from skcorrupt.base import BaseCorruption, FeatureCorruption, strike_count
from skcorrupt.checks import BaseCheck
from skcorrupt.evaluation import reseeded, take_rows
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import Table, as_table, resolve_columns
from skcorrupt.utils._typing import ColumnLike

Watchers = Sequence[tuple[str, BaseCheck]]


def alarms_on(
    error: BaseCorruption | None,
    watchers: Watchers,
    table: Table,
    y: ColumnLike | None,
    drawn: Sequence[np.ndarray],
) -> np.ndarray:
    """Which check alarms on which batch.

    Parameters
    ----------
    error : BaseCorruption or None
        What strikes every batch, at its rate; None is nothing.
    watchers : sequence of (str, BaseCheck)
        Fitted checks.
    table : Table
        Clean rows.
    y : array-like of shape (n_samples,) or None
        Their labels.
    drawn : sequence of ndarray of int
        Rows of each batch.

    Returns
    -------
    ndarray of bool, shape (n_checks, n_batches)
        Whether there is an alarm.

    Raises
    ------
    ValueError
        If the error cannot strike these rows.
    """
    if error is None:
        return _look(watchers, table, drawn)
    with warnings.catch_warnings():
        # a batch may hold no row that can be struck
        warnings.simplefilter("ignore", UserWarning)
        try:
            joined = _all_struck(error, table)
            if joined is not None:
                return _look(watchers, joined, _struck_rows(error, table, y, drawn))
            batches = _one_by_one(error, table, y, drawn)
        except ValueError as refused:
            if y is not None:
                raise
            raise ValueError(
                f"{error!r} cannot strike rows without labels ({refused}); pass y_reference."
            ) from refused
    joined = _joined(batches)
    if joined is None:
        return np.array([[not check.passes(batch) for batch in batches] for _, check in watchers])
    ends = np.cumsum([as_table(batch).n_rows for batch in batches])
    return _look(watchers, joined, np.split(np.arange(joined.n_rows), ends[:-1]))


def _look(watchers: Watchers, table: Table, rows: Sequence[np.ndarray]) -> np.ndarray:
    """Which check alarms on which rows of a table, batches of one length at once."""
    lengths = np.array([len(own) for own in rows])
    alarms = np.zeros((len(watchers), len(rows)), dtype=bool)
    for length in np.unique(lengths):
        at = np.flatnonzero(lengths == length).tolist()
        places = np.array([rows[i] for i in at])
        for k, (_, check) in enumerate(watchers):
            alarms[k, at] = check._alarms(table, places)
    return alarms


def _all_struck(error: BaseCorruption, table: Table) -> Table | None:
    """Clean rows, and below them the same rows struck, where an error needs no other rows.

    None where it has to be made batch by batch.
    """
    if table.container not in ("pandas", "numpy"):
        return None
    if resamples(error):
        return table
    cells = isinstance(error, FeatureCorruption) and suits_rows(error) and error._reads == "row"
    if not cells or error.when != "fit":
        return None
    every = reseeded(error, 0).set_params(rate=1.0, pattern=None)
    return _joined([table.source, every.fit(table.source).corrupt(table.source).X])


def _struck_rows(
    error: BaseCorruption, table: Table, y: ColumnLike | None, drawn: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Where the rows of every batch stand in the joined table, once some of them are struck."""
    matched = as_pattern(error.pattern).labelled(table).mask(table.source, y)
    sampled, rate = resamples(error), float(error._rate)
    if isinstance(error, FeatureCorruption):
        named = error.columns is not None
        hit = resolve_columns(table, error.columns) if named else error._applicable_columns(table)
        able = error._able(table, [*hit], None)
        matched = matched if able is None else matched & able
    rng, served = np.random.default_rng(0), []
    for rows in drawn:
        some = rng.permutation(np.flatnonzero(matched[rows]))
        some = some[: strike_count(rate, len(some))]
        if sampled == "selection":
            # a selection that leaves nothing is refused, and so no batch is without rows
            served.append(np.delete(rows, some[: len(rows) - 1]))
        elif sampled:
            served.append(np.append(rows, rows[some]))
        else:
            below = rows.copy()
            below[some] += table.n_rows
            served.append(below)
    return served


def _one_by_one(
    error: BaseCorruption, table: Table, y: ColumnLike | None, drawn: Sequence[np.ndarray]
) -> list[Any]:
    """Batches with an error, each made by itself."""
    made, found = reseeded(error, 0).fit(table.source, y), []
    for i, rows in enumerate(drawn):
        labels = None if y is None else take_rows(y, rows)
        made.set_params(random_state=i)
        found.append(made.corrupt(table.take(rows), labels).X)
    return found


def _joined(batches: list[Any]) -> Table | None:
    """Batches below one another, None where that is not to be had."""
    if all(isinstance(batch, pd.DataFrame) for batch in batches):
        return as_table(pd.concat(batches, ignore_index=True))
    if all(isinstance(batch, np.ndarray) for batch in batches):
        return as_table(np.concatenate(batches))
    if all(as_table(batch).container == "polars" for batch in batches):
        import polars

        return as_table(polars.concat(batches, how="vertical_relaxed"))
    return None
