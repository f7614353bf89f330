"""What a notebook shows of an ablation."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._harms import stage_harms
from ._stage_fairness_ablator import StageFairnessAblator
from ._stage_fairness_display import StageFairnessDisplay


@shows(StageFairnessAblator)
def _finding(ablator: StageFairnessAblator) -> str:
    harms = stage_harms(ablator.stage_effects_, ablator.global_fairness_)
    names = ["stage", "sensitive", "group", "metric", "with_stage", "without_stage", "widens"]
    draw = partial(StageFairnessDisplay.from_ablator(ablator).plot, "effects")
    return finding_html(ablator.summary(), harms[[*names, "significant"]], draw, (7.5, 3.6))
