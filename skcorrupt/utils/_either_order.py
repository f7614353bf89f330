"""Pictures that take their kind and their axes in either order."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ._axes import are_axes, check_axes

P = ParamSpec("P")
R = TypeVar("R")


def either_order(plot: Callable[P, R]) -> Callable[P, R]:
    """Let a kind of picture and axes change places.

    Parameters
    ----------
    plot : callable
        A method whose first two parameters are `kind` and `ax`, in some order.

    Returns
    -------
    callable
        The same, but a text among its first two positional arguments is `kind` and axes are `ax`,
        wherever they stand. Type checkers know the order of the signature, which stays.
    """
    places = list(inspect.signature(plot).parameters)[1:3]

    @wraps(plot)
    def ordered(*args: Any, **kwargs: Any) -> R:
        display, *given = args
        if len(given) > 2:
            return plot(*args, **kwargs)
        for value, place in zip(given, places, strict=False):
            name = "kind" if isinstance(value, str) else "ax" if are_axes(value) else place
            if value is None and name in kwargs:
                continue
            if name in kwargs:
                raise TypeError(
                    f"plot was given {name} twice, {kwargs[name]!r} and {value!r}; give it once."
                )
            kwargs[name] = value
        check_axes(kwargs.get("ax"))
        return plot(display, **kwargs)

    return ordered
