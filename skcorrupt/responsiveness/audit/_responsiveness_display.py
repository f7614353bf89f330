"""An audit as pictures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from scipy.stats import binom
from sklearn.utils.validation import check_is_fitted

from skcorrupt.stats import bootstrap_interval
from skcorrupt.utils import axes_for, check_arguments, check_choice, in_percent
from skcorrupt.utils._as_text import percent
from skcorrupt.utils._typing import ColumnLike, Side

from ._verdicts import claim_pvalues, how_many, named_groups, tallied

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._responsiveness_auditor import ResponsivenessAuditor

KINDS = ("distribution", "verdicts", "attributions", "power")
# told apart in grey, too: by their lightness and lines
_GROUPS = ("#16324f", "#e09f3e", "#4c956c", "#7b5ea7", "#5fa8d3")
_LINES = ("-", "--", "-.", ":")
# narrower parts of a bar have no room for their number
_ROOM = 0.12
_COLOURS = {"responsive": "#4c956c", "undecided": "#d9d9d9", "unresponsive": "#c1121f"}


class ResponsivenessDisplay:
    """Responsiveness of people by group, verdicts, attributions, and the power of the test.

    Parameters
    ----------
    results : DataFrame
        As `ResponsivenessAuditor.results_`; a row counts as often as its `n_people`, if there.
    groups : array-like of shape (n_people,) or None, default=None
        One group for each row of `results`; None is a single one.
    attributions : DataFrame or None, default=None
        As `ResponsivenessAuditor.attributions_`.
    n_samples : int or None, default=None
        Points drawn for a person, for the power; None of an audit by importance, whose power
        depends on the model.
    epsilon : float, default=0.1
        The threshold.
    alpha : float, default=0.05
        Level of the test.
    direction : {"at_most", "at_least"}, default="at_most"
        The claim.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    table_ : DataFrame
        The numbers in the picture.
    """

    def __init__(
        self,
        results: pd.DataFrame,
        *,
        groups: ColumnLike | None = None,
        attributions: pd.DataFrame | None = None,
        n_samples: int | None = None,
        epsilon: float = 0.1,
        alpha: float = 0.05,
        direction: Side = "at_most",
    ) -> None:
        self.results = results
        self.groups = groups
        self.attributions = attributions
        self.n_samples = n_samples
        self.epsilon = epsilon
        self.alpha = alpha
        self.direction = direction

    @classmethod
    def from_auditor(
        cls,
        auditor: ResponsivenessAuditor,
        by: str | ColumnLike | None = None,
        *,
        attributions: bool = False,
    ) -> ResponsivenessDisplay:
        """Take the results of a fitted auditor.

        Parameters
        ----------
        auditor : ResponsivenessAuditor
            A fitted auditor.
        by : str, array-like of shape (n_people,) or None, default=None
            A column of X or one group per person.
        attributions : bool, default=False
            Whether to take the attributions too, which are computed when first asked for.

        Returns
        -------
        ResponsivenessDisplay
            To be plotted.
        """
        check_arguments("from_auditor", {"attributions": ["boolean"]}, locals())
        check_is_fitted(auditor, "results_")
        results, groups = auditor._grouped(by)
        return cls(
            results,
            groups=groups,
            attributions=auditor.attributions_ if attributions else None,
            n_samples=None if auditor._by_importance else auditor.n_samples_,
            epsilon=auditor.epsilon,
            alpha=auditor.alpha,
            direction=auditor.direction_,
        )

    def plot(
        self,
        kind: Literal["distribution", "verdicts", "attributions", "power"] = "distribution",
        ax: Axes | None = None,
    ) -> ResponsivenessDisplay:
        """Draw one of the pictures.

        Parameters
        ----------
        kind : {"distribution", "verdicts", "attributions", "power"}, default="distribution"
            "distribution": for each group the share of people up to each responsiveness.
            "verdicts": shares of verdicts by group. "attributions": mean responsiveness to each
            column alone, with a 95 % bootstrap interval over people. "power": how likely the
            claim is at each true responsiveness.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        self : ResponsivenessDisplay
            With `ax_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, or what it shows was not given.
        """
        check_choice("kind", kind, KINDS)
        draw = {
            "distribution": self._plot_distribution,
            "verdicts": self._plot_verdicts,
            "attributions": self._plot_attributions,
            "power": self._plot_power,
        }
        self.table_ = draw[kind](ax)
        return self

    def _axes(self, ax: Axes | None) -> Axes:
        self.ax_ = axes_for(ax, (6.5, 3.6))
        self.figure_ = self.ax_.figure
        return self.ax_

    def _labels(self) -> pd.Series:
        return named_groups(self.groups, len(self.results))

    def _plot_distribution(self, ax: Axes | None) -> pd.DataFrame:
        ax, parts = self._axes(ax), []
        everybody = self.results[["responsiveness"]].reset_index(drop=True)
        everybody["times"] = how_many(self.results)
        for i, (group, found) in enumerate(everybody.groupby(self._labels())):
            found = found.sort_values("responsiveness", kind="stable")
            shares, n = found["responsiveness"].to_numpy(), found["times"].sum()
            steps = np.cumsum(found["times"].to_numpy()) / n
            parts.append(pd.DataFrame({"group": group, "responsiveness": shares, "share": steps}))
            ax.step(
                [0, *shares, 1],
                [0, *steps, 1],
                where="post",
                color=_GROUPS[i % len(_GROUPS)],
                linestyle=_LINES[i % len(_LINES)],
                label=f"{group} ({n})",
            )
        ax.axvline(self.epsilon, color="0.6", linewidth=1, zorder=0, label="threshold")
        ax.set(
            xlim=(0, 1),
            ylim=(0, 1.02),
            xlabel="responsiveness, at most: of what a person can do, what reaches the target",
            ylabel="people",
        )
        in_percent(ax.xaxis)
        in_percent(ax.yaxis)
        ax.legend(frameon=False)
        if not parts:
            return pd.DataFrame(columns=["group", "responsiveness", "share"])
        return pd.concat(parts, ignore_index=True)

    def _plot_verdicts(self, ax: Axes | None) -> pd.DataFrame:
        ax = self._axes(ax)
        table = tallied(self.results, self._labels()).rename_axis("group").reset_index()
        names = [f"{row.group} ({row.n_people})" for row in table.itertuples()]
        start = np.zeros(len(table))
        for verdict, colour in _COLOURS.items():
            bars = ax.barh(names, table[verdict], left=start, color=colour, label=verdict)
            said = [percent(share) if share >= _ROOM else "" for share in table[verdict]]
            dark = verdict != "undecided"
            ax.bar_label(bars, said, label_type="center", color="white" if dark else "black")
            start += table[verdict]
        ax.set(xlim=(0, 1), xlabel="people")
        in_percent(ax.xaxis)
        ax.invert_yaxis()
        ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return table[["group", "n_people", *_COLOURS]]

    def _plot_attributions(self, ax: Axes | None) -> pd.DataFrame:
        if self.attributions is None:
            raise ValueError(
                "kind='attributions' needs attributions=, the attributions_ of an auditor; it is "
                "None. Pass attributions=True to from_auditor, or another kind."
            )
        ax, drawn = self._axes(ax), []
        for name, part in self.attributions.groupby("feature"):
            shares, times = part["responsiveness"].to_numpy(), how_many(part)
            if times.max() == 1:
                interval = bootstrap_interval(partial(_mean_of, shares), len(shares))
            else:
                # how often each is drawn again, which spares drawing everybody one by one
                interval = bootstrap_interval(partial(_mean_of_drawn, shares, times), 1)
            drawn.append((name, np.average(shares, weights=times), *interval))
        table = pd.DataFrame(drawn, columns=["feature", "responsiveness", "ci_low", "ci_high"])
        table = table.sort_values("responsiveness", ascending=False, kind="stable")
        table = table.reset_index(drop=True)
        ax.barh(table.index, table["responsiveness"], color="#8d99ae")
        ax.hlines(table.index, table["ci_low"], table["ci_high"], color="black", linewidth=1.5)
        ax.set_yticks(table.index, table["feature"])
        ax.invert_yaxis()
        ax.set_xlabel("mean responsiveness to the column alone (95 % intervals)")
        in_percent(ax.xaxis)
        return table

    def _plot_power(self, ax: Axes | None) -> pd.DataFrame:
        if self.n_samples is None:
            raise ValueError(
                "kind='power' needs n_samples=, the number of points drawn for a person; it is "
                "None. Pass it, or use from_auditor of a fitted auditor that did not draw by "
                "importance."
            )
        ax = self._axes(ax)
        truth, n = np.linspace(0, 1, 501), self.n_samples
        pvalues = claim_pvalues(np.arange(n + 1), n, self.epsilon, self.direction)
        # counts that are enough for the claim are the least ones, or the largest
        enough = int((pvalues <= self.alpha).sum())
        at_most = self.direction == "at_most"
        power = binom.cdf(enough - 1, n, truth) if at_most else binom.sf(n - enough, n, truth)
        ax.plot(truth, power, color=_GROUPS[0])
        ax.axvline(self.epsilon, color="0.6", linestyle="--", label="threshold")
        ax.axhline(self.alpha, color="0.6", linestyle=":", label="level of the test")
        ax.legend(frameon=False, loc="upper right" if at_most else "upper left")
        claim = "below" if at_most else "above"
        ax.set(
            xlim=(0, min(1, 4 * self.epsilon)) if at_most else (0, 1),
            ylim=(0, 1.02),
            xlabel="true responsiveness",
            ylabel=f"chance to claim that it is {claim} {100 * self.epsilon:g} %",
        )
        in_percent(ax.xaxis)
        in_percent(ax.yaxis)
        return pd.DataFrame({"responsiveness": truth, "power": power})


def _mean_of_drawn(
    shares: np.ndarray, times: np.ndarray, rows: np.ndarray, rng: np.random.Generator
) -> float:
    n = times.sum()
    return float(shares @ rng.multinomial(n, times / n) / n)


def _mean_of(shares: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> float:
    return float(shares[rows].mean())
