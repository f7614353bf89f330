"""Methods that an estimator takes over from the one within it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn.utils.metaestimators import available_if

from ._typing import TableLike

Method = TypeVar("Method", bound=Callable[..., Any])


def where_inner_has(name: str) -> Callable[[Method], Method]:
    """Have a method of `InnerMethods` be there only where the estimator within has it.

    Parameters
    ----------
    name : str
        The method.

    Returns
    -------
    callable
        The decorator.
    """
    return available_if(lambda self: self._inner_has(name))


class InnerMethods:
    """Predictions of an estimator within, there where that has them.

    A subclass says which methods there are, `_inner_has`, and asks for them, `_ask`.
    """

    def _inner_has(self, name: str) -> bool:
        """Whether there is a method; an AttributeError may say why not."""
        raise NotImplementedError

    def _ask(self, name: str, X: TableLike) -> Any:
        """What the method of the fitted estimator returns."""
        raise NotImplementedError

    @where_inner_has("predict")
    def predict(self, X: TableLike) -> Any:
        """Predict with the estimator within.

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

    @where_inner_has("predict_proba")
    def predict_proba(self, X: TableLike) -> Any:
        """Class probabilities of the estimator within.

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

    @where_inner_has("decision_function")
    def decision_function(self, X: TableLike) -> Any:
        """Decision function of the estimator within.

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
