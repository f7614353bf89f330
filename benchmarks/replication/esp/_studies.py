"""The two data sets of the error sensitivity paper, their errors and models."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import SGDClassifier

from benchmarks._data import data_folder, require_file
from benchmarks._hashes import require_shape
from skcorrupt import CorruptDuplicates, CorruptLabels, CorruptNoise, CorruptOutliers
from skcorrupt.sensitivity import default_classifiers

LEVELS = (0, 0.2, 0.4, 0.6, 0.8)
FAMILIES = (
    "linear SVM",
    "LDA",
    "logistic regression",
    "naive Bayes",
    "decision tree",
    "QDA",
    "SGD",
    "ridge",
)
# as many that take longer, up to .2 s on average on these data
SLOWER = (*FAMILIES[:5], "k neighbours", "MLP", "AdaBoost")
UNSCALED = "SGD, not scaled"
SHOPPERS = (
    "Administrative",
    "Administrative_Duration",
    "Informational",
    "Informational_Duration",
    "ProductRelated",
    "ProductRelated_Duration",
    "BounceRates",
    "ExitRates",
    "PageValues",
    "SpecialDay",
    "Month",
    "OperatingSystems",
    "Browser",
    "Region",
    "TrafficType",
    "VisitorType",
    "Weekend",
    "Revenue",
)


def load_online_shoppers() -> tuple[pd.DataFrame, pd.Series]:
    """Online shoppers: which sessions end in a purchase.

    Returns
    -------
    X : DataFrame of shape (12330, 17)
        Numbers and three columns of text, one of them truth values: text can hold an outlier, a
        value never seen.
    y : Series of shape (12330,)
        1 for a purchase, 15.5 % of them.

    Raises
    ------
    DataNotFoundError
        If SKCORRUPT_DATA does not hold the file.
    """
    path = require_file(data_folder(), "online_shoppers/online_shoppers_intention.csv")
    frame = pd.read_csv(path, header=None, names=list(SHOPPERS))
    X = frame.drop(columns="Revenue")
    require_shape("Online shoppers", X, (12330, 17))
    return X.assign(Weekend=X["Weekend"].astype(str)), frame["Revenue"].astype(int)


def load_south_german_credit() -> tuple[pd.DataFrame, pd.Series]:
    """South German credit: who pays back.

    Returns
    -------
    X : DataFrame of shape (1000, 20)
        Whole numbers.
    y : Series of shape (1000,)
        1 for those who do, 70 % of them.

    Raises
    ------
    DataNotFoundError
        If SKCORRUPT_DATA does not hold the file.
    """
    path = require_file(data_folder(), "south_german_credit/SouthGermanCredit.asc")
    frame = pd.read_csv(path, sep=" ")
    require_shape("South German credit", frame, (1000, 21))
    return frame.drop(columns="credit_risk"), frame["credit_risk"]


def paper_errors(X: pd.DataFrame, majority: int, pearson: float) -> dict[str, Any]:
    """The scenarios of the paper: 41 for Online Shoppers, 45 for South German Credit.

    Noise and outliers on every column and on every pair that Pearson's correlation puts together,
    wrong labels, duplicates, and duplicates of the majority class alone.

    Parameters
    ----------
    X : DataFrame of shape (n_samples, n_features)
        The data.
    majority : int
        Label of the majority class.
    pearson : float
        Correlation above which a pair goes together.

    Returns
    -------
    dict of str to BaseCorruption
        Errors by name.
    """
    groups = [[name] for name in X] + [list(pair) for pair in correlated_pairs(X, pearson)]
    found: dict[str, Any] = {}
    for group in groups:
        found[f"noise in {' + '.join(group)}"] = CorruptNoise(group)
        found[f"outliers in {' + '.join(group)}"] = CorruptOutliers(group)
    return found | {
        "labels": CorruptLabels(),
        "duplicates": CorruptDuplicates(),
        f"duplicates of class {majority}": CorruptDuplicates(pattern={"y": majority}),
    }


def correlated_pairs(X: pd.DataFrame, pearson: float) -> list[tuple[str, str]]:
    """Pairs of numeric columns with a correlation above the threshold."""
    size = X.select_dtypes("number").corr().abs()
    names = list(size)
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if size.loc[a, b] > pearson]


def models(folder: Path | None = None) -> dict[str, Any]:
    """Eight families, and stochastic gradient descent on numbers as they are.

    Parameters
    ----------
    folder : Path or None, default=None
        Where the seconds of every fit and prediction are written.

    Returns
    -------
    dict of str to estimator
        Unfitted, their seeds unset.
    """
    families = default_classifiers()
    found: dict[str, Any] = {name: families[name] for name in FAMILIES}
    found[UNSCALED] = clone(found["SGD"]).set_params(
        prepare__numbers__scale="passthrough", classify=SGDClassifier()
    )
    return found if folder is None else timed(found, folder)


def timed(estimators: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same estimators, with their seconds written down.

    Parameters
    ----------
    estimators : dict of str to estimator
        Models.
    folder : Path
        Where to.

    Returns
    -------
    dict of str to Timed
        Models by the same names.
    """
    return {name: Timed(model, str(folder)) for name, model in estimators.items()}


class Timed(ClassifierMixin, BaseEstimator):
    """Writes down how long its estimator fits and predicts, in whatever process.

    Parameters
    ----------
    estimator : estimator
        The model.
    folder : str
        Holds a file a process, with a line a fit.
    """

    def __init__(self, estimator, folder):
        self.estimator = estimator
        self.folder = folder

    def fit(self, X, y):
        """Fit, and remember how long it took."""
        started = time.perf_counter()
        # the profiler has made a copy already, and a second one would count as its own time
        self.model_ = self.estimator.fit(X, y)
        self.seconds_ = time.perf_counter() - started
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        """Predict, and write down how long both took."""
        started = time.perf_counter()
        labels = self.model_.predict(X)
        seconds = self.seconds_ + time.perf_counter() - started
        with (Path(self.folder) / str(os.getpid())).open("a", encoding="utf-8") as file:
            file.write(f"{seconds}\n")
        return labels


def seconds_in(folder: Path) -> np.ndarray:
    """Seconds of all fits that were written down."""
    lines = [line for path in folder.iterdir() for line in path.read_text("utf-8").split()]
    return np.array(lines, dtype=float)
