"""What a search found, in words and pictures."""

from ._adversarial_search_display import AdversarialSearchDisplay
from ._wording import error_in_words, found_in_words

__all__ = ["AdversarialSearchDisplay", "error_in_words", "found_in_words"]
