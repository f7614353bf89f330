"""Estimators that fit in microseconds and take missing values, for searches in tests."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data


def share_right(model, X, y):
    """Accuracy, without the checks that take longer than the fit of a cheap model."""
    return float(np.mean(model.predict(X) == np.asarray(y)))


# what stands for labels where none are asked for
NO_LABELS = object()


def checked(model, X, y=NO_LABELS, **params):
    """Values of a table as floats, with labels if they are given.

    What is plainly numbers and labels is not checked further: checks take longer than a fit.
    """
    if not _is_plain(model, X, y):
        given = (X,) if y is NO_LABELS else (X, y)
        reset = y is not NO_LABELS
        finite = "allow-nan"
        return validate_data(
            model, *given, dtype=float, ensure_all_finite=finite, reset=reset, **params
        )
    values = X.to_numpy(dtype=float)
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity.")
    if y is NO_LABELS:
        return values
    model.n_features_in_ = values.shape[1]
    model.feature_names_in_ = np.asarray(X.columns, dtype=object)
    return values, np.asarray(y)


def _is_plain(model, X, y):
    """Whether a table and its labels need no checks beyond those for infinite values."""
    if not isinstance(X, pd.DataFrame) or not len(X) or not len(X.columns):
        return False
    names = X.columns.tolist()
    if not all(isinstance(each, np.dtype) and each.kind in "iuf" for each in X.dtypes):
        return False
    if y is None:
        return False
    if y is NO_LABELS:
        return names == np.asarray(getattr(model, "feature_names_in_", ())).tolist()
    labels = np.asarray(y)
    words = labels.dtype == object and all(type(label) is str for label in labels)
    plain = labels.shape == (len(X),) and (labels.dtype.kind in "iub" or words)
    return plain and all(type(name) is str for name in names)


class Centroids(ClassifierMixin, BaseEstimator):
    """Nearest class mean, every column on its own, weighted by class size.

    A fit depends on the data through class sizes and the class means of each column alone, so
    that which of several rows of equal class and value is struck makes no difference.
    """

    def fit(self, X, y, sample_weight=None):
        """Learn class means of the values that are there."""
        X, y = checked(self, X, y)
        check_classification_targets(y)
        weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
        if weights.shape != y.shape or not weights.any():
            raise ValueError(
                f"sample_weight of shape {weights.shape}, all zero or not of {len(y)} rows"
            )
        self.classes_ = np.unique(y)
        self.means_ = np.zeros((len(self.classes_), X.shape[1]))
        self.shares_ = np.empty(len(self.classes_))
        for k, label in enumerate(self.classes_):
            rows = X[y == label]
            there = ~np.isnan(rows)
            w = weights[y == label][:, None] * there
            total = w.sum(axis=0)
            sums = (np.where(there, rows, 0.0) * w).sum(axis=0)
            self.means_[k] = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
            self.shares_[k] = weights[y == label].sum() / weights.sum()
        return self

    def predict_proba(self, X):
        """Soft assignment to the class means."""
        check_is_fitted(self)
        X = checked(self, X)
        gaps = np.nan_to_num(X[:, None, :] - self.means_[None])
        scores = np.log(np.maximum(self.shares_, 1e-12)) - (gaps**2).sum(axis=2)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)

    def predict(self, X):
        """The nearest class."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class Levels(RegressorMixin, BaseEstimator):
    """Mean plus one slope a column, each learned on the rows where the column is there."""

    def fit(self, X, y):
        """Learn slopes."""
        X, y = checked(self, X, y, y_numeric=True)
        y = y.astype(float)
        self.intercept_ = y.mean()
        self.means_, self.slopes_ = np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for j in range(X.shape[1]):
            there = ~np.isnan(X[:, j])
            x = X[there, j]
            if len(x) and x.var() > 0:
                self.means_[j] = x.mean()
                self.slopes_[j] = np.mean((x - x.mean()) * (y[there] - y[there].mean())) / x.var()
        return self

    def predict(self, X):
        """The sum of the slopes' contributions."""
        check_is_fitted(self)
        X = checked(self, X)
        return self.intercept_ + np.nan_to_num(X - self.means_) @ self.slopes_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class Refusing(Centroids):
    """Refuses missing values in the columns at some positions, as a strict step would."""

    def __init__(self, refuses=()):
        self.refuses = refuses

    def fit(self, X, y, sample_weight=None):
        """Fit, or raise where a value is missing in a refused column."""
        values = np.asarray(X, dtype=float)
        for j in self.refuses:
            if np.isnan(values[:, j]).any():
                raise ValueError(f"Input X contains NaN in position {j}.")
        return super().fit(X, y, sample_weight)


class Counting(Centroids):
    """Counts its fits in this process."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        """Count and fit."""
        Counting.n_fits += 1
        return super().fit(X, y, sample_weight)


class Line(ClassifierMixin, BaseEstimator):
    """Logistic regression of two classes on standardised columns, missing values at the mean."""

    def fit(self, X, y):
        """Newton steps."""
        X, y = checked(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(f"Only binary classification is supported, not {self.classes_}.")
        there = ~np.isnan(X)
        self.means_ = np.where(there, X, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        filled = np.where(there, X, self.means_)
        self.scales_ = np.maximum(filled.std(axis=0), 1e-12)
        Z = np.column_stack([(filled - self.means_) / self.scales_, np.ones(len(X))])
        ridge = np.diag([*np.ones(X.shape[1]), 1e-9])
        self.coef_ = np.zeros(Z.shape[1])
        for _ in range(12):
            p = 1 / (1 + np.exp(-np.clip(Z @ self.coef_, -30, 30)))
            hessian = (Z * (p * (1 - p))[:, None]).T @ Z + ridge
            self.coef_ -= np.linalg.solve(hessian, Z.T @ (p - codes) + ridge @ self.coef_)
        return self

    def predict_proba(self, X):
        """The logistic curve of a weighted sum."""
        check_is_fitted(self)
        X = checked(self, X)
        Z = np.nan_to_num(X - self.means_) / self.scales_
        p = 1 / (1 + np.exp(-(Z @ self.coef_[:-1] + self.coef_[-1])))
        return np.column_stack([1 - p, p])

    def predict(self, X):
        """The more probable class."""
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.classifier_tags.multi_class = False
        return tags
