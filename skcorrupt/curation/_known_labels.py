"""True labels of the rows whose label is known."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils import as_column, distinct_labels
from skcorrupt.utils._columns import fits_integer
from skcorrupt.utils._typing import ColumnLike
from skcorrupt.utils._warn import warn

from ._votes import ABSTAIN


def known_labels(
    y: ColumnLike, weak: np.ndarray, classes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
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
    # a list may mix numbers with whatever stands for what is not known
    listed = isinstance(y, (list, tuple))
    given = as_column(pd.Series(y, dtype=object) if listed else y, "y")
    known = ~np.asarray(pd.isna(given))
    if not known.any():
        raise ValueError("y has no label; pass those that are known, and None for the others.")
    distinct_labels(given)
    # without what is missing, numbers and texts are of their own kind again
    told = np.array(given[known].tolist())
    if told.dtype.kind == "O":
        kinds = sorted({type(label).__name__ for label in told})
        raise ValueError(
            f"y holds labels of the types {', '.join(kinds)}; code them as the classes of the "
            f"label model, {classes.tolist()}."
        )
    numbers = told.dtype.kind in "iuf" and weak.dtype.kind in "iu"
    if numbers and fits_integer(told, weak.dtype):
        told = told.astype(weak.dtype)
    if numbers and (told == ABSTAIN).any() and ABSTAIN not in classes:
        raise ValueError(
            f"y holds {ABSTAIN}, which in votes is an abstention; put NaN or None where the label "
            "is not known."
        )
    check_labels("y has the labels", told, classes, "weak labels are wrong", "y is")
    labels = weak.astype(np.result_type(told, weak))
    labels[known] = told
    return labels, known


def check_labels(
    said: str, labels: np.ndarray, classes: np.ndarray, wrong: str, whose: str
) -> None:
    """Refuse labels of which none is a class, and warn where some are not.

    Parameters
    ----------
    said : str
        Who has them, to begin the message.
    labels : ndarray of shape (n_labels,)
        The labels.
    classes : ndarray of shape (n_classes,)
        Classes of the label model.
    wrong, whose : str
        What follows, and what may be coded otherwise, to end it.
    """
    strange = ~np.isin(labels, classes)
    if not strange.any():
        return
    said = (
        f"{said} {np.unique(labels[strange]).tolist()[:10]}, but the label model has the classes "
        f"{classes.tolist()}"
    )
    if strange.all():
        raise ValueError(f"{said}; code them alike.")
    warn(f"{said}: {wrong} in these {int(strange.sum())} rows, unless {whose} coded otherwise.")
