"""What follows from an intervention without being part of it."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from skcorrupt.utils import check_choice, shorten

from ..rules._described import Described
from ..rules._numbers import tolerance
from ..rules._people import Columns, Elements, Person
from ._no_points_error import NoPointsError

OUTSIDE = ("clip", "redraw", "refuse")
TRIES = 100


class Effect(Described):
    """A downstream effect r in x' = x + a + r (definition 2 of the paper).

    Attributes
    ----------
    sources : tuple of str
        Columns whose change matters.
    targets : tuple of str
        Columns that it changes.
    outside : {"clip", "redraw", "refuse"}
        What becomes of a value beyond the bounds of its column.
    is_random : bool
        Whether the same intervention can have different effects.
    adds_sources : bool
        Whether changes of the sources are added up, for which they have to be numbers.
    """

    field = "effect"
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    outside: str = "clip"
    is_random: bool = False
    adds_sources: bool = True

    def _check(self, elements: Elements) -> None:
        """Compare the effect with the columns there are.

        Raises
        ------
        ValueError
            If it names one that is not there, or one that holds categories.
        """
        if not isinstance(self.is_random, bool):
            raise ValueError(f"is_random={shorten(self.is_random)} should be True or False.")
        allowed = [how for how in OUTSIDE if how != "redraw" or self.is_random]
        check_choice("outside", self.outside, allowed)
        self._check_columns((*self.sources, *self.targets), elements)
        self._check_numbers(self.targets, elements, "to which nothing is added")
        self._check_numbers(
            self.sources if self.adds_sources else (),
            elements,
            "which have no differences; pass a CallableEffect on the batch",
        )

    @abstractmethod
    def _draw(self, before: Person, after: Columns, n: int, rng: np.random.Generator) -> np.ndarray:
        """What is added to the targets, shape (n, n_targets).

        Parameters
        ----------
        before : mapping of str to float
            The person, all columns.
        after : mapping of str to ndarray of shape (n,) or float
            The same after interventions and earlier effects.
        n : int
            Number of interventions.
        rng : Generator
            Source of draws.
        """

    def _follow(
        self, elements: Elements, before: Person, after: Columns, n: int, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The targets after the effect, within their bounds.

        Parameters
        ----------
        elements : mapping of str to ActionElement
            The columns.
        before, after, n, rng
            As for `_draw`.

        Returns
        -------
        dict of str to ndarray of shape (n,)
            New values of the targets.

        Raises
        ------
        ValueError
            If a value is beyond its bounds and that is to be refused, or drawing again does not
            help.
        """
        start = np.column_stack([np.broadcast_to(after[name], (n,)) for name in self.targets])
        low = np.array([elements[name].lb for name in self.targets], dtype=float)
        high = np.array([elements[name].ub for name in self.targets], dtype=float)
        whole = np.array([elements[name].kind != "real" for name in self.targets])
        rows = np.arange(n)
        out = np.empty_like(start)
        for _ in range(TRIES):
            part = {
                name: values[rows] if np.ndim(values) else values for name, values in after.items()
            }
            added = np.asarray(self._draw(before, part, len(rows), rng), dtype=float)
            if not np.isfinite(added).all():
                raise ValueError(
                    f"{self} gave {int((~np.isfinite(added)).sum())} values for "
                    f"{', '.join(self.targets)} that are missing or infinite; it should give "
                    "numbers."
                )
            new = start[rows] + added.reshape(len(rows), len(self.targets))
            # whole numbers stay whole
            out[rows] = np.where(whole, np.round(new), new)
            slack = tolerance(out[rows])
            beyond = (out[rows] < low - slack) | (out[rows] > high + slack)
            rows = rows[beyond.any(axis=1)]
            if self.outside != "redraw" or not len(rows):
                break
        if self.outside != "clip" and len(rows):
            # what no draw mends is the matter of one person, what is to be refused of all
            error = NoPointsError if self.outside == "redraw" else ValueError
            worst = self.targets[int(np.flatnonzero(beyond.any(axis=0))[0])]
            raise error(
                f"{self} takes {worst!r} beyond its bounds [{elements[worst].lb:g}, "
                f'{elements[worst].ub:g}]; widen them, or pass outside="clip".'
            )
        clipped = np.clip(out, low, high)
        return {name: clipped[:, k] for k, name in enumerate(self.targets)}
