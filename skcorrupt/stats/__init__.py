"""Intervals and tests that several systems use."""

from ._bootstrap_interval import bootstrap_interval
from ._clopper_pearson import clopper_pearson

__all__ = ["bootstrap_interval", "clopper_pearson"]
