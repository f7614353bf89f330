"""Longer patterns chosen by what the pipeline's own scores teach."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from skcorrupt.utils import spawn_seeds

from ..candidates import (
    Candidate,
    CandidateSpace,
    Evaluation,
    SearchTask,
    Shape,
    Sketch,
    Stream,
    Template,
    filled_space,
    finer_space,
)
from ..candidates._shape import Shapes
from ._compared_rows import ComparedRows
from ._neighbours import sort_of
from ._proxy_descent import fitted_candidates
from ._settling import draw_lucky
from ._struck_rows_process import Outlook, StruckRowsProcess
from ._taught_descent import TaughtDescent

# bins of numbers among which it chooses, at least
N_BINS = 16
# candidates that it chooses among: all of the finer grid where there are no more
POOL = 4_608
# scored candidates that it learns from, half of them the worst
TAUGHT = 768
# scored at once, and the share of all rounds in which nothing gets worse before it ends
AT_ONCE, IDLE = 24, 0.45
# the worst, of different columns, that are changed and grown, and as many as are added of either
LEADERS, ADDED = 3, 256
# share of the spread of scores below which a lower one is no gain
LEAST_GAIN = 1e-4
# rounds after which the settings of the process are chosen anew
CHOSEN_EVERY = 8


class Learning:
    """Scores on the pipeline what a Gaussian process over its scores expects to be worst.

    It chooses among patterns on a finer grid, all of them or a sample, among the worst with one
    more condition and among what is near them at full resolution, and among where descents on what
    it expects end.

    Parameters
    ----------
    task : SearchTask
        What was scored.
    space : CandidateSpace
        The candidates of the budget.
    rounds : int
        How often some are scored, at most.
    """

    def __init__(self, task: SearchTask, space: CandidateSpace, rounds: int) -> None:
        self.task, self.space, self.rounds = task, space, rounds
        self.finer = filled_space(finer_space(space, N_BINS))
        self.shapes = Shapes(task.space)
        (seed,) = spawn_seeds(task.seed, 1, Stream.LEARNED)
        self.rng = np.random.default_rng(seed)
        self.compared = ComparedRows(space, self.rng)
        self.candidates: dict[bytes, Candidate] = {}
        self._led: set[bytes] = set()
        # while the settings of a process stay: what it expects, of what, and what it knows
        self._outlook: Outlook | None = None
        self._watched: dict[bytes, Candidate] = {}
        self._known: set[bytes] = set()

    def learn(self) -> None:
        """Score by turns what is expected to be worst, and learn from it."""
        few = n_points_up_to(self.finer, self.space.max_conditions) <= POOL
        all_of_them = candidates_up_to(self.finer, self.space.max_conditions)
        self._add(self._in_time(all_of_them if few else _drawn(self.finer, self.rng)))
        self._add(self._in_time(fitted_candidates(self.task, self.space, most=POOL // 2)))
        draw_lucky(self.task.evaluator, self._leading)
        worst, idle = self._worst(), 0
        for i in range(self.rounds):
            self._add(self._in_time(self._near_leaders()))
            chosen = self._chosen(anew=i % CHOSEN_EVERY == 0)
            if not chosen:
                return
            self.task.evaluator.evaluate(chosen)
            draw_lucky(self.task.evaluator, self._leading)
            idle = 0 if self._worst() < worst else idle + 1
            worst = self._worst()
            if idle >= IDLE * self.rounds:
                return

    def make_some(self, n: int) -> None:
        """Draw candidates as they are to be compared, of which some may be refused."""
        self._add(_drawn(self.finer, self.rng, n))
        if self.candidates:
            self.compared.of(list(self.candidates.values()))

    def sketch_some(self, n: int) -> int:
        """Sketch what is near candidates that were made; how many of so many there were."""
        shapes = filter(None, map(self.shapes.of, self.candidates.values()))
        near = (o for shape in shapes for piece in self.shapes.near(shape) for o in piece)
        some = self.shapes.sketched(self.space, list(itertools.islice(near, n)))
        if some:
            self.compared.of(some)
        return len(some)

    def _worst(self) -> float:
        within = self.task.evaluator.within(self.space.budget)
        return within[0].score if within else np.inf

    def _add(self, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            if not candidate.refused:
                self.candidates.setdefault(candidate.key, candidate)

    def _chosen(self, *, anew: bool) -> list[Candidate]:
        """The worst by a draw of what every score may be (Thompson, 1933)."""
        done = self.task.evaluator.done
        scored = [e for e in done.values() if not e.infeasible and np.isfinite(e.score)]
        if len(scored) < 2 or not self._open:
            return self._open[:AT_ONCE]
        outlook = None if anew else self._outlook
        if outlook is None:
            outlook = self._begin(scored)
        else:
            self._go_on(outlook, scored)
        mean, deviation = outlook.predict()
        drawn = mean + deviation * self.rng.standard_normal(len(mean))
        watched = list(self._watched.values())
        ordered = (watched[i] for i in np.argsort(drawn, kind="stable").tolist())
        return list(itertools.islice((c for c in ordered if c.key not in done), AT_ONCE))

    def _begin(self, scored: Sequence[Evaluation]) -> Outlook:
        """Choose the settings of a process, and descend on what it expects."""
        scores = _scores_of(scored)
        some = self._taught(scores)
        known = self.compared.of([scored[i].candidate for i in some])
        process = StruckRowsProcess(known, scores[some])
        self._known = {each.candidate.key for each in scored}
        self._watched = {candidate.key: candidate for candidate in self._open}
        self._outlook = Outlook(process, self.compared.of(list(self._watched.values())))
        self._add(self._descended(self._outlook))
        self._watch_new(self._outlook)
        return self._outlook

    def _go_on(self, outlook: Outlook, scored: Sequence[Evaluation]) -> None:
        """Learn what was scored since, and watch what there is to choose since."""
        new = [each for each in scored if each.candidate.key not in self._known]
        if new:
            outlook.learn(self.compared.of([each.candidate for each in new]), _scores_of(new))
            self._known.update(each.candidate.key for each in new)
        self._watch_new(outlook)

    def _watch_new(self, outlook: Outlook) -> None:
        added = {c.key: c for c in self._open if c.key not in self._watched}
        if added:
            outlook.add(self.compared.of(list(added.values())))
            self._watched |= added

    @property
    def _open(self) -> list[Candidate]:
        """What was not scored."""
        done = self.task.evaluator.done
        return [candidate for key, candidate in self.candidates.items() if key not in done]

    def _descended(self, outlook: Outlook) -> list[Candidate]:
        """What lies on the ways down from the best of every sort."""
        within = self.task.evaluator.within(self.space.budget)
        scored = [each.candidate for each in within[:TAUGHT]]
        process = outlook.process

        def expected(some: Sequence[Candidate | Sketch]) -> np.ndarray:
            return process.expected(self.compared.of(some))

        known = [*self._watched.values(), *scored]
        scores = np.concatenate([outlook.predict()[0], expected(scored)])
        least = LEAST_GAIN * process.spread
        descent = TaughtDescent(self.task, self.space, self.shapes, expected, least)
        return descent.run(known, scores)

    def _taught(self, scores: np.ndarray) -> np.ndarray:
        order = np.argsort(scores, kind="stable")
        worst, others = order[: TAUGHT // 2], order[TAUGHT // 2 :]
        return np.concatenate([worst, self.rng.permutation(others)[: TAUGHT - len(worst)]])

    def _in_time(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        for candidate in candidates:
            self.task.evaluator.deadline.check()
            yield candidate

    def _near_leaders(self) -> Iterator[Candidate]:
        """The worst with one piece changed at full resolution, or with one more condition."""
        for leader in (each.candidate for each in self._leading()):
            shape = self.shapes.of(leader)
            if leader.key in self._led or shape is None:
                continue
            self._led.add(leader.key)
            near = [other for piece in self.shapes.near(shape) for other in piece]
            some = self.rng.permutation(len(near))[:ADDED]
            for other in (*self._grown(shape), *(near[i] for i in np.sort(some))):
                yield self.shapes.made(self.space, other)

    def _leading(self) -> list[Evaluation]:
        """The worst of different columns."""
        found: dict[object, Evaluation] = {}
        for each in self.task.evaluator.within(self.space.budget):
            found.setdefault(sort_of(each.candidate), each)
            if len(found) == LEADERS:
                break
        return list(found.values())

    def _grown(self, shape: Shape) -> Iterator[Shape]:
        """A shape with one more condition, some of all that there are."""
        if len(shape.chosen) >= self.space.max_conditions:
            return
        others = [j for j in self.space.allowed[shape.columns] if j not in shape.chosen]
        more = [(j, atom) for j in others for atom in range(self.finer.attributes[j].n_atoms)]
        for i in np.sort(self.rng.permutation(len(more))[:ADDED]):
            j, atom = more[i]
            levels = self.shapes.fine(j).matched(self.finer.attributes[j].mask(atom))
            yield replace(shape, chosen={**shape.chosen, j: levels})


def _scores_of(evaluations: Sequence[Evaluation]) -> np.ndarray:
    return np.array([each.score for each in evaluations])


def n_points_up_to(space: CandidateSpace, longest: int) -> int:
    """Points of the grids of patterns of so many conditions at most, until there are many."""
    total = 0
    for template in _templates(space, longest):
        total += space.grid(template).size
        if total > POOL:
            break
    return total


def candidates_up_to(space: CandidateSpace, longest: int) -> Iterator[Candidate]:
    """The candidates of so many conditions at most that can be scored."""
    for template in _templates(space, longest):
        grid = space.grid(template)
        for point in map(tuple, grid.points(np.arange(grid.size)).tolist()):
            candidate = space.candidate(template, point)
            if not candidate.refused:
                yield candidate


def _templates(space: CandidateSpace, longest: int) -> Iterator[Template]:
    for depth in space.depths:
        if depth <= longest:
            yield from space.templates_of_depth(depth)


def _drawn(
    space: CandidateSpace, rng: np.random.Generator, most: int = POOL
) -> Iterator[Candidate]:
    """About as many of every number of conditions."""
    depths = [depth for depth in space.depths if depth > 0 and _able(space, depth)]
    for i in range(most if depths else 0):
        template = _random_template(space, depths[i % len(depths)], rng)
        grid = space.grid(template)
        point = tuple(grid.points(rng.integers(grid.size, size=1))[0].tolist())
        candidate = space.candidate(template, point)
        if not candidate.refused:
            yield candidate


def _random_template(space: CandidateSpace, depth: int, rng: np.random.Generator) -> Template:
    able = _able(space, depth)
    columns = able[rng.integers(len(able))]
    need = space.required[columns]
    others = [j for j in space.allowed[columns] if j not in need]
    more = rng.choice(others, depth - len(need), replace=False).tolist() if others else []
    return Template(columns, need | frozenset(more))


def _able(space: CandidateSpace, depth: int) -> list[tuple[int, ...]]:
    """Columns hit for which a pattern can have so many conditions."""
    return [
        columns
        for columns, attributes in space.allowed.items()
        if len(space.required[columns]) <= depth <= len(attributes)
    ]
