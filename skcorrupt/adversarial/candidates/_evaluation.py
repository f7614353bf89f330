"""Candidates with their scores, and the order of these."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

import numpy as np

from skcorrupt.evaluation import Outcome

from ._candidate import Candidate


@dataclass(eq=False)
class Evaluation:
    """A candidate and what came of it on every split, draw by draw.

    Attributes
    ----------
    candidate : Candidate
        What was scored.
    outcomes : list of Outcome
        Those of the first draw on every split, then those of the next.
    order : int
        How many were scored before it.
    n_splits : int
        Number of splits.
    """

    candidate: Candidate
    outcomes: list[Outcome]
    order: int
    n_splits: int

    @cached_property
    def n_draws(self) -> int:
        """How often the error was drawn."""
        return len(self.outcomes) // self.n_splits

    @property
    def draws(self) -> np.ndarray:
        """Scores of shape (n_draws, n_splits)."""
        if self.infeasible:
            return np.full((self.n_draws, self.n_splits), np.nan)
        scores = np.array([outcome.score for outcome in self.outcomes], dtype=float)
        return scores.reshape(self.n_draws, self.n_splits)

    @property
    def scores(self) -> np.ndarray:
        """One score for each split, the mean over the draws."""
        return self.draws.mean(axis=0)

    @cached_property
    def score(self) -> float:
        """Mean score; NaN where a split failed."""
        return float(np.mean(self.draws))

    @cached_property
    def place(self) -> tuple[float, int]:
        """What it is ranked by: earlier ones come first among equals."""
        return self.score, self.order

    @cached_property
    def variance(self) -> float:
        """Variance of the mean score of a draw, of which there are several."""
        return float(self.draws.mean(axis=1).var(ddof=1))

    @property
    def infeasible(self) -> bool:
        """Whether some split refused the corrupted data."""
        return any(outcome.infeasible for outcome in self.outcomes)

    @property
    def error(self) -> str:
        """The first error or reason, or ""."""
        return next((outcome.error for outcome in self.outcomes if outcome.error), "")

    @cached_property
    def row_fraction(self) -> float:
        """Largest share of training rows struck in a split."""
        return float(np.fmax.reduce([outcome.row_fraction for outcome in self.outcomes]))


class Ranking:
    """What was scored by its score, from how it was ranked when that was asked last."""

    def __init__(self) -> None:
        self._seen: list[Evaluation] = []
        self._ranked: list[Evaluation] = []

    def of(self, done: Mapping[bytes, Evaluation]) -> list[Evaluation]:
        """Feasible evaluations, the lowest score first.

        Parameters
        ----------
        done : mapping of bytes to Evaluation
            The same as before, in which evaluations may be replaced and added.

        Returns
        -------
        list of Evaluation
            Earlier ones come first among equals.
        """
        now = list(done.values())
        pairs = zip(self._seen, now, strict=False)
        replaced = [(old, e) for old, e in pairs if old is not e]
        new = [e for _, e in replaced] + now[len(self._seen) :]
        if new:
            gone = {id(old) for old, _ in replaced}
            # what stays is in order, of which sorting takes a fraction of the time
            stays = [e for e in self._ranked if id(e) not in gone]
            scored = [e for e in new if math.isfinite(e.score)]
            self._seen, self._ranked = now, sorted(stays + scored, key=attrgetter("place"))
        return list(self._ranked)
