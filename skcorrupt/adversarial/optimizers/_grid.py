"""The grid of a template's candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# points of larger grids have no number that fits 64 bits
MOST_NUMBERED = 2**62


class Grid:
    """All combinations of a few dimensions, each with numeric coordinates for its levels.

    Parameters
    ----------
    coordinates : list of ndarray of shape (n_levels, n_coordinates)
        Coordinates by which a surrogate model tells the levels of each dimension apart.
    """

    def __init__(self, coordinates: Sequence[np.ndarray]) -> None:
        self.coordinates = [np.asarray(c, dtype=float) for c in coordinates]
        self.shape = tuple(len(c) for c in self.coordinates)
        self.size = 1
        for levels in self.shape:
            self.size *= levels

    def points(self, indices: np.ndarray) -> np.ndarray:
        """Points at flat indices.

        Parameters
        ----------
        indices : ndarray of int, shape (n,)
            Numbers from 0 below `size`.

        Returns
        -------
        ndarray of int, shape (n, n_dimensions)
            One level a dimension.
        """
        points = np.empty((len(indices), len(self.shape)), dtype=np.int64)
        rest = np.asarray(indices, dtype=np.int64)
        for d in range(len(self.shape) - 1, -1, -1):
            rest, points[:, d] = np.divmod(rest, self.shape[d])
        return points

    def distinct(self, points: np.ndarray) -> np.ndarray:
        """Points without repetitions, in the order of their numbers.

        Parameters
        ----------
        points : ndarray of int, shape (n, n_dimensions)
            One level a dimension.

        Returns
        -------
        ndarray of int, shape (n_distinct, n_dimensions)
            Each point once.
        """
        if self.size > MOST_NUMBERED:
            return np.unique(points, axis=0)
        numbers = np.zeros(len(points), dtype=np.int64)
        for levels, column in zip(self.shape, points.T, strict=True):
            numbers = numbers * levels + column
        return self.points(np.unique(numbers))

    def features(self, points: np.ndarray) -> np.ndarray:
        """Coordinates of points side by side.

        Parameters
        ----------
        points : ndarray of int, shape (n, n_dimensions)
            One level a dimension.

        Returns
        -------
        ndarray of shape (n, n_coordinates)
            Input of a surrogate model.
        """
        return np.hstack([c[points[:, d]] for d, c in enumerate(self.coordinates)])
