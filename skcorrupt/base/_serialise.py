"""Parameters of corruptions as JSON and as Python literals, both exact."""

from __future__ import annotations

import datetime as dt
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from skcorrupt.patterns import Pattern
from skcorrupt.utils import Reader

Made = TypeVar("Made")

# objects that are made of a class and parameters, by the key that names the class
MADE = ("corruption", "mechanism")
# what JSON has no type of its own for, as the only key of an object
FORMS = ("pattern", "mapping", "tuple", "set", "float", "missing", "time", "duration")

TIMES = (dt.date, np.datetime64)
DURATIONS = (dt.timedelta, np.timedelta64)


class Constructed:
    """What is told by its class and the parameters of its constructor."""

    _form: str

    def to_dict(self) -> dict[str, Any]:
        """The class and parameters as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `from_dict` of a corruption.
        """
        params = self.get_params(deep=False).items()  # type: ignore[attr-defined]
        encoded = {name: encode(value) for name, value in params}
        return {self._form: type(self).__name__, "params": encoded}

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        params = self.get_params(deep=False)  # type: ignore[attr-defined]
        shown = [
            f"{name}={literal(params[name])}"
            for name, parameter in inspect.signature(type(self)).parameters.items()
            if parameter.default is parameter.empty
            or literal(params[name]) != literal(parameter.default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def encode(value: Any) -> Any:
    """A parameter's value as JSON types."""
    if isinstance(value, Pattern):
        return {"pattern": value.to_dict()}
    if isinstance(value, Constructed):
        return value.to_dict()
    if value is pd.NA:
        return {"missing": "NA"}
    if isinstance(value, pd.DataFrame):
        return encode(by_row(value))
    if isinstance(value, dict):
        return {"mapping": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": [encode(v) for v in sorted(value, key=repr)]}
    if isinstance(value, (list, np.ndarray, pd.Index)):
        return [encode(v) for v in value]
    if isinstance(value, TIMES):
        return {"time": pd.Timestamp(value).isoformat()}
    if isinstance(value, DURATIONS):
        return {"duration": pd.Timedelta(value).isoformat()}
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(
        f"{value!r} of type {type(value).__name__} has no JSON form; use numbers, strings, "
        "lists, dicts, patterns and integer seeds as parameters."
    )


def by_row(frame: pd.DataFrame) -> dict[Any, dict[Any, Any]]:
    """A frame as what each of its rows holds by column, which parameters may be as well."""
    columns, cells = frame.columns.tolist(), frame.to_numpy(dtype=object).tolist()
    rows = zip(frame.index.tolist(), cells, strict=True)
    return {row: dict(zip(columns, values, strict=True)) for row, values in rows}


def decode(reader: Reader) -> Any:
    """The inverse of `encode`."""
    value = reader.value
    if isinstance(value, (list, tuple)):
        values = [decode(each) for each in reader.items()]
        return tuple(values) if isinstance(value, tuple) else values
    if not isinstance(value, Mapping):
        return None if value is None else reader.scalar()
    for form in MADE:
        if form in value:
            return read_made(reader, form)
    fields = reader.fields([], FORMS)
    if len(fields) != 1:
        reader.refuse(f"an object with one of {', '.join((*MADE, *FORMS))}")
    [(form, inner)] = fields.items()
    if form == "pattern":
        return Pattern._read(inner)
    if form == "float":
        return float(inner.one_of(["nan", "inf", "-inf"]))
    if form == "missing":
        inner.one_of(["NA"])
        return pd.NA
    if form == "time":
        return _time(inner, pd.Timestamp, "a time, such as '1900-01-01T00:00:00'")
    if form == "duration":
        return _time(inner, pd.Timedelta, "a duration, such as 'P0DT1H30M0S'")
    if form == "tuple":
        return tuple(decode(each) for each in inner.items())
    if form == "set":
        return {_key(each) for each in inner.items()}
    pairs = [each.items("a pair of a key and a value") for each in inner.items("a list of pairs")]
    for each, pair in zip(inner.items(), pairs, strict=True):
        if len(pair) != 2:
            each.refuse("a pair of a key and a value")
    found: dict[Any, Any] = {}
    for key, each in pairs:
        name = _key(key)
        if name in found:
            key.refuse("a key that is not there before")
        found[name] = decode(each)
    return found


def _time(reader: Reader, read: Callable[[str], Any], expected: str) -> Any:
    try:
        found = read(reader.text())
    except ValueError:
        found = None
    if pd.isna(found):
        reader.refuse(expected)
    return found


def _key(reader: Reader) -> Any:
    value = decode(reader)
    try:
        hash(value)
    except TypeError:
        reader.refuse("a value that can be a key, such as a text or a number")
    return value


def read_made(reader: Reader, form: str) -> Any:
    """The corruption or mechanism that a document describes."""
    fields = reader.fields([form], ["params"], f"a {form}")
    known = known_classes(form)
    otherwise = "; import the module that defines it first"
    name = fields[form].one_of(sorted(known), otherwise)
    return build(known[name], fields.get("params") or Reader({}, reader.at("params").place))


def build(cls: type[Made], given: Reader) -> Made:
    """The object of a class with the parameters that a document gives it, each checked."""
    params = {name: decode(each) for name, each in given.arguments(cls).items()}
    made = given.made(cls, **params)
    given.made(made._check_params)  # type: ignore[attr-defined]
    return made


def known_classes(form: str) -> dict[str, Any]:
    """Corruptions or mechanisms by class name, but for those that are there to be derived from."""
    classes: list[Any] = [cls for cls in subclasses(Constructed) if "_is_base" not in vars(cls)]
    return {cls.__name__: cls for cls in classes if cls._form == form}


def literal(value: Any) -> str:
    """A value as Python source that evaluates to it."""
    if isinstance(value, TIMES):
        return f"pd.Timestamp({pd.Timestamp(value).isoformat()!r})"
    if isinstance(value, DURATIONS):
        return f"pd.Timedelta({pd.Timedelta(value).isoformat()!r})"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (np.ndarray, pd.Index)):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if value is pd.NA:
        return "pd.NA"
    if isinstance(value, pd.DataFrame):
        value = by_row(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def subclasses(cls: type) -> Iterator[type]:
    """All classes below one, those of packages that build on this one included."""
    children: list[type] = cls.__subclasses__()
    for child in children:
        yield child
        yield from subclasses(child)
