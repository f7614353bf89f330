"""How many candidates the search that decides by itself scores, before it does."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from skcorrupt.attributes._fine_attribute import FineAttribute
from skcorrupt.utils import spawn_seeds

from ..candidates import (
    MEASURED,
    CandidateSpace,
    SearchTask,
    Stream,
    seconds_per_fit,
    some_candidates,
    timed,
)
from ..proxies import Screened, on_fewer_rows, shrunken
from . import _workload
from ._auto_run import DECIDED, MOST_PICKED, PICKED, SAMPLED_ROWS, AutoRun
from ._beam_search import GOES_ON, BeamSearch
from ._growth import Growth
from ._learning import AT_ONCE, IDLE, POOL, Learning, n_points_up_to
from ._picks import most_of_sorts
from ._workload import (
    FEW_CONDITIONS,
    in_beam,
    n_shortest,
    on_all_rows,
    pair_spaces,
    pairs_of,
    rounds_of,
)

# candidates by which it is told how long one takes to be made
MEASURED_MADE = 64


def most_explored(task: SearchTask) -> int:
    """Most candidates that the pipeline scores, over all budgets."""
    if not on_all_rows(task):
        return DECIDED * len(task.budgets)
    space = task.space
    first = min(n_shortest(space), _workload.MOST_FIRST)
    growth, rounds = Growth(task, space, beside=False), max(1, space.max_conditions)
    grown = rounds * growth.most_grown
    refined = rounds * growth.most_refined + Growth(task, space, beside=True).most_refined
    run = AutoRun(task, Screened())
    longer = len(run.stand_ins.names()) * (MOST_PICKED + most_of_sorts(space))
    longer += AT_ONCE * rounds_of(task) + math.ceil(in_beam(space))
    paired = pair_spaces(task, space, trusted=False)
    longer += sum(n_points_up_to(each, FEW_CONDITIONS) for each in paired)
    on_grid = min(first + grown + longer, most_on_grid(space))
    return int(on_grid + refined) * len(task.budgets)


def most_on_grid(space: CandidateSpace) -> float:
    """Most candidates of a budget that are no refinement; infinite where they are very many."""
    n = n_points_up_to(space, max(space.depths, default=0))
    return n if n <= POOL else np.inf


def expected_explored(task: SearchTask, *, on_sample: bool = False) -> float:
    """As many as the pipeline is expected to score: different ones, and half of what may grow.

    Linear proxies are expected to order candidates as the pipeline does, others are not.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    on_sample : bool, default=False
        Whether the rows are a sample, on which it goes on however many they are.

    Returns
    -------
    float
        Over all budgets.
    """
    if not on_sample and not on_all_rows(task):
        return float(DECIDED * len(task.budgets))
    run = AutoRun(task, Screened())
    n = len(task.budgets)
    keys = {key for space in task.spaces for key in run.first(space)}
    names = run.stand_ins.names()
    growth = Growth(task, task.space, beside=True)
    rounds = max(1, task.space.max_conditions)
    grown, most_near = rounds * growth.most_grown / 2, growth.most_refined
    if has_all_conditions(task.space):
        # what lies near is on the grid
        most_near = 0
    refined = most_near / 2
    trusted = is_trusted(names)
    paired: list[CandidateSpace] = []
    if not on_sample:
        paired = pair_spaces(task, task.space, trusted=trusted)
        for space in task.spaces:
            keys |= pairs_of([each.within(space.budget) for each in paired]).keys()
    if paired and max(task.space.depths) <= FEW_CONDITIONS:
        return min(len(keys) + grown * n, most_on_grid(task.space) * n) + refined * n
    longer = (2 * PICKED + most_of_sorts(task.space) // 2) * bool(names)
    if not trusted:
        longer += int(AT_ONCE * (IDLE * rounds_of(task) + 2))
        refined += most_near // 2
        longer += 0 if on_sample else int(in_beam(task.space, GOES_ON))
    return min(len(keys) + (grown + longer) * n, most_on_grid(task.space) * n) + refined * n


def has_all_conditions(space: CandidateSpace) -> bool:
    """Whether the grid has every range or set of the values of every column."""
    for j, attribute in space.attributes.items():
        fine = FineAttribute.of(space.table, j)
        n = fine.levels.n_levels
        if len(attribute.atoms) < (n * (n + 1) // 2 if fine.ranged else 2**n - 1) - 1:
            return False
    return True


def is_trusted(names: list[str]) -> bool:
    """Whether the proxy that suits the pipeline best is expected to order candidates as it does."""
    return names[:1] == ["linear"]


def expected_in_learning(task: SearchTask) -> float:
    """Seconds that go into candidates that are made to choose among, by some of them."""
    if is_trusted(AutoRun(task, Screened()).stand_ins.names()) or max(task.space.depths) < 1:
        return 0.0
    learning = Learning(task, task.space, rounds_of(task))
    n, seconds = timed(lambda: learning.n_of_sample(MEASURED_MADE))
    return POOL / max(1, n) * seconds * len(task.budgets)


def expected_in_beams(task: SearchTask) -> float:
    """Seconds that go into the bounds that beams propose, where there are beams."""
    if is_trusted(AutoRun(task, Screened()).stand_ins.names()) or not on_all_rows(task):
        return 0.0
    return BeamSearch().expected_seconds(task)


def expected_on_a_sample(task: SearchTask) -> float:
    """Seconds that go into fits on a sample of the rows, where there is one."""
    if on_all_rows(task):
        return 0.0
    seed = spawn_seeds(task.seed, 1, Stream.FEWER_ROWS)[0]
    estimator = task.evaluator.estimator
    cheap = on_fewer_rows(task, shrunken(estimator) or estimator, SAMPLED_ROWS, seed)
    some = some_candidates(task.space, MEASURED, seed)
    sampled = dataclasses.replace(task, evaluator=cheap)
    n = expected_explored(sampled, on_sample=True)
    return n * seconds_per_fit(cheap, some) * len(cheap.splits)
