"""A cheap guess of how near points are to the target."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeRegressor

from ..sampling._reachable_space import ReachableSpace

MOST_CATEGORIES = 20
# a straight line that misses by less needs no more examples
EXACT = 1e-6
# a score that errs more often about the rarer outcome misleads
MISLEADING = 0.1
# few points are not worth many trees
POINTS_A_TREE = 20
# where points are worth more trees than that, each goes farther, up to so many times as far
MOST_TREES, LEARNING_RATE, TIMES_AS_FAR = 60, 0.1, 3
# draws that a single tree does not sort out, at least
LOOKED_AT = 0.1


class Surrogate:
    """A line through what the model said, and boosted trees on what the line leaves.

    Parameters
    ----------
    space : ReachableSpace
        What people can reach, for the kinds of columns.
    values : ndarray of shape (n_points, n_changed)
        Points that were predicted.
    hits : ndarray of bool, shape (n_points,)
        Which of them have the target prediction.
    margins : ndarray of shape (n_points,) or None
        How near the model's score says they are, which need not be right.

    Attributes
    ----------
    exact : bool
        Whether the line alone says all.
    """

    def __init__(
        self,
        space: ReachableSpace,
        values: np.ndarray,
        hits: np.ndarray,
        margins: np.ndarray | None,
    ) -> None:
        elements = [space.actions[name] for name in space.changed]
        self._codes = [
            np.arange(len(e.values))
            if e.kind == "categorical" and len(e.values) <= MOST_CATEGORIES
            else None
            for e in elements
        ]
        wanted = _calibrated(margins, hits)
        features = self._features(values)
        self._centre = features.mean(axis=0)
        spread = features.std(axis=0)
        self._scale = np.where(spread > 0, spread, 1.0)
        line = np.column_stack([np.ones(len(values)), (features - self._centre) / self._scale])
        self._line = np.linalg.lstsq(line, wanted, rcond=1e-10)[0]
        left = wanted - line @ self._line
        self.exact = bool(abs(left).max(initial=0.0) <= EXACT * max(wanted.std(), EXACT))
        self._trees = None
        if not self.exact:
            worth = len(values) // POINTS_A_TREE
            trees = HistGradientBoostingRegressor(
                learning_rate=LEARNING_RATE * float(np.clip(worth / MOST_TREES, 1, TIMES_AS_FAR)),
                max_iter=int(np.clip(worth, 10, MOST_TREES)),
                min_samples_leaf=5,
                early_stopping=False,
                random_state=0,
            )
            self._trees = trees.fit(features, left)

    def scores(self, values: np.ndarray) -> np.ndarray:
        """Guesses, above 0 for points that should have the target prediction."""
        features = self._features(values)
        found = ((features - self._centre) / self._scale) @ self._line[1:] + self._line[0]
        return found if self._trees is None else found + self._trees.predict(features)

    def _features(self, values: np.ndarray) -> np.ndarray:
        parts = [
            values[:, [k]] if codes is None else (values[:, [k]] == codes).astype(float)
            for k, codes in enumerate(self._codes)
        ]
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(values), 0))


class Sorter:
    """Strata of points by their scores, quickly where most points are of one stratum.

    Parameters
    ----------
    surrogate : Surrogate
        What gives the scores.
    edges : ndarray of shape (n_strata - 1,)
        The scores between strata.
    candidates : ndarray of shape (n_candidates, n_changed)
        Draws.
    scores : ndarray of shape (n_candidates,)
        Their scores.
    """

    def __init__(
        self, surrogate: Surrogate, edges: np.ndarray, candidates: np.ndarray, scores: np.ndarray
    ) -> None:
        self._surrogate, self._edges = surrogate, edges
        self._tree = None
        half = len(scores) // 2
        # hits are rare, or misses are
        self._bulk, self._sign = (0, 1.0) if np.median(scores) <= 0 else (len(edges), -1.0)
        other = np.searchsorted(edges, scores[half:]) != self._bulk
        if surrogate.exact or other.mean() > 0.5 or not other.any():
            return
        tree = DecisionTreeRegressor(min_samples_leaf=3, random_state=0)
        self._tree = tree.fit(candidates[:half], self._sign * scores[:half])
        guesses = tree.predict(candidates[half:])
        wanted = self._sign * scores[half:] > 0
        self._least = min(
            np.quantile(guesses, 1 - LOOKED_AT),
            np.quantile(guesses[other], 0.01),
            guesses[wanted].min(initial=np.inf),
        )

    def strata(self, values: np.ndarray) -> np.ndarray:
        """The stratum of each point, a matter of the point alone."""
        if self._tree is None:
            return np.searchsorted(self._edges, self._surrogate.scores(values))
        strata = np.full(len(values), self._bulk)
        unsure = np.flatnonzero(self._tree.predict(values) >= self._least)
        if len(unsure):
            strata[unsure] = np.searchsorted(self._edges, self._surrogate.scores(values[unsure]))
        return strata


def _calibrated(margins: np.ndarray | None, hits: np.ndarray) -> np.ndarray:
    """Margins that are above 0 for hits as far as they can be, or hits where they mislead."""
    plain = np.where(hits, 1.0, -1.0)
    if margins is None or not np.isfinite(margins).all() or not np.ptp(margins):
        return plain
    if np.array_equal(margins > 0, hits):
        return margins
    order = np.argsort(margins, kind="stable")
    # errors when the first k are taken for misses
    errors = np.concatenate([[0], np.cumsum(hits[order])]) + np.concatenate(
        [np.cumsum(~hits[order][::-1])[::-1], [0]]
    )
    k = int(np.argmin(errors))
    if errors[k] > MISLEADING * min(hits.sum(), (~hits).sum()):
        return plain
    ordered = np.concatenate([[-np.inf], margins[order], [np.inf]])
    low, high = ordered[k], ordered[k + 1]
    cut = (low + high) / 2 if np.isfinite(low + high) else (low if np.isfinite(low) else high)
    return margins - cut
