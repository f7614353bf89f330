"""Descents on what scores teach, from the best of every sort of pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from ..candidates import Candidate, CandidateSpace, SearchTask
from ..candidates._shape import Shape, Shapes
from ._neighbours import by_turns, neighbours, sort_of

# sorts of patterns that are changed, and how often, at most
SORTS, STEPS = 48, 6
# candidates that are made in a step at most, and rows times these; and how many steps make so many
MADE, ROWS_MADE, FULL_STEPS = 6_144, 5e7, 1.5
# of each sort, those that the pipeline may be asked for, and of all
KEPT_EACH, KEPT = 8, 512
IMPROVEMENT = 1e-9

Expected: TypeAlias = Callable[[Sequence[Candidate]], np.ndarray]


class TaughtDescent:
    """Changes the best of every sort of pattern piece by piece while a lower score is expected.

    What is near the worst that was scored is soon known. Where scores are rugged the worst of all
    is near what is not that bad, and patterns of other columns lead there.

    Parameters
    ----------
    task : SearchTask
        What was scored.
    space : CandidateSpace
        The candidates of the budget.
    shapes : Shapes
        Makes shapes.
    expected : callable
        Gives the scores that are expected of candidates.
    """

    def __init__(
        self, task: SearchTask, space: CandidateSpace, shapes: Shapes, expected: Expected
    ) -> None:
        self.task, self.space, self.shapes, self.expected = task, space, shapes, expected
        self.most = int(min(MADE, ROWS_MADE / space.table.n_rows))
        self._found: dict[bytes, tuple[float, Candidate]] = {}

    def run(self, known: Sequence[Candidate]) -> list[Candidate]:
        """Descend.

        Parameters
        ----------
        known : sequence of Candidate
            Where it may start.

        Returns
        -------
        list of Candidate
            What it came by, those of the lowest expected score first, a few of each sort.
        """
        starts = self._starts(known)
        for _ in range(STEPS):
            better = self._changed(starts)
            if not better:
                break
            starts = better
        kept, counts = list[Candidate](), Counter[Hashable]()
        for _, candidate in sorted(self._found.values(), key=lambda pair: pair[0]):
            counts[sort_of(candidate)] += 1
            if counts[sort_of(candidate)] <= KEPT_EACH:
                kept.append(candidate)
        return kept[:KEPT]

    def _starts(self, known: Sequence[Candidate]) -> list[tuple[float, Candidate]]:
        scores = self.expected(known)
        found: dict[Hashable, tuple[float, Candidate]] = {}
        for i in np.argsort(scores, kind="stable"):
            found.setdefault(sort_of(known[i]), (float(scores[i]), known[i]))
        return list(found.values())[:SORTS]

    def _changed(self, starts: list[tuple[float, Candidate]]) -> list[tuple[float, Candidate]]:
        """The best change of each, of those that any change makes better."""
        made: list[Candidate] = []
        parents: list[int] = []
        for i, shape in by_turns(*(self._near(i, each) for i, (_, each) in enumerate(starts))):
            self.task.evaluator.deadline.check()
            if len(made) >= self.most:
                break
            new = self.shapes.made(self.space, shape)
            if not new.refused and new.key not in self._found:
                self._found[new.key] = np.inf, new
                made.append(new)
                parents.append(i)
        if not made:
            return []
        best, scores = list(starts), self.expected(made).tolist()
        for score, new, i in zip(scores, made, parents, strict=True):
            self._found[new.key] = score, new
            if score < best[i][0] - IMPROVEMENT:
                best[i] = score, new
        return [new for new, old in zip(best, starts, strict=True) if new is not old]

    def _near(self, i: int, candidate: Candidate) -> Iterator[tuple[int, Shape]]:
        """What is near a start, with the number of the start."""
        shape = self.shapes.of(candidate)
        for other in () if shape is None else neighbours(self.shapes, self.space, shape):
            yield i, other


def expected_made(space: CandidateSpace) -> float:
    """How many candidates a descent is expected to make.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of the budget.

    Returns
    -------
    float
        In all steps; fewer where there are many rows.
    """
    return FULL_STEPS * min(MADE, ROWS_MADE / space.table.n_rows)
