"""A Gaussian process over candidates, by the rows that they strike."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.linalg import cholesky, solve_triangular

# over how many mean numbers of struck rows likeness fades, the share of the spread that is chance,
# and how much of what is learned for some columns holds for others
LENGTHS = (0.2, 0.8, 3.2)
NOISES = (0.05, 0.3)
SHARED = (0.0, 0.5)
# standard deviations that a score is taken to lie from the mean, at most
FURTHEST = 1e6

Settings: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class StruckRows:
    """Candidates as rows of numbers.

    Attributes
    ----------
    rates : ndarray of float32, shape (n_candidates, n_rows)
        The probability with which each row is struck.
    groups : ndarray of int, shape (n_candidates,)
        What the error does to them: the same for the same columns hit and class flipped to.
    """

    rates: np.ndarray
    groups: np.ndarray

    def __getitem__(self, chosen: np.ndarray) -> StruckRows:
        """Some of the candidates."""
        return StruckRows(self.rates[chosen], self.groups[chosen])

    def and_then(self, others: StruckRows) -> StruckRows:
        """These candidates and others."""
        rates, groups = (self.rates, others.rates), (self.groups, others.groups)
        return StruckRows(np.concatenate(rates), np.concatenate(groups))


class StruckRowsProcess:
    r"""A Gaussian process whose kernel compares the rows that candidates strike.

    Two candidates with rates :math:`r` and :math:`r'` are alike by
    :math:`\exp(-\sum_i (r_i - r'_i)^2 / \ell)`, less where they hit different columns. It needs to
    know nothing of the pipeline. Length, noise and what columns share maximise the marginal
    likelihood over a few values of each (Rasmussen and Williams, 2006, algorithm 2.1).

    Parameters
    ----------
    struck : StruckRows
        What was scored.
    scores : ndarray of shape (n_candidates,)
        Their scores, finite.

    Attributes
    ----------
    mean, spread : float
        Of the scores.
    settings : tuple of float
        Length, noise and share.
    lower : ndarray of shape (n_candidates, n_candidates)
        Cholesky factor of the kernel with noise.
    halfway : ndarray of shape (n_candidates,)
        What it makes of the scores, scaled.
    """

    def __init__(self, struck: StruckRows, scores: np.ndarray) -> None:
        self.struck = struck
        self.mean, self.spread = float(scores.mean()), float(scores.std()) or 1.0
        size = float((struck.rates**2).sum(axis=1).mean()) or 1.0
        apart, together = _distances(struck, struck), _together(struck, struck)
        likeliest: float | None = None
        known = self.scaled(scores)
        for length, noise, shared in itertools.product(LENGTHS, NOISES, SHARED):
            settings = size * length, noise, shared
            lower = factored(_likeness(apart.copy(), together, settings), noise)
            halfway = forward(lower, known)
            likelihood = -0.5 * float(halfway @ halfway) - float(np.log(np.diag(lower)).sum())
            if likeliest is None or likelihood > likeliest:
                likeliest, self.settings = likelihood, settings
                self.lower, self.halfway = lower, halfway
        self._weights = solve_triangular(
            self.lower, self.halfway, trans="T", lower=True, check_finite=False
        )

    def scaled(self, scores: np.ndarray) -> np.ndarray:
        """Scores as the process has them, in single precision as all that it computes with."""
        scaled = (scores - self.mean) / self.spread
        return np.clip(scaled, -FURTHEST, FURTHEST).astype(np.float32)

    def unscaled(self, scaled: np.ndarray) -> np.ndarray:
        """Scores as they were, in double precision, as they may differ little."""
        scores: np.ndarray = self.mean + self.spread * scaled.astype(float)
        return scores

    def likeness(self, some: StruckRows, others: StruckRows) -> np.ndarray:
        """The kernel, of shape (n_some, n_others)."""
        return _likeness(_distances(some, others), _together(some, others), self.settings)

    def expected(self, struck: StruckRows) -> np.ndarray:
        """Expected scores.

        Parameters
        ----------
        struck : StruckRows
            Any candidates.

        Returns
        -------
        ndarray of shape (n_candidates,)
            Scores as they are expected.
        """
        return self.unscaled(self.likeness(struck, self.struck) @ self._weights)


class Outlook:
    """What a process expects of some candidates, while further scores are learned.

    The factor grows by a block a time, and so does what it explains of every candidate, which would
    take many times as long from the beginning.

    Parameters
    ----------
    process : StruckRowsProcess
        What was learned so far; its settings stay.
    struck : StruckRows
        The candidates.
    """

    def __init__(self, process: StruckRowsProcess, struck: StruckRows) -> None:
        self.process, self.struck = process, struck
        self._known, self._lower, self._halfway = process.struck, process.lower, process.halfway
        self._explained = self._explained_of(struck)

    def _explained_of(self, struck: StruckRows) -> np.ndarray:
        return forward(self._lower, self.process.likeness(self._known, struck))

    def add(self, struck: StruckRows) -> None:
        """Add candidates behind the others."""
        self.struck = self.struck.and_then(struck)
        self._explained = np.hstack([self._explained, self._explained_of(struck)])

    def learn(self, struck: StruckRows, scores: np.ndarray) -> None:
        """Learn further scores, of these candidates or of others."""
        likeness, noise = self.process.likeness, self.process.settings[1]
        beside = forward(self._lower, likeness(self._known, struck))
        corner = factored(likeness(struck, struck) - beside.T @ beside, noise)
        more = likeness(struck, self.struck) - beside.T @ self._explained
        self._explained = np.vstack([self._explained, forward(corner, more)])
        left = self.process.scaled(scores) - beside.T @ self._halfway
        self._halfway = np.concatenate([self._halfway, forward(corner, left)])
        above = np.zeros(beside.shape, dtype=beside.dtype)
        self._lower = np.block([[self._lower, above], [beside.T, corner]])
        self._known = self._known.and_then(struck)

    def predict(self) -> tuple[np.ndarray, np.ndarray]:
        """Expected scores and their standard deviations.

        Returns
        -------
        mean : ndarray of shape (n_candidates,)
            Scores as they are expected.
        deviation : ndarray of shape (n_candidates,)
            How far the true ones may lie from them.
        """
        process, explained = self.process, self._explained
        left = np.maximum(1.0 - np.einsum("ij,ij->j", explained, explained), 0.0)
        mean = process.unscaled(self._halfway @ explained)
        return mean, process.spread * np.sqrt(left)


def factored(kernel: np.ndarray, noise: float) -> np.ndarray:
    """The lower Cholesky factor of a kernel with noise, in its place."""
    kernel[np.diag_indices_from(kernel)] += noise
    lower: np.ndarray = cholesky(kernel, lower=True, overwrite_a=True, check_finite=False)
    return lower


def forward(lower: np.ndarray, right: np.ndarray) -> np.ndarray:
    """What a lower factor takes to the right hand side."""
    solved: np.ndarray = solve_triangular(lower, right, lower=True, check_finite=False)
    return solved


def _distances(some: StruckRows, others: StruckRows) -> np.ndarray:
    """Squared distances of rates; by a product, which is exact where rates are zero and one."""
    a, b = some.rates, others.rates
    apart: np.ndarray = a @ b.T
    apart *= -2
    apart += np.einsum("ij,ij->i", a, a)[:, None]
    apart += np.einsum("ij,ij->i", b, b)
    return np.maximum(apart, 0, out=apart)


def _together(some: StruckRows, others: StruckRows) -> np.ndarray:
    return some.groups[:, None] == others.groups


def _likeness(apart: np.ndarray, together: np.ndarray, settings: Settings) -> np.ndarray:
    """The kernel, in the place of the distances."""
    length, _, shared = settings
    apart *= -1 / length
    np.exp(apart, out=apart)
    apart *= np.where(together, np.float32(1), np.float32(shared))
    return apart
