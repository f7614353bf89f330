"""Score the winner on rows that took no part in the search."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import (
    GroupShuffleSplit,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Outcome,
    ReplayedEstimator,
    Split,
    distinct_draws,
    evaluate_split,
    run_tasks,
    unsaid_of_no_effect,
)
from skcorrupt.stats import bootstrap_interval
from skcorrupt.utils import Target, spawn_seeds, warn
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._typing import ApplyTo, ColumnLike, Estimator

from .candidates import Deadline, OutOfTime, Stream

N_DRAWS = 20
# where time is limited; fewer would hardly tell a winner from chance
LEAST_DRAWS = 5
N_RESAMPLES = 200
DRAWS_A_RESAMPLE = 5
MIN_ROWS = 10
# where time-ordered groups end, so many times as many rows may be set aside, or as few; of those
# that would be searched, so many times fewer may be
FURTHEST = 2


@dataclass
class Confirmation:
    """Scores on the confirmation rows.

    Attributes
    ----------
    score : float
        Mean score of the pipeline under fresh draws of the winner.
    baseline : float
        Score of the clean pipeline.
    interval : (float, float)
        95 % bootstrap interval of their difference.
    outcomes : list of Outcome
        The fits, the clean one first.
    """

    score: float = np.nan
    baseline: float = np.nan
    interval: tuple[float, float] = (np.nan, np.nan)
    outcomes: tuple[Outcome, ...] = ()


def confirmation_rows(
    cv: Any,
    estimator: Estimator,
    target: Target,
    groups: ColumnLike | None,
    size: float,
    seed: int,
    *,
    tells: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """Split all rows into those to search on and those to confirm on.

    Parameters
    ----------
    cv : splitter, int, iterable or None
        The user's `cv`: time-ordered ones set the last share aside, where groups are given from
        the nearest end of one.
    estimator : estimator
        Classifiers are split by class where possible.
    target : Target
        The labels.
    groups : array-like of shape (n_samples,) or None
        Groups that are kept together.
    size : float in (0, 1)
        Share of the rows to confirm on.
    seed : int
        Seed of the split.
    tells : bool, default=True
        Whether a warning tells of groups that are cut.

    Returns
    -------
    search, confirm : ndarray of int
        Positions, in order.

    Raises
    ------
    ValueError
        If `cv` fixes the splits, so that no rows can be set aside.

    Warns
    -----
    UserWarning
        If groups have rows on both sides, as those of a time-ordered table may have everywhere.
    """
    n = target.n_rows
    fixed = isinstance(cv, PredefinedSplit) or (
        cv is not None and not isinstance(cv, (int, np.integer)) and not hasattr(cv, "split")
    )
    if fixed:
        raise ValueError(
            f"cv={cv if isinstance(cv, PredefinedSplit) else 'an explicit list of splits'} fixes "
            "the rows of every split, so none can be set aside to confirm on; pass "
            "confirm_size=None and call search.confirm(X_test, y_test) with rows of your own."
        )
    rows = np.arange(n)
    n_confirm = round(size * n)
    if isinstance(cv, TimeSeriesSplit):
        last = n - n_confirm if groups is None else _between_groups(groups, n_confirm, tells=tells)
        return rows[:last], rows[last:]
    random_state = seed % (2**32)
    if groups is not None:
        given = np.unique(np.asarray(groups))
        if len(given) < 2:
            raise ValueError(
                f"groups has the single group {given.tolist()[0]!r}, which cannot be both searched "
                "and set aside to confirm on; pass confirm_size=None, or groups=None if rows do "
                "not depend on each other."
            )
        splitter: Any = GroupShuffleSplit(1, test_size=size, random_state=random_state)
        search, confirm = next(splitter.split(rows, groups=np.asarray(groups)))
        return np.sort(search), np.sort(confirm)
    y = target.values
    splitter = ShuffleSplit(1, test_size=size, random_state=random_state)
    if is_classifier(estimator):
        _, counts = np.unique(y, return_counts=True)
        if counts.min() >= 2 and len(counts) <= min(n_confirm, n - n_confirm):
            splitter = StratifiedShuffleSplit(1, test_size=size, random_state=random_state)
    search, confirm = next(splitter.split(rows, y))
    return np.sort(search), np.sort(confirm)


def _between_groups(groups: ColumnLike, n_confirm: int, *, tells: bool) -> int:
    """Where time-ordered rows are cut so that about so many are last, and no group is torn."""
    codes = np.unique(np.asarray(groups), return_inverse=True)[1]
    n, cut = len(codes), len(codes) - n_confirm
    first, end = np.full(codes.max() + 1, n), np.zeros(codes.max() + 1, dtype=int)
    np.minimum.at(first, codes, np.arange(n))
    np.maximum.at(end, codes, np.arange(n))
    # a cut before a row tears groups that have begun and have not ended
    torn = np.cumsum(
        np.bincount(first + 1, minlength=n + 1) - np.bincount(end + 1, minlength=n + 1)
    )
    least = max(cut / FURTHEST, n - n_confirm * FURTHEST)
    most = n - n_confirm / FURTHEST
    whole = [k for k in range(1, n) if not torn[k] and least <= k <= most]
    if whole:
        return min(whole, key=lambda k: abs(k - cut))
    if torn[cut] and tells:
        warn(
            f"groups: {int(torn[cut])} of {counted(len(first), 'group')} lie on both sides of the "
            f"last {n_confirm} rows of {n}, which are set aside as cv=TimeSeriesSplit goes by "
            "time, so that what is confirmed depends on people or places that the search knew. "
            "Pass groups=None if rows do not depend on each other, or a cv that keeps groups "
            "together."
        )
    return cut


def confirm_on(
    estimator: Estimator,
    corruption: BaseCorruption | None,
    split: Split,
    scorer: Callable[..., Any],
    *,
    n_jobs: int | None,
    groups: ColumnLike | None = None,
    bar: Any = None,
    n_draws: int = N_DRAWS,
    deadline: Deadline | None = None,
    apply_to: ApplyTo = "train",
) -> Confirmation:
    """Fit with fresh draws of the winner and cleanly, and compare on the test part of a split.

    Parameters
    ----------
    estimator : estimator
        The pipeline.
    corruption : BaseCorruption or None
        The winner; None compares nothing.
    split : Split
        Rows to fit on and rows to confirm on.
    scorer : callable
        The scorer.
    n_jobs : int or None
        Number of workers.
    groups : array-like, default=None
        Groups of the confirmation rows, resampled as a whole.
    bar : tqdm, default=None
        Progress.
    n_draws : int, default=20
        Fresh draws of the winner.
    deadline : Deadline or None, default=None
        When it is to end; None is never.
    apply_to : {"train", "test", "both"}, default="train"
        Where the winner strikes.

    Returns
    -------
    Confirmation
        Scores and interval; NaN where there are too few rows.
    """
    reason = _too_few(estimator, split)
    if reason:
        warn(
            f"The result is not confirmed: {reason}. Pass more rows, a larger confirm_size, or "
            "call search.confirm(X_test, y_test).",
        )
        return Confirmation()
    first, *seeds = spawn_seeds(split.seed, 1 + n_draws, Stream.CONFIRMATION)
    with unsaid_of_no_effect():
        seeds = distinct_draws(split, corruption, seeds, apply_to)
    corruptions = [None] + [corruption] * len(seeds)
    tasks = [
        (estimator, split, scorer, c, seed, apply_to)
        for c, seed in zip(corruptions, [first, *seeds], strict=True)
    ]
    deadline = deadline or Deadline()
    if bar is not None:
        bar.total = len(tasks)

    def note(_: Outcome) -> None:
        if bar is not None:
            bar.update()
        deadline.check()

    with unsaid_of_no_effect():
        outcomes = run_tasks(_fit, tasks, n_jobs=n_jobs, done=note)
    if corruption is not None and not any(o.error or o.row_fraction > 0 for o in outcomes[1:]):
        warn(
            f"The error strikes none of the {len(split.test)} rows to confirm on, so that the "
            "confirmed score is that without errors and says nothing of its harm. Pass more rows, "
            "a larger confirm_size, or call search.confirm(X_test, y_test)."
        )
    failed = [o for o in outcomes if o.error]
    if failed:
        warn(
            f"The pipeline failed on {len(failed)} of {len(outcomes)} fits of the confirmation, "
            f"which are left out of it; the first: {failed[0].error}. Check that the rows to "
            "confirm on suit the pipeline.",
            FitFailedWarning,
        )
    clean, draws = outcomes[0], [o for o in outcomes[1:] if not o.error]
    baseline = float(clean.score)
    if corruption is None:
        return Confirmation(baseline, baseline, (0.0, 0.0), tuple(outcomes))
    if not draws:
        return Confirmation(np.nan, baseline, (np.nan, np.nan), tuple(outcomes))
    scores = np.array([float(o.score) for o in draws])
    alone = groups is not None and len(np.unique(np.asarray(groups))) < 2
    interval, reason = (np.nan, np.nan), "a single group holds all of"
    remedy = "Pass more rows to confirm on."
    if not alone:
        # groups are resampled as a whole, and one would give the same rows every time
        interval = _interval(clean, draws, split, scorer, groups, deadline)
        reason = "the scorer gives no number on most resamples of"
        if deadline.passed:
            reason = "time does not suffice for resamples of"
            remedy = "Pass a larger max_time."
    if np.isfinite(baseline) and not np.isfinite(interval).all():
        warn(
            f"The confirmed drop has no interval: {reason} the {len(split.test)} rows. {remedy}",
        )
    return Confirmation(float(scores.mean()), baseline, interval, tuple(outcomes))


def _fit(
    estimator: Estimator,
    split: Split,
    scorer: Any,
    corruption: BaseCorruption | None,
    seed: int,
    apply_to: ApplyTo,
) -> Outcome:
    return evaluate_split(
        estimator,
        split,
        scorer,
        corruption=corruption,
        corruption_seed=seed,
        apply_to=apply_to,
        return_estimator=True,
    )


def _interval(
    clean: Outcome,
    draws: list[Outcome],
    split: Split,
    scorer: Any,
    groups: Any,
    deadline: Deadline,
) -> tuple[float, float]:
    replays = [
        ReplayedEstimator(o.estimator, split.X_test, split.y_test, split.score_params, o.served)
        for o in [clean, *draws]
    ]

    takes = any(replay.needs_rows(scorer) for replay in replays)

    def difference(rows: np.ndarray, rng: np.random.Generator) -> float:
        deadline.check()
        n_drawn = min(DRAWS_A_RESAMPLE, len(draws))
        picked = rng.integers(1, len(replays), size=n_drawn)
        taken = replays[0].taken(rows) if takes else None
        scores = [replays[i].score_on(scorer, rows, taken) for i in np.unique(picked)]
        counts = np.unique(picked, return_counts=True)[1]
        clean = replays[0].score_on(scorer, rows, taken)
        return clean - float(np.average(scores, weights=counts))

    with warnings.catch_warnings():
        # a resample may lack a class, which the scorers warn of; it is left out
        warnings.simplefilter("ignore")
        try:
            return bootstrap_interval(
                difference,
                len(split.test),
                n_resamples=N_RESAMPLES,
                groups=None if groups is None else np.asarray(groups),
                seed=split.seed,
            )
        except OutOfTime:
            return np.nan, np.nan


def _too_few(estimator: Estimator, split: Split) -> str:
    if len(split.test) < MIN_ROWS:
        return f"{len(split.test)} rows are too few to confirm on (at least {MIN_ROWS})"
    if is_classifier(estimator):
        if len(np.unique(Target(split.y_test).values)) < 2:
            return "the rows to confirm on hold a single class"
        if len(np.unique(Target(split.y_train).values)) < 2:
            return "the rows to search on hold a single class"
    return ""
