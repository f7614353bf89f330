"""Stage fairness: which preprocessing step makes a pipeline unfair."""

from . import _in_notebooks as _in_notebooks
from ._compare_transformers import compare_transformers
from ._stage_fairness_ablator import StageFairnessAblator
from ._stage_fairness_display import StageFairnessDisplay
from ._suggest_downstream import suggest_downstream

__all__ = [
    "StageFairnessAblator",
    "StageFairnessDisplay",
    "compare_transformers",
    "suggest_downstream",
]
