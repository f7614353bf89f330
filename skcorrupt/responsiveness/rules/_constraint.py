"""What all rules on actions have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ._conditions import Comparison
from ._described import Described
from ._people import Elements, Limits, People, Person

# rules that hold in a case, and the columns that it fixes
Case: TypeAlias = "tuple[list[Constraint], dict[str, float]]"


class Constraint(Described):
    """A rule on several columns, checked on x + a.

    Attributes
    ----------
    columns : tuple of str
        The columns that the rule ties together.
    moved : tuple of str
        Those of them that the rule lets move although nobody acts on them.
    comparisons : tuple of Comparison
        Comparisons of sums that say all of the rule, if there are such.
    """

    field = "rule"
    columns: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    def _check(self, elements: Elements) -> None:
        """Compare the rule with the columns there are.

        Raises
        ------
        ValueError
            If it names a column that is not there, or one that it cannot apply to.
        """
        self._check_columns(self.columns, elements)

    @abstractmethod
    def _holds(self, before: People, after: People) -> Any:
        """Where the rule is kept, a boolean array of shape (n_rows,)."""

    def _table(self, present: Person, elements: Elements) -> np.ndarray | None:
        """All joint values of `columns` that the rule allows one person, if it can list them.

        Parameters
        ----------
        present : mapping of str to float
            The person's values.
        elements : mapping of str to ActionElement
            The columns.

        Returns
        -------
        ndarray of shape (n_values, n_columns), or None
            The values.
        """
        return None

    def _links(self, target: str) -> list[tuple[str, float]]:
        """Sources whose changes are added to a column, with their scales."""
        return []

    def _branches(self, real: set[str], present: Person, limits: Limits) -> list[Case] | None:
        """The cases that the rule makes where it fixes real columns in one of them.

        A case that fixes a real number has no share of the volume, so that no draw would come
        upon it.

        Parameters
        ----------
        real : set of str
            Real columns that can move.
        present : mapping of str to float
            The person's values.
        limits : mapping of str to (low, high)
            What every column of the rule can be.

        Returns
        -------
        list of (constraints, values), or None
            For each case the rules that hold in it and the columns that it fixes; None where
            there is nothing to tell apart.
        """
        return None

    def _comparisons(
        self, before: People, after: People, known: set[str]
    ) -> list[tuple[Comparison, Any]]:
        """Comparisons of sums that follow from the rule once some columns are known.

        Parameters
        ----------
        before : People
            The person.
        after : People
            The known columns after the action.
        known : set of str
            Their names.

        Returns
        -------
        list of (Comparison, where)
            The comparisons, and in which rows each has to hold.
        """
        return [(part, True) for part in self.comparisons]

    def __str__(self) -> str:
        return repr(self)


def movable_of(elements: Elements, constraints: Sequence[Constraint]) -> tuple[str, ...]:
    """Columns that people act on, and those that a rule lets move with them."""
    moved = {name for constraint in constraints for name in constraint.moved}
    return tuple(name for name, element in elements.items() if element.actionable or name in moved)
