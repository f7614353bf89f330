"""Intervals, tests and verdicts from counts of hits."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import binom, false_discovery_control

from skcorrupt.stats import clopper_pearson


def decide(
    counts: pd.DataFrame,
    *,
    direction: str,
    epsilon: float,
    alpha: float,
    multiplicity: str | None,
    one_is_enough: bool,
) -> pd.DataFrame:
    """Add estimates, tests and verdicts to counts.

    Those whose points were all seen need no test: their responsiveness is known. All others are
    tested in one direction (proposition 5), with the false discovery rate or the family-wise
    error rate kept over them.

    Parameters
    ----------
    counts : DataFrame
        With `n`, `hits`, `exact` and `sound`; without sound draws there is no interval and no
        test, and a verdict only where a hit settles it.
    direction : {"at_most", "at_least"}
        The claim: responsiveness is below the threshold, or above it.
    epsilon : float
        The threshold.
    alpha : float
        Level of intervals and tests.
    multiplicity : {"bh", "bonferroni"} or None
        How several tests are allowed for.
    one_is_enough : bool
        Whether a hit settles that a person is responsive.

    Returns
    -------
    DataFrame
        With `responsiveness, ci_low, ci_high, p_value, q_value, verdict` added.
    """
    out = counts.copy()
    n, hits, exact, sound = (out[name].to_numpy() for name in ("n", "hits", "exact", "sound"))
    with np.errstate(invalid="ignore"):
        # no points were found where the rules leave hardly any
        share = hits / n
    low, high = clopper_pearson(hits, n, alpha)
    out["responsiveness"] = share
    for end, limit in (("ci_low", low), ("ci_high", high)):
        out[end] = np.where(exact, share, np.where(sound, limit, np.nan))
    if direction == "at_most":
        p = binom.cdf(hits, n, epsilon)
    else:
        p = binom.sf(hits - 1, n, epsilon)
    tested = ~exact & sound
    p = np.where(tested, p, np.nan)
    q = p.copy()
    if tested.any():
        if multiplicity == "bh":
            q[tested] = false_discovery_control(p[tested], method="bh")
        elif multiplicity == "bonferroni":
            q[tested] = np.minimum(1.0, p[tested] * tested.sum())
    out["p_value"], out["q_value"] = p, q
    with np.errstate(invalid="ignore"):
        claimed = q <= alpha
    verdict = np.full(len(out), "undecided", dtype=object)
    verdict[claimed] = "unresponsive" if direction == "at_most" else "responsive"
    if one_is_enough:
        verdict[exact] = "unresponsive"
        verdict[hits > 0] = "responsive"
    else:
        verdict[exact & (share < epsilon)] = "unresponsive"
        verdict[exact & (share >= epsilon)] = "responsive"
    out["verdict"] = verdict
    return out
