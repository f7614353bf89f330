"""The checks that nearly every table can have."""

from __future__ import annotations

from collections.abc import Callable

from skcorrupt.utils._typing import TableLike

from ._base_check import BaseCheck
from ._drift import Drift
from ._known_categories import KnownCategories
from ._missing_share import MissingShare
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
    found = []
    for make in MAKERS:
        try:
            check = make(batch_size=batch_size).fit(X)
        except (ValueError, TypeError):
            # it is for columns that are not there
            continue
        if len(check.lines_):
            found.append(check)
    return found
