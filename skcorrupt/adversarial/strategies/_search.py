"""A strategy with what it searches: a kind of error, a process of several, a list of kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ..candidates import (
    CandidateSpace,
    Evaluator,
    KindsTask,
    OutOfTime,
    ProcessTask,
    SearchTask,
)
from ..proxies import Screened
from ._auto_run import SAMPLE_SHARE
from ._exactly import draws_values, is_closed
from ._process_climb import ProcessClimb
from ._refinement import Refinement, expected_near
from ._search_strategy import SearchStrategy
from ._settling import ENOUGH, FIRST, Settling, most_added, most_drawn
from ._workload import on_all_rows

# how often it is refined again from another candidate, where draws put that one first
MOST_AGAIN = 2
# patterns of so many conditions: with and without one on the label, and on the column hit
CLASSES = 4
# of a limited time, what is kept for drawing the worst again, and where errors draw values, as any
# of many scores may be lucky there
SETTLING_SHARE, LUCKY_SHARE = 0.1, 1 / 3


@dataclass(frozen=True)
class Search:
    """A strategy with what it searches.

    Attributes
    ----------
    strategy : SearchStrategy
        How candidates are found.
    task : SearchTask, ProcessTask or KindsTask
        Which there are.
    """

    strategy: SearchStrategy
    task: SearchTask | ProcessTask | KindsTask

    def run(self, told: Screened) -> None:
        """Score candidates of all budgets, and say what they were screened on.

        Parameters
        ----------
        told : Screened
            Filled in as the search goes on.

        Raises
        ------
        OutOfTime
            If the clock ended it, or a part of it.
        """
        if isinstance(self.task, KindsTask):
            # the worst of each kind is settled, and so is the worst of all
            self._run_kinds(told)
            return
        try:
            self._run_one(self.task, told)
        finally:
            # samples of all kinds would not fit into memory
            for part in self.task.parts:
                part.sample.clear()

    def _run_one(self, task: SearchTask | ProcessTask, told: Screened) -> None:
        """Score candidates of one kind of error, or of a process, and settle the worst."""
        ended, deadline = False, task.evaluator.deadline
        is_lucky = any(
            part.space.template._draws_values and on_all_rows(part) for part in task.parts
        )
        kept = LUCKY_SHARE if is_lucky else SETTLING_SHARE
        with deadline.within((1 - kept) * deadline.left()):
            if isinstance(task, ProcessTask):
                self.strategy.run_process(ProcessClimb(task), told)
            else:
                self.strategy.run(task, told)
            ended = True
        told.cut_short |= not ended
        if not ended or not isinstance(task, SearchTask):
            self._settle(told)
        if isinstance(task, SearchTask):
            # where draws did not need all that was kept for them, what is near the worst has it
            self._refine_and_settle(task, told)
        for worst in task.evaluator.ranked()[:1]:
            task.evaluator.bar.best(worst.score, settled=True)
        if not ended:
            raise OutOfTime

    def _refine_and_settle(self, task: SearchTask, told: Screened) -> None:
        """Refine the worst and draw it again, by turns while draws put another one first."""
        left = dict.fromkeys(task.budgets, self.strategy.most_refined(task))
        spaces, n_settled = task.spaces, 0
        for turn in range(1 + MOST_AGAIN):
            before = [_leader(task.evaluator, space.budget) for space in spaces]
            # what is near a lucky draw was looked at, not what is near those that it outdid
            for space in spaces if turn else []:
                left[space.budget] = self.strategy.look_again(task, space, left[space.budget])
            self._refine(task, spaces, left, told, again=turn > 0)
            after = [_leader(task.evaluator, space.budget) for space in spaces]
            if turn and after == before:
                return
            fallen = self._settle(told, n_settled)
            n_settled = len(task.evaluator.done)
            spaces = [space for space in task.spaces if space.budget in fallen]
            if not spaces:
                return

    def _settle(self, told: Screened, n_before: int = 0) -> set[float]:
        """Draw the leaders again; budgets within which another candidate is the worst now.

        Draws are added by what was scored since there were so many.
        """
        evaluator, budgets = self.task.evaluator, self.task.budgets
        with evaluator.bar.phase("Settling"):
            before = [_leader(evaluator, budget) for budget in budgets]
            try:
                Settling(evaluator, len(budgets), n_before).settle(budgets)
            finally:
                # where time is over in the middle of it, too
                after = [_leader(evaluator, budget) for budget in budgets]
                if after != before:
                    scores = (worst for _, worst in after)
                    told.note_draws(dict(zip(budgets, scores, strict=True)))
        pairs = zip(budgets, before, after, strict=True)
        return {budget for budget, (old, _), (new, _) in pairs if old != new}

    def _refine(
        self,
        task: SearchTask,
        spaces: Sequence[CandidateSpace],
        left: dict[float, int],
        told: Screened,
        *,
        again: bool,
    ) -> None:
        """Refine the worst of some budgets, with as many candidates as are left to each.

        Where draws have put it first, what is near it is compared by the same draws.
        """
        evaluator, most = task.evaluator, sum(left[space.budget] for space in spaces)
        with evaluator.bar.phase("Refining", most):
            for space in spaces:
                before = len(evaluator.done)
                n_added = most_added(before, len(task.budgets)) // len(task.budgets)
                refinement = Refinement(
                    task,
                    left[space.budget],
                    n_draws=FIRST if again else 1,
                    most_drawn=n_added if again else 0,
                )
                try:
                    refinement.refine(space)
                finally:
                    n_scored = len(evaluator.done) - before
                    if told.phases and n_scored:
                        worst = _leader(evaluator, space.budget)[1]
                        refined = {"phase": "refining", "budget": space.budget}
                        refined |= {"n_candidates": n_scored, "worst_score": worst}
                        told.phases.append(refined)
                left[space.budget] = refinement.left

    def _run_kinds(self, told: Screened) -> None:
        """One kind after the other, each as if it were alone, with its share of a limited time."""
        searches = self.kinds
        told.kinds.update({kind: Screened() for kind in searches})
        tasks = cast("KindsTask", self.task).kinds
        try:
            self.strategy.begin_kinds({kind: tasks[kind] for kind in searches}, told.kinds)
        finally:
            told.join(told.kinds, 0.0, column="kind")
        of_kinds: dict[str, Screened] = {}
        deadline, cut_short = self.task.evaluator.deadline, False
        for i, (kind, search) in enumerate(searches.items()):
            of_kinds[kind] = told.kinds[kind]
            with deadline.within(deadline.left() / (len(searches) - i)):
                try:
                    search.run(of_kinds[kind])
                except OutOfTime:
                    cut_short = True
                    raise
                finally:
                    # those of all kinds would not fit into memory
                    of_kinds[kind].stand_ins = None
                    # an interruption leaves what was screened until then
                    told.join(of_kinds, 0.0, column="kind")
        if cut_short:
            raise OutOfTime

    @property
    def kinds(self) -> dict[str, Search]:
        """The searches for the kinds of a list, by name.

        Raises
        ------
        ValueError
            If the strategy has nothing to do with any of them.
        """
        tasks = self.task.kinds if isinstance(self.task, KindsTask) else {}
        chosen = {kind: self.strategy.for_kind(task) for kind, task in tasks.items()}
        if tasks and not any(chosen.values()):
            raise ValueError(
                f"{type(self.strategy).__name__} has nothing about any of the kinds of error "
                f"{', '.join(tasks)}; pass another strategy."
            )
        return {
            kind: Search(strategy, tasks[kind])
            for kind, strategy in chosen.items()
            if strategy is not None
        }

    def most_evaluations(self) -> int:
        """Most candidates that are scored on the pipeline."""
        if isinstance(self.task, KindsTask):
            return sum(search.most_evaluations() for search in self.kinds.values())
        if isinstance(self.task, ProcessTask):
            return self.strategy.most_processes(ProcessClimb(self.task))
        return self.strategy.most_evaluations(self.task) + self._most_refined(self.task)

    def expected_work(self) -> tuple[float, float]:
        """As many evaluations as are expected, and as many draws as are expected to be added."""
        if isinstance(self.task, KindsTask):
            n_evaluations, n_draws = zip(
                *(search.expected_work() for search in self.kinds.values()), strict=True
            )
            return sum(n_evaluations), sum(n_draws)
        if isinstance(self.task, ProcessTask):
            expected = self.strategy.expected_processes(ProcessClimb(self.task))
            return expected, most_added(expected, len(self.task.budgets)) / 2
        near = expected_near(self.task, self.strategy.most_refined(self.task))
        expected = self.strategy.expected_evaluations(self.task) + near * len(self.task.budgets)
        return expected, self.strategy.expected_draws(self.task, expected)

    @property
    def asks_for_draws_alone(self) -> bool:
        """Whether all candidates are scored in closed form, and some are drawn afterwards."""
        tasks = [*self.task.kinds.values()] if isinstance(self.task, KindsTask) else [self.task]
        single = [task for task in tasks if isinstance(task, SearchTask)]
        return (
            len(single) == len(tasks)
            and all(map(is_closed, single))
            and any(map(draws_values, single))
        )

    def share_in_time(self, seconds: float, in_fits: float, beside: float) -> float:
        """Share of the candidates that are scored on the pipeline in some seconds.

        Parameters
        ----------
        seconds : float
            Those that there are.
        in_fits, beside : float
            What all of it takes, of the pipeline and beside it.

        Returns
        -------
        float
            Between 0 and 1.
        """
        if self._asks_a_sample:
            # it takes no more than what the pipeline leaves
            seconds, beside = max(seconds - beside, (1 - SAMPLE_SHARE) * seconds), 0.0
        wanted = in_fits + beside
        return float(np.clip(seconds / wanted, 0.0, 1.0)) if wanted else 1.0

    @property
    def _asks_a_sample(self) -> bool:
        """Whether a sample of the rows tells what is scored on all of them, of all kinds."""
        if isinstance(self.task, KindsTask):
            return all(search._asks_a_sample for search in self.kinds.values())
        return isinstance(self.task, SearchTask) and self.strategy.asks_a_sample(self.task)

    def most_draws(self) -> int:
        """Most draws that are added where errors are random."""
        if isinstance(self.task, KindsTask):
            return sum(search.most_draws() for search in self.kinds.values())
        n_candidates, n_budgets = self.most_evaluations(), len(self.task.budgets)
        near = MOST_AGAIN * most_added(n_candidates, n_budgets)
        return most_drawn(n_candidates, n_budgets) + near

    def most_draws_of_classes(self) -> int:
        """Most draws that are added to the worst of every class of patterns."""
        n_classes = CLASSES * sum(part.space.max_conditions + 1 for part in self.task.parts)
        return 2 * most_added(self.most_evaluations(), 1) + ENOUGH * n_classes

    @staticmethod
    def expected_draws_of_classes(added: float) -> float:
        """As many draws of the worst of classes as are expected, beside those of the search."""
        return added + ENOUGH

    def _most_refined(self, task: SearchTask) -> int:
        return self.strategy.most_refined(task) * len(task.budgets)

    def expected_seconds(self) -> float:
        """Seconds that are expected to go into other things than fits of the pipeline."""
        if isinstance(self.task, KindsTask):
            return sum(search.expected_seconds() for search in self.kinds.values())
        return sum(map(self.strategy.expected_seconds, self.task.parts))

    @property
    def otherwise(self) -> Search | None:
        """What is run in its place where the strategy finds that it cannot."""
        other = self.strategy.otherwise
        return None if other is None else replace(self, strategy=other)


def _leader(evaluator: Evaluator, budget: float) -> tuple[bytes, float]:
    """The worst candidate within a budget, by key, and its score; inf where there is none."""
    return next(((e.candidate.key, e.score) for e in evaluator.within(budget)), (b"", float("inf")))
