"""Intervals and tests that several systems use."""

from ._bootstrap_interval import bootstrap_interval
from ._clopper_pearson import clopper_pearson
from ._corrected_interval import CorrectedInterval, corrected_interval

__all__ = ["CorrectedInterval", "bootstrap_interval", "clopper_pearson", "corrected_interval"]
