"""What a notebook shows of a comparison, a search for robust parameters, and suggested checks."""

from __future__ import annotations

from functools import partial

import pandas as pd

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._as_text import cell
from skcorrupt.utils._notebook import finding_html

from ._candidates import in_order
from ._check_suggestions import CheckSuggestions
from ._checks_picture import plot_checks
from ._choice_in_words import params_in_words
from ._choice_picture import plot_choice
from ._robust_search_cv import RobustSearchCV
from ._robustness_comparison import RobustnessComparison
from ._robustness_comparison_display import RobustnessComparisonDisplay

HEADINGS = {
    "estimator": "pipeline",
    "corruption": "error",
    "budget": "rows struck, at most",
    "rank": "rank",
    "clean": "clean",
    "random": "at random",
    "worst": "worst",
    "worst_from": "found for",
    "confirmed": "confirmed",
    "status": "status",
}
OF_CHOICE = ["params", "mean_clean_score", "worst_score", "status", "rank_worst_score"]


@shows(RobustnessComparison)
def _finding(comparison: RobustnessComparison) -> str:
    draw = partial(RobustnessComparisonDisplay.from_comparison(comparison).plot, "curves")
    results = comparison.results_
    shown = results.assign(
        corruption=[kind_in_words(kind) for kind in results["corruption"]],
        budget=[cell(budget, "share") for budget in results["budget"]],
    )
    return finding_html(comparison.summary(), shown[[*HEADINGS]].rename(columns=HEADINGS), draw)


@shows(RobustSearchCV)
def _choice(search: RobustSearchCV) -> str:
    found = pd.DataFrame({name: search.cv_results_[name] for name in OF_CHOICE})
    found = in_order(found, search.best_index_).drop(columns="rank_worst_score")
    found["params"] = [params_in_words(params) for params in found["params"]]
    metric = search.metric_name_
    found.columns = ["settings", f"clean {metric}", f"worst {metric}", "outcome"]
    return finding_html(search.summary(), found, partial(plot_choice, search))


@shows(CheckSuggestions)
def _suggested(found: CheckSuggestions) -> str:
    names = {
        "check": "check",
        "false_alarm": "false alarms, at most",
        "n_caught": "errors caught",
        "undetected_damage": "largest drop that passes",
    }
    shown = found.results_[[*names]].rename(columns=names)
    return finding_html(found.summary(), shown, partial(plot_checks, found))
