"""Pictures that take their kind and their axes in either order."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

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
            name = "kind" if isinstance(value, str) else "ax" if _are_axes(value) else place
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


def check_axes(ax: Any) -> None:
    """Refuse what nothing can be drawn on.

    Parameters
    ----------
    ax : matplotlib Axes or None
        Where to draw.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if ax is not None and not _are_axes(ax):
        raise TypeError(
            f"ax={ax!r} should be matplotlib Axes, such as plt.gca(), or None for a new figure."
        )


def _are_axes(value: Any) -> bool:
    # matplotlib is imported by what draws, not by what sorts arguments
    return hasattr(value, "figure") and hasattr(value, "fill_between")
