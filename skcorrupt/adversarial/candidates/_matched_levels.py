"""How many rows of each training part have each level of a column, and how many there may be."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from skcorrupt.attributes._levels import Levels

from ._candidate_space import CandidateSpace


def matched_levels(
    space: CandidateSpace, levels: Levels, rows: np.ndarray
) -> Iterator[tuple[np.ndarray, float]]:
    """Count some rows by level, part by part.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of the budget.
    levels : Levels
        Those of the column.
    rows : ndarray of bool, shape (n_samples,)
        Rows that all else in a pattern matches and that can change.

    Yields
    ------
    matched : ndarray of int, shape (n_levels,)
        Rows of the part with each level.
    allowed : float
        Rows of the part that a pattern may match to fit the budget.
    """
    rate = 1.0 if space.template.rate is None else float(space.template.rate)
    for part in space.trains:
        matched = np.bincount(levels.codes[part[rows[part]]], minlength=levels.n_levels)
        allowed = math.floor(space.budget * len(part) + 1e-9) / max(rate, 1e-9)
        yield matched[: levels.n_levels], allowed
