"""Values as messages show them."""

from __future__ import annotations

from typing import Any

LONGEST = 200


def shorten(value: Any) -> str:
    """The `repr` of a value, cut where it would flood a message."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        # too deep, or an integer of more digits than Python writes
        return f"<{type(value).__name__} too large to show>"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
