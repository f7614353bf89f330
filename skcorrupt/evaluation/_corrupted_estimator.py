"""Any corruption in front of any estimator, inside plain scikit-learn."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Self, TypeVar

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import Sheltered, calls_back, check_is_estimator, fit_on_copies, handed_on
from skcorrupt.utils._compat import CallbackSupportMixin
from skcorrupt.utils._typing import ColumnLike, Estimator, TableLike

from ._evaluate_split import corrupt_rows

Method = TypeVar("Method", bound=Callable[..., Any])


def _if_estimator_has(name: str) -> Callable[[Method], Method]:
    def check(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    return available_if(check)


class CorruptedEstimator(CallbackSupportMixin, MetaEstimatorMixin, BaseEstimator):
    """An estimator that is trained on corrupted data and predicts on what it is given.

    It puts label errors, dropped and duplicated rows into `cross_val_score`, `GridSearchCV` and
    the last step of a scikit-learn Pipeline, none of which know samplers, and cuts
    `sample_weight` and other arrays that go along with the rows.

    Parameters
    ----------
    estimator : estimator
        What is fitted on the corrupted data.
    corruption : BaseCorruption
        What happens to the training data; one with `when="always"` also happens to the data to
        predict.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator.
    corruption_ : BaseCorruption
        The fitted corruption.
    record_ : CorruptionRecord
        What was changed in the training data.
    classes_ : ndarray of shape (n_classes,)
        Classes of the fitted estimator, if it is a classifier.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt import CorruptedEstimator, CorruptLabels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> flipped = CorruptLabels(pattern="y == 1", rate=0.6, random_state=0)
    >>> model = CorruptedEstimator(DecisionTreeClassifier(random_state=0), flipped)
    >>> bool(cross_val_score(model, X, y).mean() < 0.7)
    True
    """

    def __init__(self, estimator: Estimator, corruption: BaseCorruption) -> None:
        self.estimator = estimator
        self.corruption = corruption

    @calls_back
    def fit(self, X: TableLike, y: ColumnLike | None = None, **fit_params: Any) -> Self:
        """Corrupt the training data and fit the estimator on it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,), default=None
            Clean labels.
        **fit_params : dict
            Passed to the estimator's `fit`; arrays of n_samples entries are cut to the rows that
            remain.

        Returns
        -------
        self : CorruptedEstimator
            The fitted estimator.

        Raises
        ------
        ValueError
            If there are weights, but not one for each row of X.
        """
        check_is_estimator(self.estimator)
        if not hasattr(self.corruption, "corrupt"):
            raise TypeError(
                f"corruption={self.corruption!r} should be a corruption object such as "
                "CorruptLabels()."
            )
        routed = self._routed("fit", fit_params)
        self.corruption_ = clone(self.corruption).fit(X, y)
        *dirty, self.record_ = corrupt_rows(self.corruption_, X, y, routed)
        self.estimator_ = clone(self.estimator)
        with handed_on(self, self.estimator_):
            fit_on_copies(self.estimator_, *dirty)
        self.n_features_in_ = self.corruption_.n_features_in_
        if hasattr(self.corruption_, "feature_names_in_"):
            self.feature_names_in_ = self.corruption_.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def _routed(self, name: str, params: dict[str, Any]) -> Any:
        if not params or not get_config()["enable_metadata_routing"]:
            return params
        return getattr(process_routing(self, name, **params).estimator, name)

    def _call(self, name: str, X: Any, *args: Any, **params: Any) -> Any:
        check_is_fitted(self, "estimator_")
        routed = self._routed(name, params)
        if getattr(self.corruption_, "when", "fit") == "always":
            X = self.corruption_.transform(X)
        return getattr(Sheltered(self.estimator_), name)(X, *args, **routed)

    @_if_estimator_has("predict")
    def predict(self, X: TableLike, **params: Any) -> np.ndarray:
        """Predict with the fitted estimator.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        **params : dict
            Passed on.

        Returns
        -------
        y_pred : ndarray of shape (n_samples,)
            Predictions.
        """
        return self._call("predict", X, **params)

    @_if_estimator_has("predict_proba")
    def predict_proba(self, X: TableLike, **params: Any) -> np.ndarray:
        """Class probabilities of the fitted estimator.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        **params : dict
            Passed on.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            Probabilities.
        """
        return self._call("predict_proba", X, **params)

    @_if_estimator_has("predict_log_proba")
    def predict_log_proba(self, X: TableLike, **params: Any) -> np.ndarray:
        """Logarithms of class probabilities of the fitted estimator.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        **params : dict
            Passed on.

        Returns
        -------
        log_proba : ndarray of shape (n_samples, n_classes)
            Log-probabilities.
        """
        return self._call("predict_log_proba", X, **params)

    @_if_estimator_has("decision_function")
    def decision_function(self, X: TableLike, **params: Any) -> np.ndarray:
        """Decision function of the fitted estimator.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        **params : dict
            Passed on.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Decision values.
        """
        return self._call("decision_function", X, **params)

    @_if_estimator_has("predict_interval")
    def predict_interval(self, X: TableLike) -> np.ndarray:
        """Prediction intervals of the fitted estimator.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Lower and upper ends.
        """
        return self._call("predict_interval", X)

    @_if_estimator_has("transform")
    def transform(self, X: TableLike, **params: Any) -> Any:
        """Transform with the fitted estimator.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        **params : dict
            Passed on.

        Returns
        -------
        X_out : table of shape (n_samples, n_features_out)
            Transformed features.
        """
        return self._call("transform", X, **params)

    @_if_estimator_has("score")
    def score(self, X: TableLike, y: ColumnLike | None = None, **params: Any) -> float:
        """Score of the fitted estimator on data that is not corrupted.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,), default=None
            Labels.
        **params : dict
            Passed on.

        Returns
        -------
        score : float
            The estimator's own score.
        """
        return self._call("score", X, y, **params)

    @property
    def classes_(self) -> np.ndarray:
        """Classes of the fitted estimator."""
        return self.estimator_.classes_

    def get_metadata_routing(self) -> MetadataRouter:
        """How parameters such as `sample_weight` go to the estimator.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        mapping = MethodMapping()
        for name in (
            "fit",
            "predict",
            "predict_proba",
            "predict_log_proba",
            "decision_function",
            "transform",
            "score",
        ):
            mapping.add(caller=name, callee=name)
        router = MetadataRouter(owner=self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = copy.deepcopy(get_tags(self.estimator))
        for name in ("estimator_type", "classifier_tags", "regressor_tags", "transformer_tags"):
            setattr(tags, name, getattr(inner, name))
        tags.target_tags = inner.target_tags
        tags.target_tags.required |= get_tags(self.corruption).target_tags.required
        tags.input_tags = inner.input_tags
        tags.non_deterministic = inner.non_deterministic
        return tags
