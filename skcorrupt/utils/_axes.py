"""Where displays draw."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

# numbers in pictures look like those in sentences and tables, and a dollar sign in a column's name
# is no formula
AS_TEXT: dict[Any, Any] = {"text.parse_math": False, "axes.unicode_minus": False}


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


# of a text of the size of titles, in the font that matplotlib comes with
CHARACTERS_PER_INCH = 12
SHORTEST_LINE = 20


def fitted_text(said: str, ax: Axes) -> str:
    """A title in lines that are no longer than the axes.

    Parameters
    ----------
    said : str
        Lines; those that are too long are broken.
    ax : matplotlib Axes
        What the text is above.

    Returns
    -------
    str
        The lines.
    """
    inches = ax.bbox.width / ax.figure.dpi
    longest = max(SHORTEST_LINE, int(CHARACTERS_PER_INCH * inches))
    return "\n".join(textwrap.fill(line, longest) for line in said.splitlines())
