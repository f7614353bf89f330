"""Results of parallel work as they arrive, on every backend of joblib."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import islice
from typing import Any

from joblib import effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel

# calls that a worker gets before all wait for the last one, where results only come all at once
ROUND = 4


def arriving(
    calls: Iterable[Any],
    *,
    n_jobs: int | None = None,
    ordered: bool = True,
    batch_size: int | str = "auto",
) -> Generator[Any, None, None]:
    """Results of calls while others are still at work.

    Some backends, Ray and multiprocessing among them, give back results only when all are there.
    These get the calls in rounds, so that few results are held, and a kill loses few.

    Parameters
    ----------
    calls : iterable
        What `delayed` makes.
    n_jobs : int or None, default=None
        Number of workers, as in joblib.
    ordered : bool, default=True
        Whether results come in the order of the calls, or as they end.
    batch_size : int or "auto", default="auto"
        Calls that a worker takes, and gives back, at once.

    Yields
    ------
    object
        A result.
    """
    if getattr(get_active_backend()[0], "supports_return_generator", False):
        return_as = "generator" if ordered else "generator_unordered"
        yield from Parallel(n_jobs=n_jobs, return_as=return_as, batch_size=batch_size)(calls)
        return
    workers = effective_n_jobs(n_jobs)
    size = 1 if workers == 1 else ROUND * workers
    waiting = iter(calls)
    # workers stay between rounds
    with Parallel(n_jobs=n_jobs, batch_size=batch_size) as parallel:
        while some := list(islice(waiting, size)):
            yield from parallel(some)
