"""The area under the ROC curve without the checks that take longer than the area."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer, roc_auc_score

from skcorrupt.utils import Target
from skcorrupt.utils._compat import scorer_parts
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._ranks import area_under_roc
from ._row_score import asked

MADE_BY_SKLEARN = type(get_scorer("roc_auc"))


def asks_once(scorer: Callable[..., Any]) -> bool:
    """Whether a scorer asks a model about the rows it is given, and about no others.

    Parameters
    ----------
    scorer : callable
        `scorer(estimator, X, y)`.

    Returns
    -------
    bool
        True of those that `make_scorer` made.
    """
    return type(scorer) is MADE_BY_SKLEARN


def quick_score(
    scorer: Callable[..., Any], model: Any, X: TableLike, y: ColumnLike | None
) -> float | None:
    """A score of scikit-learn's, to within rounding, in less time.

    Parameters
    ----------
    scorer : callable
        `scorer(estimator, X, y)`.
    model : fitted estimator
        What is scored.
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.

    Returns
    -------
    float or None
        The area under the ROC curve of two classes; None for other scores, and where the scorer
        has something to say of the labels or of what the model answers.
    """
    if y is None or not asks_once(scorer):
        return None
    parts = scorer_parts(scorer)
    if parts is None or parts[:3] != (roc_auc_score, 1, {}):
        return None
    labels = Target(y).values
    if labels.ndim != 1 or labels.dtype.kind not in "biUSO":
        return None
    try:
        classes = np.unique(labels)
    except TypeError:
        return None
    if len(classes) != 2:
        return None
    answers = np.asarray(asked(scorer, y)(model, X))
    if answers.shape != labels.shape or answers.dtype.kind != "f" or not np.isfinite(answers).all():
        return None
    return area_under_roc(labels == classes[1])(answers)
