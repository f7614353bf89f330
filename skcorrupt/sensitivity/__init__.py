"""How performance moves as errors grow."""

from skcorrupt.stats._error_performance import (
    area_error_performance,
    error_performance_correlation,
    piecewise_slopes,
)

from . import _in_notebooks as _in_notebooks
from ._default_classifiers import default_classifiers
from ._error_sensitivity_display import ErrorSensitivityDisplay
from ._error_sensitivity_profiler import ErrorSensitivityProfiler
from ._strategy import Strategy

__all__ = [
    "ErrorSensitivityDisplay",
    "ErrorSensitivityProfiler",
    "Strategy",
    "area_error_performance",
    "default_classifiers",
    "error_performance_correlation",
    "piecewise_slopes",
]
