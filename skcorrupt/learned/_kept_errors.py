"""What a row of a report is in a file."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from skcorrupt.base import Mechanism
from skcorrupt.evaluation._expected import FLAG, NUMBER, OBJECT, WHOLE, Expected, one
from skcorrupt.patterns import Pattern

from ._in_words import KINDS


def _is_one(what: str, fits: Callable[[Any], bool]) -> Expected:
    return Expected(what, lambda value: None if fits(value) else "")


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, (list, tuple)) and all(map(fits, value))


def _is_label(value: Any) -> bool:
    return isinstance(value, Hashable)


def _is_pair(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2


_LABELS = _is_one("a list of columns", lambda value: _is_list(value, _is_label))
_NUMBERS = (
    "rate share_explained rate_inside rate_inside_low rate_inside_high rate_outside "
    "rate_outside_low rate_outside_high strength p_value p_adjusted"
)
ROW: dict[str, Expected] = {
    "column": _is_one("a column, or null", _is_label),
    "kind": _is_one(
        f"one of {', '.join(KINDS)}", lambda value: isinstance(value, str) and value in KINDS
    ),
    "n_cells": WHOLE,
    "parameters": OBJECT,
    "explained_by": _LABELS,
    "uses_y": FLAG,
    "pattern": one("a pattern", Pattern).or_none,
    "mechanism": one("a mechanism", Mechanism).or_none,
    "together_with": _LABELS,
    "examples": _is_one("a list of pairs", lambda value: _is_list(value, _is_pair)),
    **dict.fromkeys(_NUMBERS.split(), NUMBER),
}
