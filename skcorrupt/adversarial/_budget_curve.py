"""The curve of the worst candidate of every budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption

from ._confirmation import N_DRAWS, Confirmation
from ._problem import Problem, confirm_held_out, random_score
from .candidates import Evaluation


def budget_curve(
    problem: Problem,
    ready: Callable[[Evaluation], BaseCorruption],
    *,
    interrupted: bool,
    n_draws: int = N_DRAWS,
) -> Iterator[pd.DataFrame]:
    """The worst candidate of every budget, beside random errors, confirmed.

    Parameters
    ----------
    problem : Problem
        The search, done.
    ready : callable
        `ready(evaluation) -> BaseCorruption` gives a winner as it is handed out.
    interrupted : bool
        Whether the search was.
    n_draws : int, default=20
        Draws for each winner.

    Yields
    ------
    DataFrame
        A row for each budget: first without what is drawn for the winners, then with that of
        one more of them each time.
    """
    confirms = problem.settings.confirm_size is not None
    rows, winners = [], []
    for budget in problem.settings.budgets:
        winner = problem.worst(budget)
        # an interrupted search does not know what it has not looked at
        least = np.nan if interrupted else problem.baseline
        row: dict[str, Any] = {"budget": budget, "worst_score": least, "random_score": least}
        row["score_drop"] = problem.baseline - least
        if confirms:
            row |= _confirmed(Confirmation())
        row |= {"kind": "", "pattern": "", "columns": (), "rate": np.nan, "corruption": None}
        if winner is not None:
            row |= _worst_row(problem.baseline, winner, ready(winner))
            row["kind"] = problem.kind_of(winner.candidate)
        rows.append(row)
        winners.append(winner)
    yield pd.DataFrame(rows)
    drawn: dict[bytes, dict[str, Any]] = {}
    for row, winner in zip(rows, winners, strict=True):
        if winner is None:
            continue
        key = winner.candidate.key
        if key not in drawn:
            drawn[key] = {"random_score": random_score(problem, winner, n_draws)}
            if confirms:
                drawn[key] |= _confirmed(confirm_held_out(problem, row["corruption"], n_draws))
        row |= drawn[key]
        yield pd.DataFrame(rows)


def _worst_row(baseline: float, winner: Evaluation, corruption: BaseCorruption) -> dict[str, Any]:
    return {
        "worst_score": winner.score,
        "score_drop": baseline - winner.score,
        "random_score": np.nan,
        "pattern": str(winner.candidate.pattern),
        "columns": winner.candidate.columns,
        "rate": winner.candidate.rate,
        "corruption": corruption,
    }


def _confirmed(result: Confirmation) -> dict[str, float]:
    return {
        "confirmed_score": result.score,
        "confirmed_baseline": result.baseline,
        "confirmed_drop_low": result.interval[0],
        "confirmed_drop_high": result.interval[1],
    }
