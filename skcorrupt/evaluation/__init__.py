"""Fit and score pipelines under corruption: splits, seeds, parallel work."""

from skcorrupt.utils import check_groups

from ._corrupted_estimator import CorruptedEstimator
from ._cross_validate_corrupted import cross_validate_corrupted
from ._evaluate_split import corrupted_split, evaluate_split, fit_and_score, score_of
from ._journal import Journal
from ._outcome import Outcome, error_in_words
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
from ._pipelines import columns_of, last_step, walk
from ._plan import Plan
from ._replayed_estimator import ReplayedEstimator
from ._settings import settings_of
from ._split import Split, make_splits
from ._split_indices import checked_splitter, split_indices

__all__ = [
    "CorruptedEstimator",
    "Journal",
    "Outcome",
    "Plan",
    "ReplayedEstimator",
    "Split",
    "check_groups",
    "checked_splitter",
    "columns_of",
    "corrupted_split",
    "cross_validate_corrupted",
    "error_in_words",
    "evaluate_split",
    "fit_and_score",
    "last_step",
    "make_router",
    "make_splits",
    "reseeded",
    "route_parameters",
    "run_tasks",
    "sample_aligned",
    "score_of",
    "seeded_clone",
    "settings_of",
    "single_scorer",
    "split_indices",
    "take_rows",
    "walk",
]
