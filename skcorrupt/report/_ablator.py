"""What a stage fairness ablation has to say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from skcorrupt.fairness import StageFairnessDisplay
from skcorrupt.fairness._harms import gap_units, on_few, stage_harms
from skcorrupt.fairness._in_words import (
    GAPS,
    SHORT_GAPS,
    against,
    harm_in_words,
    narrowed_in_words,
    turning,
    worst_by_pair,
)
from skcorrupt.fairness._stage_fairness_display import Kind
from skcorrupt.fairness._with_stage_names import with_stage_names
from skcorrupt.metrics import metric_name
from skcorrupt.utils._as_text import NOTHING, cell, counted, interval, largest, plain, score, share

from ._code import EFFECTS
from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html, bullets, paragraph
from ._tables import Column, table

if TYPE_CHECKING:
    from skcorrupt.fairness import StageFairnessAblator

MOST_PAIRS = 4
# the sign of a gap that is good for the group that is not privileged
_BETTER = {"spd": 1, "eod": 1, "aod": 1, "erd": -1}
# what it means for the group at a disadvantage
_FARES = {
    "spd": "{} get the favourable decision less often than {}",
    "eod": "of those favourable in truth, {} get the favourable decision less often than {}",
    "aod": "with the same truth, {} get the favourable decision less often than {}",
    "erd": "{} get more wrong decisions than {}",
}
MOST_TOLD = 2
_STAGE = Column("stage", "Step", meaning="Its place in the pipeline.")
_REFERENCE = Column(
    "reference", "Replaced by", meaning="What it is compared with; a dash is nothing in its place."
)
_INTERVAL = Column(
    ("ci_low", "ci_high"), "Interval", "signed", "Of what it adds, at the level of the settings."
)
_GROUPS = [
    Column("sensitive", "Attribute"),
    Column("group", "Groups", meaning="Those that are not privileged / those that are."),
    Column("metric", "Gap in"),
]
_TEST = [
    Column("p_adjusted", "p-value", "chance", "Adjusted for the number of steps."),
    Column("significant", "More than noise"),
]
_REST = [
    Column("n_splits", "Splits"),
    Column("status", "State", meaning="not_ablatable: the pipeline cannot run without the step."),
    Column("message", "Remarks"),
]
_HARMS = [
    _STAGE,
    _REFERENCE,
    *_GROUPS,
    Column("with_stage", "Gap with it", "signed", "Of the whole pipeline."),
    Column("without_stage", "Gap otherwise", "signed", "Without it, or with what replaces it."),
    Column("widens", "Widens by", "signed", "Size of the gap with it less otherwise."),
    Column(
        ("widens_low", "widens_high"),
        "Interval",
        "signed",
        "Of what it widens, further where a gap may favour either group in truth. Where the step "
        "turns the gap round there is none from a single split.",
    ),
    Column(
        "widens_p_adjusted",
        "p-value",
        "chance",
        "Of what it widens, adjusted for the number of steps.",
    ),
    Column("sure", "More than noise", meaning="What it widens."),
    Column(
        "turning",
        "Turns it round",
        meaning="Whether the gap with the step favours the other group than the gap otherwise, and "
        "whether the difference of the two is more than noise.",
    ),
    Column("change_rate", "Decisions changed", "percent", "By the step, in either direction."),
    *_REST,
]
_LEVELS = [
    _STAGE,
    _REFERENCE,
    *_GROUPS,
    Column("with_stage", "With it", "signed", "Gap of the whole pipeline."),
    Column(("with_stage_low", "with_stage_high"), "Interval, with", "signed"),
    Column("without_stage", "Otherwise", "signed", "Without it, or with what replaces it."),
    Column(("without_stage_low", "without_stage_high"), "Interval, otherwise", "signed"),
    Column("n_splits", "Splits", meaning="On which the gap with it is known."),
]
_SCORES = [
    _STAGE,
    _REFERENCE,
    Column("metric", "Score", meaning="More is better."),
    Column("with_stage", "With it", "score"),
    Column("without_stage", "Otherwise", "score", "Without it, or with what replaces it."),
    Column("mean", "Adds", "signed", "What the step adds to the score."),
    _INTERVAL,
    *_TEST,
    *_REST,
]
_DROPPED = [
    Column("stage", "Step"),
    Column("sensitive", "Attribute"),
    Column("group", "Group"),
    Column("n_rows", "Rows that came", meaning="Training rows of the group, mean over splits."),
    Column("n_dropped", "Left out"),
    Column("dropped", "Share left out", "percent"),
    Column("n_copied", "Copies added"),
]
_NOISE = [
    *_GROUPS,
    Column("mean_size", "Mean size", "score", "Of the change of the gap under another seed."),
    Column("change_rate", "Decisions changed", "percent"),
]


def ablator_content(ablator: StageFairnessAblator, asked: Asked) -> Content:
    """Collect what is known of a fitted ablator.

    Parameters
    ----------
    ablator : StageFairnessAblator
        The fitted ablator.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    ablator = with_stage_names(ablator)
    effects = ablator.stage_effects_
    pairs = effects[["sensitive", "group"]].drop_duplicates()
    names = [str(name) for name in getattr(ablator, "feature_names_in_", ())]
    notes = [] if names else [f"{ablator.n_features_in_:,} columns without names."]
    groups = "; ".join(f"{row.sensitive}: {row.group}" for row in pairs.itertuples())
    attributes = ", sensitive_features=attributes" if ablator.sensitive_features is None else ""
    favourable = (
        []
        if ablator.pos_label is None
        else [f"The favourable decision is {asked.label(ablator.pos_label)}."]
    )
    return Content(
        heading="Which step of the pipeline makes it unfair",
        glance=_glance(ablator),
        question=(
            "The model treats two groups differently. Which step that prepares the data adds to "
            f"the gap between them, and what is that step worth? Groups ({groups}), those that are "
            "not privileged first."
        ),
        answer=[*_answer(ablator), *favourable],
        results=_results(ablator),
        pictures=_pictures(ablator, effects, pairs),
        limits=_limits(ablator, effects),
        data=Data(None, names, notes=notes),
        seed=None,
        repeat=Repeat("ablator", f"fit(X, y{attributes})", ["print(ablator.summary())", EFFECTS]),
        no_pictures="" if (effects["status"] == "ok").any() else "No step could be left out.",
    )


def _glance(ablator: StageFairnessAblator) -> Glance:
    harms = _harms(ablator)
    if harms.empty:
        return Glance(
            "A step may treat groups unequally; none could be left out, so that nothing is known.",
            "Not known.",
            "Not known.",
            "See the remarks on each step, and give `references` that can stand in its place.",
            harm=1,
        )
    harmful, turned = harms[harms["harmful"]], harms[harms["turned"]]
    level = f"{100 * (1 - ablator.alpha):g} % intervals over {counted(ablator.n_splits_, 'split')}"
    if harmful.empty and turned.empty:
        gaps = _gaps(ablator)
        often = gaps[gaps["known"] == ""]
        sure = any(low > 0 or high < 0 for low, high in often[["low", "high"]].to_numpy())
        unequal = "The model treats groups of people unequally. " if sure else ""
        return Glance(
            f"{unequal}No step was seen to widen a gap between groups by more than noise.",
            f"{_gaps_in_words(gaps)} {narrowed_in_words(harms, [])}".rstrip(),
            f"{level}. Small effects may be there all the same.",
            "Look for the cause of a gap in the data and in the model, not in these steps.",
            harm=1 if sure else 0,
        )
    worst = worst_by_pair(harms[harms["harmful"] | harms["turned"]])
    wrong = [] if harmful.empty else [_done_by(harmful, "widen", "a gap between groups of people")]
    turned = turned[~turned["stage"].isin(harmful["stage"])]
    if len(turned):
        wrong.append(_done_by(turned, "turn", "a gap between groups of people round"))
    return Glance(
        f"{' '.join(wrong)}{_disadvantaged(worst)}",
        " ".join(map(harm_in_words, worst[:MOST_TOLD])),
        f"{level}; more than noise at the level of {share(ablator.alpha)}, adjusted for the "
        "number of steps.",
        " ".join(_advice(ablator, row) for row in worst[:MOST_TOLD]),
        # a gap that is turned round is not known to be larger
        harm=1 if harmful.empty else 2,
    )


def _harms(ablator: StageFairnessAblator) -> pd.DataFrame:
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    return stage_harms(effects, levels, ablator.alpha, ablator.n_splits_)


def _done_by(harms: pd.DataFrame, does: str, what: str) -> str:
    """What the steps of some rows do, which are named."""
    names = [f"`{name}`" for name in harms["stage"].unique()]
    several = len(names) > 1
    return (
        f"The step{'s' if several else ''} {', '.join(names)} {does}{'' if several else 's'} "
        f"{what}."
    )


def _gaps(ablator: StageFairnessAblator) -> pd.DataFrame:
    """The gap of the whole pipeline that is worst for each pair of groups, the worst first.

    A gap to the disadvantage of those who are not privileged counts before all others, but for
    those that few splits know of.
    """
    levels, n_splits = ablator.global_fairness_, ablator.n_splits_
    gaps = levels.drop_duplicates(["sensitive", "group", "metric"])
    gaps = gaps.rename(columns={"with_stage_low": "low", "with_stage_high": "high"})
    gaps = gaps[gaps["with_stage"].notna()]
    good = gaps["metric"].map(_BETTER).fillna(0.0).astype(float)
    gaps = gaps.assign(unit=gaps["metric"].map(gap_units(levels)).astype(float))
    gaps = gaps.assign(against=gaps["with_stage"] * good < 0, size=gaps["with_stage"].abs())
    gaps = gaps.assign(known=[on_few(n, n_splits, "known") for n in gaps["n_splits"]])
    gaps = gaps.assign(often=gaps["n_splits"].clip(upper=n_splits / 2))
    gaps = gaps.sort_values(["often", "against", "size"], ascending=False, kind="stable")
    return gaps.drop_duplicates(["sensitive", "group"])


def _gaps_in_words(gaps: pd.DataFrame) -> str:
    """Who fares worse with the whole pipeline, and by how much."""
    told = []
    for row in gaps.head(MOST_TOLD).to_dict("records"):
        metric, gap = row["metric"], row["with_stage"]
        one, _, other = row["group"].partition(" / ")
        within = interval(row["low"], row["high"], "signed", row["unit"])
        noise = ", which may be noise" if row["low"] <= 0 <= row["high"] else ""
        sure = f" ({within}{noise})" if within != NOTHING else ""
        about = f"a gap of {cell(gap, 'signed', row['unit'])}{sure} in {GAPS.get(metric, metric)}"
        about += f", {row['known']} only" if row["known"] else ""
        if metric not in _BETTER or not other or gap == 0:
            told.append(f"By `{row['sensitive']}` ({against(row['group'])}): {about}.")
            continue
        worse, better = (one, other) if row["against"] else (other, one)
        fares = _FARES[metric].format(worse, better)
        told.append(f"By `{row['sensitive']}`, {fares}: {about}.")
    left = len(gaps) - MOST_TOLD
    more = [f"There are {counted(left, 'more pair')} of groups."] if left > 0 else []
    return " ".join(["Gaps of the whole pipeline.", *told, *more])


def _disadvantaged(worst: list[dict[Any, Any]]) -> str:
    """Which groups the widest gaps are to the disadvantage of."""
    told = []
    for row in worst[:MOST_TOLD]:
        one, _, other = row["group"].partition(" / ")
        better = _BETTER.get(row["metric"])
        if better is None or not other:
            continue
        worse, rest = (one, other) if row["with_stage"] * better < 0 else (other, one)
        told.append(f"in `{row['sensitive']}` {worse}, against {rest}")
    return f" At a disadvantage: {'; '.join(told)}." if told else ""


def _advice(ablator: StageFairnessAblator, row: dict[Any, Any]) -> str:
    """What it costs to do without the step, or that this is no cure."""
    if row["turned"]:
        return (
            f"Leaving out `{row['stage']}` is no cure: the gap is then the other way round, and "
            "not seen to be smaller. Look for its cause in the data and in the model."
        )
    scores = ablator.performance_effects_
    cost = scores[(scores["stage"] == row["stage"]) & scores["mean"].notna()].head(1)
    if row["reference"]:
        said = f"Try {row['reference']} in the place of `{row['stage']}`"
    else:
        said = f"Try the pipeline without `{row['stage']}`"
    for each in cost.to_dict("records"):
        unit = largest(each["with_stage"], each["without_stage"])
        said += (
            f": its {metric_name(each['metric'])} is then {score(each['without_stage'], unit)} in "
            f"place of {score(each['with_stage'], unit)}"
        )
    return f"{said}.{_also_worse(ablator, row)}"


def _also_worse(ablator: StageFairnessAblator, row: dict[Any, Any]) -> str:
    """Scores that fall, and gaps that are wider, where the step is left out."""
    scores = ablator.performance_effects_
    lost = scores[(scores["stage"] == row["stage"]) & (scores["mean"] > 0)]
    told = [
        f"{metric_name(each['metric'])} falls from {score(each['with_stage'], unit)} to "
        f"{score(each['without_stage'], unit)}{_noise(each)}"
        # the first score was told already
        for each in lost.to_dict("records")
        for unit in [largest(each["with_stage"], each["without_stage"])]
        if each["metric"] != scores["metric"].iloc[0]
    ]
    harms = _harms(ablator)
    wider = harms[(harms["stage"] == row["stage"]) & (harms["widens"] < 0)]
    wider = wider.sort_values("widens", kind="stable")
    sure, rest = wider[wider["sure"]], wider[~wider["sure"]]
    told += [
        f"the gap in {_called(each['metric'])} by `{each['sensitive']}` "
        f"({against(each['group'])}) goes from {cell(each['with_stage'], 'signed', each['unit'])} "
        f"to {cell(each['without_stage'], 'signed', each['unit'])}"
        for each in sure.head(MOST_TOLD).to_dict("records")
    ]
    more = len(sure) - MOST_TOLD
    told += [f"{counted(more, 'more gap')} too, see the table"] if more > 0 else []
    if len(rest):
        most = score(-rest["widens"].min(), rest["unit"].min())
        told.append(
            f"{counted(len(rest), 'other gap' if len(sure) else 'gap')} may grow, by {most} at "
            "most, which may be noise"
        )
    return f" What gets worse: {'; '.join(told)}." if told else ""


def _noise(row: dict[Any, Any]) -> str:
    return "" if row["significant"] else ", which may be noise"


def _answer(ablator: StageFairnessAblator) -> list[str]:
    said = [ablator.summary()]
    if ablator.stage_effects_["mean"].notna().any():
        said.append(
            "A gap is what holds for the group that is not privileged less what holds for the "
            "other; 0 is no difference."
        )
    return said


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Without columns that say the same in every row, or nothing at all."""
    # remarks are on a step, and would stand in each of its rows
    empty = [n for n in ("message",) if n in frame]
    empty += [n for n in ("reference",) if n in frame and not frame[n].astype(bool).any()]
    if "status" in frame and (frame["status"] == "ok").all():
        empty.append("status")
    return frame.drop(columns=empty)


def _results(ablator: StageFairnessAblator) -> list[tuple[str, list[Html]]]:
    effects, scores = ablator.stage_effects_, _shown(ablator.performance_effects_)
    harms = _harms(ablator)
    units = gap_units(ablator.global_fairness_)
    # scores have units of their own
    sizes = scores[["with_stage", "without_stage"]].abs().max(axis=1)
    units |= {str(metric): largest(its) for metric, its in sizes.groupby(scores["metric"])}
    if harms["turns"].any():
        harms["turning"] = turning(harms)
    lost = effects[effects["status"] != "ok"].drop_duplicates("stage")
    kinds = "; ".join(GAPS.get(name, name) for name in effects["metric"].unique())
    sections = [
        (
            "Which step widens a gap",
            _shown(harms),
            _HARMS,
            "What each step does to the size of each gap, the worst that is more than noise first.",
        ),
        (
            "The gap with and without each step",
            _shown(ablator.global_fairness_),
            _LEVELS,
            "Gaps of the pipeline with each step, and without it or with what replaces it.",
        ),
        ("What each step is worth", scores, _SCORES, "What each step adds to the performance."),
    ]
    if len(lost):
        caption = "Steps that could not be left out."
        sections.append(("What could not be tried", lost, [_STAGE, _REFERENCE, *_REST], caption))
    if len(ablator.dropped_rows_):
        caption = "Training rows that steps leave out or copy, by group."
        sections.append(("Rows left out", ablator.dropped_rows_, _DROPPED, caption))
    if hasattr(ablator, "noise_floor_"):
        caption = "How far the pipeline is from itself under another seed."
        sections.append(("What chance alone does", ablator.noise_floor_, _NOISE, caption))
    results = []
    for title, frame, columns, said in sections:
        if "metric" in frame:
            unit = frame["metric"].map(units).astype(float).fillna(1.0)
            frame = frame.assign(metric=frame["metric"].map(_called), unit=unit)
        results.append((title, [table(frame, columns, said)]))
    results[0][1].insert(0, paragraph(f"Gaps are differences of {kinds}."))
    remarks = [text for text in dict.fromkeys(harms["message"]) if text]
    results[0][1].extend([bullets(remarks)] if remarks else [])
    return results


def _called(metric: str) -> str:
    """A gap or a score in a few words."""
    return SHORT_GAPS.get(metric) or metric_name(metric)


def _pictures(
    ablator: StageFairnessAblator, effects: pd.DataFrame, pairs: pd.DataFrame
) -> list[Picture]:
    if not (effects["status"] == "ok").any():
        return []
    display = StageFairnessDisplay.from_ablator(ablator)
    units = gap_units(ablator.global_fairness_)
    size = (8.0, max(3.6, 1.2 + 0.5 * effects["stage"].nunique()))
    pictures = []
    for row in pairs.head(MOST_PAIRS).itertuples():
        here = effects[(effects["sensitive"] == row.sensitive) & (effects["group"] == row.group)]
        said = ", ".join(
            f"{each.stage} {_called(str(each.metric))} "
            f"{cell(each.mean, 'signed', units.get(str(each.metric), 1.0))}"
            for each in here.head(12).itertuples()
        )
        where = f"{row.sensitive}: {row.group}"
        shown: tuple[tuple[Kind, str, str], ...] = (
            (
                "effects",
                "what each step adds to each gap, with intervals; bars with an edge are more than "
                "noise.",
                f"Bars of what steps add to gaps: {said}.",
            ),
            (
                "global",
                f"the gap in {_called(str(here['metric'].iloc[0]))} without each step, beside that "
                "of the whole pipeline.",
                "Bars of the gap without each step; the table of gaps has the numbers.",
            ),
        )
        for kind, caption, text in shown:
            draw = partial(display.plot, kind, sensitive=str(row.sensitive), group=str(row.group))
            pictures.append(Picture(f"{where}: {caption}", text, draw, size))
    if len(ablator.performance_effects_):
        pictures.append(
            Picture(
                "What each step adds to performance (across) and to the first gap (up). Steps to "
                "the left make the model worse, those far from the middle line move the gap.",
                "One point per step by what it adds to performance and to the gap; the tables have "
                "the numbers.",
                partial(display.plot, "performance"),
                (8.0, 4.5),
            )
        )
    return pictures


def _limits(ablator: StageFairnessAblator, effects: pd.DataFrame) -> list[str]:
    limits = [
        "Steps were left out one at a time while all others stay. Two steps that do the same hide "
        "each other.",
        "A gap of 0 in one measure says nothing of the others, and nothing of people within a "
        "group.",
        "Nothing is adjusted for the number of measures and of pairs of groups: of many, some look "
        "like more than noise by chance.",
        "What is measured holds for data like these. Where the shares of the groups or their "
        "histories differ, so may the effects.",
        "What makes up a gap in the data themselves, or in the model, was not looked for.",
    ]
    if getattr(ablator, "interrupted_", False):
        limits.insert(
            0, f"The ablation was ended early after {counted(ablator.n_splits_, 'split')}."
        )
    if ablator.stages is not None:
        limits.append("Only the steps that `stages` names were left out; others were not.")
    lost = effects.loc[effects["status"] != "ok", "stage"].unique()
    if len(lost):
        named = ", ".join(f"`{name}`" for name in lost)
        limits.append(
            f"Steps without which the pipeline cannot run, of which nothing is known: {named}."
        )
    if ablator.n_splits_ == 1:
        limits.append(
            "There was a single split: what is found holds for these fitted pipelines alone."
        )
    else:
        limits.append(
            f"The intervals are over {plain(ablator.n_splits_)} splits that share their people, "
            "not over new data."
        )
    if not ablator.noise_floor:
        limits.append("What another seed alone would change was not measured (`noise_floor`).")
    if ablator.corruption is not None:
        limits.append("Training data had errors, see `corruption` in the settings.")
    limits.append("The number of rows is not kept by the ablator, so that it is not on this page.")
    return limits
