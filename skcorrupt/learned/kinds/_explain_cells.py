"""Which rule made every wrong cell of a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._category_kinds import default_candidates, seen_rule
from ._number_kinds import number_candidates
from ._row_kinds import Sources, appended_candidates, row_candidates
from ._text_kinds import text_candidates
from ._time_kinds import time_candidates
from ._wrong_cells import Rule, WrongCells, chosen_rules


@dataclass(frozen=True, eq=False)
class Explained:
    """The wrong cells of a column with the rules that made them.

    Attributes
    ----------
    wrong : WrongCells
        The cells.
    rules : list of Rule
        The rules.
    which : ndarray of int, shape (n_cells,)
        The rule of every cell.
    """

    wrong: WrongCells
    rules: list[Rule]
    which: np.ndarray


def explain_cells(sources: Sources) -> list[Explained]:
    """Explain all wrong cells.

    Parameters
    ----------
    sources : Sources
        The columns that both tables have, and which rows belong together.

    Returns
    -------
    list of Explained
        One for every column with wrong cells, in the order of the columns.
    """
    wrong = {}
    matching = sources.matching
    for i, column in enumerate(sources.columns):
        clean, dirty = column.clean[matching.clean], column.dirty[matching.dirty]
        at = np.flatnonzero(clean != dirty)
        if len(at):
            wrong[i] = WrongCells(column, at, clean[at], dirty[at])
    return [_explained(sources, i, wrong) for i in wrong]


def _explained(sources: Sources, i: int, wrong: dict[int, WrongCells]) -> Explained:
    mine = wrong[i]
    candidates = [
        *default_candidates(mine),
        *number_candidates(mine),
        *time_candidates(mine),
        *text_candidates(mine),
        *row_candidates(sources, i, wrong),
        *appended_candidates(sources, i, wrong),
    ]
    rules, which = chosen_rules(mine, candidates)
    if (which < 0).any():
        rest = which < 0
        which = np.where(rest, len(rules), which)
        rules.append(seen_rule(mine, rest))
    return Explained(mine, rules, which)
