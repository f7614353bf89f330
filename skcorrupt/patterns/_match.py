"""Which cells of a column satisfy a condition, by the kind of values the column holds."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from ..utils import HeldRows, Table, as_table, cut, shorten
from ._condition import Condition
from ._names import quote
from ._times import holds_dates, moments
from ._values import Scalar, cell_token, group, instant, token

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
}
_HELD = {"bool": "True or False", "number": "numbers", "text": "strings"}
_LISTED = 20
# share of the cells up to which distinct strings are matched in their place
FEW_DISTINCT = 0.5
ASKED_ONCE = "asked once"


def match_column(table: Table, j: int, condition: Condition, name: str) -> np.ndarray:
    """Boolean array, True where a cell of column `j` satisfies the condition.

    Raises
    ------
    ValueError
        If a value of the condition is of a type that the column does not have.
    """
    return _match(table, j, condition, f"column {cut(quote(name))}", every=False)


def match_label(table: Table, condition: Condition) -> np.ndarray:
    """Boolean array, True where the label satisfies the condition.

    Raises
    ------
    ValueError
        If a value of the condition is of a type that the label does not have.
    """
    try:
        return _match(table, 0, condition, "the label y", every=True)
    except ValueError as error:
        raise ValueError(f"{error}. The label values there are: {_label_values(table)}") from None


def one_column(values: Any, name: str) -> Table:
    """An array-like as a table of one column.

    Raises
    ------
    ValueError
        If it is a single value or has several columns.
    """
    if isinstance(values, (str, bytes, Mapping)) or np.isscalar(values):
        raise ValueError(
            f"{name} should be an array with one entry for each row, got {shorten(values)}"
        )
    if hasattr(values, "to_frame"):
        values = values.to_frame()
    elif isinstance(values, (list, tuple, pd.api.extensions.ExtensionArray)):
        nested = len(values) > 0 and all(isinstance(v, (list, tuple, np.ndarray)) for v in values)
        values = np.asarray(values) if nested else pd.Series(values).to_frame()
    elif not (isinstance(values, Table) or sparse.issparse(values) or hasattr(values, "columns")):
        values = np.asarray(values)
    if isinstance(values, np.ndarray):
        if values.ndim not in (1, 2):
            raise ValueError(f"{name} should be one-dimensional, got {values.ndim} dimensions")
        values = values.reshape(-1, 1) if values.ndim == 1 else values
    table = as_table(values)
    if table.n_columns != 1:
        raise ValueError(f"{name} has {table.n_columns} columns; pass one of them")
    return table


def label_table(y: Any, n_rows: int) -> Table:
    """The labels as a table of one column.

    Raises
    ------
    ValueError
        If they are not one column of `n_rows` labels.
    """
    labels = one_column(y, "y")
    if labels.n_rows != n_rows:
        raise ValueError(f"y has {labels.n_rows} labels, but X has {n_rows} rows")
    return labels


def _label_values(table: Table) -> str:
    values = table.values(0)[~table.missing(0)]
    cells = pd.Series(values if values.dtype.kind == "O" else pd.unique(values))
    distinct = sorted({found for found in map(cell_token, cells) if found is not None})
    shown = ", ".join(shorten(value) for _, value in distinct[:_LISTED])
    more = f", … (+{len(distinct) - _LISTED} more)" if len(distinct) > _LISTED else ""
    return f"{shown}{more}" if shown else "none"


def _match(table: Table, j: int, condition: Condition, subject: str, every: bool) -> np.ndarray:
    if condition.values is None and not condition.bounds:
        return ~table.missing(j)
    if any(isinstance(bound, str) for bound in condition.bounds.values()):
        ranked = _category_codes(table, j)
        if ranked is not None:
            return _match_order(*ranked, condition.bounds, subject)
    found = table.matching_texts(j, lambda cells: _match_objects(cells, condition, subject, every))
    if found is not None:
        return found
    values = table.values(j)
    kind = values.dtype.kind
    if kind in "biuf":
        return _match_numbers(values, condition, subject)
    if kind == "M":
        return _match_moments(moments(values, table.time_zone(j)), condition, subject)
    if kind == "m":
        return _match_durations(pd.Series(values), condition, subject)
    if kind != "O":
        raise ValueError(f"{subject} has dtype {values.dtype}, which patterns cannot read")
    known = _coded_texts(table, j)
    if known is not None:
        codes, distinct = known
        return np.append(_match_objects(distinct, condition, subject, every), False)[codes]
    out = np.zeros(table.n_rows, dtype=bool)
    present = ~table.missing(j)
    out[present] = _match_objects(values[present], condition, subject, every)
    return out


def _coded_texts(table: Table, j: int) -> tuple[np.ndarray, np.ndarray] | None:
    """A column of strings as codes, −1 where missing, and what they stand for.

    It is worked out when a table is asked about a column again. None before that, where most
    strings are different ones, and where cells are anything else, as equal ones are not always
    alike then.
    """
    key, known = ("texts", j), table.worked_out
    if key not in known:
        known[key] = ASKED_ONCE
        return None
    if known[key] is ASKED_ONCE:
        values = table.values(j)
        known[key] = None
        if pd.api.types.infer_dtype(values, skipna=True) == "string":
            codes, distinct = pd.factorize(values)
            if len(distinct) <= FEW_DISTINCT * len(values):
                known[key] = codes.astype(np.int32), distinct
    found: tuple[np.ndarray, np.ndarray] | None = known[key]
    return found


def _scalars(condition: Condition) -> Iterable[Scalar]:
    return condition.values if condition.values is not None else condition.bounds.values()


def _conjunction(cells: Any, bounds: Mapping[str, Any], compare: Callable[..., Any]) -> np.ndarray:
    masks = [np.asarray(compare(cells, name, bound)) for name, bound in bounds.items()]
    return masks[0] if len(masks) == 1 else masks[0] & masks[1]


def _match_numbers(values: np.ndarray, condition: Condition, subject: str) -> np.ndarray:
    for value in _scalars(condition):
        if isinstance(value, str):
            raise ValueError(
                f"{subject} holds numbers, but {shorten(value)} is a string; write a number "
                "without quotes"
            )
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    if condition.values is None:
        return _conjunction(values, condition.bounds, _beyond)
    wanted = [_exact(value, values.dtype) for value in condition.values]
    held = [value for value in wanted if value is not None]
    if not held:
        return np.zeros(len(values), dtype=bool)
    if len(held) == 1:
        return values == held[0]
    return np.isin(values, np.array(held, dtype=values.dtype))


def _exact(value: Any, dtype: np.dtype) -> Any:
    """The number as the column's type holds it, or None if no cell can equal it."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        whole = isinstance(value, int) or value.is_integer()
        return dtype.type(value) if whole and limits.min <= value <= limits.max else None
    rounded = _rounded(value, dtype)
    if isinstance(value, int):
        return rounded if float(rounded) == value else None
    return None if np.isinf(rounded) and not math.isinf(value) else rounded


def _rounded(value: int | float, dtype: np.dtype) -> Any:
    with np.errstate(over="ignore"):
        try:
            return dtype.type(value)
        except OverflowError:
            return dtype.type(math.inf if value > 0 else -math.inf)


def _beyond(values: np.ndarray, name: str, bound: int | float) -> np.ndarray:
    """Compare a column with a bound, exactly even where the column's type cannot hold it."""
    upper = name in ("le", "lt")
    if values.dtype.kind in "iu":
        limits = np.iinfo(values.dtype)
        if not limits.min <= bound <= limits.max:
            return np.full(len(values), (bound > limits.max) == upper)
        if isinstance(bound, float) and not bound.is_integer():
            name, bound = ("le", math.floor(bound)) if upper else ("ge", math.ceil(bound))
        return _COMPARE[name](values, values.dtype.type(int(bound)))
    held = _rounded(bound, values.dtype)
    if isinstance(bound, float):
        if np.isinf(held) and not math.isinf(bound):
            return _COMPARE[name](values.astype(np.float64), bound)
        return _COMPARE[name](values, held)
    if float(held) > bound:
        name = "lt" if upper else "ge"
    elif float(held) < bound:
        name = "le" if upper else "gt"
    return _COMPARE[name](values, held)


def _match_moments(cells: pd.Series, condition: Condition, subject: str) -> np.ndarray:
    zone = cells.dt.tz

    def read(value: Scalar) -> pd.Timestamp:
        moment = instant(value) if isinstance(value, str) else None
        if moment is None:
            raise ValueError(
                f"{subject} holds dates, but {shorten(value)} is not an ISO 8601 date; write it "
                "like '2024-01-31' or '2024-01-31T12:00'"
            )
        if zone is None and moment.tz is not None:
            raise ValueError(
                f"{subject} holds dates without a time zone, but {shorten(value)} has one; write "
                "it without"
            )
        if zone is not None and moment.tz is None:
            return moment.tz_localize(zone, ambiguous=True, nonexistent="shift_forward")
        return moment

    return _match_times(cells, condition, subject, read)


def _match_durations(durations: pd.Series, condition: Condition, subject: str) -> np.ndarray:
    def read(value: Scalar) -> Any:
        try:
            duration = pd.Timedelta(value) if isinstance(value, str) else pd.NaT
        except ValueError:
            duration = pd.NaT
        if duration is pd.NaT:
            raise ValueError(
                f"{subject} holds durations, but {shorten(value)} is none; write it like "
                "'1 days 12:00:00'"
            )
        return duration

    return _match_times(durations, condition, subject, read)


def _match_times(
    cells: pd.Series, condition: Condition, subject: str, read: Callable[[Scalar], Any]
) -> np.ndarray:
    if condition.values is not None:
        out = np.zeros(len(cells), dtype=bool)
        for value in condition.values:
            out |= (cells == read(value)).to_numpy()
        return out
    bounds = {name: read(bound) for name, bound in condition.bounds.items()}
    _refuse_crossed(list(bounds.values()), condition.bounds, subject)
    return _conjunction(cells, bounds, lambda c, name, b: _COMPARE[name](c, b))


def _refuse_crossed(ranks: list[Any], bounds: Mapping[str, Any], subject: str) -> None:
    if len(ranks) == 2 and ranks[0] > ranks[1]:
        first, last = map(shorten, bounds.values())
        raise ValueError(f"{first} comes after {last} in {subject}; the lower bound comes first")


def _category_codes(table: Table, j: int) -> tuple[list[Any], np.ndarray] | None:
    """Categories in order and each cell's position among them (-1: missing), if ordered."""
    ranked = table.categories(j)
    if ranked is None:
        return None
    if table.container == "pandas" and not isinstance(table, HeldRows):
        return ranked, table.source.iloc[:, j].cat.codes.to_numpy()
    # rows of a part have other columns than the table that they are of
    cells = pd.Index(table.values(j), dtype=object)
    return ranked, np.asarray(pd.Index(ranked, dtype=object).get_indexer(cells))


def _match_order(
    categories: list[Any], codes: np.ndarray, bounds: Mapping[str, Any], subject: str
) -> np.ndarray:
    ranks = {cell_token(category): i for i, category in enumerate(categories)}
    for bound in bounds.values():
        if token(bound) not in ranks:
            shown = ", ".join(shorten(found[1]) for found in list(ranks)[:_LISTED] if found)
            raise ValueError(
                f"{shorten(bound)} is not a category of {subject}; its categories in order are: "
                f"{shown}"
            )
    places = {name: ranks[token(bound)] for name, bound in bounds.items()}
    _refuse_crossed(list(places.values()), bounds, subject)
    return (codes >= 0) & _conjunction(codes, places, lambda c, name, b: _COMPARE[name](c, b))


def _match_objects(
    cells: np.ndarray, condition: Condition, subject: str, every: bool
) -> np.ndarray:
    """Match non-missing Python objects; those that no pattern can name match nothing."""
    held = pd.api.types.infer_dtype(cells, skipna=False)
    asked = [group(value) for value in _scalars(condition)]
    if held == "boolean" and "text" not in asked:
        return _match_numbers(cells.astype(bool), condition, subject)
    if "text" in asked and holds_dates(cells):
        return _match_moments(moments(cells), condition, subject)
    if held == "period" and condition.values is None and "text" in asked:
        raise ValueError(
            f"{subject} holds periods, which patterns read as texts, so it has no ranges; use == "
            "or in, or convert the column by .dt.to_timestamp()"
        )
    if held == "string":
        tokens, present = [], {"text"} if len(cells) else set()
    else:
        tokens = [cell_token(cell) for cell in cells]
        present = {found[0] for found in tokens if found is not None}
    _check_types(condition, present, subject, every)
    if condition.values is not None:
        if held == "string":
            wanted = [value for value in condition.values if isinstance(value, str)]
            return pd.Series(cells, dtype=object).isin(wanted).to_numpy()
        allowed = {token(value) for value in condition.values}
        return np.array([found in allowed for found in tokens], dtype=bool)
    out = np.zeros(len(cells), dtype=bool)
    for i, found in enumerate(tokens):
        if found is not None and found[0] == "number":
            out[i] = all(_COMPARE[n](found[1], b) for n, b in condition.bounds.items())
    return out


def _check_types(condition: Condition, present: set[str], subject: str, every: bool) -> None:
    if condition.values is None and "text" in map(group, condition.bounds.values()):
        raise ValueError(
            f"{subject} holds text without an order, so it has no ranges; use == or in, or make "
            "it an ordered categorical"
        )
    strange = [value for value in _scalars(condition) if group(value) not in present]
    n_asked = len(list(_scalars(condition)))
    if not present or not strange or (not every and len(strange) < n_asked):
        return
    value = strange[0]
    held = " and ".join(_HELD[kind] for kind in sorted(present))
    kind = {"bool": "a truth value", "number": "a number", "text": "a string"}[group(value)]
    remedy = f"; write {shorten(str(value))}" if present == {"text"} and condition.values else ""
    raise ValueError(f"{subject} holds {held}, but {shorten(value)} is {kind}{remedy}")
