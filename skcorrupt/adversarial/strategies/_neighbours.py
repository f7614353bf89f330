"""What differs from a candidate in one piece, at full resolution."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..candidates import Candidate, CandidateSpace, Shape
from ..candidates._shape import Shapes

T = TypeVar("T")

# places of ends of ranges that are tried
ENDS_MOVED = 24


def sort_of(candidate: Candidate) -> Hashable:
    """The columns that a candidate hits and those of its pattern."""
    return candidate.columns, frozenset(map(str, candidate.pattern.columns))


def by_turns(*sources: Iterable[T]) -> Iterator[T]:
    """What several sources hold, which may be of different length, by turns.

    Parameters
    ----------
    *sources : iterable
        The sources.

    Yields
    ------
    object
        The first of each, the second of each, and so on.
    """
    left = [iter(source) for source in sources]
    while left:
        for source in list(left):
            try:
                yield next(source)
            except StopIteration:
                left.remove(source)


def fitted(shapes: Shapes, space: CandidateSpace, shape: Shape) -> Iterator[Shape]:
    """A shape with one condition narrower, so that it just fits a budget.

    Parameters
    ----------
    shapes : Shapes
        Makes shapes.
    space : CandidateSpace
        The candidates of the budget.
    shape : Shape
        What is changed.

    Yields
    ------
    Shape
        With a narrower range, or fewer categories, of a column that has a condition or had none.
    """
    for j in space.allowed[shape.columns]:
        own = shape.chosen.get(j)
        if own is None and len(shape.chosen) >= space.max_conditions:
            continue
        if own is None:
            own = np.ones(shapes.fine(j).levels.n_levels, dtype=bool)
        wider = replace(shape, chosen={**shape.chosen, j: own}, step=1.0)
        ranges = shapes.fitted(space, wider, j)
        for levels in ranges if shapes.fine(j).ranged else shapes.fitted_sets(space, wider, j):
            yield replace(wider, chosen={**shape.chosen, j: levels})


def neighbours(shapes: Shapes, space: CandidateSpace, shape: Shape) -> Iterator[Shape]:
    """A shape with any one piece changed, or with a condition that leaves out a few rows.

    Parameters
    ----------
    shapes : Shapes
        Makes shapes.
    space : CandidateSpace
        The candidates of the budget.
    shape : Shape
        What is changed.

    Yields
    ------
    Shape
        Those that fill the budget come first.
    """
    yield from fitted(shapes, space, shape)
    yield from shapes.ends_moved(space, shape, ENDS_MOVED)
    for piece in shapes.near(shape):
        yield from piece
    if len(shape.chosen) < space.max_conditions:
        for j in space.allowed[shape.columns]:
            if j not in shape.chosen:
                for levels in shapes.without_few(space, shape, j):
                    yield replace(shape, chosen={**shape.chosen, j: levels})
