"""All parallel work goes through scikit-learn's Parallel, and so through joblib backends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sklearn.utils.parallel import Parallel, delayed


def run_tasks(
    function: Callable[..., Any],
    tasks: Iterable[tuple],
    *,
    n_jobs: int | None = None,
    done: Callable[[Any], None] | None = None,
) -> list:
    """Call `function` on every task and return the results in the order of the tasks.

    Parameters
    ----------
    function : callable
        Called as `function(*task)`; it and its tasks must pickle when work is parallel.
    tasks : iterable of tuple
        Arguments, seeds included, drawn up front.
    n_jobs : int or None, default=None
        Number of workers, as in joblib.
    done : callable, default=None
        Called in this process with each result as it arrives, in any order.

    Returns
    -------
    list
        One result a task.
    """
    # as they end, so that a slow task does not keep what others found from being noted
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    jobs = (delayed(_numbered)(i, function, task) for i, task in enumerate(tasks))
    results = {}
    for i, result in parallel(jobs):
        results[i] = result
        if done is not None:
            done(result)
    return [results[i] for i in range(len(results))]


def _numbered(i: int, function: Callable[..., Any], task: tuple) -> tuple[int, Any]:
    return i, function(*task)
