"""Effects by way of a structural model."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

import numpy as np

from skcorrupt.utils import Reader, shorten

from ..rules._condition_text import parse_sum
from ..rules._conditions import VALUE, Linear
from ..rules._numbers import HUGE, TINY, fits
from ..rules._people import Columns, Elements, Person
from ._effect import Effect


class CausalEffect(Effect):
    """Columns follow from others by equations, each person keeping what the equations leave open.

    What a column has beyond its equation is the person's own (abduction); the equations are then
    applied to the changed values, causes first (push).

    Parameters
    ----------
    equations : mapping of str to str
        For each column that follows a sum of its causes, such as "0.5 * age + 2 * works".
    noise : mapping of str to float, default=None
        Standard deviation of what is added anew to some of them.
    outside : {"clip", "redraw", "refuse"}, default="clip"
        What becomes of a value beyond the bounds; "redraw" needs noise.

    Examples
    --------
    >>> from skcorrupt.responsiveness import CausalEffect
    >>> CausalEffect({"distance": "-6000 * remote"})
    CausalEffect(equations={'distance': '-6000 * remote'}, noise={}, outside='clip')
    """

    def __init__(
        self,
        equations: Mapping[str, str],
        *,
        noise: Mapping[str, float] | None = None,
        outside: Literal["clip", "redraw", "refuse"] = "clip",
    ) -> None:
        given = Reader(equations, "equations").entries("a mapping of columns to sums of columns")
        self._sums: dict[str, Linear] = {
            name: sum_of.made(parse_sum, sum_of.text()) for name, sum_of in given.items()
        }
        noises = Reader({} if noise is None else noise, "noise")
        spreads = noises.entries("a mapping of columns to numbers, or None")
        self.noise = {name: spread.number() for name, spread in spreads.items()}
        self.outside = outside
        self.is_random = bool(self.noise)
        causes = {}
        for name, form in self._sums.items():
            if any(term.kind != VALUE for term in form.terms) or not form.terms:
                raise ValueError(
                    f"equations: {name!r} follows {shorten(equations[name])}; it should follow "
                    'columns, as in "0.5 * age + 2 * works".'
                )
            causes[name] = {term.column for term in form.terms}
        strangers = set(self.noise) - set(causes)
        if not causes or strangers or any(not (fits(s) and s > 0) for s in self.noise.values()):
            raise ValueError(
                f"equations={shorten(dict(equations))}, noise={shorten(noise)}: there should be an "
                "equation, and noise above 0 for columns that have one, "
                f"between {TINY:g} and {HUGE:g}."
            )
        try:
            order = list(TopologicalSorter(causes).static_order())
        except CycleError as error:
            raise ValueError(
                f"equations: {' → '.join(error.args[1])} follow from each other in a circle."
            ) from None
        self.targets = tuple(name for name in order if name in causes)
        self.sources = tuple(name for name in order if name not in causes)
        self.equations = {name: str(self._sums[name]) for name in self.targets}

    def _follow(
        self, elements: Elements, before: Person, after: Columns, n: int, rng: np.random.Generator
    ) -> dict[str, Any]:
        pushed = dict(after)
        for name in self.targets:
            # what follows from a column follows from the value that it can have
            equation = _Equation(name, self._sums[name], self.noise.get(name), self.outside)
            pushed |= equation._follow(elements, before, pushed, n, rng)
        return {name: pushed[name] for name in self.targets}

    def _draw(self, before: Person, after: Columns, n: int, rng: np.random.Generator) -> np.ndarray:
        raise NotImplementedError("The equations follow one by one.")


class _Equation(Effect):
    """One equation of a structural model."""

    def __init__(self, target: str, form: Linear, noise: float | None, outside: str):
        self.targets = (target,)
        self.sources = tuple(term.column for term in form.terms)
        self.outside = outside if noise else outside.replace("redraw", "clip")
        self.is_random = noise is not None
        self._form, self._noise = form, noise

    def _draw(self, before: Person, after: Columns, n: int, rng: np.random.Generator) -> np.ndarray:
        # what the person has of their own is the same before and after, and drops out
        change: Any = np.zeros(n)
        for term in self._form.terms:
            change = change + term.factor * (after[term.column] - before[term.column])
        return change if self._noise is None else change + self._noise * rng.standard_normal(n)

    def __repr__(self) -> str:
        return f"CausalEffect {self.targets[0]} = {self._form}"
