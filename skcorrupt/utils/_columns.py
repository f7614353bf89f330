"""Reading and writing a single column, whatever its dtype."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd


class _Missing:
    """The value that stands for an absent one in every container."""

    def __repr__(self) -> str:
        return "MISSING"

    def __reduce__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()

_INFERRED = {
    "boolean": "bool",
    "integer": "integer",
    "floating": "real",
    "mixed-integer-float": "real",
    "decimal": "real",
    "datetime64": "datetime",
    "datetime": "datetime",
    "timedelta64": "timedelta",
    "timedelta": "timedelta",
}
_KINDS = {
    "b": "bool",
    "i": "integer",
    "u": "integer",
    "f": "real",
    "M": "datetime",
    "m": "timedelta",
}


# of one unit of time
NANOSECONDS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}


class Coded(NamedTuple):
    """New values that are few and repeat: `values[codes]`, −1 leaving a cell as it is."""

    codes: np.ndarray
    values: np.ndarray

    def plain(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows that get a new value, and these values, one a row."""
        new = self.codes >= 0
        return (rows[new], self.values[self.codes[new]])


def some_values(values: np.ndarray | Coded, which: np.ndarray) -> np.ndarray | Coded:
    """Those of some new values that a mask names."""
    if isinstance(values, Coded):
        return Coded(values.codes[which], values.values)
    return values[which]


class Taken(NamedTuple):
    """New values that stand elsewhere in the table: in a row for each cell, of one column."""

    rows: np.ndarray
    column: int


def read_column(values: np.ndarray) -> tuple[np.ndarray, str]:
    """A column with objects that are only numbers or times made so, and what it holds."""
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind != "O":
        return values, plain_kind(values.dtype)
    kind = _INFERRED.get(pd.api.types.infer_dtype(values, skipna=True), "text")
    try:
        return (values if kind == "text" else _typed(values, kind)), kind
    except OverflowError:
        return values, "text"


def plain_kind(dtype: np.dtype) -> str:
    """What a column of a numpy dtype other than object holds."""
    return _KINDS.get(dtype.kind, "text")


def as_floats(values: np.ndarray) -> np.ndarray:
    """Numbers as float64; times as nanoseconds, NaT as NaN."""
    if values.dtype.kind not in "mM":
        return values.astype(float, copy=False)
    counts, unit = time_counts(values)
    floats = counts.astype(float) * NANOSECONDS[unit]
    floats[np.isnat(values)] = np.nan
    return floats


def time_counts(values: np.ndarray) -> tuple[np.ndarray, str]:
    """Times as whole numbers of a unit that holds them all, and that unit."""
    unit = np.datetime_data(values.dtype)[0]
    if unit not in NANOSECONDS:
        # nanoseconds from 1970 do not reach further than the year 2262
        unit = "ns" if unit in ("ps", "fs", "as") else "s"
    return values.astype(f"{values.dtype.kind}8[{unit}]").astype(np.int64), unit


def hashable(value: object) -> object:
    """A value itself where it can be a key, else its text."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def _typed(values: np.ndarray, kind: str) -> np.ndarray:
    """Objects of one kind in the dtype of that kind, where it holds them."""
    if kind in ("integer", "real"):
        if kind == "integer" and not pd.isna(values).any():
            try:
                return values.astype(np.int64)
            except OverflowError:
                values.astype(float)
                return values
        # no float can be made of pandas.NA
        numbers = pd.Series(values, dtype=object)
        return np.asarray(numbers.mask(numbers.isna(), np.nan).astype(float))
    if kind == "bool":
        return values if pd.isna(values).any() else values.astype(bool)
    try:
        # a cache takes both times of an hour that clocks show twice for one, as Python does
        times = (
            pd.to_datetime(values, cache=False) if kind == "datetime" else pd.to_timedelta(values)
        )
        return np.asarray(pd.Series(times).dt.as_unit("ns").array)
    except (ValueError, TypeError):
        return values


def pandas_values(series: pd.Series) -> np.ndarray:
    """A pandas column as numpy values, missing numbers as NaN and other gaps as objects."""
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return np.asarray(series)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return np.asarray(series.dt.tz_convert("UTC").dt.tz_localize(None))
    if pd.api.types.is_bool_dtype(dtype) and not isinstance(dtype, pd.CategoricalDtype):
        return series.to_numpy(dtype=object if series.hasnans else bool)
    if pd.api.types.is_numeric_dtype(dtype) and not isinstance(dtype, pd.CategoricalDtype):
        if pd.api.types.is_integer_dtype(dtype) and not series.hasnans:
            return series.to_numpy(dtype=np.int64 if dtype.kind == "i" else np.uint64)
        return series.to_numpy(dtype=float, na_value=np.nan)
    if str(dtype).startswith("date"):
        # as days they become Python's dates, which NaT is none of
        series = series.astype("timestamp[s][pyarrow]")
    if getattr(dtype, "kind", "O") in "mM":
        unit = getattr(getattr(dtype, "pyarrow_dtype", None), "unit", "ns")
        return series.to_numpy(dtype=f"{dtype.kind}8[{unit}]")
    return series.to_numpy(dtype=object)


def zone_of(dtype: Any) -> Any:
    """The time zone of a pandas dtype of times, None where it has none."""
    if isinstance(dtype, pd.DatetimeTZDtype):
        return dtype.tz
    return getattr(getattr(dtype, "pyarrow_dtype", None), "tz", None)


def pandas_assign(array: Any, rows: np.ndarray, values: Any) -> Any:
    """A copy of a pandas array with `values` at `rows`, in the nearest dtype that holds them."""
    dtype = array.dtype
    if isinstance(values, Coded):
        if isinstance(dtype, pd.CategoricalDtype):
            return _recoded(array, rows, values)
        if isinstance(dtype, pd.StringDtype):
            rows, at = Coded(values.codes, np.arange(len(values.values))).plain(rows)
            return _taken(array, rows, values.values, at)
        rows, values = values.plain(rows)
    if _would_parse(dtype, values):
        array = pd.arrays.NumpyExtensionArray(np.asarray(array, dtype=object))
        dtype = array.dtype
    # strings kept as Python objects are a kind of numpy array to pandas
    plain = not isinstance(dtype, pd.StringDtype)
    if plain and isinstance(array, pd.arrays.NumpyExtensionArray):
        return _numpy_assign(np.asarray(array), rows, values)
    if isinstance(dtype, pd.SparseDtype):
        dense = _numpy_assign(np.asarray(array), rows, values)
        return pd.arrays.SparseArray(dense, fill_value=dtype.fill_value)
    if values is MISSING:
        if isinstance(dtype, pd.IntervalDtype) and np.dtype(dtype.subtype).kind in "iu":
            array = array.astype(pd.IntervalDtype(float, dtype.closed))
        out = array.copy()
        out[rows] = dtype.na_value if dtype.kind not in "mM" else pd.NaT
        return out
    if isinstance(dtype, pd.CategoricalDtype):
        new = pd.Index(pd.unique(np.atleast_1d(np.asarray(values, dtype=object)))).dropna()
        out = _widened(array, new).copy()
        out[rows] = values
        return out
    if pd.api.types.is_bool_dtype(dtype) and np.asarray(values).dtype.kind in "iuf":
        array, dtype = _as_numbers(array, np.asarray(values))
    if pd.api.types.is_integer_dtype(dtype) and np.asarray(values).dtype.kind in "iuf":
        values = np.broadcast_to(np.asarray(values), len(rows))
        array, values = _integers_for(array, values)
    if zone_of(dtype) is not None:
        values = _in_zone(values, zone_of(dtype))
    if isinstance(dtype, pd.StringDtype) and np.ndim(values):
        return _taken(array, rows, values, np.arange(len(rows)))
    try:
        out = array.copy()
        out[rows] = _of_unit(dtype, values)
    except (TypeError, ValueError):
        out = np.asarray(array, dtype=object)
        out = out.copy()
        out[rows] = cells_for(out.dtype, values)
    return out


def _in_zone(values: Any, zone: Any) -> Any:
    """Times of UTC as those of a zone; values that are not all times as they are."""
    try:
        moments = pd.DatetimeIndex(np.atleast_1d(values)).tz_localize("UTC").tz_convert(zone)
    except (TypeError, ValueError):
        return values
    return moments.array if np.ndim(values) else moments[0]


def _of_unit(dtype: Any, values: Any) -> Any:
    """Times as an array of a pyarrow dtype, which refuses finer ones; all else as it is."""
    unit = getattr(getattr(dtype, "pyarrow_dtype", None), "unit", None)
    if unit is None or dtype.kind not in "mM" or getattr(values, "dtype", dtype).kind not in "mM":
        return values
    # one with a zone would take bare times for those of its clocks
    times = pd.Series(values).dt.as_unit(unit)
    return pd.array(times, dtype=dtype)


def _would_parse(dtype: Any, values: Any) -> bool:
    """Whether pandas would read texts that are put into a column as numbers or times."""
    if not pd.api.types.is_numeric_dtype(dtype) and getattr(dtype, "kind", "O") not in "mM":
        return False
    given = isinstance(values, np.ndarray) and values.dtype.kind == "O"
    return given and pd.api.types.infer_dtype(values) == "string"


def _as_numbers(array: Any, values: np.ndarray) -> tuple[Any, Any]:
    """A nullable array of truth values as one of numbers that holds `values` too, and its dtype."""
    present = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    whole = fits_integer(present, np.dtype(np.int64))
    if "[" in array.dtype.name:
        array = array.astype("int64[pyarrow]" if whole else "double[pyarrow]")
    else:
        array = array.astype("Int64" if whole else "Float64")
    return array, array.dtype


def _integers_for(array: Any, values: np.ndarray) -> tuple[Any, Any]:
    """A nullable array of integers in the nearest dtype that holds `values` too, and these."""
    name, _, is_arrow = array.dtype.name.partition("[")
    own, widest = np.dtype(name.lower()), np.dtype(np.int64)
    present = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    if not fits_integer(present, own):
        if np.can_cast(own, widest) and fits_integer(present, widest):
            array = array.astype("int64[pyarrow]" if is_arrow else "Int64")
        elif values.dtype.kind != "f" or not _exact_as_float(np.asarray(array[~array.isna()])):
            return array.astype(object), values
        else:
            return array.astype("double[pyarrow]" if is_arrow else "Float64"), values
    if values.dtype.kind == "f":
        values = pd.array(values, dtype="Float64").astype(array.dtype)
    return array, values


def _taken(array: Any, rows: np.ndarray, values: np.ndarray, at: np.ndarray) -> Any:
    """A string array with `values[at]` at `rows`.

    Taking from old and new strings is faster than putting new ones among the old.
    """
    source = np.arange(len(array))
    source[rows] = len(array) + at
    parts = [pd.Series(array), pd.Series(pd.array(values, dtype=array.dtype))]
    return pd.concat(parts, ignore_index=True).array.take(source)


def _recoded(array: pd.Categorical, rows: np.ndarray, new: Coded) -> pd.Categorical:
    """A categorical with new values at `rows`, by its codes."""
    wider = _widened(array, pd.Index(new.values))
    position = wider.categories.get_indexer(pd.Index(new.values, dtype=wider.categories.dtype))
    rows, at = Coded(new.codes, position).plain(rows)
    codes = np.array(wider.codes)
    codes[rows] = at
    return pd.Categorical.from_codes(codes, dtype=wider.dtype)


def _widened(array: pd.Categorical, values: pd.Index) -> pd.Categorical:
    """A categorical with categories for `values`, too."""
    try:
        added = values[~values.isin(array.categories)].unique()
        return array.add_categories(added) if len(added) else array
    except (TypeError, ValueError):
        # intervals and the like have no dtype in common with texts
        known = pd.Index(array.categories, dtype=object)
        new = pd.Index(values, dtype=object)
        categories = known.append(new[~new.isin(known)].unique())
        return pd.Categorical.from_codes(array.codes, categories, ordered=array.ordered)


def pandas_taken(column: pd.Series, rows: np.ndarray, supplier: pd.Series, at: np.ndarray) -> Any:
    """A copy of a pandas column with cells of another, of the same dtype, or of itself at `rows`.

    Cells are copied as they are stored, whatever they hold.
    """
    source = np.arange(len(column))
    if supplier is column:
        source[rows] = at
    else:
        source[rows] = len(column) + at
        column = pd.concat([column, supplier], ignore_index=True)
    taken = column.array.take(source)
    plain = isinstance(taken, pd.arrays.NumpyExtensionArray)
    return np.asarray(taken) if plain and not isinstance(taken.dtype, pd.StringDtype) else taken


def holding_dtype(dtype: np.dtype, values: Any) -> np.dtype:
    """The nearest numpy dtype to `dtype` that can hold `values` too."""
    if values is MISSING:
        if dtype.kind in "iu":
            return np.dtype(float)
        return dtype if dtype.kind in "fmMO" else np.dtype(object)
    new = np.asarray(values)
    if dtype.kind == "O" or new.dtype == dtype:
        return dtype
    if dtype.kind == "f" and new.dtype.kind in "biuf":
        return dtype
    if dtype.kind in "iu" and new.dtype.kind in "biuf":
        if fits_integer(new, dtype):
            return dtype
        wider = np.dtype(np.int64)
        fits = np.can_cast(dtype, wider) and fits_integer(new, wider)
        return wider if fits else np.dtype(float)
    if dtype.kind in "US" and new.dtype.kind in "OUS":
        return np.result_type(dtype, new.astype(dtype.kind))
    if dtype.kind == "b" and new.dtype.kind in "iuf":
        return np.dtype(float)
    if dtype.kind == new.dtype.kind and dtype.kind in "mM":
        return dtype
    return np.dtype(object)


def cells_for(dtype: np.dtype, values: Any) -> Any:
    """New values as a numpy array of `dtype` takes them."""
    if values is MISSING:
        return np.array("NaT", dtype=dtype)[()] if dtype.kind in "mM" else np.nan
    if dtype.kind == "O" and getattr(values, "dtype", dtype).kind in "mM":
        # numpy would make integers of times in nanoseconds
        return pd.Series(values).astype(object).to_numpy()
    return values


def exact_dtype(array: np.ndarray, dtype: np.dtype) -> np.dtype:
    """`dtype`, or object where it is a float that integers of `array` would be rounded to."""
    return dtype if dtype.kind != "f" or _exact_as_float(array) else np.dtype(object)


def _exact_as_float(array: np.ndarray) -> bool:
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return True
    return bool(array.min() >= -(2**53) and array.max() <= 2**53)


def fits_integer(values: np.ndarray, dtype: np.dtype) -> bool:
    """Whether all values are whole and within the limits of an integer dtype."""
    limits = np.iinfo(dtype)
    with np.errstate(invalid="ignore"):
        if values.dtype.kind == "f":
            # the largest integers are rounded up as floats, to numbers that do not fit
            inside = (values >= float(limits.min)) & (values < 2.0 ** int(limits.max).bit_length())
        else:
            inside = (values >= limits.min) & (values <= limits.max)
        return bool(np.all(np.isfinite(values) & (values == np.floor(values)) & inside))


def _numpy_assign(array: np.ndarray, rows: np.ndarray, values: Any) -> np.ndarray:
    dtype = exact_dtype(array, holding_dtype(array.dtype, values))
    out = array.astype(dtype, copy=True)
    out[rows] = cells_for(dtype, _decimals_for(array, values))
    return out


def _decimals_for(array: np.ndarray, values: Any) -> Any:
    """Floats as decimals where all objects of an array are; all else as it is."""
    is_float = getattr(getattr(values, "dtype", None), "kind", "") == "f"
    if array.dtype.kind != "O" or not is_float or pd.api.types.infer_dtype(array) != "decimal":
        return values
    told = [value if value != value else Decimal(str(value)) for value in np.ravel(values).tolist()]
    return np.array([*told, None], dtype=object)[:-1] if np.ndim(values) else told[0]
