"""Values that one or a few columns can take independently of all others."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ..rules._action_element import ActionElement


class Factor(ABC):
    """Joint values of `columns`, drawn uniformly.

    Attributes
    ----------
    columns : tuple of str
        The columns.
    size : float
        Number of joint values, infinite for an interval.
    how : str
        What they are, for people.
    rows : int
        How many rows of numbers it keeps in memory.
    within_bounds : bool
        Whether every draw is within the limits of its column.
    """

    columns: tuple[str, ...]
    size: float
    how: str
    rows: int = 1
    within_bounds: bool = True

    @abstractmethod
    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Independent uniform draws, shape (n, n_columns)."""

    def table(self) -> np.ndarray:
        """All joint values, shape (size, n_columns)."""
        raise NotImplementedError(f"{self.how} cannot be listed.")


class Listed(Factor):
    """Values that are listed one by one."""

    how = "table"

    def __init__(self, columns: tuple[str, ...], values: np.ndarray) -> None:
        self.columns, self._values = columns, values
        self.size = self.rows = len(values)

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return self._values[rng.integers(len(self._values), size=n)]

    def table(self) -> np.ndarray:
        return self._values


# beyond, floats do not hold every whole number
MOST_STEPS = 2**53


class Stepped(Factor):
    """Equally spaced values of one column."""

    how = "range"

    def __init__(self, element: ActionElement, present: float) -> None:
        self.columns = (element.name,)
        self.size = element.n_values(present)
        self._element, self._present = element, present

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        grid_start = self._element._first(self._present)
        if self.size > MOST_STEPS:
            raise ValueError(
                f"{self._element.name} has too many values from lb={self._element.lb!r} to "
                f"ub={self._element.ub!r}; narrow them, or use a larger step."
            )
        steps = rng.integers(int(self.size), size=n)
        return (grid_start + steps * float(self._element.step))[:, np.newaxis]

    def table(self) -> np.ndarray:
        return self._element.grid(self._present)[:, np.newaxis]


class Interval(Factor):
    """Real numbers between two limits."""

    how = "interval"

    def __init__(self, name: str, low: float, high: float) -> None:
        self.columns = (name,)
        self.size = np.inf
        self._low, self._high = low, high

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.uniform(self._low, self._high, size=(n, 1))


def factor_of(element: ActionElement, present: float) -> Factor:
    """What an action on one column alone can lead to."""
    low, high = element.limits(present)
    if element.step is None and high > low:
        return Interval(element.name, low, high)
    if element.step is None:
        return Listed((element.name,), np.array([[present]]))
    return Stepped(element, present)


# factors, and the positions of rules that they keep by themselves
Way = tuple[list[Factor], set[int]]
