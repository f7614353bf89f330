"""Work on several workers: results in the order of the tasks, notes as they arrive."""

import os
import time
import warnings

import pytest
from joblib import parallel_config
from sklearn.exceptions import ConvergenceWarning

from skcorrupt.evaluation import Starting, _starting, run_tasks
from skcorrupt.utils import warned_once


def wait(seconds, name):
    time.sleep(seconds)
    return name


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.slow
def test_results_are_in_order_and_notes_as_they_come(n_jobs):
    noted = []
    tasks = ((1.5 if i == 0 else 0.01, i) for i in range(6))
    assert run_tasks(wait, tasks, n_jobs=n_jobs, done=noted.append) == [0, 1, 2, 3, 4, 5]
    assert sorted(noted) == [0, 1, 2, 3, 4, 5]
    # a slow task keeps nothing from being noted
    assert noted.index(0) == (0 if n_jobs == 1 else 5)


def test_nothing_to_do():
    assert run_tasks(wait, [], n_jobs=2) == []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_backends_that_give_all_results_at_once_get_the_work_in_rounds(n_jobs):
    asked, noted, ahead = [], [], []

    def tasks():
        for i in range(20):
            asked.append(i)
            yield (i,)

    def note(result):
        noted.append(result)
        ahead.append(len(asked) - len(noted))

    with parallel_config("multiprocessing"):
        assert run_tasks(abs, tasks(), n_jobs=n_jobs, done=note) == [*range(20)]
    assert noted == [*range(20)]
    # what was asked for and not yet noted is what a kill may lose
    assert max(ahead) == (0 if n_jobs == 1 else 7)


def heard_elsewhere(number):
    warnings.warn(f"in a worker: {number}", ConvergenceWarning, stacklevel=1)
    return os.getpid()


@pytest.mark.long
def test_what_workers_hear_is_shown_here_and_once():
    with warnings.catch_warnings(record=True) as caught, warned_once():
        warnings.simplefilter("always")
        workers = run_tasks(heard_elsewhere, [(i,) for i in range(4)], n_jobs=2)
    assert os.getpid() not in workers
    (told,) = caught
    assert told.category is ConvergenceWarning and "in a worker" in str(told.message)


def test_workers_are_started_where_they_save_more_time_than_that_takes(monkeypatch):
    monkeypatch.setattr(_starting, "_last_work", [])
    starting = Starting(2)
    assert starting.needed and starting.jobs(1) == 1
    # how long a task takes is not known, and how many are too many
    assert starting.jobs(2) == 2 and starting.jobs(20, _starting.START) == 2
    short = _starting.START / 10
    # what is saved adds up
    assert [starting.jobs(8, short) for _ in range(3)] == [1, 1, 2]
    with parallel_config("threading"):
        assert not starting.needed and starting.jobs(2, 0.0) == 2
    assert Starting(None).jobs(9, short) is None
    _starting._last_work.append(time.monotonic())
    assert not starting.needed and starting.jobs(1) == 2
