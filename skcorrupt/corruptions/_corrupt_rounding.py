"""Rounded values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from skcorrupt.base import Mechanism, Struck
from skcorrupt.base._struck import strange_times
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import LARGEST, Table, is_finite_number, resolve_columns
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._by_column import ByColumn
from ._clock import UNITS, as_counts, as_times, by_clock, floored
from ._facts import learn_scale
from ._rounded import Direction, learned_step, rounded

StepLike: TypeAlias = float | str
_NUMERIC = ("integer", "real")


class CorruptRounding(ByColumn):
    """Round values, as people do who are asked, and devices that show few digits.

    Ages gather at 40, 45 and 50 by a step of 5, which is called heaping; times are cut to the day
    or the month in which they are.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all that hold values of the kind of `step`.
    step : float, str, dict or None, default=None
        For numbers the step whose multiples are left. For times the unit at
        whose beginning they are left: "second", "minute", "hour", "day", "month" or "year". A
        dict has them by column. None, and a column that a dict has none for, is learned in `fit`:
        of 1, 2 and 5 times powers of ten the largest up to half a standard deviation, of the units
        from a day on the shortest, each time the first that changes a value.
    direction : {"nearest", "down", "up"}, default="nearest"
        Which multiple numbers get: the nearest, halves rounded up, the next lower or the next
        higher one. Ages in full years are rounded down. Times are cut to the beginning always.
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
    What is missing, infinite or round already stays and does not count among the rows that match.
    Integer columns stay integer where the step is whole, else become float64. Times with a time
    zone are cut by its clocks.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptRounding
    >>> X = pd.DataFrame({"age": [23, 38, 45, 52]})
    >>> CorruptRounding("age", step=5, rate=1.0).fit_transform(X)["age"].tolist()
    [25, 40, 45, 50]
    """

    short_name = "rounding"
    title = "rounded values"
    _reckons = True
    _draws_values = False
    _by_column = ("step",)

    _parameter_constraints: dict[str, Any] = {
        **ByColumn._parameter_constraints,
        "step": [
            NumberInterval(Real, 0, LARGEST, closed="right"),
            StrOptions({*UNITS}),
            dict,
            None,
        ],
        "direction": [StrOptions({"nearest", "down", "up"})],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        step: StepLike | Mapping[Any, StepLike] | None = None,
        direction: Direction = "nearest",
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
        self.step = step
        self.direction = direction

    @property
    def _kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.step is None or isinstance(self.step, Mapping):
            return (*_NUMERIC, "datetime")
        return ("datetime",) if isinstance(self.step, str) else _NUMERIC

    def _check_params(self) -> None:
        super()._check_params()
        for label, step in self.step.items() if isinstance(self.step, Mapping) else ():
            known = step in UNITS if isinstance(step, str) else is_finite_number(step) and step > 0
            if not known:
                raise ValueError(
                    f"step={{{label!r}: {step!r}}} should hold a number above 0, or for times one "
                    f"of {', '.join(UNITS)}."
                )

    def _applicable_columns(self, table: Table) -> list[int]:
        if isinstance(self.step, Mapping):
            resolve_columns(table, list(self.step), parameter="step")
        return super()._applicable_columns(table)

    def _learn_column(self, table: Table, j: int) -> Any:
        step, timed = self._own(table, j, "step"), table.kind(j) == "datetime"
        if timed and table.values(j).dtype.kind != "M":
            raise ValueError(strange_times(table.labels[j]))
        if step is None:
            return self._learned_unit(table, j) if timed else self._learned_step(table, j)
        if timed != isinstance(step, str):
            allowed = f"one of {', '.join(UNITS)}" if timed else "a number"
            raise ValueError(
                f"step={step!r} is no step of {table.labels[j]!r}, which holds {table.kind(j)} "
                f"values; pass {allowed}, or None to learn one."
            )
        return step

    def _learned_step(self, table: Table, j: int) -> float:
        return learned_step(table.values(j), learn_scale(table, j).std)

    def _learned_unit(self, table: Table, j: int) -> str:
        units = UNITS[UNITS.index("day") :]
        able = (unit for unit in units if self._can_change_by(table, j, unit).any())
        return next(able, units[-1])

    def _learned_params(self, facts: Any) -> dict[str, Any]:
        return {"step": facts}

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Rounding", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        return self._can_change_by(table, column, self._learn_column(table, column))

    def _can_change_by(self, table: Table, column: int, facts: Any) -> np.ndarray:
        able = ~table.missing(column)
        values = table.values(column)[able]
        zone = table.time_zone(column)
        able[able] = np.asarray(_at(values, facts, zone, self.direction) != values, dtype=bool)
        return able

    def _new_values(self, struck: Struck) -> Any:
        return _at(struck.values, struck.facts, struck.time_zone, self.direction)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]]:
        step = self._alone("step")
        if kind == "datetime":
            times = as_times(numbers)
            return [(1.0, as_counts(floored(times, step or "day")))]
        step = learned_step(numbers, std) if step is None else step
        return [(1.0, rounded(numbers, step, self.direction))]


def _at(values: np.ndarray, step: Any, zone: Any, direction: Direction) -> np.ndarray:
    """Values at multiples of a step, or at the beginning of a unit of time."""
    if values.dtype.kind != "M":
        return rounded(values, step, direction)
    return by_clock(values, zone, lambda local: floored(local, step))
