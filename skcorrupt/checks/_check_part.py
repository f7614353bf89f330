"""What a check looks at together, apart from the rest of what it watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.utils import Table


@dataclass(frozen=True, eq=False)
class CheckPart:
    """Some lines of a check, which follow from some columns alone.

    Attributes
    ----------
    columns : tuple of int or None
        Positions of the columns, None for all.
    encoded : callable
        `encoded(table)`, what of a table's rows the statistics are reckoned from.
    statistics : callable
        `statistics(encoded, rows)`, of shape (n_batches, n_lines); see `BaseCheck._statistics`.
    is_steady : bool
        Whether a row of a batch that changes moves no statistic by more than one row's share.
    are_marks : bool
        Whether what is encoded are marks of rows, and the statistic the share of marked ones.
    """

    columns: tuple[int, ...] | None
    encoded: Callable[[Table], Any]
    statistics: Callable[[Any, np.ndarray], np.ndarray]
    is_steady: bool = False
    are_marks: bool = False
