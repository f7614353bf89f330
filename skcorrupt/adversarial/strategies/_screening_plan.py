"""What a screening is expected to take, by a little of it."""

from __future__ import annotations

from ..candidates import MEASURED, SearchTask, seconds_per_fit, some_candidates, timed
from ..proxies import PROXIES, SCREENED_ROWS, ScorerRefuses, on_fewer_rows, shrunken
from ._screened_best import POLISHED, PREFILTERED
from ._screening_run import JUDGED, ScreeningRun

# candidates that are scored to learn how long a stand-in takes
POINTS = 512
# in batches of few, each takes longer than in those of a screening
AGAIN = 160


def expected_seconds_of(run: ScreeningRun) -> float:
    """Seconds of the stand-in that a screening is expected to take.

    Parameters
    ----------
    run : ScreeningRun
        One that has not begun.

    Returns
    -------
    float
        Over all budgets.
    """
    stand_ins = run.stand_ins
    named = run.proxy if isinstance(run.proxy, str) and run.proxy in PROXIES else None
    names = [named] if named else stand_ins.names() if run.proxy == "auto" else []
    if names and stand_ins.can(names[0]):
        try:
            _, grouping = timed(lambda: stand_ins.groups)
            judging = run.n_pool(names) * sum(_seconds_again(run, name) for name in names)
            return grouping + judging + _seconds_on_groups(run, names[0])
        except ScorerRefuses:
            pass
    return _seconds_on_estimator(run, run.task)


def _seconds_on_groups(run: ScreeningRun, name: str) -> float:
    """Seconds of all budgets on a built-in proxy."""
    stand_ins, kind, space = run.stand_ins, PROXIES[name], run.task.space
    total, most = 0.0, PREFILTERED if kind.prefiltered else POLISHED
    first = stand_ins.first_screen(name, space)
    points = first.most_points
    # the first time, much is made that all others find made
    first.sample(POINTS // 8, 0)
    n, seconds = timed(lambda: first.sample(POINTS, 1))
    total += seconds / max(1.0, n) * points
    # on more rows, where the groups are a sample of them
    larger = len(stand_ins.closer.rows) / len(stand_ins.groups.rows)
    total += min(most, points) * larger * _seconds_again(run, name)
    return total * len(run.task.budgets)


def _seconds_again(run: ScreeningRun, name: str) -> float:
    """Seconds of a candidate by converged models."""
    some = run.random_candidates(AGAIN)
    _, seconds = timed(lambda: run.stand_ins.scores(name, some, run.middle))
    return seconds / max(1, len(some))


def _seconds_on_estimator(run: ScreeningRun, task: SearchTask) -> float:
    """Seconds of an estimator that was given, or a clone, and of the beams on it."""
    given = None if isinstance(run.proxy, str) else run.proxy
    estimator = given or shrunken(task.evaluator.estimator)
    if estimator is None:
        return 0.0
    cheap = on_fewer_rows(task, estimator, SCREENED_ROWS, run.clone_seed)
    some = some_candidates(task.space, MEASURED, run.clone_seed)
    each = seconds_per_fit(cheap, some) * len(cheap.splits)
    n = JUDGED + run.beam.expected_evaluations(task)
    return (n * each if some else 0.0) + run.beam.expected_seconds(task)
