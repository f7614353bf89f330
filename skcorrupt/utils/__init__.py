"""Validation, seeds and frames: what every other room stands on."""

from ._columns import MISSING, NANOSECONDS, Coded, as_floats, time_counts
from ._duplicate import duplicate
from ._frames import Cells, Table, as_table
from ._hashing import column_keys, mix, row_keys
from ._labels import distinct_labels, sorted_labels
from ._named import named
from ._numbers import checked_numbers, checked_share, checked_whole, is_number, unit_of
from ._paths import checked_path
from ._progress import progress_bar
from ._random import draw_seed, spawn_seeds
from ._readable import are_names, are_running_numbers, column_key, shortest_between
from ._validation import (
    Target,
    check_table,
    check_target,
    describe_columns,
    resolve_columns,
)

__all__ = [
    "MISSING",
    "NANOSECONDS",
    "Cells",
    "Coded",
    "Table",
    "Target",
    "are_names",
    "are_running_numbers",
    "as_floats",
    "as_table",
    "check_table",
    "check_target",
    "checked_numbers",
    "checked_path",
    "checked_share",
    "checked_whole",
    "column_key",
    "column_keys",
    "describe_columns",
    "distinct_labels",
    "draw_seed",
    "duplicate",
    "is_number",
    "mix",
    "named",
    "progress_bar",
    "resolve_columns",
    "row_keys",
    "shortest_between",
    "sorted_labels",
    "spawn_seeds",
    "time_counts",
    "unit_of",
]
