"""Scores of a model: fairness, one subgroup's own score, coverage of intervals."""

from ._change_scorer import make_change_scorer
from ._conformal_regressor import ConformalRegressor
from ._coverage_scorer import make_coverage_scorer
from ._fairness_differences import (
    average_odds_difference,
    equal_opportunity_difference,
    error_rate_difference,
    statistical_parity_difference,
)
from ._fairness_scorer import make_fairness_scorer
from ._metric_name import metric_name as metric_name
from ._quick_score import asks_once as asks_once, quick_score as quick_score
from ._resampled_score import resampled_score_of as resampled_score_of
from ._row_score import (
    RowScore as RowScore,
    own_metric as own_metric,
    row_score_of as row_score_of,
    surrogate_of as surrogate_of,
)
from ._row_scorer import make_row_scorer
from ._stage_fairness import stage_fairness
from ._subgroup_scorer import make_subgroup_scorer

__all__ = [
    "ConformalRegressor",
    "average_odds_difference",
    "equal_opportunity_difference",
    "error_rate_difference",
    "make_change_scorer",
    "make_coverage_scorer",
    "make_fairness_scorer",
    "make_row_scorer",
    "make_subgroup_scorer",
    "stage_fairness",
    "statistical_parity_difference",
]
