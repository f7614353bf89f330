"""The families of classifiers whose sensitivity is compared by default."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, OneToOneFeatureMixin, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import LabelEncoder, OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import Table, as_table, check_table, draw_seed, spawn_seeds
from skcorrupt.utils._typing import RandomState

NUMBERS = ("integer", "real", "datetime", "timedelta")
NAMES = ("bool", "text")
# of a column with many more, the rare ones are one indicator
MOST_CATEGORIES = 20


def default_classifiers(random_state: RandomState = None) -> dict[str, Pipeline]:
    """Fourteen families of classifiers, ready for tables as they are.

    Each is a pipeline that imputes (mean, most frequent), scales numbers, makes categories and
    booleans indicators, at most 20 a column, and then fits the classifier. What a column holds is
    read from the data in `fit`, so that the same pipeline takes any table with numbers, text,
    booleans, times and missing values. Settings are scikit-learn's own, except where a family
    fails or does not converge with them: both discriminant analyses shrink covariances, naive
    Bayes and stochastic gradient descent are regularised more, and the neural network is small,
    regularised and stops as soon as its training loss does not fall.

    Parameters
    ----------
    random_state : None, int, RandomState or Generator, default=None
        Source of one seed for each classifier; None leaves them unset, so that
        `ErrorSensitivityProfiler` sets them anew in each repeat.

    Returns
    -------
    dict of str to Pipeline
        Unfitted pipelines with the steps "prepare" and "classify". XGBoost is the last one, if it
        is installed.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity
       Profile", table 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.sensitivity import default_classifiers
    >>> X = pd.DataFrame({"age": [31, 47, None, 25] * 9, "job": ["a", "b", "b", None] * 9})
    >>> model = default_classifiers(random_state=0)["logistic regression"]
    >>> model.fit(X, [0, 1, 1, 0] * 9).score(X, [0, 1, 1, 0] * 9)
    1.0
    """
    families: dict[str, Any] = {
        # the primal problem converges whatever the number of rows
        "linear SVM": LinearSVC(dual=False),
        "extra trees": ExtraTreesClassifier(),
        "random forest": RandomForestClassifier(),
        "k neighbours": KNeighborsClassifier(),
        "LDA": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        # stopped by its training loss: a tenth of few rows, held out, says too little
        "MLP": MLPClassifier(
            hidden_layer_sizes=(32,),
            alpha=1.0,
            learning_rate_init=0.01,
            max_iter=500,
            tol=1e-3,
            n_iter_no_change=5,
        ),
        "logistic regression": LogisticRegression(max_iter=1000),
        "naive Bayes": GaussianNB(var_smoothing=0.01),
        "decision tree": DecisionTreeClassifier(),
        # the shrinkage that "auto" finds may leave columns that depend on one another singular
        "QDA": QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
        "SGD": SGDClassifier(alpha=0.001, max_iter=5000),
        "ridge": RidgeClassifier(),
        "AdaBoost": AdaBoostClassifier(),
    }
    if find_spec("xgboost") is not None:
        families["XGBoost"] = _XGBoost()
    if random_state is not None:
        seeds = spawn_seeds(draw_seed(random_state), len(families))
        for family, seed in zip(families.values(), seeds, strict=True):
            if "random_state" in family.get_params():
                family.set_params(random_state=seed)
    return {
        name: Pipeline([("prepare", _preparation()), ("classify", family)])
        for name, family in families.items()
    }


def _preparation() -> ColumnTransformer:
    numbers = [
        ("read", _Numbers()),
        # a column without any value is constant, not absent, so that shapes stay the same
        ("impute", SimpleImputer(keep_empty_features=True)),
        ("scale", StandardScaler()),
    ]
    names = [
        ("read", _Names()),
        ("impute", SimpleImputer(strategy="most_frequent", keep_empty_features=True)),
        (
            "encode",
            OneHotEncoder(
                handle_unknown="ignore", max_categories=MOST_CATEGORIES, sparse_output=False
            ),
        ),
    ]
    return ColumnTransformer(
        [
            ("numbers", Pipeline(numbers), _Holding(NUMBERS)),
            ("names", Pipeline(names), _Holding(NAMES)),
        ],
        sparse_threshold=0.0,
    )


# Selectors and readers are objects, not functions, so that the repr of a pipeline is readable and
# the same in every process.
@dataclass(frozen=True)
class _Holding:
    """Positions of the columns of some kinds, in any container."""

    kinds: tuple[str, ...]

    def __call__(self, X: Any) -> list[int]:
        table = as_table(X)
        return [j for j in range(table.n_columns) if table.kind(j) in self.kinds]


class _Reader(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Columns one by one as an array, whatever the container and its dtypes."""

    _dtype: type = float

    def fit(self, X: Any, y: Any = None) -> Any:
        check_table(self, X, reset=True)
        return self

    def transform(self, X: Any) -> np.ndarray:
        table = check_table(self, X, reset=False)
        out: np.ndarray = np.empty((table.n_rows, table.n_columns), dtype=self._dtype)
        for j in range(table.n_columns):
            out[:, j] = self._column(table, j)
        return out

    def _column(self, table: Table, j: int) -> np.ndarray:
        raise NotImplementedError


class _Numbers(_Reader):
    """Numbers and times as floats, NaN for whatever is no number."""

    def _column(self, table: Table, j: int) -> np.ndarray:
        values = table.values(j)
        if values.dtype.kind in "mM":
            return np.where(pd.isna(values), np.nan, values.astype("int64").astype(float))
        if values.dtype.kind in "OUS":
            numbers = pd.to_numeric(pd.Series(values, dtype=object), errors="coerce")
            return np.asarray(numbers, dtype=float)
        return values.astype(float)


class _Names(_Reader):
    """Categories as text, so that those of clean and of corrupted columns can be compared."""

    _dtype = object

    def _column(self, table: Table, j: int) -> np.ndarray:
        codes, distinct = table.coded(j, np.arange(table.n_rows))
        names = np.array([*(_name(value) for value in distinct), np.nan], dtype=object)
        return names[codes]


def _name(value: Any) -> str:
    """A value as text: 1 and 1.0 are the same category, since gaps make integers floats."""
    is_whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return str(int(value)) if is_whole else str(value)


class _XGBoost(ClassifierMixin, BaseEstimator):
    """XGBoost that takes labels of any kind, where its own takes 0, 1, 2 and so on."""

    def __init__(self, n_estimators: int = 100, random_state: int | None = None):
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Any:
        xgboost = import_module("xgboost")
        self._labels = LabelEncoder().fit(y)
        self.classes_ = self._labels.classes_
        # workers share the processors already
        self.model_ = xgboost.XGBClassifier(
            n_estimators=self.n_estimators, random_state=self.random_state, n_jobs=1
        ).fit(X, self._labels.transform(y))
        return self

    def predict(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.classes_[self.model_.predict(X)]

    def predict_proba(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.model_.predict_proba(X)
