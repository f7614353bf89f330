"""What imputers that look at other columns put into a column, under every candidate of a batch.

They are fitted after the error, on the rows that still hold a value, which a pattern may have
chosen to be unlike those that lost theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import BayesianRidge, LinearRegression, Ridge

from ._imputation import Fill
from ._proxy_groups import Groups

SMALLEST = 1e-12
# evidence of a Bayesian ridge settles within so many rounds
ROUNDS = 25
PRIOR = 1e-6
# groups among which neighbours are sought, and places in their order that are looked at
MOST_DONORS = 1_500
NEAREST = 48
THINNED = 80
ROWS_AT_ONCE = 256


class Regressed:
    """A column as its regression on others predicts it, as IterativeImputer does.

    Parameters
    ----------
    groups : Groups
        The data.
    j : int
        The column.
    hit : tuple of int
        All columns that are missing in the same rows.
    fill : Fill
        The imputer.
    """

    def __init__(self, groups: Groups, j: int, hit: tuple[int, ...], fill: Fill) -> None:
        feature = groups.features[j]
        self.X = elsewhere(groups, hit, fill)
        self.y = _known(groups, j, fill.standardised)
        self.unit = feature.spread if fill.standardised else 1.0
        self.origin = feature.centre if fill.standardised else 0.0
        self.estimator = fill.imputer.estimator
        self.low, self.high = _limits(fill, j)
        at = np.triu_indices(self.X.shape[1])
        self.pairs, self.products = at, self.X[:, at[0]] * self.X[:, at[1]]

    def numbers(self, kept: np.ndarray, lost: np.ndarray) -> np.ndarray:
        """Predictions in the column's own unit.

        Parameters
        ----------
        kept : ndarray of shape (n_batch, n_groups)
            Weights of the groups in which the column is there.
        lost : ndarray of shape (n_batch, n_groups)
            Weights of those in which it is not, which all are predicted.

        Returns
        -------
        ndarray of shape (n_batch, n_groups)
            One for each candidate and group.
        """
        kept = kept.astype(float)
        n = np.maximum(kept.sum(axis=1), SMALLEST)
        p = self.X.shape[1]
        means, mean = kept @ self.X / n[:, None], kept @ self.y / n
        gram = np.empty((len(kept), p, p))
        flat = kept @ self.products
        gram[:, self.pairs[0], self.pairs[1]] = flat
        gram[:, self.pairs[1], self.pairs[0]] = flat
        gram -= n[:, None, None] * means[:, :, None] * means[:, None, :]
        with_y = kept @ (self.X * self.y[:, None]) - n[:, None] * means * mean[:, None]
        squares = np.maximum(kept @ self.y**2 - n * mean**2, 0.0)
        coef = self._coefficients(gram, with_y, squares, n)
        intercept = mean - (coef * means).sum(axis=1)
        predicted = np.clip(coef @ self.X.T + intercept[:, None], self.low, self.high)
        return predicted * self.unit + self.origin

    def _coefficients(
        self, gram: np.ndarray, with_y: np.ndarray, squares: np.ndarray, n: np.ndarray
    ) -> np.ndarray:
        values, vectors = np.linalg.eigh(gram)
        values = np.maximum(values, 0.0)
        along = np.einsum("bji,bj->bi", vectors, with_y)
        if isinstance(self.estimator, (BayesianRidge, type(None))):
            shrunk = _evidence(values, along, squares, n)
        else:
            alpha = self.estimator.alpha if isinstance(self.estimator, Ridge) else 0.0
            alpha = 0.0 if isinstance(self.estimator, LinearRegression) else float(np.mean(alpha))
            # directions without spread are left out, as by least squares of lowest norm
            none = values <= 1e-9 * values.max(axis=1, keepdims=True)
            shrunk = np.where(none, 0.0, along / np.maximum(values + alpha, SMALLEST))
        return np.einsum("bij,bj->bi", vectors, shrunk)


def _evidence(
    values: np.ndarray, along: np.ndarray, squares: np.ndarray, n: np.ndarray
) -> np.ndarray:
    """Coefficients of a Bayesian ridge along eigenvectors; precisions by their fixed point."""
    noise = n / np.maximum(squares, SMALLEST)
    weight = np.ones(len(n))
    coef = np.zeros_like(along)
    for _ in range(ROUNDS):
        coef = along / np.maximum(values + (weight / noise)[:, None], SMALLEST)
        scaled = noise[:, None] * values
        effective = (scaled / (weight[:, None] + scaled)).sum(axis=1)
        size = (coef**2).sum(axis=1)
        left = squares - 2 * (coef * along).sum(axis=1) + (values * coef**2).sum(axis=1)
        weight = (effective + 2 * PRIOR) / (size + 2 * PRIOR)
        noise = (n - effective + 2 * PRIOR) / (np.maximum(left, 0.0) + 2 * PRIOR)
        noise = np.maximum(noise, SMALLEST)
    return coef


class Neighbours:
    """A column as the mean over the rows nearest that hold it, as KNNImputer has it.

    Parameters
    ----------
    groups : Groups
        The data.
    j : int
        The column.
    hit : tuple of int
        All columns that are missing in the same rows.
    fill : Fill
        The imputer.
    """

    def __init__(self, groups: Groups, j: int, hit: tuple[int, ...], fill: Fill) -> None:
        self.n_neighbors = fill.imputer.n_neighbors
        self.near = fill.imputer.weights == "distance"
        X = elsewhere(groups, hit, fill)
        # squares of large numbers would leave nothing of their differences
        X = X - X.mean(axis=0)
        self.values = _known(groups, j, standardised=False)
        donors = np.arange(len(X))
        self.worth = np.ones(len(X))
        if len(X) > MOST_DONORS:
            donors = np.sort(np.random.default_rng(0).choice(donors, MOST_DONORS, replace=False))
            self.worth[:] = len(X) / MOST_DONORS
        nearest = NEAREST if len(donors) > 2 * (NEAREST + THINNED) else len(donors)
        thinned = np.geomspace(nearest, len(donors), THINNED).astype(int)
        places = np.unique(np.concatenate([np.arange(nearest), thinned]))
        places = places[places < len(donors)]
        # a place stands for all up to the next
        self.stands = np.diff(np.append(places, len(donors)))
        self.order = np.empty((len(X), len(places)), dtype=np.int32)
        self.distance = np.empty((len(X), len(places)), dtype=np.float32)
        own = (X[donors] ** 2).sum(axis=1)
        for a in range(0, len(X), ROWS_AT_ONCE):
            some = X[a : a + ROWS_AT_ONCE]
            square = own - 2 * some @ X[donors].T + (some**2).sum(axis=1)[:, None]
            order = np.argsort(square, axis=1, kind="stable")[:, places]
            self.order[a : a + len(some)] = donors[order]
            self.distance[a : a + len(some)] = np.sqrt(
                np.maximum(np.take_along_axis(square, order, axis=1), 0.0)
            )

    def numbers(self, kept: np.ndarray, lost: np.ndarray) -> np.ndarray:
        """Means over the nearest in the column's own unit.

        Parameters
        ----------
        kept : ndarray of shape (n_batch, n_groups)
            Weights of the groups in which the column is there.
        lost : ndarray of shape (n_batch, n_groups)
            Weights of those in which it is not; what stands elsewhere is no matter.

        Returns
        -------
        ndarray of shape (n_batch, n_groups)
            0 where no row is lost.
        """
        found = np.zeros(kept.shape)
        everywhere = kept @ self.values / np.maximum(kept.sum(axis=1), SMALLEST)
        for i, (left, gone) in enumerate(zip(kept, lost, strict=True)):
            at = np.flatnonzero(gone)
            order = self.order[at]
            there = (left * self.worth)[order] * self.stands
            reached = np.minimum(np.cumsum(there, axis=1), self.n_neighbors)
            taken = np.diff(reached, axis=1, prepend=0.0)
            if self.near:
                taken = taken / np.maximum(self.distance[at], SMALLEST)
            total = taken.sum(axis=1)
            means = (taken * self.values[order]).sum(axis=1) / np.maximum(total, SMALLEST)
            found[i, at] = np.where(total > 0, means, everywhere[i])
        return found


def elsewhere(groups: Groups, hit: tuple[int, ...], fill: Fill) -> np.ndarray:
    """Columns that an imputer looks at beside those hit, of shape (n_groups, n_columns)."""
    found = [np.zeros((groups.n_groups, 0))]
    for k in fill.others:
        if k in hit:
            continue
        if groups.features[k].numeric:
            found.append(_known(groups, k, fill.standardised)[:, None])
        else:
            found.append(groups.design[:, groups.features[k].block].astype(float))
    return np.hstack(found)


def _known(groups: Groups, j: int, standardised: bool) -> np.ndarray:
    """A column of numbers, with its mean where it is missing."""
    feature = groups.features[j]
    numbers = np.append(feature.values, feature.centre)[feature.levels]
    return (numbers - feature.centre) / feature.spread if standardised else numbers


def _limits(fill: Fill, j: int) -> tuple[float, float]:
    """The least and the largest value that is imputed."""
    found: list[float] = []
    for given, without in ((fill.imputer.min_value, -np.inf), (fill.imputer.max_value, np.inf)):
        limits: Any = np.atleast_1d(without if given is None else given)
        known = len(limits) in (1, len(fill.others))
        found.append(float(limits[fill.others.index(j) % len(limits)]) if known else without)
    return found[0], found[1]
