"""Errors in served rows: what they do to each row, and the worst readable pattern exactly."""

from ._exact_run import ExactRun
from ._finer_ranges import FinerRanges
from ._joint_effects import member_kind
from ._lot import Lot
from ._model_in_parts import ModelInParts
from ._row_effects import RowEffects, resamples, suits_rows
from ._served_evaluator import ServedEvaluator
from ._watch import Watch, named_checks
from ._watched_rows import WatchedRows

__all__ = [
    "ExactRun",
    "FinerRanges",
    "Lot",
    "ModelInParts",
    "RowEffects",
    "ServedEvaluator",
    "Watch",
    "WatchedRows",
    "member_kind",
    "named_checks",
    "resamples",
    "suits_rows",
]
