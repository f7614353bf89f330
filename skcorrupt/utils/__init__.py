"""Validation, seeds and frames: what every other room stands on."""

from ._arguments import LARGEST, N_JOBS, check_arguments, check_choice
from ._columns import MISSING, Coded
from ._duplicate import duplicate
from ._frames import Cells, Table, as_table
from ._hashing import mix, row_keys
from ._named import named
from ._progress import progress_bar
from ._random import draw_seed, spawn_seeds
from ._readable import are_names, are_running_numbers, column_key, shortest_between
from ._validation import (
    Target,
    as_column,
    check_table,
    check_target,
    describe_columns,
    resolve_columns,
)

__all__ = [
    "LARGEST",
    "MISSING",
    "N_JOBS",
    "Cells",
    "Coded",
    "Table",
    "Target",
    "are_names",
    "are_running_numbers",
    "as_column",
    "as_table",
    "check_arguments",
    "check_choice",
    "check_table",
    "check_target",
    "column_key",
    "describe_columns",
    "draw_seed",
    "duplicate",
    "mix",
    "named",
    "progress_bar",
    "resolve_columns",
    "row_keys",
    "shortest_between",
    "spawn_seeds",
]
