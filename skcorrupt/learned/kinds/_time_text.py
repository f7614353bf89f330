"""Dates and times of day in texts: what they say, and the form in which they say it."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.corruptions._clock import UNITS
from skcorrupt.corruptions._date_texts import read_dates, write_dates

DAY = 86400
_SECONDS = {"minute": 60, "hour": 3600, "day": DAY}
_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TIME = re.compile(
    r"(?<!\d)(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2}))?"
    r"(?:(?P<gap>\s*)(?P<half>[AaPp](?:\.?\s?[Mm])?\.?)(?![a-z])|(?![a-z\d]))"
)
# a part of a second, and how far clocks are ahead of UTC, which belong to the time before them
_BEHIND = re.compile(r"(?:\.\d{1,9})?(?:Z|[+-]\d{2}(?::?\d{2})?)?$")
_ZERO = re.compile(r"(?<!\d)0(?=\d)")
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})(?P<sep>[-/.])(?P<a>\d{1,2})(?P=sep)(?P<b>\d{1,2})(?!\d)"),
    re.compile(
        r"(?<!\d)(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?!\d)"
    ),
    re.compile(
        rf"(?<![A-Za-z])(?P<name>{_NAME})(?P<g1>\.?\s+)(?P<b>\d{{1,2}})(?:(?P<g2>,?\s+)(?P<y>\d{{4}}))?(?!\d)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\d)(?P<b>\d{{1,2}})(?P<g1>[-\s]+)(?P<name>{_NAME})(?:(?P<g2>[-,\s]+)(?P<y>\d{{4}}|\d{{2}}))?(?![\dA-Za-z])",
        re.IGNORECASE,
    ),
    re.compile(r"(?<!\d)(?P<a>\d{1,2})(?P<sep>/)(?P<b>\d{1,2})(?!\d)"),
)


@dataclass(frozen=True)
class TimeText:
    """What a text says of a day and of a time of day.

    Attributes
    ----------
    day : tuple of (int or None, int, int) or None
        Year, where there is one, and the two numbers of month and day as they are written.
    seconds : int or None
        Seconds since midnight.
    form : str
        The text with fields in braces for its numbers.
    form_with_day : str
        The same with the day written out, for texts that say a time of day alone.
    """

    day: tuple[int | None, int, int] | None
    seconds: int | None
    form: str
    form_with_day: str


@lru_cache(maxsize=65536)
def read_time(text: str) -> TimeText | None:
    """Read a date, a time of day or both; None where a text holds neither, or something besides."""
    if not any(char.isdigit() for char in text) or len(text) > 60:
        return None
    found = _TIME.search(text)
    seconds, clock = (None, "") if found is None else _clock(found)
    if found is not None and seconds is None:
        return None
    for pattern in _DATES:
        day = pattern.search(text) if found is None else _beside(pattern, text, found)
        if day is not None:
            break
    else:
        day = None
    if day is None and found is None:
        return None
    written = _written(day) if day is not None else None
    if day is not None and written is None:
        return None
    spans = []
    if found is not None:
        spans.append((found.start(), found.end(), clock, clock))
    if day is not None and written is not None:
        spans.append((day.start(), day.end(), written[1], text[day.start() : day.end()]))
    spans.sort()
    form = with_day = ""
    at = 0
    for start, end, field, literal in spans:
        between = text[at:start].replace("{", "").replace("}", "")
        form, with_day, at = form + between + field, with_day + between + literal, end
    rest = text[at:].replace("{", "").replace("}", "")
    # what else it says may be words, but no other numbers
    others = text[: spans[0][0]] + ("" if found is not None and _BEHIND.match(rest) else rest)
    if any(char.isdigit() for char in others):
        return None
    numbers = written[0] if written is not None else None
    return TimeText(numbers, seconds, form + rest, with_day + rest)


def write_time(
    form: str, day: tuple[int | None, int, int] | None, seconds: int | None
) -> str | None:
    """The text of a form; None where the form needs what is not known."""
    out = ""
    for i, part in enumerate(re.split(r"\{([^}]*)\}", form)):
        if i % 2 == 0:
            out += part
            continue
        text = _field(part, day, seconds)
        if text is None:
            return None
        out += text
    return out


def padding(times: Iterable[TimeText | None]) -> str:
    """What is written in two digits where one would do: "d" for days and months, "h" for hours."""
    votes = {"d": 0, "h": 0}
    for time in times:
        if time is None:
            continue
        for field in re.findall(r"\{([^}]*)\}", time.form):
            if field[0] in "IH":
                hour = (time.seconds or 0) // 3600
                hour = hour % 12 or 12 if field[0] == "I" else hour
                votes["h"] += (field[1] == "2") - (field[1] == "1") if hour < 10 else 0
            elif time.day is not None:
                widths = field[2:4] if field[0] == "D" else field[2]
                numbers = time.day[1:] if field[0] == "D" else time.day[2:]
                for width, number in zip(widths, numbers, strict=True):
                    votes["d"] += (width == "2") - (width == "1") if number < 10 else 0
    return "".join(what for what, count in votes.items() if count > 0)


def padded(form: str, what: str) -> str:
    """A form with two digits for days and months, for hours, or for both."""
    if "d" in what:
        form = re.sub(r"\{(D[ya])\d\d", r"{\g<1>22", re.sub(r"\{(N[nd])\d", r"{\g<1>2", form))
    return re.sub(r"\{([HI])\d", r"{\g<1>2", form) if "h" in what else form


def moved_day(
    day: tuple[int | None, int, int] | None, by: int, day_first: bool
) -> tuple[int | None, int, int] | None:
    """A day some days later or earlier; None where it has no year or does not exist."""
    if day is None or day[0] is None:
        return None
    month, number = (day[2], day[1]) if day_first else (day[1], day[2])
    try:
        moved = dt.date(day[0], month, number) + dt.timedelta(days=by)
    except (ValueError, OverflowError):
        return None
    pair = (moved.day, moved.month) if day_first else (moved.month, moved.day)
    return (moved.year, *pair)


def ordinal(day: tuple[int | None, int, int], day_first: bool) -> int | None:
    """Days since the year 1; None for a day that does not exist or has no year."""
    month, number = (day[2], day[1]) if day_first else (day[1], day[2])
    try:
        return dt.date(day[0] or 0, month, number).toordinal()
    except ValueError:
        return None


@lru_cache(maxsize=65536)
def rewritten(text: str, read: str, write: str) -> str | None:
    """A date in another format of `strftime`; None where it is not written in the first."""
    times = read_dates(np.array([text], dtype=object), read)
    return None if np.isnat(times[0]) else str(next(iter(write_dates(times, write))))


def cut_time(stamp: pd.Timestamp, unit: str, zone: str | None) -> pd.Timestamp:
    """The beginning of the second, minute, hour, day, month or year, by the clocks of a zone."""
    if zone is not None and stamp.tz is None:
        local = stamp.tz_localize("UTC").tz_convert(zone)
        return cut_time(local, unit, None).tz_convert("UTC").tz_localize(None)
    below = UNITS[: UNITS.index(unit)]
    fields: dict[str, Any] = dict.fromkeys((*below, "microsecond", "nanosecond"), 0)
    fields |= {each: 1 for each in ("month", "day") if each in below}
    first: pd.Timestamp = stamp.replace(**fields)
    return first


def cut_text(
    time: TimeText, unit: str, day_first: bool
) -> tuple[tuple[int | None, int, int] | None, int | None] | None:
    """Day and seconds of the beginning of a unit; None where the text does not go below it."""
    day, seconds = time.day, time.seconds
    if unit in _SECONDS:
        return None if seconds is None else (day, seconds // _SECONDS[unit] * _SECONDS[unit])
    if day is None or unit not in ("month", "year"):
        return None
    month = 1 if unit == "year" else day[2] if day_first else day[1]
    first = (day[0], 1, month) if day_first else (day[0], month, 1)
    return first, None if seconds is None else 0


def _beside(pattern: re.Pattern[str], text: str, clock: re.Match[str]) -> re.Match[str] | None:
    # letters of "a.m." would hide the start of the name of a month
    blank = " " * (clock.end() - clock.start())
    return pattern.search(text[: clock.start()] + blank + text[clock.end() :])


def _clock(found: re.Match[str]) -> tuple[int | None, str]:
    hour, minute, second = int(found["h"]), int(found["m"]), int(found["s"] or 0)
    half = found["half"]
    if minute > 59 or second > 59 or hour > (12 if half else 24) or (half and hour == 0):
        return None, ""
    padded = "2" if len(found["h"]) == 2 and found["h"][0] == "0" else "1"
    if half:
        later = half[0].lower() == "p"
        hour = hour % 12 + 12 * later
        style = half[0].replace("p", "a").replace("P", "A") + half[1:]
        field = f"I{padded}{'s' if found['s'] else ''}|{found['gap']}|{style}"
        return hour * 3600 + minute * 60 + second, "{" + field + "}"
    field = f"H{padded}{'s' if found['s'] else ''}"
    return (hour * 3600 + minute * 60 + second) % DAY, "{" + field + "}"


def _written(day: re.Match[str]) -> tuple[tuple[int | None, int, int], str] | None:
    groups = day.groupdict()
    year = int(groups["y"]) if groups.get("y") else None
    short_year = groups.get("y") is not None and len(groups["y"]) == 2
    if year is not None and short_year:
        year += 2000 if year < 69 else 1900
    suffix = "" if year is None else ("y" if short_year else "Y")
    if groups.get("name"):
        name = groups["name"]
        month = _MONTHS[name.lower()]
        style = "B" if name.lower() == calendar.month_name[month].lower() else "b"
        if name.isupper():
            style += "u"
        gaps = f"|{groups['g1']}|{groups.get('g2') or ''}"
        order = "n" if day.start("name") < day.start("b") else "d"
        pad = "2" if groups["b"][0] == "0" else "1"
        field = f"N{order}{pad}{suffix}|{style}{gaps}"
        numbers = (year, month, int(groups["b"]))
        valid = 1 <= numbers[2] <= 31
    else:
        pads = _widths(groups["a"], groups["b"], groups["sep"])
        first = day.start("y") < day.start("a") if groups.get("y") else False
        field = f"D{'y' if first else 'a'}{pads}{suffix}|{groups['sep']}"
        numbers = (year, int(groups["a"]), int(groups["b"]))
        valid = all(1 <= n <= 31 for n in numbers[1:]) and min(numbers[1:]) <= 12
    return (numbers, "{" + field + "}") if valid else None


def _widths(a: str, b: str, separator: str) -> str:
    """Digits that each of two numbers is written in at least, "1" or "2"."""
    sure = [None if len(x) == 2 and x[0] != "0" else str(len(x)) for x in (a, b)]
    usual = "1" if separator == "/" else "2"
    return "".join(own or other or usual for own, other in (sure, sure[::-1]))


def without_zeros(text: str) -> str:
    """A text without zeros that numbers start with."""
    return _ZERO.sub("", text)


def _field(field: str, day: tuple[int | None, int, int] | None, seconds: int | None) -> str | None:
    code = field[0]
    if code in "IH":
        return None if seconds is None else _clock_text(field, seconds)
    if day is None:
        return None
    parts = field.split("|")
    head = parts[0]
    year = ""
    if head[-1] in "Yy":
        if day[0] is None:
            return None
        year = f"{day[0]:04d}" if head[-1] == "Y" else f"{day[0] % 100:02d}"
    if code == "D":
        a, b = (f"{n:0{w}d}" for n, w in zip(day[1:], (int(head[2]), int(head[3])), strict=True))
        cells = [year, a, b] if head[1] == "y" else [a, b, year]
        return parts[1].join(cell for cell in cells if cell)
    if not 1 <= day[1] <= 12:
        return None
    style, first, second = parts[1:4]
    name = (calendar.month_name if style[0] == "B" else calendar.month_abbr)[day[1]]
    name = name.upper() if style.endswith("u") else name
    number = f"{day[2]:0{int(head[2])}d}"
    start = [name, first, number] if head[1] == "n" else [number, first, name]
    return "".join(start) + (second + year if year else "")


def _clock_text(field: str, seconds: int) -> str:
    hour, minute, second = seconds // 3600, seconds // 60 % 60, seconds % 60
    parts = field.split("|")
    tail = f":{second:02d}" if parts[0].endswith("s") else ""
    if field[0] == "H":
        return f"{hour:0{int(field[1])}d}:{minute:02d}{tail}"
    gap, style = parts[1], parts[2]
    letter = style[0] if hour < 12 else {"a": "p", "A": "P"}[style[0]]
    return f"{hour % 12 or 12:0{int(field[1])}d}:{minute:02d}{tail}{gap}{letter}{style[1:]}"
