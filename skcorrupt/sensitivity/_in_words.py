"""What a profiler found, in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils._as_text import counted, interval, largest, score, signed_percent
from skcorrupt.utils._readable import on_one_line

from ._scenario import ROWS

MOST_FAILED = 3


def matters_in_words(row: Any, alpha: float, tau: float) -> str:
    """Whether a change matters, and what it lacks where it does not.

    The test is that of the highest level, which is named where the interval of the mean change
    alone would say otherwise.
    """
    holds_zero = row["aepc_low"] <= 0 <= row["aepc_high"]
    if row["significant"]:
        return "matters, as it is more than noise at the highest level" if holds_zero else "matters"
    apart = row["aepc_low"] > 0 or row["aepc_high"] < 0
    at = " at the highest level" if apart and pd.notna(row["p_adjusted"]) else ""
    said = [] if row["p_adjusted"] <= alpha else [f"may be noise{at}"]
    said += [f"is no more than {100 * tau:g} %"] if abs(row["aepc"]) <= tau else []
    return " and ".join(said)


def error_in_words(corruption: str, features: str) -> str:
    """What goes wrong, and in which columns where it is in some."""
    kind = kind_in_words(corruption)
    return kind if features == ROWS[0] else f"{kind} in `{on_one_line(features)}`"


def change_in_words(change: float) -> str:
    """By how much a score changes; of a change that rounds to none it is said how small it is."""
    told = signed_percent(change)
    return "less than 0.1 %" if change and told == signed_percent(0.0) else told


def interval_in_words(row: Any) -> str:
    """The interval of a mean change in brackets, "" where one repeat gives none."""
    low, high = row["aepc_low"], row["aepc_high"]
    if pd.isna(low) or pd.isna(high):
        return ""
    return f" (95 % interval {interval(low, high, 'signed percent')})"


def failed_in_words(curves: pd.DataFrame) -> list[str]:
    """Which models fail on the data as they are, and which once there are errors, by which.

    Parameters
    ----------
    curves : DataFrame
        As `ErrorSensitivityProfiler.curves_`.

    Returns
    -------
    list of str
        A sentence for each model, none where all could be scored.
    """
    said, at = [], ["model", "repeat"]
    clean = curves[curves["level"] == 0].drop_duplicates(at)
    broken = clean[clean["score"].isna()]
    for model, rows in broken.groupby("model", sort=False):
        said.append(
            f"`{model}` fails on the data as they are: {len(rows)} of "
            f"{counted((clean['model'] == model).sum(), 'fit')} without errors gave no score, the "
            f"first for {rows['error'].iloc[0]}."
        )
    # there errors are not what it fails with
    failing = pd.MultiIndex.from_frame(curves[at]).isin(pd.MultiIndex.from_frame(broken[at]))
    struck = curves[(curves["level"] > 0) & ~failing]
    for model, rows in struck[struck["score"].isna()].groupby("model", sort=False):
        errors = rows[["corruption", "features"]].drop_duplicates()
        corruption, features = errors.iloc[0]
        more = f" and {counted(len(errors) - 1, 'more error')}" if len(errors) > 1 else ""
        said.append(
            f"`{model}` fails with {error_in_words(corruption, features)}{more}: {len(rows)} of "
            f"{counted((struck['model'] == model).sum(), 'fit')} with errors gave no score, the "
            f"first for {rows['error'].iloc[0]}."
        )
    if len(said) > MOST_FAILED:
        said[MOST_FAILED:] = [f"So do {counted(len(said) - MOST_FAILED, 'more model')}."]
    return said


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
        A sentence or two.
    """
    n = int(profiles["significant"].sum())
    known = profiles.dropna(subset="aepc")
    lost = len(profiles) - len(known)
    verb = "was" if len(profiles) == 1 else "were"
    pairs = f"{counted(len(profiles), 'pair')} of a model and an error {verb} studied"
    if lost:
        pairs += f", {lost if len(known) else 'all'} of them without a mean change"
    if known.empty:
        return [f"{pairs}; the remarks (`flags`) say why."]
    which = "the others" if lost else "them"
    much = f"{100 * tau:g} % of the {metric} on average."
    if n_repeats == 1:
        count = f"{pairs}, and could not be tested with one repeat."
    elif n:
        count = f"{pairs}; in {n} of {which} the error matters: the change is more than noise, and "
        count += f"larger than {much}"
    else:
        count = f"{pairs}; in none of {which} was the change more than noise and larger than {much}"
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
        f"data, by {change_in_words(worst['aepc'])} on average over the levels"
        f"{interval_in_words(worst)}, {sure}.",
    ]
