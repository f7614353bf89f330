"""Errors in dates and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from sklearn.utils import Tags

from skcorrupt.base import Mechanism, Reference, Struck
from skcorrupt.base._struck import are_strange_times, strange_times, unhashable
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.patterns._times import has_written_year
from skcorrupt.utils import Coded, Table, Target, resolve_columns
from skcorrupt.utils._compat import Interval, StrOptions
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._by_column import ByColumn
from ._clock import (
    as_counts,
    as_times,
    by_clock,
    exchanged,
    hours_later,
    local_times,
    offsets_in_words,
    on_other_days,
    years_later,
)
from ._date_texts import check_format, found_format, read_dates, read_offsets, write_dates

DateKind = Literal["day_month", "time_zone", "year", "format"]
_DAY, _OTHER_DAY, _TIME = "%d/%m/%Y", "%Y-%m-%d", " %H:%M:%S"
_MOST_HOURS, _MOST_YEARS = 10_000, 9_998


class CorruptDates(ByColumn):
    """Exchange day and month, mistake the time zone or the year, or write dates in another format.

    Columns of times are struck, and columns of texts of which nine tenths are dates of one format;
    `fit` finds the format by reading all values in those that are common, and takes the one that
    reads most, of several that do the first: year first, then day first, then month first, with
    leading zeros, then without, with the year in four digits, then in two, then months by name.
    Offsets from UTC at the end of texts stay as they are written.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all that hold times or texts that are dates.
    kind : {"day_month", "time_zone", "year", "format"}, default="day_month"
        "day_month": 3 April becomes 4 March, where the day is at most 12 and not the month's
        number. "time_zone": `hours` are added to the moment, also where clocks change in between.
        "year": `years` are added; 29 February becomes the 28th where the other year has none.
        "format": dates become texts of `date_format`.
    hours : float, default=-5.0
        Not 0; −5 is New York's offset in winter, by which midnight becomes the day before.
    years : int, default=-1
        Not 0; −1 is the year before, as it is written in January.
    date_format : str or None, default=None
        How struck dates are written with `kind="format"`, in the codes of `strftime` for numbers
        and English months (%-d and %-m have no leading zeros, %z is how far clocks are ahead of
        UTC). None is day/month/year, or
        year-month-day where that is how they are written, with the time where the column has one.
    read_format : str, dict or None, default=None
        How texts write dates. A dict has formats by column; None, and a column that a dict has
        none for, is found in `fit`.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows.
    when : {"fit", "always"}, default="fit"
        Corrupt in `fit_transform` only, or in every `transform`.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed.

    Notes
    -----
    Texts stay texts of their format, times stay times: days, months and years of times with a time
    zone are those of its clocks, and those that a change would move beyond the range of their dtype
    stay, as do texts that are no dates of the format. With `kind="format"` a struck column of times
    becomes one of objects, in a pandas frame or an array of objects; other tables, whose columns
    are of one type, are struck in texts only.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptDates
    >>> X = pd.DataFrame({"since": pd.to_datetime(["2024-04-03", "2024-04-30"])})
    >>> CorruptDates(rate=1.0).fit_transform(X)["since"].astype(str).tolist()
    ['2024-03-04', '2024-04-30']
    >>> texts = X.assign(since=["03.04.2024", "30.04.2024"])
    >>> CorruptDates(kind="year", rate=1.0).fit_transform(texts)["since"].tolist()
    ['03.04.2023', '30.04.2023']
    """

    short_name = "dates"
    title = "wrong dates"
    _reckons = True
    _draws_values = False
    _kinds = ("datetime", "text")
    _by_column = ("read_format",)

    _parameter_constraints: dict[str, Any] = {
        **ByColumn._parameter_constraints,
        "kind": [StrOptions({"day_month", "time_zone", "year", "format"})],
        "hours": [NumberInterval(Real, -_MOST_HOURS, _MOST_HOURS, closed="both")],
        "years": [Interval(Integral, -_MOST_YEARS, _MOST_YEARS, closed="both")],
        "date_format": [str, None],
        "read_format": [str, dict, None],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        kind: DateKind = "day_month",
        hours: float = -5.0,
        years: int = -1,
        date_format: str | None = None,
        read_format: str | Mapping[Any, str] | None = None,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            columns,
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )
        self.kind = kind
        self.hours = hours
        self.years = years
        self.date_format = date_format
        self.read_format = read_format

    def _check_params(self) -> None:
        super()._check_params()
        if self.kind == "time_zone" and round(self.hours * 3600) == 0:
            raise ValueError(
                f"hours={self.hours!r} moves no time by a second; pass hours such as -5 or 5.5."
            )
        if self.kind == "year" and self.years == 0:
            raise ValueError("years=0 changes no year; pass years such as -1 or 100.")
        if self.date_format is not None:
            check_format(self.date_format, "date_format")
        given = self.read_format
        formats = [*given.values()] if isinstance(given, Mapping) else [given]
        for each in formats:
            if each is not None:
                check_format(str(each), "read_format", read=True)

    def _is_given(self) -> bool:
        return isinstance(self.read_format, str)

    def _applies_to(self, table: Table, j: int) -> bool:
        if not super()._applies_to(table, j):
            return False
        if table.kind(j) == "datetime":
            return self.kind != "format" or table.takes_texts(j)
        return self._format_of(table, j) is not None

    def _format_of(self, table: Table, j: int) -> str | None:
        """How a column of texts writes dates, None where it holds something else."""
        own = self._own(table, j, "read_format")
        if own is not None and self.columns is not None:
            return str(own)
        try:
            distinct = table.distinct(j)
        except TypeError:
            if self.columns is None:
                return None
            raise ValueError(unhashable(table.labels[j])) from None
        if own is None:
            return found_format(distinct)
        return str(own) if not np.isnat(read_dates(distinct, str(own))).all() else None

    def _applicable_columns(self, table: Table) -> list[int]:
        for j in [] if self.columns is None else resolve_columns(table, self.columns):
            label = table.labels[j]
            if table.kind(j) == "text" and self._format_of(table, j) is None:
                raise ValueError(
                    f"columns: {label!r} holds texts that are not dates of one format, such as "
                    "'2024-04-03' or '03.04.2024', in nine of ten values; pass how they are "
                    "written as read_format, such as '%d %m %Y', or leave the column out."
                )
            if table.kind(j) == "datetime" and not self._applies_to(table, j):
                raise ValueError(
                    f"columns: {label!r} is of times, and a {table.container} table cannot hold "
                    "texts among them, which kind='format' makes; pass a pandas DataFrame, or "
                    "dates as texts."
                )
        return super()._applicable_columns(table)

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if isinstance(self.read_format, Mapping) and self.read_format:
            resolve_columns(table, list(self.read_format), parameter="read_format")
        return super()._learn(table, target)

    def _learn_column(self, table: Table, j: int) -> tuple[str | None, str]:
        """How texts are read, None for times, and how dates are written in another format."""
        if table.kind(j) != "datetime":
            read = self._format_of(table, j)
            return read, self.date_format or _other_format(str(read))
        if are_strange_times(table, j):
            raise ValueError(strange_times(table.labels[j]))
        if self.date_format or self.kind != "format":
            return None, self.date_format or _DAY
        values = table.values(j)
        known = local_times(values[~np.isnat(values)], table.time_zone(j))
        timed = bool((known != known.astype("M8[D]")).any())
        return None, _DAY + _TIME if timed else _DAY

    def _learned_params(self, facts: Any) -> dict[str, Any]:
        return {"read_format": facts[0]}

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns(_PHRASES[self.kind], columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        return self._can_change_by(table, column, self._learn_column(table, column))

    def _can_change_by(self, table: Table, column: int, facts: Any) -> np.ndarray:
        if table.kind(column) == "datetime":
            able = has_written_year(table.values(column))
            if self.kind != "format":
                values = table.values(column)[able]
                only_days = table.only_days(column)
                able[able] = self._moved(values, table.time_zone(column), only_days) != values
            return able
        codes, distinct = table.coded(column, np.arange(table.n_rows))
        return np.append(self._rewritten(distinct, facts)[0], False)[codes]

    def _new_values(self, struck: Struck) -> Any:
        if struck.kind != "datetime":
            codes, distinct = struck.coded
            able, new = self._rewritten(distinct, struck.facts)
            return Coded(np.where(np.append(able, False)[codes], codes, -1), new)
        values = struck.values
        known = has_written_year(values)
        if self.kind != "format":
            values[known] = self._moved(values[known], struck.time_zone, struck.only_days)
            return values
        local = local_times(values[known], struck.time_zone)
        ahead = None if struck.time_zone is None else offsets_in_words(local - values[known])
        texts = np.array([*write_dates(local, struck.facts[1], ahead), None], dtype=object)[:-1]
        return Coded(np.where(known, np.cumsum(known) - 1, -1), texts)

    def _moved(self, values: np.ndarray, zone: Any, only_days: bool) -> np.ndarray:
        """Times, none of them missing, as other times; those that cannot change as they are."""
        if self.kind == "time_zone":
            moved = hours_later(values, self.hours)
        else:
            moved = by_clock(values, zone, self._on_other_days)
        moved = moved.astype(values.dtype)
        return moved.astype("M8[D]").astype(values.dtype) if only_days else moved

    def _on_other_days(self, local: np.ndarray) -> np.ndarray:
        days = local.astype("M8[D]")
        new = exchanged(days) if self.kind == "day_month" else years_later(days, self.years)
        return on_other_days(local, new)

    def _rewritten(self, distinct: np.ndarray, facts: Any) -> tuple[np.ndarray, np.ndarray]:
        """Which values of a column of texts change, and to what."""
        read, written = facts
        times = read_dates(distinct, read)
        able, new = ~np.isnat(times), np.array([*distinct, None], dtype=object)[:-1]
        if self.kind != "format":
            written = read
            times[able] = self._moved(times[able], None, only_days=False)
        new[able] = write_dates(times[able], written, read_offsets(distinct[able], read))
        for i in np.flatnonzero(able).tolist():
            if not isinstance(distinct[i], str) and self.kind != "format":
                # a date of Python's stays one
                new[i] = times[i].item().date()
            able[i] = new[i] != distinct[i]
        return able, new

    def _simulated_as(self, *, classifier: bool) -> str | None:
        # stand-ins have no text among numbers
        return None if self.kind == "format" else super()._simulated_as(classifier=classifier)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]] | Literal["unseen"]:
        if kind == "text":
            return "unseen"
        times = as_times(numbers)
        known = has_written_year(times)
        times[known] = self._moved(times[known], None, only_days=False)
        return [(1.0, as_counts(times))]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def _other_format(read: str) -> str:
    """Another format than that of a column, with the time of day as it has it."""
    start = min((read.find(sign) for sign in ("T%", " %-H", " %H") if sign in read), default=-1)
    time = "" if start < 0 else read[start:]
    day = read if start < 0 else read[:start]
    return (_OTHER_DAY if day == _DAY else _DAY) + time


_PHRASES = {
    "day_month": "Exchanging day and month",
    "time_zone": "Times of another time zone",
    "year": "Wrong years",
    "format": "Dates in another format",
}
