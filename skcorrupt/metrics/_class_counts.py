"""F1 score, precision and recall from counts of rows by class."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# of how many rows of a class are found as such, are found, and are true
ClassScore = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
AVERAGES = ("macro", "micro", "weighted")


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """As scikit-learn has it, 0 where there is nothing to divide by."""
    part, whole = np.broadcast_arrays(part, whole)
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0)


CLASS_SCORES: dict[str, ClassScore] = {
    "f1": lambda both, found, true: _share(2 * both, found + true),
    "precision": lambda both, found, _: _share(both, found),
    "recall": lambda both, _, true: _share(both, true),
}


def averaged(
    score: ClassScore, average: str, both: np.ndarray, found: np.ndarray, true: np.ndarray
) -> np.ndarray:
    """A score of several classes.

    Parameters
    ----------
    score : callable
        One of `CLASS_SCORES`.
    average : {"macro", "micro", "weighted"}
        As in scikit-learn.
    both, found, true : ndarray of shape (..., n_classes)
        Rows of each class that are found as such, that are found as such or wrongly, and that are
        of the class.

    Returns
    -------
    ndarray of shape (...,)
        The scores; classes that are neither found nor true do not count.
    """
    if average == "micro":
        return score(*(each.sum(axis=-1) for each in (both, found, true)))
    weights = true if average == "weighted" else ((found > 0) | (true > 0)).astype(float)
    weights = np.broadcast_to(weights, found.shape)
    return _share((weights * score(both, found, true)).sum(axis=-1), weights.sum(axis=-1))
