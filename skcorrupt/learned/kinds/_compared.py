"""One column of a dirty and of a clean table, in codes that are equal where cells are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table
from skcorrupt.utils._columns import as_floats, hashable

_NUMERIC = ("bool", "integer", "real")
_TIMES = ("datetime", "timedelta")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_FORM = re.compile(
    r"\d{4}-\d\d-\d\d(?:(?P<between>[ T])(?P<clock>\d\d:\d\d)(?P<seconds>:\d\d)?"
    r"(?:\.(?P<fraction>\d+))?(?P<ahead>Z|[+-]\d\d(?::?\d\d)?)?)?"
)
_AHEAD = re.compile(r":\d\d(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)$")


@dataclass(eq=False)
class Compared:
    """A column that both tables have.

    Numbers are equal by value, whatever their type; two texts are equal as they are written, so
    that "1" and "1.0" differ; a text is equal to a number or a time that it is the text of, unless
    it stands among others that are none: then its type is the error. What is missing
    is equal to what is missing, and so is a text without a character other than white space.

    Attributes
    ----------
    label : object
        Its label.
    column : int
        Its position in the clean table.
    values : ndarray of object, shape (n_values,)
        The distinct values of both tables.
    dirty, clean : ndarray of int
        What every row of the two tables has, by position in `values`, -1 where it is missing.
    kind : str
        What the clean column holds: bool, integer, real, datetime, timedelta or text.
    typed : bool
        Whether the dirty column holds the same kind of values, so that none is a text by accident.
    lost : object
        What stands in the dirty table where a value is missing: None, or a text such as "".
    zone : str or None
        Time zone of the clean column, of which `values` are the times of UTC.
    mixed : bool
        Whether the dirty column has texts among numbers or times.
    single : bool
        Whether numbers of either column have single precision, or less.
    """

    label: Any
    column: int
    values: np.ndarray
    dirty: np.ndarray
    clean: np.ndarray
    kind: str
    typed: bool
    lost: str | None
    zone: str | None = None
    mixed: bool = False
    single: bool = False

    @cached_property
    def numbers(self) -> np.ndarray:
        """The distinct values as numbers, times in nanoseconds; NaN where they are none."""
        if self.kind in _TIMES:
            return _time_numbers(self.values)
        numbers = _numbers(self.values)
        if self.mixed:
            numbers = np.where(_are_texts(self.values), np.nan, numbers)
        return numbers

    @cached_property
    def values_or_none(self) -> np.ndarray:
        """The distinct values as objects, and None behind them, which is at -1."""
        values = np.empty(len(self.values) + 1, dtype=object)
        # numpy makes whole numbers of nanoseconds
        is_time = self.values.dtype.kind in "mM"
        values[:-1] = pd.Series(self.values).astype(object) if is_time else self.values
        if self.kind == "bool":
            # truth values are compared as numbers; another number among them stays one
            known = {0: False, 1: True}
            values[:-1] = [known.get(v, v) if not isinstance(v, str) else v for v in values[:-1]]
        return values

    @property
    def is_text(self) -> bool:
        """Whether the clean column holds texts that are not all numbers."""
        if self.kind != "text":
            return False
        held = np.unique(self.clean[self.clean >= 0])
        return bool(np.isnan(self.numbers[held]).any())

    @property
    def is_number(self) -> bool:
        """Whether the clean column holds numbers or times."""
        return self.kind in ("integer", "real", "datetime", "timedelta")

    @cached_property
    def clean_counts(self) -> np.ndarray:
        """How often the clean table has each of the values."""
        return np.bincount(self.clean[self.clean >= 0], minlength=len(self.values))


def compare(dirty: Table, clean: Table) -> list[Compared]:
    """Both tables column by column, in the order of the clean one.

    Parameters
    ----------
    dirty, clean : Table
        The tables; labels are unique.

    Returns
    -------
    list of Compared
        The columns that both have.
    """
    places = {_name(label): j for j, label in enumerate(dirty.labels)}
    return [
        _compared(dirty, places[_name(label)], clean, j)
        for j, label in enumerate(clean.labels)
        if _name(label) in places
    ]


def _name(label: Any) -> tuple[type, Any]:
    return type(label), label


def _compared(dirty: Table, i: int, clean: Table, j: int) -> Compared:
    kinds = dirty.kind(i), clean.kind(j)
    cells = [dirty.values(i), clean.values(j)]
    single = any(each.dtype.kind == "f" and each.dtype.itemsize < 8 for each in cells)
    missing = [dirty.missing(i), clean.missing(j)]
    lost = None
    mixed = kinds[0] == "text" and kinds[1] != "text" and _is_mixed(cells[0], missing[0])
    zone = clean.time_zone(j)
    if kinds == ("datetime", "text"):
        written = times_written(cells[0], missing[0], cells[1][~missing[1]], dirty.time_zone(i))
        if written is not None:
            cells[0], kinds = written, ("text", "text")
    if "text" in kinds:
        number_like = kinds[0] in _NUMERIC or kinds[1] in _NUMERIC
        if kinds == ("text", "datetime"):
            cells = [as_stamps(values, read=not mixed) for values in cells]
        stay = mixed or not number_like
        cells = [_plain(cells[0], not stay), _plain(cells[1], number_like)]
        blank = [_blank(values) & ~gone for values, gone in zip(cells, missing, strict=True)]
        if blank[0].any():
            lost = str(cells[0][np.argmax(blank[0])])
        elif blank[1].any() and not missing[0].any():
            lost = str(cells[1][np.argmax(blank[1])])
        missing = [gone | empty for gone, empty in zip(missing, blank, strict=True)]
    elif all(values.dtype.kind == "i" for values in cells):
        # numbers of more digits than floats hold, such as keys, stay what they are
        pass
    elif kinds[0] in _NUMERIC and kinds[1] in _NUMERIC:
        cells = [_floats(*each) for each in zip(cells, missing, strict=True)]
    elif kinds[0] != kinds[1]:
        cells = [values.astype(object) for values in cells]
    codes, values = pd.factorize(np.concatenate(cells))
    codes = np.where(np.concatenate(missing), -1, codes)
    n = dirty.n_rows
    typed = kinds[0] == kinds[1] or (kinds[0] in _NUMERIC and kinds[1] in _NUMERIC)
    return Compared(
        clean.labels[j],
        j,
        np.asarray(values),
        codes[:n],
        codes[n:],
        kinds[1],
        typed,
        lost,
        None if zone is None else str(zone),
        mixed,
        single,
    )


def _floats(values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Numbers and truth values as floats, NaN where they are missing."""
    if values.dtype.kind == "f":
        return values
    if values.dtype.kind == "O":
        # such as pandas.NA, which is no number
        values = np.where(missing, np.nan, values)
    return values.astype(float)


def _plain(values: np.ndarray, number_like: bool) -> np.ndarray:
    """Cells as objects that are equal where they should be."""
    try:
        codes, distinct = pd.factorize(values.astype(object))
    except TypeError:
        codes, distinct = pd.factorize(np.fromiter(map(hashable, values), object, len(values)))
    plain = np.empty(len(distinct) + 1, dtype=object)
    plain[:-1], plain[-1] = distinct, None
    if number_like:
        numbers = _numbers(plain[:-1])
        for at in np.flatnonzero(~np.isnan(numbers)):
            plain[at] = float(numbers[at])
    return plain[codes]


def _are_texts(values: np.ndarray) -> np.ndarray:
    return np.array([isinstance(value, str) for value in values], dtype=bool)


def _is_mixed(values: np.ndarray, missing: np.ndarray) -> bool:
    """Whether some of the values that are there are texts and others are not."""
    try:
        distinct = pd.unique(values[~missing])
    except TypeError:
        return False
    # a number is one of them whether or not its text is there, too
    texts = [isinstance(value, str) and bool(value.strip()) for value in distinct]
    others = [not isinstance(value, str) for value in distinct]
    return any(texts) and any(others)


def as_stamps(values: np.ndarray, *, read: bool) -> np.ndarray:
    """Times as time stamps of UTC, and texts that are times, too, if they are to be read."""
    codes, distinct = pd.factorize(values.astype(object) if values.dtype.kind != "M" else values)
    held = np.empty(len(distinct) + 1, dtype=object)
    for i, value in enumerate(distinct):
        held[i] = as_stamp(value) if read or not isinstance(value, str) else value
    return held[codes]


def as_stamp(value: Any) -> Any:
    if isinstance(value, str) and not _ISO.match(value):
        return value
    try:
        stamp = pd.Timestamp(value)
    except (TypeError, ValueError):
        return value
    return stamp if stamp.tz is None else stamp.tz_convert("UTC").tz_localize(None)


def times_written(
    times: np.ndarray, missing: np.ndarray, texts: np.ndarray, zone: Any
) -> np.ndarray | None:
    """Times as texts, those that some given texts say as these say it, others in their form.

    Parameters
    ----------
    times : ndarray of datetime64
        Times, of UTC where there is a zone.
    missing : ndarray of bool
        Which of them are missing.
    texts : ndarray of object
        Texts of another column.
    zone : tzinfo or None
        Time zone of the times.

    Returns
    -------
    ndarray of object or None
        None where the texts are no times in ISO 8601, or days alone where others have hours.
    """
    if not len(texts) or not all(isinstance(text, str) for text in texts):
        return None
    said = {text: as_stamp(text) for text in pd.unique(texts)}
    if any(isinstance(stamp, str) for stamp in said.values()):
        return None
    sample = next(iter(said))
    ahead = {found[1] for text in said if (found := _AHEAD.search(text))}
    if zone is None or len(ahead) == 1:
        zone = pd.Timestamp(sample).tz or zone
    known = {stamp: text for text, stamp in reversed(said.items())}
    codes, distinct = pd.factorize(pd.Series(times).where(~missing))
    held = np.empty(len(distinct) + 1, dtype=object)
    for k, time in enumerate(distinct):
        stamp = pd.Timestamp(time)
        # texts without an offset say what clocks show
        local = stamp if zone is None else stamp.tz_localize("UTC").tz_convert(zone)
        if not ahead:
            stamp = local = local.tz_localize(None)
        held[k] = known[stamp] if stamp in known else _like(local, sample)
        if held[k] is None:
            return None
    return held[codes]


def _like(time: pd.Timestamp, sample: str) -> str | None:
    """A time in the form of a text in ISO 8601, with seconds where it has some; None where not."""
    found = _FORM.fullmatch(sample)
    if found is None:
        return None
    if found["clock"] is None:
        midnight = time.hour == time.minute == time.second == time.microsecond == 0
        return time.strftime("%Y-%m-%d") if midnight else None
    below = f"{time.microsecond:06d}{time.nanosecond:03d}"
    n_digits = max(len(found["fraction"] or ""), len(below.rstrip("0")))
    seconds = "%S" if found["seconds"] or n_digits or time.second else ""
    text = time.strftime(f"%Y-%m-%d{found['between']}%H:%M{seconds and ':' + seconds}")
    text += f".{below[:n_digits]}" if n_digits else ""
    ahead = found["ahead"] or ""
    if ahead in ("", "Z"):
        return text + ahead
    offset = time.strftime("%z")[:5]
    return text + (f"{offset[:3]}:{offset[3:]}" if ":" in ahead else offset[: len(ahead)])


def _time_numbers(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind != "O":
        return as_floats(values)
    numbers = np.full(len(values), np.nan)
    for by, dtype in ((pd.Timestamp, "M8[ns]"), (pd.Timedelta, "m8[ns]")):
        mine = [isinstance(value, by) for value in values]
        held = np.array([value.to_numpy() for value in values[mine]], dtype=dtype)
        numbers[mine] = held.astype(np.int64)
    return numbers


def _blank(values: np.ndarray) -> np.ndarray:
    codes, distinct = pd.factorize(values)
    blank = [isinstance(value, str) and not value.strip() for value in distinct]
    return np.array([*blank, False], dtype=bool)[codes]


def _numbers(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind in "biuf":
        return values.astype(float)
    numbers = pd.to_numeric(pd.Series(values, dtype=object), errors="coerce")
    # a missing-value word such as "nan" or "inf" is a text here
    return numbers.where(np.isfinite(numbers.astype(float))).to_numpy(dtype=float)
