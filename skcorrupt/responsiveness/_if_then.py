"""Conditions that follow from others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._constraint import Constraint
from ._expression import parse_conditions


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

    def _params(self) -> dict[str, Any]:
        params = {"condition": str(self.condition), "then": str(self.then)}
        if self.otherwise is not None:
            params["otherwise"] = str(self.otherwise)
        return params

    def __str__(self) -> str:
        text = f"if {self.condition} then {self.then}"
        return text if self.otherwise is None else f"{text} else {self.otherwise}"
