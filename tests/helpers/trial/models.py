"""Models and scorers of the trial: one that takes anything, and odd ones."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin

from .judge import Planted


def n_rows(X):
    """Rows of a table of any kind."""
    return len(as_array(X))


def as_array(X):
    """A table of any kind as an array."""
    try:
        values = X.toarray() if sparse.issparse(X) else np.asarray(X)
    except ValueError:
        raise Planted("model of the trial: X is no table") from None
    if not values.ndim:
        raise Planted("model of the trial: X is no table")
    return values


def first_column(X):
    """Numbers of the first column, zeros where it has none."""
    values = as_array(X)
    column = values.reshape(len(values), -1)[:, 0] if values.size else np.zeros(len(values))
    with np.errstate(all="ignore"):
        try:
            return np.nan_to_num(column.astype(float), posinf=0, neginf=0)
        except (TypeError, ValueError, OverflowError):
            return np.zeros(len(column))


def equal(one, other):
    """Whether two labels are the same, where they can be compared."""
    return type(one) is type(other) and repr(one) == repr(other)


class Takes(ClassifierMixin, BaseEstimator):
    """A classifier that takes any data: the second class where the first column is large."""

    def fit(self, X, y, sample_weight=None):
        """Remember the classes in the order in which they come."""
        self.classes_ = np.array(list(dict.fromkeys(np.ravel(np.asarray(y)).tolist())))
        if self.classes_.dtype.kind in "iufb":
            self.classes_.sort()
        self.middle_ = np.median(first_column(X))
        return self

    def predict_proba(self, X):
        """Sure of it."""
        n, k = n_rows(X), len(self.classes_)
        proba = np.zeros((n, k))
        second = (first_column(X) > self.middle_) & (k > 1)
        proba[np.arange(n), second.astype(int)] = 1.0
        return proba

    def predict_log_proba(self, X):
        """As sure."""
        return np.log(self.predict_proba(X) + 1e-9)

    def predict(self, X):
        """The surest class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def score(self, X, y, sample_weight=None):
        """Share of labels that are right, whatever these are."""
        truth = np.asarray(y, dtype=object).ravel().tolist()
        told = np.asarray(self.predict(X), dtype=object).ravel().tolist()
        return sum(map(equal, told, truth)) / max(1, len(truth))


class TakesNumbers(RegressorMixin, BaseEstimator):
    """A regressor that takes any data."""

    def fit(self, X, y, sample_weight=None):
        """Nothing to learn."""
        self.n_ = n_rows(X)
        return self

    def predict(self, X):
        """Numbers that rise."""
        return np.linspace(0, 1, n_rows(X))


class Passes(TransformerMixin, BaseEstimator):
    """A transformer that hands on what it gets."""

    def fit(self, X, y=None):
        """Nothing to learn."""
        self.is_fitted_ = True
        return self

    def transform(self, X):
        """The same."""
        return X


class FitFails(Takes):
    """Raises when fitted."""

    def fit(self, X, y, sample_weight=None):
        raise Planted("estimator of the trial: fit fails")


class PredictFails(Takes):
    """Raises when asked."""

    def predict_proba(self, X):
        raise Planted("estimator of the trial: predict fails")

    predict = predict_proba


class Answers(Takes):
    """Predicts something of one's choice."""

    def __init__(self, answer="few"):
        self.answer = answer

    def predict(self, X):
        """Too few rows, NaN, None, text, a frame of probabilities or nothing at all."""
        right = super().predict(X)
        return {
            "few": right[:-1],
            "nan": np.full(len(right), np.nan),
            "none": None,
            "number": 1.0,
            "text": np.full(len(right), "no such class"),
            "wide": np.column_stack([right, right]),
            "objects": np.array([[1]] * len(right) + [None], dtype=object)[:-1],
        }[self.answer]


class Spoils(Takes):
    """Writes zeros into whatever it gets, where it can."""

    def fit(self, X, y, sample_weight=None):
        self._spoil(X)
        return super().fit(X, y)

    def predict(self, X):
        self._spoil(X)
        return super().predict(X)

    def _spoil(self, X):
        values = X if isinstance(X, np.ndarray) else getattr(X, "iloc", None)
        if values is not None and n_rows(X):
            try:
                values[0] = values[1] if n_rows(X) > 1 else 0
            except (ValueError, TypeError, IndexError) as error:
                raise Planted("estimator of the trial: cannot write") from error


class HalfWritten(BaseEstimator):
    """Can fit, and nothing else."""

    def fit(self, X, y=None):
        return self


class Unpicklable(Takes):
    """Refuses to be sent to another process."""

    def __reduce__(self):
        raise TypeError("cannot pickle '_thread.lock' object")


ESTIMATORS = {
    "fit fails": FitFails,
    "predict fails": PredictFails,
    **{
        f"predicts {answer}": lambda answer=answer: Answers(answer)
        for answer in ("few", "nan", "none", "number", "text", "wide", "objects")
    },
    "spoils its input": Spoils,
    "half written": HalfWritten,
    "a transformer": Passes,
    "a regressor": TakesNumbers,
    "not fitted": Takes,
}


def raises(*args, **kwargs):
    """A scorer that fails."""
    raise Planted("scorer of the trial fails")


def gives(value):
    """A scorer of a fixed value."""

    def scorer(estimator, X, y=None, **kwargs):
        estimator.predict(X)
        return value

    return scorer


SCORERS = {
    "raises": lambda: raises,
    **{
        f"gives {value!r}": lambda value=value: gives(value)
        for value in (
            None,
            "text",
            "0.5",
            1j,
            {"a": 1.0},
            [0.5],
            np.array([0.5, 0.5]),
            np.array(0.5),
            float("nan"),
            float("inf"),
            True,
            10**400,
        )
    },
    "unknown name": lambda: "no such scorer",
    "several": lambda: ["accuracy", "f1"],
    "several by name": lambda: {"a": "accuracy"},
}
