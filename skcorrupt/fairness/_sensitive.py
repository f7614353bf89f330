"""The groups that are compared."""

from __future__ import annotations

import itertools
from collections.abc import Container, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.metrics._groups import is_several, listed, privileged_rows, sensitive_column
from skcorrupt.patterns import Pattern
from skcorrupt.patterns._times import as_told
from skcorrupt.utils import as_column, as_table
from skcorrupt.utils._typing import TableLike

FEW_PEOPLE = 30
TIMES = " × "
OTHERS = "all others"


@dataclass(frozen=True)
class GroupPair:
    """Two groups that are compared.

    Attributes
    ----------
    sensitive : str
        The attribute, or several joined by "×".
    unprivileged, privileged : str
        The groups.
    rows : ndarray of float, shape (n_samples,)
        1 for the privileged, 0 for the unprivileged, NaN for all others.
    is_cell : bool
        Whether the unprivileged are one intersection of several.
    """

    sensitive: str
    unprivileged: str
    privileged: str
    rows: np.ndarray
    is_cell: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The attribute and both groups, as tables name them."""
        group = f"{self.unprivileged} / {self.privileged}"
        return {"sensitive": self.sensitive, "group": group}

    @property
    def message(self) -> str:
        """What to keep in mind about them, or ""."""
        few = [
            f"{n} {'person' if n == 1 else 'people'} in {name!r}"
            for a, name in ((0, self.unprivileged), (1, self.privileged))
            for n in [int((self.rows == a).sum())]
            if n < FEW_PEOPLE
        ]
        return f"only {' and '.join(few)}" if few else ""


def group_pairs(
    X: TableLike, sensitive: Any, privileged: Any, given: Any = None
) -> list[GroupPair]:
    """The groups that are compared.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The raw data.
    sensitive : label, or list of labels and of tuples of labels
        Columns of X; a tuple is for intersections of its columns.
    privileged : value, collection of values, Pattern, or mapping of label to one of these
        Who is privileged; a mapping where there are several columns.
    given : array-like of shape (n_samples,) or (n_samples, n_attributes), default=None
        The attributes themselves, in place of columns of X.

    Returns
    -------
    list of GroupPair
        For a column its privileged group and all others, named where they have a single value; for
        a tuple those privileged in all of its columns and every other combination.

    Raises
    ------
    ValueError
        If a column or a privileged value is not there.
    """
    wanted, attributes = _attributes(X, sensitive, given)
    source = X if given is None else pd.DataFrame(attributes)
    pairs = []
    for name in wanted:
        if isinstance(name, tuple) and name not in attributes:
            pairs += _intersections(X, source, name, attributes, privileged)
            continue
        who = _privileged(privileged, name, len(attributes))
        rows = _rows(X, source, attributes[name], who)
        pairs.append(GroupPair(str(name), _others(attributes[name], who, rows), _shown(who), rows))
    return pairs


def _others(values: np.ndarray, who: Any, rows: np.ndarray) -> str:
    """The only value of those who are not privileged, and what they are called where it is none."""
    if isinstance(who, Pattern):
        return OTHERS
    names = {_shown(value) for value in values[rows == 0]}
    return names.pop() if len(names) == 1 else OTHERS


def values_given(sensitive: Any, n_rows: int) -> tuple[Any, Any]:
    """Tell names of columns from the attributes themselves.

    Parameters
    ----------
    sensitive : label, list of labels, or table or array of n_rows rows
        As the user gave it.
    n_rows : int
        Rows of the data.

    Returns
    -------
    names : label, list of labels or None
        The names, None where there are values.
    values : table, array or None
        The values, None where there are names.

    Raises
    ------
    ValueError
        If the attributes have another number of rows.
    """
    is_frame = hasattr(sensitive, "columns") and hasattr(sensitive, "shape")
    is_table = is_frame or isinstance(sensitive, pd.Series)
    if is_table and sensitive.shape[0] != n_rows:
        raise ValueError(
            f"sensitive_features has {sensitive.shape[0]} rows, but X has {n_rows}; it should have "
            "one value per row."
        )
    if is_table or (isinstance(sensitive, np.ndarray) and sensitive.shape[:1] == (n_rows,)):
        return None, sensitive
    return sensitive, None


def _attributes(
    X: TableLike, sensitive: Any, given: Any
) -> tuple[list[Any], dict[Hashable, np.ndarray]]:
    """What is asked for, and the values of every attribute in it."""
    several = isinstance(sensitive, (list, set, np.ndarray, pd.Index))
    several = several and getattr(sensitive, "ndim", 1) != 0
    wanted = list(sensitive) if several else [sensitive]
    if not all(isinstance(name, Hashable) for name in wanted):
        raise ValueError(
            f"sensitive_features={sensitive!r} should name a column of X or list some; the "
            "attributes themselves should have a row for each of X."
        )
    wanted = list(dict.fromkeys(wanted))
    if given is not None:
        attributes = _given(given, as_table(X).n_rows)
        named = {part for name in wanted for part in _parts(name, attributes)}
        # a table may be asked for intersections of its columns, an array has no names
        return wanted if named and named <= set(attributes) else list(attributes), attributes
    if not wanted or wanted == [None] or (isinstance(sensitive, tuple) and not sensitive):
        raise ValueError(
            f"sensitive_features={sensitive!r} names no column of X; name one, or pass the "
            "attribute itself as fit(X, y, sensitive_features=…)."
        )
    labels = as_table(X).labels
    parts = [part for name in wanted for part in _parts(name, labels)]
    return wanted, {part: sensitive_column(X, part) for part in parts}


def _parts(name: Any, labels: Container[Any]) -> tuple[Any, ...]:
    """The columns of an intersection; a tuple may be the name of a column itself."""
    return name if isinstance(name, tuple) and name not in labels else (name,)


def _given(given: Any, n_rows: int) -> dict[Hashable, np.ndarray]:
    if hasattr(given, "columns"):
        table = as_table(given)
        attributes = {name: as_told(table, k) for k, name in enumerate(table.labels)}
    else:
        values = np.asarray(given)
        if values.ndim == 2 and values.shape[1] > 1:
            attributes = {f"sensitive_{k}": column for k, column in enumerate(values.T)}
        else:
            name = getattr(given, "name", None)
            name = "sensitive_features" if name in (None, "") else name
            attributes = {name: as_column(given, "sensitive_features")}
    n_given = {len(values) for values in attributes.values()}
    if n_given != {n_rows}:
        raise ValueError(
            f"sensitive_features has {', '.join(map(str, n_given)) or 'no'} rows, but X has "
            f"{n_rows}; it should have one value per row."
        )
    return attributes


def _privileged(privileged: Any, name: Any, n_attributes: int) -> Any:
    if isinstance(privileged, Mapping):
        if name not in privileged:
            raise ValueError(
                f"privileged={dict(privileged)!r} does not say who is privileged in {name!r}."
            )
        return privileged[name]
    if n_attributes > 1:
        raise ValueError(
            f"privileged={privileged!r} should be a mapping of each sensitive attribute to its "
            "privileged values, as there are several attributes."
        )
    return privileged


def _rows(X: TableLike, source: TableLike, values: np.ndarray, who: Any) -> np.ndarray:
    if isinstance(who, Pattern) and set(who.columns) <= set(as_table(source).labels):
        X = source
    rows = privileged_rows(values, who, X)
    known = pd.Series(values, dtype=object)
    # a range of numbers may well be wider than the data, a misspelt name is a mistake
    names = [each for each in who if isinstance(each, str)] if is_several(who) else []
    absent = [each for each in names if not known.isin([each]).any()]
    if absent:
        raise ValueError(
            f"privileged={who!r}: {absent} are not among the values of the sensitive attribute, "
            f"{listed(known.dropna())}."
        )
    return rows


def _shown(who: Any) -> str:
    if is_several(who):
        return ", ".join(map(_shown, who))
    # a column of whole numbers may have come as floats
    return str(int(who)) if isinstance(who, float) and who.is_integer() else str(who)


def _intersections(
    X: TableLike,
    source: TableLike,
    names: tuple[Any, ...],
    attributes: Mapping[Hashable, np.ndarray],
    privileged: Any,
) -> list[GroupPair]:
    bests, columns = [], []
    for name in names:
        who = _privileged(privileged, name, len(names))
        rows = _rows(X, source, attributes[name], who)
        shown = np.array([_shown(value) for value in attributes[name]], dtype=object)
        if isinstance(who, Pattern):
            shown[:] = OTHERS
        bests.append(_shown(who))
        shown[rows == 1] = bests[-1]
        shown[np.isnan(rows)] = None
        columns.append(shown)
    cells = np.column_stack(columns)
    top = (cells == np.array(bests, dtype=object)).all(axis=1)
    best, name = TIMES.join(bests), TIMES.join(map(str, names))
    if not top.any():
        raise ValueError(
            f"privileged: nobody is {best!r} at once, so that no intersection of {name} can be "
            "compared with it; choose other privileged values."
        )
    pairs = []
    for cell in itertools.product(*(sorted(set(shown) - {None}) for shown in columns)):
        here = (cells == np.array(cell, dtype=object)).all(axis=1)
        if here.any() and not (here & top).any():
            rows = np.where(top, 1.0, np.where(here, 0.0, np.nan))
            pairs.append(GroupPair(name, TIMES.join(cell), best, rows, True))
    return pairs
