"""What came of a comparison of pipelines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from skcorrupt.adversarial.strategies import (
    AutoSearch,
    BeamSearch,
    ExhaustiveSearch,
    Screening,
)
from skcorrupt.attributes import SearchSpace
from skcorrupt.evaluation._fitted_results import FittedResults
from skcorrupt.utils._as_text import counted

from ._comparison_in_words import CUT_SHORT, compared_in_words
from ._kept_results import COMPARED
from ._made_by_function import MadeByFunction

SHOWN = [
    *["estimator", "corruption", "budget", "rank", "clean", "random", "worst", "worst_from"],
    *["confirmed", "confirmed_low", "confirmed_high", "status"],
]


class RobustnessComparison(MadeByFunction, FittedResults):
    """How several pipelines stand the worst realistic errors.

    Made by `compare_robustness`.

    Parameters
    ----------
    results, transfer, ranks : DataFrame
        The tables.
    settings : mapping of str to object
        Parameters of `compare_robustness`, `X` and `y` aside.
    metric : str, default="score"
        What scores are called.
    seed : int or None, default=None
        The seed that all draws came from.
    data : mapping or None, default=None
        Number of rows, names of columns and container of the data, of which no row is kept.
    interrupted : bool, default=False
        Whether Ctrl-C, SIGTERM or `max_time` ended it early.

    Attributes
    ----------
    results_ : DataFrame
        A row for each pipeline, kind of error and budget: `estimator, corruption, budget, status,
        rank`, then scores with the ends of their intervals, `NAME_low` and `NAME_high`: `clean`,
        `random` (errors of the size of the worst at random places) and `worst` on the splits of
        the search, `drop` from the first to the last, and `worst_from`, the pipeline for which the
        worst was found: the minimum of its own search and of what was found for all others, within
        this budget or a smaller one. `confirmed_clean`, `confirmed` and `confirmed_drop` are the
        same on rows that no search saw. Then `columns, pattern, rate` and `error`, the worst error,
        to be put in front of a pipeline; `n_failed`, how many errors the pipeline cannot take,
        which count for none of its scores; and `message`. Intervals end
        where scores of scikit-learn end. `status` is "ok", "no error" where none is feasible,
        "failed" where the pipeline cannot be searched, or "not searched" where the comparison was
        interrupted before.
    transfer_ : DataFrame
        The worst error that the search for one pipeline found, on every other one: `found_for,
        scored_on, corruption, budget, score, drop, status, message`, on the splits of the search.
    ranks_ : DataFrame
        A row for each pair of pipelines, the better one first: `corruption, budget, estimator,
        rank, score, other, other_rank, other_score, difference` with its interval, `p_value,
        p_adjusted, significant`. A rank such as "1–2" says that the places 1 and 2 are not told
        apart.
    interrupted_ : bool
        Whether it was ended early.
    """

    _first_results = ()
    _expected_arguments = COMPARED
    _settings = (SearchSpace, AutoSearch, BeamSearch, ExhaustiveSearch, Screening)

    def __init__(
        self,
        results: pd.DataFrame,
        transfer: pd.DataFrame,
        ranks: pd.DataFrame,
        settings: Mapping[str, Any],
        *,
        metric: str = "score",
        seed: int | None = None,
        data: Mapping[str, Any] | None = None,
        interrupted: bool = False,
    ) -> None:
        super().__init__(settings, data)
        self.results_ = results
        self.transfer_ = transfer
        self.ranks_ = ranks
        self.metric_name_ = metric
        self.seed_ = seed
        self.interrupted_ = interrupted

    @property
    def alpha(self) -> float:
        """Level of the tests, one minus the coverage of intervals."""
        return float(self.settings.get("alpha", 0.05))

    def summary(self) -> str:
        """What was found, in plain sentences.

        Returns
        -------
        str
            For each kind of error, at the largest budget: which pipeline stands it best, which
            differences are real, whether one error breaks all, and what failed; then whether the
            comparison was ended early.
        """
        return " ".join(self.sentences())

    def sentences(self) -> list[str]:
        """What was found, sentence by sentence.

        Returns
        -------
        list of str
            Those of `summary()`.
        """
        found = compared_in_words(
            self.results_, self.transfer_, self.ranks_, self.metric_name_, self.alpha
        )
        return [*found, CUT_SHORT] if self.interrupted_ else found

    def _check_there(self) -> None:
        """They always are."""

    def _arguments(self) -> dict[str, Any]:
        return {
            "results": self.results_,
            "transfer": self.transfer_,
            "ranks": self.ranks_,
            "settings": self.settings,
            "metric": self.metric_name_,
            "seed": self.seed_,
            "data": self._data_facts,
            "interrupted": self.interrupted_,
        }

    @classmethod
    def _may_have(cls, name: str) -> bool:
        # all results are arguments
        return False

    def _counts(self) -> str:
        names = ("estimator", "corruption", "budget")
        counts = ((name, self.results_[name].nunique()) for name in names)
        return ", ".join(counted(n, name) for name, n in counts)

    def __repr__(self) -> str:
        table = self.results_[SHOWN].round(3).to_string(index=False)
        return f"RobustnessComparison({self._counts()})\n{table}"
