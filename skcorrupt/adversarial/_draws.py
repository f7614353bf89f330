"""What is drawn for winners, random errors of their size and confirmation, and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor

from skcorrupt.evaluation import ReplayedEstimator
from skcorrupt.utils import as_table, warn

from ._confirmation import DRAWS_A_RESAMPLE, LEAST_DRAWS, N_DRAWS, N_RESAMPLES
from ._problem import Problem
from .candidates import timed

# of the time there is, what all draws may take; beyond it there are fewer
DRAWS_SHARE = 0.25
MOST_SHARE = 0.75
# of the limit, what all draws may take however little time is left: the rest of the comparison
# takes longer
IN_PASSING = 0.04
# scores of a resample by which the time of all is known
TIMED = 5


class QuickClassifier(DummyClassifier):
    """A model that answers at once; a `DummyClassifier` has a score of its own, a slower one."""

    score = ClassifierMixin.score


class QuickRegressor(DummyRegressor):
    """A model that answers at once, with the score that regressors have."""

    score = RegressorMixin.score


@dataclass(frozen=True)
class DrawsCost:
    """What the draws for one winner cost.

    Attributes
    ----------
    fits : float
        Fits of one draw, in fits of the search: those on more rows count as more.
    once : float
        Fits that there are however many draws are made.
    seconds : float
        Seconds of the interval.
    """

    fits: float
    once: float
    seconds: float

    def of(self, n_draws: float, seconds_per_fit: float) -> float:
        """Seconds of so many draws."""
        return (self.once + n_draws * self.fits) * seconds_per_fit + self.seconds

    def affordable(self, seconds: float, seconds_per_fit: float) -> int:
        """How many draws can be made in some seconds, all or no fewer than five."""
        if not np.isfinite(seconds):
            return N_DRAWS
        left = seconds - self.of(0, seconds_per_fit)
        most = left / max(self.fits * seconds_per_fit, 1e-9)
        return int(np.clip(most, LEAST_DRAWS, N_DRAWS))


def cost_of_draws(problem: Problem, *, refits: bool = False) -> DrawsCost:
    """What the draws for one winner cost.

    Parameters
    ----------
    problem : Problem
        The search.
    refits : bool, default=False
        Whether the winner is refitted too.

    Returns
    -------
    DrawsCost
        In fits and seconds.
    """
    n_train = float(np.mean([len(split.train) for split in problem.splits]))
    refit = refits * as_table(problem.data.X).n_rows / n_train
    if problem.settings.confirm_size is None:
        return DrawsCost(len(problem.splits), refit, 0.0)
    larger = len(problem.search_rows) / n_train
    return DrawsCost(len(problem.splits) + larger, larger + refit, _interval_seconds(problem))


def _interval_seconds(problem: Problem) -> float:
    """Seconds of the interval of the confirmation."""
    each = seconds_per_replay(problem, len(problem.confirm_rows))
    return N_RESAMPLES * (1 + DRAWS_A_RESAMPLE) * each


def seconds_per_replay(problem: Problem, n_rows: int) -> float:
    """Seconds of a score of predictions that are known, by those of a model that costs nothing.

    Parameters
    ----------
    problem : Problem
        The search.
    n_rows : int
        Rows that are scored.

    Returns
    -------
    float
        The median of a few.
    """
    split = problem.splits[0]
    model = QuickClassifier() if is_classifier(problem.settings.estimator) else QuickRegressor()
    replay = ReplayedEstimator(
        model.fit(np.zeros((len(split.train), 1)), split.y_train),
        split.X_test,
        split.y_test,
        split.score_params,
    )
    rows = np.arange(n_rows) % len(split.test)
    each = [timed(lambda: replay.score_on(problem.settings.scorer, rows))[1] for _ in range(TIMED)]
    return float(np.median(each))


def set_aside(problem: Problem, *, refits: bool) -> float:
    """Seconds of a limited search that are kept for the draws for its winners.

    Parameters
    ----------
    problem : Problem
        The search, before it begins.
    refits : bool
        Whether the winner is refitted too.

    Returns
    -------
    float
        0 without a limit.
    """
    deadline = problem.evaluator.deadline
    if not deadline.limited:
        return 0.0
    cost, each = cost_of_draws(problem, refits=refits), problem.evaluator.seconds_per_fit
    n_winners, left = len(problem.settings.budgets), deadline.left()
    n_draws = cost.affordable(DRAWS_SHARE * left / n_winners, each)
    return min(n_winners * cost.of(n_draws, each), MOST_SHARE * left)


def n_draws_in_time(problem: Problem, *, refits: bool) -> int:
    """How many draws each winner gets in the time that is left.

    Parameters
    ----------
    problem : Problem
        The search, done.
    refits : bool
        Whether the winner is refitted too.

    Returns
    -------
    int
        20, or down to 5 with a warning.
    """
    deadline, evaluator = problem.evaluator.deadline, problem.evaluator
    winners = [next(iter(evaluator.within(b)), None) for b in problem.settings.budgets]
    n_winners = len({winner.candidate.key for winner in winners if winner is not None})
    if not deadline.limited or not n_winners:
        return N_DRAWS
    cost, each = cost_of_draws(problem, refits=refits), problem.evaluator.seconds_per_fit
    n_draws = cost.affordable(deadline.left() / n_winners, each)
    in_passing = IN_PASSING * float(deadline.seconds or 0.0) / n_winners
    if cost.fits * N_DRAWS * each <= in_passing:
        n_draws = N_DRAWS
    if n_draws < N_DRAWS:
        warn(
            f"max_time={deadline.seconds:g} s leaves time for {n_draws} draws of random errors and "
            f"of the winner to confirm it, instead of {N_DRAWS}: these scores are less certain. "
            "Raise it, or call confirm(X_test, y_test) with rows of your own."
        )
    return n_draws
