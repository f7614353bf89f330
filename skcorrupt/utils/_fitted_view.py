"""Fitted estimators that are asked through somebody who stands before them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

RESPONSES = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "predict_interval",
    "score_samples",
)


class FittedView:
    """A fitted estimator whose methods are called through this object.

    To scorers, and all who look at its class or its attributes, it is the estimator. Subclasses
    say in `_ask` how its methods are called.

    Parameters
    ----------
    estimator : fitted estimator
        What answers.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        """Call a method of the estimator."""
        return method(*args, **params)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_estimator":
            raise AttributeError(name)
        value = getattr(self._estimator, name)
        if not inspect.ismethod(value) and not (name in RESPONSES and callable(value)):
            return value

        @functools.wraps(value)
        def asked(*args: Any, **params: Any) -> Any:
            return self._ask(name, value, *args, **params)

        # scorers ask for the method's name
        asked.__name__ = name
        return asked

    # scorers may look for a kind of estimator, and messages name its class
    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._estimator)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self._estimator)

    def __sklearn_is_fitted__(self) -> bool:
        check_is_fitted(self._estimator)
        return True

    def __sklearn_clone__(self) -> Any:
        return clone(self._estimator)

    def __reduce__(self) -> tuple[Any, ...]:
        return _viewed, (type(self), self.__dict__)

    def __repr__(self) -> str:
        return repr(self._estimator)

    # steps of pipelines and members of ensembles
    def __getitem__(self, key: Any) -> Any:
        return self._estimator[key]

    def __len__(self) -> int:
        return len(self._estimator)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._estimator)

    def __bool__(self) -> bool:
        return True


def _viewed(kind: type, state: dict[str, Any]) -> Any:
    view: Any = object.__new__(kind)
    view.__dict__.update(state)
    return view
