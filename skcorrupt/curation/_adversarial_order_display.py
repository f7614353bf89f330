"""Accuracy along data sets that grow harder, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from skcorrupt.stats import clopper_pearson
from skcorrupt.utils._either_order import check_axes
from skcorrupt.utils._typing import ColumnLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._natural_adversarial_curator import NaturalAdversarialCurator

CONFIDENCE = 0.9
COLOURS = ("#30638e", "#c1121f", "#4c956c", "#e09f3e")
WEAK, AGREEMENT, ACCURACY = "weak labels", "model, weak labels", "model, true labels"


class AdversarialOrderDisplay:
    """Accuracy along data sets that grow harder (figure 2 of [1]_).

    Parameters
    ----------
    curves : DataFrame
        `curve, dataset, n_rows, accuracy, low, high`, a row a set and curve.

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

    def __init__(self, curves: pd.DataFrame) -> None:
        self.curves = curves

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
        ValueError
            If neither a model was evaluated nor `y` is given.
        """
        check_is_fitted(curator, "datasets_")
        parts = []
        if y is not None:
            score = curator.score_ordering(y, n_permutations=1)
            sizes = score.n_labelled
            low, high = clopper_pearson(np.round(score.accuracies * sizes), sizes, 1 - CONFIDENCE)
            parts.append(_curve(WEAK, sizes, score.accuracies, low, high))
        model = getattr(curator, "curve_", pd.DataFrame())
        for column, size, name in (
            ("agreement", "n_covered", AGREEMENT),
            ("accuracy", "n_labelled", ACCURACY),
        ):
            if column in model:
                shares = (model[part] for part in (size, column, f"{column}_low", f"{column}_high"))
                parts.append(_curve(name, *shares))
        if not parts:
            raise ValueError(
                "There is nothing to draw: pass true labels as y, or call evaluate(estimator, X) "
                "of the curator before."
            )
        return cls(pd.concat(parts, ignore_index=True))

    def plot(self, ax: Axes | None = None) -> AdversarialOrderDisplay:
        """Draw accuracy against the sequence, with 90 % binomial bands.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        self : AdversarialOrderDisplay
            With `ax_`, `figure_` and `table_`.
        """
        import matplotlib.pyplot as plt

        check_axes(ax)
        if ax is None:
            _, ax = plt.subplots(figsize=(6.5, 4.5), layout="constrained")
        for i, (name, part) in enumerate(self.curves.groupby("curve", sort=False)):
            colour = COLOURS[i % len(COLOURS)]
            ax.fill_between(
                part["dataset"], part["low"], part["high"], color=colour, alpha=0.15, lw=0
            )
            ax.plot(part["dataset"], part["accuracy"], marker="o", ms=4, color=colour, label=name)
        ax.set_xlabel("data set, the easiest first")
        ax.set_ylabel("share of agreement or accuracy")
        locator: Any = ax.xaxis.get_major_locator()
        locator.set_params(integer=True)
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_, self.table_ = ax, ax.figure, self.curves
        return self


def _curve(name: str, sizes: Any, shares: Any, low: Any, high: Any) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "curve": name,
            "dataset": np.arange(1, len(sizes) + 1),
            "n_rows": np.asarray(sizes),
            "accuracy": np.asarray(shares),
            "low": np.asarray(low),
            "high": np.asarray(high),
        }
    )
