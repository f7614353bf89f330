"""Votes of crowd workers from a table with one row per judgement."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, Literal

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import TableLike

from ..utils import Table, as_table, check_choice, resolve_columns
from ._votes import ABSTAIN

CONFLICTS = ("raise", "abstain", "first")
_SHOWN = 10


def votes_from_long(
    table: TableLike,
    *,
    item: Hashable,
    worker: Hashable,
    label: Hashable,
    labels: Mapping[Any, int | None] | Sequence[Any] | None = None,
    items: Sequence[Any] | None = None,
    conflicts: Literal["raise", "abstain", "first"] = "raise",
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Make a matrix of votes of a table with one row per judgement, each worker being a function.

    Parameters
    ----------
    table : DataFrame or ndarray of shape (n_judgements, n_columns)
        Who judged what how.
    item, worker, label : label
        Its columns; for arrays x0, x1, … or positions. A missing label is no judgement.
    labels : sequence, or dict of label to int or None, default=None
        The labels in the order of the classes 0, 1, …; or the class of each, −1 or None for labels
        that are abstentions, such as "can't tell". None takes the labels there are, sorted.
    items : sequence, default=None
        The items that are to be the rows, in this order, those that nobody judged included; the
        judgements of others are left out. None takes all in order of appearance.
    conflicts : {"raise", "abstain", "first"}, default="raise"
        What becomes of a worker's different judgements of the same item: an error, no vote, or
        the first counts. The same judgement twice is always one vote.

    Returns
    -------
    L : ndarray of int64, shape (n_items, n_workers)
        The votes, −1 where a worker did not judge.
    items : ndarray of shape (n_items,)
        The item of each row.
    workers : ndarray of shape (n_workers,)
        The worker of each column, all of the table's in order of appearance.
    classes : ndarray of shape (n_classes,)
        What the votes 0, 1, … stand for.

    Raises
    ------
    ValueError
        If a column is absent or has cells that cannot be compared, such as lists, an item or
        worker is missing, a label has no class, `labels` or `items` are no lists or name something
        twice, or a worker judges an item differently.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.curation import votes_from_long
    >>> table = pd.DataFrame(
    ...     {
    ...         "tweet": ["a", "a", "b"],
    ...         "worker": ["Ann", "Bo", "Bo"],
    ...         "answer": ["sun", "rain", "sun"],
    ...     }
    ... )
    >>> L, items, workers, classes = votes_from_long(
    ...     table, item="tweet", worker="worker", label="answer", labels=["sun", "rain"]
    ... )
    >>> L
    array([[ 0,  1],
           [-1,  0]])
    >>> workers, classes
    (array(['Ann', 'Bo'], dtype=object), array(['sun', 'rain'], dtype=object))
    """
    check_choice("conflicts", conflicts, CONFLICTS)
    data = as_table(table)
    if not data.n_rows:
        raise ValueError("table has no rows; it should have one a judgement.")
    everything = np.arange(data.n_rows)
    columns = {"item": item, "worker": worker, "label": label}
    places = {
        name: resolve_columns(data, [column], parameter=name)[0] for name, column in columns.items()
    }
    (row_codes, known_items), (worker_codes, workers), (label_codes, found) = (
        _coded(data, j, everything, f"{name}={columns[name]!r}") for name, j in places.items()
    )
    for name, codes in (("item", row_codes), ("worker", worker_codes)):
        if (codes < 0).any():
            raise ValueError(
                f"{name}={columns[name]!r} is missing in row {np.argmin(codes)} of the table; "
                "drop such rows first."
            )
    workers = np.asarray(workers)
    classes, class_of = _coding(found, labels)
    # a code of −1, a missing label, takes the last entry
    votes = np.append(class_of, ABSTAIN)[label_codes]
    known_items = np.asarray(known_items)
    if items is not None:
        known_items, row_codes = _chosen(known_items, row_codes, items)
    told = pd.DataFrame({"item": row_codes, "worker": worker_codes, "vote": votes})
    told = told[(votes != ABSTAIN) & (row_codes >= 0)].drop_duplicates()
    torn = told.duplicated(["item", "worker"], keep=False)
    if conflicts == "raise" and torn.any():
        raise _conflict(told[torn], known_items, workers, classes)
    told = told[~torn] if conflicts == "abstain" else told.drop_duplicates(["item", "worker"])
    L = np.full((len(known_items), len(workers)), ABSTAIN, dtype=np.int64)
    L[told["item"], told["worker"]] = told["vote"]
    return L, known_items, workers, classes


def _coding(
    found: np.ndarray, labels: Mapping[Any, int | None] | Sequence[Any] | None
) -> tuple[np.ndarray, np.ndarray]:
    """What the classes stand for, and the class of each label found."""
    values = np.asarray(found).tolist()
    if not isinstance(labels, Mapping):
        listed = _sorted(values) if labels is None else _values("labels", labels)
        labels = {value: code for code, value in enumerate(listed)}
        if len(labels) < len(listed):
            raise ValueError(f"labels={listed!r} names a label twice; name each once.")
    coding: dict[Any, int] = {}
    for value, code in labels.items():
        whole = isinstance(code, Integral) and not isinstance(code, bool)
        if code is not None and not (whole and code >= ABSTAIN):
            raise ValueError(
                f"labels maps {value!r} to {code!r}; a class is a whole number from 0, and None "
                "an abstention."
            )
        coding[value] = ABSTAIN if code is None else int(code)
    named = sorted((code, k) for k, code in enumerate(coding.values()) if code != ABSTAIN)
    if [code for code, _ in named] != list(range(len(named))):
        raise ValueError(
            f"labels maps to the classes {[code for code, _ in named]}; each of 0, 1, … should "
            "stand for one label, without gaps: merge labels in the table first."
        )
    unknown = [value for value in values if value not in coding]
    if unknown:
        raise ValueError(
            f"labels has no class for {_listed(unknown)}; add one, or map it to None if it is an "
            f"abstention. It has {_listed(list(coding))}."
        )
    classes = [list(coding)[k] for _, k in named]
    return _as_array(classes), np.array([coding[value] for value in values], dtype=np.int64)


def _sorted(values: list[Any]) -> list[Any]:
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    if numbers and min(numbers) < 0:
        raise ValueError(
            f"label holds {min(numbers)!r}, which may be a class or an abstention; say which, by "
            f"labels={sorted(numbers)!r} or labels={{{min(numbers)!r}: None, …}}."
        )
    try:
        return sorted(values)
    except TypeError:
        raise ValueError(
            f"label holds values that have no order, {_listed(values)}; pass labels=[…] in the "
            "order of the classes."
        ) from None


def _chosen(known: np.ndarray, codes: np.ndarray, items: Any) -> tuple[np.ndarray, np.ndarray]:
    """The wanted items, and the row of each judgement among them, −1 where it is of another."""
    wanted = _as_array(_values("items", items))
    index = pd.Index(wanted)
    if not index.is_unique:
        raise ValueError(
            f"items names {_listed(index[index.duplicated()].tolist())} more than once; name each "
            "item once."
        )
    rows = index.get_indexer(pd.Index(known))
    if not (rows >= 0).any():
        raise ValueError(
            f"items has none of the items of the table, such as {_listed(known[:3].tolist())}; "
            "pass identifiers of the same kind."
        )
    return wanted, rows[codes]


def _conflict(
    torn: pd.DataFrame, items: np.ndarray, workers: np.ndarray, classes: np.ndarray
) -> ValueError:
    """The error that names a worker who judges the same item differently."""
    cell = ["item", "worker"]
    other = torn[torn.duplicated(cell)].iloc[0]
    first = torn[(torn[cell] == other[cell]).all(axis=1)].iloc[0]
    said = classes[[first["vote"], other["vote"]]].tolist()
    return ValueError(
        f"label: a worker judges the same item differently {torn.groupby(cell).ngroups} time(s), "
        f"such as worker {_listed(workers[[other['worker']]].tolist())} item "
        f"{_listed(items[[other['item']]].tolist())}, as {said[0]!r} and as {said[1]!r}; pass "
        "conflicts='abstain' or 'first', or correct them."
    )


def _coded(data: Table, j: int, rows: np.ndarray, where: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        return data.coded(j, rows)
    except TypeError:
        raise ValueError(
            f"{where} holds values that cannot be compared, such as lists; turn its cells into "
            "strings or tuples first."
        ) from None


def _values(name: str, given: Any) -> list[Any]:
    """What a list of labels or items has, a text being one of them."""
    values = [given] if isinstance(given, str) else given
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise ValueError(f"{name}={given!r} should be a list.")
    values = list(values)
    try:
        set(values)
    except TypeError:
        raise ValueError(
            f"{name}={_listed(values)} holds values that no cell can be compared with, such as "
            "lists; name strings, numbers or tuples."
        ) from None
    return values


def _as_array(values: list[Any]) -> np.ndarray:
    """Numbers as an array of numbers, all else as objects, tuples as they are."""
    numbers = all(isinstance(v, (int, float, np.number)) for v in values)
    if values and numbers and len({isinstance(v, (bool, np.bool_)) for v in values}) == 1:
        return np.asarray(values)
    return np.fromiter(values, dtype=object, count=len(values))


def _listed(values: list[Any]) -> str:
    shown = ", ".join(repr(value) for value in values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown}, … (+{len(values) - _SHOWN} more)"
