"""Scores of rows that are drawn again and again, at the cost of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import metrics

from skcorrupt.utils import Target
from skcorrupt.utils._compat import scorer_parts
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._class_counts import AVERAGES, CLASS_SCORES, ClassScore, averaged
from ._ranks import resampled_area
from ._row_metrics import ROW_METRICS
from ._row_score import CLOSE, asked

OfRows = Callable[[np.ndarray], float]


def resampled_score_of(
    scorer: Callable[..., Any], model: Any, X: TableLike, y: ColumnLike | None
) -> OfRows | None:
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
        none. It is known of the area under the ROC curve of two classes, the F1 score, precision
        and recall of two or of more, of accuracy, balanced accuracy, the logarithmic loss and the
        usual errors of numbers, as scikit-learn's checks of the labels take longer than the score,
        and None for others.
    """
    parts = scorer_parts(scorer)
    if parts is None or y is None:
        return None
    func, sign, kwargs, _ = parts
    if not (func in KNOWN and sign == 1) and not (func in MEANS and sign == -1):
        return None
    try:
        labels, answers = Target(y).values, np.asarray(asked(scorer, y)(model, X))
        own = float(scorer(model, X, y))
        if len(answers) != len(labels):
            return None
        if func in KNOWN:
            found = KNOWN[func](labels, answers, kwargs)
        else:
            found = _mean(func, labels, answers, kwargs, model)
    except Exception:
        # whatever a model raises is dealt with where it is asked for some rows
        return None
    if found is None:
        return None
    # a score of the user's may only look like one of scikit-learn's
    same = np.isclose(own, found(np.arange(len(labels))), rtol=CLOSE, atol=CLOSE)
    return found if same else None


def _area(y: np.ndarray, answers: np.ndarray, kwargs: dict[str, Any]) -> OfRows | None:
    classes = np.unique(y)
    if kwargs or answers.ndim != 1 or len(classes) != 2 or np.isnan(answers).any():
        return None
    return resampled_area(y == classes[1], answers)


def _accuracy(y: np.ndarray, answers: np.ndarray, kwargs: dict[str, Any]) -> OfRows | None:
    if kwargs or answers.ndim != 1:
        return None
    right = (answers == y).astype(float)
    return lambda rows: float(right[rows].mean())


def _balanced(y: np.ndarray, answers: np.ndarray, kwargs: dict[str, Any]) -> OfRows | None:
    if kwargs or answers.ndim != 1:
        return None
    classes, codes = np.unique(y, return_inverse=True)
    right = (answers == y).astype(float)

    def of_rows(rows: np.ndarray) -> float:
        drawn = codes[rows]
        counts = np.bincount(drawn, minlength=len(classes))
        hits = np.bincount(drawn, weights=right[rows], minlength=len(classes))
        # classes that are absent have no recall
        there = counts > 0
        return float(np.mean(hits[there] / counts[there]))

    return of_rows


def _of_classes(
    score: ClassScore,
) -> Callable[[np.ndarray, np.ndarray, dict[str, Any]], OfRows | None]:
    """A score from how many rows of a class are found as such, are found, and are true.

    It is that of the positive one of two classes, or an average over all.
    """

    def known(y: np.ndarray, answers: np.ndarray, kwargs: dict[str, Any]) -> OfRows | None:
        if answers.ndim != 1 or set(kwargs) - {"average", "pos_label"}:
            return None
        average = kwargs.get("average", "binary")
        classes, codes = np.unique(np.concatenate([y, answers]), return_inverse=True)
        if average in AVERAGES:
            return _averaged(score, average, codes.reshape(2, -1), len(classes))
        positive = kwargs.get("pos_label", 1)
        if average != "binary" or len(classes) != 2 or positive not in classes.tolist():
            return None
        found, true = answers == positive, y == positive
        both = found & true

        def of_rows(rows: np.ndarray) -> float:
            counts = [np.asarray(np.count_nonzero(e[rows])) for e in (both, found, true)]
            return float(score(*counts))

        return of_rows

    return known


def _averaged(score: ClassScore, average: str, codes: np.ndarray, n_classes: int) -> OfRows:
    """An average over classes, by the codes of labels and of answers, of shape (2, n_rows)."""
    true, found = codes
    right = true == found

    def of_rows(rows: np.ndarray) -> float:
        drawn = (true[rows[right[rows]]], found[rows], true[rows])
        counts = (np.bincount(codes, minlength=n_classes) for codes in drawn)
        return float(averaged(score, average, *counts))

    return of_rows


def _mean(
    func: Any, y: np.ndarray, answers: np.ndarray, kwargs: dict[str, Any], model: Any
) -> OfRows | None:
    """A score that is a mean over rows, or minus the root of one."""
    known = ROW_METRICS[func](kwargs, y, np.ones(len(y)), model)
    if known is None or (func is not metrics.log_loss and not _are_numbers(y, answers)):
        return None
    form, contributions, _ = known
    each = contributions(answers)
    if form == "root":
        return lambda rows: -float(np.sqrt(-each[rows].mean()))
    if func is not metrics.log_loss:
        return lambda rows: float(each[rows].mean())
    classes, codes = np.unique(y, return_inverse=True)

    def of_rows(rows: np.ndarray) -> float:
        # scikit-learn refuses fewer classes than there are probabilities of
        complete = np.bincount(codes[rows], minlength=len(classes)).all()
        return float(each[rows].mean()) if complete else float("nan")

    return of_rows


def _r2(y: np.ndarray, answers: np.ndarray, kwargs: dict[str, Any]) -> OfRows | None:
    if kwargs or not _are_numbers(y, answers):
        return None
    truth = y.astype(float)
    squares = (truth - answers.astype(float)) ** 2

    def of_rows(rows: np.ndarray) -> float:
        drawn = truth[rows]
        if len(rows) < 2:
            return float("nan")
        left, spread = float(squares[rows].sum()), float(((drawn - drawn.mean()) ** 2).sum())
        if spread == 0:
            # as scikit-learn has it, where there is nothing to explain
            return 1.0 if left == 0 else 0.0
        return 1 - left / spread

    return of_rows


def _are_numbers(y: np.ndarray, answers: np.ndarray) -> bool:
    return answers.ndim == 1 and y.dtype.kind in "biuf" and answers.dtype.kind in "biuf"


# what labels, answers and parameters of a metric make of it; None where that is not known
KNOWN: dict[Any, Callable[[np.ndarray, np.ndarray, dict[str, Any]], OfRows | None]] = {
    metrics.roc_auc_score: _area,
    metrics.accuracy_score: _accuracy,
    metrics.balanced_accuracy_score: _balanced,
    metrics.f1_score: _of_classes(CLASS_SCORES["f1"]),
    metrics.precision_score: _of_classes(CLASS_SCORES["precision"]),
    metrics.recall_score: _of_classes(CLASS_SCORES["recall"]),
    metrics.r2_score: _r2,
}
# losses, which scorers turn round
MEANS = (
    metrics.log_loss,
    metrics.mean_squared_error,
    metrics.root_mean_squared_error,
    metrics.mean_absolute_error,
)
