"""Stress-test scikit-learn pipelines with realistic data errors."""

from .adversarial import AdversarialCorruptionSearch
from .attributes import FeatureDomain, infer_domains
from .base import (
    MAR,
    MNAR,
    BaseCorruption,
    CorruptionRecord,
    CorruptionResult,
    FeatureCorruption,
    SampleCorruption,
)
from .corruptions import (
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptExchange,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
    CorruptText,
    CorruptType,
    SelectionBias,
)
from .curation import NaturalAdversarialCurator
from .evaluation import CorruptedEstimator, cross_validate_corrupted
from .fairness import StageFairnessAblator
from .patterns import Pattern
from .responsiveness import ResponsivenessAuditor
from .sensitivity import ErrorSensitivityProfiler
from .utils._version import __version__

__all__ = [
    "MAR",
    "MNAR",
    "AdversarialCorruptionSearch",
    "BaseCorruption",
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
    "CorruptedEstimator",
    "CorruptionProcess",
    "CorruptionRecord",
    "CorruptionResult",
    "ErrorSensitivityProfiler",
    "FeatureCorruption",
    "FeatureDomain",
    "NaturalAdversarialCurator",
    "Pattern",
    "ResponsivenessAuditor",
    "SampleCorruption",
    "SelectionBias",
    "StageFairnessAblator",
    "__version__",
    "cross_validate_corrupted",
    "infer_domains",
]
