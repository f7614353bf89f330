"""What errors data has, learned from it."""

from ._learn_gaps import learn_gaps
from ._learned_gaps import LearnedGaps

__all__ = ["LearnedGaps", "learn_gaps"]
