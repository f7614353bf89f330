"""Fairness of predictions, as numbers and as scorers."""

from ._fairness_differences import (
    average_odds_difference,
    equal_opportunity_difference,
    error_rate_difference,
    statistical_parity_difference,
)
from ._fairness_scorer import make_fairness_scorer
from ._stage_fairness import stage_fairness

__all__ = [
    "average_odds_difference",
    "equal_opportunity_difference",
    "error_rate_difference",
    "make_fairness_scorer",
    "stage_fairness",
    "statistical_parity_difference",
]
