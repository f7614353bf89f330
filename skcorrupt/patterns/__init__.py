"""Where errors strike: readable conditions on rows."""

from ._condition import Condition
from ._pattern import Pattern, as_pattern
from ._pattern_masks import PatternMasks as PatternMasks

__all__ = ["Condition", "Pattern", "as_pattern"]
