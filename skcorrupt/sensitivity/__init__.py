"""How performance moves as errors grow."""

from ._default_classifiers import default_classifiers
from ._error_performance import (
    area_error_performance,
    error_performance_correlation,
    piecewise_slopes,
)
from ._error_sensitivity_display import ErrorSensitivityDisplay
from ._error_sensitivity_profiler import ErrorSensitivityProfiler
from ._profile_plan import ProfilePlan
from ._significance import least_repeats, paired_pvalue
from ._strategy import Strategy

__all__ = [
    "ErrorSensitivityDisplay",
    "ErrorSensitivityProfiler",
    "ProfilePlan",
    "Strategy",
    "area_error_performance",
    "default_classifiers",
    "error_performance_correlation",
    "least_repeats",
    "paired_pvalue",
    "piecewise_slopes",
]
