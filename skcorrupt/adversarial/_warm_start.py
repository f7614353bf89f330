"""Patterns that another search found worst, as candidates of this one."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from ._search_space import Candidate, SearchSpace


def transferred(other: Any, space: SearchSpace, most: int) -> list[Candidate]:
    """The worst candidates of a fitted search that are feasible here.

    Parameters
    ----------
    other : AdversarialCorruptionSearch
        A fitted search for the same kind of error.
    space : SearchSpace
        The candidates of this search.
    most : int
        How many at most.

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
    if not hasattr(other, "get_params") or "max_conditions" not in other.get_params(deep=False):
        raise TypeError(
            f"warm_start_from={other!r} should be a fitted AdversarialCorruptionSearch, or None."
        )
    if not hasattr(other, "cv_results_"):
        raise NotFittedError("warm_start_from is a search that is not fitted; call its fit first.")
    results = other.cv_results_
    order = np.argsort(results["rank_test_score"], kind="stable")
    order = order[np.isfinite(results["mean_test_score"][order])]
    found: dict[bytes, Candidate] = {}
    reason = "it scored none"
    for i in order:
        corruption = results["corruption"][i]
        if type(corruption) is not type(space.template):
            raise ValueError(
                f"warm_start_from searched for {type(corruption).__name__}, but this search is for "
                f"{type(space.template).__name__}; pass a search for the same kind of error."
            )
        try:
            candidate = space.transfer(
                corruption.pattern, results["columns"][i], results["target"][i]
            )
        except (ValueError, TypeError) as error:
            reason = str(error)
            continue
        if candidate.refused:
            reason = candidate.refused
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
