"""What errors data has, learned from it."""

from . import _in_notebooks as _in_notebooks
from ._learn_errors import learn_errors
from ._learned_errors import LearnedErrors
from ._learned_errors_display import LearnedErrorsDisplay
from .gaps._learn_gaps import learn_gaps
from .gaps._learned_gaps import LearnedGaps
from .making._corrupt_as_seen import CorruptAsSeen

__all__ = [
    "CorruptAsSeen",
    "LearnedErrors",
    "LearnedErrorsDisplay",
    "LearnedGaps",
    "learn_errors",
    "learn_gaps",
]
