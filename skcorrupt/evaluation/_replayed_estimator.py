"""A fitted estimator whose predictions on a test set are made once and replayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score

from skcorrupt.metrics import own_metric, resampled_score_of
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
    served : (table, ndarray of int) or None, default=None
        Rows with errors from which it answers, and for each of them its position in the test set.
    """

    def __init__(
        self,
        estimator: Any,
        X: TableLike,
        y: Any,
        score_params: dict[str, Any],
        served: tuple[TableLike, np.ndarray] | None = None,
    ) -> None:
        super().__init__(Sheltered(estimator))
        self._X, self._y, self._score_params = X, y, score_params
        self._served = served
        self._unserved = None
        if served is not None:
            self._unserved = ReplayedEstimator(estimator, X, y, score_params)
        self._rows: np.ndarray | None = None
        self._resampled: Any = None
        self._responses: dict[str, Any] = {}
        self._known: tuple[Any, Callable[[np.ndarray], float] | None] | None = None

    def taken(self, rows: np.ndarray) -> tuple[Any, Any, dict[str, Any]]:
        """Resampled rows with their labels and parameters of the scorer.

        Parameters
        ----------
        rows : ndarray of int
            Positions in the test set.

        Returns
        -------
        X, y, params
            What a scorer gets.
        """
        params = sample_aligned(self._score_params, rows, len(self._y))
        return take_rows(self._X, rows), take_rows(self._y, rows), params

    @property
    def _moves_rows(self) -> bool:
        """Whether rows are dropped or copied where it answers from."""
        if self._served is None:
            return False
        return not np.array_equal(self._served[1], np.arange(len(self._y)))

    def score_on(
        self,
        scorer: Callable[..., Any],
        rows: np.ndarray,
        taken: tuple[Any, Any, dict[str, Any]] | None = None,
    ) -> float:
        """Score on resampled rows.

        Parameters
        ----------
        scorer : callable
            `scorer(estimator, X, y)`.
        rows : ndarray of int
            Positions in the test set.
        taken : (table, array-like, dict) or None, default=None
            What `taken` gave for the rows, for another estimator of the same test set.

        Returns
        -------
        float
            The score; NaN where there is none, as for the AUC of a single class or the gap
            between groups of which one is absent.
        """
        known = self._score_of_rows(scorer)
        if known is not None:
            return known(rows)
        self._rows = rows
        if self._served is not None and self._moves_rows:
            self._rows, taken = places_of(self._served[1], rows), None
            rows = self._served[1][self._rows]
        self._resampled, y, params = taken or self.taken(rows)
        if self._unserved is not None:
            self._unserved._rows, self._unserved._resampled = rows, self._resampled
        try:
            found = scorer(self, self._resampled, y, **params)
        except Exception:
            return float("nan")
        return as_score(found, scorer)

    def needs_rows(self, scorer: Callable[..., Any]) -> bool:
        """Whether `score_on` takes rows from the test set for this scorer.

        Parameters
        ----------
        scorer : callable
            `scorer(estimator, X, y)`.

        Returns
        -------
        bool
            False where the score is known from answers to the whole test set.
        """
        return self._score_of_rows(scorer) is None

    def _score_of_rows(self, scorer: Callable[..., Any]) -> Callable[[np.ndarray], float] | None:
        """The score as a function of rows, where it is known from answers to all of them."""
        if self._known is None or self._known[0] is not scorer:
            found = None
            if not self._score_params and not self._moves_rows:
                self._rows, self._resampled = np.arange(len(self._y)), self._X
                found = resampled_score_of(scorer, self, self._X, self._y)
            self._known = scorer, found
        return self._known[1]

    @property
    def on_clean_rows(self) -> ReplayedEstimator:
        """The same estimator as it answers where nothing is struck."""
        if self._unserved is None:
            raise AttributeError("on_clean_rows")
        return self._unserved

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
        metric = own_metric(self._estimator)
        if metric is accuracy_score:
            # the checks of accuracy_score take longer than all else in a resample
            right = np.asarray(y) == self.predict(X)
            return float(np.average(right, weights=params.get("sample_weight")))
        if metric is not None:
            return float(metric(y, self.predict(X), **params))
        rows = self._rows
        if self._served is not None and rows is not None and X is self._resampled:
            X = take_rows(self._served[0], rows)
        return float(self._estimator.score(X, y, **params))

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        # a scorer may change the features before it asks
        if name not in RESPONSES or not args or args[0] is not self._resampled:
            return method(*args, **params)
        if name not in self._responses:
            X = self._X if self._served is None else self._served[0]
            self._responses[name] = method(X, *args[1:], **params)
        return self._responses[name][self._rows]


def places_of(sources: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Where rows are in a table in which some are dropped and some appear again.

    Parameters
    ----------
    sources : ndarray of int, shape (n_table,)
        For every row of the table, which one it is.
    rows : ndarray of int
        Which rows are wanted, some of them repeatedly.

    Returns
    -------
    ndarray of int
        Positions in the table, all of each row wanted, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.evaluation._replayed_estimator import places_of
    >>> places_of(np.array([0, 2, 2]), np.array([2, 1, 0, 0]))
    array([1, 2, 0, 0])
    """
    order = np.argsort(sources, kind="stable")
    first = np.searchsorted(sources[order], rows, side="left")
    counts = np.searchsorted(sources[order], rows, side="right") - first
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(first, counts) + within]
