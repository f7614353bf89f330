"""One class per kind of data error, and the process that joins them."""

from ._corrupt_categories import CorruptCategories
from ._corrupt_clip import CorruptClip
from ._corrupt_dates import CorruptDates
from ._corrupt_duplicates import CorruptDuplicates
from ._corrupt_exchange import CorruptExchange
from ._corrupt_labels import CorruptLabels
from ._corrupt_missing import CorruptMissing
from ._corrupt_noise import CorruptNoise
from ._corrupt_outliers import CorruptOutliers
from ._corrupt_rounding import CorruptRounding
from ._corrupt_scale import CorruptScale
from ._corrupt_sentinel import CorruptSentinel
from ._corrupt_shift_rows import CorruptShiftRows
from ._corrupt_stuck import CorruptStuck
from ._corrupt_text import CorruptText
from ._corrupt_type import CorruptType
from ._corruption_from import corruption_from, short_names
from ._corruption_process import CorruptionProcess
from ._dependency_graph import DependencyGraph
from ._selection_bias import SelectionBias

__all__ = [
    "CorruptCategories",
    "CorruptClip",
    "CorruptDates",
    "CorruptDuplicates",
    "CorruptExchange",
    "CorruptLabels",
    "CorruptMissing",
    "CorruptNoise",
    "CorruptOutliers",
    "CorruptRounding",
    "CorruptScale",
    "CorruptSentinel",
    "CorruptShiftRows",
    "CorruptStuck",
    "CorruptText",
    "CorruptType",
    "CorruptionProcess",
    "DependencyGraph",
    "SelectionBias",
    "corruption_from",
    "short_names",
]
