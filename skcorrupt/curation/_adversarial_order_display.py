"""Accuracy along data sets that grow harder, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from skcorrupt.stats import clopper_pearson
from skcorrupt.utils import axes_for, check_choice, in_percent
from skcorrupt.utils._typing import ColumnLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._natural_adversarial_curator import NaturalAdversarialCurator

# one minus the level of the bands
ALPHA = 0.1
KINDS = ("curves", "bounds")
COLUMNS = ["curve", "dataset", "n_rows", "accuracy", "ci_low", "ci_high"]
COLOURS = ("#16324f", "#e09f3e", "#4c956c", "#7b5ea7")
# told apart in grey, too: by their marks and lines
MARKS, LINES = ("o", "s", "^", "D"), ("-", "--", "-.", ":")
WEAK, AGREEMENT, ACCURACY = (
    "weak labels that are right",
    "samples on which the model agrees with weak labels",
    "samples on which the model is right",
)


class AdversarialOrderDisplay:
    """Accuracy along data sets that grow harder (figure 2 of [1]_).

    Parameters
    ----------
    curves : DataFrame
        `curve, dataset, n_rows, accuracy, ci_low, ci_high`, one row per set and curve; empty where
        no accuracy is known.
    bounds : array-like of shape (n_ordered,), default=()
        Lower bounds of the confidence along the order.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    table_ : DataFrame
        The numbers in the picture.

    References
    ----------
    .. [1] Pugh et al., "Curating Naturally Adversarial Datasets for Trustworthy AI in
       Healthcare", 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.curation import AdversarialOrderDisplay, MajorityVoteLabeler
    >>> from skcorrupt import NaturalAdversarialCurator
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 300)
    >>> L = np.where(rng.random((300, 7)) < 0.7, y[:, None], 1 - y[:, None])
    >>> curator = NaturalAdversarialCurator(MajorityVoteLabeler()).fit(L)
    >>> display = AdversarialOrderDisplay.from_curator(curator, y).plot()  # doctest: +SKIP
    """

    def __init__(self, curves: pd.DataFrame, bounds: ColumnLike = ()) -> None:
        self.curves = curves
        self.bounds = bounds

    @classmethod
    def from_curator(
        cls, curator: NaturalAdversarialCurator, y: ColumnLike | None = None
    ) -> AdversarialOrderDisplay:
        """Take what is known of the sets of a curator.

        Parameters
        ----------
        curator : NaturalAdversarialCurator
            A fitted curator. After `evaluate` the curves of the model are drawn.
        y : array-like of shape (n_samples,), default=None
            True labels, for the accuracy of the weak labels.

        Returns
        -------
        AdversarialOrderDisplay
            To be plotted.

        Raises
        ------
        NotFittedError
            If the curator is not fitted.
        """
        check_is_fitted(curator, "datasets_")
        parts: list[tuple[str, *tuple[ArrayLike, ...]]] = []
        if y is not None:
            score = curator._scored_ordering(y, 1)
            sizes = score.n_labelled
            band = clopper_pearson(np.round(score.accuracies * sizes), sizes, ALPHA)
            parts.append((WEAK, sizes, score.accuracies, *band))
        model = getattr(curator, "curve_", pd.DataFrame())
        for column, size, name in (
            ("agreement", "n_covered", AGREEMENT),
            ("accuracy", "n_labelled", ACCURACY),
        ):
            if column in model:
                found = (size, column, f"{column}_low", f"{column}_high")
                parts.append((name, *(model[part].to_numpy() for part in found)))
        place = np.arange(1, len(curator.datasets_) + 1)
        curves = [
            pd.DataFrame(dict(zip(COLUMNS, (name, place, *found), strict=True)))
            for name, *found in parts
        ]
        return cls(
            pd.concat(curves, ignore_index=True) if curves else pd.DataFrame(columns=COLUMNS),
            curator.lower_bound_[curator.order_],
        )

    def plot(
        self, kind: Literal["curves", "bounds"] = "curves", ax: Axes | None = None
    ) -> AdversarialOrderDisplay:
        """Draw how samples fall apart along the sequence.

        Parameters
        ----------
        kind : {"curves", "bounds"}, default="curves"
            "curves": accuracy against the sequence, with 90 % binomial bands. "bounds": the lower
            bound of the confidence of each sample, the easiest first.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        self : AdversarialOrderDisplay
            With `ax_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, or no accuracy is known.
        """
        check_choice("kind", kind, KINDS)
        if kind == "curves" and self.curves.empty:
            raise ValueError(
                "There is nothing to draw: pass true labels as y, call evaluate(estimator, X) of "
                "the curator before, or pass kind='bounds'."
            )
        self.ax_ = axes_for(ax, (6.5, 4.5))
        self.figure_ = self.ax_.figure
        self.table_ = self._plot_curves() if kind == "curves" else self._plot_bounds()
        return self

    def _plot_curves(self) -> pd.DataFrame:
        ax = self.ax_
        for i, (name, part) in enumerate(self.curves.groupby("curve", sort=False)):
            colour, x = COLOURS[i % len(COLOURS)], part["dataset"]
            ax.fill_between(x, part["ci_low"], part["ci_high"], color=colour, alpha=0.15, lw=0)
            mark, line = MARKS[i % len(MARKS)], LINES[i % len(LINES)]
            ax.plot(x, part["accuracy"], line, marker=mark, ms=4, color=colour, label=name)
        ax.set_xlabel("data set, the easiest first")
        ax.set_ylabel("share of the set (90 % bands)")
        in_percent(ax.yaxis)
        ax.locator_params(axis="x", integer=True)
        # above the axes, where it hides no band
        ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0.0, 1.0))
        return self.curves

    def _plot_bounds(self) -> pd.DataFrame:
        table = pd.DataFrame({"lower_bound": np.asarray(self.bounds)})
        table.insert(0, "sample", np.arange(1, len(table) + 1))
        self.ax_.plot(table["sample"], table["lower_bound"], color=COLOURS[0])
        self.ax_.set(
            ylim=(0, 1.02), xlabel="sample, the easiest first", ylabel="lower bound of confidence"
        )
        return table
