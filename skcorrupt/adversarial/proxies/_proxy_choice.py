"""Which stand-in for a pipeline to take: what can be simulated, how proxies are judged."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

# what a proxy takes for the worst has to be among what it is judged by
LOWEST_OF_EACH = 10
# fewer say nothing of an order
FEWEST_JUDGED = 8
# the rank correlation that is asked of a proxy
LEAST_AGREEMENT = 0.5
# about a standard error of a rank correlation on thirty candidates
CLEARLY = 0.1
CERTIFICATE = (
    "budget", "proxy", "complete_conditions", "n_rows", "n_points", "n_distinct", "n_polished",
    "largest_step", "n_reranked",
)  # fmt: skip


@dataclasses.dataclass
class Screened:
    """What candidates were screened on, how well it agrees with the pipeline, what it looked at.

    Attributes
    ----------
    name : str
        "linear", "tree", "clone", "estimator" or "none".
    agreement : float
        Spearman correlation of proxy and pipeline on random candidates; NaN for none.
    agreements : dict of str to float
        Those of all proxies that were tried.
    certificate : DataFrame or None
        A row for each budget that is done: what was looked at. None where nothing was screened.
    seconds : float
        Time that went into stand-ins: models on groups, and fits of an estimator or a clone.
    """

    name: str = "none"
    agreement: float = np.nan
    agreements: dict[str, float] = dataclasses.field(default_factory=dict)
    certificate: pd.DataFrame | None = None
    seconds: float = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add what is done within to the seconds."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - started

    def begin(self) -> None:
        """Have a certificate, which says of nothing yet that it was looked at."""
        self.certificate = pd.DataFrame(columns=list(CERTIFICATE))

    def join(self, members: Mapping[str, Screened], kept: float) -> None:
        """Take over what the members of a process were screened on.

        Parameters
        ----------
        members : dict of str to Screened
            That of each member, by its name.
        kept : float
            What the process strikes besides.
        """
        self.seconds = sum(each.seconds for each in members.values())
        self.name = ", ".join(dict.fromkeys(each.name for each in members.values()))
        agreements = [each.agreement for each in members.values()]
        self.agreement = float(np.nan if np.isnan(agreements).all() else np.nanmin(agreements))
        self.agreements = {
            f"{member}: {proxy}": value
            for member, each in members.items()
            for proxy, value in each.agreements.items()
        }
        parts = [
            each.certificate.assign(budget=each.certificate["budget"] + kept, member=name)
            for name, each in members.items()
            if each.certificate is not None and len(each.certificate)
        ]
        if parts:
            self.certificate = pd.concat(parts, ignore_index=True)


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
