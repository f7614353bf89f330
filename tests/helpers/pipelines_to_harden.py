"""Pipelines of many shapes, data for them, and how remedies are tried on them."""

import warnings

import numpy as np
import pandas as pd
from imblearn.pipeline import make_pipeline as make_sampler_pipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import (
    TransformedTargetRegressor,
    make_column_selector,
    make_column_transformer,
)
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcorrupt.robustness import SubmodelClassifier, SubmodelRegressor

N = 90


def numbers():
    """Three columns of numbers."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(N, 3)), columns=list("abc"))


def mixed():
    """Numbers and categories, with a few gaps."""
    rng = np.random.default_rng(1)
    X = numbers().assign(
        city=rng.choice(["Oslo", "Rome", "Bonn"], N), size=rng.choice(["S", "M"], N)
    )
    X.loc[::17, "a"] = np.nan
    X.loc[::19, "city"] = None
    return X


def words():
    """Texts."""
    rng = np.random.default_rng(2)
    return pd.Series([" ".join(rng.choice(["good", "bad", "plain", "tea"], 3)) for _ in range(N)])


def prepared(model, *, num=None, cat=None):
    """Branches for numbers and categories."""
    num = make_pipeline(SimpleImputer(), StandardScaler()) if num is None else num
    cat = (
        make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder())
        if cat is None
        else cat
    )
    return make_pipeline(
        make_column_transformer((num, ["a", "b", "c"]), (cat, ["city", "size"])), model
    )


CLASSES = np.where(np.arange(N) % 3 > 0, "yes", "no")
NUMERIC = {
    "bare": make_pipeline(LogisticRegression()),
    "scaled": make_pipeline(StandardScaler(), LogisticRegression()),
    "imputed": make_pipeline(SimpleImputer(), MinMaxScaler(), LinearSVC()),
    "knn": make_pipeline(KNNImputer(), PCA(2), KNeighborsClassifier()),
    "forest": make_pipeline(SimpleImputer(), RandomForestClassifier(5)),
    "native": make_pipeline(StandardScaler(), HistGradientBoostingClassifier(max_iter=3)),
    "bayes": make_pipeline(GaussianNB()),
    "boosted": make_pipeline(GradientBoostingClassifier(n_estimators=3)),
    "union": make_pipeline(make_union(StandardScaler(), SimpleImputer()), RidgeClassifier()),
    "nested": make_pipeline(make_pipeline(SimpleImputer(), StandardScaler()), SVC()),
    "ends nested": make_pipeline(SimpleImputer(), make_pipeline(MaxAbsScaler(), SGDClassifier())),
    "calibrated": make_pipeline(StandardScaler(), CalibratedClassifierCV(LinearSVC(), cv=2)),
    "passthrough": Pipeline([("first", "passthrough"), ("model", DecisionTreeClassifier())]),
    "network": make_pipeline(StandardScaler(), MLPClassifier((3,), max_iter=5)),
    "sampler": make_sampler_pipeline(
        StandardScaler(), RandomUnderSampler(random_state=0), LogisticRegression()
    ),
}
MIXED = {
    "branches": prepared(LogisticRegression()),
    "branches, native": prepared(
        HistGradientBoostingClassifier(max_iter=3),
        cat=OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    ),
    "ordinal": prepared(DecisionTreeClassifier(), cat=OrdinalEncoder()),
    "target": prepared(LogisticRegression(), cat=TargetEncoder(cv=2)),
    "selectors": make_pipeline(
        make_column_transformer(
            (SimpleImputer(), make_column_selector(dtype_include="number")),
            (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        ),
        RandomForestClassifier(5),
    ),
    "union of branches": make_pipeline(
        make_column_transformer(
            (make_pipeline(SimpleImputer(), StandardScaler(), PCA(2)), ["a", "b"]),
            ("drop", ["c"]),
            (OneHotEncoder(handle_unknown="ignore"), ["city"]),
        ),
        KNeighborsClassifier(),
    ),
}
REGRESSORS = {
    "linear": make_pipeline(SimpleImputer(), LinearRegression()),
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "descent": make_pipeline(SimpleImputer(), StandardScaler(), SGDRegressor()),
    "forest": make_pipeline(SimpleImputer(), RandomForestRegressor(3)),
    "boosting": make_pipeline(GradientBoostingRegressor(n_estimators=3)),
    "histograms": make_pipeline(HistGradientBoostingRegressor(max_iter=3)),
    "transformed": make_pipeline(
        SimpleImputer(), TransformedTargetRegressor(make_pipeline(StandardScaler(), Ridge()))
    ),
}
TEXTS = {
    "words": make_pipeline(TfidfVectorizer(), LogisticRegression()),
    "counts": make_pipeline(TfidfVectorizer(), MultinomialNB()),
}


def settings(grid):
    """All that a grid search would set of a remedy, one value of each list at a time."""
    for path, values in grid.items():
        for value in _apart(path, values):
            yield {**{p: v[0] for p, v in grid.items()}, path: value}


def _apart(path, values):
    """Values of which each is tried: of submodels, many fits each, only the last one."""
    last = values[-1][-1][-1] if path == "steps" else None
    return values[-1:] if isinstance(last, (SubmodelClassifier, SubmodelRegressor)) else values


def learns(pipeline, remedy, X, y):
    """Set a remedy, learn and predict."""
    tried = clone(pipeline).set_params(**{p: clone(v, safe=False) for p, v in remedy.items()})
    with warnings.catch_warnings():
        # few rows and fewer rounds
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "Stochastic Optimizer")
        warnings.filterwarnings("ignore", "n_quantiles")
        tried.fit(X, y)
        assert len(tried.predict(X)) == len(X)
    return tried
