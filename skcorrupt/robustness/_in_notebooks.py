"""What a notebook shows of a comparison."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._robustness_comparison import SHOWN, RobustnessComparison
from ._robustness_comparison_display import RobustnessComparisonDisplay


@shows(RobustnessComparison)
def _finding(comparison: RobustnessComparison) -> str:
    draw = partial(RobustnessComparisonDisplay.from_comparison(comparison).plot, "curves")
    return finding_html(comparison.summary(), comparison.results_[SHOWN], draw)
