"""One-hot columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._binary_columns import _BinaryColumns
from ._people import Elements, People, Person


class OneHot(_BinaryColumns):
    """Exactly one of some columns of 0 and 1 is 1.

    Parameters
    ----------
    columns : sequence of str
        The columns of a one-hot encoding, two or more.

    Examples
    --------
    >>> from skcorrupt.responsiveness import OneHot
    >>> OneHot(["rents", "owns", "lives_free"])
    OneHot(columns=['rents', 'owns', 'lives_free'])
    """

    def _holds(self, before: People, after: People) -> Any:
        return sum(after[name] for name in self.columns) == 1

    def _table(self, present: Person, elements: Elements) -> np.ndarray | None:
        return np.eye(len(self.columns))
