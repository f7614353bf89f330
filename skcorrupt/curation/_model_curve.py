"""What a model predicts along data sets, and how often it is right."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import take_rows
from skcorrupt.stats import clopper_pearson

# the band of figure 2
BAND = 0.10


def predictions(
    estimator: Any, X: Any, target: np.ndarray, usable: np.ndarray, cv: Any
) -> np.ndarray:
    """Predictions by a fitted model, or by models that have not seen the rows.

    Parameters
    ----------
    estimator : classifier
        Fitted, or to be fitted in folds.
    X : table of shape (n_samples, n_features), or sequence
        The samples.
    target : ndarray of shape (n_samples,)
        Labels to learn.
    usable : ndarray of bool, shape (n_samples,)
        Rows to learn from.
    cv : int or splitter
        The folds.

    Returns
    -------
    ndarray of shape (n_samples,)
        A label for every row.

    Raises
    ------
    ValueError
        If a class has fewer usable rows than `cv`, a number of folds.
    """
    if _is_fitted(estimator):
        return np.asarray(estimator.predict(X))
    return _out_of_fold(estimator, X, target, usable, cv)


def share_and_band(name: str, right: np.ndarray) -> dict[str, float]:
    """The share of right answers with its band.

    Parameters
    ----------
    name : str
        What the share is called.
    right : ndarray of bool, shape (n_samples,)
        Which answers are right.

    Returns
    -------
    dict of float
        The share, NaN without answers, and the bounds of its 90 % Clopper-Pearson interval.
    """
    low, high = clopper_pearson(int(right.sum()), len(right), BAND)
    share = float(right.mean()) if len(right) else np.nan
    return {name: share, f"{name}_low": float(low), f"{name}_high": float(high)}


def _out_of_fold(
    estimator: Any, X: Any, target: np.ndarray, usable: np.ndarray, cv: Any
) -> np.ndarray:
    """Predictions for every row by models that were not fitted on it."""
    predicted = np.empty(len(target), dtype=target.dtype)
    folds = check_cv(cv, target, classifier=True)
    classes, counts = np.unique(target[usable], return_counts=True)
    if isinstance(cv, Integral) and counts.min() < cv:
        raise ValueError(
            f"cv={cv!r} asks for as many rows of each class, but only {counts.min()} are of class "
            f"{classes.tolist()[counts.argmin()]!r}; lower cv, or pass a fitted estimator."
        )
    for train, test in folds.split(np.zeros(len(target)), target):
        rows = train[usable[train]]
        fitted = clone(estimator).fit(take_rows(X, rows), target[rows])
        predicted[test] = fitted.predict(take_rows(X, test))
    return predicted


def _is_fitted(estimator: Any) -> bool:
    # what is no scikit-learn estimator can only be taken as it is
    if not hasattr(estimator, "get_params"):
        return True
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True
