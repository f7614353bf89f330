"""The area under the ROC curve when rows change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def changes_of_rank(positive: np.ndarray, clean: np.ndarray) -> Callable[[Any], np.ndarray]:
    """The change of the area under the ROC curve that each other score brings by itself.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.
    clean : ndarray of shape (n_samples,)
        Their scores.

    Returns
    -------
    callable
        From other scores of the rows to what each of them changes, shape (n_samples,).
    """
    of_others = {side: np.sort(clean[positive != side]) for side in (True, False)}
    before = _places(positive, clean, of_others)

    def each(answers: Any) -> np.ndarray:
        return _places(positive, np.asarray(answers, dtype=float), of_others) - before

    return each


def beyond_rows(positive: np.ndarray) -> Callable[[int], float]:
    """What pairs of rows that both change may add to the area under the ROC curve.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.

    Returns
    -------
    callable
        From the number of rows that change to the most that is added.
    """
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive

    def beyond(k: int) -> float:
        # of a pair, the change of both may differ by two from the sum of the changes of each
        most = min(k // 2, n_positive, n_negative)
        return 2.0 * most * min(k - most, max(n_positive, n_negative)) / (n_positive * n_negative)

    return beyond


def _places(
    positive: np.ndarray, scores: np.ndarray, of_others: dict[bool, np.ndarray]
) -> np.ndarray:
    """Share of the pairs of a row with those of the other class that are in order, over all."""
    found = np.zeros(len(scores))
    for side, others in of_others.items():
        own = scores[positive == side]
        low, high = (np.searchsorted(others, own, side=end) for end in ("left", "right"))
        below = (low + high) / 2 / len(others)
        found[positive == side] = (below if side else 1 - below) / len(own)
    return found


def area_under_roc(positive: np.ndarray) -> Callable[[np.ndarray], float]:
    """The area under the ROC curve, as a function of scores.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.

    Returns
    -------
    callable
        From scores of the rows to the share of pairs of both classes that are in order, of which
        equal ones count half; it raises ValueError where some are NaN.
    """
    n_positive = int(positive.sum())
    n_pairs = n_positive * (len(positive) - n_positive)

    def area(scores: np.ndarray) -> float:
        if np.isnan(scores).any():
            raise ValueError("Scores of some rows are NaN, so that they have no rank.")
        order = np.argsort(scores)
        ranked, right = scores[order], positive[order]
        first = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
        ends = np.append(first[1:], len(ranked))
        below = np.concatenate([[0], np.cumsum(~right)])
        of_ties = np.add.reduceat(right, first, dtype=np.int64)
        # an integer, so that no order of sums shows
        twice = int(np.sum(of_ties * (below[first] + below[ends])))
        return twice / (2 * n_pairs)

    return area
