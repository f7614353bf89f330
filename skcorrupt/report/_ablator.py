"""What a stage fairness ablation has to say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from skcorrupt.fairness import StageFairnessDisplay
from skcorrupt.fairness._in_words import GAPS
from skcorrupt.fairness._stage_fairness_display import Kind
from skcorrupt.utils._as_text import cell, plain

from ._content import Content, Data, Picture, Repeat
from ._html import Html, paragraph
from ._tables import Column, table

if TYPE_CHECKING:
    from skcorrupt.fairness import StageFairnessAblator

MOST_PAIRS = 4
_STAGE = Column("stage", "Step", meaning="Its place in the pipeline.")
_REFERENCE = Column("reference", "Compared with", meaning="What stands in its place.")
_INTERVAL = Column(
    ("ci_low", "ci_high"), "Interval", "signed", "Of what it adds, at the level of the settings."
)
_GROUPS = [
    Column("sensitive", "Attribute"),
    Column("group", "Groups", meaning="Those that are not privileged / those that are."),
    Column("metric", "Gap"),
]
_REST = [
    Column("p_adjusted", "Adjusted p-value", "chance", "For the number of steps."),
    Column("significant", "More than noise"),
    Column("n_splits", "Splits"),
    Column("status", "State", meaning="not_ablatable: the pipeline cannot run without the step."),
    Column("message", "Remarks"),
]
_EFFECTS = [
    _STAGE,
    _REFERENCE,
    *_GROUPS,
    Column("mean", "Adds to the gap", "signed", "Gap with the step less gap without it."),
    _INTERVAL,
    Column("change_rate", "Decisions changed", "percent", "By the stage, in either direction."),
    *_REST,
]
_LEVELS = [
    _STAGE,
    *_GROUPS,
    Column("with_stage", "With it", "signed", "Gap of the whole pipeline."),
    Column(("with_stage_low", "with_stage_high"), "Interval, with", "signed"),
    Column("without_stage", "Without it", "signed", "Gap of the pipeline without the step."),
    Column(("without_stage_low", "without_stage_high"), "Interval, without", "signed"),
]
_SCORES = [
    _STAGE,
    _REFERENCE,
    Column("metric", "Score", meaning="More is better."),
    Column("with_stage", "With it", "score"),
    Column("without_stage", "Without it", "score"),
    Column("mean", "Adds", "signed", "What the step adds to the score."),
    _INTERVAL,
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


def ablator_content(ablator: StageFairnessAblator) -> Content:
    """Collect what is known of a fitted ablator.

    Parameters
    ----------
    ablator : StageFairnessAblator
        The fitted ablator.

    Returns
    -------
    Content
        For the page.
    """
    effects = ablator.stage_effects_
    pairs = effects[["sensitive", "group"]].drop_duplicates()
    names = [str(name) for name in getattr(ablator, "feature_names_in_", ())]
    notes = [] if names else [f"{ablator.n_features_in_:,} columns without names."]
    groups = "; ".join(f"{row.sensitive}: {row.group}" for row in pairs.itertuples())
    attributes = ", sensitive_features=attributes" if ablator.sensitive_features is None else ""
    return Content(
        heading="Which step of the pipeline makes it unfair",
        question=(
            "The model treats two groups differently. Which step that prepares the data adds to "
            f"the gap between them, and what is that step worth? Groups ({groups}), those that are "
            "not privileged first."
        ),
        answer=_answer(ablator),
        results=_results(ablator),
        pictures=_pictures(ablator, effects, pairs),
        limits=_limits(ablator, effects),
        data=Data(None, names, notes=notes),
        seed=None,
        repeat=Repeat("ablator", f"fit(X, y{attributes})", ["print(ablator.stage_effects_)"]),
        no_pictures="" if (effects["status"] == "ok").any() else "No step could be left out.",
    )


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
    empty = [n for n in ("message", "reference") if n in frame and not frame[n].astype(bool).any()]
    if "status" in frame and (frame["status"] == "ok").all():
        empty.append("status")
    return frame.drop(columns=empty)


def _results(ablator: StageFairnessAblator) -> list[tuple[str, list[Html]]]:
    effects, scores = _shown(ablator.stage_effects_), _shown(ablator.performance_effects_)
    kinds = "; ".join(GAPS.get(name, name) for name in effects["metric"].unique())
    sections = [
        ("What each step adds to the gap", effects, _EFFECTS, "What each step adds to each gap."),
        (
            "The gap with and without each step",
            ablator.global_fairness_,
            _LEVELS,
            "Gaps of the pipeline with and without each step.",
        ),
        ("What each step is worth", scores, _SCORES, "What each step adds to the performance."),
    ]
    if len(ablator.dropped_rows_):
        caption = "Training rows that steps leave out or copy, by group."
        sections.append(("Rows left out", ablator.dropped_rows_, _DROPPED, caption))
    if hasattr(ablator, "noise_floor_"):
        caption = "How far the pipeline is from itself under another seed."
        sections.append(("What chance alone does", ablator.noise_floor_, _NOISE, caption))
    results = [(t, [table(frame, columns, said)]) for t, frame, columns, said in sections]
    results[0][1].insert(0, paragraph(f"Gaps are in {kinds}."))
    return results


def _pictures(
    ablator: StageFairnessAblator, effects: pd.DataFrame, pairs: pd.DataFrame
) -> list[Picture]:
    if not (effects["status"] == "ok").any():
        return []
    display = StageFairnessDisplay.from_ablator(ablator)
    size = (8.0, max(3.6, 1.2 + 0.5 * effects["stage"].nunique()))
    pictures = []
    for row in pairs.head(MOST_PAIRS).itertuples():
        here = effects[(effects["sensitive"] == row.sensitive) & (effects["group"] == row.group)]
        said = ", ".join(
            f"{each.stage} {each.metric} {cell(each.mean, 'signed')}"
            for each in here.head(12).itertuples()
        )
        where = f"{row.sensitive}: {row.group}"
        shown: tuple[tuple[Kind, str, str], ...] = (
            (
                "effects",
                "what each step adds to each gap, with intervals; faint bars may be noise.",
                f"Bars of what steps add to gaps: {said}.",
            ),
            (
                "global",
                "the first gap without each step, beside that of the whole pipeline.",
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
