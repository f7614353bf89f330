"""What a person can do to one column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from numbers import Real
from typing import Any, Literal

import numpy as np

from skcorrupt.utils import Reader, checked_numbers, document, is_finite_number, shorten

from ._numbers import HUGE, fits, step_tolerance, tolerance

KINDS = ("bool", "integer", "real", "categorical")
# more cannot be drawn from
MOST_STEPS = 2.0**62
DIRECTIONS = ("increase", "decrease", "both")
OF_BOOL = 'for a column of kind "bool"; use kind "integer" for other numbers'
SETTINGS = ("lb", "ub", "values", "actionable", "direction", "step", "change")


class ActionElement:
    """A column of an action set: who may change it, in which direction and how far.

    Parameters
    ----------
    name : str
        The column.
    kind : {"bool", "integer", "real", "categorical"}
        What it holds.
    lb, ub : float
        Least and largest value after an action, 0 and 1 unless given. Of a category it is the
        position in `values`, unless given the first and the last.
    values : sequence, default=()
        The categories of a categorical column, in the order that `direction` refers to.
    actionable : bool, default=True
        Whether people act on it. Other columns may still move with it.
    direction : {"increase", "decrease", "both"}, default="both"
        Where an action can lead.
    step : float or None, default=None
        Smallest difference between values, counted from the present one; None for real columns
        is no step.
    change : (low, high) or None, default=None
        Limits of the change from the present value, each a number, a text such as "-10%" of the
        present value, or None.

    Examples
    --------
    >>> from skcorrupt.responsiveness import ActionElement
    >>> age = ActionElement("age", "integer", 18, 75, direction="increase", change=(None, 2))
    >>> age.grid(40)
    array([40., 41., 42.])
    """

    name: str
    kind: str
    values: tuple[Any, ...]
    lb: Any
    ub: Any
    actionable: bool
    direction: str
    step: Any
    change: Any

    def __init__(
        self,
        name: str,
        kind: Literal["bool", "integer", "real", "categorical"],
        lb: float = 0,
        ub: float | None = None,
        *,
        values: Sequence[Any] = (),
        actionable: bool = True,
        direction: Literal["increase", "decrease", "both"] = "both",
        step: float | None = None,
        change: tuple[float, float] | None = None,
    ) -> None:
        Reader(kind, f"{name}: kind").one_of(KINDS)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "kind", kind)
        self.values = values  # type: ignore[assignment]
        self.lb = lb
        if ub is not None:
            self.ub = ub
        elif kind != "categorical":
            self.ub = 1
        self.actionable = actionable
        self.direction = direction
        self.step = 1 if step is None and kind != "real" else step
        self.change = change

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in SETTINGS:
            raise AttributeError(
                f"{self.name}: {name} cannot be set; what can is {', '.join(SETTINGS)}."
            )
        checks: dict[str, Callable[[Reader], Any]] = {
            "values": self._checked_values,
            "actionable": Reader.boolean,
            "direction": partial(Reader.one_of, options=DIRECTIONS),
            "step": self._checked_step,
            "change": self._checked_change,
        }
        check = checks[name] if name in checks else partial(self._checked_bound, name)
        object.__setattr__(self, name, check(Reader(value, f"{self.name}: {name}")))

    def _checked_bound(self, name: str, given: Reader) -> Any:
        value = int(given.value) if isinstance(given.value, (bool, np.bool_)) else given.value
        if not fits(value, smallest=0.0):
            given.refuse(
                f"a finite number, at most {HUGE:g} in size; measure the column in larger units"
            )
        if self.kind == "bool" and value not in (0, 1):
            given.refuse(f"0 or 1 {OF_BOOL}")
        is_lower, opposite = name == "lb", "ub" if name == "lb" else "lb"
        other = getattr(self, opposite, None)
        if other is not None and (value > other if is_lower else value < other):
            raise ValueError(
                f"{self.name}: {name}={value!r} leaves no value between it and "
                f"{opposite}={other!r}; set the other one first."
            )
        return value

    def _checked_step(self, given: Reader) -> Any:
        value, is_real = given.value, self.kind == "real"
        if value is None and is_real:
            return None
        if not fits(value) or not float(value) > 0 or not (is_real or value == int(value)):
            given.refuse("a number above 0 or None" if is_real else "a whole number above 0")
        if self.kind == "bool" and value != 1:
            given.refuse(f"1 {OF_BOOL}")
        return value

    def _checked_change(self, given: Reader) -> tuple[Any, ...] | None:
        if given.value is None:
            return None
        try:
            low, high = given.value
            for limit, sign in ((low, -1), (high, 1)):
                if limit is not None and not sign * _amount(limit, 1.0) >= 0:
                    raise ValueError
        except (OverflowError, TypeError, ValueError):
            given.refuse(
                "(low, high) with low at most and high at least 0, each a number, a share such as "
                '"10%", or None, as in (-5, "10%")'
            )
        if self.kind == "categorical":
            raise ValueError(f"{self.name}: change={given.value!r} has no meaning for categories.")
        return (low, high)

    def _checked_values(self, given: Reader) -> tuple[Any, ...]:
        values = tuple(each.value for each in given.items())
        if self.kind == "categorical":
            try:
                once = len(set(values)) == len(values)
            except TypeError:
                once = False
            if not values or not once:
                given.refuse("the categories, each of them once")
            object.__setattr__(self, "ub", len(values) - 1)
        elif values:
            raise ValueError(f"{self.name}: values are for categorical columns, it is {self.kind}.")
        return values

    @property
    def is_discrete(self) -> bool:
        """Whether its values can be counted."""
        return self.step is not None

    def limits(self, present: float) -> tuple[float, float]:
        """Least and largest value that an action can lead to from a present one.

        Parameters
        ----------
        present : float
            The present value, for a category its position in `values`.

        Returns
        -------
        low, high : float
            The limits.
        """
        if not is_finite_number(present):
            raise ValueError(f"{self.name}: present={shorten(present)} should be a finite number.")
        low, high = float(self.lb), float(self.ub)
        if self.direction == "increase":
            low = present
        elif self.direction == "decrease":
            high = present
        if self.change is not None:
            down, up = self.change
            low = max(low, present + _amount(down, present)) if down is not None else low
            high = min(high, present + _amount(up, present)) if up is not None else high
        return low, high

    def n_values(self, present: float) -> float:
        """Number of values that an action can lead to.

        Parameters
        ----------
        present : float
            The present value.

        Returns
        -------
        float
            The number, infinite for an interval of real numbers.
        """
        low, high = self.limits(present)
        if self.step is None:
            return np.inf if high > low else 1
        down, up = self._steps(present, low, high)
        return up - down + 1

    def grid(self, present: float) -> np.ndarray:
        """All values that an action can lead to from a present one, ascending.

        Parameters
        ----------
        present : float
            The present value.

        Returns
        -------
        ndarray of shape (n_values,)
            The values; the present one is among them.
        """
        down, up = self._steps(present, *self.limits(present))
        return present + np.arange(down, up + 1) * float(self.step)

    def _first(self, present: float) -> float:
        """The least value that an action can lead to from a present one, on its steps."""
        down, _ = self._steps(present, *self.limits(present))
        return present + down * float(self.step)

    def allows(self, present: float, values: np.ndarray) -> np.ndarray:
        """Where values are within the limits of an action, and on its steps.

        Parameters
        ----------
        present : float
            The present value.
        values : ndarray of shape (n_values,)
            Values to be reached.

        Returns
        -------
        ndarray of bool, shape (n_values,)
            Whether they can be.
        """
        low, high = self.limits(present)
        values = checked_numbers("values", values)
        slack = tolerance(max(abs(low), abs(high), abs(present)))
        inside = (values >= low - slack) & (values <= high + slack)
        if self.step is None:
            return inside
        with np.errstate(invalid="ignore"):
            steps = (values - present) / float(self.step)
            off = abs(steps - np.round(steps))
        size = np.maximum(abs(values), abs(present))
        return inside & (off <= step_tolerance(size, float(self.step)))

    def _steps(self, present: float, low: float, high: float) -> tuple[int, int]:
        step = float(self.step)
        slack = float(step_tolerance(max(abs(present), abs(low), abs(high)), step))
        if not max(present - low, high - present) / step < MOST_STEPS:
            raise ValueError(
                f"{self.name}: it is more than {MOST_STEPS:.1g} steps of {step:g} from {low:g} to "
                f"{high:g}; set a larger step, or narrower bounds."
            )
        return (
            int(np.ceil((low - present) / step - slack)),
            int(np.floor((high - present) / step + slack)),
        )

    def _code(self, value: Any) -> float:
        """A value as a number: a category as its position.

        Raises
        ------
        ValueError
            If the column cannot hold it.
        """
        if self.kind == "categorical":
            if value in self.values:
                return float(self.values.index(value))
            known = shorten(self.values)
            raise ValueError(f"{self.name}: {value!r} is none of its categories {known}.")
        if isinstance(value, (Real, np.number, np.bool_)):
            return float(value)
        raise ValueError(f"{self.name} holds numbers, but {value!r} is none.")

    def to_dict(self) -> dict[str, Any]:
        """The element as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `from_dict`.
        """
        out: dict[str, Any] = {"kind": self.kind}
        if self.kind == "categorical":
            out["values"] = [_plain(v) for v in self.values]
            if (self.lb, self.ub) != (0, len(self.values) - 1):
                out |= {"lb": _plain(self.lb), "ub": _plain(self.ub)}
        else:
            out |= {"lb": _plain(self.lb), "ub": _plain(self.ub), "step": _plain(self.step)}
        out |= {"actionable": self.actionable, "direction": self.direction}
        if self.change is not None:
            out["change"] = [_plain(v) for v in self.change]
        return out

    @classmethod
    def from_dict(cls, name: str, data: dict[str, Any]) -> ActionElement:
        """The element that `to_dict` described.

        Parameters
        ----------
        name : str
            The column.
        data : dict
            Its settings.

        Returns
        -------
        ActionElement
            The element.

        Raises
        ------
        ValueError
            If there is no kind, or a setting that there is not, or one is wrong.
        """
        return cls._read(name, document(data))

    @classmethod
    def _read(cls, name: str, reader: Reader) -> ActionElement:
        settings = {
            key: each.value for key, each in reader.fields(["kind"], SETTINGS, "a column").items()
        }
        return reader.made(cls, name, **settings)

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={shorten(value)}" for key, value in self.to_dict().items())
        return f"ActionElement({self.name!r}, {shown})"


def _amount(limit: Any, present: float) -> float:
    if isinstance(limit, str):
        text = limit.strip()
        if not text.endswith("%"):
            raise ValueError(limit)
        return float(text[:-1]) / 100 * abs(present)
    return float(limit)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
