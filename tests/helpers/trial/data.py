"""Odd data: tables, labels, votes and other columns, made of valid ones."""

import datetime
import decimal
import tempfile
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy import sparse

try:
    import polars
except ImportError:
    polars = None

N = 40


def as_frame(X):
    """A frame of a valid table."""
    return X.copy() if isinstance(X, pd.DataFrame) else pd.DataFrame(X)


def cycled(values, n, dtype=None):
    """Values again and again."""
    out = np.empty(n, dtype=object)
    for i in range(n):
        out[i] = values[i % len(values)]
    return pd.Series(out.tolist(), dtype=dtype) if dtype else out


def frozen(array):
    """An array that cannot be written to."""
    array = np.array(array)
    array.flags.writeable = False
    return array


def mapped(array):
    """An array in a file that is opened for reading."""
    with tempfile.NamedTemporaryFile() as file:
        np.ascontiguousarray(array).tofile(file.name)
        return np.memmap(file.name, dtype=array.dtype, mode="r", shape=array.shape)


DAYS = pd.date_range("2020-01-01", periods=5)
# what one column may hold, for n rows
COLUMNS = {
    "all NaN": lambda n: np.full(n, np.nan),
    "NaN in it": lambda n: np.where(np.arange(n) % 5 == 0, np.nan, np.arange(n) % 2),
    "inf": lambda n: np.where(np.arange(n) % 5 == 0, np.inf, np.arange(n)),
    "huge": lambda n: np.where(np.arange(n) % 2 == 0, 1e308, -1e308),
    "tiny": lambda n: np.where(np.arange(n) % 2 == 0, 5e-324, 0.0),
    "constant": lambda n: np.ones(n),
    "text": lambda n: cycled(["u", "v"], n),
    "one text": lambda n: cycled(["u"], n),
    "text with NUL": lambda n: cycled(["u\0", "u", ""], n),
    "numbers as text": lambda n: cycled(["0", "1"], n),
    "mixed": lambda n: cycled([1, "1", 2.5], n),
    "mixed with None": lambda n: cycled([None, "a", 1], n),
    "all None": lambda n: cycled([None], n),
    "bools": lambda n: np.arange(n) % 2 == 0,
    "bytes": lambda n: cycled([b"a", b"b"], n),
    "complex": lambda n: np.arange(n) * (1 + 1j),
    "decimals": lambda n: cycled([decimal.Decimal("0.5"), decimal.Decimal("NaN")], n),
    "huge whole numbers": lambda n: cycled([10**400, -(10**400)], n),
    "int64 extremes": lambda n: np.resize([np.iinfo("int64").min, np.iinfo("int64").max], n),
    "uint64 extremes": lambda n: np.resize(np.array([0, 2**64 - 1], dtype="uint64"), n),
    "float16": lambda n: np.arange(n).astype("float16"),
    "longdouble": lambda n: np.arange(n).astype("longdouble"),
    "lists": lambda n: cycled([[1], [2, 3]], n),
    "dicts": lambda n: cycled([{"a": 1}, {}], n),
    "sets": lambda n: cycled([{1}, frozenset()], n),
    "arrays": lambda n: cycled([np.zeros(2), np.ones(2)], n),
    "objects": lambda n: cycled([object(), object()], n),
    "dates": lambda n: cycled([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], n),
    "timestamps": lambda n: np.resize(DAYS.to_numpy(), n),
    "timedeltas": lambda n: np.resize(np.array([0, 5], dtype="timedelta64[s]"), n),
}
PANDAS_COLUMNS = {
    "category": lambda n: cycled(["u", "v"], n, "category"),
    "category, one unused": lambda n: pd.Categorical(cycled(["u"], n), ["u", "w"]),
    "category of numbers": lambda n: cycled([1, 2], n, "category"),
    "ordered": lambda n: pd.Categorical(cycled(["u", "v"], n), ["v", "u"], ordered=True),
    "zones": lambda n: pd.Series(np.resize(DAYS.to_numpy(), n)).dt.tz_localize("Asia/Tokyo"),
    "NaT in it": lambda n: pd.Series(pd.to_datetime(cycled([None, "2020-01-01"], n))),
    "periods": lambda n: pd.Series(pd.PeriodIndex(np.resize(DAYS.to_numpy(), n), freq="D")),
    "intervals": lambda n: pd.cut(pd.Series(np.arange(n) % 4), 2).astype("interval"),
    "interval categories": lambda n: pd.cut(pd.Series(np.arange(n) % 4), 2),
    "Int64": lambda n: cycled([1, None], n, "Int64"),
    "Float64": lambda n: cycled([1.5, None], n, "Float64"),
    "boolean": lambda n: cycled([True, None], n, "boolean"),
    "string": lambda n: cycled(["u", None], n, "string"),
    "sparse": lambda n: pd.Series(pd.arrays.SparseArray(np.arange(n) % 2 * 1.0)),
    "arrow ints": lambda n: cycled([1, None], n, "int64[pyarrow]"),
    "arrow text": lambda n: cycled(["u", None], n, "string[pyarrow]"),
    "arrow times": lambda n: pd.Series(np.resize(DAYS.to_numpy(), n)).astype(
        "timestamp[ns][pyarrow]"
    ),
}


def with_first(X, values):
    """A table whose first column holds other values."""
    frame = as_frame(X)
    values = values(len(frame))
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = pd.Series(values.tolist(), dtype=object)
    column = pd.Series(values).reset_index(drop=True).set_axis(frame.index)
    rest = frame.iloc[:, 1:]
    return pd.concat([column.rename(frame.columns[0]), rest], axis=1)


def renamed(labels):
    """A maker of tables with other column labels."""
    return lambda X: as_frame(X).set_axis(labels(X.shape[1]), axis=1)


def numbers(X):
    """A numeric array of a valid table."""
    frame = as_frame(X)
    kept = frame.select_dtypes("number")
    return kept.to_numpy(dtype=float)


TABLES = {
    **{
        f"first column: {name}": lambda X, values=values: with_first(X, values)
        for name, values in (COLUMNS | PANDAS_COLUMNS).items()
    },
    "no rows": lambda X: as_frame(X).iloc[:0],
    "no columns": lambda X: as_frame(X).iloc[:, :0],
    "one row": lambda X: as_frame(X).iloc[:1],
    "two rows": lambda X: as_frame(X).iloc[:2],
    "half of the rows": lambda X: as_frame(X).iloc[: len(X) // 2],
    "one column": lambda X: as_frame(X).iloc[:, :1],
    "columns in another order": lambda X: as_frame(X).iloc[:, ::-1],
    "all NaN": lambda X: as_frame(X) * np.nan if not is_textual(X) else as_frame(X).map(to_nan),
    "index of one value": lambda X: as_frame(X).set_axis([0] * len(X)),
    "index of text": lambda X: as_frame(X).set_axis([f"r{i}" for i in range(len(X))]),
    "index of levels": lambda X: as_frame(X).set_axis(
        pd.MultiIndex.from_arrays([np.zeros(len(X)), np.arange(len(X))])
    ),
    "columns of one name": renamed(lambda k: ["a"] * k),
    "columns of whole numbers": renamed(range),
    "columns of levels": renamed(lambda k: pd.MultiIndex.from_product([["a"], range(k)])),
    "a column called None": renamed(lambda k: [None, *"bcdefg"[: k - 1]]),
    "a column called NaN": renamed(lambda k: [float("nan"), *"bcdefg"[: k - 1]]),
    "a column called y": renamed(lambda k: ["y", *"bcdefg"[: k - 1]]),
    "a column called ''": renamed(lambda k: ["", *"bcdefg"[: k - 1]]),
    "a column called `": renamed(lambda k: ["`", *"bcdefg"[: k - 1]]),
    "mixed column names": renamed(lambda k: [0, *"bcdefg"[: k - 1]]),
    "60 columns": lambda X: pd.DataFrame(np.tile(numbers(X)[:, :1], 60)).add_prefix("v"),
    "array": numbers,
    "array, read-only": lambda X: frozen(numbers(X)),
    "array, Fortran": lambda X: np.asfortranarray(numbers(X)),
    "array, of a file": lambda X: mapped(numbers(X)),
    "array, other byte order": lambda X: numbers(X).astype(">f8"),
    "array of objects": lambda X: as_frame(X).to_numpy(dtype=object),
    "array of text": lambda X: as_frame(X).to_numpy().astype(str),
    "array of float16": lambda X: numbers(X).astype("float16"),
    "array of complex": lambda X: numbers(X) + 1j,
    "array of times": lambda X: np.resize(DAYS.to_numpy(), numbers(X).shape),
    "array of inf": lambda X: np.full(numbers(X).shape, np.inf),
    "1-D array": lambda X: numbers(X)[:, 0],
    "3-D array": lambda X: numbers(X)[:, :, None],
    "0-D array": lambda X: np.array(1.0),
    "structured array": lambda X: pd.DataFrame(numbers(X)).to_records(),
    "masked array": lambda X: np.ma.masked_greater(numbers(X), 1),
    "matrix": lambda X: np.asmatrix(numbers(X)),
    "lists": lambda X: numbers(X).tolist(),
    "ragged lists": lambda X: [*numbers(X).tolist()[:-1], [1.0]],
    "tuples": lambda X: tuple(map(tuple, numbers(X))),
    "dict of columns": lambda X: as_frame(X).to_dict("list"),
    "generator": lambda X: iter(numbers(X).tolist()),
    "Series": lambda X: as_frame(X).iloc[:, 0],
    "Index": lambda X: pd.Index(as_frame(X).iloc[:, 0]),
    "csr": lambda X: sparse.csr_matrix(numbers(X)),
    "csc": lambda X: sparse.csc_matrix(numbers(X)),
    "coo": lambda X: sparse.coo_matrix(numbers(X)),
    "csr array": lambda X: sparse.csr_array(numbers(X)),
    "lil": lambda X: sparse.lil_matrix(numbers(X)),
    "csr, read-only": lambda X: frozen_csr(numbers(X)),
    "sparse frame": lambda X: pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(numbers(X))),
    "pretender": lambda X: SimpleNamespace(columns=["a"], dtypes=[], shape=(3, 1)),
    "text": lambda X: "a table",
    "None": lambda X: None,
}


def is_textual(X):
    """Whether a table has columns that are no numbers."""
    return as_frame(X).select_dtypes("number").shape[1] < X.shape[1]


def to_nan(cell):
    """Not a number."""
    return np.nan


def frozen_csr(values):
    """A sparse matrix that cannot be written to."""
    made = sparse.csr_matrix(values)
    for part in (made.data, made.indices, made.indptr):
        part.flags.writeable = False
    return made


ROWS = {
    **{name: lambda y, values=values: values(len(y)) for name, values in COLUMNS.items()},
    **{
        f"Series of {name}": lambda y, values=values: pd.Series(values(len(y)))
        for name, values in (COLUMNS | PANDAS_COLUMNS).items()
    },
    "empty": lambda y: np.asarray(y)[:0],
    "too short": lambda y: np.asarray(y)[:-1],
    "too long": lambda y: np.concatenate([np.asarray(y), np.asarray(y)[:1]]),
    "one of a class": lambda y: np.arange(len(y)) == 0,
    "a class for each row": lambda y: np.arange(len(y)),
    "column": lambda y: np.asarray(y).reshape(-1, 1),
    "row": lambda y: np.asarray(y).reshape(1, -1),
    "two columns": lambda y: np.column_stack([y, y]),
    "frame of a column": lambda y: pd.DataFrame({"y": np.asarray(y)}),
    "frame of two columns": lambda y: pd.DataFrame({"y": np.asarray(y), "z": np.asarray(y)}),
    "Series, other index": lambda y: pd.Series(np.asarray(y)).set_axis(range(1000, 1000 + len(y))),
    "Series, index of one value": lambda y: pd.Series(np.asarray(y)).set_axis([0] * len(y)),
    "list": lambda y: np.asarray(y).tolist(),
    "tuple": lambda y: tuple(np.asarray(y).tolist()),
    "ragged list": lambda y: [*np.asarray(y).tolist()[:-1], [1, 2]],
    "list of lists": lambda y: [[label] for label in np.asarray(y).tolist()],
    "generator": lambda y: iter(np.asarray(y).tolist()),
    "dict": lambda y: dict(enumerate(np.asarray(y).tolist())),
    "read-only": lambda y: frozen(y),
    "masked": lambda y: np.ma.masked_equal(np.asarray(y), np.asarray(y)[0]),
    "Index": lambda y: pd.Index(np.asarray(y)),
    "sparse": lambda y: sparse.csr_matrix(np.asarray(y, dtype=float).reshape(-1, 1)),
    "3-D": lambda y: np.asarray(y).reshape(-1, 1, 1),
}
if polars is not None:
    TABLES |= {
        "polars": lambda X: polars.DataFrame(dict(zip("abcdefg", numbers(X).T, strict=False))),
        "polars, text and gaps": lambda X: polars.DataFrame(
            {"a": ["u", None] * (len(X) // 2), "b": numbers(X)[: len(X) // 2 * 2, 0]}
        ),
        "polars, lazy": lambda X: polars.DataFrame(numbers(X)).lazy(),
        "polars Series": lambda X: polars.Series("a", numbers(X)[:, 0]),
    }
    ROWS |= {
        "polars": lambda y: polars.Series("y", np.asarray(y)),
        "polars frame": lambda y: polars.DataFrame({"y": np.asarray(y)}),
    }

# what is data, by the argument's name
BY_NAME = {
    **dict.fromkeys(("X", "X_test", "X_reference", "X_batch", "x", "L", "L_more", "table"), TABLES),
    **dict.fromkeys(
        ("y", "y_test", "y_true", "y_pred", "y_pred_without", "groups", "scores", "baseline"), ROWS
    ),
}
