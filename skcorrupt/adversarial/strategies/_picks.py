"""Which of the candidates that a proxy puts first the pipeline sees: not only the global top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..candidates import Candidate, CandidateSpace

# of every number of conditions, of every column hit, of those that take most of a class
OF_EACH_DEPTH, OF_EACH_HIT, OF_A_CLASS = 3, 1, 4
# share of a class that is most of it
MOST_OF_A_CLASS = 0.7


def picks_of(ranked: Sequence[Candidate], space: CandidateSpace, most: int) -> list[Candidate]:
    """Half of the candidates from the top, the others the best of each sort.

    Parameters
    ----------
    ranked : sequence of Candidate
        The most harmful first.
    space : CandidateSpace
        What they are made of.
    most : int
        How many are taken.

    Returns
    -------
    list of Candidate
        In the order in which they are to be scored: by turns from the top and of the sorts.
    """
    of_sorts: list[Candidate] = []
    counts: dict[object, int] = {}
    takes_class = _takes_class(ranked, space)
    for candidate, takes in zip(ranked, takes_class, strict=True):
        sorts = [
            (("depth", candidate.depth), OF_EACH_DEPTH),
            (("hit", candidate.columns), OF_EACH_HIT),
        ]
        if takes:
            sorts.append((("class", takes), OF_A_CLASS))
        wanted = [sort for sort, n in sorts if counts.get(sort, 0) < n]
        if wanted:
            of_sorts.append(candidate)
        for sort, _ in sorts:
            counts[sort] = counts.get(sort, 0) + 1
    chosen: dict[bytes, Candidate] = {}
    top, others = iter(ranked), iter(of_sorts)
    for _ in range(len(ranked)):
        for source in (top, others):
            # the next that is not there yet, of each in turn
            fresh = next((c for c in source if c.key not in chosen), None)
            if fresh is not None and len(chosen) < most:
                chosen[fresh.key] = fresh
        if len(chosen) >= most:
            break
    return list(chosen.values())


def _takes_class(ranked: Sequence[Candidate], space: CandidateSpace) -> list[object]:
    """The class of which each candidate strikes most, with whether a column is hit; or None."""
    values = space.target.values
    if space.label is None or space.label.n_atoms > len(ranked):
        return [None] * len(ranked)
    codes = np.unique(values, return_inverse=True)[1]
    totals = np.bincount(codes)
    if len(totals) > 50:
        # numbers, not classes
        return [None] * len(ranked)
    found: list[object] = []
    for candidate in ranked:
        y = values if candidate.pattern.uses_y else None
        struck = np.bincount(codes[candidate.pattern.mask(space.table, y)], minlength=len(totals))
        shares = struck * candidate.rate / totals
        found.append(int(shares.argmax()) if shares.max() > MOST_OF_A_CLASS else None)
    return found
