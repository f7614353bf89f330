"""Descents on what scores teach, from the best of every sort of pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from ..candidates import Candidate, CandidateSpace, SearchTask, Sketch
from ..candidates._shape import Shape, Shapes
from ._neighbours import by_turns, neighbours, sort_of

# sorts of patterns that are changed, and how often, at most
SORTS, STEPS = 48, 6
# candidates that are made in a step at most, and rows times these; and how many steps make so many
MADE, ROWS_MADE, FULL_STEPS = 6_144, 5e7, 1.5
# of each sort, those that the pipeline may be asked for, and of all
KEPT_EACH, KEPT = 8, 512
IMPROVEMENT = 1e-9

Expected: TypeAlias = Callable[[Sequence[Candidate | Sketch]], np.ndarray]
Scored: TypeAlias = tuple[float, Shape]


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
        Gives the scores that are expected of candidates, and of sketches of some.
    """

    def __init__(
        self, task: SearchTask, space: CandidateSpace, shapes: Shapes, expected: Expected
    ) -> None:
        self.task, self.space, self.shapes, self.expected = task, space, shapes, expected
        self.most = int(min(MADE, ROWS_MADE / space.table.n_rows))
        self._found: dict[bytes, Scored] = {}

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
        for _, shape in sorted(self._found.values(), key=lambda pair: pair[0]):
            sort = shape.columns, frozenset(shape.chosen)
            counts[sort] += 1
            if counts[sort] <= KEPT_EACH:
                kept.append(self.shapes.made(self.space, shape))
                if len(kept) == KEPT:
                    break
        return kept

    def _starts(self, known: Sequence[Candidate]) -> list[Scored]:
        scores = self.expected(known)
        found: dict[Hashable, int] = {}
        for i in np.argsort(scores, kind="stable").tolist():
            found.setdefault(sort_of(known[i]), i)
        shapes = ((i, self.shapes.of(known[i])) for i in list(found.values())[:SORTS])
        return [(float(scores[i]), shape) for i, shape in shapes if shape is not None]

    def _changed(self, starts: list[Scored]) -> list[Scored]:
        """The best change of each, of those that any change makes better."""
        made: list[tuple[int, Shape, Sketch]] = []
        for i, shape in by_turns(*(self._near(i, each) for i, (_, each) in enumerate(starts))):
            self.task.evaluator.deadline.check()
            if len(made) >= self.most:
                break
            new = self.shapes.sketched(self.space, shape)
            if new.refused or new.key in self._found or self._excludes(shape):
                continue
            self._found[new.key] = np.inf, shape
            made.append((i, shape, new))
        if not made:
            return []
        best, scores = list(starts), self.expected([new for *_, new in made]).tolist()
        for score, (i, shape, new) in zip(scores, made, strict=True):
            self._found[new.key] = score, shape
            if score < best[i][0] - IMPROVEMENT:
                best[i] = score, shape
        return [new for new, old in zip(best, starts, strict=True) if new is not old]

    def _excludes(self, shape: Shape) -> bool:
        """Whether a rule of the user's is against it, which reads the pattern."""
        return bool(self.space.exclusions and self.shapes.made(self.space, shape).refused)

    def _near(self, i: int, shape: Shape) -> Iterator[tuple[int, Shape]]:
        """What is near a start, with the number of the start."""
        for other in neighbours(self.shapes, self.space, shape):
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
