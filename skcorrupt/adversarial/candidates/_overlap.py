"""How many rows several errors strike together at most, and rates that keep within a budget."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ._candidate import ROUNDING

# so many errors are looked at in all combinations
MOST_COMBINED = 8
BISECTIONS = 30
# shares of the largest common factor are cut to so many digits, which rounding cannot undo
DIGITS = 1e9


@dataclass(frozen=True)
class Part:
    """One error of several, as far as the number of rows it strikes goes.

    Attributes
    ----------
    mask : ndarray of bool, shape (n_rows,)
        Rows it can strike.
    rate : float or None
        Share of them that it strikes; None where that is to be found.
    weight : float
        Share of the budget it has where its rate is to be found.
    strikes : int
        How often rows are drawn, for columns that are struck on rows of their own.
    drops : bool
        Whether the rows are dropped, so that no other error strikes them.
    noise : object
        Errors with the same value that can strike the same rows strike the same ones of them;
        None for an error that draws rows of its own.
    """

    mask: np.ndarray
    rate: float | None
    weight: float = 0.0
    strikes: int = 1
    drops: bool = False
    noise: object = None


class Overlap:
    """Bounds on the rows struck together, for any draw of the noise.

    Parameters
    ----------
    parts : sequence of Part
        The errors, in the order in which they act.
    trains : sequence of ndarray of int
        Training rows of every split.
    """

    def __init__(self, parts: Sequence[Part], trains: Sequence[np.ndarray]) -> None:
        self.parts = list(parts)
        self.sizes = np.array([len(train) for train in trains])
        self._strikes = np.array([part.strikes for part in parts])
        self._cluster = self._clusters()
        self._heads, self._place = np.unique(self._cluster, return_inverse=True)
        inside = np.stack([part.mask for part in parts])
        self._splits = [self._regions(inside[:, train]) for train in trains]
        self.matched = np.stack([split[0] for split in self._splits])

    def _clusters(self) -> np.ndarray:
        """The first part that strikes the same rows as each, but for their number."""
        first = np.arange(len(self.parts))
        for i, j in itertools.combinations(range(len(self.parts)), 2):
            a, b = self.parts[i], self.parts[j]
            alike = a.noise is not None and a.noise == b.noise
            if alike and first[j] == j and np.array_equal(a.mask, b.mask):
                first[j] = first[i]
        return first

    def _regions(self, inside: np.ndarray) -> tuple[np.ndarray, ...]:
        """Rows matched, in all that are counted in full, and by each of the others beside them."""
        place = np.arange(len(inside))
        marks = (inside.astype(np.int64) << place[:, None]).sum(axis=0)
        found, sizes = np.unique(marks, return_counts=True)
        regions = (found >> place[:, None]) & 1
        inner = regions[self._heads]
        whole = _combinations(len(self._heads))
        covered = (whole @ inner) > 0
        in_full = covered @ sizes
        # what is counted in full has no rows beside it
        beside = np.where(whole > 0, 0, (~covered * sizes) @ inner.T)
        common = (regions * sizes) @ regions.T
        return regions @ sizes, in_full, beside, common

    def most(self, counts: np.ndarray) -> np.ndarray:
        """The largest number of rows struck in each split, from counts by split and part.

        Rows that a few errors can strike are counted once, and to them come what the others
        strike; the least such sum bounds the number of rows, whichever they are.
        """
        largest = np.zeros((len(counts), len(self._heads)))
        for i, place in enumerate(self._place):
            np.maximum(largest[:, place], counts[:, i], out=largest[:, place])
        found = [
            (in_full + np.minimum(each, beside).sum(axis=1)).min()
            for each, (_, in_full, beside, _) in zip(largest, self._splits, strict=True)
        ]
        return np.array(found)

    def counts(self, rates: np.ndarray) -> np.ndarray:
        """Rows struck by each part in each split, at most."""
        once = np.minimum(self.matched, np.floor(rates * self.matched + 0.5 + ROUNDING))
        return np.minimum(self.matched, once * self._strikes)

    def within(self, rates: np.ndarray, allowed: np.ndarray) -> bool:
        """Whether no more rows are struck than allowed in any split, before rounding and after."""
        exact = np.minimum(self.matched, rates * self.matched * self._strikes)
        return bool(
            (self.most(exact) <= allowed + ROUNDING * self.sizes).all()
            and (self.most(self.counts(rates)) <= allowed).all()
        )

    def rates(self, budget: float) -> np.ndarray | None:
        """Rates that use the budget up in the proportions of the weights.

        Where errors strike the same rows, all rates are raised together as long as the rows
        struck by any of them stay within the budget.

        Parameters
        ----------
        budget : float
            Largest fraction of the rows of a split.

        Returns
        -------
        ndarray of shape (n_parts,) or None
            None where the rates that are given are over the budget.
        """
        allowed = np.floor(budget * self.sizes + ROUNDING)
        given = np.array([-1.0 if part.rate is None else part.rate for part in self.parts])
        weights = np.array([part.weight for part in self.parts])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = allowed[:, None] // self._strikes / self.matched
        share = np.nan_to_num(ratios.min(axis=0), posinf=1e9) * weights

        def at(factor: float) -> np.ndarray:
            return np.where(given >= 0, given, np.minimum(1.0, share * factor))

        if not self.within(at(0.0), allowed):
            return None
        free = share[given < 0]
        high = float(1.0 / free.min()) if len(free) and free.min() > 0 else 1.0
        if self.within(at(high), allowed):
            return at(high)
        if self.within(at(1.0), allowed) and not self.within(at(1.0 + 1e-6), allowed):
            return at(1.0)
        low = 0.0
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.within(at(middle), allowed) else (low, middle)
        return at(np.floor(low * DIGITS) / DIGITS)

    def certain(self, rates: np.ndarray) -> np.ndarray:
        """Rows that each part strikes in the split with the fewest, whatever is dropped before."""
        counts = self.counts(rates)
        found = np.empty(counts.shape)
        for i, part in enumerate(self.parts):
            before = [
                j
                for j, other in enumerate(self.parts)
                if other.drops and j != i and (j < i or not part.drops)
            ]
            for k, (matched, _, _, common) in enumerate(self._splits):
                left = matched[i] - sum(min(counts[k, j], common[i, j]) for j in before)
                found[k, i] = np.floor(rates[i] * max(0.0, left) + 0.5 + ROUNDING)
        return found.min(axis=0)


def _combinations(n: int) -> np.ndarray:
    """Which of n errors are counted in full: all combinations, of many errors a few."""
    if n <= MOST_COMBINED:
        return np.array(list(itertools.product((0, 1), repeat=n)), dtype=np.int64)
    return np.vstack([np.zeros((1, n)), np.ones((1, n)), np.eye(n)]).astype(np.int64)
