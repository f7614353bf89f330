"""What a search will cost, before it runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from joblib import effective_n_jobs

from ._confirmation import N_DRAWS
from ._problem import Problem
from .strategies import Search


@dataclass(frozen=True)
class SearchPlan:
    """Upper bounds on the work of a search.

    Attributes
    ----------
    n_templates : int
        Templates of the first round.
    n_evaluations : int
        Most distinct candidates that are scored.
    n_fits : int
        Most fits of the pipeline, confirmation and random draws included.
    seconds_per_fit : float
        Time of one fit and score on clean data.
    seconds : float
        Most seconds on the given number of workers, the search's own work not counted.
    without_proxy : SearchPlan or None
        With `Screening("auto")`, the same if no proxy agrees with the pipeline.
    """

    n_templates: int
    n_evaluations: int
    n_fits: int
    seconds_per_fit: float
    seconds: float
    without_proxy: SearchPlan | None = None

    def __str__(self) -> str:
        most = f"at most {self.n_evaluations} candidates and {self.n_fits} fits"
        said = f"{most} of {self.seconds_per_fit:.3f} s each: up to {_time(self.seconds)}"
        if self.without_proxy is None:
            return f"{said}; the search stops sooner when a round improves nothing"
        other = self.without_proxy
        return (
            f"{said} besides screening; if no proxy agrees with the pipeline, at most "
            f"{other.n_evaluations} candidates: up to {_time(other.seconds)}"
        )


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def plan_of(problem: Problem, *, refits: bool = False) -> SearchPlan:
    """Count the evaluations of a search in the worst case.

    Parameters
    ----------
    problem : Problem
        A search that has not run.
    refits : bool, default=False
        Whether the winner is refitted.

    Returns
    -------
    SearchPlan
        The bounds.
    """
    plan = _plan_with(problem.search, problem, refits)
    other = problem.search.otherwise
    return (
        plan if other is None else replace(plan, without_proxy=_plan_with(other, problem, refits))
    )


def _plan_with(search: Search, problem: Problem, refits: bool) -> SearchPlan:
    settings, n_splits = problem.settings, len(problem.splits)
    n_seeds = sum(len(part.space.first_templates()) for part in problem.task.parts)
    total = search.most_evaluations()
    # the last one is the trial fit that says whether the pipeline takes the error
    draws = N_DRAWS * n_splits + (N_DRAWS + 1) * (settings.confirm_size is not None)
    fits = (total + 1) * n_splits + draws * len(settings.budgets) + refits + 1
    each = float(np.mean([outcome.seconds for outcome in problem.clean]))
    return SearchPlan(n_seeds, total, fits, each, fits * each / effective_n_jobs(settings.n_jobs))
