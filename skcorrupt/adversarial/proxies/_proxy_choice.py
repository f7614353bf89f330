"""Which stand-in for a pipeline to take: what can be simulated, how proxies are judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.stats import spearmanr

# what a proxy takes for the worst has to be among what it is judged by
LOWEST_OF_EACH = 10
# fewer say nothing of an order
FEWEST_JUDGED = 8
# the rank correlation that is asked of a proxy
LEAST_AGREEMENT = 0.5
# about a standard error of a rank correlation on thirty candidates
CLEARLY = 0.1


def preferred(agreements: dict[str, float]) -> str | None:
    """The proxy that suits the model, unless another agrees better by more than chance.

    Parameters
    ----------
    agreements : dict of str to float
        By proxy, the one first that suits the pipeline's model.

    Returns
    -------
    str or None
        The proxy; None if there are none.
    """
    known = {name: np.nan_to_num(each, nan=-2) for name, each in agreements.items()}
    best: Any = next(iter(known), None)
    for name, agreement in known.items():
        if agreement > known[best] + CLEARLY or known[best] < LEAST_AGREEMENT <= agreement:
            best = name
    return best


def judged_of(n_candidates: int, scores: Iterable[np.ndarray], most: int) -> np.ndarray:
    """Which candidates proxies are judged by: the lowest of each proxy, and the first others.

    Parameters
    ----------
    n_candidates : int
        How many there are, in random order.
    scores : iterable of ndarray of shape (n_candidates,)
        Those of every proxy.
    most : int
        How many are taken.

    Returns
    -------
    ndarray of int
        Their places, in order.
    """
    lowest = [
        order[np.isfinite(each[order])][:LOWEST_OF_EACH]
        for each in scores
        for order in [np.argsort(each, kind="stable")]
    ]
    first = np.concatenate([*lowest, np.arange(n_candidates)]).astype(int)
    _, places = np.unique(first, return_index=True)
    return np.sort(first[np.sort(places)][:most])


def agreement_of(real: np.ndarray, proxy: np.ndarray) -> float:
    """Rank correlation of scores; NaN where there are too few, or all are alike."""
    both = np.isfinite(real) & np.isfinite(proxy)
    if both.sum() < FEWEST_JUDGED or np.ptp(real[both]) == 0 or np.ptp(proxy[both]) == 0:
        return np.nan
    return float(spearmanr(real[both], proxy[both]).statistic)
