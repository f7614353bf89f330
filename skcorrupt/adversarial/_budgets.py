"""One budget or several: what candidates are searched, and the curve of the worst of each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import is_finite_number, shorten

from ._confirmation import Confirmation
from ._problem import Problem, confirm_held_out, random_score
from .candidates._evaluator import Evaluation
from .proxies._proxy_choice import Proxied
from .strategies._proxied import JUDGED, ProxiedSearch, run_beams
from .strategies._warm_start import score_carried, transferred


def budgets_of(budget: Any) -> list[float]:
    """The budgets of a search, the smallest first.

    Raises
    ------
    ValueError
        If a list is empty, or holds what is no budget.
    """
    several = isinstance(budget, (list, tuple)) or np.ndim(budget) == 1
    given = list(budget) if several else [budget]
    sound = all(is_finite_number(b) and 0 < b <= 1 for b in given)
    if not given or not sound:
        raise ValueError(
            f"budget={shorten(budget)} should be a number in (0, 1], or a list of such numbers, as "
            "in [0.1, 0.2, 0.5]."
        )
    return sorted({float(b) for b in given})


def run_search(search: Any, problem: Problem) -> Proxied:
    """Score candidates of all budgets on the pipeline, screened as the search says."""
    budgets = budgets_of(search.budget)
    if problem.process is not None:
        return problem.process.run(search, problem, budgets)
    spaces = [dataclasses.replace(problem.beam.space, budget=budget) for budget in budgets]
    if search.warm_start_from is not None:
        score_carried(
            spaces,
            lambda space: transferred(
                search.warm_start_from,
                space,
                search.n_rerank,
                allowed=problem.beam.allowed,
                required=problem.beam.required,
                search=search,
            ),
            problem.evaluator.evaluate,
        )
    if search.proxy is not None:
        return ProxiedSearch(search, problem, budgets).run()
    if search.warm_start_from is None:
        run_beams(problem.beam, spaces)
    return Proxied()


def most_evaluations(search: Any, problem: Problem, beam_evaluations: int, *, screens: bool) -> int:
    """How many candidates a search scores at most, with a proxy or where none is taken."""
    n_budgets = len(budgets_of(search.budget))
    if problem.process is not None:
        return problem.process.most_evaluations(
            search, beam_evaluations, n_budgets, screens=screens
        )
    carried = search.n_rerank * n_budgets if search.warm_start_from is not None else 0
    if search.proxy is None:
        return carried or beam_evaluations * n_budgets
    each = search.n_rerank if screens else beam_evaluations
    return carried + JUDGED + each * n_budgets


def budget_curve(
    search: Any,
    problem: Problem,
    ready: Callable[..., Any],
    confirms: bool,
    interrupted: bool,
) -> Iterator[pd.DataFrame]:
    """The worst candidate of every budget, beside random errors, confirmed.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        With its baseline.
    problem : Problem
        The search, done.
    ready : callable
        `ready(evaluation) -> BaseCorruption` gives a winner as it is handed out.
    confirms : bool
        Whether winners are confirmed.
    interrupted : bool
        Whether the search was.

    Yields
    ------
    DataFrame
        A row a budget: first without what is drawn for the winners, then with that of one more
        of them each time.
    """
    rows, winners = [], []
    for budget in budgets_of(search.budget):
        winner = next(iter(problem.evaluator.within(budget)), None)
        # an interrupted search does not know what it has not looked at
        least = np.nan if interrupted else search.baseline_score_
        row: dict[str, Any] = {"budget": budget, "worst_score": least, "random_score": least}
        row["score_drop"] = search.baseline_score_ - least
        if confirms:
            row |= _confirmed(Confirmation())
        row |= {"pattern": "", "columns": (), "rate": np.nan, "corruption": None}
        if winner is not None:
            row |= _worst_row(search, winner, ready(winner))
        rows.append(row)
        winners.append(winner)
    yield pd.DataFrame(rows)
    drawn: dict[bytes, dict[str, Any]] = {}
    for row, winner in zip(rows, winners, strict=True):
        if winner is None:
            continue
        key = winner.candidate.key
        if key not in drawn:
            drawn[key] = {"random_score": random_score(problem, winner, search.baseline_score_)}
            if confirms:
                drawn[key] |= _confirmed(confirm_held_out(problem, row["corruption"]))
        row |= drawn[key]
        yield pd.DataFrame(rows)


def _worst_row(search: Any, winner: Evaluation, corruption: Any) -> dict[str, Any]:
    return {
        "worst_score": winner.score,
        "score_drop": search.baseline_score_ - winner.score,
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
