"""Expanded percentile bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real

import numpy as np

from skcorrupt.utils import check_groups, checked_share, checked_whole
from skcorrupt.utils._typing import ColumnLike

from ._expanded_percentiles import expanded_percentiles

MIN_DEFINED = 0.5
MOST = 10**9


def bootstrap_interval(
    statistic: Callable[[np.ndarray, np.random.Generator], float],
    n_samples: int,
    *,
    n_resamples: int = 200,
    alpha: float = 0.05,
    groups: ColumnLike | None = None,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile bootstrap interval of a statistic of resampled rows (Efron 1979).

    Of few rows, or groups, it would be too narrow, so that larger percentiles are taken, as far out
    as a t interval of so many with their unbiased variance is (Hesterberg 2015).

    Parameters
    ----------
    statistic : callable
        `statistic(rows, rng) -> float` for row positions drawn with replacement; `rng` is for
        whatever else is to be resampled. NaN and infinite values are undefined.
    n_samples : int
        Number of rows, 1 or more.
    n_resamples : int, default=200
        Number of resamples, 1 or more.
    alpha : float in (0, 1), default=0.05
        One minus the nominal coverage.
    groups : array-like of shape (n_samples,), default=None
        Groups that are drawn as a whole, for dependent rows; two or more.
    seed : int, default=0
        Seed of the resampling, 0 or more.

    Returns
    -------
    low, high : float
        The interval; NaN where more than half of the resamples have no defined statistic.

    Raises
    ------
    ValueError
        If a number is not what it should be, `statistic` does not return a number, or `groups`
        has another length than `n_samples`, a missing group or a single one.
    TypeError
        If `statistic` cannot be called.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.stats import bootstrap_interval
    >>> x = np.arange(100.0)
    >>> low, high = bootstrap_interval(lambda rows, rng: x[rows].mean(), len(x))
    >>> bool(low < 49.5 < high)
    True
    """
    if not callable(statistic):
        raise TypeError(f"statistic={statistic!r} should be a function of rows and a generator.")
    n_samples = checked_whole("n_samples", n_samples, 1, MOST)
    n_resamples = checked_whole("n_resamples", n_resamples, 1, MOST)
    alpha = checked_share("alpha", alpha)
    rng = np.random.default_rng(checked_whole("seed", seed, 0))
    members = None if groups is None else _members(groups, n_samples)
    values = np.empty(n_resamples)
    for b in range(n_resamples):
        if members is None:
            rows = rng.integers(n_samples, size=n_samples)
        else:
            drawn = rng.integers(len(members), size=len(members))
            rows = np.concatenate([members[g] for g in drawn])
        found = statistic(rows, rng)
        if not isinstance(found, Real):
            raise ValueError(f"statistic returns {found!r}; it should return one number.")
        values[b] = found
    return resampled_bounds(values, n_samples if members is None else len(members), alpha)


def resampled_bounds(values: np.ndarray, n_units: int, alpha: float) -> tuple[float, float]:
    """Interval of what was found on resamples, its percentiles expanded for few units.

    Parameters
    ----------
    values : ndarray of shape (n_resamples,)
        The statistic on each; NaN and infinite ones are undefined.
    n_units : int
        Rows, or groups of them, that were drawn.
    alpha : float
        One minus the nominal coverage.

    Returns
    -------
    low, high : float
        NaN where more than half are undefined.
    """
    known = values[np.isfinite(values)]
    if not len(known) or len(known) < MIN_DEFINED * len(values):
        return np.nan, np.nan
    if n_units < 2:
        # what is resampled besides rows has percentiles too
        low, high = np.quantile(known, [alpha / 2, 1 - alpha / 2])
        return float(low), float(high)
    low, high, _ = expanded_percentiles(known, n_units, alpha=alpha)
    return low, high


def _members(groups: ColumnLike, n_samples: int) -> list[np.ndarray]:
    """The rows of every group."""
    check_groups(groups, n_samples)
    distinct, codes = np.unique(np.asarray(groups), return_inverse=True)
    if len(distinct) == 1:
        raise ValueError(
            f"groups has the single group {distinct.tolist()[0]!r}; two or more are needed to see "
            "how they differ. Pass groups=None for rows that do not depend on each other."
        )
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes))[:-1])
