"""A fitted ablator as pages and commands show it."""

from __future__ import annotations

import copy

from ._stage_fairness_ablator import StageFairnessAblator
from ._stage_names import named, stage_names

_TABLES = ("stage_effects_", "global_fairness_", "performance_effects_", "dropped_rows_")


def with_stage_names(ablator: StageFairnessAblator) -> StageFairnessAblator:
    """An ablator whose tables have names of stages in place of paths, to be shown.

    Parameters
    ----------
    ablator : StageFairnessAblator
        Fitted, and left as it is.

    Returns
    -------
    StageFairnessAblator
        A copy of which the tables are others.
    """
    shown = copy.copy(ablator)
    names = stage_names(ablator.stage_effects_["stage"])
    for table in _TABLES:
        setattr(shown, table, named(getattr(ablator, table), names))
    return shown
