"""Work on several workers: results in the order of the tasks, notes as they arrive."""

import time

import pytest

from skcorrupt.evaluation import run_tasks


def wait(seconds, name):
    time.sleep(seconds)
    return name


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_are_in_order_and_notes_as_they_come(n_jobs):
    noted = []
    tasks = ((1.5 if i == 0 else 0.01, i) for i in range(6))
    assert run_tasks(wait, tasks, n_jobs=n_jobs, done=noted.append) == [0, 1, 2, 3, 4, 5]
    assert sorted(noted) == [0, 1, 2, 3, 4, 5]
    # a slow task keeps nothing from being noted
    assert noted.index(0) == (0 if n_jobs == 1 else 5)


def test_nothing_to_do():
    assert run_tasks(wait, [], n_jobs=2) == []
