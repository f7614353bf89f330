"""Values beyond a limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from skcorrupt.base import Mechanism, Reference, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import LARGEST, Table, Target, is_finite_number, resolve_columns
from skcorrupt.utils._columns import fits_integer
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._by_column import ByColumn

_QUANTILES = (0.05, 0.95)


class CorruptClip(ByColumn):
    """Cut values off at a limit, as sensors do that saturate, and forms with a highest answer.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Numeric columns to strike; None is all of them.
    lower, upper : float, dict or None, default=None
        What lower and higher values become; None is no limit on that side. A dict has limits by
        column. Where a column has neither, both are learned in `fit`: the values of its data at
        the quantiles 0.05 and 0.95, or, where none is beyond them, its second largest value as
        the upper limit.
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
    What is missing or within the limits stays and does not count among the rows that match: at a
    rate of 0.5 half of the values beyond the limits are cut. Integer columns stay integer where
    the limits are whole, else become float64.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptClip
    >>> X = pd.DataFrame({"speed": [12.5, 63.0, 48.0]})
    >>> CorruptClip("speed", upper=50, rate=1.0).fit_transform(X)["speed"].tolist()
    [12.5, 50.0, 48.0]
    """

    short_name = "clip"
    title = "values cut off at a limit"
    _draws_values = False
    _kinds = ("integer", "real")
    _by_column = ("lower", "upper")

    _parameter_constraints: dict[str, Any] = {
        **ByColumn._parameter_constraints,
        "lower": [NumberInterval(Real, -LARGEST, LARGEST, closed="both"), dict, None],
        "upper": [NumberInterval(Real, -LARGEST, LARGEST, closed="both"), dict, None],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        lower: float | Mapping[Any, float] | None = None,
        upper: float | Mapping[Any, float] | None = None,
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
        self.lower = lower
        self.upper = upper

    def _check_params(self) -> None:
        super()._check_params()
        for name in self._by_column:
            given = getattr(self, name)
            for label, limit in given.items() if isinstance(given, Mapping) else ():
                if not is_finite_number(limit):
                    raise ValueError(f"{name}={{{label!r}: {limit!r}}} should hold a number.")

    def _learn(self, table: Table, target: Target | None) -> Reference:
        for name in self._by_column:
            given = getattr(self, name)
            if isinstance(given, Mapping) and given:
                resolve_columns(table, list(given), parameter=name)
        return super()._learn(table, target)

    def _learn_column(self, table: Table, j: int) -> Any:
        limits = Limits(self._own(table, j, "lower"), self._own(table, j, "upper"))
        if limits == Limits(None, None):
            return _learned(table.values(j))
        if limits.lower is not None and limits.upper is not None and limits.lower > limits.upper:
            raise ValueError(
                f"lower={limits.lower!r} is above upper={limits.upper!r} for {table.labels[j]!r}; "
                "pass a lower limit that is at most the upper one, or one of them only."
            )
        return limits

    def _learned_params(self, facts: Any) -> dict[str, Any]:
        return {"lower": facts.lower, "upper": facts.upper}

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Values cut off at a limit", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        return self._can_change_by(table, column, self._learn_column(table, column))

    def _can_change_by(self, table: Table, column: int, facts: Any) -> np.ndarray:
        values = table.values(column)
        changes = np.asarray(facts.within(values) != values, dtype=bool)
        return changes & ~table.missing(column)

    def _from_own_row(self, kind: str) -> bool:
        return False

    def _new_values(self, struck: Struck) -> Any:
        return struck.facts.within(struck.values)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]]:
        limits = Limits(self._alone("lower"), self._alone("upper"))
        return [
            (1.0, (limits if limits != Limits(None, None) else _learned(numbers)).within(numbers))
        ]


@dataclass(frozen=True)
class Limits:
    """The lowest and the highest value, None where there is none."""

    lower: float | None
    upper: float | None

    def within(self, values: np.ndarray) -> np.ndarray:
        """Values cut off at the limits; missing ones stay."""
        for limit, beyond in ((self.lower, np.less), (self.upper, np.greater)):
            if limit is None:
                continue
            # a limit beyond the range of the dtype is infinite in it
            with np.errstate(over="ignore", invalid="ignore"):
                own = values.dtype.type(limit) if values.dtype.kind == "f" else limit
                hit = np.asarray(beyond(values, own), dtype=bool)
            if hit.any():
                values = np.where(hit, _stored(limit, values.dtype), values)
        return values


def _learned(values: np.ndarray) -> Limits:
    """Values of the data at the quantiles that are learned."""
    # floats do not tell all whole numbers beyond 2 ** 53 apart
    numbers = values if values.dtype.kind in "iu" else values.astype(float)
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return Limits(None, None)
    lower, upper = np.quantile(known, _QUANTILES, method="inverted_cdf").tolist()
    if lower > known.min() or upper < known.max():
        return Limits(_whole(lower), _whole(upper))
    below = known[known < upper]
    return Limits(None, _whole(below.max().item() if len(below) else upper))


def _stored(limit: float, dtype: np.dtype) -> np.ndarray:
    """A limit in a dtype, or in the one of its own that is nearest."""
    if dtype.kind in "iu" and float(limit).is_integer():
        held = fits_integer(np.array(float(limit)), dtype)
        return np.array(int(limit), dtype=dtype if held else None)
    with np.errstate(over="ignore"):
        return np.array(limit, dtype=dtype if dtype.kind == "f" else None)


def _whole(limit: float) -> float:
    """A whole number as an integer, so that integers stay integers."""
    return int(limit) if float(limit).is_integer() else float(limit)
