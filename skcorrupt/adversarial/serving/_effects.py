"""What an error does to the score of every row, and what that makes of the whole."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

# rounding of sums of as many terms as there are rows
SLACK = 1e-12
# share of the rows that errors harm up to which the others are left out
FEW_HARMED = 0.25
# choices of struck rows over which a loss that is no sum is averaged, and numbers drawn at once;
# of many rows, whose sums hardly differ, as few choices as this many numbers in all make
N_CHOICES, LEAST_CHOICES = 512, 32
MOST_AT_ONCE, MOST_IN_ALL = 1 << 20, 1 << 25


@dataclass(frozen=True, eq=False)
class Harm:
    """What an error takes from the contribution of every row.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    rows : ndarray of int or None
        Those from which it takes something, None where these are not few.
    values : ndarray of float
        What it takes from them, or from all.
    """

    n_rows: int
    rows: np.ndarray | None
    values: np.ndarray

    @classmethod
    def of(cls, each: np.ndarray) -> Self:
        """The harm in every row, held in as few bytes as it takes."""
        rows = np.flatnonzero(each)
        if len(rows) > FEW_HARMED * len(each):
            return cls(len(each), None, each)
        return cls(len(each), rows.astype(np.min_scalar_type(len(each))), each[rows])

    @property
    def each(self) -> np.ndarray:
        """What it takes from every row, shape (n_rows,)."""
        if self.rows is None:
            return self.values
        found = np.zeros(self.n_rows)
        found[self.rows] = self.values
        return found

    def total(self, among: np.ndarray) -> float:
        """What it takes from some rows together, given as a mask of shape (n_rows,)."""
        return float(self.values[among if self.rows is None else among[self.rows]].sum())


@dataclass(frozen=True, eq=False)
class Part:
    """Rows that are scored together, such as the test part of a split.

    Attributes
    ----------
    rows : ndarray of int, shape (n_part,)
        Positions in the table.
    clean : float
        Sum of what its clean rows contribute to the score.
    harm : list of Harm
        What the sum falls by when a row is struck, by columns hit.
    changeable : list of ndarray of bool, shape (n_part,)
        Rows that the error can change, where the template's own pattern matches.
    """

    rows: np.ndarray
    clean: float
    harm: list[Harm]
    changeable: list[np.ndarray]

    @property
    def n_rows(self) -> int:
        """How many rows are scored."""
        return len(self.rows)


class Outlook:
    """How a score follows from sums over rows; the mean over parts is what counts.

    Parameters
    ----------
    form : {"sum", "root", "gap"}
        The sum itself, minus the root of its negative, or minus its size.
    clean : sequence of float
        The sum of every part on clean rows.
    """

    def __init__(self, form: str, clean: Sequence[float]) -> None:
        self.form = form
        self.clean = np.asarray(clean, dtype=float)[:, None]

    def loss(self, harm: np.ndarray) -> np.ndarray:
        """Minus the mean score, shape (n,), of harm of shape (n_parts, n)."""
        return self._formed(harm - self.clean).mean(axis=0)

    def _formed(self, loss: np.ndarray) -> np.ndarray:
        if self.form == "root":
            return np.sqrt(np.maximum(loss, 0.0))
        return np.abs(loss) if self.form == "gap" else loss

    def over_choices(self, values: np.ndarray, n_struck: int, rng: np.random.Generator) -> float:
        """The mean loss of one part over which of the matched rows are struck.

        Parameters
        ----------
        values : ndarray of shape (n_matched,)
            What the error takes from every matched row.
        n_struck : int
            How many of them are struck.
        rng : Generator
            Draws the choices.

        Returns
        -------
        float
            Over all choices where there are few. Of many some are drawn, whose mean is corrected by
            what the mean of their sums, which is known, is off by.
        """
        if len(values) <= N_CHOICES and math.comb(len(values), n_struck) <= N_CHOICES:
            every = itertools.combinations(values.tolist(), n_struck)
            return float(self.loss(np.array([[sum(each) for each in every]])).mean())
        expected = n_struck * float(values.mean())
        at_once = max(1, MOST_AT_ONCE // len(values))
        n_choices = min(max(MOST_IN_ALL // len(values), LEAST_CHOICES), N_CHOICES)
        times = [min(at_once, n_choices - first) for first in range(0, n_choices, at_once)]
        drawn = (values[_choices(len(values), n_struck, n, rng)] for n in times)
        harm = np.concatenate([each.sum(axis=1) for each in drawn])
        loss = float(self.loss(harm[None]).mean())
        middle = float(self.loss(np.array([[expected]]))[0])
        if self.form == "root":
            slope = 0.5 / middle if middle > 0 else 0.0
        else:
            slope = float(np.sign(expected - self.clean[0, 0])) if self.form == "gap" else 1.0
        return loss - slope * (float(harm.mean()) - expected)

    def most(self, least_harm: np.ndarray, most_harm: np.ndarray) -> np.ndarray:
        """The largest loss that harm between two bounds can bring."""
        if self.form == "gap":
            ends = np.abs(least_harm - self.clean), np.abs(most_harm - self.clean)
            return np.maximum(*ends).mean(axis=0)
        return self.loss(most_harm)

    def over_draws(self, loss: float, least_harm: np.ndarray, most_harm: np.ndarray) -> float:
        """The largest mean loss over draws of struck rows, where that of mean sums is bounded.

        Parameters
        ----------
        loss : float
            What no mean sum loses more than.
        least_harm, most_harm : ndarray of shape (n_parts,)
            Bounds of what any draw does.

        Returns
        -------
        float
            The same where draws are a sum or its root, whose mean is below the root of the mean.
        """
        if self.form != "gap":
            return loss
        low, high = self.clean[:, 0] - most_harm, self.clean[:, 0] - least_harm
        if (low * high >= 0).all():
            return loss
        if len(low) > 1:
            return float(np.maximum(np.abs(low), np.abs(high)).mean())
        # between two gaps of different sign, sizes are below the line that joins these two
        ends = np.clip([-loss, loss], low, high)
        return float(np.max(-low + (high + low) / (high - low) * (ends - low)))


class StrikeRule:
    """How many of the matched rows are struck.

    Parameters
    ----------
    allowed : sequence of int
        Most rows of every part that may be struck.
    rate : float or None
        Share of the matched rows that is struck in any case; None is as many as are allowed, at
        one rate for all parts.
    """

    def __init__(self, allowed: Sequence[int], rate: float | None) -> None:
        self.allowed = np.asarray(allowed, dtype=float)[:, None]
        self.rate = rate

    def shares(self, matched: np.ndarray) -> np.ndarray:
        """Shares of the matched rows that are struck, exactly; NaN where that cannot be.

        Parameters
        ----------
        matched : ndarray of shape (n_parts, n)
            Rows that patterns match.

        Returns
        -------
        ndarray of shape (n_parts, n)
            Struck rows over matched ones.
        """
        shares = self.shares_at(matched, self.rates(matched))
        struck = shares * np.maximum(matched, 1.0)
        none = (struck < 0.5) | (struck > self.allowed + 0.5)
        shares[:, none.any(axis=0)] = np.nan
        return shares

    def rates(self, matched: np.ndarray) -> np.ndarray:
        """The rates at which so many matched rows, shape (n_parts, n), are struck."""
        if self.rate is not None:
            return np.full(matched.shape[1], float(self.rate))
        rates: np.ndarray = np.minimum(1.0, self.allowed / np.maximum(matched, 1.0)).min(axis=0)
        return rates

    @staticmethod
    def shares_at(matched: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Shares of the matched rows that are struck at some rates."""
        struck = np.minimum(matched, np.floor(rates * matched + 0.5 + 1e-9))
        shares: np.ndarray = struck / np.maximum(matched, 1.0)
        return shares

    def most(self, fewest: np.ndarray, below: np.ndarray | None = None) -> np.ndarray:
        """The largest share of at least so many matched rows that can be struck, bounded.

        Parameters
        ----------
        fewest : ndarray of shape (n_parts, n)
            Matched rows at least.
        below : ndarray of shape (n,) or None, default=None
            Rates that the true ones are below.

        Returns
        -------
        ndarray
            The shares.
        """
        known = np.maximum(fewest, 1.0)
        most = self._most(known)
        return most if below is None else np.minimum(most, below + 0.5 / known + SLACK)

    def _most(self, known: np.ndarray) -> np.ndarray:
        if self.rate is not None:
            return np.minimum(1.0, self.rate + 0.5 / known + SLACK)
        share = np.minimum(1.0, self.allowed / known)
        if len(share) == 1:
            return share
        # at one rate for all parts, a part may round up
        return np.minimum(1.0, share.min(axis=0) + 0.5 / known + SLACK)


def _choices(n: int, n_struck: int, times: int, rng: np.random.Generator) -> np.ndarray:
    """Some of n places, fewer than all, drawn so many times, shape (times, n_struck)."""
    return np.argpartition(rng.random((times, n)), n_struck - 1, axis=1)[:, :n_struck]
