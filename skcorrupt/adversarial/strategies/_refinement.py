"""The worst candidates changed piece by piece on the pipeline, at full resolution."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skcorrupt.utils import spawn_seeds

from ..candidates import (
    Candidate,
    CandidateSpace,
    Evaluation,
    Evaluator,
    SearchTask,
    Shape,
    Stream,
    some_candidates,
)
from ..candidates._shape import Shapes
from ..candidates._trades import trades
from ..proxies import CLOSER_ROWS, on_fewer_rows
from ._settling import Settling

IMPROVEMENT = 1e-12
# of the rows that two candidates match, the share of both that makes one near the other; and those
# of the worst that are compared with others
SHARED, LOOKED_AT = 0.8, 128
# of these, as many as are leaders too
ELSEWHERE = 2
# leaders that may differ in the columns of the pattern alone, where there are not many
FEW_LEADERS = 3
# rows of a training part beyond which neighbours are compared on fewer rows first, and those of
# them that are scored on all rows
MANY_ROWS, FINALISTS = 5 * CLOSER_ROWS, 4
# of the changes of a step, the lowest by what they are drawn so far, which are drawn as often as
# the leader is
DRAWN = 16
# pairs of conditions that are changed at once where no single change makes it worse
MOST_TRADED = 48


class Refinement:
    """Descends from the worst candidates, one piece at a time, to what no piece makes worse.

    Bounds go to observed values between those of the grid, ends of ranges open, categories come
    and go one by one, conditions that are not needed are dropped.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    most : int
        Most candidates that are scored.
    n_leaders : int, default=1
        How many of the worst, of different columns or labels, it starts from.
    swept : int, default=0
        Places of ends of ranges, those that are fewest rows away, that are scored besides for each
        of these in the end.
    hopeless : collection of tuples of labels, default=()
        Columns in which no pattern can be the worst.
    n_draws : int, default=1
        By so many draws, the same of all, random errors are compared. With more than one, what is
        near is drawn again.
    most_drawn : int, default=0
        Most draws that are added for that.
    """

    def __init__(
        self,
        task: SearchTask,
        most: int,
        n_leaders: int = 1,
        *,
        swept: int = 0,
        hopeless: Collection[tuple[Any, ...]] = (),
        n_draws: int = 1,
        most_drawn: int = 0,
    ) -> None:
        self.task, self.left, self.n_leaders, self.hopeless = task, most, n_leaders, hopeless
        self.swept, self.n_draws, self.draws_left = swept, n_draws, most_drawn
        self.evaluator = task.evaluator
        self._settling = Settling(task.evaluator)
        self.shapes = Shapes(task.space)

    @property
    def most(self) -> int:
        """Most candidates that are still scored."""
        return self.left + self.swept * self.n_leaders

    def refine(self, space: CandidateSpace, leaders: Collection[Evaluation] | None = None) -> None:
        """Refine the worst of a budget.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.
        leaders : collection of Evaluation, default=None
            Where it starts instead.
        """
        ended = []
        for leader in self.leaders(space) if leaders is None else leaders:
            shape = self.shapes.of(leader.candidate)
            if shape is not None:
                score = leader.score if self.n_draws == 1 else self._score(leader.candidate)
                ended.append(self._descend(space, shape, score))
        if self.swept:
            self._sweep(space, ended)

    def _sweep(self, space: CandidateSpace, ended: list[tuple[Shape, float]]) -> None:
        """Descend from where a range with one end a few rows away is worse.

        The score of trees is as low at one bound as it is high at the next.
        """
        self.left += self.swept * self.n_leaders
        while ended and self.left > 0:
            ways = [self.shapes.ends_moved(space, shape, self.swept) for shape, _ in ended]
            worse = []
            for (_, score), some, scores in zip(
                ended, ways, self._scored(space, ways), strict=True
            ):
                least = int(np.argmin(scores)) if scores else 0
                if scores and scores[least] < score - IMPROVEMENT:
                    worse.append((some[least], scores[least]))
            ended = [self._descend(space, shape, score) for shape, score in worse]

    def leaders(self, space: CandidateSpace) -> list[Evaluation]:
        """The worst candidates, the more of them the more different.

        The first may differ in the columns of the pattern alone, half of many differ in the columns
        hit or the labels. Where there are not so many sorts, others strike other rows: trees give
        the same score to many, and what is near the first of these is not near all. Where the worst
        owes its place to a draw, the worst of those that strike all rows of their patterns is there
        besides, of every label where there are not so many sorts: nothing near it need be as low as
        that draw.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.

        Returns
        -------
        list of Evaluation
            As many as `n_leaders`, or one more; the worst comes first.
        """
        found: dict[tuple[object, ...], Evaluation] = {}
        hits: dict[tuple[object, ...], Evaluation] = {}
        ranked = [
            each
            for each in self.evaluator.within(space.budget)
            if each.candidate.columns not in self.hopeless
        ]
        for each in ranked:
            candidate = each.candidate
            hit = (candidate.columns, self.shapes.side(candidate))
            names = frozenset(map(str, candidate.pattern.columns))
            first = hits.setdefault(hit, each) is each
            if len(found) < max(FEW_LEADERS, self.n_leaders // 2) or first:
                found.setdefault((*hit, names), each)
            if len(found) == self.n_leaders:
                break
        leaders = list(found.values())
        if 0 < len(leaders) < self.n_leaders:
            leaders += self._elsewhere(space, leaders, ranked)
            leaders += self._other_sorts(leaders, ranked)
        if leaders and self._is_drawn(leaders[0].candidate):
            most = max(1, self.n_leaders - len(leaders))
            leaders += [each for each in self._whole(ranked) if each not in leaders][:most]
        return leaders

    def _whole(self, ranked: list[Evaluation]) -> list[Evaluation]:
        """The worst that strike all rows of their patterns, one for each hit, the worst first."""
        found: dict[tuple[object, ...], Evaluation] = {}
        for each in ranked:
            if each.candidate.rate == 1:
                hit = (each.candidate.columns, self.shapes.side(each.candidate))
                found.setdefault(hit, each)
        return list(found.values())

    def _other_sorts(self, leaders: list[Evaluation], ranked: list[Evaluation]) -> list[Evaluation]:
        """The worst of other columns of the pattern, as many as there may be."""
        known = {frozenset(map(str, each.candidate.pattern.columns)) for each in leaders}
        found: list[Evaluation] = []
        for each in ranked:
            if len(leaders) + len(found) == self.n_leaders:
                break
            names = frozenset(map(str, each.candidate.pattern.columns))
            if names not in known:
                known.add(names)
                found.append(each)
        return found

    def _elsewhere(
        self, space: CandidateSpace, leaders: list[Evaluation], ranked: list[Evaluation]
    ) -> list[Evaluation]:
        """The worst that share few rows with others that hit the same columns."""
        rows: dict[tuple[Any, ...], list[np.ndarray]] = {}
        for each in leaders:
            rows.setdefault(each.candidate.columns, []).append(_matched(space, each.candidate))
        more: list[Evaluation] = []
        for each in ranked[:LOOKED_AT]:
            if len(more) == min(ELSEWHERE, self.n_leaders - len(leaders)):
                break
            own = _matched(space, each.candidate)
            others = rows.setdefault(each.candidate.columns, [])
            if all((own & other).sum() < SHARED * (own | other).sum() for other in others):
                others.append(own)
                more.append(each)
        return more

    def _is_drawn(self, candidate: Candidate) -> bool:
        """Whether the score depends on which of the rows that a pattern matches are struck."""
        return candidate.rate < 1 and not self.evaluator.knows_mean(candidate)

    def _descend(self, space: CandidateSpace, shape: Shape, score: float) -> tuple[Shape, float]:
        """Take the best change of any piece, and all that help at once, while that is worse."""
        while self.left > 0 or self.draws_left > 0:
            pieces = self.shapes.near(shape)
            scores = self._scored(space, pieces)
            bests = sorted(
                (
                    (min(each), piece[int(np.argmin(each))])
                    for each, piece in zip(scores, pieces, strict=True)
                ),
                key=lambda pair: pair[0],
            )
            better = [other for value, other in bests if value < score - IMPROVEMENT]
            if not better:
                found = (
                    self._fitted(space, shape, score)
                    or self._traded(space, shape, score)
                    or self._fitted(space, shape, score, moves=(-1, 1))
                )
                if found is None:
                    break
                score, shape = found
                continue
            score, first = bests[0]
            joined = self.shapes.joined(shape, reversed(better))
            ((value,),) = self._scored(space, [[joined]])
            shape, score = (joined, value) if value < score else (first, score)
        return shape, score

    def _fitted(
        self, space: CandidateSpace, shape: Shape, score: float, moves: Sequence[int] = (0,)
    ) -> tuple[float, Shape] | None:
        """The worst with a range that just fits the budget, if it is worse."""
        fitted = [
            replace(shape, chosen={**shape.chosen, j: levels})
            for j in shape.chosen
            for levels in self.shapes.fitted(space, shape, j, moves)
        ]
        return self._worst_of(space, fitted, score)

    def _traded(
        self, space: CandidateSpace, shape: Shape, score: float
    ) -> tuple[float, Shape] | None:
        """The worst with one condition narrower and another wider, if it is worse."""
        traded = trades(self.shapes, space, shape)[: min(MOST_TRADED, self.left)]
        return self._worst_of(space, traded, score)

    def _worst_of(
        self, space: CandidateSpace, shapes: list[Shape], score: float
    ) -> tuple[float, Shape] | None:
        if not shapes:
            return None
        (scores,) = self._scored(space, [shapes])
        least = int(np.argmin(scores))
        return (scores[least], shapes[least]) if scores[least] < score - IMPROVEMENT else None

    def _scored(self, space: CandidateSpace, pieces: list[list[Shape]]) -> list[list[float]]:
        """Scores of shapes, inf where one is not feasible or was too much to score."""
        made = [[self.shapes.made(space, shape) for shape in piece] for piece in pieces]
        wanted: dict[bytes, Candidate] = {}
        # what is not among the worst on the sample counts once, and may be later on
        again = {key for sampled in self.task.sample for key in sampled.done}
        left = self.left
        # those of all pieces that are nearest come first
        for candidates in itertools.zip_longest(*made):
            for candidate in candidates:
                if candidate is None or candidate.refused or candidate.key in self.evaluator.done:
                    continue
                if candidate.key in again:
                    wanted.setdefault(candidate.key, candidate)
                elif left > 0 and candidate.key not in wanted:
                    wanted[candidate.key] = candidate
                    left -= 1
        self.left = left
        self.evaluator.evaluate(self._likeliest([*wanted.values()]))
        if self.n_draws > 1:
            self._draw_lowest({c.key for piece in made for c in piece if c is not None})
        return [[self._score(candidate) for candidate in piece] for piece in made]

    def _draw_lowest(self, keys: Collection[bytes]) -> None:
        """Draw the lowest of some candidates as often as all are compared by."""
        known = [self.evaluator.done[key] for key in keys if key in self.evaluator.done]
        lowest = sorted((e for e in known if np.isfinite(e.score)), key=lambda e: e.place)[:DRAWN]
        fewer = [e for e in lowest if e.n_draws < self.n_draws and self._settling.is_random(e)]
        fewer = fewer[: max(0, self.draws_left)]
        self.draws_left -= sum(self.n_draws - e.n_draws for e in fewer)
        self.evaluator.draw_again(fewer, self.n_draws)

    def _likeliest(self, candidates: list[Candidate]) -> list[Candidate]:
        """All of them; of very many rows to fit on, the worst on a sample of the rows."""
        if self.evaluator.apply_to == "test":
            # clean fits are kept, and scores of their test parts cost little
            return candidates
        most_rows = max(len(split.train) for split in self.evaluator.splits)
        if most_rows <= MANY_ROWS or len(candidates) <= FINALISTS:
            return candidates
        sampled = self._sampled
        before = sampled.busy_seconds
        sampled.evaluate(candidates)
        self.evaluator.busy_seconds += sampled.busy_seconds - before
        scores = [sampled.done[each.key].score for each in candidates]
        # what fails on the sample is last
        order = np.argsort(scores, kind="stable")[:FINALISTS]
        return [candidates[i] for i in order]

    @property
    def _sampled(self) -> Evaluator:
        """The pipeline on fewer rows, the same ones in all refinements of a search."""
        if not self.task.sample:
            (seed,) = spawn_seeds(self.task.seed, 1, Stream.FEWER_ROWS)
            sampled = on_fewer_rows(self.task, self.evaluator.estimator, CLOSER_ROWS, seed)
            self.task.sample.append(sampled)
        return self.task.sample[0]

    def _score(self, candidate: Candidate) -> float:
        known = None if candidate.refused else self.evaluator.done.get(candidate.key)
        if known is None or not np.isfinite(known.score):
            return np.inf
        if self.n_draws == 1:
            return known.score
        if known.n_draws < self.n_draws and self._settling.is_random(known):
            return np.inf
        return float(known.draws[: self.n_draws].mean())


def _matched(space: CandidateSpace, candidate: Candidate) -> np.ndarray:
    """Rows that a candidate's pattern matches, as a mask."""
    y = space.target.for_patterns if candidate.pattern.uses_y else None
    return candidate.pattern.mask(space.table, y)


def expected_near(task: SearchTask, most: int) -> float:
    """How many candidates near the worst of a budget are expected to be scored.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    most : int
        Most of them.

    Returns
    -------
    float
        As many as are near some candidate, and half as many where one of them is worse.
    """
    shapes = Shapes(task.space)
    for candidate in some_candidates(task.space, 1, task.seed):
        shape = shapes.of(candidate)
        if shape is not None:
            return min(most, 1.5 * sum(map(len, shapes.near(shape))))
    return 0.0
