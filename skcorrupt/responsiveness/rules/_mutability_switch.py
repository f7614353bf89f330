"""A column that lets others change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcorrupt.utils import Reader

from ._conditions import Conjunction, Membership
from ._constraint import Case, Constraint
from ._if_then import _Case
from ._people import Elements, Limits, People, Person


class MutabilitySwitch(Constraint):
    """Target columns can change only where a switch is on after the action.

    Parameters
    ----------
    switch : str
        The column that lets the others change.
    targets : str or sequence of str
        The columns that stay as they are unless it does.
    on : object, default=1
        The value of the switch that lets them change.

    Examples
    --------
    >>> from skcorrupt.responsiveness import MutabilitySwitch
    >>> MutabilitySwitch("has_account", "balance")
    MutabilitySwitch(switch='has_account', targets=['balance'], on=1)
    """

    def __init__(self, switch: str, targets: str | Sequence[str], on: Any = 1) -> None:
        self.switch = Reader(switch, "switch").text()
        self.targets = Reader(targets, "targets").name_or_names()
        self.columns = (switch, *self.targets)
        self.on = Reader(on, "on").scalar()
        if len(set(self.columns)) < len(self.columns):
            raise ValueError(
                f"targets={targets!r} should be one or more columns other than switch={switch!r}."
            )

    def _check(self, elements: Elements) -> None:
        super()._check(elements)
        elements[self.switch]._code(self.on)

    def _holds(self, before: People, after: People) -> Any:
        same = True
        for name in self.targets:
            same = same & (after[name] == before[name])
        return after.equal(self.switch, self.on) | same

    def _branches(self, real: set[str], present: Person, limits: Limits) -> list[Case] | None:
        fixed = {name: present[name] for name in self.targets if name in real}
        if not fixed:
            return None
        on = Conjunction((Membership(self.switch, (self.on,)),))
        return [([_Case(on, True)], {}), ([_Case(on, False)], fixed)]
