"""Conditions that follow from others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._constraint import Constraint
from ._expression import CHANGE, DISTANCE, Comparison, Conjunction, Membership, parse_conditions


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

    def __init__(self, condition: str, then: str, otherwise: str | None = None):
        self.condition = parse_conditions(condition)
        self.then = parse_conditions(then)
        self.otherwise = None if otherwise is None else parse_conditions(otherwise)
        self._all = [part for part in (self.condition, self.then, self.otherwise) if part]
        self.columns = tuple(dict.fromkeys(name for part in self._all for name in part.columns))

    def _check(self, elements):
        super()._check(elements)
        for part in self._all:
            for comparison in part.parts:
                comparison.check(elements)

    def _holds(self, before, after):
        applies = self.condition.holds(before, after)
        kept = np.logical_not(applies) | self.then.holds(before, after)
        if self.otherwise is not None:
            kept = kept & (applies | self.otherwise.holds(before, after))
        return kept

    def _branches(self, real, present, elements):
        condition = self._fixed(self.condition, real, present, elements)
        then = self._fixed(self.then, real, present, elements)
        otherwise = self._fixed(self.otherwise, real, present, elements)
        if not any(values for options in (condition, then, otherwise) for values in options):
            return []
        true: list[Constraint] = [_Case(self.condition, True)]
        false: list[Constraint] = [_Case(self.condition, False)]
        cases = [(true, values) for values in _joined(condition, then)]
        return cases + [(false, values) for values in otherwise]

    def _fixed(
        self, condition: Conjunction | None, real: set[str], present: Any, elements: Any
    ) -> list[dict[str, float]]:
        """Real columns of which a condition leaves single values, one mapping for each choice."""
        found: list[dict[str, float]] = [{}]
        for part in condition.parts if condition else ():
            if not any(name in real for name in part.columns):
                continue
            if isinstance(part, Membership):
                values = dict.fromkeys(float(value) for value in part.values)
                found = _joined(found, [{part.column: value} for value in values])
                continue
            terms = [*part.left.terms, *part.right.terms]
            alone = len(terms) == 1 and terms[0].kind != DISTANCE
            if part.relation == "==" and not alone:
                raise ValueError(
                    f"{self}: {part} leaves single values of real columns, which a rule with if "
                    "can say of one column only, as in amount == 0; give the column a step, or use "
                    "a rule without if."
                )
            if not alone:
                continue
            name = terms[0].column
            gap = part.right.constant - part.left.constant
            sign = 1.0 if part.left.terms else -1.0
            value = sign * gap / terms[0].factor
            value += present[name] if terms[0].kind == CHANGE else 0.0
            low, high = elements[name].limits(present[name])
            upwards = (part.relation in (">=", ">")) == (sign * terms[0].factor > 0)
            at_limit = value == (high if upwards else low)
            if part.relation == "==" or (part.relation in ("<=", ">=") and at_limit):
                found = _joined(found, [{name: value}])
        return found

    def _comparisons(self, before, after, known):
        if not set(self.condition.columns) <= known:
            return []
        applies = self.condition.holds(before, after)
        found = [(part, applies) for part in _sums(self.then)]
        if self.otherwise is not None:
            found += [(part, np.logical_not(applies)) for part in _sums(self.otherwise)]
        return found

    def _params(self) -> dict[str, Any]:
        params = {"condition": str(self.condition), "then": str(self.then)}
        if self.otherwise is not None:
            params["otherwise"] = str(self.otherwise)
        return params

    def __str__(self) -> str:
        text = f"if {self.condition} then {self.then}"
        return text if self.otherwise is None else f"{text} else {self.otherwise}"


class _Case(Constraint):
    """A condition that is true, or is not."""

    def __init__(self, condition: Conjunction, truth: bool):
        self.condition = condition
        self.truth = truth
        self.columns = condition.columns

    def _holds(self, before, after):
        found = self.condition.holds(before, after)
        return found if self.truth else np.logical_not(found)

    def _comparisons(self, before, after, known):
        return [(part, True) for part in _sums(self.condition)] if self.truth else []

    def _params(self) -> dict[str, Any]:
        return {"condition": str(self.condition), "truth": self.truth}

    def __str__(self) -> str:
        return f"the case {self.condition}" if self.truth else f"the case not {self.condition}"


def _sums(condition: Conjunction) -> list[Comparison]:
    return [part for part in condition.parts if isinstance(part, Comparison)]


def _joined(
    first: list[dict[str, float]], second: list[dict[str, float]]
) -> list[dict[str, float]]:
    """Every choice of the first with every one of the second that does not contradict it."""
    return [
        one | other
        for one in first
        for other in second
        if all(one.get(name, value) == value for name, value in other.items())
    ]
