"""Parameters of corruptions as JSON and as Python literals, both exact."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns import Pattern


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


def decode(value: Any, base: type) -> Any:
    """The inverse of `encode`; `base` is the class whose subclasses may be named."""
    if isinstance(value, list):
        return [decode(v, base) for v in value]
    if not isinstance(value, dict):
        return value
    if "corruption" in value:
        known = {cls.__name__: cls for cls in subclasses(base)}
        if value["corruption"] not in known:
            raise ValueError(
                f"corruption={value['corruption']!r} is not a known class; known are "
                f"{', '.join(sorted(known))}. Import the module that defines it first."
            )
        params = {name: decode(v, base) for name, v in value.get("params", {}).items()}
        return known[value["corruption"]](**params)
    if "pattern" in value:
        return Pattern.from_dict(value["pattern"])
    if "mapping" in value:
        return {decode(k, base): decode(v, base) for k, v in value["mapping"]}
    if "tuple" in value:
        return tuple(decode(v, base) for v in value["tuple"])
    if "set" in value:
        return {decode(v, base) for v in value["set"]}
    if "float" in value:
        return float(value["float"])
    if "missing" in value:
        return pd.NA
    raise ValueError(f"{value!r} does not describe a corruption, a pattern or a parameter value.")


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
