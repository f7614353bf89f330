"""Fit and score pipelines under corruption: splits, seeds, parallel work."""

from skcorrupt.utils import check_groups

from ._corrupted_estimator import CorruptedEstimator
from ._cross_validate_corrupted import cross_validate_corrupted
from ._evaluate_split import evaluate_split, score_of
from ._journal import Journal, content_hash
from ._outcome import Outcome
from ._parallel import run_tasks
from ._parameters import (
    make_router,
    reseeded,
    route_parameters,
    sample_aligned,
    seeded_clone,
    single_scorer,
    take_rows,
)
from ._replayed_estimator import ReplayedEstimator
from ._split import Split, make_splits
from ._split_indices import checked_splitter, split_indices

__all__ = [
    "CorruptedEstimator",
    "Journal",
    "Outcome",
    "ReplayedEstimator",
    "Split",
    "check_groups",
    "checked_splitter",
    "content_hash",
    "cross_validate_corrupted",
    "evaluate_split",
    "make_router",
    "make_splits",
    "reseeded",
    "route_parameters",
    "run_tasks",
    "sample_aligned",
    "score_of",
    "seeded_clone",
    "single_scorer",
    "split_indices",
    "take_rows",
]
