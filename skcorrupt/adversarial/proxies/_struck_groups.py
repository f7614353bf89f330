"""A batch of candidates as shares of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._changed_values import Changes


@dataclass
class StruckGroups:
    """A batch of candidates of one kind on one split.

    Attributes
    ----------
    kind : str
        The error: "missing", "labels", "selection", "duplicates", or one that changes values.
    share : ndarray of float32, shape (n_batch, n_groups)
        Share of the rows of every group that is struck: rate times mask.
    columns : tuple of int
        Columns hit.
    flipped : ndarray of float32, shape (n_groups,), or None
        What struck labels become.
    changes : Changes or None
        What struck values become, where the error changes them.
    """

    kind: str
    share: np.ndarray
    columns: tuple[int, ...] = ()
    flipped: Any = None
    changes: Changes | None = None
