"""Texts that are dates: in which format a column has them, reading them and writing them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_TOKEN = re.compile(r"%(-?[A-Za-z]|%)")
_SHORT_NUMBER = {"m": r"1[0-2]|[1-9]", "d": r"3[01]|[12]\d|[1-9]", "H": r"2[0-3]|1\d|\d"}
_PARTS = {
    "Y": r"\d{4}",
    "y": r"\d{2}",
    "m": r"0[1-9]|1[0-2]",
    "d": r"0[1-9]|[12]\d|3[01]",
    "H": r"[01]\d|2[0-3]",
    "M": r"[0-5]\d",
    "S": r"[0-5]\d",
    "f": r"\d{6}",
    "z": r"Z|[+-]\d{2}(?::?[0-5]\d)?",
    "B": "|".join(MONTHS),
    "b": "|".join(name[:3] for name in MONTHS),
    **{f"-{key}": pattern for key, pattern in _SHORT_NUMBER.items()},
}
_DAYS = (
    "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d",
    "%Y.%m.%d", "%Y%m%d", "%-d.%-m.%Y", "%-d/%-m/%Y", "%-m/%-d/%Y", "%d.%m.%y", "%d/%m/%y",
    "%m/%d/%y", "%-d.%-m.%y", "%-d/%-m/%y", "%-m/%-d/%y", "%d %b %Y", "%-d %b %Y", "%d-%b-%Y",
    "%d %B %Y", "%-d %B %Y", "%b %d, %Y", "%b %-d, %Y", "%B %d, %Y", "%B %-d, %Y",
)  # fmt: skip
_TIMES = (
    "", " %H:%M", " %H:%M:%S", " %-H:%M", "T%H:%M", "T%H:%M:%S", "T%H:%M:%SZ", " %H:%M:%S.%f",
    "T%H:%M:%S.%f", "T%H:%M:%S.%fZ", " %H:%M:%S+00:00", "T%H:%M:%S+00:00", " %H:%M:%S.%f+00:00",
    "T%H:%M:%S.%f+00:00",
)  # fmt: skip
FORMATS = tuple(day + time for time in _TIMES for day in _DAYS)
# texts that are an hour further ahead of UTC in summer, say
_OF_CHANGING_OFFSETS = tuple(
    f"%Y-%m-%d{time}%z"
    for time in (" %H:%M:%S", "T%H:%M:%S", " %H:%M", "T%H:%M", " %H:%M:%S.%f", "T%H:%M:%S.%f")
)
# of the values that are there, so many have to be dates
LEAST_SHARE = 0.9
_FEW = 50
# two digits stand for 1969 to 2068, as POSIX has it
_PIVOT = 69


def check_format(given: str, parameter: str, *, read: bool = False) -> None:
    """Refuse a format with unknown parts, or of what is no date.

    Raises
    ------
    ValueError
        With what there is.
    """
    parts = [part for part in _TOKEN.findall(given) if part != "%"]
    unknown = [f"%{part}" for part in parts if part not in _PARTS]
    known = ", ".join(f"%{part}" for part in _PARTS)
    if unknown or not parts or len(parts) < given.replace("%%", "").count("%"):
        raise ValueError(
            f"{parameter}={given!r} has {', '.join(unknown) or 'no part of a date'}; pass a format "
            f"of {known}, such as '%d.%m.%Y'."
        )
    kinds = [part.lstrip("-") for part in parts]
    complete = all(sum(map(kinds.count, each)) == 1 for each in ("Yy", "mbB", "d"))
    if read and (not complete or len(set(kinds)) < len(kinds)):
        raise ValueError(
            f"{parameter}={given!r} should have a year (%Y or %y), a month (%m, %b or %B) and a "
            "day (%d), each part once, such as '%d.%m.%Y'."
        )


def found_format(texts: np.ndarray) -> str | None:
    """The format that most of some texts have, if nearly all have it; of several the first.

    Parameters
    ----------
    texts : ndarray of object
        Distinct values of a column, missing ones aside.

    Returns
    -------
    str or None
        None where no format reads nine tenths of them.
    """
    few = texts[:: max(1, len(texts) // _FEW)]
    if not len(few):
        return None
    counts = {each: _n_read(few, each) for each in (*FORMATS, *_OF_CHANGING_OFFSETS)}
    most = max(counts.values())
    likely = [each for each, n in counts.items() if n and 2 * n >= most]
    exact = {each: _n_read(texts, each) for each in likely}
    best = max(exact, key=lambda each: exact[each], default=None)
    return best if best is not None and exact[best] >= LEAST_SHARE * len(texts) else None


def _n_read(texts: np.ndarray, given: str) -> int:
    pattern, _ = _compiled(given)
    return sum(
        type(t) is dt.date or (isinstance(t, str) and pattern.fullmatch(t) is not None)
        for t in texts
    )


def read_dates(values: np.ndarray, given: str) -> np.ndarray:
    """Texts as times of their own clocks, NaT where they are not written in a format.

    Parameters
    ----------
    values : ndarray of object, shape (n,)
        Texts; Python's dates are read too.
    given : str
        The format.

    Returns
    -------
    ndarray of datetime64[us], shape (n,)
        The times.
    """
    pattern, names = _compiled(given)
    return np.array([_read(value, pattern, names) for value in values], dtype="M8[us]")


def _read(value: Any, pattern: re.Pattern[str], names: tuple[str, ...]) -> dt.datetime | None:
    if type(value) is dt.date:
        return dt.datetime(value.year, value.month, value.day)
    found = pattern.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    parts = dict(zip(names, found.groups(), strict=True))
    if "Y" in parts:
        year = int(parts["Y"])
    else:
        year = int(parts["y"]) + (1900 if int(parts["y"]) >= _PIVOT else 2000)
    name = parts.get("b", parts.get("B", ""))[:3]
    month = [each[:3] for each in MONTHS].index(name) + 1 if name else int(parts["m"])
    hour, minute, second, fine = (int(parts.get(each, 0)) for each in "HMSf")
    try:
        return dt.datetime(year, month, int(parts["d"]), hour, minute, second, fine)
    except ValueError:
        # 31 February
        return None


def read_offsets(values: np.ndarray, given: str) -> list[str]:
    """How far the clocks of texts are ahead of UTC, as they write it; "" where they do not."""
    pattern, names = _compiled(given)
    if "z" not in names:
        return [""] * len(values)
    at = names.index("z") + 1
    found = [pattern.fullmatch(each) if isinstance(each, str) else None for each in values]
    return ["" if each is None else each[at] for each in found]


def write_dates(times: np.ndarray, given: str, offsets: Sequence[str] | None = None) -> list[str]:
    """Times as texts of a format; what is finer than a microsecond is left out.

    Parameters
    ----------
    times : ndarray of datetime64, shape (n,)
        None of them missing, all of years from 1 to 9999.
    given : str
        The format.
    offsets : sequence of str, shape (n,), or None, default=None
        What %z stands for; None is nothing, as of times without a time zone.

    Returns
    -------
    list of str
        The same on all systems, with English names of months.
    """
    ahead = [""] * len(times) if offsets is None else offsets
    moments = times.astype("M8[us]").tolist()
    return [_written(time, given, z) for time, z in zip(moments, ahead, strict=True)]


def _written(time: dt.datetime, given: str, offset: str) -> str:
    parts = {
        "Y": f"{time.year:04d}",
        "y": f"{time.year % 100:02d}",
        "m": f"{time.month:02d}",
        "-m": str(time.month),
        "d": f"{time.day:02d}",
        "-d": str(time.day),
        "b": MONTHS[time.month - 1][:3],
        "B": MONTHS[time.month - 1],
        "H": f"{time.hour:02d}",
        "-H": str(time.hour),
        "M": f"{time.minute:02d}",
        "S": f"{time.second:02d}",
        "f": f"{time.microsecond:06d}",
        "z": offset,
        "%": "%",
    }
    return _TOKEN.sub(lambda token: parts[token[1]], given)


@lru_cache(maxsize=512)
def _compiled(given: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """A format as a pattern with a group a part, and the names of the parts."""
    pattern, names, at = "", [], 0
    for token in _TOKEN.finditer(given):
        pattern += re.escape(given[at : token.start()])
        at = token.end()
        if token[1] == "%":
            pattern += "%"
            continue
        pattern += f"({_PARTS[token[1]]})"
        names.append(token[1].lstrip("-"))
    return re.compile(pattern + re.escape(given[at:]), re.ASCII), tuple(names)
