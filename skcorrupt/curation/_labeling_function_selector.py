"""Labeling functions that do not say the same thing twice."""

from __future__ import annotations

from itertools import combinations
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from scipy.stats.contingency import association, crosstab
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils._compat import Interval, StrOptions
from skcorrupt.utils._typing import TableLike
from skcorrupt.utils._warn import warn

from ._cliques import clique_counts
from ._votes import ABSTAIN, check_votes_for


class LabelingFunctionSelector(SelectorMixin, BaseEstimator):
    """Select labeling functions that are independent of one another (algorithm 1 of [1]_).

    Functions with an association above `threshold` are neighbours in a graph. In the order of the
    number of maximal cliques that they are in, most first, each function that is still there
    removes its neighbours; ties go by coverage, then by position. What stays is an independent
    set to which none can be added.

    Parameters
    ----------
    threshold : float in [0, 1], default=0.5
        Size of the association above which two functions are neighbours.
    association : {"pearson", "cramers_v"}, default="pearson"
        Pearson's correlation of the votes as numbers, -1 for abstentions, as in the paper; its
        size depends on how classes are numbered. Cramér's V of votes and abstentions does not.
    max_cliques : int, default=100000
        With more maximal cliques than this, functions are ordered by their number of neighbours
        instead, with a warning.

    Attributes
    ----------
    association_ : ndarray of shape (n_lfs, n_lfs)
        Associations; 0 with a function whose votes are all the same.
    n_cliques_ : ndarray of shape (n_lfs,) or None
        Maximal cliques of each function; None where there are too many.
    coverage_ : ndarray of shape (n_lfs,)
        Share of rows on which each votes.
    ranking_ : ndarray of int, shape (n_lfs,)
        Functions in the order in which they were considered.
    support_ : ndarray of bool, shape (n_lfs,)
        Which are selected.
    n_features_in_ : int
        Number of labeling functions.
    feature_names_in_ : ndarray of shape (n_lfs,)
        Their names, where the votes had any.

    References
    ----------
    .. [1] Pugh et al., "Curating Naturally Adversarial Datasets for Trustworthy AI in
       Healthcare", 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.curation import LabelingFunctionSelector
    >>> rng = np.random.default_rng(0)
    >>> first, other = rng.integers(-1, 2, (2, 200))
    >>> twin = np.where(rng.random(200) < 0.9, first, -1)
    >>> LabelingFunctionSelector().fit(np.column_stack([twin, other, first])).support_
    array([False,  True,  True])
    """

    _parameter_constraints: dict[str, Any] = {
        "threshold": [Interval(Real, 0, 1, closed="both")],
        "association": [StrOptions({"pearson", "cramers_v"})],
        "max_cliques": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        threshold: float = 0.5,
        *,
        association: Literal["pearson", "cramers_v"] = "pearson",
        max_cliques: int = 100_000,
    ) -> None:
        self.threshold = threshold
        self.association = association
        self.max_cliques = max_cliques

    def fit(self, L: TableLike, y: Any = None) -> Self:
        """Select functions by their votes.

        Parameters
        ----------
        L : array-like of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.
        y : None
            Ignored.

        Returns
        -------
        self : LabelingFunctionSelector
            The fitted selector.

        Raises
        ------
        ValueError
            If votes are no whole numbers from -1 up.
        """
        self._validate_params()
        votes = check_votes_for(self, L, reset=True)
        self.coverage_ = (votes != ABSTAIN).mean(axis=0)
        measure = _pearson if self.association == "pearson" else _cramers_v
        self.association_ = measure(votes)
        adjacent = abs(self.association_) > self.threshold
        np.fill_diagonal(adjacent, False)
        self.n_cliques_ = clique_counts(adjacent, self.max_cliques)
        order = self.n_cliques_
        if order is None:
            warn(
                f"The graph of functions has more than max_cliques={self.max_cliques} maximal "
                "cliques; functions are ordered by their number of neighbours instead. Raise the "
                "threshold for fewer.",
            )
            order = adjacent.sum(axis=1)
        self.ranking_ = np.lexsort((np.arange(len(order)), -self.coverage_, -order))
        self.support_ = np.ones(len(order), dtype=bool)
        for j in self.ranking_:
            if self.support_[j]:
                self.support_[adjacent[j]] = False
        return self

    def transform(self, L: TableLike) -> np.ndarray:
        """Votes of the selected functions.

        Parameters
        ----------
        L : array-like of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.

        Returns
        -------
        ndarray of int, shape (n_samples, n_selected)
            Their columns.
        """
        check_is_fitted(self, "support_")
        votes = check_votes_for(self, L, reset=False)
        return votes[:, self.support_]

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "support_")
        return self.support_


def _pearson(votes: np.ndarray) -> np.ndarray:
    centred = votes - votes.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    # what rounding leaves of a constant is no spread
    constant = votes.min(axis=0) == votes.max(axis=0)
    scaled = np.where(constant, 0.0, centred / np.where(constant, 1.0, size))
    found = np.clip(scaled.T @ scaled, -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    return found


def _cramers_v(votes: np.ndarray) -> np.ndarray:
    varies = np.flatnonzero(votes.min(axis=0) < votes.max(axis=0))
    found = np.eye(votes.shape[1])
    for i, j in combinations(varies, 2):
        counts = crosstab(votes[:, i], votes[:, j]).count
        # what rounding leaves beyond is no association
        found[i, j] = found[j, i] = min(1.0, association(counts, method="cramer"))
    return found
