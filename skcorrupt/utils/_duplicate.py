"""Copies of data for those who may write to it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

# before pandas 3 a shallow copy shares what is changed in place
COPY_ON_WRITE = int(pd.__version__.split(".", maxsplit=1)[0]) >= 3


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
        return data.copy(deep=not COPY_ON_WRITE)
    if isinstance(data, np.ndarray) or sparse.issparse(data):
        return data.copy()
    return copy.copy(data)
