"""Error sensitivity profiles as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from skcorrupt.metrics._metric_bounds import metric_bounds
from skcorrupt.stats import corrected_interval
from skcorrupt.utils import axes_for, check_choice, in_percent
from skcorrupt.utils._as_text import cell, interval

from ._profiles import KEYS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._error_sensitivity_profiler import ErrorSensitivityProfiler

KINDS = ("profile", "grid", "heatmap")
MOST_PANELS = 12
_CURVE, _LOSS, _GAIN, _NOISE = "#30638e", "#c1121f", "#4c956c", "0.5"
_FAINT = 0.3
ERRORS = "training rows with errors, of those that can have them"


class ErrorSensitivityDisplay:
    """How the performance of models moves as errors grow.

    Parameters
    ----------
    curves : DataFrame
        As `ErrorSensitivityProfiler.curves_`.
    profiles : DataFrame
        As `ErrorSensitivityProfiler.profiles_`.
    metric : str, default="score"
        What the score is called.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn; with "grid" the first panel.
    axes_ : ndarray of matplotlib Axes
        All panels.
    figure_ : matplotlib Figure
        The figure of the axes.
    table_ : DataFrame
        The numbers in the picture: mean scores by level with their interval, or with "heatmap" the
        profiles.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity
       Profile", section 3.4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt import CorruptNoise
    >>> from skcorrupt.sensitivity import ErrorSensitivityDisplay, ErrorSensitivityProfiler
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> profiler = ErrorSensitivityProfiler(
    ...     GaussianNB(), corruptions=CorruptNoise(scale=3.0), n_repeats=14, random_state=0
    ... ).fit(X, y)
    >>> display = ErrorSensitivityDisplay.from_profiler(profiler).plot()  # doctest: +SKIP
    """

    def __init__(
        self, curves: pd.DataFrame, profiles: pd.DataFrame, *, metric: str = "score"
    ) -> None:
        self.curves = curves
        self.profiles = profiles
        self.metric = metric

    @classmethod
    def from_profiler(cls, profiler: ErrorSensitivityProfiler) -> ErrorSensitivityDisplay:
        """Take the results of a fitted profiler.

        Parameters
        ----------
        profiler : ErrorSensitivityProfiler
            A fitted profiler.

        Returns
        -------
        ErrorSensitivityDisplay
            To be plotted.

        Raises
        ------
        NotFittedError
            If it is not fitted.
        """
        check_is_fitted(profiler, "profiles_")
        return cls(profiler.curves_, profiler.profiles_, metric=profiler.metric_name_)

    def plot(
        self,
        kind: Literal["profile", "grid", "heatmap"] = "profile",
        ax: Axes | None = None,
        *,
        model: str | None = None,
        corruption: str | None = None,
        features: str | None = None,
    ) -> ErrorSensitivityDisplay:
        """Draw one of the pictures.

        Parameters
        ----------
        kind : {"profile", "grid", "heatmap"}, default="profile"
            "profile": the curve of a model and scenario with the 95 % interval of its mean over
            repeats, the baseline, the area between them, EPC and AEPC with their intervals, and
            the slope of each regime. "grid": the curves of a model, largest AEPC in size first, 12
            at most. Areas are grey where the profile is not significant. "heatmap": AEPC of all
            features and models for one corruption, faint and without a star where it is not
            significant, the largest loss on top.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure, as "grid" always does.
        model : str, default=None
            As in the column "model". None is all with "heatmap", the first with "grid".
        corruption : str, default=None
            As in the column "corruption". None is all with "grid", the first with "heatmap".
        features : str, default=None
            As in the column "features". None is all with "grid" and "heatmap". With "profile",
            what is None is that of the scenario whose AEPC is largest in size.

        Returns
        -------
        self : ErrorSensitivityDisplay
            With `ax_`, `axes_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, model, corruption or features, `ax` is given with "grid",
            or no fit of what is asked for has a score.
        """
        check_choice("kind", kind, KINDS)
        if kind == "grid" and ax is not None:
            raise ValueError("ax should be None with kind='grid', which makes its own figure.")
        rows = self._rows(kind, model, corruption, features)
        if kind == "grid":
            rows = rows.head(MOST_PANELS)
            self.axes_ = self._plot_grid(rows)
        else:
            size = (6.5, 4.5)
            if kind == "heatmap":
                across, down = rows["model"].nunique(), rows["features"].nunique()
                size = map_size(across, down)
            ax = axes_for(ax, size)
            if kind == "profile":
                self._plot_profile(rows.iloc[0], ax)
            else:
                # one scale for all errors, so that their pictures compare
                _plot_heatmap(rows, self.profiles["aepc"].abs().max(), self.metric, ax)
                self.table_ = rows[[*KEYS, "aepc", "significant"]].reset_index(drop=True)
            self.axes_ = np.array([ax], dtype=object)
        if kind != "heatmap":
            shown = rows if kind == "grid" else rows.head(1)
            self.table_ = pd.concat(
                [self._scores(row) for _, row in shown.iterrows()], ignore_index=True
            )
        self.ax_ = self.axes_[0]
        self.figure_ = self.ax_.figure
        return self

    def _rows(
        self, kind: str, model: str | None, corruption: str | None, features: str | None
    ) -> pd.DataFrame:
        """Profiles that are meant, the largest first."""
        rows = self.profiles
        model = rows["model"].iloc[0] if kind == "grid" and model is None else model
        for name, value in (("model", model), ("corruption", corruption), ("features", features)):
            if value is None and kind == "heatmap" and name == "corruption":
                value = rows[name].iloc[0]
            if value is not None:
                check_choice(name, value, rows[name].unique())
                rows = rows[rows[name] == value]
        scored = self.curves.groupby(KEYS)["score"].count()
        known = [scored[key] > 0 for key in rows[KEYS].itertuples(index=False, name=None)]
        if not any(known):
            raise ValueError(
                f"model={model!r}, corruption={corruption!r}, features={features!r} has no score; "
                "the column 'error' of curves_ says why."
            )
        return rows[known].sort_values("aepc", key=lambda area: -area.abs(), kind="stable")

    def _means(self, row: pd.Series) -> pd.DataFrame:
        """Mean score at each level that has one, and the half-width of its interval."""
        here = (self.curves[KEYS] == row[KEYS].to_numpy()).all(axis=1)
        scores = self.curves[here].pivot(index="repeat", columns="level", values="score")
        scores = scores.dropna(axis=1, how="all")
        found = corrected_interval(scores.to_numpy(dtype=float), 0)
        half = np.nan_to_num(found.ci_high - found.mean)
        return pd.DataFrame({"mean": found.mean, "half": half}, index=scores.columns)

    def _scores(self, row: pd.Series) -> pd.DataFrame:
        """The same, as a part of a table."""
        means = self._means(row)
        low, high = means["mean"] - means["half"], means["mean"] + means["half"]
        scores = pd.DataFrame({"mean": means["mean"], "low": low, "high": high})
        return scores.reset_index().assign(**row[KEYS])[[*KEYS, "level", *scores]]

    def _plot_curve(self, row: pd.Series, ax: Axes) -> pd.DataFrame:
        means = self._means(row)
        levels, mean, half = means.index, means["mean"], means["half"]
        # no score lies beyond the ends of its scale
        low, high = ((mean + side * half).clip(*metric_bounds(self.metric)) for side in (-1, 1))
        ax.fill_between(levels, low, high, color=_CURVE, alpha=0.25, linewidth=0)
        ax.plot(levels, mean, color=_CURVE, marker="o", markersize=4, label="mean")
        if np.isfinite(row["baseline"]):
            base = row["baseline"]
            ax.axhline(base, color="0.3", linestyle="--", linewidth=1, label="baseline")
            # through the points where it meets the baseline, not from one level to the next
            x, y = _with_crossings(levels.to_numpy(), mean.to_numpy() - base)
            for colour, part in ((_LOSS, np.minimum), (_GAIN, np.maximum)):
                # red is for what is more than noise
                colour = colour if row["significant"] else _NOISE
                ax.fill_between(x, base, base + part(y, 0.0), color=colour, alpha=0.12, linewidth=0)
        ax.spines[["top", "right"]].set_visible(False)
        in_percent(ax.xaxis)
        return means

    def _plot_profile(self, row: pd.Series, ax: Axes) -> None:
        means = self._plot_curve(row, ax)
        for slope, (low, high) in zip(row["slopes"], row["regimes"], strict=True):
            middle = (low + high) / 2
            ax.annotate(
                f"{slope:+.2g}",
                (middle, np.interp(middle, means.index, means["mean"])),
                xytext=(0, 9),
                textcoords="offset points",
                ha="center",
                fontsize="small",
                bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.8},
            )
            if low > means.index[0]:
                ax.axvline(low, color="0.8", linewidth=0.8, zorder=0)
        sure = ", matters" if row["significant"] else "\nmay be noise, or too small"
        ax.set_title(
            f"{row['model']}, {row['corruption']}: {row['features']}\n"
            f"mean change (AEPC) {_estimate(row, 'aepc', 'signed percent')}{sure}\n"
            f"steadiness (EPC) {_estimate(row, 'epc', 'signed')}",
            fontsize="medium",
        )
        ax.set(xlabel=f"{ERRORS}\n(numbers: slopes)", ylabel=self.metric)
        ax.legend(frameon=False, fontsize="small")

    def _plot_grid(self, rows: pd.DataFrame) -> np.ndarray:
        import matplotlib.pyplot as plt

        across = min(4, len(rows))
        down = -(-len(rows) // across)
        figure, axes = plt.subplots(
            down,
            across,
            figsize=(max(3.5, 2.6 * across), 0.6 + 2.2 * down),
            layout="constrained",
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for ax in axes.ravel()[len(rows) :]:
            ax.remove()
        axes = axes.ravel()[: len(rows)]
        for ax, (_, row) in zip(axes, rows.iterrows(), strict=True):
            self._plot_curve(row, ax)
            matters = bool(row["significant"])
            ax.set_title(
                f"{row['features']}\n{row['corruption']}\n{_change(row['aepc'], matters)}",
                fontsize="small",
                fontweight="bold" if matters else "normal",
            )
            # the panel below may be one that was left out
            ax.tick_params(labelbottom=True)
        figure.suptitle(rows["model"].iloc[0], fontsize="medium")
        figure.supxlabel(f"{ERRORS}\n(above: mean change; *: it matters)", fontsize="medium")
        figure.supylabel(self.metric, fontsize="medium")
        return axes


def map_size(n_models: int, n_rows: int) -> tuple[float, float]:
    """Width and height of a map that has room for its numbers, in inches."""
    return 3.4 + 0.8 * n_models, max(3.0, 2.0 + 0.28 * n_rows)


def _change(value: float, matters: bool) -> str:
    """A mean change, with a star where it matters."""
    return cell(value, "signed percent") + (" *" if matters else "")


def _estimate(row: pd.Series, name: str, kind: str) -> str:
    """A number with its interval, where it has one."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    within = f" ({interval(low, high, kind)})" if np.isfinite([low, high]).all() else ""
    return (cell(row[name], kind) if np.isfinite(row[name]) else "undefined") + within


def _with_crossings(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of a line, and those where it crosses zero between them."""
    k = np.flatnonzero(y[:-1] * y[1:] < 0)
    zeros = x[k] + (x[k + 1] - x[k]) * y[k] / (y[k] - y[k + 1])
    return np.insert(x, k + 1, zeros), np.insert(y, k + 1, 0.0)


def _plot_heatmap(rows: pd.DataFrame, largest: float, metric: str, ax: Axes) -> None:
    models = list(dict.fromkeys(rows.sort_index()["model"]))
    areas = rows.pivot(index="features", columns="model", values="aepc")[models]
    areas = areas.loc[areas.mean(axis=1).sort_values(kind="stable").index]
    stars = rows.pivot(index="features", columns="model", values="significant")
    matters: Any = stars.loc[areas.index, models].eq(True).to_numpy()
    shown = np.ma.masked_invalid(areas.to_numpy(dtype=float))
    limit = float(largest) if largest > 0 else 1.0
    image = ax.imshow(
        shown,
        cmap="RdBu",
        vmin=-limit,
        vmax=limit,
        # what may be noise is not to alarm, whatever the scale
        alpha=np.where(matters, 1.0, _FAINT),
        aspect="auto",
        interpolation="nearest",
    )
    for (i, j), area in np.ndenumerate(areas.to_numpy(dtype=float)):
        strong = matters[i, j] and abs(area) > 0.6 * limit
        ax.text(
            j,
            i,
            _change(area, matters[i, j]),
            ha="center",
            va="center",
            fontsize="small",
            fontweight="bold" if matters[i, j] else "normal",
            color="white" if strong else "black",
        )
    ax.set_xticks(range(len(models)), models, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(areas)), areas.index)
    # lines as short as the least of these pictures is high
    said = f"mean change\nof the {metric} (AEPC)\n*: it matters\nfaint: it may be noise"
    bar = ax.figure.colorbar(image, ax=ax, label=said)
    in_percent(bar.ax.yaxis)
    ax.set_title(rows["corruption"].iloc[0], fontsize="medium")
