"""Exact binomial intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv


def clopper_pearson(successes: ArrayLike, n: ArrayLike, alpha: float = 0.05) -> tuple[Any, Any]:
    """Exact interval of a binomial proportion (Clopper and Pearson 1934).

    Its coverage is at least `1 - alpha`, whatever the proportion. Each bound alone is a one-sided
    bound at `alpha / 2`.

    Parameters
    ----------
    successes : float or array-like of shape (n_intervals,)
        Number of successes, from 0 to `n`; it need not be whole.
    n : float or array-like of shape (n_intervals,)
        Number of trials.
    alpha : float in (0, 1), default=0.05
        One minus the confidence level.

    Returns
    -------
    low, high : float or ndarray of shape (n_intervals,)
        The interval; 0 to 1 where there are no trials.

    Raises
    ------
    ValueError
        If there are fewer than 0 or more than `n` successes, or `alpha` is not in (0, 1).

    Examples
    --------
    >>> from skcorrupt.stats import clopper_pearson
    >>> low, high = clopper_pearson(4, 254, alpha=0.02)
    >>> round(high, 4)
    0.045
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha!r} should be between 0 and 1, such as 0.05.")
    s, trials = np.broadcast_arrays(np.asarray(successes, float), np.asarray(n, float))
    if not np.all((s >= 0) & (s <= trials)):
        raise ValueError(
            f"successes={successes!r} should be from 0 to n={n!r}; pass counts of one sample each."
        )
    with np.errstate(invalid="ignore"):
        # the beta quantiles are not defined where there is nothing on one side
        low = np.where(s > 0, betaincinv(np.maximum(s, 1e-300), trials - s + 1, alpha / 2), 0.0)
        high = np.where(
            s < trials, betaincinv(s + 1, np.maximum(trials - s, 1e-300), 1 - alpha / 2), 1.0
        )
    return (float(low), float(high)) if low.ndim == 0 else (low, high)
