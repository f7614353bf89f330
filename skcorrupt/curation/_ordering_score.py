"""Whether data sets that should grow harder do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata, t


@dataclass(frozen=True)
class OrderingScore:
    """How the accuracy of weak labels goes along a sequence of data sets.

    Attributes
    ----------
    rho : float
        Spearman's rank correlation of position and accuracy, corrected for ties; below 0 where
        later sets are harder, NaN where all accuracies are the same.
    pvalue : float
        The paper's, by a t distribution with N - 2 degrees of freedom, two-sided. Nested sets
        share rows, so that it is far too small where the order is random; and it is 0 for any rho
        of -1, which three sets have in one of six orders.
    permutation_pvalue : float
        Share of random orders of the rows with a rho at most as large, one-sided; right for nested
        sets too.
    valid : bool
        Definition 3 of the paper: rho below 0 and `pvalue` at most gamma.
    permutation_valid : bool
        The same with `permutation_pvalue`.
    accuracies : ndarray of shape (n_datasets,)
        Share of right weak labels in every set.
    n_labelled : ndarray of int, shape (n_datasets,)
        Rows of every set whose true label is known.
    remedy : str
        Which setting of the curator would do better by the same labels, where the order is not
        valid by permutation; "" otherwise.
    """

    rho: float
    pvalue: float
    permutation_pvalue: float
    valid: bool
    permutation_valid: bool
    accuracies: np.ndarray
    n_labelled: np.ndarray
    remedy: str = ""

    def as_frame(self) -> pd.DataFrame:
        """One row per set, with what holds for all of them in each.

        Returns
        -------
        DataFrame
            `accuracy, n_labelled, rho, p, valid, remedy`; p and valid are by permutation.
        """
        return pd.DataFrame(
            {
                "accuracy": self.accuracies,
                "n_labelled": self.n_labelled,
                "rho": self.rho,
                "p": self.permutation_pvalue,
                "valid": self.permutation_valid,
                "remedy": self.remedy,
            }
        )


def ordering_score(
    right: np.ndarray,
    sizes: np.ndarray,
    *,
    nested: bool,
    gamma: float,
    n_permutations: int,
    rng: np.random.Generator,
) -> OrderingScore:
    """Score a sequence of data sets.

    Parameters
    ----------
    right : ndarray of bool, shape (n_samples,)
        Whether each weak label is right, in the order of the sequence.
    sizes : ndarray of int, shape (n_datasets,)
        Rows that each set adds.
    nested : bool
        Whether each set holds the earlier ones.
    gamma : float
        Significance level.
    n_permutations : int
        Random orders.
    rng : Generator
        Their source.

    Returns
    -------
    OrderingScore
        The score.
    """
    ends = np.cumsum(sizes)
    hits = np.diff(np.concatenate([[0], np.cumsum(right)[ends - 1]]))
    accuracies = _accuracies(hits[None], sizes, nested)
    rho = float(_spearman(accuracies)[0])
    pvalue = permuted = np.nan
    if np.isfinite(rho):
        pvalue = _pvalue(rho, len(sizes))
        # a random order decides no more than how many right labels fall into each part
        drawn = rng.multivariate_hypergeometric(sizes, int(right.sum()), int(n_permutations))
        others = _spearman(_accuracies(drawn, sizes, nested))
        least = np.where(np.isnan(others), 0.0, others) <= rho + 1e-12
        permuted = float((1 + least.sum()) / (1 + n_permutations))
    return OrderingScore(
        rho,
        pvalue,
        permuted,
        bool(rho < 0 and pvalue <= gamma),
        bool(rho < 0 and permuted <= gamma),
        accuracies[0],
        ends if nested else sizes,
    )


def _accuracies(hits: np.ndarray, sizes: np.ndarray, nested: bool) -> np.ndarray:
    if nested:
        return np.cumsum(hits, axis=1) / np.cumsum(sizes)
    return hits / sizes


def _spearman(accuracies: np.ndarray) -> np.ndarray:
    """Correlation of the position with the rank, NaN for constant rows."""
    # equal shares that differ in rounding are ties
    ranks = rankdata(np.round(accuracies, 12), axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    place = np.arange(accuracies.shape[1]) - (accuracies.shape[1] - 1) / 2
    spread = np.sqrt((ranks**2).sum(axis=1) * (place**2).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.clip(np.where(spread > 0, ranks @ place / spread, np.nan), -1.0, 1.0)


def _pvalue(rho: float, n: int) -> Any:
    if n < 3:
        return np.nan
    if abs(rho) == 1:
        return 0.0
    return float(2 * t.sf(abs(rho) * np.sqrt((n - 2) / (1 - rho**2)), n - 2))
