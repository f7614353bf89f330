"""True labels of the rows whose label is known."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import check_target


def known_labels(y: Any, weak: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """True labels, and which of them are known.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels; NaN or None where they are not known.
    weak : ndarray of shape (n_samples,)
        What stands in for labels that are not known.
    classes : ndarray of shape (n_classes,)
        Classes of the label model.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
        True labels where they are known, weak ones elsewhere.
    known : ndarray of bool, shape (n_samples,)
        Where they are known.

    Raises
    ------
    ValueError
        If no label is known, or none of them is among the classes.
    """
    target = check_target(y, len(weak))
    given = np.asarray(None if target is None else target.values)
    known = ~np.asarray(pd.isna(given))
    if not known.any():
        raise ValueError("y has no label; pass those that are known, and None for the others.")
    # without what is missing, numbers and texts are of their own kind again
    told = np.array(given[known].tolist())
    strange = ~np.isin(told, classes)
    said = (
        f"y has the labels {np.unique(told[strange]).tolist()[:10]}, but the label model has the "
        f"classes {classes.tolist()}"
    )
    if strange.all():
        raise ValueError(f"{said}; code them alike.")
    if strange.any():
        warnings.warn(
            f"{said}: weak labels are wrong in these {int(strange.sum())} rows, unless y is coded "
            "otherwise.",
            UserWarning,
            stacklevel=3,
        )
    labels = weak.astype(np.result_type(told, weak))
    labels[known] = told
    return labels, known
