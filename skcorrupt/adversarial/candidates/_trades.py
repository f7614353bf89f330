"""Two conditions changed at once: one gives up rows, the other takes as many as a budget has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ._candidate_space import CandidateSpace
from ._shape import Shape, Shapes


def trades(shapes: Shapes, space: CandidateSpace, shape: Shape) -> list[Shape]:
    """What fills the budget as a shape does, with one condition narrower and another wider.

    Where a pattern strikes as many rows as it may, no bound can move outwards alone, and one that
    moves inwards alone leaves rows out. For every narrower form of one condition there are the
    widest forms of each other one, to either side, that the budget allows.

    Parameters
    ----------
    shapes : Shapes
        What shapes are made of.
    space : CandidateSpace
        The candidates of the budget.
    shape : Shape
        Where to start.

    Returns
    -------
    list of Shape
        Those that differ most in rows last.
    """
    ways = {j: [own, *shapes.other_levels(j, own)] for j, own in shape.chosen.items()}
    found: list[tuple[int, Shape]] = []
    for j, k in itertools.permutations(ways, 2):
        counts = _counts(shapes, space, shape, j, k, ways)
        most = max(counts[0, 0], math.floor(space.budget * space.table.n_rows + 1e-9))
        for a, b in _fullest(counts, ways[j], ways[k], most):
            moved = int(counts[0, 0] - counts[a, 0] + counts[0, b] - counts[0, 0])
            chosen = {**shape.chosen, j: ways[j][a], k: ways[k][b]}
            found.append((moved, replace(shape, chosen=chosen)))
    return [other for _, other in sorted(found, key=lambda pair: pair[0])]


def _counts(
    shapes: Shapes,
    space: CandidateSpace,
    shape: Shape,
    j: int,
    k: int,
    ways: dict[int, list[np.ndarray]],
) -> np.ndarray:
    """Rows that match with each form of two conditions, of shape (n_forms, n_forms)."""
    rows = np.ones(space.table.n_rows, dtype=bool)
    if space.base_mask is not None:
        rows &= space.base_mask
    for other, own in shape.chosen.items():
        if other not in (j, k):
            rows &= shapes.fine(other).mask(own)
    if shape.choice.atom is not None and space.label is not None:
        rows &= space.label.mask(shape.choice.atom)
    parts, forms = [], []
    for each in (j, k):
        # levels that are in the same forms are one
        levels = np.append(np.stack(ways[each]), np.zeros((len(ways[each]), 1), bool), axis=1)
        form, place = np.unique(levels, axis=1, return_inverse=True)
        parts.append(place.ravel()[shapes.fine(each).levels.codes[rows]])
        forms.append(form.astype(np.int64))
    first, second = forms
    both = np.bincount(
        parts[0] * second.shape[1] + parts[1], minlength=first.shape[1] * second.shape[1]
    )
    return first @ both.reshape(first.shape[1], second.shape[1]) @ second.T


def _fullest(
    counts: np.ndarray, narrower: list[np.ndarray], wider: list[np.ndarray], most: float
) -> Iterator[tuple[int, int]]:
    """For every narrower form of one condition the widest ones of the other, by side."""
    own = wider[0]
    sides: dict[tuple[bool, bool], list[int]] = {}
    for b, form in enumerate(wider):
        if b and form[own].all():
            added = np.flatnonzero(form & ~own)
            middle = np.flatnonzero(own).mean()
            side = bool((added < middle).any()), bool((added > middle).any())
            sides.setdefault(side, []).append(b)
    for a, form in enumerate(narrower):
        if not a or not narrower[0][form].all() or not counts[a, 0] < counts[0, 0]:
            continue
        for some in sides.values():
            fits = [b for b in some if counts[0, b] > counts[0, 0] and counts[a, b] <= most]
            if fits:
                yield a, max(fits, key=lambda b: counts[a, b])
