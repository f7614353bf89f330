"""What a search found, in words and pictures."""

from ._adversarial_search_display import AdversarialSearchDisplay
from ._any_rows import any_rows
from ._kinds_picture import plot_kinds
from ._wording import (
    LABEL_READ,
    broken_by,
    error_in_words,
    found_in_words,
    of_labels,
    reads_label,
    score_unit,
)

__all__ = [
    "LABEL_READ",
    "AdversarialSearchDisplay",
    "any_rows",
    "broken_by",
    "error_in_words",
    "found_in_words",
    "of_labels",
    "plot_kinds",
    "reads_label",
    "score_unit",
]
