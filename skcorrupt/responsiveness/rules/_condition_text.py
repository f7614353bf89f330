"""Conditions on columns and their changes as text: a whitelisted part of Python's expressions.

The text is read into a tree, of which only comparisons of linear forms are taken; it is never run.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from skcorrupt.patterns._syntax import Syntax, tokens
from skcorrupt.utils import shorten

from ._conditions import (
    CHANGE,
    DISTANCE,
    VALUE,
    Comparison,
    Conjunction,
    Linear,
    Membership,
    Term,
)
from ._numbers import ALLOWED, fits

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
_FUNCTIONS = "the functions are delta(column) and abs(delta(column))"


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
