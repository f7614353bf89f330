"""The exact search for errors in served rows, budget by budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from skcorrupt.base import FeatureCorruption

from ..candidates import (
    Candidate,
    CandidateSpace,
    Evaluation,
    KindEvaluator,
    MemberSpace,
    SearchTask,
)
from ..proxies import Screened
from ..serving import ExactRun, FinerRanges, Lot, ServedEvaluator, member_kind
from ._refinement import Refinement

# of the worst of different columns, so many are changed piece by piece, in so many ways
N_REFINED = 3
MOST_REFINED, MOST_RESCORED, MOST_WATCHED = 400, 300, 40
# of the worst patterns of the grid, those whose ranges are made finer, and what this scores at most
N_STARTS, MOST_BETWEEN = 12, 96
# of long tables fewer, so that rows times candidates stay below; of scores that are no sums too
MOST_LOOKED_AT = 40_000_000
LEAST_RESCORED, ROWS_RESCORED = 120, 1_200_000


def enumerate_exactly(tasks: Mapping[str, SearchTask], told: Mapping[str, Screened]) -> None:
    """Score the worst patterns of every budget, of all that there are on the grid.

    Parameters
    ----------
    tasks : dict of str to SearchTask
        The searches for kinds of error, by name, which rule one another out.
    told : dict of str to Screened
        Filled in with what was covered, by kind.
    """
    some = next(iter(tasks.values()))
    served = cast("ServedEvaluator", some.evaluator.root)
    for b, budget in enumerate(some.budgets):
        before = {name: len(task.evaluator.done) for name, task in tasks.items()}
        alike: dict[object, list[Lot]] = {}
        for task in tasks.values():
            lot = Lot(task, kind_of(task), task.spaces[b])
            alike.setdefault(lot.like, []).append(lot)
        for lots in alike.values():
            with some.evaluator.bar.phase("Predicting rows with errors"):
                run = ExactRun(lots, served)
            with some.evaluator.bar.phase("Enumerating patterns"):
                names = {kind_of(task): name for name, task in tasks.items()}
                for kind, rows in run.run().items():
                    own = told[names[kind]]
                    own.served[budget] = rows
                    # where nothing was found at all, that is told
                    if kind in run.gaps and run.best:
                        own.gaps.append(f"{run.gaps[kind]} at a budget of {budget:g}")
        for name, task in tasks.items():
            told[name].phases.append(_phase("in closed form", task, budget, before[name]))


def is_exact(task: SearchTask) -> bool:
    """Whether the worst pattern can be told from what the error does to every row."""
    served, template = task.evaluator.root, task.space.template
    if not isinstance(served, ServedEvaluator):
        return False
    if not (served.in_closed_form(template) or served.is_led(template)):
        return False
    groups = [*_labels(task.space).values()]
    # what fails is scored too, as it is set to be
    failures = served.failures(kind_of(task), template, groups)
    return all(
        error or served.acts_alone(kind_of(task), template, group)
        for group, error in failures.items()
    )


def draws_values(task: SearchTask) -> bool:
    """Whether candidates are scored in closed form for some draws of values, and then drawn.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.

    Returns
    -------
    bool
        False where scores hold for all draws.
    """
    if not is_closed(task):
        return False
    served, kind = cast("ServedEvaluator", task.evaluator.root), kind_of(task)
    effects, template = served.effects, cast("FeatureCorruption", task.space.template)
    groups = [*_labels(task.space).values()]
    return effects is not None and any(
        effects.known(kind, template, group) and effects.of(kind, template, group)[1]
        for group in groups
    )


def is_closed(task: SearchTask) -> bool:
    """Whether no candidate is predicted, as their scores are sums that are known."""
    served = task.evaluator.root
    return isinstance(served, ServedEvaluator) and served.effects is not None and is_exact(task)


def _labels(space: CandidateSpace) -> dict[tuple[int, ...], tuple[Any, ...]]:
    """Labels of the columns that may be hit together, by their positions."""
    return {hit: tuple(space.table.labels[j] for j in hit) for hit in space.allowed}


def kind_of(task: SearchTask) -> str:
    """The kind of error of a task, by what effects on rows are known by."""
    kind = task.evaluator.kind if isinstance(task.evaluator, KindEvaluator) else ""
    if isinstance(task.space, MemberSpace):
        return member_kind(kind, task.space.name)
    return kind


def refine_exactly(task: SearchTask, told: Screened) -> None:
    """Change the worst of every budget piece by piece, at full resolution.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    told : Screened
        Filled in with what was done.
    """
    evaluator = task.evaluator
    # what a smaller budget comes to would be nearer than what a search of this one starts from
    starts = [_start(task, told, space) for space in task.spaces]
    for space, (refinement, leaders) in zip(task.spaces, starts, strict=True):
        _look_between_bins(task, told, space)
        before = len(evaluator.done)
        with evaluator.bar.phase("Refining"):
            refinement.refine(space, leaders[:1])
            # which counts here too, and may be worse
            refinement.refine(space, evaluator.within(space.budget)[:1])
            refinement.refine(space, leaders[1:])
        told.phases.append(_phase("refining", task, space.budget, before))


def _look_between_bins(task: SearchTask, told: Screened, space: CandidateSpace) -> None:
    """Score patterns of a budget whose ranges are the worst that rows can tell apart."""
    evaluator, budget = task.evaluator, space.budget
    served = cast("ServedEvaluator", evaluator.root)
    if served.watched.watch or not space.max_conditions:
        # how much checks let pass is known for every pattern, not for sums
        return
    before = len(evaluator.done)
    leaders = _differing(evaluator.within(budget))
    with evaluator.bar.phase("Finding ranges"):
        finer = FinerRanges(Lot(task, kind_of(task), space), served)
        evaluator.evaluate(finer.candidates(_promising(task, told, space), leaders))
    name = "between some bins" if finer.cut_short else "between bins"
    told.phases.append(_phase(name, task, budget, before))


def _promising(task: SearchTask, told: Screened, space: CandidateSpace) -> list[tuple[int, ...]]:
    """Columns hit in which a pattern may be the worst, the worst of any rows first."""
    labels = _labels(space)
    bounds, hopeless = _bounds(task, told, space), _hopeless(task, told, space)
    some = [hit for hit, names in labels.items() if names not in hopeless]
    return sorted(some, key=lambda hit: bounds.get(labels[hit], -np.inf))


def _differing(ranked: list[Evaluation]) -> list[Candidate]:
    """The worst of every group of columns hit and number of conditions, a few of them."""
    found: dict[tuple[object, ...], Candidate] = {}
    for each in ranked:
        key = each.candidate.columns, each.candidate.depth
        found.setdefault(key, each.candidate)
        if len(found) == N_STARTS:
            break
    return list(found.values())


def _bounds(
    task: SearchTask, told: Screened, space: CandidateSpace
) -> dict[tuple[object, ...], float]:
    """The score that errors in some columns do not go below, by the labels of these."""
    served = cast("ServedEvaluator", task.evaluator.root)
    known = "any_rows_score" if served.effects is not None else "readable_bound"
    return {row["columns"]: row[known] for row in told.served.get(space.budget, [])}


def _hopeless(task: SearchTask, told: Screened, space: CandidateSpace) -> list[tuple[object, ...]]:
    """Columns in which no choice of rows at all is as bad as the worst of all kinds."""
    evaluator, budget = task.evaluator, space.budget
    served = cast("ServedEvaluator", evaluator.root)
    worst = next((e.score for e in served.within(budget)), np.inf)
    # the worst of this kind is of interest all the same
    own = [e.candidate.columns for e in evaluator.within(budget)[:1]]
    bounds = _bounds(task, told, space)
    return [names for names, bound in bounds.items() if bound > worst and names not in own]


def _start(
    task: SearchTask, told: Screened, space: CandidateSpace
) -> tuple[Refinement, list[Evaluation]]:
    """The refinement of a budget, and what it starts from."""
    served = cast("ServedEvaluator", task.evaluator.root)
    most = MOST_REFINED
    if served.effects is None:
        most = min(MOST_RESCORED, max(LEAST_RESCORED, ROWS_RESCORED // space.table.n_rows))
    watch = served.watched.watch
    most = MOST_WATCHED if watch and not watch.is_quick else most
    most = min(most, max(MOST_WATCHED, MOST_LOOKED_AT // space.table.n_rows))
    refinement = Refinement(task, most, N_REFINED, hopeless=_hopeless(task, told, space))
    return refinement, refinement.leaders(space)


def _phase(name: str, task: SearchTask, budget: float, before: int) -> dict[str, object]:
    """What a phase scored, and the worst after it."""
    worst = next((e.score for e in task.evaluator.within(budget)), np.inf)
    n_scored = len(task.evaluator.done) - before
    return {"phase": name, "budget": budget, "n_candidates": n_scored, "worst_score": worst}


def expected_seconds_exactly(task: SearchTask) -> float:
    """Seconds that are expected to go into finding ranges, over all budgets."""
    served = cast("ServedEvaluator", task.evaluator.root)
    if served.watched.watch or not task.space.max_conditions:
        return 0.0
    lots = (Lot(task, kind_of(task), space) for space in task.spaces)
    return sum(FinerRanges(lot, served).expected_seconds for lot in lots)


def expected_exactly(task: SearchTask) -> int:
    """As many candidates as are expected to be scored, over all budgets."""
    if is_closed(task):
        return most_exactly(task)
    near = (MOST_RESCORED + MOST_BETWEEN) // 2
    return min(most_exactly(task), (_n_classes(task) + near) * len(task.budgets))


def most_exactly(task: SearchTask) -> int:
    """Most candidates of which the score is noted: the worst by columns hit and conditions."""
    return (_n_classes(task) + MOST_REFINED + MOST_BETWEEN) * len(task.budgets)


def _n_classes(task: SearchTask) -> int:
    """Groups of columns hit, labels and numbers of conditions, of each of which one is scored."""
    each = len(task.space.allowed) * len(task.space.label_choices)
    return each * (task.space.max_conditions + 1)
