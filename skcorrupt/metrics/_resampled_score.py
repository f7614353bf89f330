"""Scores of rows that are drawn again and again, at the cost of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, roc_auc_score

from skcorrupt.utils import Target
from skcorrupt.utils._compat import scorer_parts
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._ranks import resampled_area
from ._row_score import CLOSE, asked


def resampled_score_of(
    scorer: Callable[..., Any], model: Any, X: TableLike, y: ColumnLike | None
) -> Callable[[np.ndarray], float] | None:
    """A score as a function of the rows that it is computed on.

    Parameters
    ----------
    scorer : callable
        `scorer(estimator, X, y)`.
    model : fitted estimator
        What is scored; it is asked for the rows once.
    X : table of shape (n_samples, n_features)
        All rows.
    y : array-like of shape (n_samples,) or None
        Their labels.

    Returns
    -------
    callable or None
        From the positions of rows, some of them repeatedly, to their score, NaN where there is
        none. It is known of the area under the ROC curve of two classes and of accuracy, as
        scikit-learn's checks of the labels take longer than the score, and None for others.
    """
    parts = scorer_parts(scorer)
    if parts is None or y is None:
        return None
    func, sign, kwargs, _ = parts
    if func not in (roc_auc_score, accuracy_score) or kwargs or sign != 1:
        return None
    try:
        labels, answers = Target(y).values, np.asarray(asked(scorer, y)(model, X))
        own = float(scorer(model, X, y))
    except Exception:
        # whatever a model raises is dealt with where it is asked for some rows
        return None
    if answers.ndim != 1 or len(answers) != len(labels):
        return None
    classes = np.unique(labels)
    if func is accuracy_score:
        found = _share((answers == labels).astype(float))
    elif len(classes) == 2 and not np.isnan(answers).any():
        found = resampled_area(labels == classes[1], answers)
    else:
        return None
    # a score of the user's may only look like one of scikit-learn's
    same = np.isclose(own, found(np.arange(len(labels))), rtol=CLOSE, atol=CLOSE)
    return found if same else None


def _share(right: np.ndarray) -> Callable[[np.ndarray], float]:
    return lambda rows: float(right[rows].mean())
