"""What every way to search has: what it costs at most, and how it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.base import BaseEstimator

from ..candidates import CandidateSpace, ProcessTask, SearchTask
from ..proxies import Screened
from ._process_climb import ProcessClimb
from ._settling import most_added

# candidates that say whether the worst is worst among its neighbours
LEAST_REFINED = 16


class SearchStrategy(BaseEstimator):
    """Base of the ways to search: which candidates the pipeline scores.

    A subclass writes `run` and `most_evaluations`, and names its parameters in
    `_parameter_constraints`. All that it scores goes through `task.evaluator`, which remembers;
    the search takes the worst from there.
    """

    _parameter_constraints: dict[str, Any] = {}
    # what a plan says besides its numbers
    note: ClassVar[str] = ""

    def check(self) -> None:
        """Refuse parameters that are none, before anything is fitted.

        Raises
        ------
        ValueError, TypeError
            With the parameter and what is allowed.
        """
        self._validate_params()

    def most_evaluations(self, task: SearchTask) -> int:
        """Most candidates that it scores on the pipeline.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            Over all budgets.
        """
        raise NotImplementedError(f"{type(self).__name__} should define most_evaluations(task).")

    def expected_evaluations(self, task: SearchTask) -> float:
        """As many candidates as it is expected to score on the pipeline, for the plan.

        Unless a subclass knows better, all that `most_evaluations` tells.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error, which is left as it is.

        Returns
        -------
        float
            Over all budgets.
        """
        return self.most_evaluations(task)

    def expected_seconds(self, task: SearchTask) -> float:
        """Seconds that are expected to go into other things than fits of the pipeline.

        That is the time of stand-ins and of optimizers. A subclass that has such things does a
        little of them, times it with `skcorrupt.adversarial.candidates.timed`, and multiplies.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error, which is left as it is.

        Returns
        -------
        float
            Over all budgets, on one core.
        """
        return 0.0

    def run(self, task: SearchTask, told: Screened) -> None:
        """Score candidates of all budgets.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Filled in with what candidates were screened on, where they were.
        """
        raise NotImplementedError(f"{type(self).__name__} should define run(task, told).")

    def begin_kinds(
        self, tasks: Mapping[str, SearchTask | ProcessTask], told: Mapping[str, Screened]
    ) -> None:
        """Do what several kinds of error have in common, before each of them is searched.

        Unless a subclass knows of such things, there are none.

        Parameters
        ----------
        tasks : dict of str to SearchTask or ProcessTask
            The searches for the kinds, by name.
        told : dict of str to Screened
            What each was screened on.
        """

    def most_refined(self, task: SearchTask) -> int:
        """Most candidates near the worst of a budget that are scored in the end.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            For each budget.
        """
        return max(LEAST_REFINED, self.most_evaluations(task) // len(task.budgets) // 4)

    def look_again(self, task: SearchTask, space: CandidateSpace, most: int) -> int:
        """Score what else may be the worst where draws put another candidate first.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        space : CandidateSpace
            The candidates of the budget.
        most : int
            Most candidates that it may score.

        Returns
        -------
        int
            How many of these are left, to refine the worst with: all, if there is nothing else.
        """
        return most

    def expected_draws(self, task: SearchTask, n_candidates: float) -> float:
        """As many draws of random errors as are expected to be added.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        n_candidates : float
            How many are scored.

        Returns
        -------
        float
            On every split: where values are drawn, one each, as any score may be lucky.
        """
        lucky = n_candidates if getattr(task.space.template, "_draws_values", None) else 0.0
        return lucky + most_added(n_candidates, len(task.budgets)) / 2

    def asks_a_sample(self, task: SearchTask) -> bool:
        """Whether a sample of the rows tells what is scored on all of them, which comes last.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        bool
            False unless a subclass does so.
        """
        return False

    def for_kind(self, task: SearchTask | ProcessTask) -> SearchStrategy | None:
        """What is run for one kind of error among several.

        Parameters
        ----------
        task : SearchTask or ProcessTask
            The search for the kind.

        Returns
        -------
        SearchStrategy or None
            Itself, unless it has nothing to do with the kind; None leaves the kind out.
        """
        return self

    @property
    def otherwise(self) -> SearchStrategy | None:
        """What is run in its place where it finds that it cannot, if there is such a thing."""
        return None

    def run_process(self, climb: ProcessClimb, told: Screened) -> None:
        """Score processes: every member alone in this way, then one after the other.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.
        told : Screened
            As for `run`.
        """
        climb.up(lambda member: self.run(member, told))
        # all of a member while the others are held is not all of the process
        told.enumerated.clear()

    def most_processes(self, climb: ProcessClimb) -> int:
        """Most processes that are scored on the pipeline.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        int
            Over all budgets.
        """
        return climb.most_evaluations(sum(map(self.most_evaluations, climb.task.parts)))

    def expected_processes(self, climb: ProcessClimb) -> float:
        """As many processes as it is expected to score on the pipeline.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        float
            Over all budgets.
        """
        alone = sum(map(self.expected_evaluations, climb.task.parts))
        return climb.expected_share * climb.most_evaluations(round(alone))
