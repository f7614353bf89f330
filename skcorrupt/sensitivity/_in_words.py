"""What a profiler found, in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils._as_text import counted, interval, largest, score, signed_percent
from skcorrupt.utils._readable import on_one_line

from ._scenario import ROWS


def matters_in_words(row: Any, alpha: float, tau: float) -> str:
    """Whether a change matters, and what it lacks where it does not."""
    if row["significant"]:
        return "matters"
    said = [] if row["p_adjusted"] <= alpha else ["may be noise"]
    said += [f"is no more than {100 * tau:g} %"] if abs(row["aepc"]) <= tau else []
    return " and ".join(said)


def error_in_words(corruption: str, features: str) -> str:
    """What goes wrong, and in which columns where it is in some."""
    kind = kind_in_words(corruption)
    return kind if features == ROWS[0] else f"{kind} in `{on_one_line(features)}`"


def interval_in_words(row: Any) -> str:
    """The interval of a mean change in brackets, "" where one repeat gives none."""
    low, high = row["aepc_low"], row["aepc_high"]
    if pd.isna(low) or pd.isna(high):
        return ""
    return f" (95 % interval {interval(low, high, 'signed percent')})"


def found_in_words(
    profiles: pd.DataFrame, alpha: float, tau: float, metric: str = "score", n_repeats: int = 2
) -> list[str]:
    """How many errors matter, and which one costs most.

    Parameters
    ----------
    profiles : DataFrame
        As `ErrorSensitivityProfiler.profiles_`.
    alpha : float
        Level of the tests.
    tau : float
        Mean change, as a share of the score, above which an error matters.
    metric : str, default="score"
        What the score is called.
    n_repeats : int, default=2
        Repeats there were; with one there are no tests.

    Returns
    -------
    list of str
        Two sentences.
    """
    n = int(profiles["significant"].sum())
    pairs = f"{counted(len(profiles), 'pair')} of a model and an error were studied"
    studied = f"{pairs}; in "
    much = f"{100 * tau:g} % of the {metric} on average."
    if n_repeats == 1:
        count = f"{pairs}, and could not be tested with one repeat."
    elif n:
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
    # errors may cost much of what is no more than rounding
    unit = largest(worst["baseline"], worst["baseline"] * worst["aepc"])
    sure = f"which {matters_in_words(worst, alpha, tau)}"
    return [
        count,
        f"The largest loss: {error_in_words(worst['corruption'], worst['features'])} "
        f"change the {metric} of `{worst['model']}`, {score(worst['baseline'], unit)} on clean "
        "data, by "
        f"{signed_percent(worst['aepc'])} on average over the levels"
        f"{interval_in_words(worst)}, {sure}.",
    ]
