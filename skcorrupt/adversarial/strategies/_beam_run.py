"""Beam search over templates, with an optimizer for the bounds of each (algorithm 1)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from skcorrupt.utils import spawn_seeds

from ..candidates import Candidate, CandidateSpace, SearchTask, Stream, Template
from ..optimizers import BATCH, ExhaustiveOptimizer, Grid, GridOptimizer, Point, make_optimizer

IMPROVEMENT = 1e-12
# what the first round misses no later one finds, so all shortest patterns are scored
ENUMERATED = 1
# but for columns of so many levels that this takes longer than the rest
MOST_ENUMERATED = 512


def is_enumerated(template: Template, grid: Grid) -> bool:
    """Whether all points of a template are scored."""
    return template.depth <= ENUMERATED and grid.size <= MOST_ENUMERATED


def calls_of(template: Template, grid: Grid, n_calls: int) -> int:
    """How many candidates of a template are scored.

    Parameters
    ----------
    template : Template
        The template.
    grid : Grid
        Its points.
    n_calls : int
        Candidates that are scored where not all are.

    Returns
    -------
    int
        All points where there is but one condition.
    """
    return grid.size if is_enumerated(template, grid) else min(grid.size, n_calls)


def first_calls(space: CandidateSpace, n_calls: int) -> int:
    """How many candidates the first round scores, at most.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of a budget.
    n_calls : int
        Candidates of a template that are scored where not all are.

    Returns
    -------
    int
        Those of the shortest templates.
    """
    return sum(calls_of(each, space.grid(each), n_calls) for each in space.first_templates())


def longer_calls(
    space: CandidateSpace, n_calls: int, beam_width: int, goes_on: float = 1.0
) -> float:
    """How many candidates later rounds score.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of a budget.
    n_calls : int
        Candidates of a template that are scored where not all are.
    beam_width : int
        Templates that survive a round.
    goes_on : float, default=1.0
        How often a round is followed by another one; 1 for the most that there can be.

    Returns
    -------
    float
        None where the shortest patterns are as long as they may be.
    """
    depths = [template.depth for template in space.first_templates()]
    # by the most that there can be others go, such as refinements, so that it is a rough bound
    is_bound = goes_on == 1.0
    unseen = math.inf if is_bound else space.n_templates - len(depths)
    # of those that come first the longest are expected to be the worst
    shortest = (min if is_bound else max)(depths, default=0)
    largest = max((len(attributes) for attributes in space.allowed.values()), default=0)
    levels = sorted((a.n_atoms for a in space.attributes.values()), reverse=True)
    rest = len(space.label_choices) * len(space.rate_steps)
    deepest = min(space.max_conditions, largest)
    total = 0.0
    for more in range(deepest - shortest if depths else 0):
        size = rest * math.prod(levels[: max(depths) + more + 1])
        children = min(beam_width * max(0, largest - shortest - more), unseen)
        unseen -= children
        total += goes_on ** (more + 1) * children * min(size, n_calls)
    return total


@dataclass
class Run:
    """The lower level at work on one template."""

    template: Template
    optimizer: GridOptimizer
    left: int
    best_point: Point | None = None
    best_score: float = np.inf
    waiting: list[tuple[Point, Candidate]] = field(default_factory=list)


class BeamRun:
    """Upper level: which columns are hit and which attributes the pattern uses.

    Parameters
    ----------
    task : SearchTask
        What scores candidates.
    space : CandidateSpace
        The candidates of one budget.
    optimizer : str or type
        What proposes bounds.
    n_calls : int
        Candidates scored for each template of several conditions.
    beam_width : int
        Templates that survive a round.
    """

    def __init__(
        self,
        task: SearchTask,
        space: CandidateSpace,
        optimizer: str | type[GridOptimizer],
        n_calls: int,
        beam_width: int,
    ) -> None:
        self.task, self.space, self.evaluator = task, space, task.evaluator
        self.optimizer, self.n_calls, self.beam_width = optimizer, n_calls, beam_width
        (self.seed,) = spawn_seeds(task.seed, 1, Stream.BEAM)
        self.n_templates = 0
        # what others scored before counts as its own, so that it goes the way it would go alone
        self.scored: set[bytes] = set()

    def run(self) -> None:
        """Search until a round improves nothing or patterns are as long as they may be."""
        runs: dict[Template, Run] = {}
        expanded: set[Template] = set()
        best = np.inf
        fresh: list[tuple[Template, list[Point]]] = [
            (template, []) for template in self.space.first_templates()
        ]
        while fresh:
            for run in self._round(fresh):
                runs[run.template] = run
            beam = sorted(
                (run for run in runs.values() if np.isfinite(run.best_score)),
                key=lambda run: run.best_score,
            )[: self.beam_width]
            if not beam or beam[0].best_score >= best - IMPROVEMENT:
                return
            best = beam[0].best_score
            starts: dict[Template, list[Point]] = {}
            for run in beam:
                if run.template in expanded:
                    continue
                expanded.add(run.template)
                for child in self.space.longer_templates(run.template):
                    if child not in runs:
                        starts.setdefault(child, []).extend(self._starts(run, child))
            fresh = list(starts.items())

    def _starts(self, parent: Run, child: Template) -> list[Point]:
        """The parent's best point with a few conditions of the new attribute."""
        if parent.best_point is None:
            return []
        order = sorted(child.attributes)
        known = dict(zip(sorted(parent.template.attributes), parent.best_point, strict=False))
        (new,) = child.attributes - parent.template.attributes
        n_atoms = self.space.attributes[new].n_atoms
        rng = np.random.default_rng(spawn_seeds(self.seed, 1, 1, new)[0])
        chosen = rng.permutation(n_atoms)[: max(2, self.n_calls // 4)]
        tail = parent.best_point[-2:]
        return [(*[int(atom) if j == new else known[j] for j in order], *tail) for atom in chosen]

    def _round(self, templates: list[tuple[Template, list[Point]]]) -> list[Run]:
        """Run the lower level of all templates in step, so that their fits are one batch."""
        runs = []
        for template, start in templates:
            grid = self.space.grid(template)
            seed = spawn_seeds(self.seed, 1, 0, self.n_templates)[0]
            self.n_templates += 1
            n_calls = calls_of(template, grid, self.n_calls)
            optimizer = (
                ExhaustiveOptimizer(grid, n_calls, seed)
                if is_enumerated(template, grid)
                else make_optimizer(self.optimizer, grid, n_calls, seed, start)
            )
            runs.append(Run(template, optimizer, n_calls))
        active = runs
        while active:
            for run in active:
                # asking an optimizer may take longer than a fit
                self.evaluator.deadline.check(found=self.evaluator.found_any)
                self._fill(run)
            active = [run for run in active if run.waiting]
            candidates = [c for run in active for _, c in run.waiting]
            self.evaluator.evaluate(candidates)
            self.scored.update(c.key for c in candidates)
            for run in active:
                self._learn(run)
            active = [run for run in active if run.left > 0]
        return runs

    def _fill(self, run: Run) -> None:
        """Take the optimizer's next points until a batch of new candidates is together."""
        told: list[tuple[Point, float]] = []
        keys: set[bytes] = set()
        for point in run.optimizer.ask():
            if len(run.waiting) >= min(BATCH, run.left):
                break
            candidate = self.space.candidate(run.template, point)
            if candidate.refused:
                self.task.refused[candidate.refused] += 1
                told.append((point, self.task.baseline))
            elif candidate.key in self.scored:
                told.append((point, self._note(run, point, candidate)))
            elif candidate.key not in keys:
                keys.add(candidate.key)
                run.waiting.append((point, candidate))
        self._tell(run, told)

    def _learn(self, run: Run) -> None:
        told = [(point, self._note(run, point, c)) for point, c in run.waiting]
        run.left -= len(run.waiting)
        run.waiting = []
        self._tell(run, told)

    def _note(self, run: Run, point: Point, candidate: Candidate) -> float:
        """The score of an evaluated candidate as the optimizer is to see it."""
        score = self.evaluator.done[candidate.key].score
        if np.isfinite(score) and score < run.best_score:
            run.best_score, run.best_point = score, point
        return score if np.isfinite(score) else self.task.baseline

    @staticmethod
    def _tell(run: Run, told: list[tuple[Point, float]]) -> None:
        if told:
            run.optimizer.tell([point for point, _ in told], [score for _, score in told])
