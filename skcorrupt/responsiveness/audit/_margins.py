"""How near predictions are to the target, where a model tells more than its predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skcorrupt.utils import Sheltered
from skcorrupt.utils._typing import Estimator, TableLike

from ._targets import interval_of, labels_of

Margin = Callable[[TableLike, np.ndarray, np.ndarray], np.ndarray]
# chances below tell no more than that they are small
LEAST_CHANCE = 1e-4


def margin_function(target: Any, model: Estimator) -> Margin | None:
    """What says by how much predictions are the target, or fail to be.

    Parameters
    ----------
    target : label, set or list of labels, (low, high), "flip" or callable
        As given to the auditor, and allowed for the model.
    model : estimator
        The fitted model.

    Returns
    -------
    callable or None
        `margin(points, y_new, y_old)`, larger the nearer; above 0 where a model predicts the class
        with the largest score. None where a model tells nothing but its predictions.
    """
    if callable(target):
        return None
    classes = getattr(model, "classes_", None)
    flip = isinstance(target, str) and target == "flip"
    if classes is None:
        if flip:
            return None
        low, high = interval_of(target)
        return lambda points, new, old: np.minimum(new - low, high - new)
    names = [n for n in ("decision_function", "predict_proba") if hasattr(model, n)]
    if not names:
        return None
    known = np.asarray(classes)

    def margin(points: TableLike, new: np.ndarray, old: np.ndarray) -> np.ndarray:
        scores = _scores(model, names[0], points)
        if scores.shape != (len(new), len(known)):
            return np.zeros(len(new))
        if flip:
            wanted = known[np.newaxis, :] != old[:, np.newaxis]
        else:
            wanted = np.broadcast_to(np.isin(known, labels_of(target)), scores.shape)
        best = np.where(wanted, scores, -np.inf).max(axis=1)
        return best - np.where(wanted, -np.inf, scores).max(axis=1)

    return margin


def _scores(model: Estimator, name: str, points: TableLike) -> np.ndarray:
    """A column of scores for each class."""
    found = np.asarray(getattr(Sheltered(model), name)(points), dtype=float)
    if name == "predict_proba":
        return np.log(np.maximum(found, LEAST_CHANCE))
    return found if found.ndim == 2 else np.column_stack([-found, found])
