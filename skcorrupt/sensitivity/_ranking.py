"""Models by how little they lose."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.stats import corrected_interval

from ._profiles import KEYS

ERROR = KEYS[1:]


def ranking_of(curves: pd.DataFrame, profiles: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Models by how little they lose over the errors that none of them failed on.

    Parameters
    ----------
    curves : DataFrame
        Scores, one row per model, scenario, repeat and level.
    profiles : DataFrame
        One row per model and scenario.
    runs : DataFrame
        One row per model, scenario and repeat.

    Returns
    -------
    DataFrame
        One row per model, the smallest loss first, those that failed on some error last.
    """
    areas = profiles.pivot(index="model", columns=ERROR, values="aepc")
    # a model that never works says nothing of errors
    common = areas.columns[areas.dropna(how="all").notna().all()]
    chosen = [pd.MultiIndex.from_frame(part[ERROR]).isin(common) for part in (curves, runs)]
    dirty = curves[chosen[0] & (curves["level"] > 0)].groupby("model")["score"].mean()
    by_repeat = runs[chosen[1]].pivot_table(
        index="model", columns="repeat", values="aepc", aggfunc=lambda area: area.mean(skipna=False)
    )
    rows = []
    for model, part in profiles.groupby("model", sort=False):
        losses = np.array([])
        if model in by_repeat.index:
            losses = -by_repeat.loc[model].to_numpy(dtype=float)
        losses = losses[np.isfinite(losses)]
        interval = corrected_interval(losses, 0)
        row = {
            "model": model,
            "baseline": part["baseline"].mean(),
            "score": dirty.get(model, np.nan) if len(losses) else np.nan,
            "loss": 0.0 + losses.mean() if len(losses) else np.nan,
            "loss_low": float(interval.ci_low),
            "loss_high": float(interval.ci_high),
            "profiles": len(part),
            "failed": int(part["aepc"].isna().sum()),
            "significant_losses": int((part["significant"] & (part["aepc"] < 0)).sum()),
            "significant_gains": int((part["significant"] & (part["aepc"] > 0)).sum()),
        }
        known = part.dropna(subset="aepc").nsmallest(1, "aepc")
        for worst in known.to_dict("records") or [dict.fromkeys(known, None) | {"aepc": np.nan}]:
            row["worst_loss"] = 0.0 - worst["aepc"]
            row["worst_corruption"], row["worst_features"] = worst["corruption"], worst["features"]
        rows.append(row)
    frame = pd.DataFrame(rows)
    order = np.lexsort((frame["loss"], frame["failed"] > 0))
    return frame.iloc[order].reset_index(drop=True)
