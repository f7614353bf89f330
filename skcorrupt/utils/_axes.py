"""Axes that pictures are drawn on."""

from __future__ import annotations

from typing import Any


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
    if ax is not None and not are_axes(ax):
        raise TypeError(
            f"ax={ax!r} should be matplotlib Axes, such as plt.gca(), or None for a new figure."
        )


def are_axes(value: Any) -> bool:
    """Whether something is matplotlib Axes."""
    # matplotlib is imported by what draws, not by what sorts arguments
    return hasattr(value, "figure") and hasattr(value, "fill_between")
