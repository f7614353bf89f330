"""One-hot columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skcorrupt.utils import Reader

from ._action_element import ActionElement
from ._constraint import Constraint
from ._people import People


class OneHot(Constraint):
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

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = several(columns, "OneHot")

    def _check(self, elements: Mapping[str, ActionElement]) -> None:
        super()._check(elements)
        self._check_binary(elements)

    def _holds(self, before: People, after: People) -> Any:
        return sum(after[name] for name in self.columns) == 1

    def _table(
        self, present: Mapping[str, float], elements: Mapping[str, ActionElement]
    ) -> np.ndarray | None:
        return np.eye(len(self.columns))

    def _params(self) -> dict[str, Any]:
        return {"columns": list(self.columns)}


def several(columns: Any, rule: str) -> tuple[str, ...]:
    """Two or more different columns."""
    reader, what = Reader(columns, f"{rule}: columns"), "two or more different columns"
    names = reader.names(what)
    if len(names) < 2:
        reader.refuse(what)
    return names
