"""Compare, choose and harden pipelines by their worst case."""

from ._make_worst_case_scorer import make_worst_case_scorer

__all__ = ["make_worst_case_scorer"]
