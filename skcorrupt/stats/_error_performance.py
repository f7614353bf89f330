"""The error sensitivity profile of one curve: correlation, area and slopes by regime."""

from __future__ import annotations

import numpy as np

from skcorrupt.utils import check_arguments, checked_numbers
from skcorrupt.utils._typing import ColumnLike

# a baseline of less than this part of the largest score makes shares of it meaningless
NEAR_ZERO = 1e-3
NEAR_ZERO_OF_BOTH = 0.05
# differences of less than this part of the largest score are rounding
ROUNDING = 1e-12
LEAST_POINTS = 3
# scores near the largest float have differences that are infinite, which tell nothing
_without_overflow = np.errstate(over="ignore", invalid="ignore")


@_without_overflow
def error_performance_correlation(levels: ColumnLike, scores: ColumnLike) -> float:
    """Error performance correlation (EPC): minus Pearson's correlation of levels and scores.

    Parameters
    ----------
    levels : array-like of shape (n_levels,)
        Shares of errors.
    scores : array-like of shape (n_levels,)
        Performance at each, larger is better; NaN where a fit failed.

    Returns
    -------
    float
        From -1 to 1, positive where performance falls as errors grow; NaN where the scores are
        constant or too large to vary by a finite number, or fewer than three are known.

    Raises
    ------
    ValueError
        If the shapes differ, or levels are missing, decrease or repeat.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity
       Profile", equation 2.

    Examples
    --------
    >>> from skcorrupt.sensitivity import error_performance_correlation
    >>> error_performance_correlation([0, 0.2, 0.4], [0.9, 0.8, 0.7])
    1.0
    """
    levels, scores = _known(*_curve(levels, scores))
    if len(scores) < LEAST_POINTS or not _steps(scores).any() or not np.isfinite(scores.var()):
        return float("nan")
    return float(np.clip(-np.corrcoef(levels, scores)[0, 1], -1.0, 1.0))


@_without_overflow
def area_error_performance(
    levels: ColumnLike, scores: ColumnLike, *, normalize: bool = True
) -> float:
    """Mean change of the score over the levels (AEPC), as a share of the score without errors.

    It is the area between the curve and its baseline, by trapezoids, over the largest level: levels
    far from others count for more, and the curve between two levels is taken for a line.

    Parameters
    ----------
    levels : array-like of shape (n_levels,)
        Shares of errors, the first of which is 0: the baseline.
    scores : array-like of shape (n_levels,)
        Performance at each, larger is better; NaN where a fit failed.
    normalize : bool, default=True
        Whether the area is divided by the size of the baseline times the largest level; else it is
        divided by the largest level alone.

    Returns
    -------
    float
        A fraction, not a percentage: -0.05 is a loss of 5 % of the baseline on average, positive
        is a gain. 0 where the scores are constant. NaN where the score at level 0 or at the highest
        level is not known, or the baseline is close to 0: less than a thousandth of the largest
        score in size, or, where scores are of both signs, less than a twentieth.

    Raises
    ------
    ValueError
        If the shapes differ, levels are missing, decrease or repeat, or the first is not 0.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity
       Profile", equation 3.

    Examples
    --------
    >>> from skcorrupt.sensitivity import area_error_performance
    >>> round(area_error_performance([0, 0.2, 0.4], [0.8, 0.7, 0.6]), 6)
    -0.125
    """
    check_arguments("area_error_performance", {"normalize": ["boolean"]}, locals())
    levels, scores = _curve(levels, scores)
    if levels[0] != 0:
        raise ValueError(f"levels={levels.tolist()}: the first should be 0, the baseline.")
    baseline = scores[0]
    if len(scores) < 2 or not np.isfinite(scores[[0, -1]]).all():
        return float("nan")
    levels, scores = _known(levels, scores)
    if not _steps(scores).any():
        return 0.0
    area = float(np.trapezoid(scores - baseline, levels) / levels[-1])
    if not normalize:
        return area
    both_signs = scores.min() < 0 < scores.max()
    if abs(baseline) <= (NEAR_ZERO_OF_BOTH if both_signs else NEAR_ZERO) * abs(scores).max():
        return float("nan")
    return area / abs(float(baseline))


@_without_overflow
def piecewise_slopes(
    levels: ColumnLike, scores: ColumnLike, regimes: ColumnLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of a curve, one for each part in which it goes one way.

    A regime ends where the curve turns. Where it stays as it is, the regime goes on, so that
    .8 .9 .9 .8 are two.

    Parameters
    ----------
    levels : array-like of shape (n_levels,)
        Shares of errors.
    scores : array-like of shape (n_levels,)
        Performance at each, larger is better; NaN where a fit failed, which is left out.
    regimes : array-like of shape (n_regimes, 2), default=None
        First and last level of each regime, such as those of the mean curve of several runs; None
        finds them.

    Returns
    -------
    slopes : ndarray of shape (n_regimes,)
        Least-squares slope within each, NaN where fewer than two scores are known.
    regimes : ndarray of shape (n_regimes, 2)
        First and last level of each.

    Raises
    ------
    ValueError
        If the shapes differ, or levels are missing, decrease or repeat.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity
       Profile", equation 4.

    Examples
    --------
    >>> from skcorrupt.sensitivity import piecewise_slopes
    >>> slopes, regimes = piecewise_slopes([0, 0.2, 0.4, 0.6], [0.8, 0.9, 0.9, 0.8])
    >>> slopes.round(2).tolist(), regimes.tolist()
    ([0.25, -0.5], [[0.0, 0.4], [0.4, 0.6]])
    """
    levels, scores = _known(*_curve(levels, scores))
    found = _regimes(levels, scores) if regimes is None else checked_numbers("regimes", regimes)
    if found.size and (found.ndim != 2 or found.shape[1] != 2):
        raise ValueError(
            f"regimes has shape {found.shape}; it should have one row per regime, of its first "
            "and last level."
        )
    found = found.reshape(-1, 2)
    slopes = np.full(len(found), np.nan)
    for k, (low, high) in enumerate(found):
        inside = (levels >= low) & (levels <= high)
        if inside.sum() > 1:
            x, y = levels[inside], scores[inside]
            slopes[k] = np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)
    return slopes, found


def _curve(levels: ColumnLike, scores: ColumnLike) -> tuple[np.ndarray, np.ndarray]:
    levels, scores = checked_numbers("levels", levels), checked_numbers("scores", scores)
    if levels.ndim != 1 or levels.shape != scores.shape or not len(levels):
        raise ValueError(
            f"levels has shape {levels.shape} and scores has shape {scores.shape}; there should be "
            "one score per level, and at least one."
        )
    if not np.isfinite(levels).all() or (np.diff(levels) <= 0).any():
        raise ValueError(f"levels={levels.tolist()} should be numbers that increase.")
    return levels, scores


def _known(levels: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    known = np.isfinite(scores)
    return levels[known], scores[known]


def _steps(scores: np.ndarray) -> np.ndarray:
    """Signs of the differences of neighbours, 0 where only rounding tells them apart."""
    differences = np.diff(scores)
    slack = ROUNDING * abs(scores).max(initial=0.0)
    return np.where(abs(differences) > slack, np.sign(differences), 0.0)


def _regimes(levels: np.ndarray, scores: np.ndarray) -> np.ndarray:
    if len(levels) < 2:
        return np.empty((0, 2))
    signs = _steps(scores)
    moving = np.flatnonzero(signs)
    # what stays as it is goes on as before, and what begins so begins as it goes on
    last = np.maximum.accumulate(np.where(signs != 0, np.arange(len(signs)), -1))
    signs = signs[np.where(last < 0, moving[0], last)] if len(moving) else signs
    turns = np.flatnonzero(signs[1:] != signs[:-1]) + 1
    ends = np.array([0, *turns, len(levels) - 1])
    return np.column_stack([levels[ends[:-1]], levels[ends[1:]]])
