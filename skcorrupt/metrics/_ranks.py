"""The area under the ROC curve when rows change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

# rows of a class, pairs of which with those of the other are looked at
MOST_PAIRED = 300
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def changes_of_rank(
    positive: np.ndarray, clean: np.ndarray, weights: np.ndarray
) -> Callable[[Any], np.ndarray]:
    """The change of the area under the ROC curve that each other score brings by itself.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.
    clean : ndarray of shape (n_samples,)
        Their scores.
    weights : ndarray of float, shape (n_samples,)
        What they count.

    Returns
    -------
    callable
        From other scores of the rows to what each of them changes, shape (n_samples,).
    """
    of_others = {side: _Ranked.of(clean, weights, positive != side) for side in (True, False)}
    before = _places(positive, clean, weights, of_others)

    def each(answers: Any) -> np.ndarray:
        found = _places(positive, np.asarray(answers, dtype=float), weights, of_others)
        return found - before

    return each


@dataclass(frozen=True, eq=False)
class JointChanges:
    """What pairs of rows add to the area where both change, beside what each changes by itself.

    Attributes
    ----------
    positive, negative : ndarray of int
        Rows of either class; of many that change, some.
    each : ndarray of float32, shape (n_positive, n_negative)
        What every pair adds, scaled up where rows were left out.
    """

    positive: np.ndarray
    negative: np.ndarray
    each: np.ndarray


def joint_changes(
    positive: np.ndarray, clean: np.ndarray, weights: np.ndarray
) -> Callable[[Any], JointChanges | None]:
    """What pairs of rows that both get other scores add to the area under the ROC curve.

    The area is a mean over pairs, so that it is known for any choice of changed rows: what it was,
    the changes that each brings by itself, and these.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.
    clean : ndarray of shape (n_samples,)
        Their scores.
    weights : ndarray of float, shape (n_samples,)
        What they count.

    Returns
    -------
    callable
        From other scores of the rows to the changes; None where some scores are no numbers.
    """
    shares = np.where(positive, weights / weights[positive].sum(), 0.0)
    shares = np.where(positive, shares, weights / weights[~positive].sum())

    def of(answers: Any) -> JointChanges | None:
        other = np.asarray(answers, dtype=float)
        if not np.isfinite(other).all():
            return None
        rng, sides, scaled = np.random.default_rng(0), [], []
        for side in (positive, ~positive):
            rows = np.flatnonzero(side & (other != clean))
            scale = max(1.0, len(rows) / MOST_PAIRED)
            if scale > 1:
                rows = np.sort(rng.choice(rows, MOST_PAIRED, replace=False))
            sides.append(rows)
            scaled.append((scale * shares[rows]).astype(np.float32))
        first, second = sides
        each = _ordered(other[first], other[second]) + _ordered(clean[first], clean[second])
        each -= _ordered(other[first], clean[second]) + _ordered(clean[first], other[second])
        return JointChanges(first, second, each * scaled[0][:, None] * scaled[1])

    return of


def _ordered(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """For every pair 1 where the first is larger, a half where both are equal."""
    larger = first[:, None] > second
    return larger.astype(np.float32) + np.float32(0.5) * (first[:, None] == second)


def beyond_rows(positive: np.ndarray, weights: np.ndarray) -> Callable[[int], float]:
    """What pairs of rows that both change may add to the area under the ROC curve.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.
    weights : ndarray of float, shape (n_samples,)
        What they count.

    Returns
    -------
    callable
        From the number of rows that change to the most that is added.
    """
    of_sides = []
    for side in (True, False):
        own = -np.sort(-weights[positive == side])
        of_sides.append(np.concatenate([[0.0], np.cumsum(own)]) / own.sum())
    of_positive, of_negative = of_sides

    def beyond(k: int) -> float:
        # of a pair, the change of both may differ by two from the sum of the changes of each
        n_positive = np.arange(min(k, len(of_positive) - 1) + 1)
        n_negative = np.minimum(k - n_positive, len(of_negative) - 1)
        return 2.0 * float(np.max(of_positive[n_positive] * of_negative[n_negative]))

    return beyond


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Scores in order, and the share of the weight that is below each."""

    scores: np.ndarray
    below: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray, weights: np.ndarray, among: np.ndarray) -> Self:
        """The scores of some rows."""
        order = np.argsort(scores[among], kind="stable")
        summed = np.cumsum(weights[among][order])
        return cls(scores[among][order], np.concatenate([[0.0], summed]) / summed[-1])


def _places(
    positive: np.ndarray, scores: np.ndarray, weights: np.ndarray, of_others: dict[bool, _Ranked]
) -> np.ndarray:
    """Share of the pairs of a row with those of the other class that are in order, over all."""
    found = np.zeros(len(scores))
    for side, others in of_others.items():
        own = positive == side
        low, high = (np.searchsorted(others.scores, scores[own], side=end) for end in SIDES)
        below = (others.below[low] + others.below[high]) / 2
        found[own] = (below if side else 1 - below) * weights[own] / weights[own].sum()
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


def resampled_area(positive: np.ndarray, scores: np.ndarray) -> Callable[[np.ndarray], float]:
    """The area under the ROC curve of rows that are drawn again and again.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Rows of the positive class.
    scores : ndarray of shape (n_samples,)
        Their scores, none of them NaN.

    Returns
    -------
    callable
        From the positions of rows, some of them repeatedly, to their area; NaN where a class is
        not among them. The rows are sorted once.
    """
    order = np.argsort(scores, kind="stable")
    ranked, right = scores[order], positive[order]
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    first = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    ends = np.append(first[1:], len(ranked))

    def area(rows: np.ndarray) -> float:
        counts = np.bincount(place[rows], minlength=len(place))
        of_positive = counts * right
        below = np.concatenate([[0], np.cumsum(counts - of_positive)])
        n_positive, n_negative = int(of_positive.sum()), int(below[-1])
        if not n_positive or not n_negative:
            return float("nan")
        of_ties = np.add.reduceat(of_positive, first)
        return int(np.sum(of_ties * (below[first] + below[ends]))) / (2 * n_positive * n_negative)

    return area
