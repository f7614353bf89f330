"""Compare, choose and harden pipelines by their worst case."""

from ._check_suggestions import CheckSuggestions
from ._column_dropper import ColumnDropper
from ._doubtful_label_classifier import DoubtfulLabelClassifier
from ._range_clipper import RangeClipper
from ._suggest_checks import suggest_checks
from ._suggest_hardening import suggest_hardening

__all__ = [
    "CheckSuggestions",
    "ColumnDropper",
    "DoubtfulLabelClassifier",
    "RangeClipper",
    "suggest_checks",
    "suggest_hardening",
]
