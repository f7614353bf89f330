"""Models by how little they lose."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ._error_performance import area_error_performance
from ._profiles import KEYS, student_interval


def ranking_of(curves: pd.DataFrame, profiles: pd.DataFrame) -> pd.DataFrame:
    """Models by how little they lose over all errors.

    Parameters
    ----------
    curves : DataFrame
        Scores, a row a model, scenario, repeat and level.
    profiles : DataFrame
        A row a model and scenario.

    Returns
    -------
    DataFrame
        A row a model, the smallest loss first, those without any last.
    """
    scores = curves.pivot(index=[*KEYS, "repeat"], columns="level", values="score")
    levels = scores.columns.to_numpy(dtype=float)
    areas = [area_error_performance(levels, run) for run in scores.to_numpy(dtype=float)]
    by_repeat = pd.Series(areas, index=scores.index).groupby(["model", "repeat"]).mean()
    losses = -by_repeat.unstack("repeat")
    dirty = curves[curves["level"] > 0].groupby("model")["score"].mean()
    rows = []
    for model, part in profiles.groupby("model", sort=False):
        mean = part["aepc"].mean()
        low, high = student_interval(losses.loc[model].to_numpy())
        row = {
            "model": model,
            "baseline": part["baseline"].mean(),
            "score": dirty[model],
            "loss": 0.0 - mean,
            "loss_low": low,
            "loss_high": high,
            "profiles": len(part),
            "significant_losses": int((part["significant"] & (part["aepc"] < 0)).sum()),
            "significant_gains": int((part["significant"] & (part["aepc"] > 0)).sum()),
        }
        known = part.dropna(subset="aepc").nsmallest(1, "aepc")
        for worst in known.to_dict("records") or [dict.fromkeys(known, None) | {"aepc": np.nan}]:
            row["worst_loss"] = 0.0 - worst["aepc"]
            row["worst_corruption"], row["worst_features"] = worst["corruption"], worst["features"]
        rows.append(row)
    frame = pd.DataFrame(rows)
    return frame.sort_values("loss", kind="stable", ignore_index=True)
