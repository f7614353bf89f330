"""A search as it runs: the strategy, what it found, and what is drawn for the winner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import progress_bar, warn
from skcorrupt.utils._typing import FilePath

from ._alternatives import Alternatives, no_alternatives
from ._budget_curve import budget_curve
from ._confirmation import N_DRAWS, Confirmation
from ._interruption import (
    Interruption,
    interrupted_alternatives,
    interrupted_confirmation,
    interrupted_search,
)
from ._problem import Problem, confirm_held_out, random_score
from ._relaxation import SHARE
from ._results import results_table
from ._search_plan import plan_of
from .candidates import Evaluation
from .proxies import Screened


@dataclass
class Found:
    """What a search found, filled in as it runs, so that an interruption leaves what was done.

    Attributes
    ----------
    told : Screened
        What candidates were screened on.
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
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    told: Screened = field(default_factory=Screened)
    results: dict[str, np.ndarray] = field(default_factory=dict)
    winner: Evaluation | None = None
    corruption: BaseCorruption | None = None
    random_score: float = np.nan
    confirmation: Confirmation | None = None
    curve: pd.DataFrame | None = None
    alternatives: pd.DataFrame = field(default_factory=no_alternatives)
    interrupted: bool = False


def run_search(
    problem: Problem,
    found: Found,
    *,
    several_budgets: bool,
    journal: FilePath | None,
    verbose: int,
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
    verbose : int
        1 shows progress.
    """
    evaluator, settings = problem.evaluator, problem.settings
    interruption = Interruption(lambda: bool(evaluator.ranked()))
    with (
        _bar(problem, plan_of(problem).n_evaluations, verbose, "Searching"),
        interruption.ends(lambda: interrupted_search(len(evaluator.done), journal)),
    ):
        problem.search.run(found.told)
    found.interrupted = interruption.happened
    evaluations = list(evaluator.done.values())
    _warn_of_failures(evaluations, problem)
    kinds = [problem.kind_of(e.candidate) for e in evaluations]
    found.results = results_table(evaluations, kinds, len(problem.splits))
    found.winner = next(iter(evaluator.ranked()), None)
    if found.winner is None:
        _warn_of_nothing(evaluations, problem)
    else:
        found.corruption = _handed_out(found.winner, problem)
        _find_alternatives(problem, found, interruption, journal, verbose)
    confirms = settings.confirm_size is not None
    found.confirmation = Confirmation() if confirms else None
    n_left = (N_DRAWS * len(problem.splits) + (N_DRAWS + 1) * confirms) * len(settings.budgets)
    with (
        _bar(problem, n_left, verbose, "Confirming"),
        interruption.ends(lambda: interrupted_confirmation(journal)),
    ):
        if several_budgets:
            _draw_curve(problem, found, interrupted=interruption.happened)
        else:
            found.random_score = random_score(problem, found.winner)
            if confirms:
                found.confirmation = confirm_held_out(problem, found.corruption)
    if found.curve is not None:
        _take_last(found)
    found.interrupted = interruption.happened


def _find_alternatives(
    problem: Problem,
    found: Found,
    interruption: Interruption,
    journal: FilePath | None,
    verbose: int,
) -> None:
    """The worst of every class of patterns; an interrupted search has those that it scored."""
    alternatives = Alternatives(problem, found.told)
    total = int(SHARE * len(problem.evaluator.done))
    try:
        if not interruption.happened:
            with (
                _bar(problem, total, verbose, "Without conditions"),
                interruption.ends(lambda: interrupted_alternatives(journal)),
            ):
                alternatives.relax()
    finally:
        found.alternatives = alternatives.table(lambda each: _handed_out(each, problem))


@contextmanager
def _bar(problem: Problem, total: int, verbose: int, doing: str) -> Iterator[None]:
    """The evaluator's bar, which ends where the work does."""
    with progress_bar(total, verbose, doing) as bar:
        problem.evaluator.bar = bar
        yield
        bar.total = bar.n
        bar.refresh()


def _draw_curve(problem: Problem, found: Found, *, interrupted: bool) -> None:
    curves = budget_curve(
        problem, lambda winner: _handed_out(winner, problem), interrupted=interrupted
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
        warn(
            f"The pipeline failed on {len(failed)} of {len(evaluations)} candidates, which "
            f"score {problem.settings.error_score}; the first: {failed[0].error}. cv_results_ has "
            "the others; pass error_score='raise' to see the whole error.",
            FitFailedWarning,
        )


def _warn_of_nothing(evaluations: list[Evaluation], problem: Problem) -> None:
    reasons = Counter(e.error for e in evaluations if e.error) + problem.task.refused
    said = "; ".join(reason for reason, _ in reasons.most_common(3))
    warn(
        f"No candidate is feasible within budget={problem.settings.budgets[-1]:g} on "
        f"{len(problem.search_rows)} rows: {said or 'no column can tell rows apart'}. Raise the "
        "budget, or relax min_support, exclude, own_column or label of the space."
    )
