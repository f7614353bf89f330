"""The result of a search as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import axes_for, check_choice, fitted_text
from skcorrupt.utils._as_text import score as score_text

from ..candidates import ROUNDING
from ._alternatives_picture import alternatives_with_scores, plot_alternatives
from ._damage_picture import damage_by_column, plot_damage
from ._detection_picture import checks_by_size, plot_detection
from ._findings import Findings
from ._pattern_sets import effects_of, looked_at_by_all, pattern_sets, tree_of
from ._search_pictures import COLOURS, plot_budgets, plot_effects, plot_tree
from ._wording import found_in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


KINDS = ("scores", "budgets", "tree", "attributes", "alternatives", "damage", "detection")
MOST_ROWS = 30
_COLOURS = {
    "clean": COLOURS["clean"],
    "random, same size": COLOURS["random"],
    "worst found": COLOURS["worst"],
    "clean, confirmed": COLOURS["clean"],
    "worst, confirmed": COLOURS["worst"],
}


class AdversarialSearchDisplay:
    """What a search found and how: scores, budgets, its tree, what matters, what is left without.

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
    curve : DataFrame or None, default=None
        As `AdversarialCorruptionSearch.budget_curve_`; needed by "budgets".
    candidates : dict, DataFrame or None, default=None
        As `AdversarialCorruptionSearch.cv_results_`; needed by "tree" and "attributes".
    alternatives : DataFrame or None, default=None
        As `AdversarialCorruptionSearch.alternatives_`; needed by "alternatives".
    certificate : DataFrame or None, default=None
        As `AdversarialCorruptionSearch.certificate_` of a search for errors in served rows; needed
        by "damage".
    detection : DataFrame or None, default=None
        As `AdversarialCorruptionSearch.detection_` of a search with `checks`; needed by
        "detection".

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
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt import AdversarialCorruptionSearch
    >>> from skcorrupt.adversarial import AdversarialSearchDisplay, SearchSpace
    >>> short = SearchSpace(max_conditions=1, n_bins=4)
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> X = X[["petal length (cm)", "sepal width (cm)"]]
    >>> search = AdversarialCorruptionSearch(
    ...     GaussianNB(),
    ...     "selection",
    ...     budget=[0.1, 0.2],
    ...     strategy="beam",
    ...     space=short,
    ...     random_state=0,
    ... ).fit(X, y)
    >>> display = AdversarialSearchDisplay.from_search(search).plot("budgets")
    >>> display.table_["budget"].tolist()
    [0.1, 0.2]

    What the worst error owes to the label in its pattern:

    >>> table = display.plot("alternatives").table_
    >>> bool(table.loc[table["uses_label"], "drop"].max() > 0)
    True
    """

    def __init__(
        self,
        scores: Mapping[str, float],
        *,
        interval: tuple[float, float] | None = None,
        metric: str = "score",
        title: str = "",
        curve: pd.DataFrame | None = None,
        candidates: Mapping[str, Any] | pd.DataFrame | None = None,
        alternatives: pd.DataFrame | None = None,
        certificate: pd.DataFrame | None = None,
        detection: pd.DataFrame | None = None,
    ) -> None:
        self.scores = scores
        self.interval = interval
        self.metric = metric
        self.title = title
        self.curve = curve
        self.candidates = candidates
        self.alternatives = alternatives
        self.certificate = certificate
        self.detection = detection

    @classmethod
    def from_search(cls, search: Findings) -> AdversarialSearchDisplay:
        """Take the results of a fitted search.

        Parameters
        ----------
        search : AdversarialCorruptionSearch
            A fitted search.

        Returns
        -------
        AdversarialSearchDisplay
            To be plotted.

        Raises
        ------
        NotFittedError
            If it is not fitted.
        """
        check_is_fitted(search, "worst_score_")
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
        return cls(
            scores,
            interval=interval,
            metric=search.metric_name_,
            title=found_in_words(search).replace("`", ""),
            curve=getattr(search, "budget_curve_", None),
            candidates=_of_largest_budget(search),
            alternatives=getattr(search, "alternatives_", None),
            certificate=getattr(search, "certificate_", None),
            detection=getattr(search, "detection_", None),
        )

    def plot(
        self,
        kind: Literal[
            "scores", "budgets", "tree", "attributes", "alternatives", "damage", "detection"
        ] = "scores",
        ax: Axes | None = None,
    ) -> AdversarialSearchDisplay:
        """Draw one of the pictures.

        Parameters
        ----------
        kind : {"scores", "budgets", "tree", "attributes", "alternatives", "damage", \
                "detection"}, default="scores"
            "scores": a point a score, with the confirmed interval. "budgets": the worst score at
            every budget beside random errors of the same size and, where there are any, the
            confirmed scores with their 95 % intervals. "tree": the lowest score of every set of
            columns that patterns look at, below the worst of the sets that it extends by one;
            30 sets at most. "attributes": for each column that some patterns look at or hit, the
            lowest and the median score of the sets with it and of those without it; 30 columns at
            most. Sets count by their lowest score, whatever their bounds and rates; of several
            budgets, candidates of the largest one count. Behind a proxy they are those that it let
            through, the worst of many. "alternatives": the drop by what patterns look at, with and
            without the label and the column hit, of the largest budget; classes without a score
            are left out. "damage": what errors in each column do, in random rows, in those of the
            worst condition, and in any. "detection": the size of batches from which each check
            notices the worst error.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        self : AdversarialSearchDisplay
            With `ax_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, or the search has nothing for it: one budget only,
            candidates that all look at the same columns, or no class of patterns with a score.
        """
        check_choice("kind", kind, KINDS)
        draw, height = getattr(self, f"_{kind}")()
        ax = axes_for(ax, (7.5, height))
        draw(ax)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _scores(self) -> tuple[Callable[[Any], None], float]:
        self.table_ = pd.DataFrame({"name": list(self.scores), "score": self.scores.values()})
        return self._plot_scores, 0.6 + 0.5 * len(self.scores)

    def _plot_scores(self, ax: Any) -> None:
        names = list(self.scores)
        for row, name in enumerate(names):
            score = self.scores[name]
            if not np.isfinite(score):
                continue
            colour = _COLOURS.get(name, "black")
            if name == "worst, confirmed" and self.interval is not None:
                clean = self.scores["clean, confirmed"]
                # a drop that may be none is not to alarm
                colour = colour if self.interval[0] > 0 else COLOURS["random"]
                low, high = clean - self.interval[1], clean - self.interval[0]
                ax.plot([low, high], [row, row], color=colour, linewidth=2, alpha=0.5)
            ax.plot(score, row, "o", color=colour, markersize=8)
            ax.annotate(
                score_text(score),
                (score, row),
                xytext=(0, 9),
                textcoords="offset points",
                ha="center",
            )
        ax.axvline(self.scores["clean"], color="0.8", linewidth=1, zorder=0)
        ax.set_yticks(range(len(names)), names)
        # with room for the number of the first
        ax.set_ylim(len(names) - 0.5, -1.0)
        ax.margins(x=0.12)
        ax.set_xlabel(self.metric)
        ax.set_title(fitted_text(self.title, ax), fontsize="medium", loc="left")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)

    def _budgets(self) -> tuple[Callable[[Any], None], float]:
        if self.curve is None:
            raise ValueError(
                "kind='budgets' needs a search with a list of budgets, as in budget=[0.05, 0.1, "
                "0.2]."
            )
        curve, n_budgets = self.curve, len(self.curve)
        if "corruption" in curve:
            curve = curve[curve["corruption"].notna()]
        if curve.empty:
            raise ValueError("kind='budgets': no candidate is feasible within any budget.")
        self.table_ = curve.reset_index(drop=True)

        def draw(ax: Any) -> None:
            plot_budgets(self.table_, self.scores["clean"], ax)
            ax.set_ylabel(self.metric)
            left_out = n_budgets - len(curve)
            note = f"\n{left_out} smaller budgets allow no error" if left_out else ""
            _say(ax, f"The worst error found at each budget{note}")

        return draw, 4.0

    def _tree(self) -> tuple[Callable[[Any], None], float]:
        sets = self._sets("tree")
        self.table_ = tree_of(sets, MOST_ROWS)

        def draw(ax: Any) -> None:
            common = looked_at_by_all(sets)
            plot_tree(self.table_, self.scores["clean"], common, ax)
            ax.set_xlabel(f"lowest {self.metric} found (line: clean)")
            said = "Columns hit, and columns" if any(sets["hit"]) else "Columns"
            said += " that patterns look at\n+ extends the pattern above"
            said += f"; all look at {_listed(common)} too" if common else ""
            if len(self.table_) < len(sets):
                said += f"\n{len(self.table_)} of {len(sets)} sets of columns: the worst ones"
            _say(ax, said)

        return draw, 1.4 + 0.23 * len(self.table_)

    def _attributes(self) -> tuple[Callable[[Any], None], float]:
        sets = self._sets("attributes")
        effects = effects_of(sets)
        self.table_ = effects.head(MOST_ROWS)

        def draw(ax: Any) -> None:
            plot_effects(self.table_, self.scores["clean"], ax)
            ax.set_xlabel(f"{self.metric} (line: clean)")
            said = "Scores of patterns with each column, and without it"
            said += "\nNumbers: lowest without − lowest with; above 0, the worst needs it"
            if len(effects) > MOST_ROWS:
                said += f"\n{MOST_ROWS} of {len(effects)} columns"
            _say(ax, said)

        return draw, 1.6 + 0.3 * len(self.table_)

    def _alternatives(self) -> tuple[Callable[[Any], None], float]:
        if self.alternatives is None:
            raise ValueError(
                "kind='alternatives' needs alternatives=, the alternatives_ of a search."
            )
        scored = alternatives_with_scores(self.alternatives)
        if scored.empty:
            raise ValueError("kind='alternatives': no class of patterns has a score.")
        self.table_ = scored.head(MOST_ROWS)

        def draw(ax: Any) -> None:
            plot_alternatives(self.table_, ax)
            ax.set_xlabel(f"drop of {self.metric} under the worst error found")
            said = "The worst error by what its conditions look at"
            left_out = len(self.alternatives) - len(scored)  # type: ignore[arg-type]
            verb = "is" if left_out == 1 else "are"
            said += f"\n{left_out} without a score {verb} left out" if left_out else ""
            _say(ax, said)

        return draw, 1.6 + 0.32 * len(self.table_)

    def _damage(self) -> tuple[Callable[[Any], None], float]:
        if self.certificate is None or "any_rows_score" not in self.certificate:
            raise ValueError(
                "kind='damage' needs certificate=, the certificate_ of a search with "
                "apply_to='test'."
            )
        known = damage_by_column(self.certificate)
        if known.empty:
            raise ValueError("kind='damage': no error in any column has a score.")
        self.table_ = known.head(MOST_ROWS)

        def draw(ax: Any) -> None:
            plot_damage(self.table_, self.scores["clean"], ax)
            ax.set_xlabel(f"{self.metric} (line: clean)")
            # only what is drawn; not every score is known of any rows, nor at random
            shown = self.table_.notna().any()
            where = [
                words
                for name, words in (
                    ("random_score", "at random"),
                    ("readable_score", "by the worst condition"),
                    ("any_rows_score", "in any rows"),
                )
                if shown.get(name, False)
            ]
            said = f"What errors in each column do, {', '.join(where)}"
            if len(known) > MOST_ROWS:
                said += f"\n{MOST_ROWS} of {len(known)} columns and kinds"
            _say(ax, said)

        return draw, 1.6 + 0.3 * len(self.table_)

    def _detection(self) -> tuple[Callable[[Any], None], float]:
        if self.detection is None or self.detection.empty:
            raise ValueError(
                "kind='detection' needs detection=, the detection_ of a search with checks that "
                "found an error."
            )
        self.table_ = checks_by_size(self.detection)

        def draw(ax: Any) -> None:
            plot_detection(self.table_, ax)
            said = "From which size of batches on each check notices the worst error"
            _say(ax, f"{said}\nNumbers: share of the batches in which it alarms as it is")

        return draw, 1.6 + 0.3 * len(self.table_)

    def _sets(self, kind: str) -> pd.DataFrame:
        """The sets of columns that were scored, of which there are several."""
        if self.candidates is None:
            raise ValueError(f"kind={kind!r} needs candidates=, the cv_results_ of a search.")
        sets = pattern_sets(self.candidates)
        if len(sets) < 2:
            raise ValueError(
                f"kind={kind!r} compares the sets of columns that patterns look at; {len(sets)} of "
                "them has a score and two are needed: raise max_conditions or n_calls, or pass "
                "kind='scores'."
            )
        return sets


def _of_largest_budget(search: Findings) -> dict[str, Any]:
    """Candidates that a search for the largest budget alone could have scored."""
    found = search.cv_results_
    if isinstance(search.budget, Real):
        return found
    smaller = np.unique(search.budget)[:-1]
    struck, rate = found["row_fraction"], found["rate"]
    # a pattern that is struck in all its rows is the same within every budget
    kept = (struck > smaller.max(initial=0.0) + ROUNDING) | (rate >= 1)
    return {name: np.asarray(column)[kept] for name, column in found.items()}


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} columns"


def _say(ax: Any, said: str) -> None:
    ax.set_title(said, fontsize="medium", loc="left", parse_math=False)
