"""Compare, choose and harden pipelines by their worst case."""

from ._make_worst_case_scorer import make_worst_case_scorer
from ._robust_search_cv import RobustSearchCV

__all__ = ["RobustSearchCV", "make_worst_case_scorer"]
