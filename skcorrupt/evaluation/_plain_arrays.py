"""Tables of numbers as arrays, for pipelines that read the same in both.

scikit-learn's own steps turn a data frame into an array one after the other, which takes longer
than what cheap steps do with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.pipeline import Pipeline

from skcorrupt.metrics import asks_once
from skcorrupt.utils._compat import is_own_score

from ._split import Split

# scikit-learn's own that begin by making an array of what they get, and look at nothing else of it
TRANSFORMERS = (
    "Binarizer FastICA IterativeImputer KBinsDiscretizer KNNImputer MaxAbsScaler MinMaxScaler "
    "MissingIndicator Normalizer Nystroem PCA PolynomialFeatures PowerTransformer "
    "QuantileTransformer RBFSampler RobustScaler SimpleImputer SplineTransformer StandardScaler "
    "TruncatedSVD VarianceThreshold"
)
CLASSIFIERS = (
    "BernoulliNB DecisionTreeClassifier DummyClassifier ExtraTreeClassifier ExtraTreesClassifier "
    "GaussianNB GaussianProcessClassifier GradientBoostingClassifier "
    "HistGradientBoostingClassifier KNeighborsClassifier LinearDiscriminantAnalysis LinearSVC "
    "LogisticRegression MLPClassifier NuSVC Perceptron QuadraticDiscriminantAnalysis "
    "RandomForestClassifier RidgeClassifier SGDClassifier SVC"
)
REGRESSORS = (
    "BayesianRidge DecisionTreeRegressor DummyRegressor ElasticNet ExtraTreeRegressor "
    "ExtraTreesRegressor GammaRegressor GaussianProcessRegressor GradientBoostingRegressor "
    "HistGradientBoostingRegressor HuberRegressor KNeighborsRegressor KernelRidge Lasso "
    "LinearRegression LinearSVR MLPRegressor NuSVR PoissonRegressor QuantileRegressor "
    "RandomForestRegressor Ridge SGDRegressor SVR TweedieRegressor"
)
TAKE_ARRAYS = frozenset(f"{TRANSFORMERS} {CLASSIFIERS} {REGRESSORS}".split())
# their parameters that may hold estimators, or say something of columns by name
MAY_READ_MORE = ("categorical_features", "estimator", "init", "interaction_cst", "monotonic_cst")


def with_arrays(split: Split, model: Any, scorer: Callable[..., Any] | None) -> Split:
    """A split whose features are arrays, where no score can tell.

    Parameters
    ----------
    split : Split
        The data.
    model : unfitted estimator
        What is fitted and scored on it.
    scorer : callable or None
        Asks the model about the rows of the split, if it is one of scikit-learn's. None leaves that
        to whoever has the fitted model, with frames.

    Returns
    -------
    Split
        The one given where somebody may look at names or types of columns.
    """
    if scorer is None or not (asks_once(scorer) or is_own_score(scorer)):
        return split
    passed = [*split.fit_params.values(), *split.score_params.values()]
    if any(hasattr(value, "columns") for value in passed):
        return split
    if get_config()["transform_output"] != "default" or not takes_arrays(model):
        return split
    X_train, X_test = split.plain.of(split.X_train), split.plain.of(split.X_test)
    # of an empty column a warning tells the name
    if X_train is None or X_test is None or _has_empty_column(X_train):
        return split
    return replace(split, X_train=X_train, X_test=X_test)


def takes_arrays(model: Any) -> bool:
    """Whether an estimator does the same with an array as with a data frame of its numbers.

    Parameters
    ----------
    model : estimator
        The pipeline.

    Returns
    -------
    bool
        True of some of scikit-learn's own, and of pipelines of them.
    """
    state = vars(model) if hasattr(model, "__dict__") else {}
    if "_sklearn_output_config" in state or "_skl_callbacks" in state:
        return False
    if type(model) is Pipeline:
        steps = [step for _, step in model.steps]
        return all(step in (None, "passthrough") or takes_arrays(step) for step in steps)
    if type(model).__name__ not in TAKE_ARRAYS or not type(model).__module__.startswith("sklearn."):
        return False
    if any(callable(value) for value in state.values()):
        # such as a kernel, which gets the table as it is
        return False
    missing = state.get("missing_values", np.nan)
    if not (isinstance(missing, float) and np.isnan(missing)):
        # which columns hold nothing else is not looked at
        return False
    given = [state.get(name) for name in MAY_READ_MORE]
    return all(value is None or isinstance(value, str) or takes_arrays(value) for value in given)


def _has_empty_column(X: np.ndarray) -> bool:
    """Whether a column holds nothing but missing numbers."""
    # most are told by their first row
    first = np.isnan(X[:1]).all(axis=0)
    return bool(first.any() and np.isnan(X[:, first]).all(axis=0).any())
