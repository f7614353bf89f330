"""All parallel work goes through scikit-learn's Parallel, and so through joblib backends."""

from __future__ import annotations

import pickle
import reprlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from joblib.externals.loky.backend.reduction import dumps
from sklearn.utils.parallel import Parallel, delayed


def run_tasks(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    n_jobs: int | None = None,
    done: Callable[[Any], None] | None = None,
    batch_size: int | str = "auto",
) -> list[Any]:
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
    batch_size : int or "auto", default="auto"
        Tasks that a worker takes, and gives back, at once. With 1, each result arrives when it is
        there; "auto" takes more of those that are short, which is faster.

    Returns
    -------
    list
        One result a task.

    Raises
    ------
    TypeError
        If work is sent to other processes and something in it, or what comes of it, does not
        pickle.
    """
    sent: list[tuple[Any, ...]] = []
    # as they end, so that a slow task does not keep what others found from being noted
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=batch_size)
    jobs = (delayed(_numbered)(i, function, *task) for i, task in enumerate(_noting(tasks, sent)))
    results = {}
    arriving = parallel(jobs)
    try:
        for i, result in arriving:
            results[i] = result
            if done is not None:
                done(result)
    except BaseException as error:
        # workers end now rather than when the garbage collector comes by
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            arriving.close()
        if _is_of_pickling(error):
            raise TypeError(_unpicklable(sent, n_jobs, error)) from error
        raise
    return [results[i] for i in range(len(results))]


def _numbered(i: int, function: Callable[..., Any], *arguments: Any) -> tuple[int, Any]:
    return i, function(*arguments)


def _noting(
    tasks: Iterable[tuple[Any, ...]], sent: list[tuple[Any, ...]]
) -> Iterator[tuple[Any, ...]]:
    """The tasks, the last of which is in `sent`."""
    for task in tasks:
        sent[:] = [task]
        yield task


def _is_of_pickling(error: BaseException) -> bool:
    # workers tell of it as what Python raises, or as a broken pool
    if not isinstance(error, (pickle.PicklingError, TypeError, AttributeError, RuntimeError)):
        return False
    words = f"{error} {error.__cause__ or ''}"
    return any(sign in words for sign in ("pickle", "un-serialize", "serialize object"))


def _unpicklable(sent: list[tuple[Any, ...]], n_jobs: int | None, error: BaseException) -> str:
    """Say what does not pickle, by its place among the parameters where it has one."""
    culprit = next(
        (found for task in sent for part in task if (found := _culprit(part)) is not None),
        f"what came of a fit does not pickle ({error})",
    )
    return (
        f"n_jobs={n_jobs}: {culprit}, so it cannot go from process to process. Pass n_jobs=1, "
        'work in threads, as in `with joblib.parallel_config(backend="threading"):`, or make '
        "what does not pickle (locks, open files, connections) only when it is needed."
    )


def _culprit(part: Any) -> str | None:
    """What in an object does not pickle, None where all does."""
    try:
        pickle.loads(dumps(part))
    except Exception as error:
        if isinstance(part, dict):
            inner = {str(key): value for key, value in part.items()}
        else:
            inner = part.get_params() if hasattr(part, "get_params") else {}
        for name, value in inner.items():
            found = _culprit(value)
            if found is not None:
                return f"{name}: {found}" if not found.startswith(f"{name}") else found
        return f"{reprlib.repr(part)} of type {type(part).__name__} does not pickle ({error})"
    return None
