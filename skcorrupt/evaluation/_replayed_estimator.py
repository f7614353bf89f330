"""A fitted estimator whose predictions on a test set are made once and replayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.pipeline import Pipeline

from skcorrupt.utils import RESPONSES, FittedView, Sheltered, as_score
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._parameters import sample_aligned, take_rows


class ReplayedEstimator(FittedView):
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
        super().__init__(Sheltered(estimator))
        self._X, self._y, self._score_params = X, y, score_params
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
        self._rows, self._resampled = rows, take_rows(self._X, rows)
        params = sample_aligned(self._score_params, rows, len(self._y))
        try:
            found = scorer(self, self._resampled, take_rows(self._y, rows), **params)
        except Exception:
            return float("nan")
        return as_score(found, scorer)

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
        # of a pipeline, that of its last step
        final = self._estimator[-1] if isinstance(self._estimator, Pipeline) else self._estimator
        own = getattr(final.__class__, "score", None)
        if own is ClassifierMixin.score:
            # the checks of accuracy_score take longer than all else in a resample
            right = np.asarray(y) == self.predict(X)
            return float(np.average(right, weights=params.get("sample_weight")))
        if own is RegressorMixin.score:
            return float(r2_score(y, self.predict(X), **params))
        return float(self._estimator.score(X, y, **params))

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        # a scorer may change the features before it asks
        if name not in RESPONSES or not args or args[0] is not self._resampled:
            return method(*args, **params)
        if name not in self._responses:
            self._responses[name] = method(self._X, *args[1:], **params)
        return self._responses[name][self._rows]
