"""Pictures of a comparison: curves over the budget, and what errors do to other pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils import axes_for, check_choice
from skcorrupt.utils._as_text import score

from ._contest import OK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._robustness_comparison import RobustnessComparison

KINDS = ("curves", "transfer")
# told apart in grey, too: by their lightness, marks and lines; none is red, which would be a
# judgement
_COLOURS = ("#16324f", "#e09f3e", "#4c956c", "#7b5ea7", "#5fa8d3", "#8d5524")
_MARKS = ("o", "s", "^", "D", "v", "P")
_LINES = ("-", "--", "-.", ":")
# share of the distance between budgets over which pipelines stand side by side
SPREAD = 0.25


class RobustnessComparisonDisplay:
    """How pipelines stand growing errors, and what the worst error for each does to the others.

    Parameters
    ----------
    results : DataFrame
        As `RobustnessComparison.results_`.
    transfer : DataFrame
        As `RobustnessComparison.transfer_`.
    metric : str, default="score"
        What scores are called.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    table_ : DataFrame
        The numbers in the picture.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.robustness import RobustnessComparisonDisplay
    >>> scores = {"score": [0.7, 0.8, 0.85, 0.6], "drop": [0.2, 0.1, 0.05, 0.3]}
    >>> names = {"found_for": ["a", "a", "b", "b"], "scored_on": ["a", "b", "a", "b"]}
    >>> alike = {"corruption": "missing", "budget": 0.1, "status": "ok"}
    >>> transfer = pd.DataFrame({**names, **alike, **scores})
    >>> display = RobustnessComparisonDisplay(pd.DataFrame(), transfer)
    >>> display.plot("transfer").table_.loc["b", "a"].item()
    0.05
    """

    def __init__(
        self, results: pd.DataFrame, transfer: pd.DataFrame, *, metric: str = "score"
    ) -> None:
        self.results = results
        self.transfer = transfer
        self.metric = metric

    @classmethod
    def from_comparison(cls, comparison: RobustnessComparison) -> RobustnessComparisonDisplay:
        """Take the results of a comparison.

        Parameters
        ----------
        comparison : RobustnessComparison
            As `compare_robustness` returns it.

        Returns
        -------
        RobustnessComparisonDisplay
            To be plotted.

        Raises
        ------
        TypeError
            If it is something else.
        """
        if not hasattr(comparison, "transfer_"):
            raise TypeError(
                f"comparison is {type(comparison).__name__}; it should be what compare_robustness "
                "returns."
            )
        return cls(comparison.results_, comparison.transfer_, metric=comparison.metric_name_)

    def plot(
        self,
        kind: Literal["curves", "transfer"] = "curves",
        ax: Axes | None = None,
        *,
        corruption: str | None = None,
        budget: float | None = None,
    ) -> RobustnessComparisonDisplay:
        """Draw one of the pictures.

        Parameters
        ----------
        kind : {"curves", "transfer"}, default="curves"
            "curves": the score of every pipeline under its worst error at each budget, and without
            errors at 0, with intervals; confirmed scores where there are any, hollow where the
            error found does nothing on those rows. "transfer": what the error found for one
            pipeline, a row, takes from the score of another, a column.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        corruption : str, default=None
            As in the column "corruption"; None is the first.
        budget : float, default=None
            Of "transfer"; None is the largest.

        Returns
        -------
        self : RobustnessComparisonDisplay
            With `ax_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, kind of error or budget, or nothing was scored.
        """
        check_choice("kind", kind, KINDS)
        frame = self.results if kind == "curves" else self.transfer
        if frame.empty:
            raise ValueError("Nothing was scored; the column 'message' of results_ says why.")
        if corruption is None:
            corruption = frame["corruption"].iloc[0]
        check_choice("corruption", corruption, frame["corruption"].unique())
        frame = frame[frame["corruption"] == corruption]
        said = kind_in_words(str(corruption))
        called = said[:1].upper() + said[1:]
        if kind == "curves":
            self.table_ = _points(frame)
            if self.table_["score"].isna().all():
                raise ValueError(
                    f"corruption={corruption!r} has no score; the column 'message' of results_ "
                    "says why."
                )
            ax = axes_for(ax, (7.5, 4.2))
            _draw_curves(self.table_, frame.groupby("estimator")["status"].first(), ax)
            confirmed = ", on rows not searched" if self.table_["confirmed"].any() else ""
            ax.set(
                xlabel="rows struck, at most",
                ylabel=f"{self.metric}{confirmed}",
                title=f"{called}: the worst error of each budget",
            )
        else:
            budgets = sorted(frame["budget"].unique())
            budget = budgets[-1] if budget is None else budget
            if budget not in budgets:
                raise ValueError(f"budget={budget!r} should be one of {budgets}.")
            frame = frame[frame["budget"] == budget]
            self.table_ = _matrix(frame)
            n = len(self.table_.columns)
            ax = axes_for(ax, (3.2 + 0.8 * n, 2.2 + 0.5 * len(self.table_)))
            status = frame.pivot(index="found_for", columns="scored_on", values="status")
            _draw_matrix(self.table_, status, ax, self.metric)
            ax.set_title(f"{called}, at most {100 * budget:g} % of rows", fontsize="medium")
        self.ax_ = ax
        self.figure_ = ax.figure
        return self


def _points(frame: pd.DataFrame) -> pd.DataFrame:
    """A score for each pipeline and budget, 0 included, with its interval."""
    rows = []
    # those without a confirmed score are not drawn beside those with one
    confirmed = bool(np.isfinite(frame["confirmed"]).any())
    for name, part in frame.groupby("estimator", sort=False):
        clean, worst = ("confirmed_clean", "confirmed") if confirmed else ("clean", "worst")
        ends = ("", "_low", "_high")
        first = part[np.isfinite(part[clean])].head(1)
        for _, row in first.iterrows():
            rows.append((name, 0.0, *(row[f"{clean}{end}"] for end in ends), confirmed, False))
        for _, row in part.sort_values("budget").iterrows():
            values = (row[f"{worst}{end}"] for end in ends)
            # on the splits of the search it does harm
            spared = confirmed and row[worst] == row[clean] and row["worst"] < row["clean"]
            rows.append((name, row["budget"], *values, confirmed, spared))
    columns = ["estimator", "budget", "score", "low", "high", "confirmed", "spared"]
    return pd.DataFrame(rows, columns=columns)


def _draw_curves(points: pd.DataFrame, status: pd.Series, ax: Axes) -> None:
    names = list(dict.fromkeys(points["estimator"]))
    budgets = sorted(points["budget"].unique())
    gap = min(np.diff(budgets)) if len(budgets) > 1 else 1.0
    for i, name in enumerate(names):
        part = points[(points["estimator"] == name) & np.isfinite(points["score"])]
        # side by side, so that no interval hides another
        shift = SPREAD * gap * (i - (len(names) - 1) / 2) / max(len(names), 1)
        errors = np.array([part["score"] - part["low"], part["high"] - part["score"]])
        why = "not confirmed" if status[name] == OK else status[name]
        lacks = f" ({why})" if part.empty else ""
        spared = part[part["spared"]]
        lacks += " (hollow: no effect)" if len(spared) else ""
        ax.errorbar(
            part["budget"] + shift,
            part["score"],
            yerr=np.clip(np.nan_to_num(errors), 0, None),
            color=_COLOURS[i % len(_COLOURS)],
            marker=_MARKS[i % len(_MARKS)],
            linestyle=_LINES[i % len(_LINES)],
            markersize=5,
            capsize=3,
            elinewidth=1,
            label=f"{name}{lacks}",
        )
        ax.plot(
            spared["budget"] + shift,
            spared["score"],
            color=_COLOURS[i % len(_COLOURS)],
            marker=_MARKS[i % len(_MARKS)],
            markerfacecolor="white",
            markersize=5,
            linestyle="none",
            zorder=3,
        )
    labels = ["clean" if b == 0 else f"{100 * b:g} %" for b in budgets]
    ax.set_xticks(budgets, labels)
    # beside the axes, where it hides no interval
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """Drops, a row for each pipeline that errors were found for, a column for each scored on."""
    rows = list(dict.fromkeys(frame["found_for"]))
    columns = list(dict.fromkeys(frame["scored_on"]))
    drops = frame.pivot(index="found_for", columns="scored_on", values="drop")
    return drops.loc[rows, columns]


def _draw_matrix(drops: pd.DataFrame, status: pd.DataFrame, ax: Axes, metric: str) -> None:
    values = np.ma.masked_invalid(drops.to_numpy(dtype=float))
    largest = float(values.max()) if values.count() else 0.0
    limit = largest if largest > 0 else 1.0
    # one hue from light to dark reads the same in grey; not red, as nothing here is tested
    image = ax.imshow(values, cmap="Blues", vmin=0.0, vmax=limit, aspect="auto")
    ax.set_facecolor("0.85")
    for (i, j), drop in np.ndenumerate(drops.to_numpy(dtype=float)):
        lacks = str(status.loc[drops.index[i], drops.columns[j]])
        text = score(drop) if np.isfinite(drop) else lacks
        strong = np.isfinite(drop) and drop > 0.6 * limit
        ax.text(j, i, text, ha="center", va="center", color="white" if strong else "black")
    ax.set_xticks(
        range(len(drops.columns)), drops.columns, rotation=30, ha="right", rotation_mode="anchor"
    )
    ax.set_yticks(range(len(drops)), drops.index)
    ax.set(xlabel="what it does to", ylabel="worst error found for")
    ax.figure.colorbar(image, ax=ax, label=f"drop of {metric}")
