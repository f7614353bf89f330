"""Labels that a classifier of our own learns from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from skcorrupt.utils import check_target


def class_labels(name: str, y: Any, n_rows: int) -> np.ndarray:
    """Labels of rows as an array.

    Parameters
    ----------
    name : str
        Name of the class that learns from them.
    y : array-like of shape (n_rows,)
        Labels.
    n_rows : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n_rows,)
        The labels.

    Raises
    ------
    ValueError
        If there are none, other than one a row, missing ones, or what no label is.
    """
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")
    check_target(y, n_rows)
    labels = column_or_1d(np.asarray(y), warn=True)
    missing = np.asarray(pd.isna(labels))
    if missing.any():
        raise ValueError(
            f"Input y contains NaN in {int(missing.sum())} of {n_rows} rows; drop these rows."
        )
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise ValueError("Input y contains infinity or a value too large; drop these rows.")
    check_classification_targets(labels)
    return labels
