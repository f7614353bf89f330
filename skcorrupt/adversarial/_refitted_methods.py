"""What a search can do after `refit=True`: predict as the estimator trained on the worst data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import score_of
from skcorrupt.evaluation._described import Described
from skcorrupt.utils import Sheltered
from skcorrupt.utils._typing import ColumnLike, Estimator, TableLike

Method = TypeVar("Method", bound=Callable[..., Any])


def refitted_as(attribute: str, what: str) -> Callable[[str], Callable[[Any], bool]]:
    """What tells whether a search has a method of the estimator that it refitted.

    Parameters
    ----------
    attribute : str
        Where the search keeps that estimator.
    what : str
        What `refit=True` does, for the message.

    Returns
    -------
    callable
        Given the name of a method, a check for `available_if`.
    """

    def refitted(name: str) -> Callable[[Any], bool]:
        def check(self: Any) -> bool:
            if not self.refit:
                raise AttributeError(
                    f"{type(self).__name__} has no {name} with refit=False; pass refit=True to "
                    f"{what}."
                )
            # what was read from a file says so when it is called
            if not isinstance(self.estimator, Described):
                getattr(getattr(self, attribute, self.estimator), name)
            return True

        return check

    return refitted


_refitted = refitted_as("worst_estimator_", "fit the estimator on the worst data found")


def _if_refitted(name: str) -> Callable[[Method], Method]:
    return available_if(_refitted(name))


class RefittedMethods:
    """Methods of `worst_estimator_`, there only with `refit=True`."""

    estimator: Any
    refit: bool
    scorer_: Any
    worst_estimator_: Any

    def _refitted_estimator(self) -> Estimator:
        if not getattr(self, "_left_out", ""):
            check_is_fitted(self, "worst_estimator_")
        return self.worst_estimator_

    @_if_refitted("predict")
    def predict(self, X: TableLike) -> np.ndarray:
        """Predict with the estimator trained on the worst data found.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        y_pred : ndarray of shape (n_samples,)
            Predictions.
        """
        return Sheltered(self._refitted_estimator()).predict(X)

    @_if_refitted("predict_proba")
    def predict_proba(self, X: TableLike) -> np.ndarray:
        """Class probabilities of the estimator trained on the worst data found.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            Probabilities.
        """
        return Sheltered(self._refitted_estimator()).predict_proba(X)

    @_if_refitted("decision_function")
    def decision_function(self, X: TableLike) -> np.ndarray:
        """Decision function of the estimator trained on the worst data found.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Decision values.
        """
        return Sheltered(self._refitted_estimator()).decision_function(X)

    @_if_refitted("score")
    def score(self, X: TableLike, y: ColumnLike | None = None) -> float:
        """Score of the estimator trained on the worst data found, by the search's scorer.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels.

        Returns
        -------
        score : float
            The score.
        """
        return score_of(self.scorer_, self._refitted_estimator(), X, y)

    @property
    def classes_(self) -> np.ndarray:
        """Classes of the estimator trained on the worst data found."""
        _refitted("classes_")(self)
        return self.worst_estimator_.classes_
