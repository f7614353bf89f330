"""How many candidates the search that decides by itself scores, before it does."""

from __future__ import annotations

import dataclasses
import math
from contextlib import suppress

import numpy as np

from skcorrupt.attributes._fine_attribute import FineAttribute
from skcorrupt.utils import spawn_seeds

from ..candidates import (
    MEASURED,
    CandidateSpace,
    SearchTask,
    Stream,
    filled_space,
    scored_in_time,
    seconds_per_fit,
    some_candidates,
    timed,
)
from ..proxies import ScorerRefuses, Screened, agreement_of, on_fewer_rows, shrunken
from . import _workload
from ._auto_run import DECIDED, JUDGED_EACH, MOST_PICKED, PICKED, SAMPLED_ROWS, TRUSTED, AutoRun
from ._beam_search import GOES_ON, BeamSearch
from ._growth import Growth
from ._learning import AT_ONCE, CHOSEN_EVERY, IDLE, POOL, Learning, n_points_up_to
from ._picks import most_of_sorts
from ._taught_descent import expected_made
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
# most by which it is told whether a proxy orders them as the pipeline does, fewest of which that
# is told, and how many seconds scoring them may take
ASKED, FEWEST_ASKED = 24, 12
ASKING_SECONDS = 2.0
# candidates that the proxy scores for that
MOST_KNOWN = 2048
# of the candidates near the worst that may be scored, as many are
NEAR_SHARE = 0.55
# by how much a rank correlation of so few may be off
UNSURE = 0.05


def most_explored(task: SearchTask) -> int:
    """Most candidates that the pipeline scores, over all budgets."""
    if not on_all_rows(task):
        return DECIDED * len(task.budgets)
    space = task.space
    run = AutoRun(task, Screened())
    first = min(n_shortest(space), _workload.MOST_FIRST)
    first += max(len(run.filling(each)) for each in task.spaces)
    growth, rounds = Growth(task, space, beside=False), max(1, space.max_conditions)
    grown = rounds * growth.most_grown
    refined = rounds * growth.most_refined + Growth(task, space, beside=True).most_refined
    longer = (len(run.stand_ins.saving()) + 1) * (MOST_PICKED + most_of_sorts(space))
    longer += AT_ONCE * rounds_of(task) + math.ceil(in_beam(space))
    paired = pair_spaces(task, space, trusted=False)
    longer += sum(n_points_up_to(each, FEW_CONDITIONS) for each in paired)
    on_grid = min(first + grown + longer, most_on_grid(space))
    return int(on_grid + refined) * len(task.budgets)


def most_on_grid(space: CandidateSpace) -> float:
    """Most candidates of a budget that are no refinement; infinite where they are very many."""
    n = n_points_up_to(filled_space(space), max(space.depths, default=0))
    return n if n <= POOL else np.inf


def expected_explored(task: SearchTask, *, on_sample: bool = False) -> float:
    """As many as the pipeline is expected to score: different ones, and half of what may grow.

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
    first = {key for space in task.spaces for key in run.first(space)}
    first |= {each.key for space in task.spaces for each in run.filling(space)}
    trust, names = expected_trust(task), run.stand_ins.saving()
    return sum(
        chance * _explored(task, first, names, trusted=trusted, on_sample=on_sample)
        for chance, trusted in ((trust, True), (1 - trust, False))
        if chance
    )


def _explored(
    task: SearchTask, first: set[bytes], names: list[str], *, trusted: bool, on_sample: bool
) -> float:
    n, keys = len(task.budgets), set(first)
    growth = Growth(task, task.space, beside=True)
    rounds = max(1, task.space.max_conditions)
    grown, most_near = rounds * growth.most_grown / 2, growth.most_refined
    if task.space.max_conditions == 0 or has_all_conditions(task.space):
        # what lies near is on the grid, or there are no bounds that could be moved
        most_near = 0
    refined = NEAR_SHARE * most_near
    paired: list[CandidateSpace] = []
    if not on_sample:
        paired = pair_spaces(task, task.space, trusted=trusted)
        for space in task.spaces:
            keys |= pairs_of([each.within(space.budget) for each in paired]).keys()
    if paired and max(task.space.depths) <= FEW_CONDITIONS:
        return min(len(keys) + grown * n, most_on_grid(task.space) * n) + refined * n
    longer = (3 * PICKED + most_of_sorts(task.space)) * bool(names)
    if not trusted:
        longer += int(AT_ONCE * (IDLE * rounds_of(task) + 2))
        refined += NEAR_SHARE * growth.refinement(sweeps=False).most * bool(most_near)
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


def expected_trust(task: SearchTask) -> float:
    """The chance that longer patterns are left to proxies, as the best orders candidates well.

    Linear proxies are asked about some candidates; others are taken not to order them well.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.

    Returns
    -------
    float
        One half where that could not be told in a short time.
    """
    if "trust" not in task.learned:
        run = AutoRun(task, Screened())
        linear = run.stand_ins.saving()[:1] == ["linear"]
        task.learned["trust"] = _trust_in_linear(task, run) if linear else 0.0
    return task.learned["trust"]


def _trust_in_linear(task: SearchTask, run: AutoRun) -> float:
    space = task.spaces[len(task.budgets) // 2]
    known = list(run.first(space).values())
    rng = np.random.default_rng(spawn_seeds(task.seed, 1, Stream.JUDGED)[0])
    if len(known) > MOST_KNOWN:
        known = [known[place] for place in rng.choice(len(known), MOST_KNOWN, replace=False)]
    try:
        scores = run.stand_ins.scores("linear", known, space) if known else np.empty(0)
    except ScorerRefuses:
        return 0.0
    worst = np.argsort(scores, kind="stable")[:JUDGED_EACH]
    turns = zip(rng.permutation(worst), rng.permutation(len(known)), strict=False)
    chosen = list(dict.fromkeys(place for pair in turns for place in pair))[:ASKED]
    some = [known[place].candidate for place in chosen]
    real = np.array(
        [score for score, _ in scored_in_time(task.evaluator.root, some, ASKING_SECONDS)]
    )
    if len(real) < min(FEWEST_ASKED, len(some)):
        return 0.5
    agreement = agreement_of(real, scores[chosen[: len(real)]])
    if np.isnan(agreement):
        return 0.0
    return float(np.clip(0.5 + (agreement - TRUSTED) / (2 * UNSURE), 0, 1))


def sampled_of(task: SearchTask) -> SearchTask:
    """The search on a sample of the rows, or itself where none is taken."""
    if on_all_rows(task):
        return task
    seed = spawn_seeds(task.seed, 1, Stream.FEWER_ROWS)[0]
    estimator = task.evaluator.estimator
    cheap = on_fewer_rows(task, shrunken(estimator) or estimator, SAMPLED_ROWS, seed)
    return dataclasses.replace(task, evaluator=cheap, learned={})


def expected_beside(task: SearchTask) -> float:
    """Seconds of fits on a sample, and of making candidates to choose among, by some of both.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.

    Returns
    -------
    float
        Over all budgets.
    """
    sampled, seconds = sampled_of(task), 0.0
    on_sample = sampled is not task
    if on_sample:
        seed = spawn_seeds(task.seed, 1, Stream.FEWER_ROWS)[0]
        some = some_candidates(task.space, MEASURED, seed)
        n = expected_explored(sampled, on_sample=True) * len(sampled.evaluator.splits)
        seconds += n * seconds_per_fit(sampled.evaluator, some)
    if max(task.space.depths) < 1:
        return seconds
    run = AutoRun(sampled, Screened())
    for name in run.stand_ins.saving()[:1]:
        with suppress(ScorerRefuses):
            seconds += sum(run.descent(space, name).expected_seconds for space in task.spaces)
    learns = 1 - expected_trust(sampled)
    if not learns:
        return seconds
    learning = Learning(sampled, task.space, rounds_of(task))
    _, seconds_made = timed(lambda: learning.make_some(MEASURED_MADE))
    n_sketched, seconds_sketched = timed(lambda: learning.sketch_some(MEASURED_MADE))
    n_descents = math.ceil((IDLE * rounds_of(task) + 2) / CHOSEN_EVERY)
    made = POOL / MEASURED_MADE * seconds_made
    made += n_descents * expected_made(task.space) * seconds_sketched / max(n_sketched, 1)
    made *= len(task.budgets)
    in_beams = 0.0 if on_sample else BeamSearch().expected_seconds(task)
    return seconds + learns * (made + in_beams)
