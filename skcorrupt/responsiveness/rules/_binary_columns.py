"""Rules on columns of 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence

from skcorrupt.utils import Reader

from ._constraint import Constraint
from ._people import Elements


class _BinaryColumns(Constraint):
    """A rule on two or more columns of 0 and 1."""

    def __init__(self, columns: Sequence[str]) -> None:
        reader = Reader(columns, f"{type(self).__name__}: columns")
        what = "two or more different columns"
        self.columns = reader.names(what)
        if len(self.columns) < 2:
            reader.refuse(what)

    def _check(self, elements: Elements) -> None:
        super()._check(elements)
        for name in self.columns:
            if elements[name].kind != "bool":
                raise ValueError(
                    f"{self}: {name!r} holds {elements[name].kind} values; it should hold 0 and 1."
                )
