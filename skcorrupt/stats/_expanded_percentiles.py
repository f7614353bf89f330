"""Percentiles of a bootstrap that allow for few people."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm, t


def expanded_percentiles(
    draws: np.ndarray, n_samples: int, *, alpha: float = 0.05
) -> tuple[float, float, float]:
    """Expanded percentile interval of a bootstrap, and a two-sided test of zero (Hesterberg 2015).

    A bootstrap of few people is too narrow, as a normal interval with their plain variance would
    be, which larger percentiles make up for.

    Parameters
    ----------
    draws : ndarray of shape (n_resamples,)
        The statistic of each resample; those that are undefined are left out.
    n_samples : int
        The fewest people that a rate or mean in it is about.
    alpha : float, default=0.05
        One minus the nominal coverage.

    Returns
    -------
    low, high, p_value : float
        NaN where no resample is defined, or of fewer than two people.
    """
    draws = draws[np.isfinite(draws)]
    if not len(draws) or n_samples < 2:
        return np.nan, np.nan, np.nan
    wider = np.sqrt(n_samples / (n_samples - 1))
    tail = norm.cdf(wider * t.ppf(alpha / 2, n_samples - 1))
    low, high = np.quantile(draws, [tail, 1 - tail])
    beyond = min((draws <= 0).sum(), (draws >= 0).sum()) + 1
    plain = min(1.0, 2 * beyond / (len(draws) + 1))
    p_value = 2 * t.cdf(norm.ppf(plain / 2) / wider, n_samples - 1)
    return float(low), float(high), float(p_value)
