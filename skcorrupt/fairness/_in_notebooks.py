"""What a notebook shows of an ablation."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._harms import stage_harms
from ._stage_fairness_ablator import StageFairnessAblator
from ._stage_fairness_display import StageFairnessDisplay

HEADINGS = {
    "sensitive": "attribute",
    "with_stage": "with the stage",
    "without_stage": "without it",
    "widens": "widens the gap by",
    "significant": "more than chance",
}


@shows(StageFairnessAblator)
def _finding(ablator: StageFairnessAblator) -> str:
    harms = stage_harms(ablator.stage_effects_, ablator.global_fairness_)
    names = ["stage", "sensitive", "group", "metric", "with_stage", "without_stage", "widens"]
    draw = partial(StageFairnessDisplay.from_ablator(ablator).plot, "effects")
    shown = harms[[*names, "significant"]].rename(columns=HEADINGS)
    return finding_html(ablator.summary(), shown, draw, (7.5, 3.6))
