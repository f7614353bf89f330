"""Dates and times that went wrong: day and month, hours, years, the way they are written."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.corruptions._clock import UNITS, floored, local_times
from skcorrupt.corruptions._date_texts import FORMATS, LEAST_SHARE, read_dates, write_dates

from ._time_text import (
    DAY,
    TimeText,
    cut_text,
    ordinal,
    padding,
    read_time,
    without_zeros,
    write_time,
)
from ._wrong_cells import LEAST_CELLS, Candidate, Rule, WrongCells

MOST_SHIFTS = 6
MOST_FORMS = 40
MOST_SEEN = 200
_SHIFT_BITS, _FORM_BITS, _YEAR_BITS = 16.0, 60.0, 14.0
# one of some known formats, one of few units
_FORMAT_BITS, _UNIT_BITS = 24.0, 8.0
_FEW = 200
# numbers without signs between them can be in other orders, too
WRITTEN = (*FORMATS, "%d%m%Y", "%m%d%Y", "%y%m%d")
_SPREAD_BITS = 0.5 * math.log2(2 * math.pi * math.e)
_HOUR = 3600


def time_candidates(wrong: WrongCells) -> list[Candidate]:
    """Rules by which times became other times, or were written otherwise."""
    if wrong.column.kind == "datetime":
        return _of_stamps(wrong)
    if wrong.column.kind != "text":
        return []
    clean, dirty = wrong.texts
    found = _formats(wrong)
    pairs = [
        (None if c is None else read_time(c), None if d is None else read_time(d))
        for c, d in zip(clean, dirty, strict=True)
    ]
    both = np.array([c is not None and d is not None for c, d in pairs], dtype=bool)
    if int(wrong.counts[both].sum()) < LEAST_CELLS:
        return found
    day_first = _day_first([c for c, _ in pairs if c is not None])
    return [
        *found,
        *_written_otherwise(wrong, pairs, dirty),
        *_moved(wrong, pairs, day_first, most=12 if found else 31),
    ]


def _formats(wrong: WrongCells) -> list[Candidate]:
    """Dates in another of the formats that are known, with the numbers in any order.

    How the clean column writes dates is told by all of its cells, as 7 May and 5 July can be
    written alike; where that leaves several formats, by what makes most of the dirty cells.
    """
    column = wrong.column
    held = [
        value
        for value, count in zip(column.values, column.clean_counts.tolist(), strict=True)
        if count and isinstance(value, str)
    ]
    clean, dirty = (np.array(side, dtype=object) for side in wrong.texts)
    there = np.flatnonzero((wrong.pair_clean >= 0) & (wrong.pair_dirty >= 0))
    if not held or not len(there):
        return []
    few = dirty[there[:: max(1, len(there) // _FEW)]]
    writes = [each for each in WRITTEN if not np.isnat(read_dates(few, each)).all()]
    found = []
    for read in _formats_of(np.array(held, dtype=object)) if writes else []:
        times = read_dates(clean[there], read)
        known, times = there[~np.isnat(times)], times[~np.isnat(times)]
        for write in writes:
            covers = np.zeros(len(clean), dtype=bool)
            covers[known] = np.array(write_dates(times, write), dtype=object) == dirty[known]
            if covers.any():
                params = {"kind": "format", "read_format": read, "date_format": write}
                rule = Rule("dates", "date_format", params)
                found.append(Candidate(rule, wrong.expanded(covers), 0.0, _FORMAT_BITS))
    return found


def _formats_of(texts: np.ndarray) -> list[str]:
    """Formats in which nearly all texts are written."""
    few = texts[:: max(1, len(texts) // _FEW)]
    likely = [f for f in FORMATS if np.mean(~np.isnat(read_dates(few, f))) >= LEAST_SHARE]
    return [f for f in likely if np.mean(~np.isnat(read_dates(texts, f))) >= LEAST_SHARE]


def _day_first(times: list[TimeText]) -> bool:
    """Whether the first of two numbers is the day."""
    days = [t.day for t in times if t.day is not None]
    return sum(d[1] > 12 for d in days) > sum(d[2] > 12 for d in days)


def _written_otherwise(
    wrong: WrongCells, pairs: list[tuple[Any, Any]], dirty: list[str | None]
) -> list[Candidate]:
    """The same time in another form."""
    forms: Counter[str] = Counter()
    for (c, d), count in zip(pairs, wrong.counts.tolist(), strict=True):
        if c is None or d is None:
            continue
        # a day may be written without its time
        if c.seconds == d.seconds or (d.seconds is None and d.day is not None):
            forms[_form(c, d)] += count
    found = []
    for form, count in forms.most_common(MOST_FORMS):
        if count < LEAST_CELLS:
            break
        covers = [
            c is not None and d is not None and write_time(form, c.day, c.seconds) == text
            for (c, d), text in zip(pairs, dirty, strict=True)
        ]
        rule = Rule("dates", "form", {"kind": "format", "form": form})
        found.append(Candidate(rule, wrong.expanded(np.array(covers)), 0.0, _FORM_BITS))
    return found


def _form(c: TimeText, d: TimeText) -> str:
    """The form of a dirty text, as far as the clean one says what is in it."""
    return d.form_with_day if c.day is None else d.form


def _moved(
    wrong: WrongCells, pairs: list[tuple[Any, Any]], day_first: bool, most: int
) -> list[Candidate]:
    """Another time or another day, in the form of the clean text or in another.

    Days above `most` are exchanged with months by another format only, not by a mistake.
    """
    n = len(pairs)
    seconds, days, years = np.full(n, np.nan), np.full(n, np.nan), np.full(n, np.nan)
    exchanged, same_form = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    dirty = wrong.texts[1]
    for i, (c, d) in enumerate(pairs):
        if c is None or d is None:
            continue
        written = write_time(c.form, d.day, d.seconds)
        # of 12 it cannot be seen whether 3 would be written 03
        same_form[i] = written is not None and without_zeros(written) == without_zeros(
            dirty[i] or ""
        )
        if c.seconds is not None and d.seconds is not None:
            seconds[i] = (d.seconds - c.seconds + DAY // 2) % DAY - DAY // 2
        if c.day is not None and d.day is not None:
            swapped = (c.day[0], c.day[2], c.day[1])
            exchanged[i] = d.day == swapped and d.seconds == c.seconds
            exchanged[i] &= max(swapped[1:]) <= most
            ordinals = ordinal(c.day, day_first), ordinal(d.day, day_first)
            if ordinals[0] is not None and ordinals[1] is not None:
                days[i] = ordinals[1] - ordinals[0]
            if c.day[0] is not None and d.day[0] is not None and c.day[1:] == d.day[1:]:
                years[i] = d.day[0] - c.day[0]
    offset = np.where(np.isnan(days), 0.0, days * DAY) + np.where(np.isnan(seconds), 0.0, seconds)
    if np.isfinite(days).any() and np.isfinite(seconds).any():
        # over midnight the day changes too, so the difference of the times of day is not wrapped
        raw = np.array([_raw(c, d) for c, d in pairs])
        offset = np.where(np.isnan(days), offset, days * DAY + raw)
    known = np.isfinite(days) | np.isfinite(seconds)
    found = []
    how: dict[str, Any] = {"day_first": day_first, "padded": padding(c for c, _ in pairs)}
    if (exchanged & same_form).any():
        rule = Rule("dates", "day_month", {"kind": "day_month"} | how)
        found.append(Candidate(rule, wrong.expanded(exchanged & same_form), 0.0, _YEAR_BITS))
    found += _other_years(wrong, years, same_form & (np.nan_to_num(seconds) == 0), how)
    found += _cut_texts(wrong, pairs, same_form, how)
    found += _shifts(wrong, offset, known & (offset != 0) & same_form, how)
    return found + _moved_and_written(wrong, pairs, seconds, known & ~same_form)


def _cut_texts(
    wrong: WrongCells,
    pairs: list[tuple[Any, Any]],
    usable: np.ndarray,
    how: dict[str, Any],
) -> list[Candidate]:
    """The beginning of the minute, hour, day, month or year."""
    found = []
    for unit in UNITS:
        covers = np.zeros(len(pairs), dtype=bool)
        for i in np.flatnonzero(usable).tolist():
            c, d = pairs[i]
            covers[i] = cut_text(c, unit, how["day_first"]) == (d.day, d.seconds)
        if covers.any():
            rule = Rule("rounding", "time_unit", {"step": unit} | how)
            found.append(Candidate(rule, wrong.expanded(covers), 0.0, _UNIT_BITS))
    return found


def _moved_and_written(
    wrong: WrongCells, pairs: list[tuple[Any, Any]], seconds: np.ndarray, usable: np.ndarray
) -> list[Candidate]:
    """Another time of day in another form."""
    usable = usable & np.isfinite(seconds) & (np.nan_to_num(seconds) != 0)
    forms: dict[str, list[int]] = {}
    for i in np.flatnonzero(usable).tolist():
        forms.setdefault(_form(*pairs[i]), []).append(i)
    found = []
    for form, rows in forms.items():
        covers = np.zeros(len(pairs), dtype=bool)
        covers[rows] = True
        seen = _seen(_totals(seconds, wrong.counts, covers))
        params = {"kind": "format", "form": form, "seen": seen, "day_first": False}
        candidate = Candidate(
            Rule("dates", "moved_form", params), wrong.expanded(covers), 12.0, _FORM_BITS
        )
        found.append(candidate)
    return found


def _seen(totals: pd.Series) -> list[list[float]]:
    some = totals.iloc[:MOST_SEEN]
    return [[by, n] for by, n in zip(some.index.tolist(), some.tolist(), strict=True)]


def _raw(c: TimeText | None, d: TimeText | None) -> float:
    if c is None or d is None or c.seconds is None or d.seconds is None:
        return 0.0
    return float(d.seconds - c.seconds)


def _other_years(
    wrong: WrongCells, years: np.ndarray, usable: np.ndarray, how: dict[str, Any]
) -> list[Candidate]:
    totals = _totals(years, wrong.counts, usable & np.isfinite(years) & (years != 0))
    return [
        Candidate(
            Rule("dates", "year", {"kind": "year", "years": int(by)} | how),
            wrong.expanded(usable & (years == by)),
            0.0,
            _YEAR_BITS,
        )
        for by in totals.index[:2]
    ]


def _shifts(
    wrong: WrongCells, offset: np.ndarray, usable: np.ndarray, how: dict[str, Any]
) -> list[Candidate]:
    """Shifts by whole hours, each a rule, and shifts of all kinds, which vary."""
    totals = _totals(offset, wrong.counts, usable)
    if not len(totals):
        return []
    found = []
    for by in totals.index[:MOST_SHIFTS]:
        if by % (_HOUR / 4) == 0:
            params = {"kind": "time_zone", "hours": by / _HOUR} | how
            covers = wrong.expanded(usable & (offset == by))
            found.append(Candidate(Rule("dates", "shift", params), covers, 0.0, _SHIFT_BITS))
    spread = math.sqrt(float((totals.index.to_numpy() ** 2 * totals).sum() / totals.sum()))
    unit = next((u for u in (DAY, _HOUR, 60) if np.all(totals.index.to_numpy() % u == 0)), 1)
    bits = max(1.0, _SPREAD_BITS + math.log2(max(spread / unit, 0.1)))
    params = {"spread": spread, "seen": _seen(totals)} | how
    rule = Rule("noise", "moved", params)
    found.append(Candidate(rule, wrong.expanded(usable), bits, _SHIFT_BITS))
    return found


def _totals(values: np.ndarray, counts: np.ndarray, usable: np.ndarray) -> pd.Series:
    if not usable.any():
        return pd.Series(dtype=float)
    totals = pd.Series(counts[usable]).groupby(values[usable]).sum()
    return totals.sort_values(ascending=False, kind="stable")


def _of_stamps(wrong: WrongCells) -> list[Candidate]:
    """The same for columns of times."""
    values = wrong.column.values
    usable = np.array([_is_stamp(values, c) and _is_stamp(values, d) for c, d in _codes(wrong)])
    written = _stamps_written(wrong)
    if int(wrong.counts[usable].sum()) < LEAST_CELLS:
        return written
    nowhere = pd.Timestamp(0)
    clean, dirty = (
        pd.DatetimeIndex(
            [pd.Timestamp(values[k]) if ok else nowhere for k, ok in zip(side, usable, strict=True)]
        )
        for side in (wrong.pair_clean, wrong.pair_dirty)
    )
    exchanged = (clean.day == dirty.month) & (clean.month == dirty.day) & (clean.year == dirty.year)
    exchanged &= np.asarray((clean - clean.normalize()) == (dirty - dirty.normalize()))
    same_day = (clean.month == dirty.month) & (
        (clean.day == dirty.day) | ((clean.day == 29) & (dirty.day == 28))
    )
    same_day &= np.asarray((clean - clean.normalize()) == (dirty - dirty.normalize()))
    years = np.where(same_day, dirty.year - clean.year, np.nan).astype(float)
    offset = np.asarray((dirty - clean) / pd.Timedelta(seconds=1), dtype=float)
    found = written
    if (exchanged & usable).any():
        rule = Rule("dates", "day_month", {"kind": "day_month", "day_first": False})
        found.append(Candidate(rule, wrong.expanded(exchanged & usable), 0.0, _YEAR_BITS))
    found += _other_years(wrong, years, usable, {})
    zone = wrong.column.zone
    local_clean, local_dirty = (
        local_times(np.asarray(each.tz_localize(None)), zone) for each in (clean, dirty)
    )
    for unit in UNITS:
        cut = usable & (floored(local_clean, unit) == local_dirty)
        if cut.any():
            rule = Rule("rounding", "time_unit", {"step": unit} | ({"zone": zone} if zone else {}))
            found.append(Candidate(rule, wrong.expanded(cut), 0.0, _UNIT_BITS))
    return found + _shifts(wrong, offset, usable & (offset != 0), {"day_first": False})


def _stamps_written(wrong: WrongCells) -> list[Candidate]:
    """Times that became texts, in one of the formats that are known."""
    values, zone = wrong.column.values, wrong.column.zone
    at = np.array(
        [
            i
            for i, (c, d) in enumerate(_codes(wrong))
            if _is_stamp(values, c) and d >= 0 and isinstance(values[d], str)
        ],
        dtype=np.intp,
    )
    if not len(at) or int(wrong.counts[at].sum()) < LEAST_CELLS:
        return []
    texts = np.array([values[code] for code in wrong.pair_dirty[at]], dtype=object)
    stamps = [pd.Timestamp(values[code]).to_datetime64() for code in wrong.pair_clean[at]]
    times = local_times(np.array(stamps, dtype="M8[us]"), zone)
    few = texts[:: max(1, len(texts) // _FEW)]
    found = []
    for write in WRITTEN:
        if np.isnat(read_dates(few, write)).all():
            continue
        covers = np.zeros(len(wrong.counts), dtype=bool)
        covers[at] = np.array(write_dates(times, write), dtype=object) == texts
        if covers.any():
            params = {"kind": "format", "date_format": write} | ({"zone": zone} if zone else {})
            rule = Rule("dates", "date_format", params)
            found.append(Candidate(rule, wrong.expanded(covers), 0.0, _FORMAT_BITS))
    return found


def _codes(wrong: WrongCells) -> Any:
    return zip(wrong.pair_clean.tolist(), wrong.pair_dirty.tolist(), strict=True)


def _is_stamp(values: np.ndarray, code: int) -> bool:
    return code >= 0 and isinstance(values[code], (np.datetime64, pd.Timestamp))
