"""What a search can do after `refit=True`: predict as the estimator trained on the worst data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted


def _refitted(name):
    def check(self):
        if not self.refit:
            raise AttributeError(
                f"{type(self).__name__} has no {name} with refit=False; pass refit=True to fit "
                "the estimator on the worst data found."
            )
        getattr(getattr(self, "worst_estimator_", self.estimator), name)
        return True

    return check


class RefittedMethods:
    """Methods of `worst_estimator_`, there only with `refit=True`."""

    estimator: Any
    refit: bool
    scorer_: Any
    worst_estimator_: Any

    @available_if(_refitted("predict"))
    def predict(self, X):
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
        check_is_fitted(self, "worst_estimator_")
        return self.worst_estimator_.predict(X)

    @available_if(_refitted("predict_proba"))
    def predict_proba(self, X):
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
        check_is_fitted(self, "worst_estimator_")
        return self.worst_estimator_.predict_proba(X)

    @available_if(_refitted("decision_function"))
    def decision_function(self, X):
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
        check_is_fitted(self, "worst_estimator_")
        return self.worst_estimator_.decision_function(X)

    @available_if(_refitted("score"))
    def score(self, X, y=None):
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
        check_is_fitted(self, "worst_estimator_")
        return float(self.scorer_(self.worst_estimator_, X, y))

    @property
    def classes_(self) -> np.ndarray:
        """Classes of the estimator trained on the worst data found."""
        _refitted("classes_")(self)
        return self.worst_estimator_.classes_
