"""A fitted estimator whose predictions on a test set are made once and replayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from skcorrupt.utils._typing import ColumnLike, TableLike

from ._parameters import sample_aligned, take_rows

_RESPONSES = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "predict_interval",
)


class ReplayedEstimator:
    """Scores a fitted estimator on many resamples of one test set at the cost of one prediction.

    Parameters
    ----------
    estimator : fitted estimator
        Asked once for each kind of response.
    X : table of shape (n_samples, n_features)
        The test set.
    y : array-like of shape (n_samples,)
        Its labels.
    score_params : dict
        Parameters of the scorer for the test set.
    """

    def __init__(self, estimator: Any, X: TableLike, y: Any, score_params: dict[str, Any]) -> None:
        self.estimator = estimator
        self.X = X
        self.y = y
        self.score_params = score_params
        self._rows: np.ndarray | None = None
        self._resampled: Any = None
        self._responses: dict[str, Any] = {}

    def score_on(self, scorer: Callable[..., Any], rows: np.ndarray) -> float:
        """Score on resampled rows.

        Parameters
        ----------
        scorer : callable
            `scorer(estimator, X, y)`.
        rows : ndarray of int
            Positions in the test set.

        Returns
        -------
        float
            The score; NaN where there is none, as for the AUC of a single class or the gap
            between groups of which one is absent.
        """
        self._rows, self._resampled = rows, take_rows(self.X, rows)
        params = sample_aligned(self.score_params, rows, len(self.y))
        try:
            return float(scorer(self, self._resampled, take_rows(self.y, rows), **params))
        except Exception:
            return float("nan")

    def score(self, X: TableLike, y: ColumnLike, **params: Any) -> float:
        """The estimator's own score, from replayed predictions where it is a standard one.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Resampled rows.
        y : array-like of shape (n_samples,)
            Their labels.
        **params : dict
            Passed on.

        Returns
        -------
        float
            The score.
        """
        final = self.estimator[-1] if isinstance(self.estimator, Pipeline) else self.estimator
        own = getattr(type(final), "score", None)
        if own is ClassifierMixin.score:
            # the checks of accuracy_score take longer than all else in a resample
            right = np.asarray(y) == self.predict(X)
            return float(np.average(right, weights=params.get("sample_weight")))
        if own is RegressorMixin.score:
            return float(r2_score(y, self.predict(X), **params))
        return float(self.estimator.score(X, y, **params))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self.estimator, name)
        if name not in _RESPONSES:
            return value

        def replay(X: Any, **params: Any) -> Any:
            if X is not self._resampled:
                # a scorer may change the features before it asks
                return value(X, **params)
            if name not in self._responses:
                self._responses[name] = value(self.X, **params)
            return self._responses[name][self._rows]

        # scorers ask for the method's name
        replay.__name__ = name
        return replay

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)
