"""Documents, such as those of JSON, read with the place of every value."""

from __future__ import annotations

import difflib
import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np

from ._numbers import is_finite_number
from ._paths import checked_path
from ._shorten import shorten
from ._typing import FilePath

Made = TypeVar("Made")

DEEPEST = 50
# what is decoded takes several times as much memory
MOST_BYTES = 2**28
# beyond what arrays count
MOST_COUNTED = 2**63
# integers of more bits are beyond every float
MOST_BITS = 1024
# such an integer, which Python reads without a limit of its own
MOST_DIGITS = 400


class Reader:
    """A value and its place in a document, or the name of a parameter, which refusals name.

    Each method gives the value as what it should be, or raises a ValueError that names the place,
    the value and what is allowed.

    Parameters
    ----------
    value : object
        The value.
    place : str, default=""
        Where it is, such as "columns.age.lb" or "rules[2]"; "" is the document itself.
    """

    def __init__(self, value: Any, place: str = "") -> None:
        self.value = value
        self.place = place

    def refuse(self, allowed: str) -> NoReturn:
        """Raise a ValueError that says what the value should be."""
        raise ValueError(f"{self.place or 'data'}={shorten(self.value)} should be {allowed}.")

    def made(self, make: Callable[..., Made], *args: Any, **kwargs: Any) -> Made:
        """What a call gives, this place being named where it refuses its arguments."""
        try:
            return make(*args, **kwargs)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{self.place}: {error}" if self.place else str(error)) from error

    def at(self, key: str) -> Reader:
        """The value of a key, None where there is none."""
        dotted = f"{self.place}.{key}" if self.place else key
        place = dotted if key.isidentifier() else f"{self.place}[{shorten(key)}]"
        return Reader(self.value.get(key), place)

    def entries(self, what: str = "an object") -> dict[str, Reader]:
        """The values of a mapping with texts as keys."""
        if not isinstance(self.value, Mapping):
            self.refuse(what)
        for key in self.value:
            if not isinstance(key, str):
                raise ValueError(
                    f"{self.place or 'data'} has the key {shorten(key)}; keys should be texts."
                )
        return {key: self.at(key) for key in self.value}

    def fields(
        self, required: Iterable[str], optional: Iterable[str] = (), what: str = "an object"
    ) -> dict[str, Reader]:
        """The values of a mapping of which the keys are known, those there are."""
        required = list(required)
        known = [*required, *optional]
        found = self.entries(f"{what} with {', '.join(known)}")
        for key, value in found.items():
            if key not in known:
                raise ValueError(
                    f"{value.place} is not known{close_to(key, known)}; {what} has "
                    f"{', '.join(known) or 'nothing'}."
                )
        for key in required:
            if key not in found:
                raise ValueError(f"{self.at(key).place} is missing; {what} has {', '.join(known)}.")
        return found

    def arguments(self, make: Callable[..., Any]) -> dict[str, Reader]:
        """The values of a mapping that has the arguments of a call as keys."""
        parameters = inspect.signature(make).parameters.values()
        if any(each.kind == each.VAR_KEYWORD for each in parameters):
            return self.entries()
        named = [each for each in parameters if each.kind != each.VAR_POSITIONAL]
        required = [each.name for each in named if each.default is each.empty]
        optional = [each.name for each in named if each.name not in required]
        return self.fields(required, optional, getattr(make, "__name__", "it"))

    def items(self, what: str = "a list") -> list[Reader]:
        """The values of a list."""
        values = self.value.tolist() if isinstance(self.value, np.ndarray) else self.value
        if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
            self.refuse(what)
        return [Reader(each, f"{self.place}[{i}]") for i, each in enumerate(values)]

    def text(self, what: str = "a text") -> str:
        """A text."""
        if not isinstance(self.value, str):
            self.refuse(what)
        return self.value

    def names(self, what: str = "a list of different names") -> tuple[str, ...]:
        """The names in a list, each there once."""
        found = tuple(each.value for each in self.items(what))
        if not all(isinstance(each, str) for each in found) or len(set(found)) < len(found):
            self.refuse(what)
        return found

    def name_or_names(self, least: int = 1) -> tuple[str, ...]:
        """One name or several, each there once."""
        what = "a name or a list of different names"
        found = (self.value,) if isinstance(self.value, str) else self.names(what)
        return found if len(found) >= least else self.refuse(what)

    def one_of(self, options: Iterable[str], otherwise: str = "") -> Any:
        """One of some texts."""
        known = list(options)
        if not isinstance(self.value, str) or self.value not in known:
            hint = close_to(self.value, known) if isinstance(self.value, str) else ""
            self.refuse(f"one of {', '.join(known)}{hint}{otherwise}")
        return self.value

    def boolean(self) -> bool:
        """True or False."""
        if not isinstance(self.value, (bool, np.bool_)):
            self.refuse("True or False")
        return bool(self.value)

    def integer(self, least: int, otherwise: str = "") -> int:
        """A whole number, not below the least one."""
        whole = isinstance(self.value, Integral) and not isinstance(self.value, bool)
        if not whole or not least <= self.value < MOST_COUNTED:
            most = f" and below {MOST_COUNTED}" if whole and self.value >= MOST_COUNTED else ""
            self.refuse(f"a whole number, {least} or more{most}{otherwise}")
        return int(self.value)

    def number(self, what: str = "a finite number") -> Any:
        """A number that floats hold, as it is."""
        if not is_finite_number(self.value):
            self.refuse(what)
        return self.value

    def scalar(self) -> Any:
        """A text, a truth value or a number that floats hold."""
        if not isinstance(self.value, (str, bool, np.bool_)) and not is_finite_number(self.value):
            self.refuse("a text, a finite number, True or False")
        return self.value

    def array(self, ndims: tuple[int, ...], what: str) -> np.ndarray:
        """Numbers in as many dimensions as one of some, truth values counting as 0 and 1."""
        try:
            values = np.asarray(self.value, dtype=object)
        except ValueError:
            self.refuse(what)
        if values.ndim not in ndims or not all(
            isinstance(each, (bool, np.bool_)) or is_finite_number(each) for each in values.flat
        ):
            self.refuse(what)
        return values.astype(float)


def close_to(given: str, known: Iterable[str]) -> str:
    """The name that was meant, as the part of a message."""
    close = difflib.get_close_matches(given, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def document(data: Any, place: str = "") -> Reader:
    """A reader of a whole document.

    Parameters
    ----------
    data : object
        What JSON holds, in the types in which Python's `json` gives it.
    place : str, default=""
        Its place, where it is part of something.

    Returns
    -------
    Reader
        The reader.

    Raises
    ------
    ValueError
        If it is too deep, or has a number that JSON has not, a key twice or a key that is no text.
    """
    reader = Reader(data, place)
    _check(reader, 0)
    return reader


def _check(reader: Reader, depth: int) -> None:
    value = reader.value
    if depth > DEEPEST:
        raise ValueError(f"{reader.place[:60]}… is nested more than {DEEPEST} deep.")
    if isinstance(value, _Repeated):
        raise ValueError(
            f"{reader.place or 'data'} has the key {shorten(value.key)} twice; take one out."
        )
    if isinstance(value, (float, np.floating)) and not math.isfinite(value):
        reader.refuse("finite, which is all that JSON has")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        reader.refuse(f"a number of {MOST_BITS} bits at most")
    children: Iterable[Reader] = ()
    if isinstance(value, Mapping):
        children = reader.entries().values()
    # long lists of numbers need no places
    elif isinstance(value, (list, tuple)) and not all(map(_is_harmless, value)):
        children = reader.items()
    for child in children:
        _check(child, depth + 1)


def _is_harmless(value: Any) -> bool:
    """Whether JSON has such a value, which is no container."""
    kind = type(value)
    return (
        kind is str
        or value is None
        or (kind is float and math.isfinite(value))
        or (kind is int and -MOST_COUNTED < value < MOST_COUNTED)
    )


class _Repeated(dict[str, Any]):
    """An object of JSON with a key that stands twice, of which Python would take the last."""

    key: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = _Repeated(found)
    keys = [key for key, _ in pairs]
    repeated.key = next(key for key in keys if keys.count(key) > 1)
    return repeated


def from_file(path: FilePath, read: Callable[[Any], Made]) -> Made:
    """What a file of JSON describes.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8.
    read : callable
        `read(data)` makes it of the decoded file, and passes that to `document`.

    Returns
    -------
    object
        What was read.

    Raises
    ------
    ValueError
        If it is no JSON, or `read` raises one; the message names the file and the place in it.
    OSError
        If there is no such file, or none that can be read.
    """
    try:
        return read(_decoded(checked_path("path", path)))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _decoded(path: Path) -> Any:
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ValueError(f"the file has {size} bytes, more than the {MOST_BYTES} that are read.")
    try:
        # editors may begin a file with a mark of its encoding
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"byte {error.start} is no text in UTF-8; save the file as UTF-8."
        ) from None
    if not text.strip():
        raise ValueError("the file is empty; it should hold JSON.")
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_int=lambda digits: int(digits[:MOST_DIGITS])
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it is no JSON at line {error.lineno}, column {error.colno} ({error.msg}); correct it "
            "there."
        ) from None
    except RecursionError:
        raise ValueError(f"it is nested more than {DEEPEST} deep.") from None
