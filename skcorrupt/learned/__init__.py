"""What errors data has, learned from it."""

from ._corrupt_as_seen import CorruptAsSeen
from ._learn_errors import learn_errors
from ._learn_gaps import learn_gaps
from ._learned_errors import LearnedErrors
from ._learned_gaps import LearnedGaps

__all__ = ["CorruptAsSeen", "LearnedErrors", "LearnedGaps", "learn_errors", "learn_gaps"]
