"""Candidates screened on a proxy, the best scored on the pipeline."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from numbers import Integral
from typing import Any

from skcorrupt.utils import warn
from skcorrupt.utils._compat import HasMethods, Interval, StrOptions
from skcorrupt.utils._typing import Estimator

from ..candidates import Candidate, SearchTask
from ..proxies import PROXIES, Screened
from ._beam_search import BeamSearch
from ._process_climb import ProcessClimb
from ._screening_plan import expected_seconds_of
from ._screening_run import JUDGED, ScreeningRun
from ._search_strategy import SearchStrategy


class Screening(SearchStrategy):
    """Thousands of candidates on a stand-in for the pipeline, which decides on the best of them.

    Parameters
    ----------
    proxy : {"auto", "linear", "tree", "boosting", "single_tree"} or estimator, default="auto"
        Those with a name are weighted models on grouped data, thousands or hundreds of
        candidates a second; an estimator is searched in the pipeline's place on a sample of the
        rows. "auto" compares built-in ones with the pipeline on 30 candidates, random ones
        and each proxy's worst: it takes the one for the kind of model, or another if that orders
        them clearly more like the pipeline, else a smaller clone of it, else none. With a built-in
        proxy all patterns are tried that are affordable; with trees a linear model screens first,
        and the best 1,024 get trees.
    n_rerank : int, default=32
        Candidates of every budget that go from the proxy to the pipeline.
    beam : BeamSearch or None, default=None
        The search on an estimator or a clone as proxy, and on the pipeline where no proxy agrees
        with it; None is `BeamSearch()`.
    complete : bool, default=False
        Whether a built-in proxy screens all patterns, at any cost.

    Examples
    --------
    >>> from skcorrupt.adversarial import Screening
    >>> Screening("linear", n_rerank=16)
    Screening(n_rerank=16, proxy='linear')
    """

    _parameter_constraints: dict[str, Any] = {
        "proxy": [StrOptions({"auto", *PROXIES}), HasMethods("fit")],
        "n_rerank": [Interval(Integral, 1, None, closed="left")],
        "beam": [BeamSearch, None],
        "complete": ["boolean"],
    }

    def __init__(
        self,
        proxy: str | Estimator = "auto",
        n_rerank: int = 32,
        *,
        beam: BeamSearch | None = None,
        complete: bool = False,
    ) -> None:
        self.proxy = proxy
        self.n_rerank = n_rerank
        self.beam = beam
        self.complete = complete

    def check(self) -> None:
        """Refuse parameters that are none.

        Raises
        ------
        ValueError, TypeError
            With the parameter and what is allowed.
        """
        super().check()
        self.beam_search.check()
        predicts = hasattr(self.proxy, "predict") and not isinstance(self.proxy, type)
        if not isinstance(self.proxy, str) and not predicts:
            names = ", ".join(map(repr, ["auto", *sorted(PROXIES)]))
            raise TypeError(
                f"proxy={self.proxy!r} should be {names}, or an estimator that predicts, such as "
                "make_pipeline(SimpleImputer(), LogisticRegression())."
            )

    @property
    def beam_search(self) -> BeamSearch:
        """The beam search where there is no built-in proxy."""
        return BeamSearch() if self.beam is None else self.beam

    @property
    def otherwise(self) -> SearchStrategy | None:
        """With "auto", the beam search that is run where no proxy agrees."""
        return _Unscreened(self.beam_search) if self.proxy == "auto" else None

    def run(self, task: SearchTask, told: Screened) -> None:
        """Choose a proxy, screen with it, and score the best on the pipeline.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Filled in with what candidates were screened on.
        """

        def without(said: str) -> None:
            most = max(plan.most_evaluations(task) for plan in (self, *self._instead()))
            if most > self.most_evaluations(task):
                warn(
                    f"proxy='auto' takes no proxy: {said}, so every candidate is scored on the "
                    f"pipeline, at most {most} of them. Pass Screening(estimator), or "
                    "strategy='beam'."
                )
            task.evaluator.bar.total = most
            self.beam_search.run(task, told)

        told.begin()
        self._run(task, told, lambda _, each: task.evaluator.evaluate(each), without)

    def _run(
        self,
        task: SearchTask,
        told: Screened,
        decide: Callable[[float, list[Candidate]], None],
        without: Callable[[str], None],
    ) -> None:
        ScreeningRun(
            self.proxy,
            self.n_rerank,
            self.beam_search,
            self.complete,
            task,
            told,
            decide,
            without,
        ).run()

    def _instead(self) -> list[SearchStrategy]:
        return [] if self.otherwise is None else [self.otherwise]

    def most_evaluations(self, task: SearchTask) -> int:
        """Most candidates that it scores on the pipeline where a proxy is taken.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            Over all budgets.
        """
        return JUDGED + self.n_rerank * len(task.budgets)

    def expected_seconds(self, task: SearchTask) -> float:
        """Seconds of the stand-in that is expected to be taken, by those of some candidates.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        float
            Over all budgets.
        """
        run = ScreeningRun(
            self.proxy,
            self.n_rerank,
            self.beam_search,
            self.complete,
            task,
            Screened(),
            lambda budget, candidates: None,
            lambda said: None,
        )
        return expected_seconds_of(run)

    def run_process(self, climb: ProcessClimb, told: Screened) -> None:
        """Every member alone on a proxy, then one after the other on the pipeline.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.
        told : Screened
            Filled in with what members were screened on.
        """
        told.begin()
        found = {}
        for name, member in climb.task.members.items() if climb.budgets else ():
            kept: dict[float, list[Candidate]] = {}
            found[name] = Screened()
            alone = dataclasses.replace(member, budgets=tuple(climb.shares))
            decide = _deciding(climb, member, kept)
            # without a proxy, the search of the process goes on by beams for this member
            self._run(alone, found[name], decide, lambda said: None)
            if kept:
                climb.screened[name] = kept
        if found:
            told.join(found, climb.kept)
        climb.n_pool = self.n_rerank
        climb.up(lambda member: self.beam_search.run(member, Screened()))

    def expected_processes(self, climb: ProcessClimb) -> float:
        """As many processes as are expected to be scored on the pipeline.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        float
            Over all budgets.
        """
        return climb.expected_share * self.most_processes(climb)

    def most_processes(self, climb: ProcessClimb) -> int:
        """Most processes that are scored on the pipeline where every member has a proxy.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        int
            Over all budgets.
        """
        return climb.judged(JUDGED) + climb.most_screened(self.n_rerank)


class _Unscreened(BeamSearch):
    """The beam search after proxies were judged in vain, which the plan counts."""

    def __init__(self, beam: BeamSearch) -> None:
        super().__init__(**beam.get_params(deep=False))

    def most_evaluations(self, task: SearchTask) -> int:
        return JUDGED + super().most_evaluations(task)

    def expected_evaluations(self, task: SearchTask) -> float:
        return JUDGED + super().expected_evaluations(task)

    def most_processes(self, climb: ProcessClimb) -> int:
        alone = sum(BeamSearch.most_evaluations(self, part) for part in climb.task.parts)
        return climb.judged(JUDGED) + climb.most_evaluations(alone)


def _deciding(
    climb: ProcessClimb, member: SearchTask, kept: dict[float, list[Candidate]]
) -> Callable[[float, list[Candidate]], None]:
    """Keep what goes on to the process; the pipeline scores a member alone at whole budgets."""

    def decide(budget: float, candidates: list[Candidate]) -> None:
        kept[budget] = candidates
        if budget in climb.whole:
            member.evaluator.evaluate(candidates)

    return decide
