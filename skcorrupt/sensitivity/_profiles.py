"""From curves to profiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.stats import (
    adjusted_pvalues,
    corrected_interval,
    wilcoxon_pvalue,
)
from skcorrupt.stats._error_performance import (
    NEAR_ZERO,
    NEAR_ZERO_OF_BOTH,
    area_error_performance,
    error_performance_correlation,
    piecewise_slopes,
)
from skcorrupt.stats._wilcoxon import paired_differences

KEYS = ["model", "corruption", "features"]


def profiles_of(
    curves: pd.DataFrame, alpha: float, tau: float, test_ratio: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A profile for every model and scenario, and one for each of its repeats.

    Parameters
    ----------
    curves : DataFrame
        Scores, one row per model, scenario, repeat and level.
    alpha : float
        False discovery rate.
    tau : float
        Least size of an area that matters.
    test_ratio : float
        Rows of a test part over rows of a training part.

    Returns
    -------
    profiles : DataFrame
        One row per model and scenario.
    runs : DataFrame
        One row per model, scenario and repeat.
    """
    rows, runs = [], []
    for key, part in curves.groupby(KEYS, sort=False):
        scores = part.pivot(index="repeat", columns="level", values="score")
        profile, each = _profile(scores, test_ratio)
        names = dict(zip(KEYS, key, strict=True))
        rows.append(names | profile)
        runs += [names | run for run in each]
    frame = pd.DataFrame(rows)
    # a test that could not be made is one of the family all the same
    frame["p_adjusted"] = adjusted_pvalues(frame["p_value"], count_missing=True)
    frame["significant"] = (frame["p_adjusted"] <= alpha) & (frame["aepc"].abs() > tau)
    last = ["p_wilcoxon", "n_defined", "flags"]
    frame = frame[[*(name for name in frame if name not in last), *last]]
    return frame, pd.DataFrame(runs)


def _profile(
    scores: pd.DataFrame, test_ratio: float
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    levels = scores.columns.to_numpy(dtype=float)
    runs = scores.to_numpy(dtype=float)
    epcs = np.array([error_performance_correlation(levels, run) for run in runs])
    areas = np.array([area_error_performance(levels, run) for run in runs])
    raw = np.array([area_error_performance(levels, run, normalize=False) for run in runs])
    areas, flags = _shares(runs, raw, areas)
    # runs that lack a level would bend the mean where they end
    complete = runs[np.isfinite(runs).all(axis=1)]
    mean = _mean(complete if len(complete) else runs)
    slopes, regimes = piecewise_slopes(levels, mean)
    each = np.array([piecewise_slopes(levels, run, regimes)[0] for run in runs])
    each = each.reshape(len(runs), -1)
    bounds = corrected_interval(each, 0)
    changes = paired_differences(runs[:, 0], runs[:, -1])
    if np.isnan(epcs).any():
        flags.append(f"EPC undefined in {int(np.isnan(epcs).sum())} of {len(runs)} repeats")
    if np.isnan(areas).any():
        flags.append(f"AEPC undefined in {int(np.isnan(areas).sum())} of {len(runs)} repeats")
    if np.isnan(runs).any():
        flags.append(f"{int(np.isnan(runs).sum())} of {runs.size} fits failed")
    found = {"baseline": _mean(runs[:, :1])[0], **_interval("baseline", runs[:, 0])}
    found |= {"epc": _mean(epcs[:, None])[0], **_interval("epc", epcs, 1.0)}
    found |= {"aepc": _mean(areas[:, None])[0], **_interval("aepc", areas)}
    by_run = [
        {"repeat": repeat, "epc": epc, "aepc": aepc, "area": area, "slopes": slope.tolist()}
        for repeat, epc, aepc, area, slope in zip(scores.index, epcs, areas, raw, each, strict=True)
    ]
    found |= {
        "epc_of_mean": error_performance_correlation(levels, mean),
        "area": _mean(raw[:, None])[0],
        "slopes": _mean(each).tolist() if each.size else slopes.tolist(),
        "slopes_low": bounds.ci_low.tolist(),
        "slopes_high": bounds.ci_high.tolist(),
        "regimes": [tuple(regime) for regime in regimes.tolist()],
        "p_value": float(corrected_interval(changes, test_ratio).p_value),
        "p_wilcoxon": wilcoxon_pvalue(runs[:, 0], runs[:, -1]),
        "n_defined": int(np.isfinite(areas).sum()),
        "flags": "; ".join(flags),
    }
    return found, by_run


def _shares(runs: np.ndarray, raw: np.ndarray, areas: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Mean changes as shares of scores without errors, or of their mean; and what to say of that.

    A share of a score that is now above and now below 0 turns its sign with it. A score close to 0
    has no share, though it may gain, or one of 0, as where it stays 0: with some of these, shares
    of each are no mean change.
    """
    known = np.isfinite(raw)
    clean = runs[np.isfinite(runs[:, 0]), 0]
    if not known.any():
        return areas, []
    turned = clean.min() < 0 < clean.max()
    # one without a share, or one of 0 throughout
    near = known & (np.isnan(areas) | (runs[:, 0] == 0))
    if not turned and (near.sum() == known.sum() or not near.any()):
        return areas, []
    size, least = abs(clean.mean()), NEAR_ZERO_OF_BOTH if turned else NEAR_ZERO
    if size <= least * abs(clean).max():
        return np.where(raw == 0, 0.0, np.nan), []
    which = "below 0" if turned else "close to 0 beside others"
    return raw / size, [f"AEPC of the mean score without errors, as some of them are {which}"]


def _mean(values: np.ndarray) -> np.ndarray:
    """Means of columns over what is known, NaN where nothing is."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _interval(name: str, values: np.ndarray, most: float = np.inf) -> dict[str, float]:
    """Student's interval of a mean over repeats, which can be `most` in size."""
    found = corrected_interval(values, 0)
    low, high = np.clip([found.ci_low, found.ci_high], -most, most).tolist()
    return {f"{name}_low": low, f"{name}_high": high}
