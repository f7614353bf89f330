"""Metrics of scikit-learn's that are sums over rows: what every row contributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.special import xlogy
from sklearn import metrics

Form = Literal["sum", "root", "gap"]


def _right(y: np.ndarray, answers: Any) -> np.ndarray:
    return (np.asarray(answers) == y).astype(float)


def _accuracy(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    if kwargs:
        return None
    return "sum", lambda a: share * _right(y, a), 0.0


def _balanced(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    if set(kwargs) - {"adjusted"}:
        return None
    classes, codes = np.unique(y, return_inverse=True)
    each = share / (np.bincount(codes, weights=share)[codes] * len(classes))
    if not kwargs.get("adjusted"):
        return "sum", lambda a: each * _right(y, a), 0.0
    chance = 1 / len(classes)
    return "sum", lambda a: each * _right(y, a) / (1 - chance), -chance / (1 - chance)


def _recall(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    if set(kwargs) - {"average", "pos_label", "zero_division"}:
        return None
    average = kwargs.get("average", "binary")
    if average in ("micro", "weighted"):
        return "sum", lambda a: share * _right(y, a), 0.0
    if average == "macro":
        if not set(getattr(model, "classes_", [None])) <= set(y.tolist()):
            # a class that is predicted and not there counts as one of recall 0
            return None
        return _balanced({}, y, share, model)
    positive = y == kwargs.get("pos_label", 1)
    if average != "binary" or not positive.any():
        return None
    each = np.where(positive, share, 0.0) / share[positive].sum()
    return "sum", lambda a: each * _right(y, a), 0.0


def _zero_one(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    return None if kwargs else ("sum", lambda a: -share * (1 - _right(y, a)), 0.0)


def _by_class(answers: Any) -> np.ndarray:
    """Probabilities in a column for each class."""
    found = np.asarray(answers, dtype=float)
    return np.column_stack([1 - found, found]) if found.ndim == 1 else found


def _log_loss(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    classes = np.asarray(getattr(model, "classes_", []))
    if kwargs or not np.array_equal(classes, np.unique(y)):
        return None
    codes, rows = np.searchsorted(classes, y), np.arange(len(y))

    def each(answers: Any) -> np.ndarray:
        least = np.finfo(np.asarray(answers).dtype).eps
        right = np.clip(_by_class(answers)[rows, codes], least, 1 - least)
        return share * np.log(right)

    return "sum", each, 0.0


def _brier(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    classes = np.asarray(getattr(model, "classes_", []))
    if set(kwargs) - {"pos_label"} or not np.array_equal(classes, np.unique(y)):
        return None
    truth = (y[:, None] == classes[None, :]).astype(float)
    # of two classes the two squares are the same
    half = 0.5 if len(classes) == 2 else 1.0

    def each(answers: Any) -> np.ndarray:
        return -share * half * ((_by_class(answers) - truth) ** 2).sum(axis=1)

    return "sum", each, 0.0


def _squared(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    return None if kwargs else ("sum", lambda a: -share * (y - np.ravel(a)) ** 2, 0.0)


def _root(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    return None if kwargs else ("root", lambda a: -share * (y - np.ravel(a)) ** 2, 0.0)


def _absolute(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    return None if kwargs else ("sum", lambda a: -share * np.abs(y - np.ravel(a)), 0.0)


def _r2(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
    if kwargs or y.dtype.kind not in "biuf" or _is_constant(y, share):
        return None
    spread = float(np.sum(share * (y - np.sum(share * y)) ** 2))
    return "sum", lambda a: -share * (y - np.ravel(a)) ** 2 / spread, 1.0


def _is_constant(y: np.ndarray, share: np.ndarray) -> bool:
    """Whether there is nothing to explain, of which sums may leave a rounding error."""
    counted = y[share > 0]
    return bool((counted == counted[:1]).all())


def _by_row(func: Any, form: Form = "sum") -> Callable[..., Any]:
    """A loss of scikit-learn's that takes several outputs, of which rows are made here."""

    def known(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
        if set(kwargs) - {"alpha"}:
            return None

        def each(answers: Any) -> np.ndarray:
            rows = y[None, :], np.ravel(answers)[None, :]
            return -share * func(*rows, multioutput="raw_values", **kwargs)

        return form, each, 0.0

    return known


def _deviance(func: Any, of_func: float | None = None) -> Callable[..., Any]:
    """A deviance of the Tweedie family."""

    def known(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
        if set(kwargs) - {"power"}:
            return None
        power = float(kwargs.get("power", 0)) if of_func is None else of_func

        def each(answers: Any) -> np.ndarray:
            # it says which answers have no deviance
            func(y, answers, **kwargs)
            return -share * _tweedie(y, np.ravel(answers), power)

        return "sum", each, 0.0

    return known


def _tweedie(y: np.ndarray, mean: np.ndarray, power: float) -> np.ndarray:
    """The unit deviance of every row."""
    if power == 0:
        return (y - mean) ** 2
    if power == 1:
        return 2 * (xlogy(y, y / mean) - y + mean)
    if power == 2:
        return 2 * (np.log(mean / y) + y / mean - 1)
    least = np.maximum(y, 0.0) if power < 0 else y
    of_y = np.power(least, 2 - power) / ((1 - power) * (2 - power))
    slope = y * np.power(mean, 1 - power) / (1 - power)
    return 2 * (of_y - slope + np.power(mean, 2 - power) / (2 - power))


def _d2(func: Any, loss: Callable[..., Any]) -> Callable[..., Any]:
    """The share of a loss that is explained, one less what is left of the loss of a constant."""

    def known(kwargs: dict[str, Any], y: np.ndarray, share: np.ndarray, model: Any) -> Any:
        found = loss(kwargs, y, share, model)
        if found is None or _is_constant(y, share):
            return None
        try:
            rough = _rough(y, share, getattr(model, "classes_", None))
            left = 1 - func(y, rough, sample_weight=share, **kwargs)
            of_constant = -float(np.sum(found[1](rough))) / left
        except (TypeError, ValueError, ZeroDivisionError):
            # scikit-learn says itself what it does not take
            return None
        if not 0 < of_constant < np.inf:
            return None
        return "sum", lambda a: found[1](a) / of_constant, 1.0

    return known


def _rough(y: np.ndarray, share: np.ndarray, classes: Any) -> np.ndarray:
    """The same answer for all rows."""
    if classes is None:
        return np.full(len(y), np.sum(share * y))
    return np.full((len(y), len(classes)), 1 / len(classes))


# what a metric's parameters, the labels, shares of the rows and the model make of it: its form,
# what rows contribute by what the model answers, and what is added; None where that is not known
ROW_METRICS: dict[Any, Callable[..., Any]] = {
    metrics.accuracy_score: _accuracy,
    metrics.balanced_accuracy_score: _balanced,
    metrics.recall_score: _recall,
    metrics.zero_one_loss: _zero_one,
    metrics.log_loss: _log_loss,
    metrics.d2_log_loss_score: _d2(metrics.d2_log_loss_score, _log_loss),
    metrics.brier_score_loss: _brier,
    metrics.d2_brier_score: _d2(metrics.d2_brier_score, _brier),
    metrics.mean_squared_error: _squared,
    metrics.root_mean_squared_error: _root,
    metrics.r2_score: _r2,
    metrics.mean_absolute_error: _absolute,
    metrics.d2_absolute_error_score: _d2(metrics.d2_absolute_error_score, _absolute),
    metrics.mean_absolute_percentage_error: _by_row(metrics.mean_absolute_percentage_error),
    metrics.mean_squared_log_error: _by_row(metrics.mean_squared_log_error),
    metrics.root_mean_squared_log_error: _by_row(metrics.mean_squared_log_error, "root"),
    metrics.mean_pinball_loss: _by_row(metrics.mean_pinball_loss),
    metrics.d2_pinball_score: _d2(metrics.d2_pinball_score, _by_row(metrics.mean_pinball_loss)),
    metrics.mean_poisson_deviance: _deviance(metrics.mean_poisson_deviance, 1.0),
    metrics.mean_gamma_deviance: _deviance(metrics.mean_gamma_deviance, 2.0),
    metrics.mean_tweedie_deviance: _deviance(metrics.mean_tweedie_deviance),
    metrics.d2_tweedie_score: _d2(
        metrics.d2_tweedie_score, _deviance(metrics.mean_tweedie_deviance)
    ),
}  # fmt: skip
# those that are the better the less they are
LOSSES = {func for func in ROW_METRICS if not func.__name__.endswith("_score")}
