"""Sets of categories that match as many rows as a budget has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skcorrupt.attributes._levels import Levels

from ._candidate_space import CandidateSpace
from ._matched_levels import matched_levels


def fitting_sets(
    space: CandidateSpace, levels: Levels, rows: np.ndarray, own: np.ndarray, codes: np.ndarray
) -> Iterator[np.ndarray]:
    """Some of a set of categories, taken one by one while they fit the budget.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of the budget.
    levels : Levels
        Those of the column.
    rows : ndarray of bool, shape (n_samples,)
        Rows that all else in the pattern matches and that can change.
    own : ndarray of bool, shape (n_levels,)
        The set that they are some of.
    codes : ndarray of int, shape (n_samples,)
        Places of the categories in the order of the grid, which is that of their labels.

    Yields
    ------
    ndarray of bool, shape (n_levels,)
        Taken in the order of the grid, of their names and of their rows, from either end.
    """
    counts, allowed = zip(*matched_levels(space, levels, rows), strict=True)
    n_rows, most = np.array(counts), np.array(allowed)
    place = np.zeros(levels.n_levels + 1, dtype=np.int64)
    place[levels.codes] = codes
    some = np.flatnonzero(own & (n_rows > 0).any(axis=0))
    orders = (
        place[some],
        np.argsort(levels.values[some].astype(str)).argsort(),
        n_rows[:, some].sum(axis=0),
    )
    found: set[bytes] = set()
    for order in orders:
        ordered = some[np.argsort(order, kind="stable")]
        for chosen in (ordered, ordered[::-1]):
            taken, sums = np.zeros(levels.n_levels, dtype=bool), np.zeros(len(most))
            for level in chosen.tolist():
                if (sums + n_rows[:, level] <= most).all():
                    sums += n_rows[:, level]
                    taken[level] = True
            if taken.any() and not taken.all() and taken.tobytes() not in found:
                found.add(taken.tobytes())
                yield taken
