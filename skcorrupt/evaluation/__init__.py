"""Fit and score pipelines under corruption: splits, seeds, parallel work."""

from ._beside import beside as beside
from ._corrupt_to_parquet import corrupt_to_parquet
from ._corrupted_estimator import CorruptedEstimator
from ._cross_validate_corrupted import cross_validate_corrupted
from ._evaluate_split import (
    corrupted_split as corrupted_split,
    distinct_draws as distinct_draws,
    draws_alike as draws_alike,
    evaluate_split as evaluate_split,
    fit_and_score as fit_and_score,
    score_of as score_of,
)
from ._fitted_parts import REUSED_BYTES as REUSED_BYTES
from ._graceful_end import (
    CALLBACK as CALLBACK,
    CTRL_C as CTRL_C,
    SIGTERM as SIGTERM,
    cause_of as cause_of,
    going_on as going_on,
    run_until_stopped as run_until_stopped,
    terminable as terminable,
)
from ._journal import Journal
from ._no_effect import unsaid_of_no_effect as unsaid_of_no_effect
from ._outcome import Outcome, error_in_words as error_in_words
from ._parallel import run_tasks as run_tasks
from ._parameters import (
    make_router as make_router,
    reseeded as reseeded,
    route_parameters as route_parameters,
    sample_aligned as sample_aligned,
    seeded_clone as seeded_clone,
    single_scorer as single_scorer,
    take_rows as take_rows,
)
from ._pipelines import columns_of as columns_of, last_step as last_step, walk as walk
from ._plain_tables import PlainTables as PlainTables
from ._plan import Plan
from ._refitted_methods import RefittedMethods as RefittedMethods
from ._replayed_estimator import ReplayedEstimator as ReplayedEstimator
from ._settings import settings_of as settings_of
from ._split import Split, make_splits as make_splits
from ._split_indices import checked_splitter as checked_splitter, split_indices as split_indices
from ._starting import Starting as Starting
from ._stopped import Stopped as Stopped
from ._terminated import Terminated as Terminated

# what rooms above take besides is handed on by its name alone
__all__ = [
    "CorruptedEstimator",
    "Journal",
    "Outcome",
    "Plan",
    "Split",
    "corrupt_to_parquet",
    "cross_validate_corrupted",
]
