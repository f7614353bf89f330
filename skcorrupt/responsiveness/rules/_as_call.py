"""Rules and effects as the calls that make them, and made from what describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from skcorrupt.utils import Reader

Made = TypeVar("Made")


def as_call(made: Any) -> str:
    """Source of the call that makes a rule or an effect."""
    given = ", ".join(f"{name}={value!r}" for name, value in made._params().items())
    return f"{type(made).__name__}({given})"


def made_from(reader: Reader, field: str, kinds: Mapping[str, Callable[..., Made]]) -> Made:
    """What a document describes.

    Parameters
    ----------
    reader : Reader
        An object with `field`, the name of a kind, and its arguments.
    field : str
        "rule" or "effect".
    kinds : mapping of str to class
        The kinds there are.

    Returns
    -------
    Constraint or Effect
        Of that kind.

    Raises
    ------
    ValueError
        If there is no such kind, or it does not take these arguments.
    """
    entries = reader.entries(f"an object with {field}, and its arguments")
    kind = kinds[reader.at(field).one_of(sorted(kinds))]
    entries.pop(field)
    given = Reader({name: each.value for name, each in entries.items()}, reader.place)
    arguments = given.arguments(kind)
    return reader.made(kind, **{name: each.value for name, each in arguments.items()})
