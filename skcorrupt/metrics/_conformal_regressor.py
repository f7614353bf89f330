"""Split conformal prediction intervals, plain and for data with gaps."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from numbers import Real
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    MetaEstimatorMixin,
    RegressorMixin,
    clone,
    is_classifier,
)
from sklearn.utils import Tags, assert_all_finite, check_array, column_or_1d, get_tags
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import (
    MISSING,
    Cells,
    Sheltered,
    as_table,
    check_is_estimator,
    check_table,
    check_target,
    draw_seed,
    fit_on_copies,
    warn,
)
from skcorrupt.utils._compat import HasMethods, Interval, StrOptions
from skcorrupt.utils._typing import ColumnLike, Estimator, RandomState, TableLike

# Numbers held at once where every row is compared with every calibration row.
CELLS_AT_ONCE = 2_000_000


class ConformalRegressor(RegressorMixin, MetaEstimatorMixin, BaseEstimator):
    """A regressor whose intervals hold the true value with a probability that is set beforehand.

    A part of the training rows, the calibration rows, is kept from the fit. How far predictions
    for them are off says how wide an interval has to be. Where calibration rows and new rows are
    exchangeable, intervals hold the true value with probability `1 - alpha` or more; corrupted
    training data breaks just that, so coverage is worth a search.

    Parameters
    ----------
    estimator : estimator
        The regressor, for data with gaps one that takes them, such as a pipeline with an imputer.
    alpha : float in (0, 1), default=0.1
        Share of true values that may lie outside their interval.
    calibration_size : float in (0, 1), default=0.25
        Share of the training rows that are calibration rows.
    method : {"split", "mda-nested"}, default="split"
        "split" is split conformal prediction [1]_: one width for all rows. "mda-nested" is
        missing data augmentation [2]_: a new row is given the gaps of each calibration row in
        turn, and the calibration rows those of the new row, so that like is compared with like.
        The probability then rests on the assumptions of [2]_: values missing completely at
        random, and no less uncertainty with more of them missing.
        Without gaps both are the same.
    random_state : None, int, RandomState or Generator, default=None
        Which rows are calibration rows.

    Attributes
    ----------
    estimator_ : estimator
        The regressor, fitted on the other training rows.
    calibration_indices_ : ndarray of int
        Positions of the calibration rows in the training data.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    See Also
    --------
    make_coverage_scorer : The share of true values that lie within their interval.

    Notes
    -----
    "mda-nested" predicts twice for every pair of a distinct set of gaps among the new rows and
    one among the calibration rows. MAPIE [3]_ has more methods; its regressors are conformalized
    in a step of their own and cannot be cloned, so a search cannot fit them as they are.

    References
    ----------
    .. [1] J. Lei et al., Distribution-free predictive inference for regression, JASA 2018,
       algorithm 2.
    .. [2] M. Zaffran et al., Conformal prediction with missing values, ICML 2023, algorithm 2,
       with absolute residuals as scores.
    .. [3] https://mapie.readthedocs.io

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from skcorrupt.metrics import ConformalRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ConformalRegressor(LinearRegression(), alpha=0.2, random_state=0)
    >>> low, high = model.fit(X[1::2], y[1::2]).predict_interval(X[::2]).T
    >>> print(f"{((low <= y[::2]) & (y[::2] <= high)).mean():.2f}")
    0.85
    """

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods(["fit", "predict"])],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "calibration_size": [Interval(Real, 0, 1, closed="neither")],
        "method": [StrOptions({"split", "mda-nested"})],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        estimator: Estimator,
        *,
        alpha: float = 0.1,
        calibration_size: float = 0.25,
        method: Literal["split", "mda-nested"] = "split",
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.alpha = alpha
        self.calibration_size = calibration_size
        self.method = method
        self.random_state = random_state

    def fit(self, X: TableLike, y: ColumnLike) -> Self:
        """Fit the regressor on a part of the rows and keep the others for calibration.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Numbers to predict.

        Returns
        -------
        self : ConformalRegressor
            The fitted regressor.

        Raises
        ------
        ValueError
            If the estimator is a classifier, or no rows are left to fit or to calibrate on.

        Warns
        -----
        UserWarning
            If there are so few calibration rows that intervals have no ends.
        """
        self._validate_params()
        check_is_estimator(self.estimator)
        if is_classifier(self.estimator):
            raise ValueError(
                f"estimator={self.estimator!r} predicts classes, and intervals are for numbers; "
                "pass a regressor such as make_pipeline(SimpleImputer(), Ridge())."
            )
        table = check_table(self, X, reset=True)
        n = table.n_rows
        y = _numbers(y, n)
        n_calibration = round(self.calibration_size * n)
        if not 0 < n_calibration < n:
            raise ValueError(
                f"calibration_size={self.calibration_size:g} of {n} samples leaves "
                f"{n - n_calibration} to fit on and {n_calibration} to calibrate on; pass more."
            )
        shuffled = np.random.default_rng(draw_seed(self.random_state)).permutation(n)
        rows, rest = np.sort(shuffled[:n_calibration]), np.sort(shuffled[n_calibration:])
        self.calibration_indices_ = rows
        self.estimator_ = fit_on_copies(clone(self.estimator), table.take(rest), y[rest])
        self._known = table.take(rows), y[rows]
        # here and not later, so that rows that the regressor cannot take are refused in fit
        self._scores = self._off(self._known[0], np.arange(n_calibration))
        # which of the sorted scores makes the width: ⌈(1 − α)(n + 1)⌉
        self._rank = int(np.ceil((1 - self.alpha) * (n_calibration + 1) - 1e-9))
        if self._rank > n_calibration:
            warn(
                f"alpha={self.alpha:g} needs {np.ceil(1 / self.alpha - 1e-9) - 1:.0f} "
                f"calibration rows and there are {n_calibration}, so that intervals have no ends; "
                "pass more rows or a larger calibration_size.",
            )
        return self

    def predict(self, X: TableLike) -> np.ndarray:
        """Predictions of the fitted regressor.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predictions.
        """
        check_is_fitted(self, "estimator_")
        check_table(self, X, reset=False)
        return Sheltered(self.estimator_).predict(X)

    def predict_interval(self, X: TableLike) -> np.ndarray:
        """Intervals that hold the true values with probability `1 - alpha`.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Lower and upper ends; infinite where there are too few calibration rows.
        """
        check_is_fitted(self, "estimator_")
        check_table(self, X, reset=False)
        n = len(self._scores)
        if self._rank > n:
            return np.tile([-np.inf, np.inf], (as_table(X).n_rows, 1))
        if self.method == "split":
            centre = self._predicted(X)
            width = np.partition(self._scores, self._rank - 1)[self._rank - 1]
            return np.column_stack([centre - width, centre + width])
        intervals = np.empty((as_table(X).n_rows, 2))
        for gaps, rows in _by_gaps(X):
            intervals[rows] = self._augmented(as_table(X).take(rows), gaps)
        return intervals

    def _predicted(self, X: Any) -> np.ndarray:
        return np.asarray(Sheltered(self.estimator_).predict(X), dtype=float)

    def _off(self, X: Any, rows: np.ndarray) -> np.ndarray:
        """How far predictions for some calibration rows are off."""
        predicted = self._predicted(X)
        return np.abs(self._known[1][rows] - predicted)

    def _augmented(self, X: Any, gaps: np.ndarray) -> np.ndarray:
        """Intervals of rows that all have the same gaps (lines 6 to 14 of algorithm 2)."""
        known, n = self._known[0], len(self._scores)
        n_rows = as_table(X).n_rows
        centres, scores, group = [], np.empty(n), np.empty(n, dtype=np.intp)
        for g, (theirs, rows) in enumerate(_by_gaps(known)):
            both = gaps | theirs
            scores[rows] = self._off(_masked(as_table(known).take(rows), both), rows)
            centres.append(self._predicted(_masked(X, both)))
            group[rows] = g
        stacked = np.column_stack(centres)
        ends = np.empty((n_rows, 2))
        step = max(1, CELLS_AT_ONCE // n)
        for start in range(0, n_rows, step):
            part = slice(start, start + step)
            moved = stacked[part][:, group]
            lowest_first = np.partition(moved - scores, n - self._rank, axis=1)
            highest_last = np.partition(moved + scores, self._rank - 1, axis=1)
            ends[part, 0] = lowest_first[:, n - self._rank]
            ends[part, 1] = highest_last[:, self._rank - 1]
        return ends

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = copy.deepcopy(get_tags(self.estimator).input_tags)
        return tags


def _numbers(y: Any, n_rows: int) -> np.ndarray:
    """The labels as an array of finite numbers."""
    if y is None:
        raise ValueError("ConformalRegressor requires y to be passed, but the target y is None.")
    check_target(y, n_rows)
    try:
        array = check_array(
            y, ensure_2d=False, dtype="numeric", ensure_all_finite=False, input_name="y"
        )
        numbers = column_or_1d(array, warn=True).astype(float)
    except (TypeError, OverflowError, ValueError) as error:
        raise ValueError(f"y should hold one number per row: {error}.") from None
    assert_all_finite(numbers, input_name="y")
    return numbers


def _by_gaps(X: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Distinct sets of missing columns, each with the rows that have it."""
    table = as_table(X)
    missing = np.column_stack([table.missing(j) for j in range(table.n_columns)])
    distinct, which = np.unique(missing, axis=0, return_inverse=True)
    for g, gaps in enumerate(distinct):
        yield gaps, np.flatnonzero(which.ravel() == g)


def _masked(X: Any, gaps: np.ndarray) -> Any:
    """The table with whole columns missing."""
    table = as_table(X)
    rows = np.arange(table.n_rows)
    lost = [j for j in range(table.n_columns) if gaps[j] and not table.missing(j).all()]
    cells = {j: Cells(rows, MISSING) for j in lost}
    return table.with_cells(cells) if cells else X
