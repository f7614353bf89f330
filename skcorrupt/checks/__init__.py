"""Checks that watch incoming data: what they learn, and when they raise an alarm."""

from ._base_check import BaseCheck
from ._drift import Drift
from ._known_categories import KnownCategories
from ._missing_share import MissingShare
from ._row_count import RowCount
from ._segment_share import SegmentShare
from ._unique_keys import UniqueKeys
from ._value_range import ValueRange

__all__ = [
    "BaseCheck",
    "Drift",
    "KnownCategories",
    "MissingShare",
    "RowCount",
    "SegmentShare",
    "UniqueKeys",
    "ValueRange",
]
