"""What a strategy is given: candidates of one kind of error, or of a process, and their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.utils._typing import Scoring

from ._candidate import Candidate
from ._candidate_space import CandidateSpace
from ._evaluator import Evaluator
from ._process_candidate import ProcessCandidate, ProcessMaker
from ._random_draws import random_draw, random_draws


@dataclass(frozen=True)
class SearchTask:
    """The search for one kind of error.

    Attributes
    ----------
    space : CandidateSpace
        The candidates, at the largest budget.
    evaluator : Evaluator
        Scores them on the pipeline.
    budgets : tuple of float
        Largest fractions of rows struck in a split, the smallest first.
    baseline : float
        Score of the clean pipeline.
    seed : int
        Seed of the search.
    scoring : str, callable or None
        The score as the user gave it.
    clean_tests : bool
        Whether test parts are as they were given.
    refused : Counter of str
        Why candidates were not evaluated, with their numbers.
    learned : dict of str to float
        What plans found out by some fits, which are not made again.
    unread : sequence of tuple of labels
        Columns that may be hit together and are not among the candidates, as there was no time to
        see what errors in them do.
    sample : list of Evaluator
        The pipeline on fewer rows, once it was asked for, with what was scored on them; a copy of
        the task has none.
    """

    space: CandidateSpace
    evaluator: Evaluator
    budgets: tuple[float, ...]
    baseline: float
    seed: int
    scoring: Scoring = None
    clean_tests: bool = True
    refused: Counter[str] = field(default_factory=Counter)
    learned: dict[str, float] = field(default_factory=dict)
    unread: Sequence[tuple[Any, ...]] = ()
    sample: list[Evaluator] = field(default_factory=list, init=False)

    @property
    def spaces(self) -> list[CandidateSpace]:
        """The candidates of every budget."""
        return [self.space.within(budget) for budget in self.budgets]

    @property
    def parts(self) -> Sequence[SearchTask]:
        """Itself: it is no process of several."""
        return [self]

    def random_draws(self, chosen: Candidate) -> Sequence[BaseCorruption]:
        """Errors of a candidate's size under the template's own pattern, one for each split.

        Parameters
        ----------
        chosen : Candidate
            The candidate.

        Returns
        -------
        list of BaseCorruption
            In the order of the splits.
        """
        n_splits = len(self.evaluator.splits)
        return random_draws(chosen, self.space, self.evaluator.struck_parts[:n_splits])


@dataclass(frozen=True)
class ProcessTask:
    """The search for the worst process of several errors.

    Attributes
    ----------
    maker : ProcessMaker
        Joins members within the budget.
    members : dict of str to SearchTask
        The search for each member that leaves something unset.
    evaluator : Evaluator
        Scores processes on the pipeline.
    budgets : tuple of float
        Largest fractions of rows struck in a split, the smallest first.
    """

    maker: ProcessMaker
    members: Mapping[str, SearchTask]
    evaluator: Evaluator
    budgets: tuple[float, ...]

    @property
    def parts(self) -> Sequence[SearchTask]:
        """The searches of its members."""
        return [*self.members.values()]

    @property
    def refused(self) -> Counter[str]:
        """Why candidates were not evaluated, of all members together."""
        return self.parts[0].refused

    def random_draws(self, chosen: Candidate) -> Sequence[CorruptionProcess]:
        """Errors of a process's sizes in random rows, one process for each split."""
        spaces = {name: member.space for name, member in self.members.items()}
        parts = self.evaluator.struck_parts[: len(self.evaluator.splits)]
        return [
            random_draw(cast("ProcessCandidate", chosen), self.maker, spaces, rows)
            for rows in parts
        ]
