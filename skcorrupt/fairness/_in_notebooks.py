"""What a notebook shows of an ablation."""

from __future__ import annotations

from functools import partial

import pandas as pd

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._as_text import cell
from skcorrupt.utils._notebook import finding_html

from ._harms import stage_harms
from ._in_words import SHORT_GAPS, against, instead, turning
from ._stage_fairness_ablator import StageFairnessAblator
from ._stage_fairness_display import StageFairnessDisplay
from ._with_stage_names import with_stage_names


@shows(StageFairnessAblator)
def _finding(ablator: StageFairnessAblator) -> str:
    shown = with_stage_names(ablator)
    harms = stage_harms(
        shown.stage_effects_, shown.global_fairness_, ablator.alpha, ablator.n_splits_
    )
    table = pd.DataFrame(
        {
            "step": harms["stage"],
            "attribute": harms["sensitive"],
            "groups": [against(group) for group in harms["group"]],
            "gap in": [SHORT_GAPS.get(metric, metric) for metric in harms["metric"]],
            "with it": _signed(harms, "with_stage"),
            "otherwise": _signed(harms, "without_stage"),
            "compared": [instead(reference) for reference in harms["reference"]],
            "widens by": _signed(harms, "widens"),
            "more than noise": harms["sure"],
        }
    )
    if harms["turns"].any():
        table["turns it round"] = turning(harms)
    draw = partial(StageFairnessDisplay.from_ablator(shown).plot, "effects")
    return finding_html(ablator.summary(), table, draw, (7.5, 3.6))


def _signed(harms: pd.DataFrame, name: str) -> list[str]:
    """A column of gaps with their signs."""
    pairs = zip(harms[name], harms["unit"], strict=True)
    return [cell(gap, "signed", unit) for gap, unit in pairs]
