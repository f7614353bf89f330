"""A Gaussian process over candidates, by the rows that they strike."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

# over how many mean numbers of struck rows likeness fades, the share of the spread that is chance,
# and how much of what is learned for some columns holds for others
LENGTHS = (0.2, 0.8, 3.2)
NOISES = (0.05, 0.3)
SHARED = (0.0, 0.5)


@dataclass(frozen=True, eq=False)
class StruckRows:
    """Candidates as rows of numbers.

    Attributes
    ----------
    rates : ndarray of shape (n_candidates, n_rows)
        The probability with which each row is struck.
    groups : ndarray of int, shape (n_candidates,)
        What the error does to them: the same for the same columns hit and class flipped to.
    """

    rates: np.ndarray
    groups: np.ndarray

    def __getitem__(self, chosen: np.ndarray) -> StruckRows:
        """Some of the candidates."""
        return StruckRows(self.rates[chosen], self.groups[chosen])


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
    settings : tuple of float or None, default=None
        Length, noise and share that were found before.
    """

    def __init__(
        self,
        struck: StruckRows,
        scores: np.ndarray,
        settings: tuple[float, float, float] | None = None,
    ) -> None:
        self.struck = struck
        self.mean, self.spread = float(scores.mean()), float(scores.std()) or 1.0
        self._apart = _distances(struck, struck)
        self._together = struck.groups[:, None] == struck.groups[None, :]
        known = (scores - self.mean) / self.spread
        self.settings = settings or self._likeliest(known)
        self._factor = self._factored(self.settings)
        self._weights = cho_solve(self._factor, known)

    def _likeliest(self, known: np.ndarray) -> tuple[float, float, float]:
        size = float((self.struck.rates**2).sum(axis=1).mean()) or 1.0
        lengths = [size * length for length in LENGTHS]
        found = itertools.product(lengths, NOISES, SHARED)
        return max(found, key=lambda settings: self._likelihood(settings, known))

    def _likelihood(self, settings: tuple[float, float, float], known: np.ndarray) -> float:
        factor = self._factored(settings)
        fit = float(known @ cho_solve(factor, known))
        return -0.5 * fit - float(np.log(np.diag(factor[0])).sum())

    def _factored(self, settings: tuple[float, float, float]) -> tuple[np.ndarray, bool]:
        length, noise, shared = settings
        kernel = _likeness(self._apart, self._together, length, shared)
        kernel[np.diag_indices_from(kernel)] += noise
        return cho_factor(kernel, lower=True, overwrite_a=True, check_finite=False)

    def _kernel(self, struck: StruckRows) -> np.ndarray:
        length, _, shared = self.settings
        together = struck.groups[:, None] == self.struck.groups[None, :]
        return _likeness(_distances(struck, self.struck), together, length, shared)

    def _mean_of(self, kernel: np.ndarray) -> np.ndarray:
        scores: np.ndarray = self.mean + self.spread * (kernel @ self._weights)
        return scores

    def expected(self, struck: StruckRows) -> np.ndarray:
        """Expected scores alone, which take less time.

        Parameters
        ----------
        struck : StruckRows
            Any candidates.

        Returns
        -------
        ndarray of shape (n_candidates,)
            Scores as they are expected.
        """
        return self._mean_of(self._kernel(struck))

    def predict(self, struck: StruckRows) -> tuple[np.ndarray, np.ndarray]:
        """Expected scores and their standard deviations.

        Parameters
        ----------
        struck : StruckRows
            Any candidates.

        Returns
        -------
        mean : ndarray of shape (n_candidates,)
            Scores as they are expected.
        deviation : ndarray of shape (n_candidates,)
            How far the true ones may lie from them.
        """
        kernel = self._kernel(struck)
        explained = solve_triangular(self._factor[0], kernel.T, lower=True, check_finite=False)
        left = np.maximum(1.0 - np.einsum("ij,ij->j", explained, explained), 0.0)
        return self._mean_of(kernel), self.spread * np.sqrt(left)


def _distances(some: StruckRows, others: StruckRows) -> np.ndarray:
    """Squared distances of rates; by a product, which is exact where rates are zero and one."""
    a, b = some.rates, others.rates
    squares = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1)[None, :]
    apart: np.ndarray = np.maximum(squares - 2 * (a @ b.T), 0.0)
    return apart


def _likeness(apart: np.ndarray, together: np.ndarray, length: float, shared: float) -> np.ndarray:
    return np.exp(-apart / length) * np.where(together, 1.0, shared)
