"""Compare, choose and harden pipelines by their worst case."""

from ._compare_robustness import compare_robustness
from ._robustness_comparison import RobustnessComparison
from ._robustness_comparison_display import RobustnessComparisonDisplay

__all__ = ["RobustnessComparison", "RobustnessComparisonDisplay", "compare_robustness"]
