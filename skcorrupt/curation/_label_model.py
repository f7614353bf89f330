"""What label models share: classes, votes as positions, and a class for every row."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import as_array, sorted_labels
from skcorrupt.utils._typing import TableLike

from ._grouped import MOST_COUNTED, Grouped, grouped
from ._votes import ABSTAIN, check_votes_for


class LabelModel(ClassifierMixin, BaseEstimator):
    """Base of classifiers over votes; a subclass writes `_proba`, and `_fit` if it learns."""

    def fit(self, L: TableLike, y: Any = None) -> Self:
        """Learn from votes.

        Parameters
        ----------
        L : array-like of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.
        y : None
            Ignored; labels are not known.

        Returns
        -------
        self : LabelModel
            The fitted model.

        Raises
        ------
        ValueError
            If votes are no whole numbers from -1 up, or there are not two classes.
        """
        self._validate_params()
        votes = check_votes_for(self, L, reset=True)
        self.classes_ = self._classes_of(votes)
        self._fit(grouped(self._codes(votes), len(self.classes_)))
        return self

    def predict_proba(self, L: TableLike) -> np.ndarray:
        """Probability of every class.

        Parameters
        ----------
        L : array-like of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows add up to 1; where nobody votes, all classes have the same.
        """
        check_is_fitted(self, "classes_")
        votes = check_votes_for(self, L, reset=False)
        rows = grouped(self._codes(votes), len(self.classes_))
        proba = self._proba(rows.codes)
        proba[(rows.codes < 0).all(axis=1)] = 1 / len(self.classes_)
        return proba[rows.inverse]

    def predict(self, L: TableLike) -> np.ndarray:
        """The most probable class, the first of those that are equal.

        Parameters
        ----------
        L : array-like of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.

        Returns
        -------
        ndarray of shape (n_samples,)
            A class for every row.
        """
        best = self.predict_proba(L).argmax(axis=1)
        return self.classes_[best]

    def _classes_of(self, votes: np.ndarray) -> np.ndarray:
        seen = voted_classes(votes)
        if self.classes is None:
            if len(seen) < 2:
                raise ValueError(
                    f"L has votes for {len(seen)} class{'es' if len(seen) != 1 else ''} "
                    f"({seen.tolist()}) where there should be two or more; name those that are "
                    "never voted in classes=[0, 1, …]."
                )
            return seen
        classes = sorted_labels(np.ravel(as_array(self.classes, "classes")), "classes")
        if len(classes) < 2 or not np.issubdtype(classes.dtype, np.integer) or classes[0] < 0:
            raise ValueError(
                f"classes={self.classes!r} should be two or more different whole numbers from 0 "
                "up, such as [0, 1]."
            )
        unknown = np.setdiff1d(seen, classes)
        if len(unknown):
            raise ValueError(
                f"L has votes for {unknown.tolist()}, which classes={self.classes!r} does not "
                "name; add them, or leave classes out."
            )
        return classes

    def _codes(self, votes: np.ndarray) -> np.ndarray:
        """Positions of the voted classes, -1 for abstentions."""
        n_classes = len(self.classes_)
        if self.classes_[-1] == n_classes - 1 and votes.max() < n_classes:
            # the classes are their own positions
            return votes
        codes = np.searchsorted(self.classes_, votes)
        codes[votes == ABSTAIN] = ABSTAIN
        clipped = np.minimum(codes, len(self.classes_) - 1)
        unknown = (votes != ABSTAIN) & (self.classes_[clipped] != votes)
        if unknown.any():
            raise ValueError(
                f"L has votes for {np.unique(votes[unknown]).tolist()}, but "
                f"{type(self).__name__} was fitted with the classes {self.classes_.tolist()}; "
                "fit it on all votes, or name all classes in classes=."
            )
        return clipped

    def _fit(self, rows: Grouped) -> None:
        """What a model learns besides the classes; nothing, where a subclass does not say."""

    def _proba(self, codes: np.ndarray) -> np.ndarray:
        """Probabilities of the classes for distinct rows: the one method a subclass writes."""
        raise NotImplementedError(f"{type(self).__name__} should define _proba(codes).")


def voted_classes(votes: np.ndarray) -> np.ndarray:
    """All classes that somebody votes for.

    Parameters
    ----------
    votes : ndarray of int, shape (n_samples, n_lfs)
        Votes; -1 abstains.

    Returns
    -------
    ndarray of int
        Sorted.
    """
    if votes.max() < MOST_COUNTED:
        return np.flatnonzero(np.bincount(votes.ravel() + 1)[1:])
    seen = np.unique(votes)
    return seen[seen != ABSTAIN]


def vote_counts(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """How many functions vote for each class.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples, n_lfs)
        Position of the voted class, -1 for abstentions.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Counts.
    """
    return np.column_stack([(codes == k).sum(axis=1) for k in range(n_classes)]).astype(float)
