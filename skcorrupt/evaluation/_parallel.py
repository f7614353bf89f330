"""All parallel work goes through scikit-learn's Parallel, and so through joblib backends."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from multiprocessing import current_process
from typing import Any

from sklearn.utils.parallel import delayed

from skcorrupt.utils import arriving

from ._starting import in_processes, note_work
from ._unpicklable import raise_if_of_pickling

# seconds between looks whether a worker is still wanted
LOOKS = 0.5


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
    UnpicklableError
        If work is sent to other processes and something in it, or what comes of it, does not
        pickle.
    """
    sent: list[tuple[Any, ...]] = []
    here = os.getpid()
    jobs = (
        delayed(_numbered)(i, here, function, *task) for i, task in enumerate(_noting(tasks, sent))
    )
    results = {}
    # as they end, so that a slow task does not keep what others found from being noted
    found = arriving(jobs, n_jobs=n_jobs, ordered=False, batch_size=batch_size)
    elsewhere = in_processes(n_jobs)
    try:
        for i, result, heard in found:
            if elsewhere:
                note_work()
            results[i] = result
            for warning in heard:
                warnings.warn_explicit(*warning)
            if done is not None:
                done(result)
    except BaseException as error:
        # workers end now rather than when the garbage collector comes by
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.close()
        raise_if_of_pickling(error, sent, n_jobs)
        raise
    return [results[i] for i in range(len(results))]


def _noting(
    tasks: Iterable[tuple[Any, ...]], sent: list[tuple[Any, ...]]
) -> Iterator[tuple[Any, ...]]:
    """The tasks, the last of which is in `sent`."""
    for task in tasks:
        sent[:] = [task]
        yield task


def _numbered(
    i: int, asked_by: int, function: Callable[..., Any], *arguments: Any
) -> tuple[int, Any, list[Any]]:
    """A result with its number, and warnings that nobody saw as it was made elsewhere."""
    _end_with_parent()
    if os.getpid() == asked_by:
        return i, function(*arguments), []
    with warnings.catch_warnings(record=True) as heard:
        result = function(*arguments)
    told = {
        (text, each.category if _made_of(each.message, text) else UserWarning, *where)
        for each in heard
        for text, where in [(str(each.message), (each.filename, each.lineno))]
    }
    return i, result, sorted(told, key=str)


def _made_of(message: Warning | str, text: str) -> bool:
    """Whether a warning of its kind can be made of its text alone."""
    return getattr(message, "args", None) == (text,)


@cache
def _end_with_parent() -> None:
    """Have a worker end soon after the process it works for was killed.

    Workers of joblib's own kind would finish their fits and wait for more for five minutes; those
    of other kinds, such as dask's, have somebody who looks after them.
    """
    if not current_process().name.startswith("LokyProcess"):
        return
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
