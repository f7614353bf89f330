"""Rules and effects as the calls that make them, and made from what describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Made = TypeVar("Made")


def as_call(made: Any) -> str:
    """Source of the call that makes a rule or an effect."""
    given = ", ".join(f"{name}={value!r}" for name, value in made._params().items())
    return f"{type(made).__name__}({given})"


def made_from(
    data: Mapping[str, Any], field: str, kinds: Mapping[str, Callable[..., Made]]
) -> Made:
    """What a dictionary describes.

    Parameters
    ----------
    data : mapping
        With `field`, the name of a kind, and its arguments.
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
    params = dict(data)
    name = params.pop(field, None)
    if name not in kinds:
        raise ValueError(f"{field}={name!r} should be one of {sorted(kinds)}, in {dict(data)}.")
    try:
        return kinds[name](**params)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None
