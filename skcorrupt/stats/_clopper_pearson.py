"""Exact binomial intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from skcorrupt.utils import checked_numbers, checked_share


def clopper_pearson(successes: ArrayLike, n: ArrayLike, alpha: float = 0.05) -> tuple[Any, Any]:
    """Exact interval of a binomial proportion (Clopper and Pearson 1934).

    For whole counts its coverage is at least `1 - alpha`, whatever the proportion, and each bound
    alone is a one-sided bound at `alpha / 2`. For counts that are not whole, such as sums of
    confidences, the bounds are the same beta quantiles, which grow steadily from one whole count
    to the next: 1.5 of 3 lies between 1 and 2 of 3, and nothing is promised of its coverage.

    Parameters
    ----------
    successes : float or array-like of shape (n_intervals,)
        Number of successes, from 0 to `n`; it need not be whole.
    n : float or array-like of shape (n_intervals,)
        Number of trials, finite; it need not be whole.
    alpha : float in (0, 1), default=0.05
        One minus the confidence level.

    Returns
    -------
    low, high : float or ndarray of shape (n_intervals,)
        The interval; 0 to 1 where there are no trials.

    Raises
    ------
    ValueError
        If there are fewer than 0 or more than `n` successes, a number is missing or infinite, the
        shapes do not go together, or `alpha` is not in (0, 1).

    Examples
    --------
    >>> from skcorrupt.stats import clopper_pearson
    >>> low, high = clopper_pearson(4, 254, alpha=0.02)
    >>> round(high, 4)
    0.045
    """
    alpha = checked_share("alpha", alpha)
    s, trials = checked_numbers("successes", successes), checked_numbers("n", n)
    try:
        s, trials = np.broadcast_arrays(s, trials)
    except ValueError:
        raise ValueError(
            f"successes has shape {s.shape} and n has shape {trials.shape}; pass as many of one as "
            "of the other, or a single n."
        ) from None
    if not np.all((s >= 0) & (s <= trials) & (trials < np.inf)):
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
