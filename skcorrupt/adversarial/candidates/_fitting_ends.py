"""The ends of a range at which what it matches just fits a budget."""

from __future__ import annotations

import numpy as np

from skcorrupt.attributes._levels import Levels

from ._candidate_space import CandidateSpace
from ._matched_levels import matched_levels


def fitting_ends(
    space: CandidateSpace, levels: Levels, rows: np.ndarray, first: int, end: int
) -> tuple[int, int]:
    """Where the first and the last end of a range are when it is as wide as the budget allows.

    A range that matches more rows strikes some of them by chance, a narrower one strikes fewer.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of the budget.
    levels : Levels
        Those of the column.
    rows : ndarray of bool, shape (n_samples,)
        Rows that all else in the pattern matches and that can change.
    first : int
        First level of the range.
    end : int
        One behind its last level.

    Returns
    -------
    tuple of int
        The first level if the last end stays, and one behind the last level if the first stays:
        at most `end`, and at least `first`, where nothing is left of the range, or of its rows in
        some part.
    """
    lower, upper, sums = 0, levels.n_levels, []
    for matched, allowed in matched_levels(space, levels, rows):
        below = np.concatenate([[0], np.cumsum(matched)])
        lower = max(lower, int(np.searchsorted(below, below[end] - allowed)))
        upper = min(upper, int(np.searchsorted(below, below[first] + allowed, side="right")) - 1)
        sums.append(below)
    if any(below[end] == below[lower] for below in sums):
        lower = end
    if any(below[upper] == below[first] for below in sums):
        upper = first
    return lower, upper
