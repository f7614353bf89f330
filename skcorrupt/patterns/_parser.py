"""Pattern text: a whitelisted part of Python's expressions, read but never run."""

from __future__ import annotations

import ast
from typing import Any

from ._condition import Condition
from ._names import LABEL
from ._syntax import Syntax
from ._values import canonical

_BOUNDS: dict[type[ast.cmpop], str] = {ast.LtE: "le", ast.GtE: "ge", ast.Lt: "lt", ast.Gt: "gt"}
_REVERSED = {"le": "ge", "ge": "le", "lt": "gt", "gt": "lt"}
_HELP = (
    "A pattern joins comparisons (== <= >= < > in) of a column with values by 'and', such as "
    "\"18 <= age <= 30 and `marital status` in ('single', 'widowed') and y == 1\"; "
    "a name that is not a plain word goes in backticks"
)
_REFUSED: dict[type[ast.AST], str] = {
    ast.NotEq: "!= is not allowed; list the other values with 'in', or use < or >",
    ast.NotIn: "'not in' is not allowed; list the other values with 'in'",
    ast.Is: "'is' is not allowed; use ==",
    ast.IsNot: "'is not' is not allowed; a missing cell matches nothing anyway",
    ast.Or: "'or' is not allowed; for values of one column use 'in', else use two patterns",
    ast.Not: "'not' is not allowed; state what the values are instead",
    ast.BitAnd: "'&' is not allowed; join conditions with 'and'",
    ast.BitOr: "'|' is not allowed; for values of one column use 'in', else use two patterns",
    ast.Invert: "'~' is not allowed; state what the values are instead",
    ast.Call: "a function call is not allowed",
    ast.Attribute: "'.' is not allowed; if it belongs to a column's name, use backticks",
    ast.Subscript: "[…] after a name is not allowed; if it belongs to the name, use backticks",
    ast.NamedExpr: "':=' is not allowed; use == for equality",
    ast.BinOp: "arithmetic is not allowed; if the sign belongs to a column's name, use backticks",
}

Attribute = str | None


def parse_text(text: str) -> list[tuple[Attribute, Condition]]:
    """The conditions that a pattern's text states, in order.

    Parameters
    ----------
    text : str
        The pattern.

    Returns
    -------
    list of (attribute, Condition)
        The attribute is a column's name, or None for the label.

    Raises
    ------
    ValueError
        If the text is not a conjunction of the allowed comparisons.
    """
    if not text.strip():
        raise ValueError("the pattern is empty; write 'every row' to match all rows")
    try:
        reader = _Reader(text)
    except ValueError as error:
        raise ValueError(f"{error}. {_HELP}") from None
    return reader.conditions()


class _Reader(Syntax):
    def conditions(self) -> list[tuple[Attribute, Condition]]:
        found: list[tuple[Attribute, Condition]] = []
        for node in self.conjuncts():
            if not isinstance(node, ast.Compare):
                raise self._refusal(node)
            found.extend(self._comparison(node))
        return found

    def _comparison(self, node: ast.Compare) -> list[tuple[Attribute, Condition]]:
        found = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            found.append(self._pair(left, op, right))
            left = right
        return found

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> tuple[Attribute, Condition]:
        if type(op) in _REFUSED:
            raise self._refusal(op)
        on_left, on_right = self._is_attribute(left), self._is_attribute(right)
        if on_left and on_right:
            raise ValueError(
                f"{self.shown(left)} and {self.shown(right)} are both names, and two columns "
                "cannot be compared; if one is a text value, put it in quotes"
            )
        if isinstance(op, ast.In):
            return self._membership(left, right, on_left)
        if not on_left and not on_right:
            for side in (left, right):
                self._value(side)
            raise ValueError(
                f"{self.shown(left)} and {self.shown(right)} are both values; compare a column "
                "with a value"
            )
        attribute, value = (left, right) if on_left else (right, left)
        if isinstance(value, (ast.Tuple, ast.List, ast.Set)):
            raise ValueError(
                f"{self.shown(attribute)} is compared with a list; use 'in' for one of its values"
            )
        number = self._value(value)
        if isinstance(op, ast.Eq):
            return self._attribute(attribute), Condition(one_of=[number])
        bound = _BOUNDS[type(op)]
        bound = bound if on_left else _REVERSED[bound]
        return self._attribute(attribute), Condition(**{bound: number})

    def _membership(
        self, left: ast.expr, right: ast.expr, on_left: bool
    ) -> tuple[Attribute, Condition]:
        if not on_left:
            raise ValueError(
                f"{self.shown(left)} stands left of 'in'; a column's name belongs there"
            )
        if not isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            raise ValueError(
                f"{self.shown(right)} stands right of 'in'; a list of values in brackets belongs "
                "there, such as ('a', 'b') or (1,)"
            )
        return self._attribute(left), Condition(one_of=[self._value(v) for v in right.elts])

    def _is_attribute(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.word(node) not in ("inf", "nan")

    def _attribute(self, node: ast.expr) -> Attribute:
        name = self.name(node)
        return None if name == LABEL and not self.is_quoted(node) else name

    def _value(self, node: ast.expr) -> Any:
        sign = 1
        inner = node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            sign = -1 if isinstance(node.op, ast.USub) else 1
            inner = node.operand
        if isinstance(inner, ast.Name):
            if self.word(inner) == "inf":
                return sign * float("inf")
            if self.word(inner) == "nan":
                raise ValueError("nan matches nothing, so no pattern can ask for it")
        if not isinstance(inner, ast.Constant):
            raise self._refusal(node)
        value = inner.value
        if value is None:
            raise ValueError("None matches nothing, so no pattern can ask for it")
        if inner is not node:
            if isinstance(value, (bool, str)) or not isinstance(value, (int, float)):
                raise ValueError(f"{self.shown(node)}: a sign stands before a number only")
            return sign * value
        return canonical(value)

    def _refusal(self, node: ast.AST) -> ValueError:
        kinds = [type(node)]
        if isinstance(node, (ast.BoolOp, ast.UnaryOp, ast.BinOp)):
            kinds.insert(0, type(node.op))
        reasons = [_REFUSED[kind] for kind in kinds if kind in _REFUSED]
        if reasons:
            return ValueError(f"{reasons[0]}. {_HELP}")
        return ValueError(f"{self.shown(node)!r} is not a condition that patterns know. {_HELP}")
