"""What an ablator found, in words."""

from __future__ import annotations

import pandas as pd

from skcorrupt.utils._as_text import cell, counted, interval, signed

GAPS = {
    "spd": "SPD: the rate of favourable decisions",
    "eod": "EOD: the rate of favourable decisions among those who are favourable in truth",
    "aod": (
        "AOD: the rate of favourable decisions, its mean over those who are favourable in truth "
        "and those who are not"
    ),
    "erd": "ERD: the rates of wrong decisions of both kinds, added up",
    "mean_prediction": "the mean prediction",
    "mean_error": "the mean error, with its sign",
    "mean_absolute_error": "the mean size of errors",
}


def found_in_words(effects: pd.DataFrame, levels: pd.DataFrame) -> list[str]:
    """Which stages change a gap by more than noise, and what the largest effect is.

    Parameters
    ----------
    effects : DataFrame
        As `StageFairnessAblator.stage_effects_`.
    levels : DataFrame
        As `StageFairnessAblator.global_fairness_`.

    Returns
    -------
    list of str
        Two sentences, or one that says that no stage could be left out.
    """
    done = effects[(effects["status"] == "ok") & effects["mean"].notna()]
    steps = counted(effects["stage"].nunique(), "step")
    if done.empty:
        return [f"None of {steps} could be left out, so that there is no answer."]
    significant = done[done["significant"]]
    names = significant["stage"].unique()
    listed = ": " + ", ".join(f"`{name}`" for name in names) if len(names) else ""
    count = (
        f"Of {steps}, {len(names) or 'none'} can be seen to change a gap between the groups by "
        f"more than noise{listed}."
    )
    rows = significant if len(names) else done
    largest = rows.iloc[int(rows["mean"].abs().to_numpy().argmax())]
    sure = "more than noise" if largest["significant"] else "which may be noise"
    keys = ["stage", "sensitive", "group", "metric"]
    level = levels[(levels[keys] == largest[keys].to_numpy()).all(axis=1)].iloc[0]
    with_stage, without = level["with_stage"], level["without_stage"]
    way = "larger" if abs(with_stage) > abs(without) else "smaller"
    return [
        count,
        f"The largest effect: `{largest['stage']}` adds {signed(largest['mean'])} "
        f"({interval(largest['ci_low'], largest['ci_high'], 'signed')}, {sure}) to the gap between "
        f"the groups {largest['group']} of `{largest['sensitive']}` in "
        f"{GAPS.get(largest['metric'], largest['metric'])}; with the step the gap is "
        f"{cell(with_stage, 'signed')}, without it {cell(without, 'signed')}, so that the step "
        f"makes it {way}.",
    ]
