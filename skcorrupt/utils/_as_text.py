"""Numbers and other values as readers are told them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

LONGEST_CELL = 300
NOTHING = "–"


def score(value: float) -> str:
    """Three decimals for scores within ten, four digits for others."""
    # what rounds to zero has no sign
    return f"{round(value, 3) + 0.0:.3f}" if abs(value) < 10 else f"{value:.4g}"


def signed(value: float) -> str:
    """As a score, with its sign."""
    text = score(value)
    return text if text.startswith("-") else f"+{text}"


def percent(value: float) -> str:
    """A share as a percentage with a decimal, or with a digit where that would be none."""
    return f"{100 * value:.1g} %" if 0 < abs(value) < 0.0005 else f"{100 * value:.1f} %"


def percent_in_words(value: float) -> str:
    """The same within a sentence, where whole percentages have no decimal."""
    return percent(value).replace(".0 %", " %")


def share(value: float) -> str:
    """A share that was set, such as a budget, with the digits that it has."""
    return f"{100 * value:g} %"


def signed_percent(value: float) -> str:
    """A share as a percentage with its sign."""
    return f"{100 * value:+.1f} %"


def chance(value: float) -> str:
    """A p-value."""
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def plain(value: Any) -> str:
    """Anything else."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(plain, value))
    return str(value)


FORMATS: dict[str, Callable[[Any], str]] = {
    "plain": plain,
    "score": score,
    "signed": signed,
    "percent": percent,
    "share": share,
    "signed percent": signed_percent,
    "chance": chance,
}


def cell(value: Any, kind: str = "plain") -> str:
    """A value as text, a dash where there is none.

    Parameters
    ----------
    value : object
        The value.
    kind : str, default="plain"
        A key of `FORMATS`.

    Returns
    -------
    str
        The text, cut where it is very long.
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return NOTHING
    number = isinstance(value, (float, np.floating))
    if number and not np.isfinite(value):
        return NOTHING if np.isnan(value) else ("infinite" if value > 0 else "-infinite")
    if kind != "plain" and not isinstance(value, (int, float, np.integer, np.floating)):
        kind = "plain"
    text = FORMATS[kind](value)
    if len(text) > LONGEST_CELL:
        return f"{text[:LONGEST_CELL]} … ({len(text) - LONGEST_CELL} more characters)"
    return text or NOTHING


def counted(n: int, what: str) -> str:
    """A number of things, "no" of them where there is none."""
    return f"{f'{n:,}' if n else 'no'} {what}{'' if n == 1 else 's'}"


def interval(low: Any, high: Any, kind: str = "score") -> str:
    """Both ends of an interval, a dash where there is none."""
    if not np.isfinite([float(low), float(high)]).all():
        return NOTHING
    return f"{cell(low, kind)} to {cell(high, kind)}"
