"""Which stages make gaps between groups larger, the worst first."""

from __future__ import annotations

import numpy as np
import pandas as pd

KEYS = ["stage", "sensitive", "group", "metric"]


def stage_harms(effects: pd.DataFrame, levels: pd.DataFrame) -> pd.DataFrame:
    """Put effects beside the gaps, and say by how much each stage makes a gap larger.

    An effect has the sign of the gap it adds to: of a gap below 0, one above 0 takes away.

    Parameters
    ----------
    effects : DataFrame
        As `StageFairnessAblator.stage_effects_`.
    levels : DataFrame
        As `StageFairnessAblator.global_fairness_`.

    Returns
    -------
    DataFrame
        Effects that are known, with `with_stage`, `without_stage`, `widens`, the size of the gap
        with the stage less that without it, its interval `widens_low, widens_high`, NaN where the
        stage turns the gap round, and `harmful`, whether it is above 0 and significant. The worst
        come first, those that are significant before others.
    """
    gaps = levels[[*KEYS, "with_stage", "without_stage"]]
    known = effects[(effects["status"] == "ok") & effects["mean"].notna()]
    harms = known.merge(gaps, on=KEYS, how="left", validate="one_to_one")
    gap, other = harms["with_stage"], harms["without_stage"]
    harms["widens"] = gap.abs() - other.abs()
    side = np.sign(gap + other)
    ends = np.sort(np.stack([side * harms["ci_low"], side * harms["ci_high"]]), axis=0)
    ends[:, (gap * other < 0).to_numpy()] = np.nan
    harms["widens_low"], harms["widens_high"] = ends
    harms["significant"] = harms["significant"].astype(bool)
    harms["harmful"] = harms["significant"] & (harms["widens"] > 0)
    order = ["harmful", "widens"]
    return harms.sort_values(order, ascending=False, kind="stable").reset_index(drop=True)
