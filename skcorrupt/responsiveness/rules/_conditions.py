"""Comparisons of sums of columns, of their changes and of the sizes of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from skcorrupt.patterns._names import quote
from skcorrupt.utils import cut, shorten

from ._numbers import tolerance
from ._people import Elements, Limits, People, Person

OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
VALUE, CHANGE, DISTANCE = "value", "delta", "abs"
MOST_CASES = 1_024
# from here on whole numbers are written with an exponent
_LONG = 1e16


@dataclass(frozen=True)
class Term:
    """A number times a column, its change, or the size of its change."""

    factor: float
    kind: str
    column: str

    def at(self, after: Any, before: Any) -> Any:
        """What it comes to where the column has some values."""
        sized = after if self.kind == VALUE else after - before
        return self.factor * (abs(sized) if self.kind == DISTANCE else sized)

    def least(self, low: Any, high: Any, before: Any) -> Any:
        """The least that it comes to while the column is between two limits."""
        ends = (self.at(value, before) for value in (low, high, np.clip(before, low, high)))
        return np.minimum.reduce(list(ends))

    def __str__(self) -> str:
        name = quote(self.column)
        text = {VALUE: name, CHANGE: f"delta({name})", DISTANCE: f"abs(delta({name}))"}[self.kind]
        size = abs(self.factor)
        return text if size == 1 else f"{_number(size)} * {text}"


@dataclass(frozen=True)
class Linear:
    """A sum of terms and a number."""

    terms: tuple[Term, ...]
    constant: float = 0.0

    def minus(self, other: Linear) -> Linear:
        """The difference to another sum; a column times 0 says nothing about it."""
        turned = tuple(Term(-term.factor, term.kind, term.column) for term in other.terms)
        terms = tuple(term for term in self.terms + turned if term.factor)
        return Linear(terms, self.constant - other.constant)

    def value(self, before: People, after: People) -> Any:
        """The sum in every row."""
        return sum(
            (term.at(after[term.column], before[term.column]) for term in self.terms), self.constant
        )

    def size(self, before: People, after: People) -> Any:
        """The sum of the sizes of all that is added up, in every row."""
        total: Any = abs(self.constant)
        for term in self.terms:
            value = abs(after[term.column])
            if term.kind != VALUE:
                value = value + abs(before[term.column])
            total = total + abs(term.factor) * value
        return total

    def __str__(self) -> str:
        parts = [(term.factor < 0, str(term)) for term in self.terms]
        if self.constant or not parts:
            parts.append((self.constant < 0, _number(abs(self.constant))))
        text = "".join(f" {'-' if negative else '+'} {part}" for negative, part in parts)
        return text[3:] if not parts[0][0] else f"-{text[3:]}"


@dataclass(frozen=True)
class Comparison:
    """Two sums and how they compare."""

    left: Linear
    relation: str
    right: Linear

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of both sums, each once."""
        terms = (*self.left.terms, *self.right.terms)
        return tuple(dict.fromkeys(term.column for term in terms))

    @cached_property
    def gap(self) -> Linear:
        """The left side less the right one."""
        return self.left.minus(self.right)

    def at_most(self) -> list[tuple[Linear, bool]]:
        """What it says, as sums that are at most 0, and whether they have to be below it."""
        sums = []
        if self.relation in ("<=", "<", "=="):
            sums.append((self.gap, self.relation == "<"))
        if self.relation in (">=", ">", "=="):
            sums.append((self.right.minus(self.left), self.relation == ">"))
        return sums

    def factors(self) -> dict[tuple[str, str], float]:
        """What columns and kinds of terms are multiplied by, left side less right side."""
        factors: dict[tuple[str, str], float] = {}
        for term in self.gap.terms:
            name = (term.column, term.kind)
            factors[name] = factors.get(name, 0.0) + term.factor
        return {name: factor for name, factor in factors.items() if factor}

    def plane(self) -> tuple[tuple[Any, ...], bool]:
        """What both sides being equal means, the same for all that say it in another form.

        Returns
        -------
        key : tuple
            The difference of both sides, scaled so that its first factor is 1.
        is_turned : bool
            Whether that turned the comparison around.
        """
        named = sorted(self.factors().items())
        if not named:
            return (), False
        first = named[0][1]
        scaled = [(*name, round(factor / first, 12)) for name, factor in named]
        constant = self.gap.constant / first
        return (*scaled, round(constant, 12) + 0.0), first < 0

    def check(self, elements: Elements) -> None:
        """Refuse sums of categories."""
        for name in self.columns:
            if elements[name].kind == "categorical":
                raise ValueError(
                    f"{cut(str(self))}: {name!r} holds categories; compare it with one of "
                    f"{shorten(elements[name].values)} in quotes."
                )

    def holds(self, before: People, after: People) -> Any:
        """Where the comparison is true."""
        gap = self.gap.value(before, after)
        slack = tolerance(self.gap.size(before, after))
        if self.relation == "==":
            return abs(gap) <= slack
        if self.relation in ("<=", "<"):
            return gap <= slack if self.relation == "<=" else gap < -slack
        return gap >= -slack if self.relation == ">=" else gap > slack

    def opposite(self) -> Comparison | None:
        """What is true where this is not; None where that is no comparison."""
        turned = OPPOSITE.get(self.relation)
        return None if turned is None else Comparison(self.left, turned, self.right)

    def extreme(
        self, present: Person, limits: Limits, largest: bool
    ) -> tuple[float, dict[str, list[float]]]:
        """The least or largest difference of both sides, and where columns have it.

        Parameters
        ----------
        present : mapping of str to float
            The person's values.
        limits : mapping of str to (low, high)
            What every column can be.
        largest : bool
            Which of the two.

        Returns
        -------
        difference : float
            Left side less right side, or beyond it where a column stands in several terms.
        at : dict of str to list of float
            Values of the columns there, none for one in several terms.
        """
        total = self.gap.constant
        at: dict[str, list[float]] = {}
        for term in self.gap.terms:
            here = present[term.column]
            low, high = limits[term.column]
            ends = np.unique([low, high, min(max(here, low), high)])
            added = term.at(ends, here)
            best = float(added.max() if largest else added.min())
            total += best
            values = ends[abs(added - best) <= tolerance(best)].tolist()
            at[term.column] = [] if term.column in at else values
        return total, at

    def only_values(
        self, columns: Sequence[str], present: Person, limits: Limits
    ) -> list[dict[str, float]]:
        """Values of columns where the limits leave single ones, one mapping for each choice.

        Parameters
        ----------
        columns : sequence of str
            The columns that are asked about.
        present : mapping of str to float
            The person's values.
        limits : mapping of str to (low, high)
            What every column can be.

        Returns
        -------
        list of dict of str to float
            One empty mapping where there is room, and none where it cannot be true.
        """
        terms = self.gap.terms
        if self.relation == "==" and len(terms) == 1:
            return [{terms[0].column: value} for value in self._solutions(present)]
        sides = {"<=": (False,), "<": (False,), ">=": (True,), ">": (True,), "==": (False, True)}
        for largest in sides[self.relation]:
            end, at = self.extreme(present, limits, largest)
            beyond = -end if largest else end
            slack = float(tolerance(end))
            if beyond > slack or (self.relation in ("<", ">") and beyond >= -slack):
                return []
            if abs(beyond) <= slack:
                choices: list[dict[str, float]] = [{}]
                for name in columns:
                    values = at.get(name) or []
                    choices = joined(choices, [{name: value} for value in values] or [{}], self)
                return choices
        return [{}]

    def _solutions(self, present: Person) -> list[float]:
        """Values of the only column that make both sides equal."""
        (term,) = self.gap.terms
        value, here = -self.gap.constant / term.factor, present[term.column]
        if term.kind == DISTANCE:
            return [] if value < 0 else sorted({here - value, here + value})
        return [value + (here if term.kind == CHANGE else 0.0)]

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True)
class Membership:
    """A column and the values it may have."""

    column: str
    values: tuple[Any, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def check(self, elements: Elements) -> None:
        """Refuse values that the column cannot hold."""
        for value in self.values:
            elements[self.column]._code(value)

    def holds(self, before: People, after: People) -> Any:
        """Where the column has one of the values."""
        found: Any = False
        for value in self.values:
            found = found | after.equal(self.column, value)
        return found

    def __str__(self) -> str:
        if len(self.values) == 1:
            return f"{quote(self.column)} == {self.values[0]!r}"
        return f"{quote(self.column)} in {self.values!r}"


@dataclass(frozen=True)
class Conjunction:
    """Comparisons that all have to be true."""

    parts: tuple[Comparison | Membership, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of all parts, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.columns))

    def holds(self, before: People, after: People) -> Any:
        """Where all parts are true."""
        found: Any = True
        for part in self.parts:
            found = found & part.holds(before, after)
        return found

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts))


def too_many_cases(rules: object) -> ValueError:
    """The error that names rules of too many cases."""
    return ValueError(
        f"The rules {cut(str(rules))} make more than {MOST_CASES} cases in which real columns are "
        "fixed; give some of the columns a step, or leave out some of the rules."
    )


def joined(
    first: list[dict[str, float]], second: list[dict[str, float]], rule: object
) -> list[dict[str, float]]:
    """Every choice of the first with every one of the second that does not contradict it.

    Raises
    ------
    ValueError
        If there are too many, naming the rule.
    """
    found: list[dict[str, float]] = []
    for one in first:
        found += [
            one | other
            for other in second
            if all(one.get(name, value) == value for name, value in other.items())
        ]
        if len(found) > MOST_CASES:
            raise too_many_cases(rule)
    return found


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and value < _LONG else repr(float(value))
