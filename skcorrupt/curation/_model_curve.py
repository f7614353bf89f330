"""What a model predicts along data sets, and how often it is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import checked_splitter, split_indices, take_rows
from skcorrupt.stats import clopper_pearson
from skcorrupt.utils import Sheltered, checked_whole, shorten
from skcorrupt.utils._refused_values import refused_in
from skcorrupt.utils._typing import Estimator, Folds, TableLike

# the band of figure 2
BAND = 0.10


def predictions(
    estimator: Estimator, X: TableLike, target: np.ndarray, usable: np.ndarray, cv: Folds
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
    TypeError
        If `estimator` is no classifier.
    ValueError
        If there is one class only, a class has fewer usable rows than `cv`, a number of folds, if
        folds of a splitter do not hold every row once, if there is not one prediction a row, or the
        estimator does not take what X holds.
    """
    scikit_learns = hasattr(estimator, "get_params")
    if not hasattr(estimator, "predict") or (scikit_learns and not is_classifier(estimator)):
        raise TypeError(f"estimator={estimator!r} should be a classifier, fitted or not.")
    if _is_fitted(estimator):
        with _telling_of(estimator, X):
            predicted = Sheltered(estimator).predict(X)
        return _one_each(predicted, len(target))
    classes = np.unique(target[usable])
    if len(classes) == 1:
        raise ValueError(
            f"The labels to learn from are all {shorten(classes[0].item())}, and estimator is not "
            "fitted; pass y with labels of two classes, leave y out to learn from the weak labels, "
            "or pass a fitted classifier."
        )
    # models may predict labels of another type than they learned
    predicted = np.empty(len(target), dtype=object)
    for train, test in _folds(cv, target, usable):
        with _telling_of(estimator, X):
            fitted = clone(estimator).fit(take_rows(X, train), target[train])
            found = fitted.predict(take_rows(X, test))
        predicted[test] = _one_each(found, len(test))
    return np.array(predicted.tolist())


@contextmanager
def _telling_of(estimator: Estimator, X: TableLike) -> Iterator[None]:
    """Name the columns with gaps or texts that a model refuses, and the remedy.

    Raises
    ------
    ValueError
        From the error of the model, if it is about these.
    """
    try:
        yield
    except (ValueError, TypeError) as error:
        # samples may be texts, which are no table
        is_table = hasattr(X, "columns") or getattr(X, "ndim", 1) == 2
        said = refused_in(X, f"estimator={shorten(estimator)}", error) if is_table else ""
        if said:
            raise ValueError(said) from error
        raise


class Share(NamedTuple):
    """A share of right answers, and where there are answers at all."""

    name: str
    size: str
    counted: np.ndarray
    right: np.ndarray


def curve_of(
    datasets: Sequence[np.ndarray], lower_bound: np.ndarray, shares: Sequence[Share]
) -> pd.DataFrame:
    """Shares of right answers along data sets.

    Parameters
    ----------
    datasets : sequence of ndarray of int
        Rows of every set.
    lower_bound : ndarray of shape (n_samples,)
        Lower bounds of the confidence.
    shares : sequence of Share
        What is asked of every set.

    Returns
    -------
    DataFrame
        One row per set: `dataset, n_rows, lower_bound` and for each share the number of answers,
        the share, NaN without answers, and the bounds of its 90 % Clopper-Pearson interval.
    """
    rows = []
    for i, chosen in enumerate(datasets, start=1):
        row: dict[str, Any] = {"dataset": i, "n_rows": len(chosen)}
        row["lower_bound"] = float(lower_bound[chosen].min())
        for name, size, counted, right in shares:
            answers = right[chosen[counted[chosen]]]
            low, high = clopper_pearson(int(answers.sum()), len(answers), BAND)
            row[size] = len(answers)
            row[name] = float(answers.mean()) if len(answers) else np.nan
            row |= {f"{name}_low": float(low), f"{name}_high": float(high)}
        rows.append(row)
    return pd.DataFrame(rows)


def _folds(cv: Folds, target: np.ndarray, usable: np.ndarray) -> list[tuple[Any, Any]]:
    """Rows to learn from and rows to predict, all rows once."""
    n = len(target)
    if not isinstance(cv, Integral):
        splitter = checked_splitter(cv, target, classifier=True)
        folds = split_indices(cv, splitter, np.zeros(n), target, n)
        tested = np.sort(np.concatenate([test for _, test in folds]))
        if not np.array_equal(tested, np.arange(n)):
            raise ValueError(
                f"cv={cv!r} should test every row once, as KFold does; with other splitters, fit "
                "the estimator on rows of your own and pass it fitted."
            )
        unlabelled = [k for k, (train, _) in enumerate(folds) if not usable[train].any()]
        if unlabelled:
            raise ValueError(
                f"cv={cv!r}: no training row of split {unlabelled[0]} has a label; pass fewer "
                "splits, more labels, or a fitted estimator."
            )
        return [(train[usable[train]], test) for train, test in folds]
    cv = checked_whole("cv", cv, 2)
    rows, others = np.flatnonzero(usable), np.flatnonzero(~usable)
    classes, counts = np.unique(target[rows], return_counts=True)
    if counts.min() < cv:
        raise ValueError(
            f"cv={cv!r} asks for as many rows of each class, but only {counts.min()} are of class "
            f"{classes.tolist()[counts.argmin()]!r}; lower cv, or pass a fitted estimator."
        )
    # no model learns from the other rows, so that any may predict them
    return [
        (rows[train], np.concatenate([rows[test], others[k::cv]]))
        for k, (train, test) in enumerate(StratifiedKFold(cv).split(rows, target[rows]))
    ]


def _one_each(predicted: Any, n: int) -> np.ndarray:
    labels = np.asarray(predicted)
    if labels.shape == (n, 1):
        labels = labels.ravel()
    if labels.shape != (n,):
        raise ValueError(
            f"estimator predicts an array of shape {labels.shape} for {n} rows; it should be one "
            "label a row."
        )
    return labels


def _is_fitted(estimator: Estimator) -> bool:
    # what is no scikit-learn estimator can only be taken as it is
    if not hasattr(estimator, "get_params"):
        return True
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True
