"""Scores without the checks that take longer than the score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    get_scorer,
    roc_auc_score,
)
from sklearn.pipeline import Pipeline

from skcorrupt.utils import Target
from skcorrupt.utils._compat import is_own_score, scorer_parts
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
        The area under the ROC curve of two classes, accuracy or balanced accuracy; None for other
        scores, and where the scorer has something to say of the labels or of what the model
        answers.
    """
    metric = _metric_of(scorer, model)
    if y is None or metric is None:
        return None
    try:
        labels = Target(y).values
        classes = np.unique(labels)
    except (TypeError, ValueError):
        # such as several labels for each row
        return None
    if labels.dtype.kind not in "biUSO" or (labels.dtype.kind != "O" and _are_objects(y)):
        return None
    if not is_own_score(scorer):
        return QUICK[metric](labels, classes, lambda: np.asarray(asked(scorer, y)(model, X)))
    answers: list[Any] = []

    def predicted() -> np.ndarray:
        answers.append(model.predict(X))
        return np.asarray(answers[0])

    found = QUICK[metric](labels, classes, predicted)
    # a model is asked once, whatever its answers are
    return float(accuracy_score(y, answers[0])) if found is None and answers else found


def _are_objects(y: ColumnLike) -> bool:
    """Whether scikit-learn sees labels of whatever type."""
    return np.asarray(y).dtype.kind == "O"


def _metric_of(scorer: Callable[..., Any], model: Any) -> Any:
    """The metric of a scorer, None where it is none of the quick ones."""
    if is_own_score(scorer):
        return accuracy_score if _scores_accuracy(model) else None
    parts = scorer_parts(scorer) if asks_once(scorer) else None
    return parts[0] if parts is not None and parts[0] in QUICK and parts[1:3] == (1, {}) else None


def _scores_accuracy(model: Any) -> bool:
    """Whether the `score` of a model is that which scikit-learn gives to classifiers."""
    if "score" in vars(getattr(model, "_estimator", model)):
        return False
    # a view of a model has its class
    kind = model.__class__
    if kind is Pipeline:
        return len(model.steps) > 0 and _scores_accuracy(model.steps[-1][1])
    return getattr(kind, "score", None) is ClassifierMixin.score


def _area(labels: np.ndarray, classes: np.ndarray, ask: Callable[[], np.ndarray]) -> float | None:
    if len(classes) != 2:
        return None
    answers = ask()
    if answers.shape != labels.shape or answers.dtype.kind != "f" or not np.isfinite(answers).all():
        return None
    return area_under_roc(labels == classes[1])(answers)


def _right(
    labels: np.ndarray, classes: np.ndarray, ask: Callable[[], np.ndarray]
) -> np.ndarray | None:
    """Which answers are right, None where they might be other than the labels' classes."""
    if len(classes) < 2 or not _is_plain(labels):
        return None
    answers = ask()
    kinds = {answers.dtype.kind, labels.dtype.kind}
    if answers.shape != labels.shape or (len(kinds) > 1 and kinds != {"U", "O"}):
        return None
    if not _is_plain(answers) or not set(answers.tolist()) <= set(classes.tolist()):
        return None
    return answers == labels


def _is_plain(labels: np.ndarray) -> bool:
    """Whether there are texts, numbers or truth values alone."""
    return labels.dtype.kind != "O" or pd.api.types.infer_dtype(labels, skipna=False) == "string"


def _accuracy(
    labels: np.ndarray, classes: np.ndarray, ask: Callable[[], np.ndarray]
) -> float | None:
    right = _right(labels, classes, ask)
    return None if right is None else float(right.mean())


def _balanced(
    labels: np.ndarray, classes: np.ndarray, ask: Callable[[], np.ndarray]
) -> float | None:
    right = _right(labels, classes, ask)
    if right is None:
        return None
    return float(np.mean([right[labels == c].mean() for c in classes]))


QUICK: dict[Any, Callable[..., float | None]] = {
    roc_auc_score: _area,
    accuracy_score: _accuracy,
    balanced_accuracy_score: _balanced,
}
