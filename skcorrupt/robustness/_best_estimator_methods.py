"""What a search can do after `refit=True`: everything that the best pipeline can."""

from __future__ import annotations

import numpy as np

from skcorrupt.adversarial._template import check_labels
from skcorrupt.evaluation import RefittedMethods
from skcorrupt.utils import as_table, where_inner_has
from skcorrupt.utils._typing import ColumnLike, TableLike


class BestEstimatorMethods(RefittedMethods):
    """Methods of `best_estimator_`, there only with `refit=True` and where it has them."""

    _refitted = "best_estimator_"
    _refitting = "fit the pipeline with the best parameters on all rows"

    @where_inner_has("predict_log_proba")
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

    @where_inner_has("transform")
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

    @where_inner_has("inverse_transform")
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

    @where_inner_has("score")
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
        if y is not None:
            y = check_labels(y, self._refitted_estimator(), as_table(X).n_rows)
        return super().score(X, y)
