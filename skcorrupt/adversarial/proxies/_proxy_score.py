"""The score of a search on groups: fast where the metric is known, the user's scorer elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from skcorrupt.evaluation import Split, sample_aligned, take_rows
from skcorrupt.metrics._class_counts import AVERAGES, CLASS_SCORES, averaged
from skcorrupt.utils import as_score

from ._proxy_groups import Groups

SMALLEST = 1e-15
Metric = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class ScorerRefuses(ValueError):
    """The user's scorer cannot work with predictions alone."""


class ProxyScore:
    """Scores of batches of predictions on the test part of a split.

    Parameters
    ----------
    scoring : object
        What the search was given.
    scorer : callable
        The scorer made of it.
    groups : Groups
        The data.
    splits : list of Split
        The splits.
    """

    def __init__(
        self, scoring: Any, scorer: Callable[..., Any], groups: Groups, splits: list[Split]
    ) -> None:
        self.groups, self.splits, self.scorer = groups, splits, scorer
        self.metric = known_metric(scoring, groups)
        self.name = scoring if isinstance(scoring, str) else "score"
        self.shown = [np.flatnonzero(weights > 0) for weights in groups.tests]
        self.weights = [groups.tests[f][shown].astype(float) for f, shown in enumerate(self.shown)]
        self.labels = [groups.y[shown] for shown in self.shown]
        self._rows: list[tuple[Any, ...]] = []
        if self.metric is None:
            self._rows = [self._test_rows(split) for split in splits]
        self._moments: list[Any] = []
        both = all(len(np.unique(labels)) == 2 for labels in self.labels)
        if scoring == "roc_auc" and groups.n_classes == 2 and both:
            self._moments = [self._class_moments(f) for f in range(len(splits))]

    @property
    def is_fast(self) -> bool:
        """Whether a score costs less than a fit."""
        return self.metric is not None

    @property
    def is_rough(self) -> bool:
        """Whether there is an approximation by which linear models can be ordered."""
        return bool(self._moments)

    def rough(self, fold: int, beta: np.ndarray) -> np.ndarray:
        """An approximation by which linear models can be ordered, where there is one.

        The area under the curve of two normal distributions, from the moments of the columns.
        """
        (mean0, cov0), (mean1, cov1) = self._moments[fold]
        spread = ((beta @ cov0) * beta).sum(axis=1) + ((beta @ cov1) * beta).sum(axis=1)
        return ndtr(beta @ (mean1 - mean0) / np.sqrt(np.maximum(spread, SMALLEST)))

    def exact(self, fold: int, predicted: np.ndarray) -> np.ndarray:
        """Scores of predictions.

        Parameters
        ----------
        fold : int
            The split.
        predicted : ndarray of shape (n_batch, n_groups) or (n_batch, n_groups, n_classes)
            Probability of the second of two classes, of every class, or the label.

        Returns
        -------
        ndarray of shape (n_batch,)
            A score for each candidate.
        """
        shown = self.shown[fold]
        if self.metric is not None:
            return self.metric(predicted[:, shown], self.labels[fold], self.weights[fold])
        return np.array([self._by_scorer(fold, each) for each in predicted])

    def tested(self, fold: int) -> np.ndarray | None:
        """Test weights of the two classes in every group, None but for the area under the curve."""
        if self.metric is not _auc:
            return None
        of_class = self.groups.y == np.array([[0], [1]])
        return self.groups.tests[fold].astype(float) * of_class

    def _by_scorer(self, fold: int, predicted: np.ndarray) -> float:
        rows, X, y, params = self._rows[fold]
        stand_in = _stand_in(self.groups, predicted[rows])
        try:
            with warnings.catch_warnings():
                # what is wrong with a score, the pipeline's own fits will say
                warnings.simplefilter("ignore")
                return as_score(self.scorer(stand_in, X, y, **params), self.scorer)
        except Exception as error:
            # users' scorers may raise anything where they ask for more than predictions
            raise ScorerRefuses(f"{type(error).__name__}: {error}") from error

    def _test_rows(self, split: Split) -> tuple[np.ndarray, Any, Any, dict[str, Any]]:
        place = np.full(int(max(self.groups.rows.max(), split.test.max())) + 1, -1)
        place[self.groups.rows] = self.groups.of_row
        used = np.flatnonzero(place[split.test] >= 0)
        params = sample_aligned(split.score_params, used, len(split.test))
        return (
            place[split.test[used]],
            take_rows(split.X_test, used),
            take_rows(split.y_test, used),
            params,
        )

    def _class_moments(self, fold: int) -> list[tuple[np.ndarray, np.ndarray]]:
        Z = self.groups.design[self.shown[fold]].astype(float)
        found = []
        for k in (0, 1):
            w = self.weights[fold] * (self.labels[fold] == k)
            mean = w @ Z / w.sum()
            found.append((mean, (Z * w[:, None]).T @ Z / w.sum() - np.outer(mean, mean)))
        return found


class _Fixed(BaseEstimator):
    """An estimator whose predictions are known."""

    def __init__(self, predicted: Any = None, classes: Any = None):
        self.predicted = predicted
        self.classes = classes

    def fit(self, X: Any, y: Any = None) -> Self:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True


class _FixedRegressor(RegressorMixin, _Fixed):
    def predict(self, X: Any) -> np.ndarray:
        """The predictions, whatever X."""
        return self.predicted


class _FixedClassifier(ClassifierMixin, _Fixed):
    @property
    def classes_(self) -> np.ndarray:
        """The classes."""
        return self.classes

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probabilities, whatever X."""
        p = self.predicted
        return np.column_stack([1 - p, p]) if p.ndim == 1 else p

    def decision_function(self, X: Any) -> np.ndarray:
        """Probabilities on the scale of margins."""
        p = np.clip(self.predict_proba(X), SMALLEST, 1)
        return np.log(p[:, 1] / p[:, 0]) if p.shape[1] == 2 else np.log(p)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class."""
        return self.classes[self.predict_proba(X).argmax(axis=1)]


def _stand_in(groups: Groups, predicted: np.ndarray) -> Any:
    if groups.n_classes:
        return _FixedClassifier(predicted, groups.classes)
    return _FixedRegressor(predicted)


def known_metric(scoring: Any, groups: Groups) -> Metric | None:
    binary, classes = groups.n_classes == 2, groups.classes
    if scoring is None:
        scoring = "accuracy" if groups.n_classes else "r2"
    if not isinstance(scoring, str):
        return None
    if groups.n_classes == 0:
        return REGRESSION.get(scoring)
    if binary and scoring in POSITIVE and classes.dtype.kind in "iub" and classes[1] == 1:
        return POSITIVE[scoring]
    return (BINARY if binary else SEVERAL).get(scoring)


def _auc(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    positive, negative = w * y, w * (1 - y)
    total = positive.sum() * negative.sum()
    if not total:
        return np.full(len(p), np.nan)
    found = np.empty(len(p))
    for i, each in enumerate(p.astype(np.float32)):
        order = np.argsort(each)
        ordered, above, below = each[order], positive[order], negative[order]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
        below_ends = np.cumsum(below)[ends]
        above_runs = np.diff(np.cumsum(above)[ends], prepend=0.0)
        below_runs = np.diff(below_ends, prepend=0.0)
        found[i] = above_runs @ (below_ends - 0.5 * below_runs)
    return found / total


def areas_of_leaves(
    tree: np.ndarray, p: np.ndarray, negative: np.ndarray, positive: np.ndarray
) -> np.ndarray:
    """Areas under the curve of trees.

    Parameters
    ----------
    tree : ndarray of int, shape (n_leaves,)
        Which tree a leaf is of, in order.
    p : ndarray of shape (n_leaves,)
        What it predicts.
    negative, positive : ndarray of shape (n_leaves,)
        Test weights of the two classes that are in it.

    Returns
    -------
    ndarray of shape (n_trees,)
        NaN where there is one class.
    """
    p = p.astype(np.float32)
    order = np.lexsort((p, tree))
    tree, p, negative, positive = tree[order], p[order], negative[order], positive[order]
    starts = np.flatnonzero(np.diff(tree, prepend=-1) | np.diff(p, prepend=np.nan).astype(bool))
    of_run = tree[starts]
    negative, positive = (np.add.reduceat(each, starts) for each in (negative, positive))
    first = np.searchsorted(of_run, np.arange(tree[-1] + 1))
    all_negative, all_positive = (np.add.reduceat(each, first) for each in (negative, positive))
    below = np.cumsum(negative) - 0.5 * negative
    below -= (np.cumsum(all_negative) - all_negative)[of_run]
    total = all_negative * all_positive
    found = np.add.reduceat(positive * below, first)
    return np.where(total > 0, found / np.where(total > 0, total, 1.0), np.nan)


def _hits(p: np.ndarray, y: np.ndarray) -> np.ndarray:
    said = p > 0.5 if p.ndim == 2 else p.argmax(axis=2)
    return said == y


def _accuracy(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    return _hits(p, y) @ w / w.sum()


def _balanced(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    hits = _hits(p, y)
    shares = [hits @ (w * (y == k)) / max((w * (y == k)).sum(), SMALLEST) for k in np.unique(y)]
    return np.mean(shares, axis=0)


def _of_positives(name: str) -> Metric:
    """F1 score, precision or recall of the second of two classes."""

    def metric(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
        said = p > 0.5
        return CLASS_SCORES[name](said @ (w * y), said @ w, (w * y).sum())

    return metric


def _of_classes(name: str, average: str) -> Metric:
    """An average of these over classes."""

    def metric(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
        said = (p > 0.5).astype(int) if p.ndim == 2 else p.argmax(axis=2)
        n_classes = 2 if p.ndim == 2 else p.shape[2]
        own = w * (y == np.arange(n_classes)[:, None])
        picked = [said == k for k in range(n_classes)]
        found = np.stack([each @ w for each in picked], axis=1)
        both = np.stack([each @ own[k] for k, each in enumerate(picked)], axis=1)
        return averaged(CLASS_SCORES[name], average, both, found, own.sum(axis=1))

    return metric


def _log_loss(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    if p.ndim == 2:
        right = np.where(y == 1, p, 1 - p)
    else:
        right = np.take_along_axis(p, y[None, :, None].astype(int), axis=2)[:, :, 0]
    return np.log(np.clip(right, SMALLEST, 1)) @ w / w.sum()


def _brier(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    return -((p - y) ** 2) @ w / w.sum()


def _squares(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    return -((p - y) ** 2) @ w / w.sum()


def _r2(p: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    spread = w @ (y - w @ y / w.sum()) ** 2 / w.sum()
    return 1 + _squares(p, y, w) / max(spread, SMALLEST)


POSITIVE = {name: _of_positives(name) for name in CLASS_SCORES}
OF_CLASSES = {
    f"{name}_{average}": _of_classes(name, average) for name in CLASS_SCORES for average in AVERAGES
}
BINARY: dict[str, Metric] = OF_CLASSES | {
    "roc_auc": _auc,
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced,
    "neg_log_loss": _log_loss,
    "neg_brier_score": _brier,
}
SEVERAL: dict[str, Metric] = OF_CLASSES | {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced,
    "neg_log_loss": _log_loss,
}
REGRESSION: dict[str, Metric] = {
    "r2": _r2,
    "neg_mean_squared_error": _squares,
    "neg_root_mean_squared_error": lambda p, y, w: -np.sqrt(-_squares(p, y, w)),
    "neg_mean_absolute_error": lambda p, y, w: -abs(p - y) @ w / w.sum(),
}
