"""Which predictions are the target."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier, is_regressor

from skcorrupt.utils import user_function
from skcorrupt.utils._typing import Estimator, TableLike
from skcorrupt.utils._warn import warn

Hit = Callable[[np.ndarray, np.ndarray, TableLike], np.ndarray]


def hit_function(target: Any, estimator: Estimator) -> Hit:
    """What says which new predictions are the target, from a user's `target`.

    Parameters
    ----------
    target : label, set or list of labels, (low, high), "flip" or callable
        As given to the auditor.
    estimator : estimator
        The fitted model.

    Returns
    -------
    callable
        `hit(y_new, y_old, X)`, a boolean array of shape (n_points,).

    Raises
    ------
    ValueError
        If the model never predicts the target.
    """
    if callable(target):
        ask = user_function("target", target, ("y_new", "y_old", "X"))
        return lambda new, old, X: truth_values("target", ask(new, old, X), len(new), "points")
    # models of other libraries may know their classes and nothing of scikit-learn's tags
    tagged = hasattr(estimator, "__sklearn_tags__")
    if isinstance(target, str) and target == "flip":
        if tagged and is_regressor(estimator):
            warn(
                'target="flip" takes any other number for a flip; pass (low, high), or a callable '
                "such as lambda y_new, y_old, X: abs(y_new - y_old) > 10.",
            )
        return lambda new, old, X: np.asarray(new != old)
    if not hasattr(estimator, "classes_") and not (tagged and is_classifier(estimator)):
        low, high = interval_of(target)
        return lambda new, old, X: (new >= low) & (new <= high)
    labels = labels_of(target)
    classes = np.asarray(getattr(estimator, "classes_", labels)).tolist()
    unknown = [label for label in labels if not _is_among(label, classes)]
    if unknown or not labels:
        never = f"the model never predicts {', '.join(map(repr, unknown))}, but"
        raise ValueError(
            f"target={target!r}: {never if unknown else 'no label; the model predicts'} "
            f"{', '.join(map(repr, classes))}. Pass one "
            'of these, a list of them, "flip" or a callable on (y_new, y_old, X).'
        )
    return lambda new, old, X: np.isin(new, labels)


def truth_values(name: str, answer: Any, n: int, what: str) -> np.ndarray:
    """What a function of the user's says of each of several.

    Parameters
    ----------
    name : str
        The parameter, for messages.
    answer : array-like of bool
        What it returned.
    n : int
        How many it was asked about.
    what : str
        What they are, for messages.

    Returns
    -------
    ndarray of bool, shape (n,)
        The answers.

    Raises
    ------
    ValueError
        If there are more or fewer.
    """
    said = np.asarray(answer, dtype=bool)
    if said.shape != (n,):
        returned = "nothing" if answer is None else f"shape {said.shape}"
        raise ValueError(
            f"{name} returned {returned} for {n} {what}; it should return a truth value for each."
        )
    return said


def labels_of(target: Any) -> list[Any]:
    """The labels of a target, one or several."""
    several = isinstance(target, Iterable) and not isinstance(target, (str, bytes))
    several = several and getattr(target, "ndim", 1) != 0
    return list(target) if several else [target]


def _is_among(label: Any, classes: list[Any]) -> bool:
    return isinstance(label, Hashable) and label is not pd.NA and label in classes


def interval_of(target: Any) -> tuple[float, float]:
    """The ends of a target among numbers.

    Raises
    ------
    ValueError
        If it is no interval.
    """
    try:
        low, high = target
        low = -np.inf if low is None else float(low)
        high = np.inf if high is None else float(high)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not low <= high:
        raise ValueError(
            f"target={target!r} should be (low, high) for a model that predicts numbers, None for "
            'an open end, or "flip" or a callable on (y_new, y_old, X). A model of your own that '
            "predicts labels says so by an attribute classes_ with all of them."
        )
    return low, high
