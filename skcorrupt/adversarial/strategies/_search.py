"""A strategy with what it searches: one kind of error, or a process of several."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..candidates import ProcessTask, SearchTask
from ..proxies import Screened
from ._process_climb import ProcessClimb
from ._refinement import Refinement
from ._search_strategy import SearchStrategy
from ._settling import Settling


@dataclass(frozen=True)
class Search:
    """A strategy with what it searches.

    Attributes
    ----------
    strategy : SearchStrategy
        How candidates are found.
    task : SearchTask or ProcessTask
        Which there are.
    """

    strategy: SearchStrategy
    task: SearchTask | ProcessTask

    def run(self, told: Screened) -> None:
        """Score candidates of all budgets, and say what they were screened on."""
        if isinstance(self.task, ProcessTask):
            self.strategy.run_process(ProcessClimb(self.task), told)
        else:
            self.strategy.run(self.task, told)
            self._refine(self.task)
        settling = Settling(self.task.evaluator)
        for budget in self.task.budgets:
            settling.settle(budget)

    def _refine(self, task: SearchTask) -> None:
        """Refine the worst of every budget."""
        for space in task.spaces:
            Refinement(task, self.strategy.most_refined(task)).refine(space)

    def most_evaluations(self) -> int:
        """Most candidates that are scored on the pipeline."""
        if isinstance(self.task, ProcessTask):
            return self.strategy.most_processes(ProcessClimb(self.task))
        return self.strategy.most_evaluations(self.task)

    @property
    def otherwise(self) -> Search | None:
        """What is run in its place where the strategy finds that it cannot."""
        other = self.strategy.otherwise
        return None if other is None else replace(self, strategy=other)
