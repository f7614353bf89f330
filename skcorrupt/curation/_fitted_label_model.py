"""A label model that has learned from votes, whoever wrote it."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np
from sklearn.base import clone

from skcorrupt.utils import fit_on_copies
from skcorrupt.utils._warn import warn

from ._votes import ABSTAIN

# a model that is as sure as this of most rows on which functions disagree tells them no more apart
SURE, MOST = 0.99, 0.5
# what so few rows are ordered by is of no matter
FEW = 0.05


def fitted_label_model(given: Any, votes: np.ndarray, classes: np.ndarray) -> Any:
    """A copy of a label model, fitted to votes.

    Parameters
    ----------
    given : label model
        An object with `fit(L)` and `predict_proba(L)`.
    votes : ndarray of int, shape (n_samples, n_lfs)
        Votes; -1 abstains.
    classes : ndarray of int
        All classes that are voted for, also by functions that were left out.

    Returns
    -------
    label model
        The fitted copy.

    Raises
    ------
    TypeError
        If it lacks a method, or cannot learn from votes alone.
    """
    if isinstance(given, type) or not (hasattr(given, "fit") and hasattr(given, "predict_proba")):
        raise TypeError(
            f"label_model={given!r} should be an object with fit(L) and predict_proba(L), such as "
            "GenerativeLabelModel()."
        )
    # models of other libraries are no scikit-learn estimators
    own = hasattr(given, "get_params")
    model = clone(given) if own else copy.deepcopy(given)
    if own and model.get_params().get("classes", classes) is None:
        # a class whose functions were all left out is still one
        model.set_params(classes=classes if len(classes) > 1 else None)
    try:
        inspect.signature(model.fit).bind(None)
    except TypeError:
        raise TypeError(
            f"label_model={given!r} should learn from votes alone, by fit(L), as "
            "MajorityVoteLabeler does."
        ) from None
    fit_on_copies(model, votes, None)
    return model


def classes_of(model: Any, proba: np.ndarray, n_rows: int, highest: int) -> np.ndarray:
    """Classes of a label model, after a look at its probabilities."""
    if proba.ndim != 2 or len(proba) != n_rows or proba.shape[1] < 2:
        raise ValueError(
            f"label_model: predict_proba gave an array of shape {proba.shape} for {n_rows} rows; "
            "it should be one row for each sample and one column for each class."
        )
    if not (np.isfinite(proba).all() and proba.min() > -1e-6 and proba.max() < 1 + 1e-6):
        raise ValueError(
            "label_model: predict_proba gave values that are no probabilities (NaN, below 0 or "
            "above 1); mend the model."
        )
    if abs(proba.sum(axis=1) - 1).max() > 1e-3:
        raise ValueError(
            "label_model: predict_proba gave rows that do not add up to 1; mend the model."
        )
    if not hasattr(model, "classes_") and proba.shape[1] <= highest:
        raise ValueError(
            f"label_model: predict_proba gave {proba.shape[1]} columns, but there are votes for "
            f"class {highest}; it should give a column for each class, or have classes_."
        )
    classes = np.asarray(getattr(model, "classes_", np.arange(proba.shape[1])))
    if len(classes) != proba.shape[1]:
        raise ValueError(
            f"label_model: classes_ has {len(classes)} entries, but predict_proba "
            f"{proba.shape[1]} columns; there should be one a class."
        )
    return classes


def warn_if_sure(model: Any, votes: np.ndarray, confidence: np.ndarray) -> None:
    """Say so where the number of votes alone decides on the order.

    Parameters
    ----------
    model : label model
        The fitted model.
    votes : ndarray of int, shape (n_samples, n_lfs)
        Votes; -1 abstains.
    confidence : ndarray of shape (n_samples,)
        How sure the model is of the label of each row.
    """
    highest = votes.max(axis=1)
    torn = ((votes != ABSTAIN) & (votes != highest[:, None])).any(axis=1)
    sure = confidence[torn] >= SURE
    if torn.mean() >= FEW and sure.mean() >= MOST:
        warn(
            f"{type(model).__name__} is at least {SURE:.0%} sure of {int(sure.sum())} of the "
            f"{int(torn.sum())} rows on which functions disagree, so that the order follows the "
            "number of votes. If functions depend on one another, that is too sure: use "
            "successes='agreement', MajorityVoteLabeler(confidence='share'), or fewer functions."
        )
