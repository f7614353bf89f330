"""Comparisons of sums of columns and of their changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcorrupt.patterns._names import quote
from skcorrupt.utils import Reader, shorten

from ._condition_text import parse_conditions
from ._conditions import CHANGE, Comparison, Membership
from ._constraint import Constraint
from ._people import Elements, People


class LinearConstraint(Constraint):
    """A comparison of sums of columns, of their changes and of the sizes of these.

    A column whose change stands alone on the left is taken to follow the right side: it moves
    even if nobody acts on it.

    Parameters
    ----------
    expression : str
        Such as "delta(a) + 2 * delta(b) <= 5", "debt <= 0.4 * income" or
        "abs(delta(a)) + abs(delta(b)) <= 3".

    Examples
    --------
    >>> from skcorrupt.responsiveness import LinearConstraint
    >>> print(LinearConstraint("delta(urls) <= 2*delta(tweets)"))
    delta(urls) <= 2 * delta(tweets)
    """

    def __init__(self, expression: str) -> None:
        read = parse_conditions(Reader(expression, "expression").text())
        parts = [part for part in read.parts if isinstance(part, Comparison)]
        if len(parts) < len(read.parts):
            others = [part for part in read.parts if isinstance(part, Membership)]
            raise ValueError(f"Rule {shorten(expression)} should compare sums; {_remedy(others)}.")
        self.comparisons = tuple(parts)
        self._parsed = read
        self.expression = str(read)
        self.columns = read.columns
        self.moved = tuple(name for part in parts if (name := _follower(part)))

    def _check(self, elements: Elements) -> None:
        super()._check(elements)
        for part in self.comparisons:
            part.check(elements)

    def _holds(self, before: People, after: People) -> Any:
        return self._parsed.holds(before, after)

    def __str__(self) -> str:
        return str(self._parsed)


def _remedy(others: Sequence[Membership]) -> str:
    """How to write what compares no sums."""
    for part in others:
        if len(part.values) == 1 and isinstance(part.values[0], bool):
            return (
                "columns of truth values are 0 or 1 in sums, so write "
                f"{quote(part.column)} == {part.values[0]:d}"
            )
    return "a column that has one of some values stands in IfThen, such as 'if … then …' as a text"


def _follower(part: Comparison) -> str | None:
    """The column whose change alone is on the left, with changes of others on the right."""
    alone = len(part.left.terms) == 1 and not part.left.constant
    if not alone or part.left.terms[0].kind != CHANGE or not part.right.terms:
        return None
    return part.left.terms[0].column
