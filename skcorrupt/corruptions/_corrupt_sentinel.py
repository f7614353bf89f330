"""Defaults in place of values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from skcorrupt.base import FeatureCorruption, Mechanism, Reference, Struck
from skcorrupt.base._struck import strange_times, unhashable
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.patterns._values import instant
from skcorrupt.utils import LARGEST, Coded, Table, Target, as_floats, resolve_columns
from skcorrupt.utils._columns import fits_integer
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

SentinelLike: TypeAlias = float | str | dt.date | np.datetime64 | None

NUMBER, TEXT, DATE = -999, "N/A", pd.Timestamp("1900-01-01")
_NUMERIC = ("bool", "integer", "real")
# of the years that times are of, and of those that nanoseconds from 1970 reach
_SECONDS, _SECONDS_IN_NANOSECONDS = 1e11, 9.2e9


class CorruptSentinel(FeatureCorruption):
    """Put a default in place of values, as forms and exports do where a value is not known.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all that hold values of the kind of `value`: those of numbers
        and truth values for a number, of text and categories for a text, of times for a date. A
        column of categories that are numbers can be given a number too, if it is named.
    value : number, str, date or None, default=None
        The default; None is −999 in columns of numbers and truth values, "N/A" in columns of text
        and 1900-01-01 in columns of times or dates. True and False are for columns of truth
        values. A date in ISO 8601, such as "1900-01-01", is one in columns of times, too, if they
        are named.
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
    What is missing already stays missing, and so does what holds the default already. A pandas
    categorical gains the default as a category; a polars one becomes a string column. Integer
    columns stay integer where the default is whole and fits, else become float64. Columns of truth
    values become float64, nullable ones and those of polars integers where the default is whole,
    but for defaults of True, False, 1 and 0, which they can hold. In columns with a time zone a
    date without one is read by its clocks, as in patterns; one with a zone is that moment.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptSentinel
    >>> X = pd.DataFrame({"age": [25, 32], "job": ["clerk", None]})
    >>> CorruptSentinel(rate=1.0).fit_transform(X)["age"].tolist()
    [-999, -999]
    >>> CorruptSentinel("job", value="unknown", rate=1.0).fit_transform(X)["job"][0]
    'unknown'
    """

    short_name = "sentinel"
    title = "defaults in place of values"
    _reckons = True
    _draws_values = False

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "value": [
            NumberInterval(Real, -LARGEST, LARGEST, closed="both"),
            "boolean",
            str,
            dt.date,
            np.datetime64,
            None,
        ],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        value: SentinelLike = None,
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
        self.value = value

    @property
    def _kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.value is None:
            return (*_NUMERIC, "datetime", "text")
        if isinstance(self.value, str):
            dated = self.columns is not None and instant(self.value) is not None
            return ("text", "datetime") if dated else ("text",)
        if isinstance(self.value, (dt.date, np.datetime64)):
            return ("datetime",)
        if isinstance(self.value, (bool, np.bool_)):
            return ("bool",)
        # categories may be numbers
        return _NUMERIC if self.columns is None else (*_NUMERIC, "text")

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if isinstance(self.value, (dt.date, np.datetime64)) and pd.isna(self.value):
            raise ValueError(
                f"value={self.value!r} is a missing value, not a default; pass a date, or use "
                "CorruptMissing."
            )
        return super()._learn(table, target)

    def _applicable_columns(self, table: Table) -> list[int]:
        if self.columns is not None and self.value is not None:
            for j in resolve_columns(table, self.columns):
                if not self._fits(table, j):
                    self._refuse(table, j)
        return super()._applicable_columns(table)

    def _fits(self, table: Table, j: int) -> bool:
        if table.kind(j) == "text" and not isinstance(self.value, str):
            return "text" in self._kinds and _of_numbers(table, j)
        return table.kind(j) in self._kinds

    def _refuse(self, table: Table, j: int) -> None:
        given = "a truth value" if isinstance(self.value, (bool, np.bool_)) else "a number"
        if isinstance(self.value, (str, dt.date, np.datetime64)):
            given = "a text" if isinstance(self.value, str) else "a date"
        raise ValueError(
            f"columns: {table.labels[j]!r} holds {table.kind(j)} values, but value={self.value!r} "
            f"is {given}; pass a value of the column's kind, value=None for a default of every "
            "kind, or columns=None for all columns that fit."
        )

    def _learn_column(self, table: Table, j: int) -> Any:
        try:
            return _stored(self._sentinel(table, j), table, j)
        except TypeError as error:
            raise ValueError(unhashable(table.labels[j])) from error

    def _sentinel(self, table: Table, j: int) -> Any:
        """What is put into a column."""
        if self.value is not None:
            return self.value
        if table.kind(j) == "datetime":
            return DATE
        if table.kind(j) in _NUMERIC or _of_numbers(table, j):
            return NUMBER
        return DATE.date() if _of_dates(table, j) else TEXT

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Defaults in place of values", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        sentinel = self._learn_column(table, column)
        able = ~table.missing(column)
        # what is missing need not say whether it is equal to anything
        values = table.values(column)[able]
        # a default beyond the range of the dtype is infinite in it
        with np.errstate(over="ignore"):
            able[able] = ~np.asarray(values == sentinel, dtype=bool)
        return able

    def _from_own_row(self, kind: str) -> bool:
        return False

    def _new_values(self, struck: Struck) -> Any:
        sentinel = struck.facts
        if struck.kind == "text":
            codes, distinct = struck.coded
            stays = np.append(np.asarray(distinct == sentinel, dtype=bool), True)
            return Coded(np.where(stays[codes], -1, 0), np.array([sentinel], dtype=object))
        values = struck.values
        absent = np.asarray(pd.isna(values))
        if values.dtype.kind in "fM":
            # a default beyond the dtype's range is infinite
            with np.errstate(over="ignore"):
                return np.where(absent, values, np.array(sentinel).astype(values.dtype))
        new = np.full(struck.size, sentinel)
        if absent.any():
            new = new.astype(object if new.dtype.kind == "b" else float)
            new[absent] = values[absent] if new.dtype.kind == "O" else np.nan
        return new

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]] | Literal["unseen"]:
        if kind == "text":
            return "unseen"
        given: Any = self.value
        if kind != "datetime":
            return [(1.0, np.full(len(numbers), float(NUMBER if given is None else given)))]
        # times come as counts of their own unit, which is that in which they are in our era
        largest = np.abs(numbers).max(initial=0.0)
        per_second = next((n for n in (1.0, 1e3, 1e6) if largest <= _SECONDS * n), 1e9)
        seconds = as_floats(np.array([_utc(DATE if given is None else given, None)])) / 1e9
        return [(1.0, np.full(len(numbers), float(seconds[0]) * per_second))]


def _of_numbers(table: Table, j: int) -> bool:
    """Whether the categories of a column are numbers."""
    if table.container == "polars":
        return False
    try:
        return table.distinct(j).dtype.kind in "iuf"
    except TypeError:
        raise ValueError(unhashable(table.labels[j])) from None


def _of_dates(table: Table, j: int) -> bool:
    """Whether the values of a column are Python's dates."""
    return pd.api.types.infer_dtype(table.distinct(j), skipna=True) == "date"


def _utc(value: Any, zone: Any) -> np.datetime64:
    """A date as numpy has it, in UTC; one without a zone is of the given one."""
    moment = pd.Timestamp(value)
    if moment.tz is None and zone is not None:
        moment = moment.tz_localize(zone, ambiguous=True, nonexistent="shift_forward")
    moment = moment if moment.tz is None else moment.tz_convert("UTC").tz_localize(None)
    return moment.to_datetime64()


def _stored(sentinel: Any, table: Table, j: int) -> Any:
    """The default as the column holds it."""
    if table.kind(j) == "datetime":
        values = table.values_at(j, np.empty(0, dtype=np.intp))
        if values.dtype.kind != "M":
            raise ValueError(strange_times(table.labels[j]))
        moment = _utc(sentinel, table.time_zone(j))
        seconds = abs(int(moment.astype("M8[s]").astype(np.int64)))
        if values.dtype == "M8[ns]" and seconds > _SECONDS_IN_NANOSECONDS:
            raise ValueError(
                f"columns: {table.labels[j]!r} holds times in nanoseconds, which do not reach "
                f"value={sentinel!r}; pass a date between 1679 and 2261."
            )
        return moment.astype(values.dtype)
    if isinstance(sentinel, str):
        return str(sentinel)
    if isinstance(sentinel, dt.date):
        return sentinel
    if table.kind(j) == "bool" and sentinel in (0, 1):
        return bool(sentinel)
    return _number(sentinel)


def _number(value: Any) -> float:
    """A whole number as an integer, where there is one of its size."""
    value = value.item() if isinstance(value, np.generic) else value
    whole = fits_integer(np.array(float(value)), np.dtype(np.int64))
    return int(value) if whole else float(value)
