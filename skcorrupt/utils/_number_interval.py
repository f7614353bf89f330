"""Parameters that are numbers."""

from __future__ import annotations

from typing import Any

from ._compat import Interval


class NumberInterval(Interval):
    """An interval of which truth values are no part, though Python counts them as numbers."""

    def is_satisfied_by(self, val: Any) -> bool:
        """Whether a value is a number of the interval."""
        return not isinstance(val, bool) and bool(super().is_satisfied_by(val))
