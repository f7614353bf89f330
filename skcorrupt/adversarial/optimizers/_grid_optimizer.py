"""The ask and tell interface behind which all optimizers stand, and the two simplest ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from ._grid import MOST_NUMBERED, Grid

Point = tuple[int, ...]


class GridOptimizer:
    """Base of optimizers over a grid: propose points, be told their scores.

    A subclass writes `propose`; `tell` may be extended. Lower scores are better.

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
    """

    def __init__(self, grid: Grid, n_calls: int, seed: int, start: Sequence[Point] = ()) -> None:
        self.grid = grid
        self.n_calls = n_calls
        self.rng = np.random.default_rng(seed)
        self.scores: dict[Point, float] = {}
        self._start = list(dict.fromkeys(start))

    def ask(self) -> Iterable[Point]:
        """Points not told yet, most wanted first.

        Yields
        ------
        tuple of int
            A point; the caller takes as many as it evaluates.
        """
        for point in self._start:
            if point not in self.scores:
                yield point
        for point in self.propose():
            self._check(point)
            if point not in self.scores:
                yield point

    def _check(self, point: Any) -> None:
        shape = self.grid.shape
        if (
            not isinstance(point, tuple)
            or len(point) != len(shape)
            or not all(isinstance(level, Integral) for level in point)
            or not all(0 <= level < n for level, n in zip(point, shape, strict=True))
        ):
            raise ValueError(
                f"{type(self).__name__}.propose() gave {point!r}, which is no point of its grid; "
                f"give tuples of {len(shape)} integers from 0 to below {shape}."
            )

    def propose(self) -> Iterable[Point]:
        """Points in the order in which they should be tried; told ones are passed over."""
        raise NotImplementedError(f"{type(self).__name__} should define propose().")

    def tell(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Learn the scores of points.

        Parameters
        ----------
        points : sequence of tuple of int
            Points of the grid.
        scores : sequence of float
            Their scores; lower is better, and NaN is not allowed.
        """
        for point, score in zip(points, scores, strict=True):
            self.scores[point] = float(score)

    def shuffled(self, limit: int) -> np.ndarray:
        """Distinct points of the grid at random.

        Parameters
        ----------
        limit : int
            Most points.

        Returns
        -------
        ndarray of int, shape (n, n_dimensions)
            The points.
        """
        if self.grid.size <= limit:
            return self.grid.points(self.rng.permutation(self.grid.size))
        if self.grid.size > MOST_NUMBERED:
            drawn = [self.rng.integers(levels, size=limit) for levels in self.grid.shape]
            return self.grid.distinct(np.column_stack(drawn))
        return self.grid.points(np.unique(self.rng.integers(self.grid.size, size=limit)))


class ExhaustiveOptimizer(GridOptimizer):
    """Every point of the grid, in order."""

    _first = 0

    def propose(self) -> Iterable[Point]:
        """Every point in order."""
        for i in range(self._first, self.grid.size):
            point = tuple(self.grid.points(np.array([i]))[0].tolist())
            if i == self._first and point in self.scores:
                # otherwise every ask would walk over all that was told before
                self._first += 1
                continue
            yield point


class RandomOptimizer(GridOptimizer):
    """Points in random order."""

    def propose(self) -> Iterable[Point]:
        """Points in random order."""
        points = self.shuffled(max(4096, 8 * self.n_calls))
        self.rng.shuffle(points)
        yield from map(tuple, points.tolist())
