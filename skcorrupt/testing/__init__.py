"""For test suites: a pipeline's robustness, and the rules that every corruption keeps."""

from ._assert_robust import assert_robust
from ._check_corruption import check_corruption, yield_corruption_checks

__all__ = ["assert_robust", "check_corruption", "yield_corruption_checks"]
