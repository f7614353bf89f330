"""The exact search for errors in served rows, budget by budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from skcorrupt.base import FeatureCorruption

from ..candidates import CandidateSpace, Evaluation, KindEvaluator, MemberSpace, SearchTask
from ..proxies import Screened
from ..serving import ExactRun, Lot, ServedEvaluator, member_kind
from ._refinement import Refinement

# of the worst of different columns, so many are changed piece by piece, in so many ways
N_REFINED = 3
MOST_REFINED, MOST_RESCORED, MOST_WATCHED = 400, 120, 40
# of long tables fewer, so that rows times candidates stay below
MOST_LOOKED_AT = 40_000_000


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
    groups = [tuple(task.space.table.labels[j] for j in hit) for hit in task.space.allowed]
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
    groups = [tuple(task.space.table.labels[j] for j in hit) for hit in task.space.allowed]
    return effects is not None and any(
        effects.known(kind, template, group) and effects.of(kind, template, group)[1]
        for group in groups
    )


def is_closed(task: SearchTask) -> bool:
    """Whether no candidate is predicted, as their scores are sums that are known."""
    served = task.evaluator.root
    return isinstance(served, ServedEvaluator) and served.effects is not None and is_exact(task)


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
        before = len(evaluator.done)
        with evaluator.bar.phase("Refining"):
            refinement.refine(space, leaders)
            # which counts here too, and may be worse
            refinement.refine(space, evaluator.within(space.budget)[:1])
        told.phases.append(_phase("refining", task, space.budget, before))


def _start(
    task: SearchTask, told: Screened, space: CandidateSpace
) -> tuple[Refinement, list[Evaluation]]:
    """The refinement of a budget, and what it starts from."""
    evaluator, budget = task.evaluator, space.budget
    served = cast("ServedEvaluator", evaluator.root)
    most = MOST_REFINED if served.effects is not None else MOST_RESCORED
    watch = served.watched.watch
    most = MOST_WATCHED if watch and not watch.is_quick else most
    most = min(most, max(MOST_WATCHED, MOST_LOOKED_AT // space.table.n_rows))
    worst = next((e.score for e in served.within(budget)), np.inf)
    # in some columns no choice of rows at all is as bad as the worst of all kinds
    known = "any_rows_score" if served.effects is not None else "readable_bound"
    rows = told.served.get(budget, [])
    own = [e.candidate.columns for e in evaluator.within(budget)[:1]]
    # the worst of this kind is of interest all the same
    hopeless = [row["columns"] for row in rows if row[known] > worst and row["columns"] not in own]
    refinement = Refinement(task, most, N_REFINED, hopeless)
    return refinement, refinement.leaders(space)


def _phase(name: str, task: SearchTask, budget: float, before: int) -> dict[str, object]:
    """What a phase scored, and the worst after it."""
    worst = next((e.score for e in task.evaluator.within(budget)), np.inf)
    n_scored = len(task.evaluator.done) - before
    return {"phase": name, "budget": budget, "n_candidates": n_scored, "worst_score": worst}


def most_exactly(task: SearchTask) -> int:
    """Most candidates of which the score is noted: the worst by columns hit and conditions."""
    each = len(task.space.allowed) * len(task.space.label_choices)
    return (each * (task.space.max_conditions + 1) + MOST_REFINED) * len(task.budgets)
