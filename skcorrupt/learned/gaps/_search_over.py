"""The columns, and the label, that may explain where something strikes."""

from __future__ import annotations

import numpy as np

from skcorrupt.base._driver import Driver
from skcorrupt.utils import Table, Target

from ._gap_attribute import column_attribute, label_attribute
from ._gap_search import GapSearch

_SCALES = ("integer", "real", "datetime", "timedelta")


def search_over(table: Table, target: Target | None, max_conditions: int, n_bins: int) -> GapSearch:
    """A search over all columns that tell rows apart, and the label.

    Parameters
    ----------
    table : Table
        The data.
    target : Target or None
        Labels.
    max_conditions : int
        Most conditions of a pattern, and most columns of a mechanism.
    n_bins : int
        Quantile bins at which bounds are tried first.

    Returns
    -------
    GapSearch
        The search.
    """
    attributes, scales = [], {}
    for j in range(table.n_columns):
        attribute = column_attribute(table, j, n_bins)
        if attribute is None:
            continue
        attributes.append(attribute)
        # two values or names are said better by a pattern
        if attribute.n_levels > 2 and table.kind(j) in _SCALES:
            driver = Driver(table, j)
            if not driver.is_constant:
                scales[j] = driver.standardised(table, absent=np.nan)
    label = None if target is None else label_attribute(target, n_bins)
    if label is not None:
        attributes.append(label)
    return GapSearch(attributes, scales, table.n_rows, max_conditions)
