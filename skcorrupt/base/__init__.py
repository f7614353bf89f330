"""What every corruption is built on: the common flow, the draws, the record of what changed."""

from skcorrupt.utils import MISSING, Cells

from ._base_corruption import BaseCorruption
from ._corruption_record import CorruptionRecord
from ._corruption_result import CorruptionResult
from ._edit import Edit, apply_edits
from ._feature_corruption import FeatureCorruption
from ._mar import MAR
from ._mechanism import Mechanism
from ._mnar import MNAR
from ._noise import Draws, KeyedNoise, Noise
from ._reference import Reference
from ._sample_corruption import SampleCorruption
from ._strike import strike_count
from ._struck import Struck

__all__ = [
    "MAR",
    "MISSING",
    "MNAR",
    "BaseCorruption",
    "Cells",
    "CorruptionRecord",
    "CorruptionResult",
    "Draws",
    "Edit",
    "FeatureCorruption",
    "KeyedNoise",
    "Mechanism",
    "Noise",
    "Reference",
    "SampleCorruption",
    "Struck",
    "apply_edits",
    "strike_count",
]
