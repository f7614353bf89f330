"""Intervals, tests and corrections for many tests, on plain arrays, for all systems."""

from ._adjusted_pvalues import adjusted_pvalues
from ._bootstrap_interval import bootstrap_interval
from ._clopper_pearson import clopper_pearson
from ._corrected_interval import CorrectedInterval, corrected_interval
from ._sample_sizes import minimum_informative_size, sample_size_for_test, sample_size_for_width
from ._wilcoxon import least_repeats, wilcoxon_pvalue

__all__ = [
    "CorrectedInterval",
    "adjusted_pvalues",
    "bootstrap_interval",
    "clopper_pearson",
    "corrected_interval",
    "least_repeats",
    "minimum_informative_size",
    "sample_size_for_test",
    "sample_size_for_width",
    "wilcoxon_pvalue",
]
