"""A test of a difference by the spread of its resamples."""

from __future__ import annotations

import numpy as np
from scipy.stats import t

from ._bootstrap_interval import MIN_DEFINED
from ._corrected_interval import ROUNDING


def resampled_test(
    difference: float, draws: np.ndarray, n_samples: int, *, alpha: float = 0.05
) -> tuple[float, float, float]:
    """Bootstrap t interval of a paired difference, and a two-sided test of zero (Efron 1979).

    The spread of the resamples is the standard error, and tails are those of a t distribution, so
    that a p-value is not bounded by the number of resamples, as a count of them would be.

    Parameters
    ----------
    difference : float
        The difference on the rows themselves.
    draws : ndarray of shape (n_resamples,)
        The difference on each resample; those that are undefined are left out.
    n_samples : int
        Rows, or groups of rows, that were resampled.
    alpha : float, default=0.05
        One minus the nominal coverage.

    Returns
    -------
    low, high, p_value : float
        NaN where the difference or more than half of the resamples is undefined, or with fewer
        than two rows.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.stats._resampled_test import resampled_test
    >>> draws = np.random.default_rng(0).normal(0.3, 0.1, size=400)
    >>> bool(resampled_test(0.3, draws, 50)[2] < 0.01)
    True
    """
    known = draws[np.isfinite(draws)]
    lacking = len(known) < max(2, MIN_DEFINED * len(draws))
    if lacking or n_samples < 2 or not np.isfinite(difference):
        return np.nan, np.nan, np.nan
    # the bootstrap divides by n where a variance divides by n - 1
    error = float(known.std(ddof=1)) * np.sqrt(n_samples / (n_samples - 1))
    if error <= ROUNDING * max(1.0, abs(difference)):
        # without spread, signs alone say how likely it is
        alike = abs(difference) <= ROUNDING
        return difference, difference, 1.0 if alike else 2.0 ** (1 - n_samples)
    half = float(t.ppf(1 - alpha / 2, n_samples - 1)) * error
    p_value = float(2 * t.sf(abs(difference) / error, n_samples - 1))
    return difference - half, difference + half, p_value
