"""A share of several strata, with limits that hold where hits are rare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.fft import next_fast_len
from scipy.special import betainc, betaincc, betainccinv, betaincinv

from skcorrupt.utils._typing import Side

# cells over which sums are spread, and what is left out of each tail
CELLS = 2**13
TAIL = 1e-13


class Spread(NamedTuple):
    """What a sum of independent quantities comes to: equally spaced values and their chances."""

    first: float
    step: float
    chances: np.ndarray

    def quantile(self, level: float) -> float:
        """The value that is not passed with a chance of `level`."""
        found = int(np.searchsorted(np.cumsum(self.chances), level))
        return self.first + self.step * min(found, len(self.chances) - 1)

    def below(self, value: float) -> float:
        """Chance of a value or less."""
        n = np.floor((value - self.first) / self.step) if self.step else value >= self.first
        n = n + 1 if self.step else n
        return float(self.chances[: int(np.clip(n, 0, len(self.chances)))].sum())


class StratifiedShare(NamedTuple):
    """An estimated share, with what its one-sided limits are at all levels.

    Attributes
    ----------
    share : float
        The estimate.
    least, most : Spread
        The lower limit at level `a` is the quantile of `least` at `a`, the upper one that of
        `most` at `1 - a`.
    """

    share: float
    least: Spread
    most: Spread

    def interval(self, alpha: float) -> tuple[float, float]:
        """The two limits, each at `alpha / 2`."""
        low = self.least.quantile(alpha / 2)
        high = self.most.quantile(1 - alpha / 2)
        return max(0.0, low), min(1.0, high)

    def p_value(self, threshold: float, direction: Side) -> float:
        """The least level at which a limit is on the other side of the threshold."""
        if direction == "at_most":
            p = 1.0 - self.most.below(np.nextafter(threshold, 0.0))
        else:
            p = self.least.below(threshold)
        return float(np.clip(p + 1e-11, 0.0, 1.0))


def stratified_share(
    successes: np.ndarray,
    n: np.ndarray,
    weights: np.ndarray,
    n_weights: float = np.inf,
    *,
    none_expected: np.ndarray | None = None,
    all_expected: np.ndarray | None = None,
) -> StratifiedShare:
    """The share of successes in a population of strata, from a sample of each.

    Limits are those of Clopper and Pearson, melded: every stratum's share is replaced by the
    random number whose quantiles are its limits at all levels, a beta variable, and the quantile
    of the weighted sum of these is the limit of the sum [1]_. With a single stratum that is the
    interval of Clopper and Pearson; where a large stratum shows no success the limit is that of
    this stratum, whatever is known of the others. A normal or gamma approximation is too narrow
    there.

    Strata of which none is expected to show a success have one limit where none does: that of a
    single stratum of their weight, as if each of its trials weighed as much as the heaviest of
    theirs. With shares ``p`` none is seen with a chance of the product of ``(1 - p) ** n``. It is
    no less with fewer trials, and with trials in proportion to weights it is largest where all
    shares are equal.

    Parameters
    ----------
    successes, n : ndarray of shape (n_strata,)
        Successes and trials of each stratum, one trial or more.
    weights : ndarray of shape (n_strata,)
        Shares of the population, which add up to 1; strata of none are left out.
    n_weights : float, default=inf
        Draws from the population that the weights are counted on; infinite for known ones.
    none_expected, all_expected : ndarray of bool of shape (n_strata,), default=None
        Strata that should show no success, or nothing else, by what was known before they were
        sampled; None is none of them.

    Returns
    -------
    StratifiedShare
        The estimate, its limits and p-values.

    References
    ----------
    .. [1] M. P. Fay, M. A. Proschan, E. Brittain, Combining one-sample confidence procedures for
       inference in the two-sample case, Biometrics 71, 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.stats._stratified_share import stratified_share
    >>> found = stratified_share(np.array([0, 95]), np.array([900, 100]), np.array([0.99, 0.01]))
    >>> [round(end, 4) for end in (found.share, *found.interval(0.05))]
    [0.0095, 0.0089, 0.0136]
    """
    x, n, w = (np.asarray(each, dtype=float) for each in (successes, n, weights))
    nowhere = np.zeros(len(x), dtype=bool)
    none = nowhere if none_expected is None else np.asarray(none_expected, dtype=bool)
    every = nowhere if all_expected is None else np.asarray(all_expected, dtype=bool)
    x, n, none, every, w = (each[w > 0] for each in (x, n, none, every, w))
    # where they show others, each has its own limit
    none = none & (x[none].sum() == 0)
    every = every & ((n - x)[every].sum() == 0)
    low = [(x[~every], (n - x + 1)[~every], w[~every])]
    high = [(x[~none] + 1, (n - x)[~none], w[~none])]
    shift = 0.0
    if none.any():
        high.append((np.ones(1), *_as_one(n[none], w[none])))
    if every.any():
        trials, weight = _as_one(n[every], w[every])
        low.append((trials, np.ones(1), weight))
    if n_weights < np.inf:
        # the weights err most where strata differ most; one success more leaves none out
        rates = (x + 1) / (n + 1)
        mean = float(w @ rates)
        variance = float(w @ rates**2 - mean**2) / n_weights
        if variance > 1e-30 and 0 < mean < 1:
            size = mean * (1 - mean) / variance
            hits, one = size * mean, np.ones(1)
            low.append((hits * one, (size - hits + 1) * one, one))
            high.append(((hits + 1) * one, (size - hits) * one, one))
            shift = mean
    least, most = _sum(low), _sum(high)
    return StratifiedShare(
        float(w @ (x / n)),
        least._replace(first=least.first - shift),
        most._replace(first=most.first - shift),
    )


def _as_one(n: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Trials and weight of one stratum whose limit holds for several without a success."""
    weight = float(w.sum())
    return np.array([weight / float((w / n).max())]), np.array([weight])


def _sum(parts: Sequence[tuple[np.ndarray, ...]]) -> Spread:
    """The weighted sum of beta variables, to half a cell."""
    a, b, w = (np.concatenate(each) for each in zip(*parts, strict=True))
    sure = (a <= 0) | (b <= 0)
    first = float(w[sure & (b <= 0)].sum())
    a, b, w = a[~sure], b[~sure], w[~sure]
    if not len(a):
        return Spread(first, 0.0, np.ones(1))
    start, end = w * betaincinv(a, b, TAIL), w * betainccinv(a, b, TAIL)
    step = float((end - start).sum()) / CELLS
    n_cells = np.ceil((end - start) / step).astype(int) + 1
    length = next_fast_len(int(n_cells.sum()), real=True)
    spectrum = np.ones(length // 2 + 1, dtype=complex)
    for k, cells in enumerate(n_cells):
        edges = np.clip((start[k] + step * np.arange(cells + 1)) / w[k], 0.0, 1.0)
        # differences of small numbers, not of numbers near 1
        middle = int(np.searchsorted(edges, a[k] / (a[k] + b[k])))
        below = np.diff(betainc(a[k], b[k], edges[: middle + 1]))
        above = -np.diff(betaincc(a[k], b[k], edges[middle:]))
        spectrum *= np.fft.rfft(np.concatenate([below, above]), length)
    chances = np.maximum(np.fft.irfft(spectrum, length), 0.0)
    first += float(start.sum()) + step * len(a) / 2
    return Spread(first, step, chances / chances.sum())
