"""Which of the candidates that a proxy puts first the pipeline sees: not only the global top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcorrupt.patterns import PatternMasks

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
    chosen: dict[bytes, Candidate] = {}
    top, others = iter(ranked), iter(of_sorts(ranked, space))
    for _ in range(len(ranked)):
        for source in (top, others):
            # the next that is not there yet, of each in turn
            fresh = next((c for c in source if c.key not in chosen), None)
            if fresh is not None and len(chosen) < most:
                chosen[fresh.key] = fresh
        if len(chosen) >= most:
            break
    return list(chosen.values())


def batches_of(
    ranked: Sequence[Candidate], space: CandidateSpace, size: int, most: int
) -> list[list[Candidate]]:
    """Candidates by batches, of which the first has the best of every sort.

    Parameters
    ----------
    ranked : sequence of Candidate
        The most harmful first.
    space : CandidateSpace
        What they are made of.
    size : int
        How many are in a batch; in the first half are from the top, and all sorts besides.
    most : int
        How many are taken of the top.

    Returns
    -------
    list of list of Candidate
        In the order in which they are to be scored.
    """
    first = {c.key: c for c in [*ranked[: size // 2], *of_sorts(ranked, space)]}
    others = [c for c in ranked[:most] if c.key not in first]
    later = [others[a : a + size] for a in range(0, len(others), size)]
    return [list(first.values()), *later] if first else []


def most_of_sorts(space: CandidateSpace) -> int:
    """How many candidates are the best of some sort, about: of two classes, where there are more.

    Parameters
    ----------
    space : CandidateSpace
        What they are made of.

    Returns
    -------
    int
        By the numbers of conditions and the columns that may be hit.
    """
    n_classes = 0 if space.label is None else 2
    return (
        OF_EACH_DEPTH * len(space.depths)
        + OF_EACH_HIT * len(space.allowed)
        + OF_A_CLASS * n_classes
    )


def of_sorts(ranked: Sequence[Candidate], space: CandidateSpace) -> list[Candidate]:
    """The best of every number of conditions, of every column hit, of those that take a class.

    Parameters
    ----------
    ranked : sequence of Candidate
        The most harmful first.
    space : CandidateSpace
        What they are made of.

    Returns
    -------
    list of Candidate
        Each that is one of the first of some sort, in order.
    """
    found: list[Candidate] = []
    counts: dict[object, int] = {}
    for candidate, takes in zip(ranked, _takes_class(ranked, space), strict=True):
        sorts = [
            (("depth", candidate.depth), OF_EACH_DEPTH),
            (("hit", candidate.columns), OF_EACH_HIT),
        ]
        if takes is not None:
            sorts.append((("class", takes), OF_A_CLASS))
        if any(counts.get(sort, 0) < n for sort, n in sorts):
            found.append(candidate)
        for sort, _ in sorts:
            counts[sort] = counts.get(sort, 0) + 1
    return found


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
    masks = PatternMasks(space.table, values)
    found: list[object] = []
    for candidate in ranked:
        struck = np.bincount(codes[masks.of(candidate.pattern)], minlength=len(totals))
        shares = struck * candidate.rate / totals
        found.append(int(shares.argmax()) if shares.max() > MOST_OF_A_CLASS else None)
    return found
