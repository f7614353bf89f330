"""Under-sampling by neighbours as the study's libraries had it."""

from __future__ import annotations

from typing import Any

import numpy as np
from imblearn.under_sampling import EditedNearestNeighbours
from sklearn.neighbors import NearestNeighbors

# rows whose distances to all others are held at once
AT_ONCE = 500


class FirstOfEqual(NearestNeighbors):
    """Neighbours in a table of whole numbers, of equally near ones the first rows.

    Those that today's libraries take are others: with the first the study's effects of
    under-sampling come back on German credit, on Adult not.
    """

    def fit(self, X: Any, y: Any = None) -> FirstOfEqual:
        """Keep the rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Whole numbers.
        y : None
            Ignored.

        Returns
        -------
        FirstOfEqual
            Itself.
        """
        self.rows_ = np.asarray(X, dtype=np.int64).astype(float)
        return self

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """The nearest rows.

        Parameters
        ----------
        X : array-like of shape (n_asked, n_columns)
            Whole numbers.
        n_neighbors : None
            Ignored.
        return_distance : bool, default=True
            Ignored.

        Returns
        -------
        ndarray of shape (n_asked, n_neighbors)
            Positions of rows, the nearest first.
        """
        asked, rows = np.asarray(X, dtype=float), self.rows_
        squares, found = (rows**2).sum(axis=1), []
        for some in np.array_split(asked, -(-len(asked) // AT_ONCE)):
            # sums of products of whole numbers are exact; the row's own square orders nothing
            apart = (squares - 2 * some @ rows.T).astype(np.int64)
            ordered = apart * len(rows) + np.arange(len(rows))
            near = np.argpartition(ordered, self.n_neighbors, axis=1)[:, : self.n_neighbors]
            order = np.argsort(np.take_along_axis(ordered, near, axis=1), axis=1)
            found.append(np.take_along_axis(near, order, axis=1))
        return np.concatenate(found)


def all_nearest(X: Any, y: Any) -> tuple[Any, Any]:
    """The rows that AllKNN leaves of two classes: those with one, two, then three alike.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        Whole numbers.
    y : array-like of shape (n_rows,)
        Labels.

    Returns
    -------
    tuple
        Rows and labels.
    """
    X, y = np.asarray(X), np.asarray(y)
    fewer = np.unique(y, return_counts=True)[1].min()
    for k in (1, 2, 3):
        sampler = EditedNearestNeighbours(n_neighbors=FirstOfEqual(n_neighbors=k + 1))
        sampler.fit_resample(X, y)
        # in the order of the table, on which it depends which rows are first; the sampler has one
        # class after the other, which on German credit does the same with good credit first, as
        # its file has labels 1 and 2, and not with the codes here
        kept = np.sort(sampler.sample_indices_)
        X, y = X[kept], y[kept]
        if np.unique(y, return_counts=True)[1].min() < fewer:
            break
    return X, y
