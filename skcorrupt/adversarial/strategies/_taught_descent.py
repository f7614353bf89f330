"""Descents on what scores teach, from the best of every sort of pattern."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from ..candidates import Candidate, CandidateSpace, SearchTask, Shape, Sketch
from ..candidates._shape import Shapes
from ._neighbours import by_turns, neighbours, sort_of

# sorts of patterns that are changed, and how often, at most
SORTS, STEPS = 48, 6
# candidates that are made in a step at most, and rows times these; and how many steps make so many
MADE, ROWS_MADE, FULL_STEPS = 6_144, 5e7, 1.5
# of each sort, those that the pipeline may be asked for, and of all
KEPT_EACH, KEPT = 8, 512
# of those, compared at once, and in how many batches at least as many are sketched
AT_ONCE, BATCHES = 512, 4

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
    least : float, default=0.0
        By how much a change has to make a score lower; rounding may make more of less.
    """

    def __init__(
        self,
        task: SearchTask,
        space: CandidateSpace,
        shapes: Shapes,
        expected: Expected,
        least: float = 0.0,
    ) -> None:
        self.task, self.space, self.shapes, self.expected = task, space, shapes, expected
        self.least = least
        self.most = int(min(MADE, ROWS_MADE / space.table.n_rows))
        self._seen: set[bytes] = set()
        self._kept: dict[Hashable, list[Scored]] = {}

    def run(self, known: Sequence[Candidate], scores: np.ndarray) -> list[Candidate]:
        """Descend.

        Parameters
        ----------
        known : sequence of Candidate
            Where it may start.
        scores : ndarray of shape (n_known,)
            What is expected of them.

        Returns
        -------
        list of Candidate
            What it came by, those of the lowest expected score first, a few of each sort.
        """
        starts = self._starts(known, scores)
        for _ in range(STEPS):
            better = self._changed(starts)
            if not better:
                break
            starts = better
        found = sorted(itertools.chain(*self._kept.values()), key=_score_of)
        return [self._made(shape) for _, shape in found[:KEPT]]

    def _made(self, shape: Shape) -> Candidate:
        self.task.evaluator.deadline.check()
        return self.shapes.made(self.space, shape)

    def _starts(self, known: Sequence[Candidate], scores: np.ndarray) -> list[Scored]:
        found: dict[Hashable, int] = {}
        for i in np.argsort(scores, kind="stable").tolist():
            found.setdefault(sort_of(known[i]), i)
        starts = []
        for i in list(found.values())[:SORTS]:
            self.task.evaluator.deadline.check()
            shape = self.shapes.of(known[i])
            if shape is not None:
                starts.append((float(scores[i]), shape))
        return starts

    def _changed(self, starts: list[Scored]) -> list[Scored]:
        """The best change of each, of those that any change makes better."""
        best, ways = list(starts), (self._near(i, each) for i, (_, each) in enumerate(starts))
        new = itertools.islice(self._new(by_turns(*ways)), self.most)
        # rows of all of them would fill the memory
        while some := list(itertools.islice(new, AT_ONCE)):
            scores = self.expected([sketch for *_, sketch in some]).tolist()
            for score, (i, shape, _) in zip(scores, some, strict=True):
                self._kept.setdefault((shape.columns, frozenset(shape.chosen)), []).append(
                    (score, shape)
                )
                if score < best[i][0] - self.least:
                    best[i] = score, shape
            for kept in self._kept.values():
                kept.sort(key=_score_of)
                del kept[KEPT_EACH:]
        return [new for new, old in zip(best, starts, strict=True) if new is not old]

    def _new(self, near: Iterable[tuple[int, Shape]]) -> Iterator[tuple[int, Shape, Sketch]]:
        """What can be scored and was not met before."""
        left, at_once = iter(near), max(1, min(AT_ONCE, self.most // BATCHES))
        while some := list(itertools.islice(left, at_once)):
            self.task.evaluator.deadline.check()
            sketches = self.shapes.sketched(self.space, [shape for _, shape in some])
            for (i, shape), sketch in zip(some, sketches, strict=True):
                new = not sketch.refused and sketch.key not in self._seen
                if new and not self._excludes(shape):
                    self._seen.add(sketch.key)
                    yield i, shape, sketch

    def _excludes(self, shape: Shape) -> bool:
        """Whether a rule of the user's is against it, which reads the pattern."""
        return bool(self.space.exclusions and self.shapes.made(self.space, shape).refused)

    def _near(self, i: int, shape: Shape) -> Iterator[tuple[int, Shape]]:
        """What is near a start, with the number of the start."""
        for other in neighbours(self.shapes, self.space, shape):
            yield i, other


def _score_of(scored: Scored) -> float:
    return scored[0]


def expected_made(space: CandidateSpace) -> float:
    """How many sketches of candidates a descent is expected to make.

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
