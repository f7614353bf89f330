"""What a fitted search found, as the start of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from sklearn.exceptions import NotFittedError

from skcorrupt.base import BaseCorruption
from skcorrupt.patterns import as_pattern

from ._candidate import ROUNDING, Candidate
from ._candidate_space import CandidateSpace


class FittedSearch(Protocol):
    """A fitted search, of which the candidates count."""

    cv_results_: Mapping[str, np.ndarray]


class SearchResults:
    """The candidates of a fitted search.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        A fitted search.

    Raises
    ------
    TypeError, ValueError
        If it is no search, is not fitted, or has scored nothing.
    """

    def __init__(self, search: FittedSearch) -> None:
        known = hasattr(search, "get_params") and not isinstance(search, type)
        if not known or not {"corruption", "strategy"} <= {*vars(search)}:
            raise TypeError(
                f"search={search!r} of WarmStart should be a fitted AdversarialCorruptionSearch."
            )
        if not hasattr(search, "cv_results_"):
            raise NotFittedError(
                "The search of WarmStart is not fitted; call its fit first, or pass another."
            )
        self._table = search.cv_results_
        if not np.isfinite(self._table["mean_test_score"]).any():
            raise ValueError(
                "No candidate of the search of WarmStart has a score, so there is nothing to start "
                "from; give it a larger budget, or pass another strategy."
            )

    def worst_first(self, budget: float) -> Iterator[tuple[BaseCorruption, tuple[Any, ...], Any]]:
        """Candidates by their scores, those first that kept to a budget.

        Yields
        ------
        corruption, columns, target : BaseCorruption, tuple, object
            The error, the columns that it hits, the class that labels flip to.
        """
        table = self._table
        order = np.argsort(table["rank_test_score"], kind="stable")
        order = order[np.isfinite(table["mean_test_score"][order])]
        # what struck more rows there is only a share of what was scored
        more = table["row_fraction"][order] > budget + ROUNDING
        for i in np.concatenate([order[~more], order[more]]):
            yield table["corruption"][i], table["columns"][i], table["target"][i]

    def has(self, kind: type[BaseCorruption]) -> bool:
        """Whether it has candidates of a kind of error, scored or not."""
        return any(type(corruption) is kind for corruption in self._table["corruption"])

    def feasible_in(self, space: CandidateSpace, most: int) -> tuple[list[Candidate], str]:
        """The worst candidates that a space has too, at the rates that its budget allows.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of another search.
        most : int
            How many at most.

        Returns
        -------
        candidates : list of Candidate
            The worst first.
        reason : str
            Why the last one that is not among them is not.

        Raises
        ------
        ValueError
            If they are about another kind of error.
        """
        found: dict[bytes, Candidate] = {}
        reason = ""
        kind = type(space.template)
        if not self.has(kind):
            kinds = dict.fromkeys(type(each).__name__ for each in self._table["corruption"])
            raise ValueError(
                f"The search of WarmStart is about {', '.join(kinds)}, but this one is about "
                f"{kind.__name__}; pass a search for the same kind of error."
            )
        for corruption, columns, target in self.worst_first(space.budget):
            if type(corruption) is not kind:
                # of several kinds of error that were searched, another
                continue
            try:
                pattern = space.base_pattern & as_pattern(corruption.pattern).labelled(space.table)
                candidate = space.transfer(pattern, columns, target)
                refused = candidate.refused or space.unwanted(candidate)
            except (ValueError, TypeError) as error:
                reason = str(error)
                continue
            if refused:
                reason = refused
            else:
                found.setdefault(candidate.key, candidate)
            if len(found) >= most:
                break
        return list(found.values()), reason
