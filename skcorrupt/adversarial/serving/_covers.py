"""Sets of attributes whose sums in cells hold those of many smaller sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence


def covers(
    wanted: Sequence[tuple[int, ...]], sizes: Mapping[int, int], most: int
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Few sets of attributes that hold all the wanted ones, each grown as long as it takes in more.

    Parameters
    ----------
    wanted : sequence of tuple of int
        Sets of attributes.
    sizes : dict of int to int
        Levels of each attribute.
    most : int
        Cells of a grid up to which a set grows.

    Yields
    ------
    cover : tuple of int
        Attributes in ascending order.
    held : list of int
        Positions of the wanted sets that are part of it, and of no cover before.
    """
    left = {place: frozenset(each) for place, each in enumerate(wanted)}
    using: dict[int, set[int]] = {}
    for place, each in left.items():
        for j in each:
            using.setdefault(j, set()).add(place)
    while left:
        first = next(iter(left))
        cover = set(left[first])
        held = _within(cover, left, using) | {first}
        while True:
            cells = math.prod(sizes[j] for j in cover)
            able = [j for j in using if j not in cover and cells * sizes[j] <= most]
            more = {j: _within({*cover, j}, left, using) - held for j in able}
            best = max(more, key=lambda j: (len(more[j]), -sizes[j]), default=None)
            if best is None or not more[best]:
                break
            cover.add(best)
            held |= more[best]
        yield tuple(sorted(cover)), sorted(held)
        for place in held:
            for j in left.pop(place):
                using[j].discard(place)


def _within(
    cover: set[int], left: Mapping[int, frozenset[int]], using: Mapping[int, set[int]]
) -> set[int]:
    """Positions of sets that have no attribute outside a cover."""
    some = set().union(*(using[j] for j in cover))
    return {place for place in some if left[place] <= cover}
