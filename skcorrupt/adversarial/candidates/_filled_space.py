"""The candidates of a budget with ranges that take as many rows as it has, or just more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def filled_spaces(spaces: Sequence[CandidateSpace]) -> list[CandidateSpace]:
    """The grids of budgets, and ranges of numbers with one open end that just fill the budget.

    What strikes more rows is mostly worse, but a range that matches too many of them strikes some
    by chance, and between the ends of bins there are those that match as many as they may. One that
    matches a few more fills the budget beside another condition.

    Parameters
    ----------
    spaces : sequence of CandidateSpace
        The candidates of budgets of one search.

    Returns
    -------
    list of CandidateSpace
        The conditions there were come first, for every column. Levels are the same in all of them.
    """
    filled: list[dict[int, Attribute]] = [{} for _ in spaces]
    for j, attribute in spaces[0].attributes.items():
        fine = FineAttribute.of(spaces[0].table, attribute.column)
        more = [_filling(space, fine) if fine.ranged else [] for space in spaces]
        for own, each in zip(filled, _with_ranges(attribute, fine, more), strict=True):
            own[j] = each
    return [replace(space, attributes=own) for space, own in zip(spaces, filled, strict=True)]


def filled_space(space: CandidateSpace) -> CandidateSpace:
    """The grid of one budget, with the ranges of `filled_spaces`."""
    return filled_spaces([space])[0]


def fills(space: CandidateSpace, candidate: Candidate) -> bool:
    """Whether a candidate that can be scored matches about as many rows as its budget has."""
    matched = candidate.row_fraction / candidate.rate if candidate.rate else 0.0
    return LEAST_FILLED * space.budget <= matched <= MOST_FILLED * space.budget


def _with_ranges(
    attribute: Attribute, fine: FineAttribute, more: Sequence[Sequence[tuple[int, int]]]
) -> list[Attribute]:
    """An attribute with more ranges, with those of every budget; all have the levels of all."""
    if not any(more):
        return [attribute] * len(more)
    n, codes = fine.levels.n_levels, np.zeros(fine.levels.n_levels + 1, dtype=np.int64)
    codes[fine.levels.codes] = attribute.codes
    bins = np.array([0, *(np.flatnonzero(np.diff(codes[:n])) + 1), n])
    on_grid = [(int(bins[a]), int(bins[b + 1])) for a, b in attribute.atoms]
    ends = np.unique([*bins, *(end for some in more for each in some for end in each)])
    levels = (np.searchsorted(ends, np.arange(n + 1), side="right") - 1)[fine.levels.codes]
    found = []
    for some in more:
        off_grid = [each for each in dict.fromkeys(some) if each not in on_grid]
        conditions = [
            fine.condition((np.arange(n) >= first) & (np.arange(n) < end))
            for first, end in off_grid
        ]
        found.append(
            replace(
                attribute,
                codes=levels.astype(attribute.codes.dtype),
                atoms=np.searchsorted(ends, [*on_grid, *off_grid]) - [0, 1],
                conditions=[*attribute.conditions, *conditions],
            )
        )
    return found


def _filling(space: CandidateSpace, fine: FineAttribute) -> list[tuple[int, int]]:
    """Ranges of levels with an open end that match as many rows as they may, or just more."""
    n, found = fine.levels.n_levels, []
    for rows in _rows_of_labels(space):
        there = np.flatnonzero(np.bincount(fine.levels.codes[rows], minlength=n)[:n])
        first, end = fitting_ends(space, fine.levels, rows, 0, n)
        found += [(int(a), n) for a in (first, *there[there < first][-1:]) if 0 < a < n]
        found += [(0, int(b)) for b in (end, *(there[there >= end][:1] + 1)) if 0 < b < n]
    return found


def _rows_of_labels(space: CandidateSpace) -> Iterator[np.ndarray]:
    """Rows that match what is fixed, and each condition on the label, where these are few."""
    atoms = dict.fromkeys(choice.atom for choice in space.label_choices)
    for atom in atoms if len(atoms) <= FEW_CHOICES else [None]:
        rows = np.ones(space.table.n_rows, dtype=bool)
        if space.base_mask is not None:
            rows &= space.base_mask
        if atom is not None and space.label is not None:
            rows &= space.label.mask(atom)
        yield rows
