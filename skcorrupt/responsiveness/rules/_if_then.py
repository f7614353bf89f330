"""Conditions that follow from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from skcorrupt.utils import Reader, cut

from ._condition_text import parse_conditions
from ._conditions import Comparison, Conjunction, Membership, joined
from ._constraint import Case, Constraint
from ._numbers import tolerance
from ._people import Elements, Limits, People, Person

Parts: TypeAlias = Sequence[Comparison | Membership]


class IfThen(Constraint):
    """Where a condition holds after the action, another one does too.

    Parameters
    ----------
    condition : str
        When the rule applies, such as "none == 1".
    then : str
        What has to hold then, such as "n == 0".
    otherwise : str or None, default=None
        What has to hold else.

    Examples
    --------
    >>> from skcorrupt.responsiveness import IfThen
    >>> print(IfThen("none == 1", "n == 0", "n >= 1"))
    if none == 1 then n == 0 else n >= 1
    """

    def __init__(self, condition: str, then: str, otherwise: str | None = None) -> None:
        self._if = parse_conditions(Reader(condition, "condition").text())
        self._then = parse_conditions(Reader(then, "then").text())
        # without an else nothing has to hold
        self._else = Conjunction(())
        if otherwise is not None:
            self._else = parse_conditions(Reader(otherwise, "otherwise").text())
        self.condition, self.then = str(self._if), str(self._then)
        self.otherwise = str(self._else) if self._else.parts else None
        self._parts = (*self._if.parts, *self._then.parts, *self._else.parts)
        self.columns = Conjunction(self._parts).columns

    def _check(self, elements: Elements) -> None:
        super()._check(elements)
        for part in self._parts:
            part.check(elements)

    def _holds(self, before: People, after: People) -> Any:
        applies = self._if.holds(before, after)
        kept = np.logical_not(applies) | self._then.holds(before, after)
        return kept & (applies | self._else.holds(before, after))

    def _branches(self, real: set[str], present: Person, limits: Limits) -> list[Case] | None:
        conditions = self._if.parts
        true: list[Constraint] = [_Case(self._if, True)]
        false: list[Constraint] = [_Case(self._if, False)]
        applies = self._fixed(conditions, real, present, limits)
        follows = self._fixed(self._then.parts, real, present, limits)
        cases = [(true, values) for values in joined(applies, follows, self)]
        for values in self._failing(conditions, real, present, limits):
            others = self._fixed(self._else.parts, real, present, limits)
            cases += [(false, found) for found in joined([values], others, self)]
        plain: list[Case] = [(true, {}), (false, {})]
        return None if cases == plain else cases

    def _failing(
        self, parts: Parts, real: set[str], present: Person, limits: Limits
    ) -> list[dict[str, float]]:
        """What is fixed where the condition fails: nothing, and what a failing part fixes."""
        found: list[dict[str, float]] = []
        before: list[dict[str, float]] = [{}]
        for part in parts:
            opposite = part.opposite() if isinstance(part, Comparison) else None
            now = [{}] if opposite is None else self._fixed([opposite], real, present, limits)
            found += [values for values in joined(before, now, self) if values not in found]
            before = joined(before, self._fixed([part], real, present, limits), self)
        return found

    def _fixed(
        self, parts: Parts, real: set[str], present: Person, limits: Limits
    ) -> list[dict[str, float]]:
        """Real columns of which conditions leave single values, one mapping for each choice.

        Nothing is left where the bounds contradict them.
        """
        found: list[dict[str, float]] = [{}]
        for part in parts:
            moving = [name for name in part.columns if name in real]
            if not moving:
                continue
            if isinstance(part, Membership):
                values = dict.fromkeys(float(value) for value in part.values)
                choices = [{part.column: value} for value in values]
                found = joined(found, _within(choices, limits), self)
                continue
            if part.relation == "==" and len(part.columns) > 1:
                ends = [part.extreme(present, limits, largest) for largest in (False, True)]
                if not any(abs(end) <= tolerance(end) for end, _ in ends):
                    raise ValueError(
                        f"{cut(str(self))}: {cut(str(part))} leaves single values of real "
                        "columns, which a rule with if can say of one column only, as in "
                        "amount == 0; give the column a step, or use a rule without if."
                    )
            choices = part.only_values(moving, present, limits)
            found = joined(found, _within(choices, limits), self)
        return found

    def _comparisons(
        self, before: People, after: People, known: set[str]
    ) -> list[tuple[Comparison, Any]]:
        if not set(self._if.columns) <= known:
            return []
        applies = self._if.holds(before, after)
        fails = np.logical_not(applies)
        found = [(part, applies) for part in _sums(self._then)]
        return found + [(part, fails) for part in _sums(self._else)]

    def __str__(self) -> str:
        text = f"if {self.condition} then {self.then}"
        return text if self.otherwise is None else f"{text} else {self.otherwise}"


class _Case(Constraint):
    """A condition that is true, or is not."""

    def __init__(self, condition: Conjunction, truth: bool):
        self.condition = condition
        self.truth = truth
        self.columns = condition.columns

    def _holds(self, before: People, after: People) -> Any:
        found = self.condition.holds(before, after)
        return found if self.truth else np.logical_not(found)

    def _comparisons(
        self, before: People, after: People, known: set[str]
    ) -> list[tuple[Comparison, Any]]:
        if self.truth:
            return [(part, True) for part in _sums(self.condition)]
        # where one of several parts fails it is not known which
        alone = self.condition.parts[0] if len(self.condition.parts) == 1 else None
        opposite = alone.opposite() if isinstance(alone, Comparison) else None
        return [] if opposite is None else [(opposite, True)]

    def __str__(self) -> str:
        return f"the case {self.condition}" if self.truth else f"the case not {self.condition}"


def _within(choices: list[dict[str, float]], limits: Limits) -> list[dict[str, float]]:
    """Choices whose values the columns can have."""
    return [
        values
        for values in choices
        if all(
            limits[name][0] - tolerance(value) <= value <= limits[name][1] + tolerance(value)
            for name, value in values.items()
        )
    ]


def _sums(condition: Conjunction) -> list[Comparison]:
    return [part for part in condition.parts if isinstance(part, Comparison)]
