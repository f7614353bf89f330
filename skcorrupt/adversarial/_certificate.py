"""What a search has covered: a row for each budget, and a warning of what it has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import warn

from ._problem import Problem
from .candidates import Evaluation, KindsTask, SearchTask
from .proxies import CONVERGED, Screened
from .strategies import Settling

COLUMNS = (
    "budget", "kind", "member", "proxy", "proven", "n_patterns", "n_pruned", "complete_conditions",
    "screened_conditions", "n_rows", "n_points", "n_distinct", "n_converged", "n_polished",
    "largest_step", "n_reranked",
)  # fmt: skip
SERVED_COLUMNS = [
    "budget", "kind", "columns", "proven", "conditional", "n_patterns", "n_pruned",
    "any_rows_score", "readable_score", "readable_bound", "random_score", "n_rows_compared",
]  # fmt: skip
# of patterns that were scored one by one
UNKNOWN: dict[str, Any] = {"proven": False, "conditional": False, "n_patterns": 0, "n_pruned": 0}
# of sums of the same terms in another order
ROUNDING = 1e-9
# how what several proxies have looked at is one row
JOINED: dict[str, Any] = {
    "proxy": ", ".join,
    "complete_conditions": "max",
    "screened_conditions": "max",
    "n_rows": "max",
    "n_points": "max",
    "n_distinct": "max",
    "n_converged": "max",
    "n_polished": "sum",
    "largest_step": "max",
    "n_reranked": "sum",
}
UNSCREENED: dict[str, Any] = {
    "proxy": "none",
    "complete_conditions": -1,
    "screened_conditions": -1,
    **dict.fromkeys(("n_rows", "n_points", "n_distinct", "n_converged", "n_polished"), 0),
    "largest_step": np.nan,
    "n_reranked": 0,
}


def certificate_of(problem: Problem, told: Screened) -> pd.DataFrame:
    """What was covered by the pipeline itself or by converged scores of proxies.

    Parameters
    ----------
    problem : Problem
        The search, done.
    told : Screened
        What candidates were screened on.

    Returns
    -------
    DataFrame
        A row for each budget and kind of error, and for each member of a process that was screened
        alone.
    """
    screened = _by_budget(told)
    is_random = Settling(problem.evaluator).is_random
    failed = any(not e.infeasible and np.isnan(e.score) for e in problem.evaluator.done.values())
    if problem.settings.apply_to == "test":
        return _of_served(problem, told)
    rows: list[dict[str, Any]] = []
    for budget in problem.settings.budgets:
        within = problem.evaluator.within(budget)
        for kind in problem.settings.templates:
            own = [e for e in within if problem.kind_of(e.candidate) == kind]
            found = screened.get((budget, kind)) or screened.get((budget, "")) or [UNSCREENED]
            known = told.kinds.get(kind, told)
            depth, longest = known.enumerated.get(budget, (-1, np.inf))
            # one draw of many is no proof, and neither is a pipeline that failed
            proven = depth >= longest and not failed and not any(map(is_random, own))
            for each in found:
                covered = {
                    "proven": proven,
                    "n_patterns": max(len(own), each["n_converged"]),
                    "n_pruned": 0,
                    "complete_conditions": max(depth, each["complete_conditions"]),
                }
                rows.append({"budget": budget, "kind": kind, **each, **covered})
    columns = [name for name in COLUMNS if name != "member" or any(name in row for row in rows)]
    return pd.DataFrame(rows, columns=columns)


def _of_served(problem: Problem, told: Screened) -> pd.DataFrame:
    """What was covered of errors in served rows, by columns hit."""
    rows = []
    compared = getattr(problem.evaluator, "n_compared", 0)
    is_random = Settling(problem.evaluator).is_random
    refused: dict[str, list[Evaluation]] = {kind: [] for kind in problem.settings.templates}
    for each in problem.evaluator.done.values():
        if each.infeasible:
            refused[problem.kind_of(each.candidate)].append(each)
    for budget in problem.settings.budgets:
        within = problem.evaluator.within(budget)
        # what is not below a score that no draw changes cannot be worse
        least = next((e.score for e in within[:1] if not is_random(e)), np.inf)
        least -= ROUNDING * max(1.0, abs(least)) if np.isfinite(least) else 0.0
        for kind in problem.settings.templates:
            own = [e for e in within if problem.kind_of(e.candidate) == kind]
            known = told.kinds.get(kind, told).served.get(budget)
            scored: dict[tuple[Any, ...], list[float]] = {}
            for each in own:
                scored.setdefault(each.candidate.columns, []).append(each.score)
            if known is None:
                # what checks or rules refused was looked at too
                looked_at = Counter(each.candidate.columns for each in [*own, *refused[kind]])
                known = [
                    {**UNKNOWN, "columns": columns, "n_patterns": n}
                    for columns, n in looked_at.items()
                ]
            # columns that there was no time for are not among those looked at
            unread = [
                {**UNKNOWN, "columns": columns}
                for part in _parts_of(problem, kind)
                for columns in part.unread
            ]
            for row in [*known, *unread]:
                found = {"budget": budget, "kind": kind, "n_rows_compared": compared, **row}
                reached = min(scored.get(row["columns"], [np.nan]))
                found["readable_score"] = reached
                bound = row.get("readable_bound", np.nan)
                found["proven"] |= bool(row.get("bounded", False) and bound >= least)
                # at full resolution something worse than all of the grid may turn up
                found["readable_bound"] = np.fmin(bound, reached) if np.isfinite(bound) else np.nan
                rows.append(found)
    return pd.DataFrame(rows, columns=SERVED_COLUMNS)


def proven_kinds(problem: Problem, certificate: pd.DataFrame) -> set[str]:
    """Kinds of error in served rows of which none can be worse than the worst, whatever it hits.

    Parameters
    ----------
    problem : Problem
        The search, done.
    certificate : DataFrame
        What was covered.

    Returns
    -------
    set of str
        Within the largest budget.
    """
    if problem.settings.apply_to != "test" or certificate.empty:
        return set()
    own = certificate[certificate["budget"] == problem.settings.budgets[-1]]
    proven = own.groupby("kind")["proven"].all()
    return set(proven.index[proven])


def _parts_of(problem: Problem, kind: str) -> Sequence[SearchTask]:
    """The searches for a kind of error, of a process those for its members."""
    task = problem.task
    return task.kinds[kind].parts if isinstance(task, KindsTask) else task.parts


def _by_budget(told: Screened) -> dict[tuple[float, str], list[dict[str, Any]]]:
    """What proxies looked at, by budget and kind of error."""
    if told.certificate is None or told.certificate.empty:
        return {}
    absent = {name: UNSCREENED[name] for name in JOINED if name not in told.certificate}
    frame = told.certificate.assign(**absent)
    by = [name for name in ("budget", "kind", "member") if name in frame]
    found: dict[tuple[float, str], list[dict[str, Any]]] = {}
    for row in frame.groupby(by, sort=False, as_index=False).agg(JOINED).to_dict("records"):
        own = {str(name): value for name, value in row.items()}
        key = float(own.pop("budget")), str(own.pop("kind", ""))
        found.setdefault(key, []).append(own)
    return found


def warn_of_gaps(problem: Problem, certificate: pd.DataFrame, told: Screened) -> None:
    """One warning of what was unconverged, unscreened or overruled.

    Parameters
    ----------
    problem : Problem
        The search, done.
    certificate : DataFrame
        What was covered.
    told : Screened
        What candidates were screened on.
    """
    gaps = [*told.gaps]
    stepped = "largest_step" in certificate
    loose = certificate[certificate["largest_step"] > CONVERGED] if stepped else certificate[:0]
    if len(loose):
        step = loose["largest_step"].max()
        gaps.append(
            f"models of the {', '.join(dict.fromkeys(loose['proxy']))} proxy had not converged (a "
            f"margin moved by {step:.2g} in the last step)"
        )
    if gaps:
        warn(
            f"A worse error may have been passed by: {'; '.join(gaps)}. The pipeline scored "
            f"{len(problem.evaluator.done)} candidates; certificate_ says what was covered. "
            "strategy='exhaustive' scores the whole grid."
        )
