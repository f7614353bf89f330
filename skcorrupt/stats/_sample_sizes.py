"""How many reachable points an estimate or a test needs (proposition 3, 5 and remark 7)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy.special import betainc, betaincinv
from scipy.stats import binom

from skcorrupt.utils import check_choice, checked_share, is_finite_number
from skcorrupt.utils._typing import Side

from ._clopper_pearson import clopper_pearson

RULES = ("stable", "exact", "paper")
DIRECTIONS = ("at_most", "at_least")
MOST_POINTS = 10**9
# below, quantiles of binomial counts are not found
LEAST_SHARE = 1e-100
LARGEST_TESTED = 2**17


def sample_size_for_width(alpha: float, width: float) -> int:
    """Least number of points with which every Clopper–Pearson interval is narrow enough.

    Parameters
    ----------
    alpha : float in (0, 1)
        One minus the confidence level.
    width : float in (0, 1)
        Largest width of the interval, whatever the number of hits.

    Returns
    -------
    int
        Number of points (proposition 3 of [1]_).

    References
    ----------
    .. [1] "Reliable Models via Responsiveness Verification", section 3.

    Examples
    --------
    >>> from skcorrupt.stats import sample_size_for_width
    >>> sample_size_for_width(alpha=0.05, width=0.1)
    402
    """
    _check(alpha=alpha, width=width)

    def widest(n: int) -> float:
        # the interval is widest at half of the points
        low, high = clopper_pearson(n // 2, n, alpha)
        return high - low

    return _first(lambda n: widest(n) <= width, f"alpha={alpha!r} and width={width!r}", "width")


def sample_size_for_test(
    alpha: float,
    beta: float,
    epsilon: float,
    delta: float,
    *,
    rule: Literal["stable", "exact", "paper"] = "stable",
    direction: Side = "at_most",
) -> int:
    """Number of points with which a test finds a responsiveness that is `delta` off the threshold.

    Parameters
    ----------
    alpha : float in (0, 1)
        Largest probability of a false claim.
    beta : float in (0, 1)
        Largest probability of missing a true one, one minus the power.
    epsilon : float in (0, 1)
        The threshold.
    delta : float
        Distance of the true responsiveness from the threshold.
    rule : {"stable", "exact", "paper"}, default="stable"
        "exact" is the first size with the power, which more points can lose again because counts
        are whole; from "stable" on it is kept. "paper" is the formula printed in [1]_, whose
        power may fall short of `1 - beta`.
    direction : {"at_most", "at_least"}, default="at_most"
        The claim: responsiveness is below the threshold, or above it.

    Returns
    -------
    int
        Number of points (proposition 5 of [1]_).

    References
    ----------
    .. [1] "Reliable Models via Responsiveness Verification", section 3.

    Examples
    --------
    >>> from skcorrupt.stats import sample_size_for_test
    >>> [sample_size_for_test(0.01, 0.2, 0.1, 0.05, rule=r) for r in ("stable", "exact", "paper")]
    [312, 287, 254]
    """
    _check(alpha=alpha, beta=beta, epsilon=epsilon)
    check_choice("rule", rule, RULES)
    # a claim above the threshold is one below it about the points that are no hits
    threshold = epsilon if _is_at_most(direction) else 1 - epsilon
    truth = max(0.0, threshold - delta) if is_finite_number(delta) else -1.0
    if truth < 0 or not 0 < delta <= threshold + 1e-12 or (rule == "paper" and truth < 1e-12):
        raise ValueError(
            f"delta={delta!r} should be above 0 and below {threshold:g}, the distance from the "
            f"threshold epsilon={epsilon!r} to the end of its range."
        )
    if rule == "paper":
        return _first(
            lambda n: (
                betainc(
                    n * truth, n - n * truth, betaincinv(n * threshold, n - n * threshold, alpha)
                )
                >= 1 - beta
            ),
            f"alpha={alpha!r}, beta={beta!r}, epsilon={epsilon!r} and delta={delta!r}",
            "delta",
        )

    def powerful(sizes: np.ndarray) -> np.ndarray:
        most = _most_hits(sizes, threshold, alpha)
        return (most >= 0) & (binom.cdf(most, sizes, truth) >= 1 - beta)

    sizes = np.arange(1, 1025)
    while True:
        good = powerful(sizes)
        if good.any():
            first = int(sizes[np.argmax(good)])
            last_bad = int(sizes[~good][-1]) if not good.all() else 0
            if rule == "exact":
                return first
            # the sawtooth of whole counts fades, so a long calm stretch is for good
            if sizes[-1] >= 2 * last_bad + 1000:
                return last_bad + 1
        if len(sizes) >= LARGEST_TESTED:
            raise ValueError(
                f"delta={delta!r} needs more than {len(sizes)} points; test for a larger distance."
            )
        sizes = np.arange(1, 2 * len(sizes) + 1)


def minimum_informative_size(alpha: float, epsilon: float, *, direction: Side = "at_most") -> int:
    """Least number of points with which a test can claim anything at all.

    Parameters
    ----------
    alpha : float in (0, 1)
        Largest probability of a false claim.
    epsilon : float in (0, 1)
        The threshold.
    direction : {"at_most", "at_least"}, default="at_most"
        The claim: responsiveness is below the threshold, or above it.

    Returns
    -------
    int
        Least n with n > log(alpha) / log(1 - epsilon) (remark 7 of [1]_); with epsilon in place
        of 1 - epsilon for a claim above the threshold.

    References
    ----------
    .. [1] "Reliable Models via Responsiveness Verification", section 3.

    Examples
    --------
    >>> from skcorrupt.stats import minimum_informative_size
    >>> minimum_informative_size(alpha=0.05, epsilon=0.1)
    29
    """
    _check(alpha=alpha, epsilon=epsilon)
    miss = math.log1p(-epsilon) if _is_at_most(direction) else math.log(epsilon)
    return math.floor(math.log(alpha) / miss) + 1


def _most_hits(sizes: np.ndarray, threshold: float, alpha: float) -> np.ndarray:
    """Most hits with which the upper bound is below the threshold; −1 where even none are not."""
    most = binom.ppf(alpha, sizes, threshold)
    # the quantile is the first count whose probability reaches alpha
    return np.where(binom.cdf(most, sizes, threshold) < alpha, most, most - 1)


def _first(enough: Callable[[int], bool], asked: str, decisive: str) -> int:
    """The first size from which on there is enough, for a condition that is nearly monotone."""
    high = 1
    while not enough(high):
        high *= 2
        if high > MOST_POINTS:
            raise ValueError(
                f"{asked} need more than {MOST_POINTS:,} points, the most there can be; pass a "
                f"larger {decisive}."
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    # odd and even sizes need not agree
    while high > 2 and enough(high - 2):
        high -= 2
    return high


def _is_at_most(direction: str) -> bool:
    check_choice("direction", direction, DIRECTIONS)
    return direction == "at_most"


def _check(**shares: float) -> None:
    for name, value in shares.items():
        if checked_share(name, value) < LEAST_SHARE:
            raise ValueError(f"{name}={value!r} should be {LEAST_SHARE:g} or more.")
