"""The default search beside the enumeration of all patterns of one and two conditions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.search._common import ResumedResults, timed
from skcorrupt import AdversarialCorruptionSearch, cross_validate_corrupted
from skcorrupt.adversarial import SearchSpace

SEEDS = range(10)
ERRORS = ("missing", "labels", "selection")
BUDGETS = (0.1, 0.3)
N_BINS = 16
# the first column keeps its values, the others are cut into so few levels that pairs can be counted
LEVELS = (3, 2)
# fresh draws by which the two winners are compared, where one is random
N_DRAWS = 16
ALLOWED = 0.002
SETTING = ("data", "model", "error", "budget")
COLUMNS = {
    "data": "data",
    "model": "model",
    "error": "error",
    "budget": "budget",
    "clean": "clean",
    "enumerated": "enumerated",
    "candidates": "candidates",
    "found": "found, mean",
    "highest": "highest of ten",
    "scored": "scored, mean",
    "within": "within .002",
    "seconds": "seconds of a search",
}


def tables_of_eight() -> dict[str, tuple[pd.DataFrame, pd.Series]]:
    """Eight tables of three columns with two classes, the last two made for it."""
    cancer = load_breast_cancer(as_frame=True)
    diabetes = load_diabetes(as_frame=True, scaled=False)
    wine, iris = load_wine(as_frame=True), load_iris(as_frame=True)
    high = (diabetes.target > diabetes.target.median()).astype(int)
    found = {
        "breast cancer, means": (cancer.data.iloc[:, [0, 1, 4]], cancer.target),
        "breast cancer, errors": (cancer.data.iloc[:, [10, 14, 17]], cancer.target),
        "breast cancer, worst": (cancer.data.iloc[:, [21, 24, 28]], cancer.target),
        "diabetes, body": (diabetes.data[["bmi", "bp", "age"]], high),
        "diabetes, serum": (diabetes.data[["s5", "s3", "sex"]], high),
        "wine": (wine.data.iloc[:, [1, 2, 9]], (wine.target == 1).astype(int)),
        "iris": (iris.data.iloc[:, [1, 0, 2]], (iris.target == 2).astype(int)),
        "made": _made(),
    }
    return {name: (_coarse(X.reset_index(drop=True)), y) for name, (X, y) in found.items()}


def _made() -> tuple[pd.DataFrame, pd.Series]:
    """Numbers that work together: a step in one, where another one is high."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 3)), columns=["a", "b", "c"])
    signal = X["a"] + 1.5 * (X["b"] > 0) * (X["c"] > 0.5) - 0.5
    return X, (signal + rng.logistic(size=400) > 0).astype(int)


def _coarse(X: pd.DataFrame) -> pd.DataFrame:
    """The first column as it is, in the others the mean of a third, and of half, of the rows."""
    made = X.copy()
    for name, levels in zip(X.columns[1:], LEVELS, strict=True):
        parts = X[name].rank(pct=True, method="average").mul(levels).clip(upper=levels - 1e-9)
        made[name] = X[name].groupby(parts.astype(int)).transform("mean").round(3)
    return made


def models() -> dict[str, Any]:
    """The two models, each with what it needs for missing values."""
    return {
        "logistic regression": make_pipeline(
            SimpleImputer(), StandardScaler(), LogisticRegression()
        ),
        "boosting": HistGradientBoostingClassifier(
            max_iter=10, max_leaf_nodes=4, early_stopping=False, random_state=0
        ),
    }


def enumerated(results: ResumedResults, quick: bool) -> None:
    """Ten searches beside an enumeration, for every table, model, error and budget.

    Goes on where an earlier run was stopped; remove its rows to start it anew.
    """
    done = [tuple(row[name] for name in SETTING) for row in results.go_on("enumerated")]
    tables, estimators = tables_of_eight(), models()
    # the cheap models first
    settings = itertools.product(estimators, BUDGETS, ERRORS, tables)
    for model, budget, error, data in itertools.islice(settings, 1 if quick else None):
        if (data, model, error, budget) in done:
            continue
        row = {"data": data, "model": model, "error": error, "budget": budget}
        X, y = (each.to_numpy() for each in tables[data])
        compared = _compared(estimators[model], X, y, error, budget, quick)
        results.add("enumerated", row | compared)


def _compared(
    estimator: Any, X: np.ndarray, y: np.ndarray, error: str, budget: float, quick: bool
) -> dict[str, Any]:
    space = SearchSpace(n_bins=3 if quick else N_BINS, max_conditions=2)
    everything = _search(estimator, error, budget, 0, strategy="exhaustive", space=space).fit(X, y)
    found, scored, above, seconds = [], [], [], []
    for seed in SEEDS[:2] if quick else SEEDS:
        with timed() as clock:
            search = _search(estimator, error, budget, seed).fit(X, y)
        found.append(search.worst_score_)
        scored.append(search.n_evaluations_)
        seconds.append(clock.processor)
        # the same draws for both, where what they strike is drawn
        own, other = (
            cross_validate_corrupted(
                estimator, X, y, corruption, cv=search.splits_, scoring="roc_auc",
                n_repeats=N_DRAWS, random_state=seed,
            )["test_score"].mean()
            for corruption in (search.worst_corruption_, everything.worst_corruption_)
        )  # fmt: skip
        above.append(own - other)
    return {
        "clean": everything.baseline_score_,
        "enumerated": everything.worst_score_,
        "candidates": everything.n_evaluations_,
        "found": float(np.mean(found)),
        "highest": float(np.max(found)),
        "scored": float(np.mean(scored)),
        "within": f"{sum(each <= ALLOWED for each in above)} of {len(above)}",
        "seconds": float(np.mean(seconds)),
    }


def _search(
    estimator: Any, error: str, budget: float, seed: int, **params: Any
) -> AdversarialCorruptionSearch:
    return AdversarialCorruptionSearch(
        estimator,
        error,
        budget=budget,
        scoring="roc_auc",
        cv=StratifiedShuffleSplit(1, test_size=0.5, random_state=0),
        confirm_size=None,
        random_state=seed,
        **params,
    )
