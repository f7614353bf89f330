"""What rules and effects share: they are calls that a document can hold."""

from __future__ import annotations

import inspect
from abc import ABC
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from skcorrupt.utils import Reader, cut, document, shorten

from ._people import Elements


class Described(ABC):
    """A rule or an effect, known by the name of its class and its arguments.

    A subclass keeps each argument under its name, or says in `_params` what it was.
    """

    field: ClassVar[str]
    kinds: ClassVar[dict[str, type[Any]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if Described in cls.__bases__:
            cls.kinds = {}
        elif not cls.__name__.startswith("_"):
            cls.kinds[cls.__name__] = cls

    def _params(self) -> dict[str, Any]:
        """The arguments that make it again, JSON-serialisable."""
        names = list(inspect.signature(type(self)).parameters)
        return {name: plain(getattr(self, name)) for name in names}

    def _check_columns(self, names: Iterable[str], elements: Elements) -> None:
        """Refuse columns that are not there."""
        for name in names:
            if name not in elements:
                raise ValueError(
                    f"{cut(str(self))}: there is no column {shorten(name)}; the columns are "
                    f"{', '.join(elements)}."
                )

    def _check_numbers(self, names: Iterable[str], elements: Elements, why: str) -> None:
        """Refuse columns of categories."""
        for name in names:
            if elements[name].kind == "categorical":
                raise ValueError(f"{cut(str(self))}: {name!r} holds categories, {why}.")

    def to_dict(self) -> dict[str, Any]:
        """Describe it as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `from_dict`.
        """
        return {self.field: type(self).__name__, **self._params()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make what `to_dict` described.

        Parameters
        ----------
        data : mapping
            With "rule" or "effect", the name of a kind of it, and its arguments.

        Returns
        -------
        Constraint or Effect
            Of that kind.

        Raises
        ------
        ValueError
            If there is no such kind, or it does not take these arguments.
        """
        return cls._read(document(data))

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        entries = reader.entries(f"an object with {cls.field}, and its arguments")
        kind = cls.kinds[reader.at(cls.field).one_of(sorted(cls.kinds))]
        entries.pop(cls.field)
        given = Reader({name: each.value for name, each in entries.items()}, reader.place)
        arguments = given.arguments(kind)
        return reader.made(kind, **{name: each.value for name, each in arguments.items()})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._params() == other._params()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._params().items())
        return f"{type(self).__name__}({given})"


def plain(value: Any) -> Any:
    """A value in the types that JSON has."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value
