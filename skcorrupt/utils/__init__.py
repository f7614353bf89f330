"""Validation, seeds and frames: what every other room stands on."""

from ._any_table import AnyTable
from ._arguments import LARGEST, N_JOBS, check_arguments, check_choice, user_function
from ._arriving import arriving
from ._axes import axes_for, fitted_text, in_percent
from ._callbacks import calls_back, handed_on, told, unheard
from ._columns import MISSING, NANOSECONDS, Coded, Taken, as_floats, some_values, time_counts
from ._duplicate import duplicate
from ._estimators import check_is_estimator
from ._fitted_view import RESPONSES, FittedView
from ._frames import Cells, Table, as_array, as_table
from ._hashing import column_keys, mix, row_keys
from ._held_rows import HeldRows, Unread
from ._inner_methods import InnerMethods, where_inner_has
from ._kept_parts import KeptParts, run_kept
from ._labels import distinct_labels, sorted_labels
from ._moments import Moments, mean_and_std
from ._named import named, named_estimators
from ._numbers import (
    checked_numbers,
    checked_share,
    checked_whole,
    is_finite_number,
    is_number,
    unit_of,
)
from ._paths import checked_file, checked_path, replace_file
from ._progress import progress_bar, telling_bar
from ._random import draw_seed, seed_array, spawn_seeds
from ._readable import are_names, are_running_numbers, column_key, shortest_between
from ._reader import Reader, close_to, document, from_file
from ._scores import ScorerError, as_score, as_scores
from ._served_view import ServedView
from ._sheltered import Sheltered, fit_on_copies
from ._shorten import cut, first_line, shorten
from ._sources import Source, as_source
from ._unpicklable_error import UnpicklableError
from ._validation import (
    Target,
    as_column,
    check_groups,
    check_table,
    check_target,
    describe_columns,
    name_of,
    resolve_columns,
    warn_of_order,
)
from ._warn import warn
from ._warned_once import warned_once

__all__ = [
    "LARGEST",
    "MISSING",
    "NANOSECONDS",
    "N_JOBS",
    "RESPONSES",
    "AnyTable",
    "Cells",
    "Coded",
    "FittedView",
    "HeldRows",
    "InnerMethods",
    "KeptParts",
    "Moments",
    "Reader",
    "ScorerError",
    "ServedView",
    "Sheltered",
    "Source",
    "Table",
    "Taken",
    "Target",
    "UnpicklableError",
    "Unread",
    "are_names",
    "are_running_numbers",
    "arriving",
    "as_array",
    "as_column",
    "as_floats",
    "as_score",
    "as_scores",
    "as_source",
    "as_table",
    "axes_for",
    "calls_back",
    "check_arguments",
    "check_choice",
    "check_groups",
    "check_is_estimator",
    "check_table",
    "check_target",
    "checked_file",
    "checked_numbers",
    "checked_path",
    "checked_share",
    "checked_whole",
    "close_to",
    "column_key",
    "column_keys",
    "cut",
    "describe_columns",
    "distinct_labels",
    "document",
    "draw_seed",
    "duplicate",
    "first_line",
    "fit_on_copies",
    "fitted_text",
    "from_file",
    "handed_on",
    "in_percent",
    "is_finite_number",
    "is_number",
    "mean_and_std",
    "mix",
    "name_of",
    "named",
    "named_estimators",
    "progress_bar",
    "replace_file",
    "resolve_columns",
    "row_keys",
    "run_kept",
    "seed_array",
    "shorten",
    "shortest_between",
    "some_values",
    "sorted_labels",
    "spawn_seeds",
    "telling_bar",
    "time_counts",
    "told",
    "unheard",
    "unit_of",
    "user_function",
    "warn",
    "warn_of_order",
    "warned_once",
    "where_inner_has",
]
