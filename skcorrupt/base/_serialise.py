"""Parameters of corruptions as JSON and as Python literals, both exact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from skcorrupt.patterns import Pattern
from skcorrupt.utils import Reader

Made = TypeVar("Made")

# what JSON has no type of its own for, as the only key of an object
FORMS = ("pattern", "mapping", "tuple", "set", "float", "missing")


def encode(value: Any) -> Any:
    """A parameter's value as JSON types."""
    if isinstance(value, Pattern):
        return {"pattern": value.to_dict()}
    if hasattr(value, "to_dict") and hasattr(value, "get_params"):
        return value.to_dict()
    if value is pd.NA:
        return {"missing": "NA"}
    if isinstance(value, dict):
        return {"mapping": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": [encode(v) for v in sorted(value, key=repr)]}
    if isinstance(value, (list, np.ndarray, pd.Index)):
        return [encode(v) for v in value]
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


def decode(reader: Reader, base: type) -> Any:
    """The inverse of `encode`; `base` is the class whose subclasses may be named."""
    value = reader.value
    if isinstance(value, (list, tuple)):
        values = [decode(each, base) for each in reader.items()]
        return tuple(values) if isinstance(value, tuple) else values
    if not isinstance(value, Mapping):
        return None if value is None else reader.scalar()
    if "corruption" in value:
        return read_corruption(reader, base)
    fields = reader.fields([], FORMS)
    if len(fields) != 1:
        reader.refuse(f"an object with one of corruption, {', '.join(FORMS)}")
    [(form, inner)] = fields.items()
    if form == "pattern":
        return Pattern._read(inner)
    if form == "float":
        return float(inner.one_of(["nan", "inf", "-inf"]))
    if form == "missing":
        inner.one_of(["NA"])
        return pd.NA
    if form == "tuple":
        return tuple(decode(each, base) for each in inner.items())
    if form == "set":
        return {_key(each, base) for each in inner.items()}
    pairs = [each.items("a pair of a key and a value") for each in inner.items("a list of pairs")]
    for each, pair in zip(inner.items(), pairs, strict=True):
        if len(pair) != 2:
            each.refuse("a pair of a key and a value")
    found: dict[Any, Any] = {}
    for key, each in pairs:
        name = _key(key, base)
        if name in found:
            key.refuse("a key that is not there before")
        found[name] = decode(each, base)
    return found


def _key(reader: Reader, base: type) -> Any:
    value = decode(reader, base)
    try:
        hash(value)
    except TypeError:
        reader.refuse("a value that can be a key, such as a text or a number")
    return value


def read_corruption(reader: Reader, base: type) -> Any:
    """The corruption that a document describes, of a class below `base`."""
    fields = reader.fields(["corruption"], ["params"], "a corruption")
    known = known_classes(base)
    otherwise = "; import the module that defines it first"
    name = fields["corruption"].one_of(sorted(known), otherwise)
    return build(known[name], fields.get("params") or Reader({}, reader.at("params").place), base)


def build(cls: type[Made], given: Reader, base: type) -> Made:
    """The corruption of a class with the parameters that a document gives it, each checked."""
    params = {name: decode(each, base) for name, each in given.arguments(cls).items()}
    corruption = given.made(cls, **params)
    given.made(corruption._check_params)  # type: ignore[attr-defined]
    return corruption


def known_classes(base: type) -> dict[str, type]:
    """The classes below one by name, but for those that are there to be derived from."""
    return {cls.__name__: cls for cls in subclasses(base) if "_is_base" not in vars(cls)}


def literal(value: Any) -> str:
    """A value as Python source that evaluates to it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (np.ndarray, pd.Index)):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if value is pd.NA:
        return "pd.NA"
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
