"""Estimators that get copies of data, so that what they do to it reaches nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import Bunch
from sklearn.utils.validation import has_fit_parameter

from ._duplicate import duplicate
from ._fitted_view import RESPONSES, FittedView


class Sheltered(FittedView):
    """A fitted estimator that gets copies of all data it is asked about.

    Steps such as `StandardScaler(copy=False)` write to their input, and scorers and other models
    need it as it was.

    Parameters
    ----------
    estimator : fitted estimator
        What answers.
    """

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        # steps of a pipeline may be asked one by one
        if name == "steps" and isinstance(value, list):
            return [(key, _shelter(step)) for key, step in value]
        if name == "named_steps" and isinstance(value, Mapping):
            return Bunch(**{key: _shelter(step) for key, step in value.items()})
        return value

    def __getitem__(self, key: Any) -> Any:
        return _shelter(self._estimator[key])

    def __iter__(self) -> Iterator[Any]:
        return map(_shelter, iter(self._estimator))

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        n_rows = _n_rows(args[0] if args else params.get("X"))
        given = dict(zip(params, copied(params.values()), strict=True))
        try:
            answer = method(*copied(args), **given)
        except ValueError:
            if name == "score" and hasattr(self._estimator, "predict"):
                # too few predictions are the estimator's fault and not that of its score
                self.predict(*args[:1])
            raise
        if name in RESPONSES and n_rows is not None:
            _check_answer(self._estimator, name, answer, n_rows)
        return answer


def _shelter(step: Any) -> Any:
    return Sheltered(step) if hasattr(step, "get_params") else step


def fit_on_copies(estimator: Any, X: Any, y: Any, params: dict[str, Any] | None = None) -> Any:
    """Fit an estimator that may write to what it gets.

    Parameters
    ----------
    estimator : estimator
        Fitted in place.
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.
    params : dict or None, default=None
        Other parameters of `fit`.

    Returns
    -------
    estimator
        What `fit` returns.
    """
    params = params or {}
    given = dict(zip(params, copied(params.values()), strict=True))
    if y is None and not has_fit_parameter(estimator, "y"):
        return estimator.fit(duplicate(X), **given)
    return estimator.fit(duplicate(X), duplicate(y), **given)


def copied(values: Any) -> list[Any]:
    """Copies of arrays and tables, all else as it is.

    Parameters
    ----------
    values : iterable of object
        Arguments of a call.

    Returns
    -------
    list of object
        One each.
    """
    return [duplicate(value) if _is_data(value) else value for value in values]


def _is_data(value: Any) -> bool:
    known = (np.ndarray, pd.DataFrame, pd.Series, list)
    return isinstance(value, known) or sparse.issparse(value) or hasattr(value, "to_series")


def _n_rows(X: Any) -> int | None:
    if not _is_data(X) or getattr(X, "shape", None) == ():
        return None
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _check_answer(estimator: Any, name: str, answer: Any, n_rows: int) -> None:
    """Refuse predictions that cannot be told from which rows they are."""
    shape = getattr(answer, "shape", None)
    if isinstance(answer, list):
        # several outputs give an array of probabilities each
        shape = (n_rows,) if answer and np.ndim(answer[0]) > 1 else (len(answer),)
    if shape is None or not len(shape):
        raise ValueError(
            f"{type(estimator).__name__}.{name} gave {type(answer).__name__} for {n_rows} rows; it "
            "should give an array with one entry for each row."
        )
    if shape[0] != n_rows:
        raise ValueError(
            f"{type(estimator).__name__}.{name} gave {shape[0]} predictions for {n_rows} rows; it "
            "should give one a row. A step that drops rows must let those pass that are to be "
            "predicted: a sampler of imbalanced-learn, in its Pipeline, does."
        )
