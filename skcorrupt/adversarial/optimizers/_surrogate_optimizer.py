"""Bayesian optimisation over a grid with scikit-optimize's surrogate models."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from sklearn import clone, config_context
from skopt.acquisition import gaussian_ei
from skopt.learning import ExtraTreesRegressor, GaussianProcessRegressor
from skopt.learning.gaussian_process.kernels import ConstantKernel, Matern

from ._grid import Grid
from ._grid_optimizer import GridOptimizer, Point

_POOL = 2000
_NEIGHBOURS = 300
_ELITE = 5
_TREES = 24
_TREES_A_DRAW = 3
_EXPLORE_FROM = 24
_EXPLORE_EVERY = 4


class SurrogateOptimizer(GridOptimizer):
    """Points of a grid where a scikit-optimize surrogate hopes for low scores.

    scikit-optimize's own Optimizer refits a hundred trees and scores ten thousand points at
    every ask; here one small model is fitted a batch and scores a sample of the grid and the
    neighbours of the best points, so that it costs little beside a cheap pipeline.

    Wide conditions match rows enough to fill the budget, as the worst patterns do, so they are
    drawn more often, and first among equals.

    Parameters
    ----------
    grid : Grid
        What to search.
    n_calls : int
        Number of scores it will be told, at most.
    seed : int
        Seed of its choices.
    start : list of tuple of int, default=()
        Points to try first.
    surrogate : {"forest", "gp"}, default="forest"
        Extremely randomised trees with Thompson sampling, or a Gaussian process with expected
        improvement.
    """

    def __init__(
        self,
        grid: Grid,
        n_calls: int,
        seed: int,
        start: Sequence[Point] = (),
        surrogate: str = "forest",
    ) -> None:
        super().__init__(grid, n_calls, seed, start)
        self._surrogate = surrogate
        self._n_initial = max(4, n_calls // 4)
        self._widths = [_widths(c) for c in grid.coordinates]

    def propose(self) -> Iterable[Point]:
        """Random points at first, then points by the surrogate."""
        if len(set(self.scores.values())) < 2 or len(self.scores) < self._n_initial:
            chosen = self._initial()
        else:
            pool = self._pool()
            if self._surrogate == "forest":
                chosen = self._thompson(pool)
            else:
                chosen = iter(pool[self._by_expected_improvement(pool)])
        for point in chosen:
            yield tuple(point.tolist())

    def _initial(self) -> Iterator[np.ndarray]:
        yield from self._drawn(_POOL // 10)
        others = self.shuffled(_POOL)
        self.rng.shuffle(others)
        yield from others

    def _drawn(self, n: int) -> np.ndarray:
        """Points whose levels are drawn by their widths."""
        levels = [self.rng.choice(len(w), size=n, p=w) for w in self._widths]
        return np.column_stack(levels)

    def _pool(self) -> np.ndarray:
        """Points not told yet for the model to choose from."""
        best = sorted(self.scores, key=lambda point: self.scores[point])[:_ELITE]
        near = np.repeat(np.array(best), _NEIGHBOURS // len(best), axis=0)
        dimension = self.rng.integers(len(self.grid.shape), size=len(near))
        levels = np.array(self.grid.shape)[dimension]
        near[np.arange(len(near)), dimension] = self.rng.integers(levels)
        far = self.shuffled(_POOL) if self.grid.size <= _POOL else self._drawn(_POOL)
        pool = self.grid.distinct(np.vstack([far, near]))
        told = set(self.scores)
        return pool[[tuple(point) not in told for point in pool.tolist()]]

    def _told(self) -> tuple[np.ndarray, np.ndarray]:
        """Features of the points told, and their scores, standardised."""
        scores = np.array(list(self.scores.values()))
        scores = (scores - scores.mean()) / scores.std()
        return self.grid.features(np.array(list(self.scores))), scores

    def _thompson(self, pool: np.ndarray) -> Iterator[np.ndarray]:
        """For each point of a batch, the lowest mean of a few trees drawn anew.

        Different trees want different points, so that a batch explores although it shares a
        model; the maxima of expected improvement lie side by side.
        """
        if not len(pool):
            return
        trees = grown_trees(*self._told(), self.grid.features(pool), self._model_seed())
        width = np.prod([w[pool[:, d]] for d, w in enumerate(self._widths)], axis=0)
        explores = len(self.scores) >= _EXPLORE_FROM
        for i in range(1, len(pool) + 1):
            few = self.rng.choice(_TREES, size=_TREES_A_DRAW, replace=False)
            hoped = trees[few].mean(axis=0)
            # leaves make many points equal
            open_to = np.flatnonzero(hoped == hoped.min())
            if explores and i % _EXPLORE_EVERY == 0:
                # the trees never ask for a region whose first points happened to be poor
                open_to = np.flatnonzero(np.isfinite(hoped))
            chosen = self.rng.choice(open_to, p=width[open_to] / width[open_to].sum())
            trees[:, chosen] = np.inf
            yield pool[chosen]

    def _by_expected_improvement(self, pool: np.ndarray) -> np.ndarray:
        """Positions in the pool, the highest expected improvement first."""
        if not len(pool):
            return np.arange(0)
        features, scores = self._told()
        n_features = features.shape[1]
        kernel = ConstantKernel(1.0, (0.01, 100.0)) * Matern(
            length_scale=np.ones(n_features),
            length_scale_bounds=[(0.05, 20.0)] * n_features,
            nu=2.5,
        )
        model = GaussianProcessRegressor(
            kernel=kernel,
            alpha=1e-4,
            noise="gaussian",
            n_restarts_optimizer=0,
            random_state=self._model_seed(),
        )
        with warnings.catch_warnings():
            # on few points it may stop at the bounds of its length scales
            warnings.simplefilter("ignore")
            model.fit(features, scores)
            gain = gaussian_ei(self.grid.features(pool), model, y_opt=scores.min(), xi=0.01)
        return np.lexsort((self.rng.random(len(pool)), -gain))

    def _model_seed(self) -> int:
        return int(self.rng.integers(2**31))


def grown_trees(X: np.ndarray, y: np.ndarray, X_asked: np.ndarray, seed: int) -> np.ndarray:
    """What the trees of scikit-optimize's forest predict, without what a forest spends on each.

    On so few points a forest takes longer to clone, check and dispatch its trees than to grow them.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    y : ndarray of shape (n_points,)
        Their scores.
    X_asked : ndarray of shape (n_asked, n_features)
        Points whose scores are asked for.
    seed : int
        Seed of the forest.

    Returns
    -------
    ndarray of shape (n_trees, n_asked)
        The same as `ExtraTreesRegressor(random_state=seed)` gives, tree by tree.
    """
    forest = ExtraTreesRegressor(n_estimators=_TREES)
    given = {name: getattr(forest, name) for name in forest.estimator_params}
    tree = clone(forest.estimator).set_params(**given)
    points, asked = X.astype(np.float32), X_asked.astype(np.float32)
    seeds = np.random.RandomState(seed).randint(np.iinfo(np.int32).max, size=_TREES)
    predicted = np.empty((_TREES, len(asked)))
    with config_context(skip_parameter_validation=True):
        for i, own_seed in enumerate(seeds):
            grown = copy.copy(tree)
            grown.random_state = int(own_seed)
            grown.fit(points, y, check_input=False)
            predicted[i] = grown.tree_.predict(asked)[:, 0]
    return predicted


def _widths(coordinates: np.ndarray) -> np.ndarray:
    """Probabilities of the levels of a dimension, by width where levels are ranges."""
    n_levels = len(coordinates)
    width = np.ones(n_levels)
    if coordinates.shape[1] == 2 and (coordinates[:, 0] <= coordinates[:, 1]).all():
        step = 1.0 / max(1, len(np.unique(coordinates)) - 1)
        width = coordinates[:, 1] - coordinates[:, 0] + step
    return width / width.sum()
