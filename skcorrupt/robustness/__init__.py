"""Compare, choose and harden pipelines by their worst case."""

from ._column_dropper import ColumnDropper
from ._doubtful_label_classifier import DoubtfulLabelClassifier
from ._make_worst_case_scorer import make_worst_case_scorer
from ._range_clipper import RangeClipper
from ._suggest_hardening import suggest_hardening

__all__ = [
    "ColumnDropper",
    "DoubtfulLabelClassifier",
    "RangeClipper",
    "make_worst_case_scorer",
    "suggest_hardening",
]
