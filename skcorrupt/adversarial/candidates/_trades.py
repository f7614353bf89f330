"""Two conditions changed at once: one gives up rows, the other takes as many as a budget has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ._candidate import Shape
from ._candidate_space import CandidateSpace
from ._shape import Shapes


def trades(shapes: Shapes, space: CandidateSpace, shape: Shape) -> list[Shape]:
    """What fills the budget as a shape does, with one condition narrower and another wider.

    Where a pattern strikes as many rows as it may, no bound can move outwards alone, and one that
    moves inwards alone leaves rows out. For every narrower or wider form of one condition there are
    the forms of each other range that just fill the budget, to either side; sets of categories are
    made larger where another condition is narrower.

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
    found: dict[bytes, tuple[int, Shape]] = {}
    before = shapes.rows(space, shape)
    for j, k in itertools.permutations(shape.chosen, 2):
        pairs = _fitted if shapes.fine(k).ranged else _filled
        for first, second in pairs(shapes, space, shape, j, k):
            other = replace(shape, chosen={**shape.chosen, j: first, k: second})
            rows = shapes.rows(space, other)
            if (before & ~rows).any():
                moved = int(np.count_nonzero(rows != before))
                found.setdefault(rows.tobytes(), (moved, other))
    return [other for _, other in sorted(found.values(), key=lambda pair: pair[0])]


def _fitted(
    shapes: Shapes, space: CandidateSpace, shape: Shape, j: int, k: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For every other form of one condition a range as wide as the budget then allows."""
    own, kept = shape.chosen[j], shape.chosen[k]
    n_before = np.count_nonzero(shapes.rows(space, shape))
    for other in shapes.other_levels(j, own):
        changed = replace(shape, chosen={**shape.chosen, j: other})
        n_changed = np.count_nonzero(shapes.rows(space, changed))
        for fitted in shapes.fitted(space, changed, k):
            gives = _within(other, own) and n_changed < n_before
            takes = _within(own, other) and n_changed > n_before
            if (gives and _within(kept, fitted)) or (takes and _within(fitted, kept)):
                yield other, fitted


def _within(some: np.ndarray, others: np.ndarray) -> bool:
    """Whether levels are some of others, and not all."""
    return bool(others[some].all()) and int(some.sum()) < int(others.sum())


def _filled(
    shapes: Shapes, space: CandidateSpace, shape: Shape, j: int, k: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For every narrower form of one condition the largest sets that the budget then allows."""
    ways = {i: [shape.chosen[i], *shapes.other_levels(i, shape.chosen[i])] for i in (j, k)}
    counts = _counts(shapes, space, shape, j, k, ways)
    most = max(counts[0, 0], math.floor(space.budget * space.table.n_rows + 1e-9))
    for a, b in _fullest(counts, ways[j], ways[k], most):
        yield ways[j][a], ways[k][b]


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
