"""A search as it runs: the strategy, what it found, and what is drawn for the winner."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import warn
from skcorrupt.utils._typing import FilePath

from ._alternatives import Alternatives, no_alternatives
from ._budget_curve import budget_curve
from ._certificate import certificate_of, proven_kinds, warn_of_gaps
from ._confirmation import N_DRAWS, Confirmation
from ._draws import n_draws_in_time, set_aside
from ._interruption import (
    CLOCK,
    Interruption,
    interrupted_alternatives,
    interrupted_confirmation,
    interrupted_counting,
    interrupted_search,
)
from ._preflight import dtype_remedy
from ._problem import Problem, confirm_held_out, random_score, too_short
from ._relaxation import SHARE
from ._results import results_table
from .candidates import Evaluation, OutOfTime
from .proxies import Screened
from .strategies import Settling

# of limited time, what is kept for the worst without what defaults require, for drawing the worst
# of every class of patterns again, and of the former for the same
ALTERNATIVES_SHARE = 0.1
CLASSES_SHARE = 0.05
DRAWING_SHARE = 0.5


@dataclass
class Found:
    """What a search found, filled in as it runs, so that an interruption leaves what was done.

    Attributes
    ----------
    told : Screened
        What candidates were screened on.
    certificate : DataFrame
        What was covered.
    results : dict of ndarray
        All candidates, as `cv_results_`; empty until the strategy has ended.
    winner : Evaluation or None
        The worst of them; None where none is feasible.
    corruption : BaseCorruption or None
        The winner as it is handed out.
    random_score : float
        Mean score of errors of the winner's size that strike at random.
    confirmation : Confirmation or None
        The winner on the rows set aside; None where there are none.
    curve : DataFrame or None
        The worst of every budget, for a list of budgets.
    alternatives : DataFrame
        The worst of every class of patterns.
    lucky_alternatives : list of int
        Rows of it whose score may be a lucky draw.
    ended_by : str
        What ended it early: "Ctrl-C", "SIGTERM", "max_time" or "a callback"; "" for none.
    cut_short : bool
        Whether that was while candidates were searched, not while the winner was compared.
    few_draws : bool
        Whether, where that was, the winner is random and may owe a tenth of its drop, if any, to
        its draws.
    """

    told: Screened = field(default_factory=Screened)
    certificate: pd.DataFrame = field(default_factory=pd.DataFrame)
    results: dict[str, np.ndarray] = field(default_factory=dict)
    winner: Evaluation | None = None
    corruption: BaseCorruption | None = None
    random_score: float = np.nan
    confirmation: Confirmation | None = None
    curve: pd.DataFrame | None = None
    alternatives: pd.DataFrame = field(default_factory=no_alternatives)
    lucky_alternatives: list[int] = field(default_factory=list)
    ended_by: str = ""
    cut_short: bool = False
    few_draws: bool = False


def run_search(
    problem: Problem,
    found: Found,
    *,
    several_budgets: bool,
    journal: FilePath | None,
    refits: bool = False,
) -> None:
    """Search, and compare what was found with random errors and on the rows set aside.

    Parameters
    ----------
    problem : Problem
        The search, laid out.
    found : Found
        Filled in with what is found; a second interruption, which is raised, leaves the rest.
    several_budgets : bool
        Whether a list of budgets was given, which gives a curve.
    journal : str, Path or None
        What an interruption tells to go on from.
    refits : bool, default=False
        Whether the winner is refitted behind, for which time is left where it is limited.

    Raises
    ------
    ValueError
        If the time is over before a candidate was scored.
    """
    evaluator, settings = problem.evaluator, problem.settings
    deadline, limit = evaluator.deadline, evaluator.deadline.seconds
    interruption = Interruption(lambda: bool(evaluator.ranked()))
    ended, aside = False, set_aside(problem, refits=refits)
    alternatives = Alternatives(problem, found.told)
    relaxing = ALTERNATIVES_SHARE * alternatives.any_left_out()
    try:
        with (
            deadline.within((1 - relaxing - CLASSES_SHARE) * (deadline.left() - aside)),
            evaluator.bar.phase("Searching", problem.search.most_evaluations()),
            interruption.ends(
                lambda cause: interrupted_search(cause, len(evaluator.done), journal, limit)
            ),
        ):
            problem.search.run(found.told)
            alternatives = Alternatives(problem, found.told)
            alternatives.settle_search()
            ended = True
    except OutOfTime:
        found.ended_by = CLOCK
    if not (ended or interruption.causes):
        # time was over before anything could be handed back
        found.ended_by = CLOCK
        if not evaluator.done:
            raise too_short(evaluator)
    if not ended:
        alternatives = Alternatives(problem, found.told)
    if interruption.cause == CLOCK:
        share = CLASSES_SHARE / (CLASSES_SHARE + relaxing)
        with (
            deadline.within(share * (deadline.left() - aside)),
            interruption.ends(lambda cause: _of_classes(cause, journal)),
        ):
            alternatives.settle_search()
    found.ended_by = found.ended_by or interruption.cause
    found.winner = _find_worst(problem, interruption, journal)
    found.ended_by = found.ended_by or interruption.cause
    # of which a warning told before the search began
    found.told.cut_short |= bool(problem.unread)
    evaluations = list(evaluator.done.values())
    _warn_of_failures(evaluations, problem)
    found.certificate = certificate_of(problem, found.told)
    if not found.ended_by:
        warn_of_gaps(problem, found.certificate, found.told)
        # how far it came depends on the clock, though it went on to the end
        found.ended_by = CLOCK if found.told.cut_short else ""
    found.cut_short = bool(found.ended_by)
    kinds = [problem.kind_of(e.candidate) for e in evaluations]
    found.results = results_table(evaluations, kinds, len(problem.splits))
    if problem.all_rows is not None:
        found.results |= problem.all_rows.columns(evaluations)
        found.certificate = found.certificate.assign(**problem.counted(problem.all_rows))
    if found.winner is None:
        warn_of_nothing(evaluations, problem)
    else:
        found.corruption = _handed_out(found.winner, problem)
        does_harm = found.winner.score < problem.baseline
        found.few_draws = (
            found.cut_short and does_harm and Settling(evaluator).may_be_lucky(found.winner)
        )
        # a search that had enough time leaves more of it than was set aside
        kept = aside if found.ended_by else set_aside(problem, refits=refits)
        _find_alternatives(problem, found, alternatives, interruption, journal, kept)
    confirms = settings.confirm_size is not None
    found.confirmation = Confirmation() if confirms else None
    n_draws = n_draws_in_time(problem, refits=refits)
    with (
        deadline.ending(),
        interruption.ends(lambda cause: interrupted_confirmation(cause, journal, limit)),
    ):
        if several_budgets:
            _draw_curve(problem, found, n_draws)
        else:
            found.random_score = random_score(problem, found.winner, n_draws)
            if confirms:
                found.confirmation = confirm_held_out(problem, found.corruption, n_draws)
    if found.curve is not None:
        _take_last(found)
    fewer = CLOCK if n_draws < N_DRAWS else ""
    found.ended_by = found.ended_by or interruption.cause or fewer


def _find_worst(
    problem: Problem, interruption: Interruption, journal: FilePath | None
) -> Evaluation | None:
    """The worst of all, counted on all rows where the search holds some of them."""
    evaluator, budgets, all_rows = problem.evaluator, problem.settings.budgets, problem.all_rows
    if all_rows is None:
        return next(iter(evaluator.ranked()), None)
    worst = next(iter(evaluator.ranked()), None)
    with interruption.ends(lambda cause: interrupted_counting(cause, all_rows.n_rows, journal)):
        if all_rows.settle(evaluator):
            with evaluator.deadline.lifted(), evaluator.bar.phase("Settling"):
                Settling(evaluator, len(budgets)).settle(budgets)
        # what a curve tells is among the candidates too
        worst = [problem.worst(budget) for budget in budgets][-1]
    return worst


def _find_alternatives(
    problem: Problem,
    found: Found,
    alternatives: Alternatives,
    interruption: Interruption,
    journal: FilePath | None,
    kept: float,
) -> None:
    """The worst of every class of patterns; one that the user ended has those that it scored."""
    evaluator, goes_on = problem.evaluator, found.ended_by in ("", CLOCK)
    deadline = evaluator.deadline
    alternatives.go_beside()

    def said(cause: str) -> str:
        if found.ended_by == CLOCK:
            return _of_classes(cause, journal)
        return interrupted_alternatives(cause, journal)

    try:
        if goes_on:
            with deadline.within(deadline.left() - kept), interruption.ends(said):
                n_most, relaxed = int(SHARE * len(evaluator.done)), False
                with (
                    evaluator.bar.phase("Without conditions", n_most),
                    deadline.within((1 - DRAWING_SHARE) * deadline.left()),
                ):
                    alternatives.relax()
                    relaxed = True
                with evaluator.bar.phase("Settling"):
                    alternatives.draw()
                if not relaxed:
                    raise OutOfTime
    finally:
        alternatives.spell()
        if goes_on:
            alternatives.count()
        proven = proven_kinds(problem, found.certificate)
        worst_score = found.winner.score  # type: ignore[union-attr]
        found.alternatives = alternatives.table(
            worst_score, lambda each: _handed_out(each, problem), proven
        )
        found.lucky_alternatives = alternatives.lucky


def _of_classes(cause: str, journal: FilePath | None) -> str:
    """What is said where the look at classes was ended early, of a search that the clock ended."""
    # that the time of the search was over has been said
    return "" if cause == CLOCK else interrupted_alternatives(cause, journal)


def _draw_curve(problem: Problem, found: Found, n_draws: int) -> None:
    curves = budget_curve(
        problem,
        lambda winner: _handed_out(winner, problem),
        interrupted=bool(found.ended_by),
        n_draws=n_draws,
    )
    # an interruption leaves what is there until then
    for curve in curves:
        found.curve = curve


def _take_last(found: Found) -> None:
    """The scores of the largest budget are the search's."""
    last = found.curve.iloc[-1]  # type: ignore[union-attr]
    found.random_score = float(last["random_score"])
    if found.confirmation is not None:
        interval = float(last["confirmed_drop_low"]), float(last["confirmed_drop_high"])
        found.confirmation = Confirmation(
            last["confirmed_score"], last["confirmed_baseline"], interval
        )


def _handed_out(winner: Evaluation, problem: Problem) -> BaseCorruption:
    given = problem.settings.templates[problem.kind_of(winner.candidate)].random_state
    seed = problem.data.seed if given is None else given
    return clone(winner.candidate.corruption).set_params(random_state=seed)


def _warn_of_failures(evaluations: list[Evaluation], problem: Problem) -> None:
    failed = [e for e in evaluations if e.error and not e.infeasible]
    if failed:
        first = failure_in_words(failed[0], problem)
        warn(
            f"The pipeline failed on {len(failed)} of {len(evaluations)} candidates, which "
            f"score {problem.settings.error_score}; the first: {first} cv_results_ has the others; "
            "pass error_score='raise' to see the whole error.",
            FitFailedWarning,
        )


def failure_in_words(failed: Evaluation, problem: Problem) -> str:
    """What the pipeline raised, and what to do about it where that is known.

    Parameters
    ----------
    failed : Evaluation
        A candidate on which it failed.
    problem : Problem
        The search.

    Returns
    -------
    str
        Sentences.
    """
    remedy = dtype_remedy(problem.data.X, failed.candidate.columns, failed.error)
    return f"{failed.error}.{remedy}"


def warn_of_nothing(evaluations: list[Evaluation], problem: Problem) -> None:
    """Say why no candidate is feasible, unless failures of the pipeline are why.

    Parameters
    ----------
    evaluations : list of Evaluation
        All candidates.
    problem : Problem
        The search.

    Warns
    -----
    UserWarning
        With the reasons.
    """
    infeasible = [e for e in evaluations if e.error and e.infeasible]
    if evaluations and not infeasible and not problem.task.refused:
        # the pipeline failed on all, which was said, and no other space would help
        return
    reasons = Counter(e.error for e in infeasible) + problem.task.refused
    most = problem.settings.budgets[-1]
    if any(math.floor(most * len(part) + 1e-9) < 1 for part in problem.evaluator.struck_parts):
        reasons = Counter(["the budget is less than one row"])
    said = "; ".join(reason for reason, _ in reasons.most_common(3))
    warn(
        f"No candidate is feasible within budget={problem.settings.budgets[-1]:g} on "
        f"{len(problem.search_rows)} rows: {said or 'no column can tell rows apart'}. Raise the "
        "budget, or relax min_support, exclude, own_column or label of the space, or the checks."
    )
