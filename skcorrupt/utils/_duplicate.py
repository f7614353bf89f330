"""Copies of data for those who may write to it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse


def duplicate(data: Any) -> Any:
    """A copy that may be changed in place.

    Parameters
    ----------
    data : table, array or None
        The data.

    Returns
    -------
    table, array or None
        What changes there does not change the data.
    """
    if isinstance(data, (pd.DataFrame, pd.Series)):
        # a shallow copy shares its arrays, and scikit-learn makes these writeable where it has to
        return data.copy(deep=True)
    if isinstance(data, np.ndarray):
        # sums of rows are rounded otherwise where columns lie otherwise
        return data.copy(order="K")
    if sparse.issparse(data):
        return data.copy()
    return copy.copy(data)
