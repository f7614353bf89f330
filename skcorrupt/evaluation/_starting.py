"""Workers are started where they save more time than that takes."""

from __future__ import annotations

import time

import numpy as np
from joblib import effective_n_jobs
from joblib.parallel import get_active_backend

# seconds that starting workers takes, more where other work is done too, and those for which
# joblib keeps them without work
START, KEPT = 5.0, 300.0
# when workers had work last, on the clock of this process
_last_work: list[float] = []


class Starting:
    """Whether workers are worth the time that starting them takes.

    Parameters
    ----------
    n_jobs : int or None
        Number of workers, as in joblib.
    """

    def __init__(self, n_jobs: int | None) -> None:
        self.n_jobs = n_jobs
        # seconds that workers would have saved until now
        self._missed = 0.0

    @property
    def needed(self) -> bool:
        """Whether work in parallel starts workers first."""
        up = bool(_last_work) and time.monotonic() - _last_work[-1] < KEPT
        return not up and in_processes(self.n_jobs)

    def jobs(self, n_tasks: int, seconds: float = np.nan) -> int | None:
        """Number of workers for some tasks, 1 where these are done sooner without starting any.

        Parameters
        ----------
        n_tasks : int
            How many.
        seconds : float, default=NaN
            Those of one, where they are known.

        Returns
        -------
        int or None
            As `n_jobs`.
        """
        if not self.needed:
            return self.n_jobs
        if n_tasks < 2:
            return 1
        workers = min(effective_n_jobs(self.n_jobs), n_tasks)
        saved = self._missed + n_tasks * seconds * (1 - 1 / workers)
        if not saved < START:
            return self.n_jobs
        self._missed = saved
        return 1


def in_processes(n_jobs: int | None) -> bool:
    """Whether work is sent to processes of joblib's own kind, which take time to start."""
    own = type(get_active_backend()[0]).__name__ == "LokyBackend"
    return own and effective_n_jobs(n_jobs) > 1


def note_work() -> None:
    """Note that workers have done some work, so that they are there."""
    _last_work[:] = [time.monotonic()]
