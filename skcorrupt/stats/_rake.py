"""Weights under which shares are as given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# shares that are met so well need no further round
TOLERANCE = 1e-6
MOST_ROUNDS = 200
# rounds that bring shares hardly nearer, after which no more is hoped for
PATIENCE = 5
NEARER = 0.99


@dataclass(frozen=True)
class Raked:
    """Weights, and how well they do what was asked.

    Attributes
    ----------
    factors : ndarray of shape (n_rows,)
        What the weights of rows are multiplied by; 1 in the weighted mean.
    gaps : list of ndarray
        Of each margin, how much the weighted share of each level is above the one asked for.
    """

    factors: np.ndarray
    gaps: list[np.ndarray]

    @property
    def largest_gap(self) -> float:
        """The largest of the gaps, without its sign; 0 where there are none."""
        return max((float(np.abs(each).max()) for each in self.gaps), default=0.0)


def rake(
    codes: Sequence[np.ndarray], shares: Sequence[np.ndarray], weights: np.ndarray, most: float
) -> Raked:
    """Weights of rows under which each of several margins has the shares that are given.

    Iterative proportional fitting: margin after margin, all rows of a level are multiplied by what
    is missing to its share, until no margin asks for more. Of all weights with these shares they
    are those nearest to the given ones, by the Kullback-Leibler divergence.

    Parameters
    ----------
    codes : sequence of ndarray of int, each of shape (n_rows,)
        Of each margin, the level of every row.
    shares : sequence of ndarray, each of shape (n_levels,)
        Of each margin, the share of every level; they sum to 1, and levels with a share above 0
        have rows.
    weights : ndarray of shape (n_rows,)
        Weights to start from, not all 0.
    most : float
        The largest factor, of at least 1; larger ones are cut after every round.

    Returns
    -------
    Raked
        The factors and the gaps that they leave.

    References
    ----------
    .. [1] W. E. Deming and F. F. Stephan, On a least squares adjustment of a sampled frequency
       table when the expected marginal totals are known, Annals of Mathematical Statistics 11(4),
       1940.
    """
    factors = np.ones(len(weights))
    best = Raked(factors, _gaps(codes, shares, weights))
    n_vain = 0
    for _ in range(MOST_ROUNDS if len(codes) else 0):
        for level, share in zip(codes, shares, strict=True):
            now = _shares(level, len(share), weights * factors)
            by = np.divide(share, now, out=np.zeros_like(share), where=now > 0)
            factors = factors * by[level]
            total = float(weights @ factors)
            if not total > 0:
                # no row is of a level with a share in both of two margins
                return best
            factors *= weights.sum() / total
        factors = _cut(factors, weights, most)
        raked = Raked(factors, _gaps(codes, shares, weights * factors))
        n_vain = 0 if raked.largest_gap < NEARER * best.largest_gap else n_vain + 1
        if raked.largest_gap < best.largest_gap:
            best = raked
        if best.largest_gap <= TOLERANCE or n_vain == PATIENCE:
            break
    return best


def _cut(factors: np.ndarray, weights: np.ndarray, most: float) -> np.ndarray:
    """Factors with a mean of 1, of which the largest are cut so that none is above the most."""
    if factors.max() <= most:
        return factors
    total, left_out = weights.sum(), factors == 0
    of_others = total - most * weights[~left_out].sum()
    if of_others >= 0:
        # rows of levels with a share cannot carry all the weight
        of_left_out = max(float(weights[left_out].sum()), np.finfo(float).tiny)
        return np.where(left_out, min(of_others / of_left_out, most), most)
    order = np.argsort(-factors, kind="stable")
    ordered, of_each = factors[order], weights[order]
    # where so many are cut, all to the same, which is the most beside the mean then
    cut = np.append(0.0, np.cumsum(of_each))
    rest = np.append(ordered @ of_each, ordered @ of_each - np.cumsum(ordered * of_each))
    left = cut[-1] - most * cut
    to = np.divide(most * rest, left, out=np.append(np.inf, ordered), where=left > 0)
    n_cut = int(np.argmax(to >= np.append(ordered, 0.0)))
    cut_to = np.minimum(factors, to[n_cut])
    found: np.ndarray = np.minimum(cut_to * (total / (weights @ cut_to)), most)
    return found


def _shares(codes: np.ndarray, n_levels: int, weights: np.ndarray) -> np.ndarray:
    totals = np.bincount(codes, weights=weights, minlength=n_levels)
    found: np.ndarray = totals / totals.sum()
    return found


def _gaps(
    codes: Sequence[np.ndarray], shares: Sequence[np.ndarray], weights: np.ndarray
) -> list[np.ndarray]:
    return [
        _shares(level, len(share), weights) - share
        for level, share in zip(codes, shares, strict=True)
    ]
