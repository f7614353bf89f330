"""What an ablator found, in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from skcorrupt.utils._as_text import LEAST, NOTHING, cell, counted, interval
from skcorrupt.utils._readable import on_one_line

from ._harms import NONE, stage_harms
from ._stage_names import named, stage_names

GAPS = {
    "spd": "the rate of favourable decisions (SPD)",
    "eod": "the rate of favourable decisions among those who are favourable in truth (EOD)",
    "aod": (
        "the rate of favourable decisions, its mean over those who are favourable in truth and "
        "those who are not (AOD)"
    ),
    "erd": "the rates of wrong decisions of both kinds, added up (ERD)",
    "mean_prediction": "the mean prediction",
    "mean_error": "the mean error, with its sign",
    "mean_absolute_error": "the mean size of errors",
}
# the same in a few words, for tables
SHORT_GAPS = {
    "spd": "favourable decisions (SPD)",
    "eod": "favourable decisions, of those favourable in truth (EOD)",
    "aod": "favourable decisions, mean by truth (AOD)",
    "erd": "wrong decisions (ERD)",
    "mean_prediction": "mean prediction",
    "mean_error": "mean error",
    "mean_absolute_error": "mean size of errors",
}
MOST_PAIRS = 3
MOST_NARROWED = 3


def found_in_words(
    effects: pd.DataFrame, levels: pd.DataFrame, alpha: float, n_splits: int
) -> list[str]:
    """Which stages change a gap by more than noise, and the worst for each pair of groups.

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
    list of str
        A sentence on all, and one for each pair of groups, the worst first; or one that says that
        no stage could be left out.
    """
    harms = stage_harms(effects, levels, alpha, n_splits)
    harms = named(harms, stage_names(effects["stage"]))
    steps = counted(effects["stage"].nunique(), "step")
    if harms.empty:
        return [f"None of {steps} could be left out, so that there is no answer."]
    names = harms.loc[harms["significant"], "stage"].unique()
    listed = ": " + ", ".join(f"`{name}`" for name in names) if len(names) else ""
    said = [
        f"Of {steps}, {len(names) or 'none'} can be seen to change a gap between the groups by "
        f"more than noise{listed}."
    ]
    worst = worst_by_pair(harms)
    said += [harm_in_words(row) for row in worst[:MOST_PAIRS]]
    if len(worst) > MOST_PAIRS:
        left = len(worst) - MOST_PAIRS
        said.append(f"There {'is' if left == 1 else 'are'} {counted(left, 'more pair')} of groups.")
    said += filter(None, [narrowed_in_words(harms, worst[:MOST_PAIRS])])
    return [*map(on_one_line, said)]


def narrowed_in_words(harms: pd.DataFrame, told: list[dict[Any, Any]]) -> str:
    """Which stages make a gap smaller by more than noise, or turn it round, by what each does most.

    Where none makes it smaller for sure, those whose own interval says so, without the other tests.

    Parameters
    ----------
    harms : DataFrame
        As `stage_harms` gives it.
    told : list of dict
        Its rows that were told of already.

    Returns
    -------
    str
        A sentence or two; "" where there are no others.
    """
    smaller = harms[harms["widens"] < 0].sort_values("widens", kind="stable")
    said, chosen = "Smaller by more than noise are gaps with", smaller[smaller["sure"]]
    if chosen.empty:
        said = "Smaller, though among so many tests it may be chance, are gaps with"
        often = smaller[smaller["known"] == ""]
        chosen = often[(often["widens_high"] < 0) & ~often["turned"]]
    turned = harms[harms["turned"]].sort_values("mean", key=lambda mean: -mean.abs(), kind="stable")
    apart = "Turned round by more than noise, though perhaps as large as before, are gaps with"
    sentences = _listed(said, chosen, told), _listed(apart, turned, told)
    return " ".join(filter(None, sentences))


def _listed(said: str, chosen: pd.DataFrame, told: list[dict[Any, Any]]) -> str:
    """A sentence on stages, each by its first row; "" where all were told of already."""
    known = {(row["stage"], row["widens"]) for row in told}
    most = [
        row
        for row in chosen.drop_duplicates("stage").to_dict("records")
        if (row["stage"], row["widens"]) not in known
    ]
    parts = [
        f"`{row['stage']}` (by `{row['sensitive']}`, {against(row['group'])}, in "
        f"{SHORT_GAPS.get(row['metric'], row['metric'])}: "
        f"{cell(row['without_stage'], 'signed', row['unit'])} {instead(row['reference'])}, "
        f"{cell(row['with_stage'], 'signed', row['unit'])} with it"
        f"{', the other way round' if row['turns'] and not row['turned'] else ''})"
        for row in most[:MOST_NARROWED]
    ]
    if len(most) > MOST_NARROWED:
        parts.append(f"{len(most) - MOST_NARROWED} more")
    return f"{said} {'; '.join(parts)}." if parts else ""


def worst_by_pair(harms: pd.DataFrame) -> list[dict[Any, Any]]:
    """The row of each pair of groups that says the most, the worst first.

    Parameters
    ----------
    harms : DataFrame
        As `stage_harms` gives it.

    Returns
    -------
    list of dict
        The largest gap that a stage makes larger by more than noise; where there is none what
        turns it round most by more than noise, then what makes it smaller by more than noise, then
        what changes it by more than noise, and then what may be noise.
    """
    worst = []
    for _, here in harms.groupby(["sensitive", "group"], sort=False):
        sure, turned = here[here["sure"]], here[here["turned"]]
        if not here["harmful"].any() and len(turned):
            worst.append(turned.sort_values("mean", key=abs, kind="stable").iloc[-1])
        else:
            narrows = len(sure) and not sure["harmful"].any()
            changes = here[here["significant"]]
            first = (changes if len(changes) else here).iloc[0]
            worst.append(sure.iloc[-1] if narrows else first)

    def place(row: pd.Series) -> tuple[float, ...]:
        changes = not row["significant"]
        return not row["harmful"], not row["turned"], changes, bool(row["known"]), -row["widens"]

    return [row.to_dict() for row in sorted(worst, key=place)]


def harm_in_words(row: dict[Any, Any]) -> str:
    """What a stage does to a gap.

    Parameters
    ----------
    row : dict
        A row of `stage_harms`.

    Returns
    -------
    str
        A sentence.
    """
    known = f" ({row['known']})" if row["known"] else ""
    about = (
        f"the gap by `{row['sensitive']}` ({against(row['group'])}) in "
        f"{GAPS.get(row['metric'], row['metric'])}{known}"
    )
    change = row["mean"] if row["turns"] else row["widens"]
    unit = row["unit"]
    # the same whatever the target is measured in
    if abs(change) <= LEAST * unit:
        level = cell(row["with_stage"], "signed", unit)
        return f"`{row['stage']}` leaves {about} as it is {instead(row['reference'])}: {level}."
    without, present = (_gap(row[name], unit) for name in ("without_stage", "with_stage"))
    gaps = f"{about}: {without} {instead(row['reference'])}, {present} with the step"
    # a change that three decimals do not show has digits of its own
    unit = unit if abs(change) > LEAST else abs(change)
    if row["turns"] and not row["sure"]:
        by = _within(row["mean"], row["ci_low"], row["ci_high"], row["significant"], unit)
        larger = " Which of the two is larger may be noise." if row["turned"] else ""
        return (
            f"`{row['stage']}` turns round {gaps}, {cell(abs(row['mean']), 'score', unit)} apart "
            f"({by}).{larger}"
        )
    way, more, size = (
        ("widens", "more", "larger") if row["widens"] > 0 else ("narrows", "less", "smaller")
    )
    by = _within(row["widens"], row["widens_low"], row["widens_high"], row["sure"], unit)
    changed = f" The gap moves by more than noise; that it is {size} with the step may be noise."
    changed = changed if row["significant"] and not row["sure"] else ""
    return (
        f"`{row['stage']}` {way} {gaps}{', the other way round' if row['turns'] else ''}, "
        f"{cell(abs(row['widens']), 'score', unit)} {more} ({by}).{changed}"
    )


def _gap(value: float, unit: float) -> str:
    """A gap with its sign, where it is one at all."""
    return "none" if abs(value) < NONE * unit else cell(value, "signed", unit)


def _within(mean: float, low: float, high: float, sure: bool, unit: float) -> str:
    """The interval of a size, where there is one, and whether it may be noise."""
    texts = (
        interval(*((low, high) if mean > 0 else (-high, -low)), unit=unit),
        "more than noise" if sure else "which may be noise",
    )
    return ", ".join(text for text in texts if text != NOTHING)


def instead(reference: str) -> str:
    """What a pipeline without a step has."""
    return "without it" if reference in ("", "drop") else f"with {reference} in its place"


def against(group: str) -> str:
    """A pair of groups, which tables have as "all others / 1"."""
    one, _, other = group.partition(" / ")
    # values that have such a mark themselves cannot be told apart
    return group if not other or " / " in other else f"{one} against {other}"


def turning(harms: pd.DataFrame) -> list[str]:
    """For each row of `stage_harms` whether a stage turns the gap round, as tables have it."""
    pairs = zip(harms["turns"], harms["significant"], strict=True)
    return [
        ("more than noise" if sure else "may be noise") if turns else "no" for turns, sure in pairs
    ]
