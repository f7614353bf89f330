"""What a search will cost, before it runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from joblib import effective_n_jobs

from skcorrupt.evaluation import Plan

from ._confirmation import N_DRAWS
from ._draws import cost_of_draws
from ._problem import Problem
from ._relaxation import SHARE
from ._served import is_fitted
from .candidates import MEASURED, Candidate, KindEvaluator, seconds_per_fit, some_candidates
from .serving import ServedEvaluator
from .strategies import Search

# draws of values that the model is asked for: the most of a candidate, in two groups of columns
DRAWN = 32


def plan_of(
    problem: Problem,
    *,
    refits: bool = False,
    seconds: float = 0.0,
    max_time: float | None = None,
    alone: bool = False,
) -> Plan:
    """Count the evaluations of a search, the most and as many as are expected, and its seconds.

    Parameters
    ----------
    problem : Problem
        A search that has not run.
    refits : bool, default=False
        Whether the winner is refitted.
    seconds : float, default=0
        What it took to lay it out.
    max_time : float or None, default=None
        Limit of the search.
    alone : bool, default=False
        Whether it ends with the worst error, of which nothing else is to be known: no random
        errors, no others that look at less, no confirmation.

    Returns
    -------
    Plan
        The bounds, and what is expected.
    """
    first = _some(problem)
    # the first fit loads what all others find loaded
    each = seconds_per_fit(problem.evaluator, first[:1])
    each = np.nanmin([each, seconds_per_fit(problem.evaluator, first[1:])]) if first else np.nan
    served = problem.evaluator
    if first and isinstance(served, ServedEvaluator) and served.leading is not None:
        # what the model answers for struck rows is kept, and asked for once
        each = np.nanmin([each, seconds_per_fit(served, first)])
    if not np.isfinite(each):
        each = float(np.mean([outcome.seconds for outcome in problem.clean]))
    asks = problem.search.asks_for_draws_alone
    drawn = _seconds_per_draw(problem) if asks else (np.nan, np.nan)
    shared = problem, bool(first), refits, float(each), drawn, seconds, max_time, alone
    plan = _plan_with(problem.search, *shared)
    other = problem.search.otherwise
    if other is None:
        return plan
    return replace(plan, without_proxy=_plan_with(other, *shared))


def _seconds_per_draw(problem: Problem) -> tuple[float, float]:
    """Seconds of a draw, and of it in other rows, where candidates are scored in closed form."""
    evaluator = problem.evaluator
    if not isinstance(evaluator, ServedEvaluator):
        return np.nan, np.nan
    return evaluator.seconds_per_draw(_some(problem))


def _some(problem: Problem) -> list[Candidate]:
    """A few candidates of every kind, which they name where there are several."""
    some: list[Candidate] = []
    for part in problem.task.parts:
        own = some_candidates(part.space, MEASURED, problem.data.seed)
        kinds = part.evaluator if isinstance(part.evaluator, KindEvaluator) else None
        some += own if kinds is None else [kinds.named(each) for each in own]
    return some


def _plan_with(
    search: Search,
    problem: Problem,
    any_feasible: bool,
    refits: bool,
    each: float,
    drawn: tuple[float, float],
    seconds: float,
    limit: float | None,
    alone: bool,
) -> Plan:
    settings, n_splits = problem.settings, len(problem.splits)
    # in closed form a candidate costs next to nothing, and the model is asked for draws
    first, again = drawn
    closed, each = (each, first) if np.isfinite(first) else (0.0, each)
    n_seeds = sum(len(part.space.first_templates()) for part in problem.task.parts)
    total = search.most_evaluations()
    # the last one is the trial fit that says whether the pipeline takes the error
    draws = N_DRAWS * n_splits + (N_DRAWS + 1) * (settings.confirm_size is not None)
    draws = (0 if alone else draws * len(settings.budgets)) + refits + 1
    others = 0 if alone else SHARE
    cost = cost_of_draws(problem, refits=refits)
    # fits on more rows take longer, as if there were more of them
    longer = 0.0 if alone else len(settings.budgets) * cost.of(N_DRAWS, each) - draws * each
    once = max(0.0, longer) + seconds
    # leaders of every class of patterns are drawn again
    drawn_again = 0 if alone else search.most_draws_of_classes()
    expected, expected_fits, beside = 0.0, 0.0, 0.0
    if any_feasible:
        expected, added = search.expected_work()
        expected = min(expected, total)
        # what defaults require is relaxed afterwards
        scored = (1 + others) * expected
        n_drawn = added
        if not (alone or closed):
            n_drawn += search.expected_draws_of_classes(added)
        expected_fits = ((0.0 if closed else scored) + n_drawn + 1) * n_splits
        if closed:
            # a draw that was asked for once is known for all patterns that hit the same columns
            asked = min(1.0, DRAWN / (added + 1))
            once, each = (
                once + draws * (first - again) * (1 - asked),
                again + (first - again) * asked,
            )
        beside = search.expected_seconds() + closed * scored * n_splits
    n_workers = effective_n_jobs(settings.n_jobs)
    share = 1.0
    if limit is not None:
        # random errors and the confirmation are made in any case
        left = limit - once - draws * each / n_workers
        share = search.share_in_time(left, expected_fits * each / n_workers, beside)
    return Plan(
        n_seeds,
        total,
        (total + int(others * total) + search.most_draws() + drawn_again + 1) * n_splits + draws,
        each,
        n_workers,
        "candidates",
        search.strategy.note,
        # without any that is scored, a search does not end
        expected_evaluations=max(round(share * expected), min(1, round(expected))),
        expected_fits=round(share * expected_fits + draws),
        other_seconds=once + beside,
        limit=limit,
        work="scores" if is_fitted(settings.estimator) else "fits",
    )
