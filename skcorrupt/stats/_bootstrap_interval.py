"""Percentile bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MIN_DEFINED = 0.5


def bootstrap_interval(
    statistic: Callable[[np.ndarray, np.random.Generator], float],
    n_samples: int,
    *,
    n_resamples: int = 200,
    confidence_level: float = 0.95,
    groups: np.ndarray | None = None,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile bootstrap interval of a statistic of resampled rows (Efron 1979).

    Parameters
    ----------
    statistic : callable
        `statistic(rows, rng) -> float` for row positions drawn with replacement; `rng` is for
        whatever else is to be resampled.
    n_samples : int
        Number of rows.
    n_resamples : int, default=200
        Number of resamples.
    confidence_level : float in (0, 1), default=0.95
        Nominal coverage.
    groups : ndarray of shape (n_samples,), default=None
        Groups that are drawn as a whole, for dependent rows.
    seed : int, default=0
        Seed of the resampling.

    Returns
    -------
    low, high : float
        The interval; NaN where more than half of the resamples have no defined statistic.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.stats import bootstrap_interval
    >>> x = np.arange(100.0)
    >>> low, high = bootstrap_interval(lambda rows, rng: x[rows].mean(), len(x))
    >>> bool(low < 49.5 < high)
    True
    """
    rng = np.random.default_rng(seed)
    members = None
    if groups is not None:
        codes = np.unique(np.asarray(groups), return_inverse=True)[1].ravel()
        order = np.argsort(codes, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    values = np.empty(n_resamples)
    for b in range(n_resamples):
        if members is None:
            rows = rng.integers(n_samples, size=n_samples)
        else:
            drawn = rng.integers(len(members), size=len(members))
            rows = np.concatenate([members[g] for g in drawn])
        values[b] = statistic(rows, rng)
    values = values[np.isfinite(values)]
    if len(values) < MIN_DEFINED * n_resamples:
        return np.nan, np.nan
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)
