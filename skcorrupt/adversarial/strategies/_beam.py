"""Beam search over templates, with an optimizer for the bounds of each (algorithm 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.utils import spawn_seeds

from ..candidates._candidate_space import Candidate, SearchSpace, Template
from ..candidates._evaluator import Evaluator
from ..optimizers._grid_optimizer import GridOptimizer, Point
from ..optimizers._make_optimizer import BATCH, make_optimizer, n_evaluations

IMPROVEMENT = 1e-12


@dataclass
class Run:
    """The lower level at work on one template."""

    template: Template
    optimizer: GridOptimizer
    left: int
    best_point: Point | None = None
    best_score: float = np.inf
    waiting: list[tuple[Point, Candidate]] = field(default_factory=list)


@dataclass
class BeamSearch:
    """Upper level: which columns are hit and which attributes the pattern uses.

    Attributes
    ----------
    allowed : dict of tuple to list of int
        Attributes that the pattern may use, by columns hit.
    required : dict of tuple to frozenset of int
        Attributes that it must use.
    refused : Counter of str
        Why candidates were not evaluated, with their numbers.
    """

    space: SearchSpace
    evaluator: Evaluator
    allowed: dict[tuple[int, ...], list[int]]
    required: dict[tuple[int, ...], frozenset[int]]
    optimizer: str | type[GridOptimizer]
    n_calls: int
    beam_width: int
    max_conditions: int
    baseline: float
    seed: int
    n_templates: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        search: Any,
        space: SearchSpace,
        evaluator: Evaluator,
        allowed: dict[tuple[int, ...], list[int]],
        required: dict[tuple[int, ...], frozenset[int]],
        **settings: Any,
    ) -> BeamSearch:
        """A beam search as a search's parameters say."""
        return cls(
            space,
            evaluator,
            allowed,
            required,
            optimizer=search.optimizer,
            n_calls=search.n_calls,
            beam_width=search.beam_width,
            max_conditions=search.max_conditions,
            **settings,
        )

    def seeds(self) -> list[Template]:
        """Templates of the first round: what is required, else one attribute each."""
        if self.max_conditions == 0:
            return [Template(columns, frozenset()) for columns in self.allowed]
        templates = []
        for columns, attributes in self.allowed.items():
            if self.required[columns] or not attributes:
                templates.append(Template(columns, self.required[columns]))
            else:
                templates += [Template(columns, frozenset({j})) for j in attributes]
        return templates

    def run(self) -> None:
        """Search until a round improves nothing or patterns are as long as they may be."""
        runs: dict[Template, Run] = {}
        expanded: set[Template] = set()
        best = np.inf
        fresh: list[tuple[Template, list[Point]]] = [(template, []) for template in self.seeds()]
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
                for child in self._children(run.template):
                    if child not in runs:
                        starts.setdefault(child, []).extend(self._starts(run, child))
            fresh = list(starts.items())

    def _children(self, template: Template) -> Iterable[Template]:
        if template.depth >= self.max_conditions:
            return
        for j in self.allowed[template.columns]:
            if j not in template.attributes:
                yield Template(template.columns, template.attributes | {j})

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
            optimizer = make_optimizer(self.optimizer, grid, self.n_calls, seed, start)
            left = n_evaluations(self.optimizer, grid.size, self.n_calls)
            runs.append(Run(template, optimizer, left))
        active = runs
        while active:
            for run in active:
                self._fill(run)
            active = [run for run in active if run.waiting]
            self.evaluator.evaluate([c for run in active for _, c in run.waiting])
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
                self.refused[candidate.refused] += 1
                told.append((point, self.baseline))
            elif candidate.key in self.evaluator.done:
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
        return score if np.isfinite(score) else self.baseline

    @staticmethod
    def _tell(run: Run, told: list[tuple[Point, Any]]) -> None:
        if told:
            run.optimizer.tell([point for point, _ in told], [score for _, score in told])
