"""What a profiler found, in words."""

from __future__ import annotations

import pandas as pd

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils._as_text import counted, interval, score, signed_percent


def found_in_words(profiles: pd.DataFrame, tau: float, metric: str = "score") -> list[str]:
    """How many errors matter, and which one costs most.

    Parameters
    ----------
    profiles : DataFrame
        As `ErrorSensitivityProfiler.profiles_`.
    tau : float
        Mean change, as a share of the score, above which an error matters.
    metric : str, default="score"
        What the score is called.

    Returns
    -------
    list of str
        Two sentences.
    """
    n = int(profiles["significant"].sum())
    studied = f"{counted(len(profiles), 'pair')} of a model and an error were studied; in "
    much = f"{100 * tau:g} % of the {metric} on average."
    if n:
        count = f"{studied}{n} of them the error matters: the change is more than noise, and "
        count += f"larger than {much}"
    else:
        count = f"{studied}none of them was the change more than noise and larger than {much}"
    known = profiles.dropna(subset="aepc")
    if known.empty:
        return [count, "None of them has a mean change; the remarks (`flags`) say why."]
    worst = known.iloc[int(known["aepc"].to_numpy().argmin())]
    if worst["aepc"] >= 0:
        return [count, f"No error lowers the {metric} of any model on average."]
    sure = "which matters" if worst["significant"] else "which may be noise, or too small"
    return [
        count,
        f"The largest loss: {kind_in_words(worst['corruption'])} in `{worst['features']}` "
        f"change the {metric} of `{worst['model']}`, {score(worst['baseline'])} on clean data, by "
        f"{signed_percent(worst['aepc'])} on average over the levels (95 % interval "
        f"{interval(worst['aepc_low'], worst['aepc_high'], 'signed percent')}), {sure}.",
    ]
