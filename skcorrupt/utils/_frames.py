"""One way to read and rewrite pandas, polars, numpy and scipy sparse tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from scipy import sparse

from ._columns import (
    MISSING,
    Coded,
    Taken,
    as_floats,
    cells_for,
    exact_dtype,
    fits_integer,
    hashable,
    holding_dtype,
    pandas_assign,
    pandas_taken,
    pandas_values,
    plain_kind,
    read_column,
    zone_of,
)
from ._moments import Moments


class Cells(NamedTuple):
    """New values for some rows of one column.

    `rows` are positions; `values` is an array as long as `rows`, a scalar, `MISSING`, `Coded` or
    `Taken`; `sources` are positions of the rows that supplied them, None where no row did.
    """

    rows: np.ndarray
    values: Any
    sources: np.ndarray | None = None

    def plain(self) -> Cells:
        """The same with one value for each row, or one for all."""
        return Cells(*self.values.plain(self.rows)) if isinstance(self.values, Coded) else self


class Table:
    """Adapter over one container: read columns as numpy arrays, write cells, take rows.

    The wrapped object is never changed; every writing method returns a new object of the same
    container.
    """

    container: str
    labels: list[Any]
    n_rows: int
    n_columns: int
    source: Any
    # what the rows are of a whole table, None where they are all of it
    part: Any = None

    def _column(self, j: int) -> np.ndarray:
        """Column `j` as the container gives it."""
        raise NotImplementedError

    def categories(self, j: int) -> list[Any] | None:
        """Categories of an ordered categorical column, else None."""
        return None

    def time_zone(self, j: int) -> Any:
        """Time zone of a column of times, of which `values` are those of UTC; else None."""
        return None

    def only_days(self, j: int) -> bool:
        """Whether a column holds days without a time of day, whatever dtype `values` has."""
        return False

    def takes_texts(self, j: int) -> bool:
        """Whether single cells of column `j` can be texts, and others stay what they are."""
        return False

    def _read(self, j: int) -> tuple[np.ndarray, str]:
        if j not in self._known:
            self._known[j] = read_column(self._column(j))
        return self._known[j]

    @cached_property
    def _known(self) -> dict[int, tuple[np.ndarray, str]]:
        return {}

    @cached_property
    def worked_out(self) -> dict[Any, Any]:
        """What was worked out of the table and is asked for again, by what it is."""
        return {}

    def values(self, j: int) -> np.ndarray:
        """Column `j` as a numpy array; treat it as read-only."""
        return self._read(j)[0]

    def kind(self, j: int) -> str:
        """What column `j` holds: bool, integer, real, datetime, timedelta or text."""
        return self._read(j)[1]

    def values_at(self, j: int, rows: np.ndarray) -> np.ndarray:
        """Column `j` at some rows; a copy."""
        return self.values(j)[rows]

    def distinct(self, j: int) -> np.ndarray:
        """Distinct values of column `j`, missing ones aside, in order of appearance."""
        distinct = pd.unique(self.values(j))
        return distinct[~np.asarray(pd.isna(distinct))]

    def coded(self, j: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Column `j` at some rows as codes, −1 where missing, and what they stand for."""
        return pd.factorize(self.values(j)[rows])

    def matching_texts(
        self, j: int, satisfy: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray | None:
        """Rows of a column of texts that satisfy something, None where each is to be asked."""
        return None

    def numbers(self, j: int) -> np.ndarray:
        """Column `j` of numbers or times as floats, NaN where missing; a copy."""
        values = self.values(j)
        if values.dtype.kind in "mM":
            return as_floats(values)
        if self.kind(j) in ("datetime", "timedelta"):
            raise TypeError("times that no dtype holds")
        numbers = pd.Series(values).to_numpy(dtype=float, na_value=np.nan, copy=True)
        numbers[self.missing(j)] = np.nan
        return numbers

    def moments(self, j: int) -> Moments:
        """Sums over the finite numbers or times of column `j`."""
        return Moments().add(self.numbers(j))

    def counts(self, j: int) -> pd.Series:
        """How often each value of column `j` is there, missing ones aside."""
        return pd.Series(self.values(j), dtype=object).map(hashable).value_counts()

    def type_name(self, j: int) -> str:
        """Name of the type of the first value of column `j` that is there; of none "str"."""
        present = np.flatnonzero(~self.missing(j))[:1]
        return type(self.values_at(j, present)[0]).__name__ if len(present) else "str"

    def missing(self, j: int) -> np.ndarray:
        """Boolean array, True where a cell of column `j` is missing."""
        values = self.values(j)
        if values.dtype.kind in "biu":
            return np.zeros(self.n_rows, dtype=bool)
        return np.asarray(pd.isna(values))

    def with_cells(self, changes: Mapping[int, Cells]) -> Any:
        """A copy of the table in which the given cells hold new values."""
        raise NotImplementedError

    def _plain(self, cells: Cells) -> Cells:
        """Cells with one value for each row, or one for all."""
        if isinstance(cells.values, Taken):
            return Cells(cells.rows, self.values_at(cells.values.column, cells.values.rows))
        return cells.plain()

    def take(self, indices: np.ndarray) -> Any:
        """The rows at `indices`, in that order."""
        raise NotImplementedError

    def mask_of(self, struck: Mapping[int, np.ndarray]) -> Any:
        """Boolean mask of the table's shape, True at the given rows of each column."""
        mask = np.zeros((self.n_rows, self.n_columns), dtype=bool, order="F")
        marked: dict[int, int] = {}
        for j, rows in struck.items():
            if id(rows) in marked:
                # much faster than marking the same rows once more
                mask[:, j] = mask[:, marked[id(rows)]]
            else:
                mask[rows, j] = True
                marked[id(rows)] = j
        return mask


class PandasTable(Table):
    """A pandas DataFrame; duplicate labels are told apart by position."""

    container = "pandas"

    def __init__(self, X: pd.DataFrame):
        self.source = X
        self._taken: dict[int, pd.Series] = {}
        self.n_rows, self.n_columns = X.shape

    @classmethod
    def of_column(cls, column: pd.Series) -> Self:
        """A table of one column, whatever its name, of which nothing has to be taken out again."""
        table = cls(column.to_frame(name="y"))
        table._taken[0] = column
        return table

    @cached_property
    def labels(self) -> list[Any]:  # type: ignore[override]
        """Names of the columns, which of most tables nobody asks for."""
        return list(self.source.columns)

    @cached_property
    def _unique(self) -> bool:
        columns = self.source.columns
        return columns.nlevels == 1 and columns.is_unique

    @cached_property
    def _dtypes(self) -> list[Any]:
        return list(self.source.dtypes)

    def _dtype(self, j: int) -> Any:
        # those of all columns take longer than all else, and of most tables few are read
        return self._taken[j].dtype if j in self._taken else self._dtypes[j]

    def _series(self, j: int) -> pd.Series:
        if j not in self._taken:
            label = self.labels[j]
            # by a name that is a string and no other column's, which takes half the time
            by_name = isinstance(label, str) and self._unique
            self._taken[j] = self.source[label] if by_name else self.source.iloc[:, j]
        return self._taken[j]

    def _column(self, j: int) -> np.ndarray:
        return pandas_values(self._series(j))

    def _read(self, j: int) -> tuple[np.ndarray, str]:
        if j not in self._known:
            values = self._column(j)
            if not self._is_text(j):
                self._known[j] = read_column(values)
            elif isinstance(self._dtype(j), pd.CategoricalDtype):
                # categories may be numbers, but are names for all that
                self._known[j] = read_column(values)[0], "text"
            else:
                self._known[j] = values, "text"
        return super()._read(j)

    def _is_text(self, j: int) -> bool:
        return isinstance(self._dtype(j), (pd.CategoricalDtype, pd.StringDtype))

    def kind(self, j: int) -> str:
        if self._is_text(j):
            return "text"
        dtype = self._dtype(j)
        if isinstance(dtype, np.dtype) and dtype.kind != "O":
            return plain_kind(dtype)
        return super().kind(j)

    def values_at(self, j: int, rows: np.ndarray) -> np.ndarray:
        if j in self._known or not self._is_text(j):
            return super().values_at(j, rows)
        return as_table(self.source.iloc[rows, [j]]).values(0)

    def distinct(self, j: int) -> np.ndarray:
        if not self._is_text(j):
            return super().distinct(j)
        distinct = self._series(j).array.unique()
        return read_column(np.asarray(distinct[~distinct.isna()], dtype=object))[0]

    def coded(self, j: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self._is_text(j):
            return super().coded(j, rows)
        codes, distinct = pd.factorize(self._series(j).array.take(rows))
        return codes, read_column(np.asarray(distinct, dtype=object))[0]

    def missing(self, j: int) -> np.ndarray:
        column = self._series(j)
        if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
            # a tenth of the time, and asked for each error
            return np.isnan(column.to_numpy())
        return np.asarray(column.isna())

    def categories(self, j: int) -> list[Any] | None:
        dtype = self._dtype(j)
        ordered = isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
        return dtype.categories.tolist() if ordered else None

    def time_zone(self, j: int) -> Any:
        return zone_of(self._dtype(j))

    def only_days(self, j: int) -> bool:
        return str(self._dtype(j)).startswith("date32")

    def takes_texts(self, j: int) -> bool:
        return True

    def with_cells(self, changes: Mapping[int, Cells]) -> pd.DataFrame:
        source, index = self.source, self.source.index
        columns = {}
        for j, cells in changes.items():
            new = self._assigned(j, cells)
            # a bare array of objects would have its dtype inferred anew
            columns[j] = pd.Series(new, index=index, dtype=new.dtype, copy=False)
        if len(columns) == self.n_columns and type(source) is pd.DataFrame:
            # one frame of all columns is made sooner than a frame is rewritten column by column
            out = pd.DataFrame(dict(sorted(columns.items())), index=index, copy=False)
            out.columns = source.columns
            return out.__finalize__(source)  # type: ignore[operator]
        out = source.copy(deep=False)
        for j, column in columns.items():
            out.isetitem(j, column)
        return out

    def _assigned(self, j: int, cells: Cells) -> Any:
        """Column `j` with new cells, as an array."""
        column = self._series(j)
        if isinstance(cells.values, Taken):
            supplier = self._series(cells.values.column)
            if supplier.dtype == column.dtype:
                return pandas_taken(column, cells.rows, supplier, cells.values.rows)
            cells = self._plain(cells)
        return pandas_assign(column.array, cells.rows, cells.values)

    def take(self, indices: np.ndarray) -> pd.DataFrame:
        return self.source.take(indices)


class PolarsTable(Table):
    """A polars DataFrame; polars itself is imported by whoever made it."""

    container = "polars"

    def __init__(self, X: Any):
        self.source = X
        self.labels = list(X.columns)
        self.n_rows, self.n_columns = X.shape

    def _series(self, j: int) -> Any:
        return self.source.to_series(j)

    def _column(self, j: int) -> np.ndarray:
        series = self._series(j)
        dtype = series.dtype
        pl = sys.modules["polars"]
        if series.null_count() and dtype == pl.Boolean:
            return np.array(series.to_list(), dtype=object)
        if dtype.is_decimal():
            series = series.cast(pl.Float64)
        elif dtype in (pl.Categorical, pl.Enum):
            series = series.cast(pl.String)
        elif dtype == pl.Date:
            series = series.cast(pl.Datetime("ns"))
        if dtype.is_numeric() or dtype.is_temporal() or dtype == pl.Boolean:
            return np.asarray(series.to_numpy())
        return np.array([*series.to_list(), None], dtype=object)[:-1]

    def values_at(self, j: int, rows: np.ndarray) -> np.ndarray:
        if j in self._known or not self._is_text(j):
            return super().values_at(j, rows)
        # a text is made for each cell that is read
        return PolarsTable(self._series(j)[rows].to_frame()).values(0)

    def coded(self, j: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if j in self._known or not self._is_text(j):
            return super().coded(j, rows)
        return pd.factorize(self.values_at(j, rows))

    def matching_texts(
        self, j: int, satisfy: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray | None:
        pl = sys.modules["polars"]
        series = self._series(j)
        if series.dtype != pl.String or j in self._known:
            return None
        distinct = series.unique().drop_nulls()
        # far fewer texts are made than there are cells
        satisfied = satisfy(np.array([*distinct.to_list(), None], dtype=object)[:-1])
        found = series.is_in(distinct.filter(pl.Series(satisfied, dtype=pl.Boolean)).implode())
        return np.asarray(found.fill_null(False).to_numpy())

    def _is_text(self, j: int) -> bool:
        pl = sys.modules["polars"]
        return self._series(j).dtype in (pl.String, pl.Categorical, pl.Enum)

    def missing(self, j: int) -> np.ndarray:
        series = self._series(j)
        missing = series.is_nan().fill_null(True) if series.dtype.is_float() else series.is_null()
        return np.asarray(missing.to_numpy())

    def categories(self, j: int) -> list[Any] | None:
        dtype = self._series(j).dtype
        return dtype.categories.to_list() if dtype == sys.modules["polars"].Enum else None

    def time_zone(self, j: int) -> Any:
        zone = getattr(self._series(j).dtype, "time_zone", None)
        # of a name older versions of pandas make a zone that knows no clocks before 1901
        return None if zone is None else ZoneInfo(zone)

    def only_days(self, j: int) -> bool:
        return bool(self._series(j).dtype == sys.modules["polars"].Date)

    def takes_texts(self, j: int) -> bool:
        return bool(self._series(j).dtype == sys.modules["polars"].String)

    def with_cells(self, changes: Mapping[int, Cells]) -> Any:
        pl = sys.modules["polars"]
        new = []
        for j, cells in changes.items():
            rows, values, _ = cells if self._is_same(j, cells) else self._plain(cells)
            series = self._series(j).clone()
            if isinstance(values, Taken):
                source = np.arange(self.n_rows)
                source[rows] = self.n_rows + values.rows
                supplier = self._series(values.column).rename(series.name)
                series = pl.concat([series, supplier])[source]
            elif values is MISSING:
                keep = np.ones(self.n_rows, dtype=bool)
                keep[rows] = False
                # scatter does not know lists and structs
                series = series.zip_with(pl.Series(keep), series.clear(self.n_rows))
            else:
                # older versions of polars scatter to rows in order only
                order = np.argsort(rows)
                rows, values = rows[order], np.broadcast_to(values, rows.shape)[order]
                dtype = series.dtype
                series = _polars_holding(series, values)
                series = series.scatter(rows, _polars_cells(series.dtype, values))
                series = _polars_categories(series, dtype, values)
            new.append(series.rename(self.labels[j]))
        return self.source.with_columns(new)

    def _is_same(self, j: int, cells: Cells) -> bool:
        """Whether cells are taken from a column that stores them as column `j` does."""
        if not isinstance(cells.values, Taken):
            return False
        column = cells.values.column
        # categories of other columns may have other codes
        alike = (
            self._series(column).dtype == self._series(j).dtype != sys.modules["polars"].Categorical
        )
        return column == j or alike

    def take(self, indices: np.ndarray) -> Any:
        return self.source[np.asarray(indices)]


def _polars_holding(series: Any, values: np.ndarray) -> Any:
    """The series in the nearest dtype that holds `values` too."""
    pl = sys.modules["polars"]
    is_text = series.dtype == pl.Time and any(isinstance(each, str) for each in values)
    if series.dtype in (pl.Categorical, pl.Enum) or is_text:
        return series.cast(pl.String)
    if series.dtype == pl.Boolean and values.dtype.kind in "iuf":
        series = series.cast(pl.Int64)
    if series.dtype.is_integer() and values.dtype.kind in "iuf":
        present = values[~np.isnan(values)] if values.dtype.kind == "f" else values
        wider = [] if series.dtype == pl.UInt64 else [pl.Int64()]
        for dtype in [series.dtype, *wider]:
            limits = np.sctypeDict.get(str(dtype).lower())
            if limits is not None and fits_integer(present, np.dtype(limits)):
                return series.cast(dtype)
        return series.cast(pl.Float64)
    return series


def _polars_categories(series: Any, dtype: Any, values: np.ndarray) -> Any:
    """The series as categories again, if these are its own and have all values."""
    pl = sys.modules["polars"]
    if dtype == pl.Enum:
        known = {*dtype.categories.to_list(), None}
        return series.cast(dtype) if set(values.tolist()) <= known else series
    return series.cast(dtype) if dtype == pl.Categorical else series


def _polars_cells(dtype: Any, values: np.ndarray) -> Any:
    """Numpy values as a polars series of `dtype`, in which missing values are null."""
    pl = sys.modules["polars"]
    if values.dtype.kind == "O":
        return pl.Series(values=values.tolist()).cast(dtype)
    cells = pl.Series(values=values)
    if values.dtype.kind == "f":
        cells = cells.fill_nan(None)
    elif getattr(dtype, "time_zone", None):
        cells = cells.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone)
    return cells.cast(dtype)


class ArrayTable(Table):
    """A two-dimensional numpy array; its columns are called x0, x1 and so on."""

    container = "numpy"

    def __init__(self, X: np.ndarray):
        self.source = X
        self.n_rows, self.n_columns = X.shape
        self.labels = [f"x{j}" for j in range(self.n_columns)]

    def _column(self, j: int) -> np.ndarray:
        column = self.source[:, j]
        return column.astype(object) if column.dtype.kind in "US" else column

    def takes_texts(self, j: int) -> bool:
        return self.source.dtype.kind in "OUS"

    def _plain(self, cells: Cells) -> Cells:
        if isinstance(cells.values, Taken):
            return Cells(cells.rows, self.source[cells.values.rows, cells.values.column])
        return cells.plain()

    def with_cells(self, changes: Mapping[int, Cells]) -> np.ndarray:
        dtype = self.source.dtype
        changes = {j: self._plain(cells) for j, cells in changes.items()}
        for cells in changes.values():
            dtype = holding_dtype(dtype, cells.values)
        dtype = exact_dtype(self.source, dtype)
        out = np.array(self.source, dtype=dtype, order="K")
        for j, (rows, values, _) in changes.items():
            out[rows, j] = cells_for(dtype, values)
        return out

    def take(self, indices: np.ndarray) -> np.ndarray:
        return self.source[indices]


class SparseTable(Table):
    """A scipy sparse matrix or array; its columns are called x0, x1 and so on."""

    container = "sparse"

    def __init__(self, X: Any):
        self.source = X
        self._csc: Any = None
        self.n_rows, self.n_columns = X.shape
        self.labels = [f"x{j}" for j in range(self.n_columns)]

    def _column(self, j: int) -> np.ndarray:
        if self._csc is None:
            self._csc = self.source.tocsc()
        column = np.zeros(self.n_rows, dtype=self.source.dtype)
        cells = slice(self._csc.indptr[j], self._csc.indptr[j + 1])
        np.add.at(column, self._csc.indices[cells], self._csc.data[cells])
        return column

    def with_cells(self, changes: Mapping[int, Cells]) -> Any:
        dtype = self.source.dtype
        changes = {j: self._plain(cells) for j, cells in changes.items()}
        for cells in changes.values():
            dtype = holding_dtype(dtype, cells.values)
        if dtype.kind == "O":
            dtype = np.dtype(float)
        kept = self.source.tocoo()
        struck = self.mask_of({j: cells.rows for j, cells in changes.items()}).tocsr()
        outside = ~np.asarray(struck[kept.row, kept.col]).ravel()
        rows, columns, data = [kept.row[outside]], [kept.col[outside]], [kept.data[outside]]
        for j, cells in changes.items():
            value = np.nan if cells.values is MISSING else cells.values
            new = np.broadcast_to(np.asarray(value, dtype=dtype), cells.rows.shape)
            stored = new != 0
            # 64-bit indices would be kept, and scikit-learn's trees refuse them
            rows.append(cells.rows[stored].astype(kept.row.dtype))
            columns.append(np.full(int(stored.sum()), j, dtype=kept.col.dtype))
            data.append(new[stored])
        coordinates = (np.concatenate(rows), np.concatenate(columns))
        flat = np.concatenate([part.astype(dtype) for part in data])
        container = (
            sparse.coo_array if isinstance(self.source, sparse.sparray) else sparse.coo_matrix
        )
        return container((flat, coordinates), shape=self.source.shape).asformat(self.source.format)

    def take(self, indices: np.ndarray) -> Any:
        return self.source.tocsr()[indices].asformat(self.source.format)

    def mask_of(self, struck: Mapping[int, np.ndarray]) -> Any:
        rows = [np.asarray(r, dtype=np.intp) for r in struck.values()]
        columns = [np.full(len(r), j) for r, j in zip(rows, struck, strict=True)]
        empty = [np.empty(0, dtype=np.intp)]
        coordinates = (np.concatenate(rows or empty), np.concatenate(columns or empty))
        data = np.ones(len(coordinates[0]), dtype=bool)
        return sparse.csr_array((data, coordinates), shape=(self.n_rows, self.n_columns))


def as_array(values: Any, name: str) -> np.ndarray:
    """An array of what a user gave.

    Parameters
    ----------
    values : array-like
        What was given.
    name : str
        What it is, for messages.

    Returns
    -------
    ndarray
        The array; the input itself where it is one.

    Raises
    ------
    ValueError
        If rows differ in length.
    """
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} holds rows of unequal length, or nested too deeply.") from None


def as_table(X: Any) -> Table:
    """Wrap a table in the adapter of its container.

    Parameters
    ----------
    X : pandas.DataFrame, polars.DataFrame, ndarray of shape (n, p) or scipy sparse
        The data.

    Returns
    -------
    Table
        An adapter that reads it and makes changed copies of it.

    Raises
    ------
    TypeError
        If `X` is none of these.
    ValueError
        If `X` is an array of records, or not of two dimensions.
    """
    if isinstance(X, Table):
        return X
    if isinstance(X, pd.DataFrame):
        return PandasTable(X)
    if sparse.issparse(X):
        return SparseTable(X)
    polars = sys.modules.get("polars")
    if polars is not None:
        if isinstance(X, polars.DataFrame):
            return PolarsTable(X)
        if isinstance(X, polars.LazyFrame):
            raise TypeError("X is a polars LazyFrame; call X.collect() and pass the DataFrame.")
    if isinstance(X, (pd.Series, pd.Index)):
        raise TypeError(
            "X should be a table with columns, not a pandas Series; "
            "pass a one-column DataFrame, for example X.to_frame()."
        )
    array = as_array(X, "X")
    if array.dtype.kind == "V":
        raise ValueError(
            f"X has the dtype {array.dtype}, of records or bytes; pass a DataFrame, or an array of "
            "numbers, texts or objects."
        )
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if "
            "it contains a single sample."
        )
    return ArrayTable(array)
