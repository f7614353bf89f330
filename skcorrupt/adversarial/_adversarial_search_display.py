"""The result of a search as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

_COLOURS = {
    "clean": "#4c956c",
    "random, same size": "#8d99ae",
    "worst found": "#c1121f",
    "clean, confirmed": "#4c956c",
    "worst, confirmed": "#c1121f",
}


class AdversarialSearchDisplay:
    """Scores of a search side by side: clean, random errors of the same size, the worst found.

    Parameters
    ----------
    scores : dict of str to float
        Score by name, in the order in which they are drawn.
    interval : (float, float) or None, default=None
        Confirmed drop, low and high.
    metric : str, default="score"
        Name of the score.
    title : str, default=""
        What was found, in words.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    """

    def __init__(self, scores, *, interval=None, metric="score", title=""):
        self.scores = scores
        self.interval = interval
        self.metric = metric
        self.title = title

    @classmethod
    def from_search(cls, search) -> AdversarialSearchDisplay:
        """Take the scores of a fitted search.

        Parameters
        ----------
        search : AdversarialCorruptionSearch
            A fitted search.

        Returns
        -------
        AdversarialSearchDisplay
            To be plotted.
        """
        scores = {
            "clean": search.baseline_score_,
            "random, same size": search.random_score_,
            "worst found": search.worst_score_,
        }
        interval = None
        if np.isfinite(getattr(search, "confirmed_score_", np.nan)):
            scores["clean, confirmed"] = search.confirmed_baseline_score_
            scores["worst, confirmed"] = search.confirmed_score_
            interval = search.confirmed_interval_
        return cls(scores, interval=interval, metric=search.metric_name_, title=search.summary())

    def plot(self, ax: Any = None) -> AdversarialSearchDisplay:
        """Draw one point a score.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        self : AdversarialSearchDisplay
            With `ax_` and `figure_`.
        """
        import textwrap

        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(figsize=(7.5, 0.6 + 0.5 * len(self.scores)), layout="constrained")
        names = list(self.scores)
        for row, name in enumerate(names):
            score = self.scores[name]
            if not np.isfinite(score):
                continue
            colour = _COLOURS.get(name, "black")
            if name == "worst, confirmed" and self.interval is not None:
                clean = self.scores["clean, confirmed"]
                low, high = clean - self.interval[1], clean - self.interval[0]
                ax.plot([low, high], [row, row], color=colour, linewidth=2, alpha=0.5)
            ax.plot(score, row, "o", color=colour, markersize=8)
            ax.annotate(
                f"{score:.3f}", (score, row), xytext=(0, 9), textcoords="offset points", ha="center"
            )
        ax.axvline(self.scores["clean"], color="0.8", linewidth=1, zorder=0)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.7)
        ax.margins(x=0.12)
        ax.set_xlabel(self.metric)
        ax.set_title("\n".join(textwrap.wrap(self.title, 80)), fontsize="medium", loc="left")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self
