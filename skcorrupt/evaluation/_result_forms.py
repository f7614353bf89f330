"""Values of results as JSON types, exact, and back."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption
from skcorrupt.patterns import Pattern
from skcorrupt.utils import Reader

from ._described import Described

Read = TypeVar("Read")

# arrays of numbers, truth values, times and spans; others go cell by cell
PLAIN_DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|U\d+|[mM]8\[\d*[a-zA-Zμ]+\])")
MASKED_DTYPE = re.compile(r"U?Int(8|16|32|64)|Float(32|64)|boolean")
# texts of a few characters can be said to take as much as one likes
MOST_BYTES = 2**30
NOT_FINITE = ("nan", "inf", "-inf")


@dataclass(frozen=True)
class Forms:
    """How values are written and read.

    Attributes
    ----------
    kinds : tuple of type
        Classes, besides patterns and corruptions, of which objects are made again from their
        parameters.
    """

    kinds: tuple[type, ...] = ()
    _readers: dict[str, Callable[[Reader], Any]] = field(init=False)

    def __post_init__(self) -> None:
        readers: dict[str, Callable[[Reader], Any]] = {
            "float": lambda each: float(each.one_of(NOT_FINITE)),
            "missing": lambda each: {"NA": pd.NA, "NaT": pd.NaT}[each.one_of(["NA", "NaT"])],
            "tuple": lambda each: tuple(self._list(each)),
            "set": lambda each: each.made(set, self._list(each)),
            "frozenset": lambda each: each.made(frozenset, self._list(each)),
            "dict": self._dict,
            "scalar": lambda each: _only(each, self._array(each)),
            "array": self._array,
            "time": self._time,
            "span": lambda each: pd.Timedelta(_only(each, self._array(each))),
            "date": lambda each: each.made(dt.date.fromisoformat, each.text()),
            "datetime": lambda each: each.made(dt.datetime.fromisoformat, each.text()),
            "frame": self._frame,
            "series": self._series,
            "index": self._index,
            "pattern": lambda each: each.made(Pattern.from_dict, each.value),
            "corruption": lambda each: each.made(BaseCorruption.from_dict, each.value),
            "object": self._object,
            "described": self._described,
        }
        object.__setattr__(self, "_readers", readers)

    def write(self, value: Any) -> Any:
        """A value as JSON types.

        Parameters
        ----------
        value : object
            The value. What has no form is described by its text.

        Returns
        -------
        object
            To be read by `read`.
        """
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) is list:
            return value if _are(float, value) else [self.write(each) for each in value]
        for kinds, write in (
            ((tuple,), lambda: {"tuple": self.write(list(value))}),
            ((set,), lambda: {"set": self._sorted(value)}),
            ((frozenset,), lambda: {"frozenset": self._sorted(value)}),
            ((dict,), lambda: {"dict": [self.write([*pair]) for pair in value.items()]}),
            ((pd.DataFrame,), lambda: {"frame": self._written_frame(value)}),
            ((pd.Series,), lambda: {"series": self._written_series(value)}),
            ((pd.Index,), lambda: {"index": self._written_index(value)}),
            ((np.ndarray, pd.api.extensions.ExtensionArray), lambda: self._written_array(value)),
            ((np.generic,), lambda: self._written_scalar(value)),
            ((type(pd.NA), type(pd.NaT)), lambda: {"missing": "NA" if value is pd.NA else "NaT"}),
            ((pd.Timestamp,), lambda: {"time": self._written_time(value)}),
            ((pd.Timedelta,), lambda: {"span": _plain(np.asarray(value.to_timedelta64()))}),
            ((dt.datetime,), lambda: {"datetime": value.isoformat()}),
            ((dt.date,), lambda: {"date": value.isoformat()}),
            ((Pattern,), lambda: {"pattern": value.to_dict()}),
            ((BaseCorruption,), lambda: self._written_corruption(value)),
            (self.kinds, lambda: {"object": self._written_object(value)}),
        ):
            if isinstance(value, kinds):
                return write()
        made = value if isinstance(value, Described) else Described.of(value)
        attributes = {name: self.write(each) for name, each in made.attributes.items()}
        return {"described": {"text": made.text, "modules": made.modules, "attributes": attributes}}

    def read(self, reader: Reader) -> Any:
        """The value that `write` gave these JSON types for.

        Parameters
        ----------
        reader : Reader
            They, and their place.

        Returns
        -------
        object
            The value.

        Raises
        ------
        ValueError
            If they are no such thing; the message names the place.
        """
        if reader.value is None:
            return None
        if isinstance(reader.value, list):
            return self._list(reader)
        if not isinstance(reader.value, Mapping):
            return reader.scalar()
        fields = reader.fields([], self._readers)
        if len(fields) != 1:
            reader.refuse(f"an object with one of {', '.join(self._readers)}")
        [(form, inner)] = fields.items()
        return self._readers[form](inner)

    def _list(self, reader: Reader) -> list[Any]:
        if type(reader.value) is list and _are(float, reader.value):
            return reader.value
        return [self.read(each) for each in reader.items()]

    def _sorted(self, value: Any) -> list[Any]:
        return [self.write(each) for each in sorted(value, key=repr)]

    def _dict(self, reader: Reader) -> dict[Any, Any]:
        found = {}
        for each in reader.items("a list of pairs"):
            pair = each.items("a pair of a key and a value")
            if len(pair) != 2:
                each.refuse("a pair of a key and a value")
            key = self.read(pair[0])
            each.made(hash, key)
            found[key] = self.read(pair[1])
        return found

    def _written_array(self, values: Any) -> dict[str, Any]:
        if isinstance(values, pd.Categorical):
            parts = {"codes": values.codes.tolist(), "ordered": bool(values.ordered)}
            return {"array": {"categories": self._written_index(values.categories), **parts}}
        dtype = values.dtype
        if isinstance(dtype, pd.StringDtype):
            cells = [None if pd.isna(each) else str(each) for each in values]
            missing = "NA" if dtype.na_value is pd.NA else "nan"
            return {"array": {"storage": dtype.storage, "missing": missing, "values": cells}}
        if isinstance(dtype, pd.DatetimeTZDtype):
            utc = np.asarray(values.tz_convert("UTC").tz_localize(None))
            return {"array": {**_plain(utc), "zone": str(dtype.tz)}}
        if MASKED_DTYPE.fullmatch(str(dtype)):
            cells = [None if pd.isna(each) else each.item() for each in values]
            return {"array": {"masked": str(dtype), "values": cells}}
        values = np.asarray(values)
        if PLAIN_DTYPE.fullmatch(values.dtype.str):
            return {"array": _plain(values)}
        cells = [self.write(each) for each in values.ravel().tolist()]
        if values.dtype.kind == "O":
            # tolist would turn times of numpy into numbers
            cells = [self.write(each) for each in values.ravel()]
        return {"array": {"dtype": "O", "shape": list(values.shape), "values": cells}}

    def _array(self, reader: Reader) -> Any:
        entries = reader.entries("an object of an array")
        if "categories" in entries:
            fields = reader.fields(["categories", "codes", "ordered"])
            codes = _integers(fields["codes"])
            return fields["codes"].made(
                pd.Categorical.from_codes,
                codes,
                categories=self._index(fields["categories"]),
                ordered=fields["ordered"].boolean(),
            )
        if "storage" in entries:
            return _texts(reader)
        if "masked" in entries:
            return _masked(reader)
        fields = reader.fields(["dtype", "shape", "values"], ["zone"])
        if fields["dtype"].value == "O":
            values = np.empty(len(fields["values"].items()), dtype=object)
            for i, each in enumerate(fields["values"].items()):
                values[i] = self.read(each)
        else:
            values = _unpacked(fields["dtype"], fields["values"])
        shape = tuple(_integers(fields["shape"]))
        values = fields["shape"].made(values.reshape, shape)
        if "zone" in fields:
            return _zoned(fields["zone"], pd.DatetimeIndex(values)).array
        return values

    def _written_scalar(self, value: np.generic) -> Any:
        written = self._written_array(np.asarray(value))["array"]
        return {"scalar": written} if written["dtype"] != "O" else written["values"][0]

    def _written_time(self, value: pd.Timestamp) -> dict[str, Any]:
        if value.tz is None:
            return _plain(np.asarray(value.to_datetime64()))
        utc = value.tz_convert("UTC").tz_localize(None)
        return {**_plain(np.asarray(utc.to_datetime64())), "zone": str(value.tz)}

    def _time(self, reader: Reader) -> pd.Timestamp:
        fields = reader.fields(["dtype", "shape", "values"], ["zone"])
        value = pd.Timestamp(_only(reader, _unpacked(fields["dtype"], fields["values"])))
        return _zoned(fields["zone"], value) if "zone" in fields else value

    def _written_index(self, index: pd.Index) -> dict[str, Any]:
        if isinstance(index, pd.MultiIndex):
            levels = [self._written_index(level) for level in index.levels]
            codes = [np.asarray(each).tolist() for each in index.codes]
            return {"levels": levels, "codes": codes, "name": self.write(list(index.names))}
        name = self.write(index.name)
        if isinstance(index, pd.RangeIndex):
            return {"range": [index.start, index.stop, index.step], "name": name}
        return {**self._written_array(index.array), "name": name}

    def _index(self, reader: Reader) -> pd.Index:
        entries = reader.entries("an object of an index")
        name = self.read(reader.at("name"))
        if "range" in entries:
            fields = reader.fields(["range", "name"])
            index = fields["range"].made(
                pd.RangeIndex, *_integers(fields["range"], length=3), name=name
            )
            # one of more than 2**63 rows is made, and fails where its rows are counted
            fields["range"].made(len, index)
            return index
        if "levels" in entries:
            fields = reader.fields(["levels", "codes", "name"])
            levels = [self._index(each) for each in fields["levels"].items()]
            codes = [_integers(each) for each in fields["codes"].items()]
            return reader.made(pd.MultiIndex, levels=levels, codes=codes, names=name)
        fields = reader.fields(["array", "name"])
        values = self._array(fields["array"])
        # without a dtype, pandas would guess one for objects
        return reader.made(pd.Index, values, dtype=values.dtype, name=name)

    def _written_series(self, series: pd.Series) -> dict[str, Any]:
        return {
            **self._written_array(series.array),
            "index": self._written_index(series.index),
            "name": self.write(series.name),
        }

    def _series(self, reader: Reader) -> pd.Series:
        fields = reader.fields(["array", "index", "name"])
        values, index = self._array(fields["array"]), self._index(fields["index"])
        name = self.read(fields["name"])
        return reader.made(pd.Series, values, dtype=values.dtype, index=index, name=name)

    def _written_frame(self, frame: pd.DataFrame) -> dict[str, Any]:
        columns = [frame.iloc[:, j].array for j in range(frame.shape[1])]
        return {
            "index": self._written_index(frame.index),
            "columns": self._written_index(frame.columns),
            "arrays": [self._written_array(each)["array"] for each in columns],
        }

    def _frame(self, reader: Reader) -> pd.DataFrame:
        fields = reader.fields(["index", "columns", "arrays"])
        index, columns = self._index(fields["index"]), self._index(fields["columns"])
        parts = {}
        for j, each in enumerate(fields["arrays"].items()):
            values = self._array(each)
            parts[j] = each.made(pd.Series, values, dtype=values.dtype, index=index)
        frame = pd.DataFrame(parts, index=index)
        return fields["columns"].made(frame.set_axis, columns, axis=1)

    def _written_corruption(self, value: BaseCorruption) -> dict[str, Any]:
        try:
            return {"corruption": value.to_dict()}
        except TypeError:
            # a generator of random numbers, or a function of the user's
            return self.write(Described.of(value))

    def _written_object(self, value: Any) -> dict[str, Any]:
        params = value.get_params(deep=False)
        return {
            "class": type(value).__name__,
            "params": {name: self.write(each) for name, each in params.items()},
        }

    def _object(self, reader: Reader) -> Any:
        known = {each.__name__: each for each in self.kinds}
        fields = reader.fields(["class", "params"])
        made = known[fields["class"].one_of(sorted(known))]
        params = {name: self.read(each) for name, each in fields["params"].arguments(made).items()}
        return fields["params"].made(made, **params)

    def _described(self, reader: Reader) -> Described:
        fields = reader.fields(["text", "modules", "attributes"])
        modules = {name: each.text() for name, each in fields["modules"].entries().items()}
        attributes = {
            name: self.read(each) for name, each in fields["attributes"].entries().items()
        }
        return Described(fields["text"].text(), modules, attributes)


def _plain(values: np.ndarray) -> dict[str, Any]:
    """An array of numbers, texts or times."""
    flat: Any = values.ravel()
    if values.dtype.kind in "mM":
        flat = flat.astype("i8")
    cells = flat.tolist()
    if values.dtype.kind == "f":
        cells = [each if math.isfinite(each) else repr(each) for each in cells]
    return {"dtype": values.dtype.str, "shape": list(values.shape), "values": cells}


def _unpacked(dtype: Reader, values: Reader) -> np.ndarray:
    """The inverse of `_plain`, in one dimension."""
    if not PLAIN_DTYPE.fullmatch(dtype.text()):
        dtype.refuse("a type of arrays, such as '<f8'")
    kind = dtype.made(np.dtype, dtype.value)
    n_bytes = kind.itemsize * (len(values.value) if type(values.value) is list else 1)
    if n_bytes > MOST_BYTES:
        dtype.refuse(f"a type of which the values take {MOST_BYTES} bytes at most, not {n_bytes}")
    if kind.kind in "mM":
        return np.array(_integers(values, least=-(2**63)), dtype="i8").astype(kind)
    plain = {"b": bool, "U": str, "f": float}.get(kind.kind)
    if type(values.value) is list and plain is not None and _are(plain, values.value):
        # a place for each would take far longer than the numbers
        return np.array(values.value, dtype=kind)
    cells = values.items()
    if kind.kind == "b":
        return np.array([each.boolean() for each in cells], dtype=kind)
    if kind.kind == "U":
        return np.array([each.text() for each in cells], dtype=kind)
    if kind.kind == "f":
        return np.array([_float(each) for each in cells], dtype=kind)
    bits, signed = 8 * kind.itemsize, kind.kind == "i"
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return np.array(_integers(values, least=least, most=most), dtype=kind)


def _are(kind: type, values: list[Any]) -> bool:
    """Whether all values are of one type, numbers finite."""
    return all(type(each) is kind for each in values) and (
        kind is not float or all(map(math.isfinite, values))
    )


def _float(reader: Reader) -> float:
    text = isinstance(reader.value, str)
    return float(reader.one_of(NOT_FINITE) if text else reader.number())


def _integers(
    reader: Reader, *, length: int | None = None, least: int = -(2**63), most: int = 2**64
) -> list[int]:
    """Whole numbers in a list."""
    found = reader.value if type(reader.value) is list else None
    if found is None or not _are(int, found) or not all(least <= each <= most for each in found):
        for each in reader.items("a list of whole numbers"):
            if type(each.value) is not int or not least <= each.value <= most:
                each.refuse(f"a whole number from {least} to {most}")
        reader.refuse("a list of whole numbers")
    if length is not None and len(found) != length:
        reader.refuse(f"a list of {length} whole numbers")
    return found


def _only(reader: Reader, values: np.ndarray) -> Any:
    """The one value of an array."""
    return values.reshape(-1)[0] if values.size == 1 else reader.refuse("a single value")


def _zoned(zone: Reader, times: Read) -> Read:
    """Times of UTC in a time zone."""
    return zone.made(times.tz_localize("UTC").tz_convert, zone.text())  # type: ignore[attr-defined]


def _texts(reader: Reader) -> Any:
    fields = reader.fields(["storage", "missing", "values"])
    missing = pd.NA if fields["missing"].one_of(["NA", "nan"]) == "NA" else np.nan
    cells = fields["values"].value
    if type(cells) is not list or not all(each is None or type(each) is str for each in cells):
        given = fields["values"].items()
        cells = [None if each.value is None else each.text() for each in given]
    storage = fields["storage"].one_of(["python", "pyarrow"])
    try:
        return pd.array(cells, dtype=pd.StringDtype(storage, na_value=missing))
    except ImportError:
        # written where there was pyarrow
        return pd.array(cells, dtype=pd.StringDtype("python", na_value=missing))


def _masked(reader: Reader) -> Any:
    fields = reader.fields(["masked", "values"])
    if not MASKED_DTYPE.fullmatch(fields["masked"].text()):
        fields["masked"].refuse("a type of pandas, such as 'Int64'")
    cells = [None if each.value is None else each.scalar() for each in fields["values"].items()]
    return fields["values"].made(pd.array, cells, dtype=fields["masked"].value)
