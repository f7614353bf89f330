"""Intervals and tests that several systems use."""

from ._bootstrap_interval import bootstrap_interval

__all__ = ["bootstrap_interval"]
