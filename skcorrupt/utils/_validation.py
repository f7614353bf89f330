"""Checks of user input shared by all estimators of the package."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import get_tags
from sklearn.utils.validation import check_array, validate_data

from ._columns import pandas_assign
from ._frames import Cells, PandasTable, Table, as_array, as_table
from ._held_rows import HeldRows
from ._labels import check_single, distinct_labels, sorted_labels
from ._moments import Moments
from ._readable import listed_labels
from ._shorten import shorten
from ._warn import warn

SHOWN_COLUMNS = 20
# how alike a name has to be that may have been meant: "income" is 0.6 like "nope"
ALIKE = 0.65


def check_table(estimator: Any, X: Any, *, reset: bool) -> Table:
    """Validate `X` for `estimator` and wrap it, keeping its container and dtypes.

    Parameters
    ----------
    estimator : estimator
        The estimator whose `n_features_in_` and `feature_names_in_` are set or compared.
    X : table of shape (n_samples, n_features)
        DataFrame (pandas or polars), array, nested list or scipy sparse.
    reset : bool
        True in `fit`: remember the columns. False: compare with those remembered.

    Returns
    -------
    Table
        The data behind one interface.
    """
    # asking a lazy frame for its columns would compute them
    is_lazy = hasattr(type(X), "collect")
    is_frame = not is_lazy and hasattr(X, "columns") and hasattr(X, "dtypes")
    _check_dtype(X)
    _check_no_texts(X)
    if isinstance(X, HeldRows):
        validate_data(estimator, X.empty, reset=reset, skip_check_array=True)
        return X
    if sparse.issparse(X):
        accepted = ("csr", "csc", "coo") if get_tags(estimator).input_tags.sparse else False
        X = check_array(
            X, accept_sparse=accepted, ensure_all_finite=False, dtype=None, estimator=estimator
        )
    elif not is_frame and not is_lazy:
        if isinstance(X, (list, tuple)):
            X = as_array(X, "X")
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=estimator)
    table = as_table(X)
    if table.n_rows == 0 or table.n_columns == 0:
        axis = "sample" if table.n_rows == 0 else "feature"
        raise ValueError(
            f"Found array with 0 {axis}(s) (shape=({table.n_rows}, {table.n_columns})) "
            f"while a minimum of 1 is required by {type(estimator).__name__}."
        )
    if isinstance(X, pd.DataFrame) and not X.columns.is_unique:
        # scikit-learn refuses such frames; without names they go by position
        X = X.iloc[:0].set_axis(range(table.n_columns), axis=1)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return table


def check_columns(estimator: Any, schema: Any, *, reset: bool) -> None:
    """Check the columns of a table that is not in memory.

    Parameters
    ----------
    estimator : estimator
        The estimator whose `n_features_in_` and `feature_names_in_` are set or compared.
    schema : dict of str to polars data type
        The columns.
    reset : bool
        True in `fit`: remember the columns. False: compare with those remembered.
    """
    import polars as pl

    validate_data(estimator, pl.DataFrame(schema=schema), reset=reset, skip_check_array=True)


def _check_dtype(X: Any) -> None:
    dtype = getattr(X, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind == "c":
        raise ValueError(
            "Complex data not supported: X holds complex numbers; pass their real and imaginary "
            "parts as two columns."
        )


def _check_no_texts(X: Any) -> None:
    """Refuse paths, and texts in one dimension, as vectorizers take them."""
    if isinstance(X, (str, Path)):
        raise ValueError(
            f"X={shorten(str(X))} is a text or a path, not a table; read it, for example by "
            "pandas.read_parquet, and pass what is in it."
        )
    if not isinstance(X, (list, tuple, np.ndarray, pd.Series)) and not _is_polars_series(X):
        return
    # of lists, whose rows may be unequally long, the first entry tells
    if getattr(X, "ndim", 1) == 1 and len(X) and isinstance(next(iter(X)), str):
        raise ValueError(
            "X is a single column of texts, which vectorizers take, without a name by which errors "
            'could hit it; pass a table of one column, such as pd.DataFrame({"text": X}), and a '
            "pipeline that begins with ColumnTransformer([('text', TfidfVectorizer(), 'text')])."
        )


def _is_polars_series(X: Any) -> bool:
    kind = type(X)
    return kind.__name__ == "Series" and kind.__module__.split(".")[0] == "polars"


def describe_columns(table: Table) -> str:
    """The columns of a table as a short list for messages."""
    shown = listed_labels(table.labels[:SHOWN_COLUMNS])
    rest = len(table.labels) - SHOWN_COLUMNS
    return shown if rest <= 0 else f"{shown}, … (+{rest} more)"


def resolve_columns(table: Table, columns: Any, *, parameter: str = "columns") -> list[int]:
    """Positions of the named columns.

    Parameters
    ----------
    table : Table
        The data.
    columns : label or list of labels
        Column labels; for arrays x0, x1, … or integer positions.
    parameter : str, default="columns"
        Name of the parameter, for messages.

    Returns
    -------
    list of int
        One position a column, in the order given.

    Raises
    ------
    ValueError
        If a column is absent, ambiguous or named twice.
    """
    one = not pd.api.types.is_list_like(columns) or (
        isinstance(columns, tuple) and any(_same_label(label, columns) for label in table.labels)
    )
    wanted = [columns] if one else list(columns)
    positions = [_position(table, name, parameter) for name in wanted]
    if len(set(positions)) < len(positions):
        raise ValueError(f"{parameter}={columns!r} names a column more than once; name each once.")
    return positions


def _position(table: Table, name: Any, parameter: str) -> int:
    found = [j for j, label in enumerate(table.labels) if _same_label(label, name)]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise ValueError(
            f"{parameter}: X has {len(found)} columns called {name!r}; give them distinct names "
            "before you name one of them."
        )
    is_array = table.container in ("numpy", "sparse")
    if is_array and isinstance(name, (int, np.integer)) and not isinstance(name, bool):
        if -table.n_columns <= name < table.n_columns:
            return int(name) % table.n_columns
    texts = [str(label) for label in table.labels]
    if isinstance(name, str) and name in texts:
        label = table.labels[texts.index(name)]
        what = "a whole number" if isinstance(label, (int, np.integer)) else type(label).__name__
        raise ValueError(
            f"{parameter}: X has no column {name!r}, a text; its column {label} is {what}, so pass "
            f"{shorten(label)}. Its columns are: {describe_columns(table)}."
        )
    close = difflib.get_close_matches(str(name), texts, n=1, cutoff=ALIKE)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    if is_array and isinstance(name, str):
        hint += (
            " X is an array without column names: name its columns x0, x1, … or pass positions; "
            "after a step that returns arrays, set_output(transform='pandas') keeps the names."
        )
    raise ValueError(
        f"{parameter}: X has no column {name!r}.{hint} Its columns are: {describe_columns(table)}."
    )


def _same_label(label: Any, name: Any) -> bool:
    try:
        if type(label) is type(name) or (isinstance(label, str) and isinstance(name, str)):
            return bool(label == name)
    except (TypeError, ValueError):
        return False
    integers = (int, np.integer)
    both = isinstance(label, integers) and isinstance(name, integers)
    return both and not isinstance(name, bool) and int(label) == int(name)


def as_column(values: Any, name: str) -> np.ndarray:
    """One value for each row, as an array.

    Parameters
    ----------
    values : array-like of shape (n_samples,) or (n_samples, 1)
        The values.
    name : str
        What they are, for messages.

    Returns
    -------
    ndarray of shape (n_samples,)
        The values.

    Raises
    ------
    ValueError
        If there are several a row, or values such as lists, which cannot be told apart.
    """
    array = as_array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; it should have one value for each row.")
    check_single(array, name)
    return array


def warn_of_order(values: Any, X: Any, name: str, rows_name: str = "X") -> None:
    """Warn where values whose labels are those of the rows come in another order.

    A Series made of an array has the labels 0, 1, …, as shuffled rows may have: that it goes by its
    position cannot be seen.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        One for each row, taken by position, as scikit-learn takes everything beside X.
    X : table of shape (n_samples, n_features), or Series
        The rows.
    name : str
        What the values are, for the message.
    rows_name : str, default="X"
        What the rows are called there.
    """
    index, rows = (getattr(each, "index", None) for each in (values, X))
    if not isinstance(index, pd.Index) or not isinstance(rows, pd.Index) or index.equals(rows):
        return
    alike = len(index) == len(rows) and index.nlevels == rows.nlevels
    if not alike or not index.is_unique or not rows.is_unique:
        return
    if isinstance(rows, pd.IntervalIndex):
        # which would find what lies within an interval
        rows = rows.astype(object)
    if (rows.get_indexer(index) >= 0).all():
        warn(
            f"{name} has the labels of {rows_name} in another order, but is taken row by row; if "
            f"it goes by its labels, pass {name}.reindex({rows_name}.index), and if it does not, "
            f"{name}.to_numpy()."
        )


def name_of(y: Any) -> str:
    """The name that labels have: that of a Series, else ""."""
    name = getattr(y, "name", None) if hasattr(y, "to_frame") else None
    return "" if name is None else str(name)


class Target:
    """The label column behind one interface, given back in the container it came in.

    Parameters
    ----------
    y : Series, array or list of shape (n_samples,), or a one-column table
        The labels. Tables of several columns pass through but have no `values`.
    """

    def __init__(self, y: Any):
        self._wrap: Callable[[Any], Any] = _identity
        if isinstance(y, pd.Series):
            name = y.name
            self.table: Table = PandasTable.of_column(y)
            self._wrap = lambda frame: frame.iloc[:, 0].rename(name)
        elif isinstance(y, (pd.Index, pd.api.extensions.ExtensionArray)):
            self.table = PandasTable(pd.DataFrame({"y": y}))
            self._wrap = lambda frame: frame.iloc[:, 0].array
        elif hasattr(y, "to_frame") and hasattr(y, "to_numpy"):
            self.table = as_table(y.to_frame())
            self._wrap = lambda frame: frame.to_series()
        elif isinstance(y, pd.DataFrame) or hasattr(y, "to_series"):
            self.table = as_table(y)
        else:
            array = as_array(y, "y")
            if array.ndim not in (1, 2):
                raise ValueError(
                    f"y={shorten(y)} should have one label a row, of shape (n_samples,); pass a "
                    'column such as X["target"], or a list or array of labels.'
                )
            if array.ndim == 1:
                self.table = as_table(array.reshape(-1, 1))
                self._wrap = np.ravel
            else:
                self.table = as_table(array)
        self.n_rows = self.table.n_rows
        self.name = name_of(y)
        self._series = y if type(y) is pd.Series else None
        self._placed: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def values(self) -> np.ndarray:
        """Labels as a one-dimensional numpy array of shape (n_samples,)."""
        if self.table.n_columns != 1:
            raise ValueError(
                f"y has {self.table.n_columns} columns; a corruption or pattern that uses the "
                "label needs a single one. Pass y of shape (n_samples,)."
            )
        return as_column(self.table.values(0), "y")

    @property
    def for_patterns(self) -> Any:
        """What patterns read of the labels: a table if categories have an order, else `values`."""
        table = self.table
        ordered = table.n_columns == 1 and table.categories(0) is not None
        # of a column of texts few are looked at
        texts = table.container == "polars" and table.takes_texts(0)
        return table if ordered or texts else self.values

    @cached_property
    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """Labels as codes, −1 where missing, and the distinct labels they stand for."""
        try:
            codes, distinct = pd.factorize(self.values)
        except TypeError:
            distinct_labels(self.values)
            raise
        # an eighth of the memory where classes are few
        return codes.astype(np.int8 if len(distinct) < 128 else np.int32), distinct

    @cached_property
    def classes(self) -> np.ndarray:
        """Distinct labels, sorted; missing ones aside."""
        return sorted_labels(self.coded[1])

    def places(self, classes: np.ndarray) -> np.ndarray:
        """For each code of the labels its position in some classes, −1 where it has none.

        A last entry of −1 stands for missing labels, whose code is −1.

        Parameters
        ----------
        classes : ndarray
            Distinct labels. Asked for the same array again, the answer is the one it was.

        Returns
        -------
        ndarray of int
            One position a distinct label, and the last entry.
        """
        known = self._placed
        if known is None or known[0] is not classes:
            distinct = self.coded[1]
            # left to infer a dtype, pandas would copy texts into strings of its own
            # and it has no index of the rarer floats
            rare = {classes.dtype, distinct.dtype} & {np.dtype("float16"), np.dtype("longdouble")}
            is_object = "O" in (classes.dtype.kind, distinct.dtype.kind) or rare
            dtype = object if is_object else None
            found = pd.Index(classes, dtype=dtype).get_indexer(pd.Index(distinct, dtype=dtype))
            self._placed = known = classes, np.append(found, -1)
        return known[1]

    @property
    def kind(self) -> str:
        """Kind of the labels, as for a column of X."""
        return self.table.kind(0)

    def moments(self) -> Moments:
        """Sums over the finite labels, which have to be numbers."""
        return self.table.moments(0)

    def build(self, rows: np.ndarray, values: Any, indices: np.ndarray | None) -> Any:
        """Labels with new `values` at `rows`, then those at `indices`, in their own container."""
        series = self._series
        # by way of a frame it takes three to five times as long
        if series is not None and indices is not None and not len(rows):
            return series.take(indices)
        if series is not None and indices is None and len(rows) and isinstance(values, np.ndarray):
            new = pandas_assign(series.array, rows, values)
            return pd.Series(
                new, index=series.index, dtype=new.dtype, name=series.name, copy=False
            ).__finalize__(series)
        frame = self.table.source
        if len(rows):
            frame = self.table.with_cells({0: Cells(rows, values)})
        if indices is not None:
            frame = as_table(frame).take(indices)
        return self._wrap(frame)


def _identity(frame: Any) -> Any:
    return frame


def check_target(y: Any, n_rows: int) -> Target | None:
    """Wrap `y`, or None, after comparing its length with that of X.

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    if y is None:
        return None
    target = Target(y)
    if target.n_rows != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, "
            f"y has {target.n_rows}."
        )
    return target


def check_groups(groups: Any, n_rows: int) -> None:
    """Refuse groups with which no splitter and no resampling can work.

    Parameters
    ----------
    groups : array-like of shape (n_samples,) or None
        The group of every row.
    n_rows : int
        Number of rows.

    Raises
    ------
    ValueError
        If there is not one group a row, one is missing, or they cannot be sorted.
    """
    if groups is None:
        return
    labels = np.asarray(groups)
    if labels.shape != (n_rows,):
        raise ValueError(
            f"groups has shape {labels.shape}; it should be one group for each of the {n_rows} "
            "rows."
        )
    missing = pd.isna(labels)
    if missing.any():
        raise ValueError(
            f"groups has {int(missing.sum())} missing values, the first in row "
            f"{int(missing.argmax())}; give such rows groups of their own, or leave them out."
        )
    try:
        np.unique(labels)
    except TypeError:
        raise ValueError(
            "groups mixes types that cannot be sorted, such as strings and numbers; convert them "
            "to one type."
        ) from None
