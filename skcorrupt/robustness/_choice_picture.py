"""The candidates of a search for robust parameters as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._choice_in_words import Choice, fully_searched

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# searched fully, and less
FINALIST, FAINT = "#8d99ae", "0.8"
GIVEN, CHOSEN = "#4f9a6e", "#1d3557"
# half of an axis, as a share of the score
LEAST_SPAN = 0.02


def plot_choice(search: Choice, ax: Axes) -> None:
    """Draw each candidate's score under its worst error over its score on clean data.

    Parameters
    ----------
    search : RobustSearchCV
        Fitted.
    ax : matplotlib Axes
        Where to draw.
    """
    from matplotlib.ticker import MaxNLocator

    found: dict[str, Any] = search.cv_results_
    clean = np.asarray(found["mean_clean_score"], dtype=float)
    worst = np.asarray(found["worst_score"], dtype=float)
    known = np.isfinite(clean) & np.isfinite(worst)
    fully = fully_searched(search)
    some = known & ~fully
    if some.any():
        ax.plot(clean[some], worst[some], "o", color=FAINT, ms=5, label="stopped early")
    some = known & fully
    if some.any():
        ax.plot(clean[some], worst[some], "o", color=FINALIST, ms=6, label="searched fully")
    given, best = search.baseline_index_, search.best_index_
    marked = [(best, CHOSEN, "*", 15, "given and chosen" if given == best else "chosen")]
    marked += [(given, GIVEN, "s", 9, "given")] if given != best else []
    for index, colour, marker, size, label in marked:
        if known[index]:
            x, y = clean[index], worst[index]
            ax.plot(x, y, marker, color=colour, ms=size, mec="white", label=label)
    metric = search.metric_name_
    ax.set_xlabel(f"{metric} on clean data")
    ax.set_ylabel(f"{metric} under the worst error")
    ax.set_title("Up is more robust, right is better without errors", fontsize="medium", loc="left")
    for axis, values in ((ax.xaxis, clean[known]), (ax.yaxis, worst[known])):
        if len(values):
            middle = (values.min() + values.max()) / 2
            # what nobody would call a difference is not to look like one
            half = max(np.ptp(values) * 0.6, LEAST_SPAN * max(abs(middle), 0.1))
            axis.set_view_interval(middle - half, middle + half, ignore=True)
        axis.set_major_locator(MaxNLocator(5))
    ax.spines[["top", "right"]].set_visible(False)
    if known.any():
        ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
