"""The learned rules of one column at work on a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns._values import instant
from skcorrupt.utils import MISSING, Cells, Table, as_floats, shorten

from ..kinds._edit_forms import KEEP, LOST, RELATIONS, Cell, made
from ._seen_errors import is_twin

_TIMES: dict[str, tuple[tuple[type, ...], Callable[[Any], pd.Index]]] = {
    "datetime": ((pd.Timestamp, np.datetime64), pd.DatetimeIndex),
    "timedelta": ((pd.Timedelta, np.timedelta64), pd.TimedeltaIndex),
}


class SeenRules:
    """Wrong values of a column, put together rule by rule.

    Parameters
    ----------
    rules : list of dict
        Its rules, as JSON types.
    table : Table
        The clean table.
    column : int
        Position of the column.
    place : callable
        The position of a column by its label.
    """

    def __init__(
        self, rules: list[dict[str, Any]], table: Table, column: int, place: Callable[[Any], int]
    ) -> None:
        self._rules = rules
        self._table = table
        self._column = column
        self._place = place
        self._new: dict[int, Any] = {}
        self._known: dict[Any, Cell] = {}
        self._before: dict[tuple[Any, Any, bool], np.ndarray] = {}
        values = table.values(column)
        self._values = values
        self._missing = table.missing(column)

    def put(
        self,
        rows: np.ndarray,
        pending: np.ndarray,
        chosen: np.ndarray,
        u: np.ndarray,
        struck: set[int],
    ) -> np.ndarray:
        """Make wrong values in some of the struck rows, in place of what was made there before.

        Parameters
        ----------
        rows : ndarray of int, shape (n_struck,)
            The struck rows.
        pending : ndarray of int
            Which of them are at work.
        chosen : ndarray of int, shape of `pending`
            The rule of each, -1 for none.
        u : ndarray of float, shape (n_struck,)
            A draw for each struck row.
        struck : set of int
            Rows from which no other row takes its value.

        Returns
        -------
        ndarray of bool, shape of `pending`
            Whether each could be made.
        """
        done = np.ones(len(pending), dtype=bool)
        for i, (at, rule) in enumerate(zip(pending.tolist(), chosen.tolist(), strict=True)):
            row = int(rows[at])
            self._new.pop(row, None)
            if rule < 0:
                continue
            value = self._by_rule(rule, row, float(u[at]), struck)
            if value is KEEP:
                done[i] = False
            else:
                self._new[row] = value
        return done

    def _cell(self, row: int, column: int | None = None) -> Cell:
        j = self._column if column is None else column
        missing = self._missing if column is None else self._table.missing(j)
        if missing[row]:
            return Cell(None)
        value = self._values[row] if column is None else self._table.values(j)[row]
        if isinstance(value, str) and not value.strip():
            return Cell(None)
        return Cell(
            value.item() if isinstance(value, np.generic) and value.dtype.kind in "biuf" else value
        )

    def _by_rule(self, number: int, row: int, u: float, struck: set[int]) -> Any:
        try:
            return self._made(number, row, u, struck)
        except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
            label = self._table.labels[self._column]
            raise ValueError(
                f"seen: rule {shorten(self._rules[number])} of {label!r} cannot be applied "
                f"({type(error).__name__}: {error}); seen should be made by learn_errors."
            ) from error

    def _made(self, number: int, row: int, u: float, struck: set[int]) -> Any:
        rule = self._rules[number]
        form, params = rule["form"], rule["params"]
        cell = self._cell(row)
        if form == "lost":
            if cell.value is None:
                return KEEP
            return LOST if params["text"] is None else params["text"]
        if form in RELATIONS:
            return self._related(form, params, row, cell, struck)
        if "values" in params and cell.text not in params["values"]:
            params = self._twin(params, cell)
        if form == "constant" and self._values.dtype.kind in "mM":
            params = params | {"value": self._moment(params["value"])}
        return made(form, params, cell, u)

    def _moment(self, value: Any) -> Any:
        """A default as a column of times holds it; rules keep times as texts."""
        if self._values.dtype.kind == "m":
            length = pd.to_timedelta(value, errors="coerce") if isinstance(value, str) else pd.NaT
            return value if pd.isna(length) else length.to_timedelta64()
        moment = instant(value) if isinstance(value, str) else None
        if moment is None:
            return value
        moment = moment if moment.tz is None else moment.tz_convert("UTC").tz_localize(None)
        return moment.to_datetime64()

    def _twin(self, params: dict[str, Any], cell: Cell) -> dict[str, Any]:
        """Of rules that write the same words, the one that wrote this value."""
        for each in self._rules:
            if each["form"] == "unit" and is_twin(each["params"], params):
                if cell.text in each["params"].get("values", ()):
                    return dict(each["params"])
        return params

    def _related(
        self, form: str, params: dict[str, Any], row: int, cell: Cell, struck: set[int]
    ) -> Any:
        if form in ("column", "appended"):
            other = self._cell(row, self._place(params["column"]))
            if other.value is None:
                return KEEP
            if form == "column":
                return KEEP if other.value == cell.value else other.value
            if cell.text is None:
                return KEEP
            parts = [cell.text, params["between"], str(other.text)]
            return "".join(parts if params["where"] == "after" else parts[::-1])
        before = self._rows_before(params)
        source = row
        for _ in range(abs(params.get("offset", 1))):
            source = int(before[source]) if source >= 0 else -1
        if form == "stuck":
            while source >= 0 and source in struck:
                source = int(before[source])
        if source < 0:
            return KEEP
        value = self._cell(source).value
        return KEEP if value is None or value == cell.value else value

    def _rows_before(self, params: dict[str, Any]) -> np.ndarray:
        backward = params.get("offset", 1) < 0
        key = (params.get("order"), params.get("group"), backward)
        if key not in self._before:
            self._before[key] = self._ordered(params, backward)
        return self._before[key]

    def _ordered(self, params: dict[str, Any], backward: bool) -> np.ndarray:
        n = self._table.n_rows
        order, groups = np.arange(n), np.zeros(n, dtype=np.int64)
        if "order" in params:
            j = self._place(params["order"])
            keys = as_floats(self._table.values(j)).astype(float)
            keys[self._table.missing(j)] = np.inf
            order = np.argsort(keys, kind="stable")
        if "group" in params:
            values = self._table.values(self._place(params["group"]))
            groups = pd.factorize(values)[0]
            order = order[np.argsort(groups[order], kind="stable")]
        order = order[::-1] if backward else order
        before = np.full(n, -1)
        # rows of which the group is not known have no row before them
        same = (groups[order[1:]] == groups[order[:-1]]) & (groups[order[1:]] >= 0)
        before[order[1:][same]] = order[:-1][same]
        return before

    def cells(self, rows: np.ndarray) -> Cells:
        """The new values, for the rows that have one."""
        struck = np.array([row for row in rows.tolist() if row in self._new], dtype=np.intp)
        values = [self._new[row] for row in struck.tolist()]
        if not len(struck):
            return Cells(struck, struck)
        if all(value is LOST for value in values):
            return Cells(struck, MISSING)
        return Cells(struck, self._together(values))

    def _together(self, values: list[Any]) -> np.ndarray:
        """Values as an array of the kind that the column has, where they are of it."""
        kind = self._table.kind(self._column)
        out = np.empty(len(values), dtype=object)
        out[:] = [None if value is LOST else value for value in values]
        if kind in ("integer", "real", "bool"):
            plain = [np.nan if value is LOST else value for value in values]
            if kind == "bool" and all(value in (0, 1, None) for value in out):
                out[:] = [None if value is None else bool(value) for value in out]
                return out if None in out else out.astype(bool)
            if all(isinstance(value, (int, float, np.number)) for value in plain):
                return np.array(plain, dtype=float)
        if kind in _TIMES:
            held, convert = _TIMES[kind]
            plain = [pd.NaT if value is LOST else value for value in values]
            if all(isinstance(value, (*held, type(pd.NaT))) for value in plain):
                return convert(plain).to_numpy()
        return out
