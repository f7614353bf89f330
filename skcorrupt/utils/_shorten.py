"""Values as messages show them."""

from __future__ import annotations

from typing import Any

LONGEST = 200


def cut(text: str, length: int = LONGEST) -> str:
    """A text, cut where it would flood a message."""
    return text if len(text) <= length else f"{text[:length]}…"


def shorten(value: Any, length: int = LONGEST) -> str:
    """The `repr` of a value in one line, cut where it would flood a message."""
    try:
        return cut(" ".join(line.strip() for line in repr(value).splitlines()), length)
    except Exception:
        # such as an integer of too many digits, or lists in lists in lists
        return f"<{type(value).__name__} too large to show>"


def first_line(error: object) -> str:
    """An error in a line; scikit-learn's are followed by advice of its own."""
    return str(error).split("\n", 1)[0]
