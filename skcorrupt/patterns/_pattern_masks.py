"""Rows that many patterns match, where most of their conditions come again."""

from __future__ import annotations

import numpy as np

from skcorrupt.utils import Table, as_table
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._condition import Condition
from ._pattern import Pattern

# most memory that the masks of conditions may take
MOST_BYTES = 2**26


class PatternMasks:
    """Masks of patterns on one table, of which every condition is read once.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The table.
    y : array-like of shape (n_samples,) or None, default=None
        The labels; needed by patterns that use them.
    """

    def __init__(self, X: TableLike | Table, y: ColumnLike | None = None) -> None:
        self._table, self._y = as_table(X), y
        self._known: dict[tuple[str | None, Condition], np.ndarray] = {}

    def of(self, pattern: Pattern) -> np.ndarray:
        """Which rows match, as `Pattern.mask` says it.

        Parameters
        ----------
        pattern : Pattern
            A pattern that fits the table.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            True where every condition holds.
        """
        out = np.ones(self._table.n_rows, dtype=bool)
        for item in pattern._items.items():
            known = self._known.get(item)
            if known is None:
                known = Pattern._from_pairs([item]).mask(self._table, self._y)
                if (len(self._known) + 1) * known.nbytes <= MOST_BYTES:
                    self._known[item] = known
            out &= known
        return out
