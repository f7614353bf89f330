"""A column as levels: which of its distinct values every row has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class Levels:
    """The distinct values of a column, and which of them every row has.

    Attributes
    ----------
    codes : ndarray of int, shape (n_samples,)
        Position of a row's value among the distinct ones, `n_levels` where it is missing.
    values : ndarray of shape (n_levels,)
        The distinct values.
    """

    codes: np.ndarray
    values: np.ndarray

    @property
    def n_levels(self) -> int:
        """Number of distinct values."""
        return len(self.values)

    @property
    def known(self) -> np.ndarray:
        """Rows whose value is not missing."""
        return self.codes < self.n_levels

    @property
    def counts(self) -> np.ndarray:
        """Number of rows by level."""
        return np.bincount(self.codes, minlength=self.n_levels + 1)[: self.n_levels]

    def ordered(self, order: np.ndarray) -> Levels:
        """The same values in another order, given as positions of levels."""
        rank = np.empty(self.n_levels + 1, dtype=np.int64)
        rank[order], rank[-1] = np.arange(self.n_levels), self.n_levels
        return Levels(rank[self.codes], self.values[order])

    def bin_ends(self, n_bins: int) -> np.ndarray:
        """Last level of every quantile bin, each level by itself where there are few."""
        if self.n_levels <= n_bins:
            return np.arange(self.n_levels)
        ordered = np.sort(self.codes[self.known])
        inner = np.unique(ordered[(np.arange(1, n_bins) * len(ordered)) // n_bins])
        inner = inner[inner < self.n_levels - 1]
        # one value may fill nearly all rows, at either end
        return np.append(inner if len(inner) else self.n_levels - 2, self.n_levels - 1)


def sorted_levels(values: np.ndarray, missing: np.ndarray) -> Levels:
    """Levels in ascending order, of values that have one.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        The column.
    missing : ndarray of bool, shape (n_samples,)
        Where it is missing.

    Returns
    -------
    Levels
        What is in it.
    """
    distinct, ranks = np.unique(values[~missing], return_inverse=True)
    return _coded(ranks, distinct, missing)


def named_levels(values: np.ndarray, missing: np.ndarray) -> Levels:
    """Levels in the order in which they appear; TypeError for cells such as lists.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        The column.
    missing : ndarray of bool, shape (n_samples,)
        Where it is missing.

    Returns
    -------
    Levels
        What is in it.
    """
    codes, distinct = pd.factorize(values[~missing])
    return _coded(codes, np.asarray(distinct), missing)


def _coded(codes: np.ndarray, distinct: np.ndarray, missing: np.ndarray) -> Levels:
    all_codes = np.full(len(missing), len(distinct), dtype=np.int64)
    all_codes[~missing] = codes
    return Levels(all_codes, distinct)
