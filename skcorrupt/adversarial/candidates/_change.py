"""Which rows an error can change, in the table that is searched or in parts of a larger one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.utils import Table, Target


@dataclass(frozen=True, eq=False)
class Change:
    """What an error can change; it pickles.

    Attributes
    ----------
    corruption : BaseCorruption
        The error.
    columns : tuple of int
        Positions of the columns hit; none for labels.
    reference : Reference or None
        What the error learned of labels.
    """

    corruption: Any
    columns: tuple[int, ...]
    reference: Any = None

    def rows(self, table: Table, target: Target | None) -> np.ndarray | None:
        """Rows that can change, as a mask; None for all."""
        able: np.ndarray | None
        if self.reference is None:
            able = self.corruption._able(table, list(self.columns), None)
        else:
            able = self.corruption._eligible(None, target, self.reference)
        return able
