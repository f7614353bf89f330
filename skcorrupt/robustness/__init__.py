"""Compare, choose and harden pipelines by their worst case."""

from ._column_dropper import ColumnDropper
from ._doubtful_label_classifier import DoubtfulLabelClassifier
from ._range_clipper import RangeClipper

__all__ = ["ColumnDropper", "DoubtfulLabelClassifier", "RangeClipper"]
