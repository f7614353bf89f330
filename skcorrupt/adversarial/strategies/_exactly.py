"""The exact search for errors in served rows, budget by budget."""

from __future__ import annotations

from typing import cast

import numpy as np

from ..candidates import KindEvaluator, SearchTask
from ..proxies import Screened
from ..serving import ExactRun, ServedEvaluator
from ._refinement import Refinement

# of the worst of different columns, so many are changed piece by piece, in so many ways
N_REFINED = 3
MOST_REFINED, MOST_RESCORED, MOST_WATCHED = 400, 120, 40


def run_exactly(task: SearchTask, told: Screened) -> None:
    """Score the worst patterns of every budget, of all that there are on the grid.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    told : Screened
        Filled in with what was covered.
    """
    evaluator = task.evaluator
    served = cast("ServedEvaluator", evaluator.root)
    kind = evaluator.kind if isinstance(evaluator, KindEvaluator) else ""
    for space in task.spaces:
        before = len(evaluator.done)
        with evaluator.bar.phase("Predicting rows with errors"):
            run = ExactRun(task, served, kind, space)
        with evaluator.bar.phase("Enumerating patterns"):
            rows = run.run()
        with evaluator.bar.phase("Refining"):
            most = MOST_REFINED if served.effects is not None else MOST_RESCORED
            most = MOST_WATCHED if served.watch else most
            Refinement(task, most, N_REFINED).refine(space)
        worst = next((e.score for e in evaluator.within(space.budget)), np.inf)
        told.phases.append(
            {
                "phase": "in closed form",
                "budget": space.budget,
                "n_candidates": len(evaluator.done) - before,
                "worst_score": worst,
            }
        )
        told.served[space.budget] = rows


def most_exactly(task: SearchTask) -> int:
    """Most candidates of which the score is noted: the worst by columns hit and conditions."""
    each = len(task.space.allowed) * len(task.space.label_choices)
    return (each * (task.space.max_conditions + 1) + MOST_REFINED) * len(task.budgets)
