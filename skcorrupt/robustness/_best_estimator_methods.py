"""What a search can do after `refit=True`: everything that the best pipeline can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial._refitted_methods import refitted_as
from skcorrupt.adversarial._template import check_labels
from skcorrupt.evaluation import score_of
from skcorrupt.utils import Sheltered, as_table
from skcorrupt.utils._typing import ColumnLike, TableLike

Method = TypeVar("Method", bound=Callable[..., Any])


_refitted = refitted_as("best_estimator_", "fit the pipeline with the best parameters on all rows")


def _if_refitted(name: str) -> Callable[[Method], Method]:
    return available_if(_refitted(name))


class BestEstimatorMethods:
    """Methods of `best_estimator_`, there only with `refit=True` and where it has them."""

    estimator: Any
    refit: bool
    scorer_: Any
    best_estimator_: Any

    def _ask(self, name: str, X: TableLike) -> Any:
        check_is_fitted(self, "best_estimator_")
        return getattr(Sheltered(self.best_estimator_), name)(X)

    @_if_refitted("predict")
    def predict(self, X: TableLike) -> np.ndarray:
        """Predict with the best parameters.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        y_pred : ndarray of shape (n_samples,)
            Predictions.
        """
        return self._ask("predict", X)

    @_if_refitted("predict_proba")
    def predict_proba(self, X: TableLike) -> np.ndarray:
        """Class probabilities with the best parameters.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            Probabilities.
        """
        return self._ask("predict_proba", X)

    @_if_refitted("predict_log_proba")
    def predict_log_proba(self, X: TableLike) -> np.ndarray:
        """Logarithms of class probabilities with the best parameters.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        log_proba : ndarray of shape (n_samples, n_classes)
            Logarithms of probabilities.
        """
        return self._ask("predict_log_proba", X)

    @_if_refitted("decision_function")
    def decision_function(self, X: TableLike) -> np.ndarray:
        """Decision function with the best parameters.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Decision values.
        """
        return self._ask("decision_function", X)

    @_if_refitted("transform")
    def transform(self, X: TableLike) -> TableLike:
        """Transform with the best parameters.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        X_new : table of shape (n_samples, n_features_out)
            Transformed features.
        """
        return self._ask("transform", X)

    @_if_refitted("inverse_transform")
    def inverse_transform(self, X: TableLike) -> TableLike:
        """Undo `transform` with the best parameters.

        Parameters
        ----------
        X : table of shape (n_samples, n_features_out)
            Transformed features.

        Returns
        -------
        X_original : table of shape (n_samples, n_features)
            Features.
        """
        return self._ask("inverse_transform", X)

    @_if_refitted("score")
    def score(self, X: TableLike, y: ColumnLike | None = None) -> float:
        """Score of the best parameters on clean rows, by the scorer of the search.

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
        check_is_fitted(self, "best_estimator_")
        if y is not None:
            y = check_labels(y, self.best_estimator_, as_table(X).n_rows)
        return score_of(self.scorer_, self.best_estimator_, X, y)

    @property
    def classes_(self) -> np.ndarray:
        """Classes of the best pipeline."""
        _refitted("classes_")(self)
        return self.best_estimator_.classes_
