"""Which stages make gaps between groups larger, the worst first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t

from skcorrupt.stats import adjusted_pvalues
from skcorrupt.utils import warn

KEYS = ["stage", "sensitive", "group", "metric"]
ENDS = ["with_stage_low", "with_stage_high", "without_stage_low", "without_stage_high"]
# what sums of floats differ by, as a share of the numbers
TINY = 1e-9
# of the size of gaps, what is as good as none: nobody can say which way round it is
NONE = 0.002
# gaps in shares, whose unit is one whatever the data are
RATES = ("spd", "eod", "aod", "erd")
# pairs of groups of which a warning tells
MOST_TOLD = 3


def stage_harms(
    effects: pd.DataFrame, levels: pd.DataFrame, alpha: float, n_splits: int
) -> pd.DataFrame:
    """Put effects beside the gaps, and say by how much each stage makes a gap larger.

    An effect has the sign of the gap it adds to: of a gap below 0, one above 0 takes away. Two
    gaps are of one size if their difference is 0 or their sum, and both have to be ruled out, also
    where both have one sign: noise that they share moves gaps of opposite signs to one side of 0.
    Sizes of gaps of one sign differ by no more than the effect may come to.

    Parameters
    ----------
    effects : DataFrame
        As `StageFairnessAblator.stage_effects_`.
    levels : DataFrame
        As `StageFairnessAblator.global_fairness_`.
    alpha : float
        Level of the tests, one minus that of the intervals.
    n_splits : int
        Number of all splits.

    Returns
    -------
    DataFrame
        Effects that are known, with `with_stage`, `without_stage`, and `widens`, the size of the
        gap with the stage less that without it; its interval `widens_low, widens_high`, its
        `widens_p_adjusted`, both NaN where a single split does not tell, and `sure`, whether it
        is more than noise; `turns`, whether the stage turns a gap round that is one at all, and
        `turned`, whether that is so and only the effect is more than noise; `harmful`, whether
        `widens` is above 0 and sure; `unit`, as `gap_units` has it; and `known`, "" or on how many
        of the splits the gaps are compared, where those are few. The worst come first: those that
        are harmful, then those that are turned, and those that few splits know of last.
    """
    gaps = levels[[*KEYS, "with_stage", "without_stage", *ENDS]]
    known = effects[(effects["status"] == "ok") & effects["mean"].notna()]
    harms = known.merge(gaps, on=KEYS, how="left", validate="one_to_one")
    gap, other = harms["with_stage"], harms["without_stage"]
    harms["unit"] = harms["metric"].map(gap_units(levels)).astype(float)
    harms["widens"] = gap.abs() - other.abs()
    opposite = gap * other < 0
    smaller = np.minimum(gap.abs(), other.abs())
    harms["turns"] = opposite & (smaller >= NONE * harms["unit"])
    side = np.sign(gap + other)
    ends = np.sort(np.stack([side * harms["ci_low"], side * harms["ci_high"]]), axis=0)
    half, p_sum = _of_sums(harms, alpha)
    # what the gaps may come to if one of them has the other sign in truth
    least = (gap + other).abs() - half
    ends[0] = np.where(harms["widens"] >= 0, np.fmin(ends[0], least), ends[0])
    ends[1] = np.where(harms["widens"] < 0, np.fmax(ends[1], -least), ends[1])
    turned_ends = np.stack([harms["widens"] - half, harms["widens"] + half])
    # by the triangle inequality sizes differ by no more than the gaps do
    furthest = harms[["ci_low", "ci_high"]].abs().max(axis=1).fillna(np.inf).to_numpy()
    ends = np.where(opposite, turned_ends, ends)
    ends = np.where(harms["turns"], ends, np.clip(ends, -furthest, furthest))
    harms["widens_low"], harms["widens_high"] = ends
    harms["significant"] = harms["significant"].astype(bool)
    # all stages are tests of one family, whether they turn the gap round or not
    both = np.maximum(harms["p_value"], p_sum)
    by = [harms[name] for name in KEYS[1:]]
    adjusted = both.groupby(by, sort=False).transform(adjusted_pvalues).astype(float)
    harms["widens_p_adjusted"] = adjusted
    harms["sure"] = harms["significant"] & (adjusted <= alpha)
    harms["turned"] = harms["significant"] & harms["turns"] & ~harms["sure"]
    harms["harmful"] = harms["sure"] & (harms["widens"] > 0)
    harms["known"] = [on_few(n, n_splits, "compared") for n in harms["n_splits"]]
    # what is seldom known is a matter of a few people
    harms["often"] = harms["n_splits"].clip(upper=n_splits / 2)
    order = ["harmful", "turned", "often", "widens"]
    harms = harms.sort_values(order, ascending=False, kind="stable").drop(columns=[*ENDS, "often"])
    return harms.reset_index(drop=True)


def warn_of_rare_gaps(levels: pd.DataFrame, n_splits: int) -> None:
    """Tell of gaps that most splits do not know of.

    Parameters
    ----------
    levels : DataFrame
        As `StageFairnessAblator.global_fairness_`.
    n_splits : int
        Number of splits on which the pipeline worked.

    Warns
    -----
    UserWarning
        If there are such gaps.
    """
    gaps = levels[(levels["n_splits"] > 0) & is_rare(levels["n_splits"], n_splits)]
    gaps = gaps.drop_duplicates(KEYS[1:])
    if gaps.empty:
        return
    told = [
        f"{', '.join(f'{row.metric} on {row.n_splits}' for row in its.itertuples())} of {n_splits} "
        f"splits by {sensitive!r} ({group})"
        for (sensitive, group), its in gaps.groupby(["sensitive", "group"], sort=False)
    ]
    more = [f"{len(told) - MOST_TOLD} more pairs of groups"] if len(told) > MOST_TOLD else []
    warn(
        f"Few test parts hold people of both groups whom a gap is about. Known are "
        f"{'; '.join([*told[:MOST_TOLD], *more])}. Such gaps are not tested. Pass a cv of fewer "
        "splits with larger test parts, or one that is stratified by group."
    )


def is_rare(n_known: Any, n_splits: int) -> Any:
    """Whether gaps are known on less than half of the splits, which may hold the same few people.

    Parameters
    ----------
    n_known : int or Series of int
        Splits on which a gap, or each of several, is known.
    n_splits : int
        Number of all splits.

    Returns
    -------
    bool or Series of bool
        For each.
    """
    return n_known < n_splits / 2


def on_few(n_known: int, n_splits: int, what: str) -> str:
    """On how many splits something holds of a gap, where that is less than half of them.

    Parameters
    ----------
    n_known : int
        Splits on which it does.
    n_splits : int
        Number of all splits.
    what : str
        What it is, such as "known".

    Returns
    -------
    str
        Such as "known on 3 of 60 splits"; "" where it is so on most.
    """
    return f"{what} on {n_known} of {n_splits} splits" if is_rare(n_known, n_splits) else ""


def gap_units(levels: pd.DataFrame) -> dict[str, float]:
    """The size of gaps of each metric, which says what of it is as good as nothing.

    Parameters
    ----------
    levels : DataFrame
        As `StageFairnessAblator.global_fairness_`.

    Returns
    -------
    dict of str to float
        One for shares; of targets the largest gap, or that in any metric where this one has but
        what sums of floats differ by.
    """
    gaps = levels[["with_stage", "without_stage"]].abs().max(axis=1)
    largest = gaps.groupby(levels["metric"]).max().fillna(0.0)
    of_targets = largest[~largest.index.isin(RATES)]
    overall = float(of_targets.max()) if len(of_targets) else 0.0
    return {
        str(metric): 1.0 if metric in RATES else (size if size > TINY * overall else overall) or 1.0
        for metric, size in largest.items()
    }


def _of_sums(harms: pd.DataFrame, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Half the intervals of sums of both gaps, and p-values of their being 0, NaN where unknown.

    Variances of a sum and of a difference add up to twice those of both parts, and intervals over
    the same splits are as many standard deviations wide. Where these are not known, a sum deviates
    by no more than both parts together, which is enough for gaps of one sign.
    """
    with_low, with_high, without_low, without_high = harms[ENDS].to_numpy(dtype=float).T
    parts = (with_high - with_low) ** 2 + (without_high - without_low) ** 2
    square = parts / 2 - (harms["ci_high"] - harms["ci_low"]).to_numpy(dtype=float) ** 2 / 4
    gap, other = (harms[name].to_numpy(dtype=float) for name in ("with_stage", "without_stage"))
    n = harms["n_splits"].to_numpy(dtype=float)
    # a single split has a bootstrap, and gaps of other splits have another difference
    differ = abs(gap - other - harms["mean"].to_numpy(dtype=float))
    known = (n > 1) & (differ <= TINY * harms["unit"].to_numpy(dtype=float))
    most = (with_high - with_low + without_high - without_low) / 2
    most = np.where(gap * other < 0, np.nan, most)
    half = np.sqrt(np.where(known & (square > TINY * parts), square, most**2))
    freedom = np.where(n > 1, n - 1, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        wide = abs(gap + other) / half * t.ppf(1 - alpha / 2, freedom)
    return half, 2 * t.sf(wide, freedom)
