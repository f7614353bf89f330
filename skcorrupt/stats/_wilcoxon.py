"""Wilcoxon's test of paired scores, and how many repeats it needs."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import digamma
from scipy.stats import rankdata, wilcoxon

from skcorrupt.utils import checked_numbers, checked_share, checked_whole
from skcorrupt.utils._typing import ColumnLike

from ._error_performance import ROUNDING

# beyond it the normal approximation is as good
MOST_EXACT = 200


def wilcoxon_pvalue(baseline: ColumnLike, scores: ColumnLike) -> float:
    """Wilcoxon's signed-rank test of paired scores.

    It takes the pairs for independent. Repeats that share training data are not, so that its
    p-values are then too small; `corrected_interval` of the differences allows for that.

    Parameters
    ----------
    baseline : array-like of shape (n_repeats,)
        Scores without errors, one per repeat; NaN where a fit failed.
    scores : array-like of shape (n_repeats,)
        Scores with errors, of the same model, split and seed; NaN where a fit failed.

    Returns
    -------
    float
        Two-sided p-value over the pairs that are known and differ, exact for 200 of them or fewer;
        1 where all known pairs are equal, NaN where none is known. A pair with a NaN, or whose
        difference is not finite, is not known.

    Raises
    ------
    ValueError
        If the shapes differ, or there are values that are not numbers.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity
       Profile", section 5.

    Examples
    --------
    >>> from skcorrupt.stats import wilcoxon_pvalue
    >>> wilcoxon_pvalue([0.9, 0.91, 0.88, 0.9, 0.92], [0.8, 0.85, 0.8, 0.81, 0.85])
    0.0625
    """
    before, after = checked_numbers("baseline", baseline), checked_numbers("scores", scores)
    if before.shape != after.shape or before.ndim != 1:
        raise ValueError(
            f"baseline has shape {before.shape} and scores has shape {after.shape}; there should "
            "be one pair per repeat."
        )
    differences = paired_differences(before, after)
    differences = differences[np.isfinite(differences)]
    if not len(differences):
        return float("nan")
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    if len(differences) > MOST_EXACT:
        return float(wilcoxon(differences).pvalue)
    return _exact(differences)


def paired_differences(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Differences of paired scores, 0 where only rounding tells them apart.

    Parameters
    ----------
    before, after : ndarray of shape (n_repeats,)
        Scores; NaN where a fit failed.

    Returns
    -------
    ndarray of shape (n_repeats,)
        `after - before`.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        differences = after - before
    size = np.maximum(abs(before), abs(after))
    return np.where(abs(differences) <= ROUNDING * size, 0.0, differences)


def _exact(differences: np.ndarray) -> float:
    """The test by the distribution over all signs, which ties do not trouble."""
    # twice the ranks are whole numbers, those of ties included
    ranks = np.round(2 * rankdata(abs(differences))).astype(int)
    share = np.zeros(ranks.sum() + 1)
    share[0] = 1.0
    for rank in ranks:
        share[rank:] = (share[rank:] + share[: len(share) - rank]) / 2
        share[:rank] /= 2
    found = ranks[differences > 0].sum()
    return float(min(1.0, 2 * min(share[: found + 1].sum(), share[found:].sum())))


def least_repeats(n_scenarios: int, alpha: float = 0.05) -> int:
    """Fewest repeats with which Wilcoxon's test can find one of many scenarios significant.

    The smallest p-value of n pairs is 2 / 2^n, and the smallest one of m scenarios has to be at
    most alpha / (m · (1 + 1/2 + … + 1/m)) under Benjamini and Yekutieli.

    Parameters
    ----------
    n_scenarios : int
        Scenarios that are tested together.
    alpha : float, default=0.05
        False discovery rate.

    Returns
    -------
    int
        The number of repeats.

    Raises
    ------
    ValueError
        If there is no scenario, or alpha is not between 0 and 1.

    Examples
    --------
    >>> from skcorrupt.stats import least_repeats
    >>> least_repeats(728), least_repeats(50)
    (18, 14)
    """
    m, alpha = checked_whole("n_scenarios", n_scenarios, 1), checked_share("alpha", alpha)
    # 1 + 1/2 + … + 1/m
    # by its logarithm from where no float tells the difference
    harmonic = float(digamma(m + 1.0)) if m < 2**53 else math.log(m)
    harmonic += np.euler_gamma
    return int(np.ceil(1 - np.log2(alpha) + np.log2(harmonic) + math.log2(m) - 1e-12))
