"""What `corrupt` returns."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._corruption_record import CorruptionRecord


class CorruptionResult(NamedTuple):
    """Corrupted data and the record of what was changed.

    Attributes
    ----------
    X : table of shape (n_out, n_features)
        The corrupted features, in the container they came in.
    y : array-like of shape (n_out,) or None
        The corrupted labels, in the container they came in.
    record : CorruptionRecord
        Which rows and cells were struck.
    """

    X: Any
    y: Any
    record: CorruptionRecord
