"""Means over splits that share training data."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t

from skcorrupt.utils import checked_numbers, checked_share, is_finite_number

# what is left of a spread by rounding
ROUNDING = 1e-12


class CorrectedInterval(NamedTuple):
    """A mean over splits with its interval and the p-value of a mean of zero.

    Attributes
    ----------
    mean : float or ndarray of shape (n_columns,)
        Mean over the splits.
    std : float or ndarray of shape (n_columns,)
        Standard deviation over the splits.
    ci_low, ci_high : float or ndarray of shape (n_columns,)
        Bounds of the interval.
    p_value : float or ndarray of shape (n_columns,)
        Two-sided, of the hypothesis that the mean is zero.
    """

    mean: Any
    std: Any
    ci_low: Any
    ci_high: Any
    p_value: Any


def corrected_interval(
    values: ArrayLike, test_ratio: float, *, alpha: float = 0.05
) -> CorrectedInterval:
    """Corrected resampled t interval of a mean over splits (Nadeau and Bengio 2003).

    Splits share most of their training data, so that the variance of a mean over k of them is
    not s²/k but about (1/k + n_test/n_train) s².

    Parameters
    ----------
    values : array-like of shape (n_splits,) or (n_splits, n_columns)
        One value per split, such as a difference of paired scores; NaN and infinite ones are left
        out.
    test_ratio : float
        Rows of the test part over rows of the training part, 0.43 for a 70/30 split; 0 gives the
        plain t interval, of values that share nothing.
    alpha : float in (0, 1), default=0.05
        One minus the nominal coverage.

    Returns
    -------
    CorrectedInterval
        `mean, std, ci_low, ci_high, p_value`, floats or arrays of shape (n_columns,); the last four
        are NaN with fewer than two values. The p-value is two-sided.

    Raises
    ------
    ValueError
        If `values` are not numbers in one or two dimensions, `test_ratio` is negative, missing or
        infinite, or `alpha` is not in (0, 1).

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52, 2003.

    Examples
    --------
    >>> from skcorrupt.stats import corrected_interval
    >>> found = corrected_interval([0.02, 0.01, 0.03, 0.02, 0.02], 0.25)
    >>> round(float(found.ci_low), 4), round(float(found.ci_high), 4)
    (0.0068, 0.0332)
    """
    array = checked_numbers("values", values)
    if array.ndim not in (1, 2):
        raise ValueError(
            f"values has shape {array.shape}; it should be (n_splits,) or (n_splits, n_columns)."
        )
    if not is_finite_number(test_ratio) or test_ratio < 0:
        raise ValueError(
            f"test_ratio={test_ratio!r} should be a finite number, 0 or more: rows of the test "
            "part over rows of the training part."
        )
    alpha = checked_share("alpha", alpha)
    known = np.isfinite(array)
    n = known.sum(axis=0)
    filled = np.where(known, array, 0.0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mean = filled.sum(axis=0) / n
        deviations = np.where(known, array - mean, 0.0)
        std = np.sqrt((deviations**2).sum(axis=0) / (n - 1))
        error = np.sqrt(1 / n + test_ratio) * std
        half = t.ppf(1 - alpha / 2, n - 1) * error
        p_value = 2 * t.sf(abs(mean) / error, n - 1)
    # without spread the statistic is infinite, or 0 / 0; signs alone still say how likely that is
    alike = std <= ROUNDING * abs(mean)
    p_value = np.where(alike, np.where(mean == 0, 1.0, 2.0 ** (1 - n)), p_value)
    std, low, high, p_value = (
        np.where(n > 1, part, np.nan)[()] for part in (std, mean - half, mean + half, p_value)
    )
    return CorrectedInterval(mean, std, low, high, p_value)
