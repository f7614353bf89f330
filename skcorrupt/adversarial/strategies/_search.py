"""A strategy with what it searches: one kind of error, or a process of several."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..candidates import ProcessTask, SearchTask
from ..proxies import Screened
from ._process_climb import ProcessClimb
from ._search_strategy import SearchStrategy


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

    def most_evaluations(self) -> int:
        """Most candidates that are scored on the pipeline."""
        if isinstance(self.task, ProcessTask):
            return self.strategy.most_processes(ProcessClimb(self.task))
        return self.strategy.most_evaluations(self.task)

    def expected_evaluations(self) -> float:
        """As many as are expected to be scored."""
        if isinstance(self.task, ProcessTask):
            return self.strategy.expected_processes(ProcessClimb(self.task))
        return self.strategy.expected_evaluations(self.task)

    def expected_seconds(self) -> float:
        """Seconds that are expected to go into other things than fits of the pipeline."""
        return sum(map(self.strategy.expected_seconds, self.task.parts))

    @property
    def otherwise(self) -> Search | None:
        """What is run in its place where the strategy finds that it cannot."""
        other = self.strategy.otherwise
        return None if other is None else replace(self, strategy=other)
