"""Conditions on columns and their changes as text: a whitelisted part of Python's expressions.

The text is read into a tree, of which only comparisons of linear forms are taken; it is never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.patterns._names import quote
from skcorrupt.patterns._syntax import Syntax, tokens
from skcorrupt.utils import cut, shorten

from ._numbers import ALLOWED, fits, tolerance
from ._people import Elements, Limits, People, Person

OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
VALUE, CHANGE, DISTANCE = "value", "delta", "abs"
_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
}
_HELP = (
    "a rule compares (== <= >= < > in) sums of columns, delta(column) for their change and "
    "abs(delta(column)) for its size, each times a number, such as "
    "\"delta(urls) <= 2 * delta(tweets)\"; comparisons are joined by 'and'"
)


_OFF = f"too large or too small; numbers in rules are {ALLOWED}"
# from here on whole numbers are written with an exponent
_LONG = 1e16
MOST_CASES = 1_024
_FUNCTIONS = "the functions are delta(column) and abs(delta(column))"


@dataclass(frozen=True)
class Term:
    """A number times a column, its change, or the size of its change."""

    factor: float
    kind: str
    column: str

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

    def value(self, before: People, after: People) -> Any:
        """The sum in every row."""
        total: Any = self.constant
        for term in self.terms:
            value = after[term.column]
            if term.kind != VALUE:
                value = value - before[term.column]
            total = total + term.factor * (abs(value) if term.kind == DISTANCE else value)
        return total

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

    def factors(self) -> dict[tuple[str, str], float]:
        """What columns and kinds of terms are multiplied by, left side less right side."""
        factors: dict[tuple[str, str], float] = {}
        for side, sign in ((self.left, 1.0), (self.right, -1.0)):
            for term in side.terms:
                name = (term.column, term.kind)
                factors[name] = factors.get(name, 0.0) + sign * term.factor
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
        constant = (self.left.constant - self.right.constant) / first
        return (*scaled, round(constant, 12) + 0.0), first < 0

    def check(self, elements: Elements) -> None:
        """Refuse sums of categories."""
        for name in self.columns:
            if elements[name].kind == "categorical":
                raise ValueError(
                    f"{cut(str(self))}: {name!r} holds categories; compare it with one of "
                    f"{elements[name].values} in quotes."
                )

    def holds(self, before: People, after: People) -> Any:
        """Where the comparison is true."""
        left, right = self.left.value(before, after), self.right.value(before, after)
        gap = left - right
        slack = tolerance(self.left.size(before, after) + self.right.size(before, after))
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
        total = self.left.constant - self.right.constant
        at: dict[str, list[float]] = {}
        turned = [Term(-t.factor, t.kind, t.column) for t in self.right.terms]
        for term in (*self.left.terms, *turned):
            here = present[term.column]
            low, high = limits[term.column]
            ends = np.unique([low, high, min(max(here, low), high)])
            sizes = ends - (0.0 if term.kind == VALUE else here)
            added = term.factor * (abs(sizes) if term.kind == DISTANCE else sizes)
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
        terms = (*self.left.terms, *self.right.terms)
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
        left = bool(self.left.terms)
        term = (self.left if left else self.right).terms[0]
        gap = self.right.constant - self.left.constant
        value = (gap if left else -gap) / term.factor
        here = present[term.column]
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


def refusal(text: str, why: str) -> ValueError:
    """The error that names a rule, what is wrong with it and what is allowed."""
    return ValueError(f"Rule {shorten(text)} cannot be read: {why}; {_HELP}.")


def parse_conditions(text: str) -> Conjunction:
    """Read comparisons joined by "and".

    Raises
    ------
    ValueError
        If the text is anything else, with what is allowed.
    """
    return _Reader(text).conjunction()


def parse_column(text: str) -> str:
    """Read the name of a column.

    Raises
    ------
    ValueError
        If the text is anything else.
    """
    reader = _Reader(text)
    return reader.column(reader.tree)


def parse_sum(text: str) -> Linear:
    """Read a sum, such as "+ delta(a) + 2 * delta(b)".

    Raises
    ------
    ValueError
        If the text is anything else, with what is allowed.
    """
    reader = _Reader(text)
    return reader.linear(reader.tree)


class _Reader(Syntax):
    def __init__(self, text: str):
        if not isinstance(text, str):
            raise TypeError(f"a rule should be a string, got {shorten(text)}")
        self.text = text
        try:
            super().__init__(text)
        except ValueError as error:
            self.refuse(str(error))

    def refuse(self, why: str) -> Any:
        raise refusal(self.text, why)

    def conjunction(self) -> Conjunction:
        read: list[Comparison | Membership] = []
        for part in self.conjuncts():
            if isinstance(part, ast.Compare):
                read += self.comparisons(part)
            elif isinstance(part, ast.BoolOp):
                self.refuse("'or' is not allowed")
            else:
                self.refuse(f"{self.shown(part)!r} is no comparison")
        return Conjunction(tuple(read))

    def comparisons(self, node: ast.Compare) -> list[Comparison | Membership]:
        operands = [node.left, *node.comparators]
        read: list[Comparison | Membership] = []
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            values = self.values(right, isinstance(operator, ast.In))
            if values is not None and isinstance(operator, (ast.Eq, ast.In)):
                if not isinstance(left, ast.Name):
                    self.refuse("a value in quotes or a list is compared with a single column")
                read.append(Membership(self.column(left), values))
            elif type(operator) in _RELATIONS:
                relation = _RELATIONS[type(operator)]
                part = Comparison(self.linear(left), relation, self.linear(right))
                shown = f"{self.shown(left)} {relation} {self.shown(right)}"
                if not part.columns:
                    self.refuse(f"{shown!r} should name a column")
                if not part.factors():
                    self.refuse(f"in {shown!r} the columns of both sides cancel out")
                read.append(part)
            else:
                self.refuse("!=, is, and not are not allowed; say what the values are instead")
        return read

    def values(self, node: ast.expr, several: bool) -> tuple[Any, ...] | None:
        """Values that a column is compared with, None where it is a sum."""
        items = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
        if several == (items == [node]) or not items:
            return self.refuse("'in' is followed by a list of values") if several else None
        read = []
        for item in items:
            number = self.number(item)
            if number is None and not (
                isinstance(item, ast.Constant) and isinstance(item.value, (str, bool))
            ):
                return self.refuse("a list holds numbers and words in quotes") if several else None
            read.append(item.value if number is None else number)  # type: ignore[attr-defined]
        return tuple(read) if several or isinstance(read[0], (str, bool)) else None

    def number(self, node: ast.expr) -> float | None:
        """The number that is written there, None where there is something else."""
        sign = 1
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            sign = -sign if isinstance(node.op, ast.USub) else sign
            node = node.operand
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return self.sized(sign * value, node)

    def sized(self, value: float, node: ast.expr) -> float:
        return value if fits(value) else self.refuse(f"in {self.shown(node)!r} a number is {_OFF}")

    def column(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Name):
            return self.refuse(f"{self.shown(node)!r} is not a column; names go in backticks")
        return self.name(node)

    def linear(self, root: ast.expr) -> Linear:
        terms: list[Term] = []
        constant = 0.0
        # sums and signs may be nested deeper than Python calls functions
        waiting: list[tuple[ast.expr, float]] = [(root, 1.0)]
        while waiting:
            node, factor = waiting.pop()
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
                waiting.append((node.operand, -factor if isinstance(node.op, ast.USub) else factor))
            elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
                turned = -factor if isinstance(node.op, ast.Sub) else factor
                waiting += [(node.right, turned), (node.left, factor)]
            elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
                inner, by = self.product(node)
                waiting.append((inner, self.sized(factor * by, node)))
            elif (number := self.number(node)) is not None:
                constant = constant + self.sized(factor * number, root)
            else:
                kind, column = self.term(node)
                terms.append(Term(factor, kind, column))
        return Linear(tuple(terms), self.sized(constant, root))

    def product(self, node: ast.BinOp) -> tuple[ast.expr, float]:
        """What is multiplied, and the number that it is multiplied by."""
        by = self.number(node.right)
        if isinstance(node.op, ast.Div):
            if not by:
                self.refuse(f"{self.shown(node)!r} is not divided by a number other than 0")
            return node.left, 1 / by  # type: ignore[operator]
        if by is not None:
            return node.left, by
        by = self.number(node.left)
        if by is None:
            self.refuse(f"{self.shown(node)!r} is not a number times a column")
        return node.right, by  # type: ignore[return-value]

    def term(self, node: ast.expr) -> tuple[str, str]:
        """What of a column is added, and the column."""
        if not isinstance(node, ast.Call):
            return VALUE, self.column(node)
        function, argument = self.call(node)
        if function == "delta":
            return CHANGE, self.column(argument)
        function, argument = self.call(argument)
        return (DISTANCE, self.column(argument)) if function == "delta" else self.refuse(_FUNCTIONS)

    def call(self, node: ast.expr) -> tuple[str, ast.expr]:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("delta", "abs") and len(node.args) == 1 and not node.keywords:
                return node.func.id, node.args[0]
        return self.refuse(_FUNCTIONS)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and value < _LONG else repr(float(value))


_KEYWORDS = re.compile(r"\b(?:if|then|else)\b|:=")


def split_keywords(text: str) -> list[str]:
    """Text parted at if, then, else and :=, the keywords included, quoted text left whole.

    Raises
    ------
    ValueError
        If a quote is not closed.
    """
    parts: list[str] = []
    pieces: list[str] = []
    try:
        for kind, part in tokens(text):
            start = 0
            for match in _KEYWORDS.finditer(part) if kind == "other" else ():
                pieces.append(part[start : match.start()])
                parts += ["".join(pieces).strip(), match.group()]
                pieces, start = [], match.end()
            pieces.append(part[start:])
    except ValueError as error:
        raise refusal(text, str(error)) from None
    return [*parts, "".join(pieces).strip()]
