"""Patterns that another search found worst, as candidates of this one."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

from skcorrupt.utils._compat import Interval

from ..candidates import FittedSearch, ProcessTask, SearchResults, SearchTask
from ..proxies import Screened
from ._process_climb import ProcessClimb
from ._search_strategy import SearchStrategy


class WarmStart(SearchStrategy):
    """The worst patterns of a fitted search, of a lighter pipeline or on other rows.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        A fitted search for the same kind of error with the same columns. It is kept through
        `clone`, since what it found is what it is there for, and with it the rows that it holds:
        call its `drop_data()` first where pickles should have none.
    n_rerank : int, default=32
        Candidates of every budget that it hands on.
    then : SearchStrategy or None, default=None
        What goes on from there; None scores nothing else.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt import AdversarialCorruptionSearch
    >>> from skcorrupt.adversarial import BeamSearch, WarmStart
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> first = AdversarialCorruptionSearch(
    ...     GaussianNB(), "labels", strategy=BeamSearch(n_calls=8), random_state=0
    ... ).fit(X, y)
    >>> second = AdversarialCorruptionSearch(
    ...     DecisionTreeClassifier(), "labels", strategy=WarmStart(first, 8), random_state=0
    ... ).fit(X, y)
    >>> second.worst_score_ < second.baseline_score_
    True
    """

    _parameter_constraints: dict[str, Any] = {
        "search": "no_validation",
        "n_rerank": [Interval(Integral, 1, None, closed="left")],
        "then": [SearchStrategy, None],
    }

    def __init__(
        self, search: FittedSearch, n_rerank: int = 32, *, then: SearchStrategy | None = None
    ) -> None:
        self.search = search
        self.n_rerank = n_rerank
        self.then = then

    def __sklearn_clone__(self) -> Self:
        made = super().__sklearn_clone__()
        # what it found is what it is there for, and a clone of it has found nothing
        made.search = self.search
        return made

    def check(self) -> None:
        """Refuse parameters that are none.

        Raises
        ------
        ValueError, TypeError
            With the parameter and what is allowed.
        """
        super().check()
        SearchResults(self.search)
        if self.then is not None:
            self.then.check()

    def for_kind(self, task: SearchTask | ProcessTask) -> SearchStrategy | None:
        """Itself where the other search has candidates of a kind, else what goes on from there.

        Parameters
        ----------
        task : SearchTask or ProcessTask
            The search for the kind.

        Returns
        -------
        SearchStrategy or None
            None where nothing goes on.
        """
        kind = task.maker.process if isinstance(task, ProcessTask) else task.space.template
        return self if SearchResults(self.search).has(type(kind)) else self.then

    def run(self, task: SearchTask, told: Screened) -> None:
        """Score what the other search found, for every budget that takes any of it.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Filled in by what goes on from there.

        Raises
        ------
        ValueError
            If no budget takes any.
        """
        results = SearchResults(self.search)
        n_feasible, reason = 0, ""
        for space in task.spaces:
            candidates, reason = results.feasible_in(space, self.n_rerank)
            task.evaluator.evaluate(candidates)
            n_feasible += len(candidates)
        if not n_feasible:
            raise ValueError(
                f"WarmStart: none of the patterns of search is feasible here ({reason}); pass a "
                "search with the same columns, or another strategy."
            )
        if self.then is not None:
            self.then.run(task, told)

    def most_evaluations(self, task: SearchTask) -> int:
        """Most candidates that it hands on, and that are scored from there.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            Over all budgets.
        """
        more = 0 if self.then is None else self.then.most_evaluations(task)
        return self.n_rerank * len(task.budgets) + more

    def expected_evaluations(self, task: SearchTask) -> float:
        """As many as the other search has, and as are expected from there.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        float
            Over all budgets.
        """
        more = 0.0 if self.then is None else self.then.expected_evaluations(task)
        results = SearchResults(self.search)
        known = [len(results.feasible_in(space, self.n_rerank)[0]) for space in task.spaces]
        return sum(known) + more

    def expected_seconds(self, task: SearchTask) -> float:
        """Seconds of what goes on from there.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        float
            Over all budgets.
        """
        return 0.0 if self.then is None else self.then.expected_seconds(task)

    def run_process(self, climb: ProcessClimb, told: Screened) -> None:
        """Score the processes that the other search found worst.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.
        told : Screened
            Filled in by what goes on from there.
        """
        climb.carry(SearchResults(self.search), self.n_rerank)
        if self.then is not None:
            self.then.run_process(climb, told)

    def most_processes(self, climb: ProcessClimb) -> int:
        """Most processes that it hands on, and that are scored from there.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        int
            Over all budgets.
        """
        more = 0 if self.then is None else self.then.most_processes(climb)
        return self.n_rerank * len(climb.task.budgets) + more
