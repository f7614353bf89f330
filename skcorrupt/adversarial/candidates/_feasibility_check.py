"""Corrupted training data that no pipeline could learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import CorruptionRecord
from skcorrupt.utils import Target, as_table
from skcorrupt.utils._typing import ColumnLike, TableLike


class FeasibilityCheck:
    """Refuse corrupted training data that no pipeline could learn from.

    Parameters
    ----------
    classifier : bool
        Whether at least two classes are needed.
    erased : sequence, default=()
        What erased labels hold, which is not a class.
    """

    def __init__(self, classifier: bool, erased: Sequence[Any] = ()) -> None:
        self.classifier = classifier
        self.erased = erased

    def __call__(self, X: TableLike, y: ColumnLike, records: list[CorruptionRecord]) -> str:
        if not len(records[0].sample_indices):
            return "no rows are left"
        if self.classifier and not self._has_classes(y):
            return "one class is left"
        columns = _columns_of(records[0].X_mask)
        if not columns:
            return ""
        if isinstance(X, pd.DataFrame):
            # most are told by their first row, in a tenth of the time
            columns = [j for j in columns if not _is_number(X.iat[0, j])]
        table = as_table(X)
        for j in columns:
            if table.missing(j).all():
                return f"column {table.labels[j]!r} is missing everywhere"
        return ""

    def _has_classes(self, y: ColumnLike) -> bool:
        """Whether there are two classes at least."""
        values = y.to_numpy() if isinstance(y, pd.Series) else y
        kinds = "iuf" if self.erased else "biuf"
        if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in kinds:
            # told without finding all classes; what is missing equals nothing
            if values.dtype.kind == "f":
                values = values[values == values]
            for label in self.erased:
                values = values[values != label]
            return bool((values != values[:1]).any())
        classes = Target(y).coded[1]
        return sum(label not in self.erased for label in classes.tolist()) >= 2


def _is_number(value: Any) -> bool:
    return isinstance(value, float) and value == value


def _columns_of(mask: Any) -> list[int]:
    """Positions of the columns of which some cell is marked."""
    if isinstance(mask, np.ndarray):
        return [int(j) for j in np.flatnonzero(mask.any(axis=0))]
    return [int(j) for j in np.unique(mask.nonzero()[1])]
