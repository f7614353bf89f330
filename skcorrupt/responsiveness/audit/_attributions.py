"""Responsiveness to each column alone."""

from __future__ import annotations

import copy
from typing import Any

import pandas as pd

from ..actions._action_set import ActionSet

COLUMNS = ["row", "feature", "responsiveness", "ci_low", "ci_high", "n", "hits", "exact"]


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


def attributions(parts: dict[str, tuple[Any, ...]]) -> pd.DataFrame:
    """One table of the audits of single columns.

    Parameters
    ----------
    parts : dict of str to (ndarray, DataFrame)
        For each column the positions of the people and their results.

    Returns
    -------
    DataFrame
        A row a person and column.
    """
    tables = [
        table.assign(row=rows, feature=name)[COLUMNS] for name, (rows, table) in parts.items()
    ]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)
