"""What a choice of parameters begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.evaluation import Journal, Split
from skcorrupt.utils import Table
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._halving import FINALISTS


@dataclass(frozen=True)
class ChoiceLayout:
    """What a choice begins with.

    Attributes
    ----------
    table, y, groups : Table, array-like of shape (n_samples,), and None or another
        All data.
    to_fit, to_score, passed : dict
        What is passed to `fit`, to the scorer, and to either.
    seed : int
        Source of all seeds.
    journal : Journal or None
        What keeps scores.
    settings : list of dict
        Parameters of all candidates.
    given : int
        Which of them were given.
    rows, aside : ndarray of int
        Rows of the contest, and rows to confirm on.
    X_here, y_here, cut_passed : table, array-like and dict
        Data of the contest, with what is passed along.
    parts : list of Split
        The splits.
    """

    table: Table
    y: ColumnLike
    groups: ColumnLike | None
    to_fit: dict[str, Any]
    to_score: dict[str, Any]
    passed: dict[str, Any]
    seed: int
    journal: Journal | None
    settings: list[dict[str, Any]]
    given: int
    rows: np.ndarray
    aside: np.ndarray
    X_here: TableLike
    y_here: ColumnLike
    cut_passed: dict[str, Any]
    parts: list[Split]

    @property
    def n_full(self) -> int:
        """Most candidates that are searched fully."""
        return 1 + min(FINALISTS, len(self.settings) - 1)
