"""An audit as pictures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from scipy.stats import binom
from sklearn.utils.validation import check_is_fitted

from skcorrupt.stats import bootstrap_interval
from skcorrupt.utils import check_arguments, check_choice
from skcorrupt.utils._either_order import either_order
from skcorrupt.utils._typing import ColumnLike, Side

from ._sample_sizes import most_hits

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._responsiveness_auditor import ResponsivenessAuditor

KINDS = ("distribution", "verdicts", "attributions", "power")
_COLOURS = {"responsive": "#4c956c", "undecided": "#d9d9d9", "unresponsive": "#c1121f"}


class ResponsivenessDisplay:
    """Responsiveness of people by group, verdicts, attributions, and the power of the test.

    Parameters
    ----------
    results : DataFrame
        As `ResponsivenessAuditor.results_`.
    groups : array-like of shape (n_people,) or None, default=None
        A group for each row of `results`; None is one group.
    attributions : DataFrame or None, default=None
        As `ResponsivenessAuditor.attributions_`.
    n_samples : int or None, default=None
        Points drawn for a person, for the power.
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
            A column of X or a group a person.
        attributions : bool, default=False
            Whether to take the attributions too, which are computed when first asked for.

        Returns
        -------
        ResponsivenessDisplay
            To be plotted.
        """
        check_arguments("from_auditor", {"attributions": ["boolean"]}, locals())
        check_is_fitted(auditor, "results_")
        return cls(
            auditor.results_,
            groups=auditor._groups(by),
            attributions=auditor.attributions_ if attributions else None,
            n_samples=auditor.n_samples_,
            epsilon=auditor.epsilon,
            alpha=auditor.alpha,
            direction=auditor._task_direction(),
        )

    @either_order
    def plot(
        self,
        kind: Literal["distribution", "verdicts", "attributions", "power"] = "distribution",
        ax: Axes | None = None,
    ) -> ResponsivenessDisplay:
        """Draw one of the pictures.

        `kind` comes first; axes in its place are taken for `ax`.

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
        import matplotlib.pyplot as plt

        check_choice("kind", kind, KINDS)
        if kind == "attributions" and self.attributions is None:
            raise ValueError(
                "kind='attributions' needs attributions=, the attributions_ of an auditor; it is "
                "None. Pass attributions=True to from_auditor, or another kind."
            )
        if kind == "power" and self.n_samples is None:
            raise ValueError(
                "kind='power' needs n_samples=, the number of points drawn for a person; it is "
                "None. Pass it, or use from_auditor of a fitted auditor."
            )
        if ax is None:
            _, ax = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
        self.table_ = getattr(self, f"_plot_{kind}")(ax)
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _by_group(self) -> dict[Any, pd.DataFrame]:
        groups = self.groups
        if groups is None:
            groups = np.full(len(self.results), "everybody", dtype=object)
        labels = pd.Series(np.asarray(groups), dtype=object)
        labels = labels.where(labels.notna(), "missing").infer_objects()
        results = self.results.reset_index(drop=True)
        return dict(list(results.groupby(labels)))

    def _plot_distribution(self, ax: Any) -> pd.DataFrame:
        parts = []
        for group, results in self._by_group().items():
            shares = np.sort(results["responsiveness"])
            steps = np.arange(1, len(shares) + 1) / len(shares)
            parts.append(pd.DataFrame({"group": group, "responsiveness": shares, "share": steps}))
            ax.step([0, *shares, 1], [0, *steps, 1], where="post", label=f"{group} ({len(shares)})")
        ax.axvline(self.epsilon, color="0.6", linestyle=":", label="threshold")
        ax.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="responsiveness", ylabel="share of people")
        ax.legend(frameon=False)
        if not parts:
            return pd.DataFrame(columns=["group", "responsiveness", "share"])
        return pd.concat(parts, ignore_index=True)

    def _plot_verdicts(self, ax: Any) -> pd.DataFrame:
        groups = self._by_group()
        names = [f"{group} ({len(results)})" for group, results in groups.items()]
        counts = [len(results) for results in groups.values()]
        table = pd.DataFrame({"group": list(groups), "n_people": counts})
        start = np.zeros(len(groups))
        for verdict, colour in _COLOURS.items():
            share = np.array([(r["verdict"] == verdict).mean() for r in groups.values()])
            ax.barh(names, share, left=start, color=colour, label=verdict)
            start += share
            table[verdict] = share
        ax.set(xlim=(0, 1), xlabel="share of people")
        ax.invert_yaxis()
        ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return table

    def _plot_attributions(self, ax: Any) -> pd.DataFrame:
        parts: Any = self.attributions
        by_feature = {
            feature: part["responsiveness"].to_numpy() for feature, part in parts.groupby("feature")
        }
        names = sorted(by_feature, key=lambda name: -by_feature[name].mean())
        drawn = []
        for row, name in enumerate(names):
            shares = by_feature[name]
            low, high = bootstrap_interval(partial(_mean_of, shares), len(shares))
            drawn.append((name, shares.mean(), low, high))
            ax.barh(row, shares.mean(), color="#8d99ae")
            ax.plot([low, high], [row, row], color="black", linewidth=1.5)
        ax.set_yticks(range(len(names)), names)
        ax.invert_yaxis()
        ax.set_xlabel("mean responsiveness to the column alone")
        return pd.DataFrame(drawn, columns=["feature", "responsiveness", "low", "high"])

    def _plot_power(self, ax: Any) -> pd.DataFrame:
        truth = np.linspace(0, 1, 501)
        n = self.n_samples
        if self.direction == "at_most":
            most = most_hits(np.array([n]), self.epsilon, self.alpha)[0]
            power = binom.cdf(most, n, truth)
        else:
            most = most_hits(np.array([n]), 1 - self.epsilon, self.alpha)[0]
            power = binom.cdf(most, n, 1 - truth)
        ax.plot(truth, power)
        ax.axvline(self.epsilon, color="0.6", linestyle=":")
        ax.axhline(self.alpha, color="0.6", linestyle=":")
        claim = "below" if self.direction == "at_most" else "above"
        ax.set(
            xlim=(0, min(1, 4 * self.epsilon)) if self.direction == "at_most" else (0, 1),
            ylim=(0, 1.02),
            xlabel="true responsiveness",
            ylabel=f"chance to claim that it is {claim} {self.epsilon:g}",
        )
        return pd.DataFrame({"responsiveness": truth, "power": power})


def _mean_of(shares: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> float:
    return float(shares[rows].mean())
