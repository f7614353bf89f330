"""What all rules on actions have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from skcorrupt.utils import cut, document, shorten

from ._action_element import ActionElement
from ._as_call import as_call, made_from
from ._expression import Comparison
from ._people import People

Limits = Mapping[str, tuple[float, float]]


class Constraint(ABC):
    """A rule on several columns, checked on x + a.

    Attributes
    ----------
    columns : tuple of str
        The columns that the rule ties together.
    moved : tuple of str
        Those of them that the rule lets move although nobody acts on them.
    """

    columns: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    kinds: ClassVar[dict[str, type[Constraint]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.__name__.startswith("_"):
            Constraint.kinds[cls.__name__] = cls

    def _check(self, elements: Mapping[str, ActionElement]) -> None:
        """Compare the rule with the columns there are.

        Raises
        ------
        ValueError
            If it names a column that is not there, or one that it cannot apply to.
        """
        for name in self.columns:
            if name not in elements:
                raise ValueError(
                    f"{cut(str(self))}: there is no column {shorten(name)}; the columns are "
                    f"{', '.join(elements)}."
                )

    def _check_binary(self, elements: Mapping[str, ActionElement]) -> None:
        """Refuse columns that hold other values than 0 and 1."""
        for name in self.columns:
            if elements[name].kind != "bool":
                raise ValueError(
                    f"{self}: {name!r} holds {elements[name].kind} values; it should hold 0 and 1."
                )

    @abstractmethod
    def _holds(self, before: People, after: People) -> Any:
        """Where the rule is kept, a boolean array of shape (n_rows,)."""

    def _table(
        self, present: Mapping[str, float], elements: Mapping[str, ActionElement]
    ) -> np.ndarray | None:
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

    def _branches(
        self, real: set[str], present: Mapping[str, float], limits: Limits
    ) -> list[tuple[list[Constraint], dict[str, float]]] | None:
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
        return []

    @abstractmethod
    def _params(self) -> dict[str, Any]:
        """The arguments that make the rule again, JSON-serialisable."""

    def to_dict(self) -> dict[str, Any]:
        """The rule as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `from_dict`.
        """
        return {"rule": type(self).__name__, **self._params()}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Constraint:
        """The rule that `to_dict` described.

        Parameters
        ----------
        data : mapping
            With "rule", the name of a kind of rule, and its arguments.

        Returns
        -------
        Constraint
            The rule.

        Raises
        ------
        ValueError
            If there is no such rule, or it does not take these arguments.
        """
        return made_from(document(data), "rule", Constraint.kinds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constraint) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return as_call(self)

    def __str__(self) -> str:
        return repr(self)


def movable_of(
    elements: Mapping[str, ActionElement], constraints: Sequence[Constraint]
) -> tuple[str, ...]:
    """Columns that people act on, and those that a rule lets move with them."""
    moved = {name for constraint in constraints for name in constraint.moved}
    return tuple(name for name, element in elements.items() if element.actionable or name in moved)
