"""Patterns that another search found worst, as candidates of this one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from skcorrupt.patterns import as_pattern

from ..candidates._candidate_space import Candidate, SearchSpace
from ..candidates._evaluator import ROUNDING


def score_carried(
    budgets: Sequence[Any],
    carried: Callable[[Any], list[Candidate]],
    evaluate: Callable[[list[Candidate]], None],
) -> None:
    """Score what another search found, for every budget that takes any of it.

    Parameters
    ----------
    budgets : sequence
        Budgets, or search spaces within them.
    carried : callable
        `carried(budget)` gives candidates, or raises ValueError where none is feasible.
    evaluate : callable
        Scores them.

    Raises
    ------
    ValueError
        If no budget takes any.
    """
    refused = []
    for budget in budgets:
        try:
            candidates = carried(budget)
        except ValueError as error:
            refused.append(error)
            continue
        evaluate(candidates)
    if budgets and len(refused) == len(budgets):
        raise refused[-1]


def worst_first(results: dict[str, Any], budget: float) -> np.ndarray:
    """Rows of the results of a search by their scores, those first that kept to a budget."""
    order = np.argsort(results["rank_test_score"], kind="stable")
    order = order[np.isfinite(results["mean_test_score"][order])]
    # what struck more rows there is only a share of what was scored
    more = results["row_fraction"][order] > budget + ROUNDING
    return np.concatenate([order[~more], order[more]])


def transferred(
    other: Any,
    space: SearchSpace,
    most: int,
    *,
    allowed: dict[tuple[int, ...], list[int]],
    required: dict[tuple[int, ...], frozenset[int]],
    search: Any,
) -> list[Candidate]:
    """The worst candidates of a fitted search that are feasible here.

    Parameters
    ----------
    other : AdversarialCorruptionSearch
        A fitted search for the same kind of error.
    space : SearchSpace
        The candidates of this search.
    most : int
        How many at most.
    allowed, required : dict of tuple to collection of int
        Attributes that patterns may and must use here, by columns hit.
    search : AdversarialCorruptionSearch
        This search.

    Returns
    -------
    list of Candidate
        The worst first, at the rates that this search's budget allows.

    Raises
    ------
    NotFittedError
        If the search is not fitted.
    ValueError
        If it is about another kind of error, or none of its patterns is feasible here.
    TypeError
        If it is no search.
    """
    check_searched(other)
    results = other.cv_results_
    order = worst_first(results, space.budget)
    found: dict[bytes, Candidate] = {}
    reason = ""
    for i in order:
        corruption = results["corruption"][i]
        if type(corruption) is not type(space.template):
            raise ValueError(
                f"warm_start_from searched for {type(corruption).__name__}, but this search is for "
                f"{type(space.template).__name__}; pass a search for the same kind of error."
            )
        try:
            pattern = space.base_pattern & as_pattern(corruption.pattern).labelled(space.table)
            candidate = space.transfer(pattern, results["columns"][i], results["target"][i])
            refused = candidate.refused or unwanted(candidate, space, allowed, required, search)
        except (ValueError, TypeError) as error:
            reason = str(error)
            continue
        if refused:
            reason = refused
        else:
            found.setdefault(candidate.key, candidate)
        if len(found) >= most:
            break
    if not found:
        raise ValueError(
            f"warm_start_from: none of its patterns is feasible here ({reason}); pass a search "
            "with the same columns, or none."
        )
    return list(found.values())


def check_searched(other: Any) -> None:
    """Refuse what is no fitted search.

    Raises
    ------
    TypeError, NotFittedError
        With what can be passed.
    """
    known = hasattr(other, "get_params") and not isinstance(other, type)
    if not known or "max_conditions" not in other.get_params(deep=False):
        raise TypeError(
            f"warm_start_from={other!r} should be a fitted AdversarialCorruptionSearch, or None."
        )
    if not hasattr(other, "cv_results_"):
        raise NotFittedError("warm_start_from is a search that is not fitted; call its fit first.")
    if not np.isfinite(other.cv_results_["mean_test_score"]).any():
        raise ValueError(
            "warm_start_from is a search in which no candidate has a score, so there is nothing to "
            "start from; give it a larger budget, or pass warm_start_from=None."
        )


def unwanted(
    candidate: Candidate,
    space: SearchSpace,
    allowed: dict[tuple[int, ...], list[int]],
    required: dict[tuple[int, ...], frozenset[int]],
    search: Any,
) -> str:
    """Why this search would not have made a candidate itself, or ""."""
    labels = space.table.labels
    hit = tuple(labels.index(label) for label in candidate.columns)
    if hit not in allowed:
        return "it does not hit the columns that may be hit here"
    named = {str(name) for name in candidate.pattern.columns}
    used = {j for j, label in enumerate(labels) if str(label) in named} - space.base_columns
    if not required[hit] <= used:
        return "require_corrupted=True asks for a condition on the columns hit"
    if not used <= set(allowed[hit]):
        return "it has conditions on columns that patterns may not use here"
    if len(used) > search.max_conditions:
        return f"it has more than max_conditions={search.max_conditions}"
    if search.require_label and not candidate.pattern.uses_y:
        return "require_label=True asks for a condition on the label"
    return ""
