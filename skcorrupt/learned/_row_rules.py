"""Rules that rows of a table have to keep, as lines of text, and which cells break them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from skcorrupt.patterns._syntax import Syntax, tokens
from skcorrupt.utils import Table, resolve_columns, shorten

from .making._readings import missing_cells, read

_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
}
_SUMS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
# names of a truth value, the number last
_TRUTH = {1: ("True", "true", "TRUE", "1"), 0: ("False", "false", "FALSE", "0")}
_FORMS = (
    '"age >= 18", "start <= end", "if married == 1 then age >= 16 else '
    'spouse == 0", "key(id, day)" or "zip, street -> city"'
)


@dataclass(frozen=True, eq=False)
class Broken:
    """Cells, or rows, that break a rule.

    Attributes
    ----------
    rule : str
        The rule.
    cells : dict of int to ndarray of bool, shape (n_rows,)
        By column which cells break it.
    again : ndarray of bool, shape (n_rows,), or None
        For a key, rows whose key was there before.
    """

    rule: str
    cells: dict[int, np.ndarray]
    again: np.ndarray | None = None


def broken_rules(table: Table, rules: list[str]) -> list[Broken]:
    """Which cells break each of some rules.

    Parameters
    ----------
    table : Table
        The table.
    rules : list of str
        The rules. Where a cell that a rule asks for is missing, the rule is kept.

    Returns
    -------
    list of Broken
        One for every rule.

    Raises
    ------
    ValueError
        If a rule cannot be read or names a column that there is not.
    TypeError
        If `rules` is no list of texts.
    """
    if not isinstance(rules, (list, tuple)) or not all(isinstance(each, str) for each in rules):
        raise TypeError(f"rules={shorten(rules)} should be a list of texts such as {_FORMS}.")
    if not rules:
        raise ValueError(f"rules=[] is empty; pass at least one, such as {_FORMS}.")
    return [_broken(table, rule) for rule in rules]


def _broken(table: Table, rule: str) -> Broken:
    try:
        parts = _split(rule)
    except ValueError as error:
        _refuse(rule, str(error))
    words = parts[1::2]
    if words == ["->"]:
        return _dependency(table, rule, parts[0], parts[2])
    if parts[0] == "" and words in (["if", "then"], ["if", "then", "else"]):
        return _conditional(table, rule, parts[2::2])
    if words:
        _refuse(rule, "its words are not in their order")
    reader = _Reader(table, rule, rule)
    if isinstance(reader.tree, ast.Call):
        return _key(table, rule, reader)
    return Broken(rule, reader.broken())


def _refuse(rule: str, why: str) -> NoReturn:
    raise ValueError(f"Rule {shorten(rule)} cannot be read: {why}; rules look like {_FORMS}.")


def _named(table: Table, rule: str, names: str) -> Iterator[int]:
    """Columns in a list of names, as far as they are asked for."""
    return (_Reader(table, rule, name).column() for name in names.split(","))


def _different(table: Table, rule: str, places: Iterable[int]) -> list[int]:
    """Columns of which none is there twice, as a rule could go on for as long as it likes."""
    found: dict[int, None] = {}
    for j in places:
        if j in found:
            _refuse(rule, f"it names {str(table.labels[j])!r} twice")
        found[j] = None
    return [*found]


def _split(rule: str) -> list[str]:
    """Text parted at if, then, else and ->, quoted text left whole."""
    parts, piece = [], ""
    for kind, part in tokens(rule):
        if kind == "other" and part in ("if", "then", "else", "->"):
            parts += [piece.strip(), part]
            piece = ""
        else:
            piece += part
    return [*parts, piece.strip()]


def _conditional(table: Table, rule: str, parts: list[str]) -> Broken:
    condition = _Reader(table, rule, parts[0])
    holds, known = condition.holds()
    cells: dict[int, np.ndarray] = {}
    for text, applies in zip(parts[1:], (known & holds, known & ~holds), strict=False):
        for j, broken in _Reader(table, rule, text).broken().items():
            cells[j] = cells.get(j, np.zeros(table.n_rows, dtype=bool)) | (broken & applies)
    return Broken(rule, cells)


def _dependency(table: Table, rule: str, left: str, right: str) -> Broken:
    """Cells that differ from what most rows with the same values on the left have.

    Where several values are there equally often, none is what most rows have.
    """
    given = _different(table, rule, _named(table, rule, left))
    group, known = _codes(table, given)
    cells = {}
    for j in _different(table, rule, _named(table, rule, right)):
        codes, there = _codes(table, [j])
        usable = known & there
        rows = np.flatnonzero(usable)
        both = pd.Series(np.ones(len(rows))).groupby([group[rows], codes[rows]]).transform("size")
        most = both.groupby(group[rows]).transform("max")
        first = pd.Series(codes[rows]).where((both == most).to_numpy())
        several = first.groupby(group[rows]).transform("nunique") > 1
        broken = np.zeros(table.n_rows, dtype=bool)
        broken[rows] = ((both < most) | several).to_numpy()
        cells[j] = broken
    return Broken(rule, cells)


def _key(table: Table, rule: str, reader: _Reader) -> Broken:
    call = reader.tree
    named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    if not (named and call.func.id == "key" and call.args and not call.keywords):  # type: ignore[attr-defined]
        _refuse(rule, "the only function is key(columns)")
    places = _different(table, rule, map(reader.place, call.args))  # type: ignore[attr-defined]
    codes, known = _codes(table, places)
    again = pd.Series(codes).duplicated().to_numpy() & known
    return Broken(rule, {}, again)


def _codes(table: Table, columns: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """A number for every row by its values in some columns, and where all of them are known."""
    names = pd.DataFrame({k: read(table, j, "name") for k, j in enumerate(columns)})
    known = ~np.logical_or.reduce([missing_cells(table, j) for j in columns])
    return names.groupby(list(names), sort=False, dropna=False).ngroup().to_numpy(), known


def _names_without_backticks(table: Table, text: str) -> Iterator[str]:
    """Names of columns in a rule that need backticks and have none."""
    for name in map(str, table.labels):
        # a number of a column reads like a value
        needs = any(map(str.isalpha, name)) and not name.isidentifier()
        if needs and name in text and f"`{name}`" not in text:
            yield name


class _Reader(Syntax):
    """Comparisons joined by "and", of sums of columns or of one column and values."""

    def __init__(self, table: Table, rule: str, text: str) -> None:
        self._table, self._rule = table, rule
        try:
            super().__init__(text)
        except ValueError as error:
            bare = next(_names_without_backticks(table, text), None)
            remedy = "" if bare is None else f"; write {bare!r} in backticks, `{bare}`"
            _refuse(rule, f"{error}{remedy}")

    def place(self, node: ast.expr) -> int:
        if not isinstance(node, ast.Name):
            _refuse(self._rule, f"{self.shown(node)!r} is no column; names go in backticks")
        return resolve_columns(self._table, [self.name(node)], parameter="rules")[0]

    def column(self) -> int:
        return self.place(self.tree)

    def holds(self) -> tuple[np.ndarray, np.ndarray]:
        """Where all comparisons hold, and where all cells are known."""
        read_ = [self._comparison(node) for node in self.conjuncts()]
        return (
            np.logical_and.reduce([holds for holds, _, _ in read_]),
            np.logical_and.reduce([known for _, known, _ in read_]),
        )

    def broken(self) -> dict[int, np.ndarray]:
        """Cells of the columns of comparisons that do not hold."""
        cells: dict[int, np.ndarray] = {}
        for node in self.conjuncts():
            holds, known, columns = self._comparison(node)
            for j in columns:
                cells[j] = cells.get(j, np.zeros(self._table.n_rows, dtype=bool)) | (known & ~holds)
        return cells

    def _comparison(self, node: ast.expr) -> tuple[np.ndarray, np.ndarray, set[int]]:
        if not isinstance(node, ast.Compare):
            _refuse(self._rule, f"{self.shown(node)!r} is no comparison")
        columns = {self.place(n) for n in ast.walk(node) if isinstance(n, ast.Name)}
        if not columns:
            _refuse(self._rule, f"{self.shown(node)!r} names no column")
        holds = np.ones(self._table.n_rows, dtype=bool)
        known = ~np.logical_or.reduce([missing_cells(self._table, j) for j in columns])
        operands = [node.left, *node.comparators]
        for left, relation, right in zip(operands, node.ops, operands[1:], strict=False):
            holds &= self._pair(left, relation, right)
        return holds, known, columns

    def _pair(self, left: ast.expr, relation: ast.cmpop, right: ast.expr) -> np.ndarray:
        values = self._values(right)
        if isinstance(relation, (ast.In, ast.NotIn)) or any(isinstance(v, str) for v in values):
            if not values or not isinstance(relation, (ast.In, ast.NotIn, ast.Eq, ast.NotEq)):
                _refuse(self._rule, "words are compared by ==, != and in only")
            names = read(self._table, self.place(left), "name")
            numeric = self._table.kind(self.place(left)) in ("integer", "real")
            wanted = [name for value in values for name in _as_names(value, numeric)]
            found = np.isin(names, np.array(wanted, dtype=object))
            return ~found if isinstance(relation, (ast.NotIn, ast.NotEq)) else found
        if type(relation) not in _RELATIONS:
            _refuse(self._rule, "comparisons are == != <= >= < > in")
        with np.errstate(invalid="ignore", divide="ignore"):
            result = _RELATIONS[type(relation)](self._number(left), self._number(right))
        return np.broadcast_to(result, self._table.n_rows)

    def _values(self, node: ast.expr) -> list[Any]:
        """Words, or words and numbers in a list; none for anything else."""
        items = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else [node]
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            return []
        constants = [item.value for item in items if isinstance(item, ast.Constant)]
        return constants if len(constants) == len(items) else []

    def _number(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return float(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._number(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _SUMS:
            return _SUMS[type(node.op)](self._number(node.left), self._number(node.right))
        j = self.place(node)
        kind = self._table.kind(j)
        how = "text number" if kind == "text" else "stamp" if kind == "datetime" else "number"
        numbers = read(self._table, j, how)
        if kind == "text":
            names = read(self._table, j, "name")
            for value, words in _TRUTH.items():
                numbers[np.isin(names, np.array(words[:-1], dtype=object))] = value
        return numbers


def _as_names(value: Any, numeric: bool) -> tuple[str, ...]:
    """What a value may be called in a column: True and 1 are the same, as are False and 0."""
    if isinstance(value, (bool, int, float)) and value in _TRUTH:
        return _TRUTH[int(value)][-1:] if numeric else _TRUTH[int(value)]
    return (str(int(value)) if isinstance(value, float) and value.is_integer() else str(value),)
