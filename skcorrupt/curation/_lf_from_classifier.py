"""Labeling functions made of classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from pandas.api.types import is_list_like
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import Sheltered, as_table, resolve_columns
from skcorrupt.utils._typing import ColumnLabels, Estimator, TableLike

from ._labeling_function import LabelingFunction
from ._lf_from_columns import checked_label
from ._votes import ABSTAIN


@dataclass(frozen=True, eq=False)
class _ClassifierVotes:
    """The class of a classifier where it is sure."""

    estimator: Estimator
    votes: np.ndarray
    min_confidence: float
    columns: ColumnLabels | None

    def __call__(self, X: TableLike) -> np.ndarray:
        proba = np.asarray(Sheltered(self.estimator).predict_proba(_columns_of(X, self.columns)))
        # a probability of .8 that comes as a mean of others can be a little less
        sure = proba.max(axis=1) >= self.min_confidence - 1e-9
        return np.where(sure, self.votes[proba.argmax(axis=1)], ABSTAIN)


def lf_from_classifier(
    estimator: Estimator,
    *,
    min_confidence: float = 0.8,
    columns: ColumnLabels | None = None,
    labels: Mapping[Any, int] | None = None,
    name: str | None = None,
) -> LabelingFunction:
    """Make a labeling function of a fitted classifier, which votes where it is sure.

    Parameters
    ----------
    estimator : classifier
        Fitted, with `predict_proba`; it is not copied.
    min_confidence : float in [0, 1], default=0.8
        It votes where its largest probability is at least this, and otherwise abstains. Equal
        probabilities go to the first class.
    columns : label or list of labels, default=None
        The columns that it takes: a list gives it a table, a single one, as for text, a
        one-dimensional column. None gives it X.
    labels : dict of class to int, default=None
        What it votes for each of its classes; needed where these are not whole numbers from 0.
    name : str, default=None
        What it is called; None takes the estimator's class and the confidence.

    Returns
    -------
    LabelingFunction
        A vectorised one.

    Raises
    ------
    ValueError
        If the classes are not whole numbers from 0 and `labels` does not map them, or
        `min_confidence` is not in [0, 1].
    TypeError
        If the estimator has no `predict_proba`, or has several outputs.
    sklearn.exceptions.NotFittedError
        If it is not fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt.curation import apply_lfs, lf_from_classifier
    >>> model = GaussianNB().fit([[0.0], [1.0], [9.0], [10.0]], ["low", "low", "high", "high"])
    >>> rule = lf_from_classifier(model, labels={"low": 0, "high": 1})
    >>> apply_lfs(np.array([[0.5], [5.0], [9.5]]), [rule])
    array([[ 0],
           [-1],
           [ 1]])
    """
    kind = type(estimator).__name__
    check_is_fitted(estimator)
    if not (hasattr(estimator, "predict_proba") and hasattr(estimator, "classes_")):
        raise TypeError(
            f"estimator: {kind} has no predict_proba or no classes_, so it cannot say how sure it "
            "is of a class; put a classifier in sklearn.calibration.CalibratedClassifierCV."
        )
    inside = isinstance(min_confidence, Real) and 0 <= min_confidence <= 1
    if not inside or isinstance(min_confidence, bool):
        raise ValueError(f"min_confidence={min_confidence!r} should be from 0 to 1, such as 0.8.")
    votes = np.array(_class_votes(kind, estimator.classes_, labels), dtype=np.int64)
    function = _ClassifierVotes(estimator, votes, float(min_confidence), columns)
    shown = f"{kind} (confidence >= {min_confidence:g})"
    name = shown if name is None else name
    return LabelingFunction(function, name=name, vectorized=True, abstain=ABSTAIN)


def _class_votes(kind: str, classes: Any, labels: Mapping[Any, int] | None) -> list[int]:
    """What is voted for each class of a classifier."""
    if isinstance(classes, list) and len(classes) and np.ndim(classes[0]):
        raise TypeError(
            f"estimator: {kind} predicts {len(classes)} outputs; pass a classifier of one."
        )
    known = np.asarray(classes).tolist()
    if labels is None:
        try:
            return [checked_label(each) for each in known]
        except ValueError:
            raise ValueError(
                f"estimator has the classes {known}, but votes are whole numbers from 0; say which "
                f"by labels, such as labels={ {each: i for i, each in enumerate(known[:2])} }."
            ) from None
    if not isinstance(labels, Mapping):
        raise ValueError(f"labels={labels!r} should be a dict of class to vote, or None.")
    absent = [each for each in known if each not in labels]
    if absent:
        raise ValueError(
            f"labels={dict(labels)!r} has no vote for {absent} among the classes {known}; map "
            "every class to a whole number from 0."
        )
    return [checked_label(labels[each], f"labels[{each!r}]") for each in known]


def _columns_of(X: TableLike, columns: ColumnLabels | None) -> Any:
    """The columns that a classifier takes, in the container of X."""
    if columns is None:
        return X
    table, one = as_table(X), not is_list_like(columns)
    positions = resolve_columns(table, [columns] if one else columns)
    if table.container == "pandas":
        return table.source.iloc[:, positions[0] if one else positions]
    return table.values(positions[0]) if one else table.source[:, positions]
