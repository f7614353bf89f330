"""Kinds of errors by their short names."""

from __future__ import annotations

from typing import Any

from skcorrupt.base import BaseCorruption
from skcorrupt.base._serialise import known_classes
from skcorrupt.utils import shorten


def short_names() -> dict[str, type[BaseCorruption]]:
    """Classes of corruptions by short name, those of other packages included.

    Returns
    -------
    dict of str to type
        All kinds of error whose class has a short name of its own.
    """
    known = known_classes("corruption").values()
    return {cls.short_name: cls for cls in known if cls.short_name != cls.__name__}


def corruption_from(given: Any, parameter: str = "corruption") -> BaseCorruption:
    """The corruption that a short name stands for, or the corruption itself.

    Parameters
    ----------
    given : str or BaseCorruption
        A short name such as "missing", the name of a class, or a corruption.
    parameter : str, default="corruption"
        What messages call it.

    Returns
    -------
    BaseCorruption
        What was given, or a new corruption with default parameters.

    Raises
    ------
    ValueError
        If there is no such kind.
    TypeError
        If it is neither a name nor a corruption.

    Examples
    --------
    >>> from skcorrupt.corruptions import corruption_from
    >>> corruption_from("noise")
    CorruptNoise()
    """
    if isinstance(given, BaseCorruption):
        return given
    kinds = short_names()
    names = ", ".join(map(repr, sorted(kinds)))
    if not isinstance(given, str):
        raise TypeError(
            f"{parameter}={shorten(given)} should be one of {names}, or a corruption object such "
            "as CorruptMissing()."
        )
    kinds |= known_classes("corruption")
    if given not in kinds or hasattr(kinds[given], "_required_parameters"):
        raise ValueError(
            f"{parameter}={given!r} should be one of {names}, or a corruption object such as "
            "CorruptMissing()."
        )
    return kinds[given]()
