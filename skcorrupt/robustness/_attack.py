"""A pipeline under attack: what a search scored on it, and errors that were found elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._problem import Problem
from skcorrupt.adversarial._served import with_model
from skcorrupt.adversarial.candidates import Candidate, Evaluation, search_settings
from skcorrupt.adversarial.proxies import Screened
from skcorrupt.adversarial.strategies import Search, SearchStrategy, Settling
from skcorrupt.evaluation import Journal
from skcorrupt.utils._typing import ColumnLike, TableLike


@dataclass
class Attack:
    """Everything that was done to a pipeline on the same splits.

    Attributes
    ----------
    problem : Problem
        The search, laid out, with all scores so far.
    """

    problem: Problem

    @classmethod
    def on(
        cls,
        search: AdversarialCorruptionSearch,
        X: TableLike,
        y: ColumnLike | None,
        fit_params: dict[str, Any] | None = None,
        verbose: int = 0,
        who: str = "",
    ) -> Attack:
        """Lay a search out.

        Parameters
        ----------
        search : AdversarialCorruptionSearch
            The search, with a pipeline; with a journal it goes on from what is kept there.
        X : table of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,) or None
            Clean labels.
        fit_params : dict or None, default=None
            Parameters of the pipeline's `fit`.
        verbose : int, default=0
            1 shows searches of it.
        who : str, default=""
            What is attacked, as these show it.

        Returns
        -------
        Attack
            With clean scores.
        """
        problem = search.lay_out(X, y, **(fit_params or {}))
        bar = problem.evaluator.bar
        bar.verbose, bar.of = verbose, who
        if search.journal is not None:
            journal = Journal(search.journal)
            told = search_settings(with_model(search.get_params(deep=False)), problem.data)
            journal.seed(told, problem.data.seed, drawn=False)
            splits = [(split.train, split.test) for split in problem.splits]
            journal.begin(search.cv, splits)
            problem.evaluator.keep(journal)
        return cls(problem)

    @property
    def budget(self) -> float:
        """Largest fraction of rows struck."""
        return self.problem.settings.budgets[-1]

    def run(self, strategy: SearchStrategy | None = None) -> None:
        """Search, by the strategy of the search or another one.

        Parameters
        ----------
        strategy : SearchStrategy or None, default=None
            Another strategy; None is that of the search.
        """
        search = self.problem.search
        if strategy is not None:
            search = Search(strategy, self.problem.task)
        with self.problem.evaluator.bar:
            search.run(Screened())

    def try_out(self, candidates: Sequence[Candidate], *, settled: bool = False) -> None:
        """Score errors that were found on other pipelines.

        Parameters
        ----------
        candidates : sequence of Candidate
            The errors.
        settled : bool, default=False
            Whether those that may be the worst are drawn again until that is clear.
        """
        evaluator = self.problem.evaluator
        evaluator.evaluate(candidates)
        if settled:
            Settling(evaluator).settle([self.budget])

    @property
    def ranked(self) -> list[Evaluation]:
        """What was scored, the worst first."""
        return self.problem.evaluator.within(self.budget)

    @property
    def worst(self) -> Evaluation | None:
        """The worst error; None where none is feasible."""
        return next(iter(self.ranked), None)

    @property
    def worst_score(self) -> float:
        """The score under the worst error, that on clean data where none is feasible."""
        return self.problem.baseline if self.worst is None else self.worst.score

    @property
    def raised(self) -> list[Evaluation]:
        """Errors that the pipeline could not take."""
        done = self.problem.evaluator.done.values()
        return [e for e in done if e.error and not e.infeasible]

    @property
    def raised_keys(self) -> set[bytes]:
        """Keys of these."""
        return {e.candidate.key for e in self.raised}

    @property
    def failures(self) -> list[str]:
        """What the pipeline said of them."""
        return [e.error for e in self.raised]

    def takes(self, key: bytes) -> bool:
        """Whether an error was scored, and the pipeline could take it.

        Parameters
        ----------
        key : bytes
            That of the error.

        Returns
        -------
        bool
            False, too, where it was not scored.
        """
        found = self.problem.evaluator.done.get(key)
        return found is not None and bool(np.isfinite(found.score))

    @property
    def refusals(self) -> list[str]:
        """Why errors were not feasible."""
        done = self.problem.evaluator.done.values()
        said = [e.error for e in done if e.infeasible]
        return list(dict.fromkeys([*said, *self.problem.task.refused]))
