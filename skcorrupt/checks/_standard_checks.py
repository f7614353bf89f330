"""The checks that nearly every table can have."""

from __future__ import annotations

from collections.abc import Callable

from skcorrupt.utils._typing import TableLike

from ._base_check import BaseCheck
from ._drift import Drift
from ._known_categories import KnownCategories
from ._missing_share import MissingShare
from ._row_count import RowCount
from ._segment_share import SegmentShare
from ._unique_keys import UniqueKeys
from ._value_range import ValueRange

MAKERS: tuple[Callable[..., BaseCheck], ...] = (MissingShare, ValueRange, KnownCategories, Drift)


def standard_checks(X: TableLike, batch_size: int) -> list[BaseCheck]:
    """Checks of gaps, ranges, categories and drift, fitted, those that have something to watch.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Reference rows.
    batch_size : int
        Rows of a batch.

    Returns
    -------
    list of BaseCheck
        Up to four.
    """
    return _fitted(MAKERS, X, batch_size)


def all_checks(X: TableLike, batch_size: int) -> list[BaseCheck]:
    """The same and those of segments, keys and the number of rows.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Reference rows.
    batch_size : int
        Rows of a batch.

    Returns
    -------
    list of BaseCheck
        Up to seven.
    """
    return _fitted((*MAKERS, SegmentShare, UniqueKeys, RowCount), X, batch_size)


def _fitted(
    makers: tuple[Callable[..., BaseCheck], ...], X: TableLike, batch_size: int
) -> list[BaseCheck]:
    found = []
    for make in makers:
        try:
            check = make(batch_size=batch_size).fit(X)
        except (ValueError, TypeError):
            # it is for columns that are not there
            continue
        if len(check.lines_):
            found.append(check)
    return found
