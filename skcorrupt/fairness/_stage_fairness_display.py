"""Stage fairness as pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from skcorrupt.metrics import metric_name
from skcorrupt.utils import axes_for, check_choice

from ._in_words import SHORT_GAPS
from ._stage_names import stage_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._stage_fairness_ablator import StageFairnessAblator

Kind: TypeAlias = Literal["effects", "performance", "global"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# from dark to light, so that grey paper tells them apart; none is red, which would be a judgement
_COLOURS = ("#16324f", "#3f7cac", "#7fb495", "#edae49")
# as many as have no divisor in common with the colours, so that pairs come again late
_MARKERS = ("o", "s", "D", "^", "v", "P", "X")
# more numbers would lie on each other beside the legend
MOST_TICKS = 4
_FAINT = 0.35
_LONGEST_LINE = 24


class StageFairnessDisplay:
    """What stages do to the gaps between two groups, and what that costs.

    Parameters
    ----------
    effects : DataFrame
        As `StageFairnessAblator.stage_effects_`.
    global_fairness : DataFrame
        As `StageFairnessAblator.global_fairness_`.
    performance : DataFrame
        As `StageFairnessAblator.performance_effects_`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    table_ : DataFrame
        The numbers in the picture: rows of `effects` or, with "global", of `global_fairness`; with
        "performance", those of both tables, the performance first.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from skcorrupt.fairness import StageFairnessAblator, StageFairnessDisplay
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"sex": rng.integers(0, 2, 300), "skill": rng.normal(size=300)})
    >>> y = (X["skill"] + X["sex"] + rng.normal(size=300) > 0.5).astype(int)
    >>> ablator = StageFairnessAblator(
    ...     make_pipeline(SelectKBest(k=1), LogisticRegression()),
    ...     sensitive_features="sex",
    ...     privileged=1,
    ...     pos_label=1,
    ...     random_state=0,
    ... ).fit(X, y)
    >>> display = StageFairnessDisplay.from_ablator(ablator).plot()  # doctest: +SKIP
    """

    def __init__(
        self, effects: pd.DataFrame, *, global_fairness: pd.DataFrame, performance: pd.DataFrame
    ) -> None:
        self.effects = effects
        self.global_fairness = global_fairness
        self.performance = performance

    @classmethod
    def from_ablator(cls, ablator: StageFairnessAblator) -> StageFairnessDisplay:
        """Take the results of a fitted ablator.

        Parameters
        ----------
        ablator : StageFairnessAblator
            A fitted ablator.

        Returns
        -------
        StageFairnessDisplay
            To be plotted.

        Raises
        ------
        NotFittedError
            If it is not fitted.
        """
        check_is_fitted(ablator, "stage_effects_")
        return cls(
            ablator.stage_effects_,
            global_fairness=ablator.global_fairness_,
            performance=ablator.performance_effects_,
        )

    def plot(
        self,
        kind: Kind = "effects",
        ax: Axes | None = None,
        *,
        metric: str | None = None,
        score: str | None = None,
        sensitive: str | None = None,
        group: str | None = None,
    ) -> StageFairnessDisplay:
        """Draw one of the pictures.

        Parameters
        ----------
        kind : {"effects", "performance", "global"}, default="effects"
            "effects": for each stage one bar per metric with its interval, those that are not
            significant faint. "performance": what each stage does to a score against what it does
            to a gap, with both intervals (figures 3 and 4 of the paper). "global": the gap of the
            pipeline without each stage, beside that of the whole pipeline.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        metric : str, default=None
            The gap; None is all of them with "effects", else the first.
        score : str, default=None
            With "performance", the score; None is the first.
        sensitive : str, default=None
            The attribute, as in the column "sensitive"; None is the first, or the first that has
            `group`.
        group : str, default=None
            The pair of groups, as in the column "group"; None is the first of the attribute.

        Returns
        -------
        self : StageFairnessDisplay
            With `ax_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, metric, score, attribute or group, or no stage could be
            ablated.
        """
        from matplotlib.patches import Patch

        check_choice("kind", kind, KINDS)
        if kind != "effects" or metric is not None:
            metric = _one_of("metric", metric, self.effects["metric"].unique())
        sensitive, group = self._pair(sensitive, group)
        effects = _of_pair(self.effects, sensitive, group)
        if effects.empty:
            raise ValueError("No stage could be ablated; stage_effects_['message'] says why.")
        effects = effects if metric is None else effects[effects["metric"] == metric]
        ax = axes_for(ax, (6.5, max(3.6, 1.2 + 0.5 * effects["stage"].nunique())))
        if kind == "effects":
            shown = effects
            _plot_effects(effects, ax)
        elif kind == "performance":
            score = _one_of("score", score, self.performance["metric"].unique())
            scores = self.performance[self.performance["metric"] == score].set_index("stage")
            shown = pd.concat([scores.loc[effects["stage"]].reset_index(), effects])
            _plot_performance(effects, scores, score, ax)
        else:
            levels = _of_pair(self.global_fairness, sensitive, group)
            shown = levels[levels["metric"] == metric]
            _plot_global(shown, ax)
        ax.axvline(0, color="0.3", linewidth=0.8)
        if kind != "performance":
            stages = shown.drop_duplicates("stage")
            ax.set_yticks(np.arange(len(stages)), _named(stages))
            ax.invert_yaxis()
        # names beside points would lie on each other where many stages do little
        legend = ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        for handle in filter(None, legend.legend_handles):
            handle.set_alpha(1.0)
            if isinstance(handle, Patch):
                # the edge says something of a bar, nothing of its metric
                handle.set_edgecolor("none")
        self.table_ = shown.reset_index(drop=True)
        ax.set_title(f"{sensitive}: {group}", fontsize="medium")
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _pair(self, sensitive: str | None, group: str | None) -> tuple[str, str]:
        """The pair of groups that is meant, as several attributes may name theirs alike."""
        pairs = self.effects[["sensitive", "group"]].drop_duplicates()
        for name, value in (("sensitive", sensitive), ("group", group)):
            if value is not None:
                check_choice(name, value, pairs[name].unique())
                pairs = pairs[pairs[name] == value]
        return pairs["sensitive"].iloc[0], pairs["group"].iloc[0]


def _of_pair(table: pd.DataFrame, sensitive: str, group: str) -> pd.DataFrame:
    """What a table says of a pair of groups, without stages that could not be ablated."""
    here = (table["sensitive"] == sensitive) & (table["group"] == group)
    return table[here & (table["status"] == "ok")]


def _one_of(name: str, value: str | None, allowed: Iterable[str]) -> str:
    if value is None:
        value = next(iter(allowed), "")
    check_choice(name, value, allowed)
    return value


def _named(rows: pd.DataFrame) -> list[str]:
    """Stages as the axis names them: a reference is a part of the question."""
    names = stage_names(rows["stage"])
    pairs = zip(map(names.__getitem__, rows["stage"]), rows["reference"], strict=True)
    return [
        f"{stage}\ninstead of {reference}" if reference else stage for stage, reference in pairs
    ]


def _gap(metric: str) -> str:
    """What a gap is in, in a few words."""
    return SHORT_GAPS.get(metric, metric)


def _errors(rows: pd.DataFrame, value: str = "mean", interval: str = "ci") -> np.ndarray:
    """Lengths of the two arms of intervals, 0 where there is none."""
    low, high = (rows[f"{interval}_{end}"] for end in ("low", "high"))
    arms = np.array([rows[value] - low, high - rows[value]], dtype=float)
    return np.nan_to_num(np.maximum(arms, 0.0))


def _plot_effects(effects: pd.DataFrame, ax: Axes) -> None:
    metrics = list(dict.fromkeys(effects["metric"]))
    thickness = 0.8 / len(metrics)
    for k, metric in enumerate(metrics):
        rows = effects[effects["metric"] == metric]
        bars = ax.barh(
            np.arange(len(rows)) + (k - (len(metrics) - 1) / 2) * thickness,
            rows["mean"],
            height=thickness,
            xerr=_errors(rows),
            color=_COLOURS[k % len(_COLOURS)],
            ecolor="0.5",
            label=textwrap.fill(_gap(metric), _LONGEST_LINE),
        )
        for bar, significant in zip(bars, rows["significant"], strict=True):
            bar.set_alpha(1.0 if significant else _FAINT)
            # in grey a faint dark bar is like a light one
            bar.set_edgecolor("black" if significant else "none")
    ax.locator_params(axis="x", nbins=MOST_TICKS)
    ax.set_xlabel(
        "what the step adds to the gap\n(faint: may be noise; with an edge: more than noise)"
    )


def _plot_performance(effects: pd.DataFrame, scores: pd.DataFrame, score: str, ax: Axes) -> None:
    rows = scores.loc[effects["stage"]]
    for k, name in enumerate(_named(effects)):
        across, up = rows.iloc[[k]], effects.iloc[[k]]
        ax.errorbar(
            across["mean"].to_numpy(dtype=float),
            up["mean"].to_numpy(dtype=float),
            xerr=_errors(across),
            yerr=_errors(up),
            fmt=_MARKERS[k % len(_MARKERS)],
            color=_COLOURS[k % len(_COLOURS)],
            ecolor="0.7",
            label=name,
        )
    ax.axhline(0, color="0.3", linewidth=0.8)
    ax.locator_params(axis="x", nbins=MOST_TICKS)
    ax.set(
        xlabel=f"what the step adds to the {metric_name(score)}",
        ylabel=textwrap.fill(
            f"what it adds to the gap in {_gap(effects['metric'].iloc[0])}", _LONGEST_LINE
        ),
    )


def _plot_global(levels: pd.DataFrame, ax: Axes) -> None:
    ax.barh(
        np.arange(len(levels)),
        levels["without_stage"],
        height=0.6,
        xerr=_errors(levels, "without_stage", "without_stage"),
        color=_COLOURS[3],
        ecolor="0.3",
        label="without the step",
    )
    whole = levels.iloc[0]
    ax.axvspan(whole["with_stage_low"], whole["with_stage_high"], color="0.9", zorder=0)
    ax.axvline(whole["with_stage"], color=_COLOURS[0], linewidth=2, label="whole pipeline")
    ax.set_xlabel(f"gap in {_gap(whole['metric'])}")
