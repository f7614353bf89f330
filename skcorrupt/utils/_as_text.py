"""Numbers and other values as readers are told them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

LONGEST_CELL = 300
NOTHING = "–"
DIGITS = 4
_DECIMAL = re.compile(r"-?[\d,]+(\.\d+)?")
# larger numbers have an exponent
MOST_WRITTEN_OUT = 1e9
# where all scores are smaller, three decimals leave less than two digits of them
SMALL = 0.01
# less than this share of the numbers beside it counts as none
LEAST = 0.0005


def largest(*values: Any) -> float:
    """The unit of numbers that are read together: the size of the largest that is known.

    Parameters
    ----------
    *values : float or array of float
        The numbers; those that are not finite do not count.

    Returns
    -------
    float
        The size, 1 where all are zero or unknown.
    """
    flat = [np.ravel(np.asarray(value, dtype=float)) for value in values]
    sizes = np.abs(np.concatenate(flat)) if flat else np.empty(0)
    return float(sizes[np.isfinite(sizes)].max(initial=0.0)) or 1.0


def score(value: float, unit: float = 1.0) -> str:
    """Three decimals for scores within ten; of others four digits, and all before the point.

    Parameters
    ----------
    value : float
        The score.
    unit : float, default=1.0
        The size of the largest number that it is read with. Where that is small as well, four
        digits are told, and what is small even beside it is zero.

    Returns
    -------
    str
        The text.
    """
    # what is rounded up to ten is as long as ten
    size = abs(float(f"{value:.{DIGITS}g}"))
    if max(size, unit) < SMALL:
        return f"{value:.{DIGITS}g}" if size >= LEAST * unit else "0"
    if size >= MOST_WRITTEN_OUT:
        return f"{value:.{DIGITS}g}"
    decimals = DIGITS - 1 if size < 10 else max(DIGITS - len(f"{size:.0f}"), 0)
    # what rounds to zero has no sign
    return f"{round(value, decimals) + 0.0:,.{decimals}f}"


def signed(value: float, unit: float = 1.0) -> str:
    """As a score, with its sign."""
    text = score(value, unit)
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
    # what rounds to zero has the sign of zero
    return f"{round(100 * value, 1) + 0.0:+.1f} %"


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
        size = abs(float(f"{value:.{DIGITS}g}"))
        # where four digits stand before the point the rest is let go, not further ones
        written_out = size < MOST_WRITTEN_OUT and (
            size >= 10 ** (DIGITS - 1) or float(value).is_integer()
        )
        return f"{value + 0.0:,.0f}" if written_out else f"{float(value):.{DIGITS}g}"
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

SCORES: dict[str, Callable[[Any, float], str]] = {"score": score, "signed": signed}


def cell(value: Any, kind: str = "plain", unit: float = 1.0) -> str:
    """A value as text, a dash where there is none.

    Parameters
    ----------
    value : object
        The value.
    kind : str, default="plain"
        A key of `FORMATS`.
    unit : float, default=1.0
        The size of the largest score that it is read with.

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
    text = SCORES[kind](value, unit) if kind in SCORES else FORMATS[kind](value)
    if len(text) > LONGEST_CELL:
        return f"{text[:LONGEST_CELL]} … ({len(text) - LONGEST_CELL} more characters)"
    return text or NOTHING


def column_texts(values: Sequence[Any], kind: str = "plain") -> list[str]:
    """The values of a column as texts, with the same number of decimals in all.

    Parameters
    ----------
    values : sequence
        The values.
    kind : str, default="plain"
        A key of `FORMATS`.

    Returns
    -------
    list of str
        The texts. Where some numbers would need more than three decimals, each has its own.
    """
    texts = [cell(value, kind) for value in values]
    told = [text for text in texts if text != NOTHING]
    numbers = all(isinstance(value, (float, np.floating)) for value in values)
    if kind != "plain" or not numbers or not all(_DECIMAL.fullmatch(text) for text in told):
        return texts
    decimals = max((len(text.partition(".")[2]) for text in told), default=0)
    if decimals >= DIGITS:
        return texts
    pairs = zip(values, texts, strict=True)
    return [text if text == NOTHING else f"{value:,.{decimals}f}" for value, text in pairs]


def counted(n: int, what: str) -> str:
    """A number of things, "no" of them where there is none."""
    return f"{f'{n:,}' if n else 'no'} {what}{'' if n == 1 else 's'}"


def interval(low: Any, high: Any, kind: str = "score", unit: float = 1.0) -> str:
    """Both ends of an interval, a dash where there is none."""
    if not np.isfinite([float(low), float(high)]).all():
        return NOTHING
    return f"{cell(low, kind, unit)} to {cell(high, kind, unit)}"
