"""What a search will cost, before it runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from joblib import effective_n_jobs

from skcorrupt.evaluation import Plan

from ._confirmation import N_DRAWS
from ._problem import Problem
from ._relaxation import SHARE
from .strategies import Search


def plan_of(problem: Problem, *, refits: bool = False) -> Plan:
    """Count the evaluations of a search in the worst case.

    Parameters
    ----------
    problem : Problem
        A search that has not run.
    refits : bool, default=False
        Whether the winner is refitted.

    Returns
    -------
    Plan
        The bounds.
    """
    plan = _plan_with(problem.search, problem, refits)
    other = problem.search.otherwise
    return (
        plan if other is None else replace(plan, without_proxy=_plan_with(other, problem, refits))
    )


def _plan_with(search: Search, problem: Problem, refits: bool) -> Plan:
    settings, n_splits = problem.settings, len(problem.splits)
    n_seeds = sum(len(part.space.first_templates()) for part in problem.task.parts)
    total = search.most_evaluations()
    # the last one is the trial fit that says whether the pipeline takes the error
    draws = N_DRAWS * n_splits + (N_DRAWS + 1) * (settings.confirm_size is not None)
    n_relaxed = int(SHARE * total)
    fits = (total + n_relaxed + 1) * n_splits + draws * len(settings.budgets) + refits + 1
    each = float(np.mean([outcome.seconds for outcome in problem.clean]))
    n_workers = effective_n_jobs(settings.n_jobs)
    return Plan(n_seeds, total, fits, each, n_workers, "candidates", search.strategy.note)
