"""Names and numbers as people read them, and columns that are no more than names of rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

# with fewer rows, values of their own say nothing
ID_LIKE_ROWS = 20
ID_LIKE_SHARE = 0.5
# rows set aside leave gaps in a running number
ID_LIKE_SPAN = 2
# what would tear a line, or be seen as nothing
_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]")


def on_one_line(text: Any) -> str:
    r"""A name with its line breaks and tabs as Python writes them, such as line\nbreak."""
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], str(text))


def column_key(label: Any) -> str:
    """The key of a column in a Pattern, whatever its label looks like."""
    return "`" + str(label).replace("`", "``") + "`"


def listed_labels(labels: Iterable[Any]) -> str:
    """Labels of columns in a row; one with a comma, which would read as two, is in backticks."""
    names = map(str, labels)
    return ", ".join(column_key(name) if set(",`") & set(name) else name for name in names)


def shortest_between(low: Any, high: Any) -> Any:
    """The number with the fewest digits in [low, high)."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return low
    start = -math.floor(math.log10(max(abs(float(low)), abs(float(high)), 1e-300)))
    for digits in range(start - 1, start + 16):
        rounded = type(low)(round(float(low), digits))
        if low <= rounded < high:
            return rounded
    return low


def are_names(n_distinct: int, n_known: int) -> bool:
    """Whether so many different texts are names of rows."""
    return n_known >= ID_LIKE_ROWS and n_distinct > ID_LIKE_SHARE * n_known


def are_running_numbers(known: np.ndarray) -> bool:
    """Whether whole numbers count rows."""
    if len(known) < ID_LIKE_ROWS or len(np.unique(known)) < len(known):
        return False
    return int(known.max()) - int(known.min()) < ID_LIKE_SPAN * len(known)
