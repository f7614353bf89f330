"""What results of a fitted system may be, asked of those that are read from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import shorten

from ._described import Described


@dataclass(frozen=True)
class Expected:
    """A kind of results.

    Attributes
    ----------
    what : str
        As a refusal names it, such as "a number".
    wrong : callable
        `wrong(value)` is None for such a result, else what a refusal adds.
    needed : bool, default=True
        Whether it is there after every `fit`.
    beside : str, default=""
        Another one, beside which it is.
    """

    what: str
    wrong: Callable[[Any], str | None]
    needed: bool = True
    beside: str = ""

    def check(self, value: Any, place: str) -> None:
        """Refuse what is of another kind.

        Parameters
        ----------
        value : object
            A result.
        place : str
            Where it stands.

        Raises
        ------
        ValueError
            With the place, the value and what it should be.
        """
        said = self.wrong(value)
        if said is not None:
            shown = "" if isinstance(value, (pd.DataFrame, dict)) else f"={shorten(value)}"
            raise ValueError(f"{place}{shown} should be {self.what}{said}.")

    @property
    def optional(self) -> Expected:
        """The same of what is not always there."""
        return replace(self, needed=False)

    def there_with(self, other: str) -> Expected:
        """The same of what is there where another one is."""
        return replace(self, needed=False, beside=other)

    @property
    def or_none(self) -> Expected:
        """The same or None."""
        wrong = self.wrong
        return replace(
            self,
            what=f"{self.what}, or null",
            wrong=lambda value: None if value is None else wrong(value),
        )


def check_expected(values: Mapping[str, Any], expected: Mapping[str, Expected], place: str) -> None:
    """Refuse results that are missing, or of another kind.

    Parameters
    ----------
    values : mapping of str to object
        Results by name.
    expected : mapping of str to Expected
        What they may be; others are not looked at.
    place : str
        What names begin with in refusals.

    Raises
    ------
    ValueError
        With the name.
    """
    for name, each in expected.items():
        if name in values:
            each.check(values[name], place + name)
        elif each.needed or each.beside in values:
            raise ValueError(f"{place}{name} is missing; it should be {each.what}.")


def one(what: str, *kinds: type) -> Expected:
    """An object of one of some classes."""
    return _simple(what, lambda value: isinstance(value, kinds))


def table(texts: str = "", numbers: str = "") -> Expected:
    """A DataFrame with some columns, those of numbers without texts in them."""
    named = [*texts.split(), *numbers.split()]

    def wrong(value: Any) -> str | None:
        if not isinstance(value, pd.DataFrame):
            return ""
        return _wrong_columns(value, named, numbers.split())

    return Expected(f"a table with the columns {', '.join(named)}", wrong)


def columns(texts: str = "", numbers: str = "") -> Expected:
    """A dict of equally long arrays, those of numbers without texts in them."""
    named = [*texts.split(), *numbers.split()]

    def wrong(value: Any) -> str | None:
        if not isinstance(value, dict):
            return ""
        found = _wrong_columns(value, named, numbers.split())
        if found is not None:
            return found
        if not all(isinstance(each, np.ndarray) and each.ndim == 1 for each in value.values()):
            return "; each should be an array of one dimension"
        lengths = {len(each) for each in value.values()}
        return None if len(lengths) == 1 else "; all should be equally long"

    return Expected(f"an object with the arrays {', '.join(named)}", wrong)


def array(kinds: str = "biufOUMm") -> Expected:
    """An array of one dimension, of types that numpy tells by these letters."""
    texts = "O" in kinds or "U" in kinds
    what = "an array of one dimension" + ("" if texts else ", of numbers")
    return _simple(
        what,
        lambda value: (
            isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in kinds
        ),
    )


def _wrong_columns(value: Any, named: list[str], numbers: list[str]) -> str | None:
    missing = [name for name in named if name not in value]
    if missing:
        return f"; {', '.join(missing)} is missing"
    odd = [name for name in numbers if not _all_numbers(value[name])]
    return f"; {', '.join(odd)} should hold numbers" if odd else None


def _all_numbers(values: Any) -> bool:
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind in "biuf" and kind:
        return True
    # a table of no rows has no types, and in one of objects None is a gap
    return kind == "O" and all(each is None or _is_number(each) for each in values)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _simple(what: str, fits: Callable[[Any], bool]) -> Expected:
    return Expected(what, lambda value: None if fits(value) else "")


NUMBER = _simple("a number", _is_number)
WHOLE = _simple(
    "a whole number", lambda v: isinstance(v, (int, np.integer)) and not isinstance(v, bool)
)
FLAG = one("true or false", bool, np.bool_)
TEXT = one("a text", str)
LIST = one("a list", list, tuple)
OBJECT = one("an object", dict)
INTERVAL = _simple(
    "two numbers",
    lambda v: isinstance(v, (list, tuple)) and len(v) == 2 and all(map(_is_number, v)),
)
ERROR = one("a corruption", BaseCorruption, Described)
