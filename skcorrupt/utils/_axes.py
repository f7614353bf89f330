"""Where displays draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis


def axes_for(ax: Axes | None, figsize: tuple[float, float]) -> Axes:
    """Axes to draw on, without the lines above and to the right.

    Parameters
    ----------
    ax : matplotlib Axes or None
        What the user gave; None makes a figure.
    figsize : (width, height)
        Its size in inches.

    Returns
    -------
    matplotlib Axes
        The axes.

    Raises
    ------
    TypeError
        If something else was given.
    """
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        _, ax = plt.subplots(figsize=figsize, layout="constrained")
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax={ax!r} should be matplotlib Axes, such as plt.gca(), or None for a new figure."
        )
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def in_percent(axis: Axis) -> None:
    """Have an axis of shares say percentages, as texts and tables do.

    Parameters
    ----------
    axis : matplotlib Axis
        The axis, or that of a colour bar.
    """
    from matplotlib.ticker import FuncFormatter

    # what rounds to zero has no sign
    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{round(100 * share, 9) + 0.0:g} %"))
