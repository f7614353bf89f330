"""Models around another one: what they take over from it, for classes and for numbers."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    RegressorMixin,
    is_classifier,
    is_regressor,
)
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import InnerMethods, Sheltered, check_table
from skcorrupt.utils._typing import Estimator, TableLike

from ._class_labels import class_labels


class Wrapping(InnerMethods, MetaEstimatorMixin, BaseEstimator):
    """A model that fits another one, `estimator`, and answers by it, as `estimator_`."""

    estimator: Estimator

    def _check_kind(self) -> None:
        """Refuse an estimator that predicts what this is not for."""
        raise NotImplementedError

    def _checked(self, y: Any, n_rows: int) -> Any:
        """The targets that the estimator learns from."""
        raise NotImplementedError

    def _inner_has(self, name: str) -> bool:
        return hasattr(self.estimator, name)

    def _ask(self, name: str, X: TableLike) -> np.ndarray:
        check_is_fitted(self, "estimator_")
        check_table(self, X, reset=False)
        answer: np.ndarray = getattr(Sheltered(self.estimator_), name)(X)
        return answer

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = copy.deepcopy(inner.input_tags)
        tags.target_tags = copy.deepcopy(inner.target_tags)
        return tags


class AroundClassifier(ClassifierMixin):
    """What comes before a `Wrapping` of a classifier; `_other` names the class for numbers."""

    estimator: Estimator
    _other: str

    @property
    def classes_(self) -> np.ndarray:
        """The classes."""
        classes: np.ndarray = self.estimator_.classes_
        return classes

    def _check_kind(self) -> None:
        if is_regressor(self.estimator):
            raise ValueError(
                f"estimator={self.estimator!r} predicts numbers; pass it to {self._other}."
            )

    def _checked(self, y: Any, n_rows: int) -> np.ndarray:
        return class_labels(type(self).__name__, y, n_rows)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        if inner.classifier_tags is not None:
            tags.classifier_tags = copy.deepcopy(inner.classifier_tags)
        return tags


class AroundRegressor(RegressorMixin):
    """What comes before a `Wrapping` of a regressor; `_other` names the class for classes."""

    estimator: Estimator
    _other: str

    def _check_kind(self) -> None:
        if is_classifier(self.estimator):
            raise ValueError(
                f"estimator={self.estimator!r} predicts classes; pass it to {self._other}."
            )

    def _checked(self, y: Any, n_rows: int) -> Any:
        return y

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        if inner.regressor_tags is not None:
            tags.regressor_tags = copy.deepcopy(inner.regressor_tags)
        return tags
