"""What every corruption is built on: the common flow, the draws, the record of what changed."""

from skcorrupt.utils import MISSING, Cells as Cells

from ._base_corruption import BaseCorruption
from ._corruption_record import CorruptionRecord
from ._corruption_result import CorruptionResult
from ._drawn_rows import DrawnRows as DrawnRows, drawn_rows as drawn_rows
from ._edit import Edit, apply_edits as apply_edits
from ._feature_corruption import FeatureCorruption
from ._keys import checked_key as checked_key
from ._mar import MAR
from ._mechanism import Mechanism
from ._mnar import MNAR
from ._noise import Draws, KeyedNoise as KeyedNoise, Noise as Noise, noise_for as noise_for
from ._partitioned_record import PartitionedRecord
from ._read_once import ReadOnce as ReadOnce
from ._reference import Reference as Reference
from ._sample_corruption import SampleCorruption
from ._strike import strike_count as strike_count
from ._struck import Struck

# what rooms above take besides is handed on by its name alone
__all__ = [
    "MAR",
    "MISSING",
    "MNAR",
    "BaseCorruption",
    "CorruptionRecord",
    "CorruptionResult",
    "Draws",
    "Edit",
    "FeatureCorruption",
    "Mechanism",
    "PartitionedRecord",
    "SampleCorruption",
    "Struck",
]
