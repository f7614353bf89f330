"""What a search found, in words and pictures."""

from ._adversarial_search_display import AdversarialSearchDisplay
from ._kinds_picture import plot_kinds
from ._wording import LABEL_READ, error_in_words, found_in_words, reads_label

__all__ = [
    "LABEL_READ",
    "AdversarialSearchDisplay",
    "error_in_words",
    "found_in_words",
    "plot_kinds",
    "reads_label",
]
