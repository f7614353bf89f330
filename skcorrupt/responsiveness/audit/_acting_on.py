"""What people can do with one column alone."""

from __future__ import annotations

import copy

from ..actions._action_set import ActionSet


def acting_on(actions: ActionSet, name: str) -> ActionSet:
    """The action set of people who act on a single column.

    Parameters
    ----------
    actions : ActionSet
        What they can do otherwise.
    name : str
        The column.

    Returns
    -------
    ActionSet
        With the rules and effects that the column has to do with, directly or by what moves along
        with it, and the effects that nothing sets off.
    """
    elements = [copy.copy(element) for element in actions]
    for element in elements:
        element.actionable = element.name == name
    moves = [(set(c.columns) - set(c.moved), set(c.moved)) for c in actions.constraints]
    moves += [(set(effect.sources), set(effect.targets)) for effect in actions.effects]
    reached = {name}
    while more := {t for sources, targets in moves if sources & reached for t in targets} - reached:
        reached |= more
    rules = [c for c in actions.constraints if reached & set(c.columns)]
    effects = [e for e in actions.effects if not e.sources or reached & set(e.sources)]
    return ActionSet(elements, [*rules, *effects])
