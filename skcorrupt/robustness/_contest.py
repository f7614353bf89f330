"""The searches of all pipelines, and each one's worst errors scored on all others."""

from __future__ import annotations

import copy
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._certificate import certificate_of, warn_of_gaps
from skcorrupt.adversarial._confirmation import N_DRAWS
from skcorrupt.adversarial._interruption import Interruption
from skcorrupt.adversarial._problem import Problem, random_scores, too_short
from skcorrupt.adversarial._run import failure_in_words, warn_of_nothing
from skcorrupt.adversarial.candidates import Deadline, Evaluation, OutOfTime, Progress
from skcorrupt.adversarial.proxies import Screened
from skcorrupt.adversarial.strategies._settling import FIRST
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import error_in_words, going_on
from skcorrupt.utils import ScorerError, UnpicklableError, first_line, warn
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._shares_of_time import LEAST_SECONDS

OK, FAILED, NOTHING, LEFT = "ok", "failed", "no error", "not searched"
# what is said of a search that the clock ended
ENDED = "ended by its share of max_time"
# what is wrong with the parameters, not with one pipeline
_OF_ALL = (ScorerError, UnpicklableError)


@dataclass
class Contestant:
    """One pipeline under one kind of error.

    Attributes
    ----------
    estimator, corruption : str
        Their names.
    problem : Problem or None
        The search, laid out; None where the pipeline cannot be searched.
    own : dict of float to Evaluation or None
        The worst that its own search found within each budget.
    tried : dict of (str, float) to Evaluation
        What was found for each pipeline, itself included, within each budget, scored on this one.
    worst : dict of float to (str, Evaluation)
        The worst of these within each budget, and for which pipeline it was found.
    random : dict of float to ndarray of shape (n_draws, n_splits)
        Scores of errors of the size of the worst at random places.
    notes : list of str
        What is to be known of its search.
    failure : str
        Why there is none.
    """

    estimator: str
    corruption: str
    problem: Problem | None = None
    own: dict[float, Evaluation | None] = field(default_factory=dict)
    tried: dict[tuple[str, float], Evaluation] = field(default_factory=dict)
    worst: dict[float, tuple[str, Evaluation]] = field(default_factory=dict)
    random: dict[float, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failure: str = ""

    @property
    def status(self) -> str:
        """How its search ended."""
        if self.problem is not None:
            return OK
        return FAILED if self.failure else LEFT


@dataclass
class Contest:
    """What every search of a comparison shares.

    Attributes
    ----------
    X : table of shape (n_samples, n_features)
        Clean features.
    y : array-like of shape (n_samples,)
        Clean labels.
    groups : array-like of shape (n_samples,) or None
        Groups for the splitter.
    budgets : tuple of float
        Largest shares of rows struck, the smallest first.
    params : dict
        Parameters of every search, the seed among them.
    contestants : list of Contestant
        Kinds of error by pipelines, as far as they were begun.
    max_time : float or None
        Seconds of all searches, each of which may take an equal share of what is left.
    interruption : Interruption
        Ends searches and what comes after them early, once something was found.
    out_of_time : bool
        Whether the clock ended a search.
    """

    X: TableLike
    y: ColumnLike
    groups: ColumnLike | None
    budgets: tuple[float, ...]
    params: dict[str, Any]
    max_time: float | None = None
    contestants: list[Contestant] = field(default_factory=list)
    interruption: Interruption = field(init=False)
    out_of_time: bool = False

    def __post_init__(self) -> None:
        self.interruption = Interruption(lambda: bool(self.searched))

    @property
    def searched(self) -> list[Contestant]:
        """Those with a search that was done."""
        return [each for each in self.contestants if each.problem is not None]

    def search_of(self, estimator: Any, template: BaseCorruption) -> AdversarialCorruptionSearch:
        """The search of one pipeline for one kind of error."""
        params = {**self.params, "cv": copy.deepcopy(self.params["cv"])}
        return AdversarialCorruptionSearch(estimator, template, budget=list(self.budgets), **params)

    def run(
        self,
        estimators: Mapping[str, Any],
        templates: Mapping[str, BaseCorruption],
    ) -> list[Contestant]:
        """Search for every pipeline and kind of error, and try what was found on all others.

        Parameters
        ----------
        estimators : mapping of str to estimator
            The pipelines.
        templates : mapping of str to BaseCorruption
            The kinds of error.

        Returns
        -------
        list of Contestant
            Kinds of error by pipelines.

        Raises
        ------
        ValueError
            If the splitter gave other splits to some pipelines.
        """
        interruption = self.interruption
        # what comes between searches is not in it
        n_searches = len(templates) * len(estimators)
        seconds, to_come = self.max_time, n_searches
        for kind, template in templates.items():
            here = [Contestant(name, kind) for name in estimators]
            self.contestants += here
            with interruption.ends(self._interrupted):
                for each in [] if interruption.causes else here:
                    search = self.search_of(estimators[each.estimator], template)
                    started = time.monotonic()
                    if seconds is not None:
                        search.set_params(max_time=max(LEAST_SECONDS, seconds / to_come))
                    place = f"{n_searches - to_come + 1} of {n_searches}"
                    which = f"{each.estimator}, {kind} ({place})"
                    with Progress(self.params["verbose"], which) as progress:
                        self._search_for(each, search, progress)
                    to_come -= 1
                    seconds = None if seconds is None else seconds + started - time.monotonic()
            _check_shared(here, self.params["cv"])
            with interruption.ends(self._interrupted):
                for each in here:
                    _try_all(each, here, self.budgets)
            for each in here:
                _choose(each, self.budgets)
            with interruption.ends(self._interrupted):
                for each in here:
                    _compare_with_random(each, self.budgets)
        return self.contestants

    def _interrupted(self, cause: str) -> str:
        """What is said of a comparison that was ended early."""
        return (
            f"The comparison was interrupted. Pipelines that were searched until then are compared "
            f"and confirmed; the others have the status {LEFT!r}; {cause} again stops that by "
            f"raising. {going_on(self.params['journal'], 'call')}"
        )

    def _search_for(
        self, found: Contestant, search: AdversarialCorruptionSearch, progress: Progress
    ) -> None:
        """The search for one pipeline, or why there is none."""
        with noted(found.notes):
            try:
                problem = search._prepare(self.X, self.y, self.groups, {}, progress)
                found.own, ended = _search(problem, self.budgets)
                self.out_of_time |= ended
                found.problem = problem
            except _OF_ALL:
                raise
            except Exception as error:
                if self.params["journal"] is not None and isinstance(error, OSError):
                    # what the journal kept is there for another try
                    raise
                found.failure = first_line(str(error)) or error_in_words(error)


def _search(
    problem: Problem, budgets: tuple[float, ...]
) -> tuple[dict[float, Evaluation | None], bool]:
    """The worst within each budget, whether time was over, and warnings of what was not covered."""
    told, evaluator = Screened(), problem.evaluator
    limit, ended = evaluator.deadline.seconds, False
    try:
        with evaluator.bar.phase("Searching", problem.search.most_evaluations()):
            problem.search.run(told)
        warn_of_gaps(problem, certificate_of(problem, told), told)
        ended = bool(problem.unread)
    except OutOfTime:
        if not evaluator.done:
            raise too_short(evaluator) from None
        ended = True
        warn(
            f"The search was {ENDED}, {limit:.3g} s, after "
            f"{counted(len(evaluator.done), 'candidate')}, so that a worse error may have been "
            "passed by."
        )
    # what is tried of others and confirmed takes its time
    evaluator.deadline = Deadline()
    failed = [e for e in evaluator.done.values() if e.error and not e.infeasible]
    if failed:
        warn(
            f"The pipeline failed on {len(failed)} of {len(evaluator.done)} candidates; the first: "
            f"{failure_in_words(failed[0], problem)}",
            FitFailedWarning,
        )
    own = {budget: next(iter(evaluator.within(budget)), None) for budget in budgets}
    if own[budgets[-1]] is None:
        warn_of_nothing(list(evaluator.done.values()), problem)
    return own, ended


def _try_all(contestant: Contestant, rivals: list[Contestant], budgets: tuple[float, ...]) -> None:
    """Score on one pipeline what was found for all within each budget."""
    problem = contestant.problem
    if problem is None:
        return
    evaluator = problem.evaluator.beside()
    for budget in budgets:
        for rival in rivals:
            given = rival.own.get(budget)
            if given is not None:
                own = rival is contestant
                contestant.tried[rival.estimator, budget] = (
                    given if own else _tried(evaluator, given)
                )


def _choose(contestant: Contestant, budgets: tuple[float, ...]) -> None:
    """The worst within each budget of all that was tried, that of its own search among equals."""
    lowest: tuple[str, Evaluation] | None = None
    for budget in budgets:
        # what is found within a smaller budget is within a larger one, too
        own = contestant.own.get(budget)
        if own is not None and (lowest is None or own.score <= lowest[1].score):
            lowest = contestant.estimator, own
        for (name, within), tried in contestant.tried.items():
            worse = within == budget and np.isfinite(tried.score) and not tried.infeasible
            if worse and (lowest is None or tried.score < lowest[1].score):
                lowest = name, tried
        if lowest is not None:
            contestant.worst[budget] = lowest


def _compare_with_random(contestant: Contestant, budgets: tuple[float, ...]) -> None:
    """Score errors of the size of the worst at random places."""
    problem, worst = contestant.problem, contestant.worst
    for budget in budgets:
        if problem is None or budget not in worst:
            continue
        same = next((b for b in contestant.random if worst[b] == worst[budget]), None)
        with noted(contestant.notes):
            contestant.random[budget] = (
                random_scores(problem, worst[budget][1], N_DRAWS)
                if same is None
                else contestant.random[same]
            )


def _tried(evaluator: Any, given: Evaluation) -> Evaluation:
    """An error that was found for another pipeline, drawn as often as it was there."""
    candidate = given.candidate
    evaluator.evaluate([candidate])
    found = evaluator.done[candidate.key]
    if np.isfinite(found.score) and evaluator.is_random(candidate):
        evaluator.draw_again([found], max(FIRST, given.n_draws))
    return evaluator.done[candidate.key]


def _check_shared(contestants: list[Contestant], cv: Any) -> None:
    """Refuse splits that differ from pipeline to pipeline.

    Raises
    ------
    ValueError
        With the remedy.
    """
    problems = [each.problem for each in contestants if each.problem is not None]
    rows = [
        [problem.search_rows, *(part for s in problem.splits for part in (s.train, s.test))]
        for problem in problems
    ]
    for other in rows[1:]:
        if len(other) != len(rows[0]) or not all(map(np.array_equal, rows[0], other)):
            raise ValueError(
                f"cv={cv!r} gives every pipeline other splits, so that scores cannot be compared; "
                "set its random_state, or pass a splitter that repeats itself."
            )


def error_of(contestant: Contestant, chosen: Evaluation) -> BaseCorruption:
    """An error as it is handed out, as a search hands it out.

    Parameters
    ----------
    contestant : Contestant
        A pipeline with its search.
    chosen : Evaluation
        What was scored on it.

    Returns
    -------
    BaseCorruption
        Unfitted, with a seed.
    """
    problem = contestant.problem
    template = next(iter(problem.settings.templates.values()))  # type: ignore[union-attr]
    seed = template.random_state
    seed = problem.data.seed if seed is None else seed  # type: ignore[union-attr]
    return clone(chosen.candidate.corruption).set_params(random_state=seed)


@contextmanager
def noted(notes: list[str]) -> Iterator[None]:
    """Keep warnings of the searches as notes, and pass all others on once.

    Parameters
    ----------
    notes : list of str
        Grows by what is said.

    Yields
    ------
    None
        While it is listened.
    """
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            said = list(heard)
    passed = set()
    for each in said:
        text = str(each.message)
        if each.category in (UserWarning, FitFailedWarning):
            notes += [] if text in notes else [text]
            continue
        place = text, each.category, each.filename, each.lineno
        if place not in passed:
            passed.add(place)
            warnings.warn_explicit(*place)
