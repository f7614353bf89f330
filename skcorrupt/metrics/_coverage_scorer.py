"""A scorer of prediction intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from skcorrupt.utils import Target


class CoverageScorer:
    """The share of true values that lie within their interval.

    Parameters
    ----------
    method : str
        Method of the estimator that gives the intervals.
    """

    def __init__(self, method: str) -> None:
        self.method = method

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        return "coverage"

    def __call__(self, estimator: Any, X: Any, y_true: Any) -> float:
        if not hasattr(estimator, self.method):
            raise ValueError(
                f"{type(estimator).__name__} has no method {self.method!r}; pass an estimator that "
                "gives intervals, such as ConformalRegressor, or another method=."
            )
        intervals = getattr(estimator, self.method)(X)
        y = np.asarray(Target(y_true).values, dtype=float)
        if not isinstance(intervals, np.ndarray) or intervals.shape != (len(y), 2):
            shape = getattr(intervals, "shape", None)
            got = type(intervals).__name__ + ("" if shape is None else f" of shape {shape}")
            raise ValueError(
                f"{self.method} gave a {got} for {len(y)} rows; it should give an array of shape "
                "(n_samples, 2), lower ends first."
            )
        return float(np.mean((intervals[:, 0] <= y) & (y <= intervals[:, 1])))

    def __repr__(self) -> str:
        return f"make_coverage_scorer(method={self.method!r})"


def make_coverage_scorer(*, method: str = "predict_interval") -> CoverageScorer:
    """A scorer of the share of true values that lie within their prediction interval.

    Wide intervals cover more, so look at their width as well.

    Parameters
    ----------
    method : str, default="predict_interval"
        Method of the estimator that gives, for X, an array of shape (n_samples, 2), lower ends
        first.

    Returns
    -------
    callable
        `scorer(estimator, X, y) -> float`, from 0 to 1.

    Raises
    ------
    ValueError
        When scoring, if the estimator has no such method or it gives something else.

    See Also
    --------
    ConformalRegressor : A regressor with intervals.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from skcorrupt.metrics import ConformalRegressor, make_coverage_scorer
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ConformalRegressor(LinearRegression(), alpha=0.2, random_state=0)
    >>> scores = cross_val_score(model, X, y, scoring=make_coverage_scorer())
    >>> print(f"{scores.mean():.2f}")
    0.80
    """
    return CoverageScorer(method)
