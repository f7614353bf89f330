"""Checks of the rules that every corruption keeps, for those shipped and for a user's own."""

from ._check_corruption import check_corruption, yield_corruption_checks

__all__ = ["check_corruption", "yield_corruption_checks"]
