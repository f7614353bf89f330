"""The candidates of a budget with ranges that take as many rows as it has, or just more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from skcorrupt.attributes._attribute import Attribute
from skcorrupt.attributes._fine_attribute import FineAttribute

from ._candidate import Candidate
from ._candidate_space import CandidateSpace
from ._fitting_ends import fitting_ends

# conditions on the label, beyond which ranges fit no single one of them
FEW_CHOICES = 6
# the fewest and the most rows that match, as a share of the budget, where it is filled
LEAST_FILLED, MOST_FILLED = 0.8, 1.25


def filled_space(space: CandidateSpace) -> CandidateSpace:
    """The grid of a budget, and ranges of numbers with one open end that just fill the budget.

    What strikes more rows is mostly worse, but a range that matches too many of them strikes some
    by chance, and between the ends of bins there are those that match as many as they may. One that
    matches a few more fills the budget beside another condition.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of a budget.

    Returns
    -------
    CandidateSpace
        The conditions there were come first, for every column.
    """
    atoms = {choice.atom for choice in space.label_choices}
    some = [None] if len(atoms) > FEW_CHOICES else sorted(atoms, key=str)
    rows = [_rows(space, atom) for atom in some]
    found = {j: _filled(space, attribute, rows) for j, attribute in space.attributes.items()}
    return replace(space, attributes=found)


def fills(space: CandidateSpace, candidate: Candidate) -> bool:
    """Whether a candidate that can be scored matches about as many rows as its budget has."""
    matched = candidate.row_fraction / candidate.rate if candidate.rate else 0.0
    return LEAST_FILLED * space.budget <= matched <= MOST_FILLED * space.budget


def _rows(space: CandidateSpace, atom: int | None) -> np.ndarray:
    """Rows that match a condition on the label, and what is fixed."""
    rows = np.ones(space.table.n_rows, dtype=bool)
    if space.base_mask is not None:
        rows &= space.base_mask
    if atom is not None and space.label is not None:
        rows &= space.label.mask(atom)
    return rows


def _filled(space: CandidateSpace, attribute: Attribute, rows: list[np.ndarray]) -> Attribute:
    fine = FineAttribute.of(space.table, attribute.column)
    if not fine.ranged:
        return attribute
    n, codes = fine.levels.n_levels, np.zeros(fine.levels.n_levels + 1, dtype=np.int64)
    codes[fine.levels.codes] = attribute.codes
    bins = np.array([0, *(np.flatnonzero(np.diff(codes[:n])) + 1), n])
    ranges = {(bins[a], bins[b + 1]): None for a, b in attribute.atoms}
    more = [each for some in rows for each in _filling(space, fine, some) if each not in ranges]
    if not more:
        return attribute
    ends = np.unique([*bins, *np.ravel(more)])
    atoms = np.searchsorted(ends, [*ranges, *dict.fromkeys(more)]) - [0, 1]
    of_level = np.searchsorted(ends, np.arange(n + 1), side="right") - 1
    conditions = [*attribute.conditions]
    for first, end in dict.fromkeys(more):
        conditions.append(fine.condition((np.arange(n) >= first) & (np.arange(n) < end)))
    levels = of_level[fine.levels.codes].astype(attribute.codes.dtype)
    return replace(attribute, codes=levels, atoms=atoms, conditions=conditions)


def _filling(space: CandidateSpace, fine: FineAttribute, rows: np.ndarray) -> list[tuple[int, int]]:
    """Ranges of levels with an open end that match as many rows as they may, or just more."""
    n = fine.levels.n_levels
    there = np.flatnonzero(np.bincount(fine.levels.codes[rows], minlength=n)[:n])
    first, end = fitting_ends(space, fine.levels, rows, 0, n)
    firsts = [first, *there[there < first][-1:]]
    ends = [end, *(there[there >= end][:1] + 1)]
    found = [(int(a), n) for a in firsts if 0 < a < n]
    return found + [(0, int(b)) for b in ends if 0 < b < n]
