"""Bayesian optimisation over a grid with scikit-optimize's surrogates and acquisition."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from skopt.acquisition import gaussian_ei
from skopt.learning import ExtraTreesRegressor, GaussianProcessRegressor
from skopt.learning.gaussian_process.kernels import ConstantKernel, Matern

from ._grid_optimizer import Grid, GridOptimizer, Point

_POOL = 2000
_NEIGHBOURS = 300
_ELITE = 5


class SurrogateOptimizer(GridOptimizer):
    """Expected improvement of a scikit-optimize surrogate over points of a grid.

    scikit-optimize's own Optimizer refits a hundred trees and scores ten thousand points at
    every ask; here one small model is fitted a batch and scores a sample of the grid and the
    neighbours of the best points, so that it costs little beside a cheap pipeline.

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
        Extremely randomised trees, or a Gaussian process.
    """

    def __init__(
        self,
        grid: Grid,
        n_calls: int,
        seed: int,
        start: Sequence[Point] = (),
        surrogate: str = "forest",
    ):
        super().__init__(grid, n_calls, seed, start)
        self._surrogate = surrogate
        self._n_initial = max(4, n_calls // 4)

    def propose(self) -> Iterable[Point]:
        """Random points at first, then points by expected improvement."""
        if len(set(self.scores.values())) < 2 or len(self.scores) < self._n_initial:
            yield from map(tuple, self._spread().tolist())
            return
        pool = self._pool()
        if not len(pool):
            return
        gain = self._expected_improvement(pool)
        # equal gains, frequent with trees, are broken at random
        order = np.lexsort((self.rng.random(len(pool)), -gain))
        yield from map(tuple, pool[order].tolist())

    def _spread(self) -> np.ndarray:
        points = self.shuffled(_POOL)
        self.rng.shuffle(points)
        return points

    def _pool(self) -> np.ndarray:
        best = sorted(self.scores, key=lambda point: self.scores[point])[:_ELITE]
        near = np.repeat(np.array(best), _NEIGHBOURS // len(best), axis=0)
        dimension = self.rng.integers(len(self.grid.shape), size=len(near))
        levels = np.array(self.grid.shape)[dimension]
        near[np.arange(len(near)), dimension] = self.rng.integers(levels)
        pool = np.unique(np.vstack([self.shuffled(_POOL), near]), axis=0)
        told = set(self.scores)
        return pool[[tuple(point) not in told for point in pool.tolist()]]

    def _expected_improvement(self, pool: np.ndarray) -> np.ndarray:
        points = np.array(list(self.scores))
        y = np.array(list(self.scores.values()))
        y = (y - y.mean()) / y.std()
        model = self._model()
        with warnings.catch_warnings():
            # a Gaussian process on few points may stop at the bounds of its length scales
            warnings.simplefilter("ignore")
            model.fit(self.grid.features(points), y)
            return gaussian_ei(self.grid.features(pool), model, y_opt=y.min(), xi=0.01)

    def _model(self) -> Any:
        seed = int(self.rng.integers(2**31))
        if self._surrogate == "forest":
            return ExtraTreesRegressor(
                n_estimators=24, min_samples_leaf=1, min_variance=1e-4, random_state=seed
            )
        n_features = sum(c.shape[1] for c in self.grid.coordinates)
        kernel = ConstantKernel(1.0, (0.01, 100.0)) * Matern(
            length_scale=np.ones(n_features),
            length_scale_bounds=[(0.05, 20.0)] * n_features,
            nu=2.5,
        )
        return GaussianProcessRegressor(
            kernel=kernel, alpha=1e-4, noise="gaussian", n_restarts_optimizer=0, random_state=seed
        )
