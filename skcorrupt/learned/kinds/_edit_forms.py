"""What a learned rule makes of a clean value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.corruptions._clock import local_times
from skcorrupt.corruptions._date_texts import write_dates
from skcorrupt.corruptions._slips import SLIPS

from ._slips import LOOKALIKES
from ._text_kinds import (
    CASES,
    SPACES,
    WORD,
    abbreviated,
    garbled,
    number_in_style,
    without_accents,
)
from ._time_text import (
    DAY,
    TimeText,
    cut_text,
    cut_time,
    moved_day,
    padded,
    read_time,
    rewritten,
    write_time,
)
from ._wrong_cells import as_text

KEEP = object()
LOST = object()
_DIGITS = 12
_CLOSE = 1e-12
_TIMES: list[tuple[tuple[type, ...], Callable[[str], Any]]] = [
    ((np.datetime64, pd.Timestamp), pd.Timestamp),
    ((np.timedelta64, pd.Timedelta), pd.Timedelta),
]
_ROUND: dict[str, Callable[[float], int]] = {
    "nearest": lambda ratio: round(ratio),
    "down": math.floor,
    "up": math.ceil,
}


class Cell:
    """A clean value, with what it says as a text and as a number.

    Parameters
    ----------
    value : object
        The value; None where it is missing.
    """

    def __init__(self, value: Any) -> None:
        self.value = value
        self.written = isinstance(value, str)
        self.text = None if value is None else as_text(value)
        self.number = _number(value)

    def number_like(self, number: float) -> Any:
        """A number as the cell has it: as a text in a column of texts."""
        number = float(f"{number:.{_DIGITS}g}")
        if not self.written:
            return number
        plain = int(number) if number.is_integer() and abs(number) < 1e15 else number
        return str(plain)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    # to numpy a duration is a whole number
    if isinstance(value, np.timedelta64):
        return None
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value)
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return None
        return number if math.isfinite(number) else None
    return None


def made(form: str, params: dict[str, Any], cell: Cell, u: float) -> Any:
    """The wrong value.

    Parameters
    ----------
    form : str
        Name of the form of the rule.
    params : dict
        Its parameters.
    cell : Cell
        The clean value.
    u : float in [0, 1)
        A draw, for rules that leave something open.

    Returns
    -------
    object
        The value, `LOST`, or `KEEP` where the rule cannot change this value.
    """
    if form == "constant":
        gone = cell.value is None
        spared = params.get("of_missing", gone) != gone
        return KEEP if spared or _same(cell, params["value"]) else params["value"]
    if form == "lost":
        return KEEP if cell.value is None else LOST
    if form == "seen":
        return _seen(params, cell, u)
    if cell.value is None:
        return KEEP
    value = FORMS[form](params, cell, u)
    if params.get("as_text") and not cell.written:
        # the same number is another value for its type
        return KEEP if value is None else value
    return KEEP if value is None or _same(cell, value) else value


def _same(cell: Cell, value: Any) -> bool:
    if cell.value is None:
        return value is None
    if not cell.written and cell.number is not None and isinstance(value, (int, float, str)):
        # a number and its text are equal
        return cell.number == (_number(value) if isinstance(value, str) else value)
    # tables of rules hold durations as texts
    is_duration = isinstance(cell.value, np.timedelta64)
    return bool((cell.text if is_duration else cell.value) == value)


def _scale(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if cell.number is None:
        return None
    number = cell.number * params["factor"] + params["offset"]
    step = params.get("step")
    return cell.number_like(round(number / step) * step if step else number)


def _rounding(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if cell.number is None:
        return None
    ratio = cell.number / params["step"]
    if abs(ratio - round(ratio)) <= _CLOSE * max(1.0, abs(ratio)):
        # a multiple, which may be a little off as a float
        return None
    rounded = _ROUND[params["mode"]](ratio)
    return cell.number_like(rounded * params["step"])


def _clip(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if cell.number is None:
        return None
    low, high = params.get("lower", -math.inf), params.get("upper", math.inf)
    # limits are kept in twelve digits, which values at a limit may have more of
    slack = 10 * _CLOSE * abs(cell.number)
    if low - slack <= cell.number <= high + slack:
        return None
    return cell.number_like(min(max(cell.number, low), high))


def _outliers(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if cell.number is None:
        return None
    return cell.number_like(cell.number + (params["size"] if u < 0.5 else -params["size"]))


def _noise(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if cell.number is None:
        return None
    quantiles = params["quantiles"]
    number = cell.number + float(
        np.interp(u * (len(quantiles) - 1), range(len(quantiles)), quantiles)
    )
    if params["whole"]:
        number = round(number)
        # the smallest step there is, as what is struck changes
        number = number if number != cell.number else number + (1 if u >= 0.5 else -1)
    return cell.number_like(number)


def _swap(params: dict[str, Any], cell: Cell, u: float) -> Any:
    rows = params["table"]
    mine = [row for row in rows if _same(cell, row[0])]
    # where it depends on a value what it becomes, nothing is known of others, as in the template
    anyhow = [] if params.get("by_value") else rows
    others = mine or [row for row in anyhow if not _same(cell, row[1])]
    return _typed(cell, _drawn([(row[1], row[2]) for row in others], u)) if others else None


def _seen(params: dict[str, Any], cell: Cell, u: float) -> Any:
    """One of the values seen, of those in place of the same value if there are any."""
    rows = params["table"]
    mine = [row for row in rows if _same_or_none(cell, row[0])]
    if cell.value is None and not mine:
        return KEEP
    others = mine or [row for row in rows if not _same_or_none(cell, row[1])]
    return _typed(cell, _drawn([(row[1], row[2]) for row in others], u)) if others else KEEP


def _same_or_none(cell: Cell, value: Any) -> bool:
    return cell.value is None if value is None else cell.value is not None and _same(cell, value)


def _typed(cell: Cell, value: Any) -> Any:
    if cell.written and not isinstance(value, str):
        return as_text(value)
    if not isinstance(value, str):
        return value
    for held, read in _TIMES:
        if isinstance(cell.value, held):
            try:
                return read(value)
            except ValueError:
                return value
    return value


def _drawn(choices: list[tuple[Any, int]], u: float) -> Any:
    at = u * sum(count for _, count in choices)
    for value, count in choices:
        at -= count
        if at < 0:
            return value
    return choices[-1][0]


def _unit(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if cell.number is None or cell.text is None:
        return None
    written = number_in_style(cell.text, cell.number, params["style"])
    return f"{params['prefix']}{written}{params['suffix']}"


def _case(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if params["how"] != "anywhere":
        return CASES[params["how"]](cell.text or "")
    text = cell.text or ""
    letters = [i for i, char in enumerate(text) if char.swapcase() != char]
    if not letters:
        return None
    at = letters[int(u * len(letters))]
    return text[:at] + text[at].swapcase() + text[at + 1 :]


def _whitespace(params: dict[str, Any], cell: Cell, u: float) -> Any:
    text = cell.text or ""
    if params["how"] != "anywhere":
        return SPACES[params["how"]](text)
    at = int(u * (len(text) + 1))
    return text[:at] + " " + text[at:]


def _accent(params: dict[str, Any], cell: Cell, u: float) -> Any:
    text = cell.text or ""
    if params["how"] == "all":
        return without_accents(text)
    return _slipped("accent", text, u)


def _slipped(kind: str, text: str, u: float) -> str | None:
    """The text with one of the slips of a kind, None where it can have none."""
    n = SLIPS[kind].count(text)
    return SLIPS[kind].make(text, int(u * n)) if n else None


def _truncated(params: dict[str, Any], cell: Cell, u: float) -> Any:
    text = cell.text or ""
    if "length" in params:
        return text[: params["length"]]
    shares = params["shares"]
    share = float(np.interp(u * (len(shares) - 1), range(len(shares)), shares))
    length = min(max(1, round(share * len(text))), len(text) - 1)
    return text[:length] if length > 0 else None


def _abbreviated(params: dict[str, Any], cell: Cell, u: float) -> Any:
    text = cell.text or ""
    if params["how"] != "a word":
        return abbreviated(text, params["how"])
    words = list(WORD.finditer(text))
    places = [
        (word.start() + n, word.end())
        for word in words
        for n in range(1, min(4, len(word[0]) - 2) + 1)
    ]
    if not places:
        return None
    at = int(u * (len(places) + (len(words) > 1)))
    if at == len(places):
        return abbreviated(text, "letters with points")
    start, end = places[at]
    return f"{text[:start]}.{text[end:]}"


def _misread(params: dict[str, Any], cell: Cell, u: float) -> Any:
    text = cell.text or ""
    places = [(i, a, b) for a, b in LOOKALIKES for i in range(len(text)) if text.startswith(a, i)]
    if not places:
        return None
    at, old, new = places[int(u * len(places))]
    return text[:at] + new + text[at + len(old) :]


def _typo(params: dict[str, Any], cell: Cell, u: float) -> Any:
    text = cell.text or ""
    n_slips = max(1, int(params["each"] + (u * 7919) % 1))
    for _ in range(n_slips):
        u = (u * 104729) % 1
        text = _slip(params, text, u)
    return text


def _slip(params: dict[str, Any], text: str, u: float) -> str:
    kind = _drawn(list(params["slips"].items()), u)
    letters = list(params["letters"].items())
    letter = _drawn(letters, (u * 65537) % 1) if letters else "x"
    at = min(int(((u * 31337) % 1) * len(text)), max(len(text) - 1, 0))
    if kind == "left out" and len(text) > 1:
        return text[:at] + text[at + 1 :]
    if kind == "exchanged" and len(text) > 1:
        at = min(at, len(text) - 2)
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + letter + text[at + (kind == "put") :]


def _form(params: dict[str, Any], cell: Cell, u: float) -> Any:
    time = read_time(cell.text or "")
    return None if time is None else write_time(params["form"], time.day, time.seconds)


def _date_format(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if isinstance(cell.value, (np.datetime64, pd.Timestamp)):
        time = local_times(np.array([cell.value], dtype="M8[us]"), params.get("zone"))
        return next(iter(write_dates(time, params["date_format"])))
    return rewritten(cell.text or "", params["read_format"], params["date_format"])


def _rewritten(
    params: dict[str, Any],
    time: TimeText,
    day: tuple[int | None, int, int] | None,
    seconds: int | None,
) -> str | None:
    """Another time in the form of a text, with as many digits as others of its column have."""
    return write_time(padded(time.form, params.get("padded", "")), day, seconds)


def _time_unit(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if isinstance(cell.value, (np.datetime64, pd.Timestamp)):
        return cut_time(pd.Timestamp(cell.value), params["step"], params.get("zone"))
    time = read_time(cell.text or "")
    cut = None if time is None else cut_text(time, params["step"], params.get("day_first", False))
    return None if time is None or cut is None else _rewritten(params, time, *cut)


def _day_month(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if isinstance(cell.value, (np.datetime64, pd.Timestamp)):
        stamp = pd.Timestamp(cell.value)
        return stamp.replace(month=stamp.day, day=stamp.month) if stamp.day <= 12 else None
    time = read_time(cell.text or "")
    if time is None or time.day is None or max(time.day[1:]) > 12:
        return None
    return _rewritten(params, time, (time.day[0], time.day[2], time.day[1]), time.seconds)


def _year(params: dict[str, Any], cell: Cell, u: float) -> Any:
    if isinstance(cell.value, (np.datetime64, pd.Timestamp)):
        return pd.Timestamp(cell.value) + pd.DateOffset(years=params["years"])
    time = read_time(cell.text or "")
    if time is None or time.day is None or time.day[0] is None:
        return None
    return _rewritten(params, time, (time.day[0] + params["years"], *time.day[1:]), time.seconds)


def _shift(params: dict[str, Any], cell: Cell, u: float) -> Any:
    return _later(params, cell, params["hours"] * 3600)


def _moved(params: dict[str, Any], cell: Cell, u: float) -> Any:
    return _later(params, cell, _drawn([(s, n) for s, n in params["seen"]], u))


def _moved_form(params: dict[str, Any], cell: Cell, u: float) -> Any:
    moved = _moved(params, cell, u)
    time = read_time(moved) if isinstance(moved, str) else None
    return None if time is None else write_time(params["form"], time.day, time.seconds)


def _later(params: dict[str, Any], cell: Cell, seconds: float) -> Any:
    if isinstance(cell.value, (np.datetime64, pd.Timestamp)):
        return pd.Timestamp(cell.value) + pd.Timedelta(seconds=seconds)
    time = read_time(cell.text or "")
    if time is None:
        return None
    if time.seconds is None:
        day = moved_day(time.day, round(seconds / DAY), params["day_first"])
        return None if day is None else _rewritten(params, time, day, None)
    total = time.seconds + round(seconds)
    day = time.day
    if total // DAY and day is not None:
        day = moved_day(day, total // DAY, params["day_first"]) or day
    return _rewritten(params, time, day, total % DAY)


FORMS: dict[str, Callable[[dict[str, Any], Cell, float], Any]] = {
    "scale": _scale,
    "rounding": _rounding,
    "clip": _clip,
    "outliers": _outliers,
    "noise": _noise,
    "swap": _swap,
    "unit": _unit,
    "added": lambda params, cell, u: f"{params['prefix']}{cell.text}{params['suffix']}",
    "replaced": lambda params, cell, u: (cell.text or "").replace(params["old"], params["new"]),
    "case": _case,
    "whitespace": _whitespace,
    "accent": _accent,
    "order": lambda params, cell, u: _slipped("order", cell.text or "", u),
    "mojibake": lambda params, cell, u: garbled(cell.text or "", params["encoding"]),
    "truncated": _truncated,
    "abbreviated": _abbreviated,
    "misread": _misread,
    "typo": _typo,
    "form": _form,
    "date_format": _date_format,
    "time_unit": _time_unit,
    "day_month": _day_month,
    "year": _year,
    "shift": _shift,
    "moved": _moved,
    "moved_form": _moved_form,
}
# what they put in comes from elsewhere in the table
RELATIONS = ("column", "appended", "stuck", "row")
