"""The default search beside the enumeration of all patterns of one and two conditions.

What is sure to come out the same is fitted once a setting: errors that strike all rows of their
pattern are the same for every seed, and so are all first draws of two searches of one seed.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable
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
from skcorrupt.adversarial.candidates import Evaluation
from skcorrupt.adversarial.candidates._search_settings import EVALUATIONS
from skcorrupt.adversarial.proxies import Screened
from skcorrupt.evaluation import Outcome

SEEDS = range(10)
ERRORS = ("missing", "labels", "selection")
BUDGETS = (0.1, 0.3)
N_BINS = 16
# the first column keeps its values, the others are cut into so few levels that pairs can be counted
LEVELS = (3, 2)
# draws by which the two winners are compared, where one is random, and the first seed of these,
# which no search has used
N_DRAWS, FRESH = 64, 1_000
# rows and columns of a table at most, for a model that is costly to fit
LARGEST = {"boosting": (200, 2)}
ALLOWED = 0.002
CV = StratifiedShuffleSplit(1, test_size=0.5, random_state=0)
SETTING = ("data", "model", "error", "budget")
COLUMNS = {
    "data": "data",
    "model": "model",
    "error": "error",
    "budget": "budget",
    "rows": "rows",
    "clean": "clean",
    "enumerated": "enumerated",
    "candidates": "candidates",
    "found": "found, mean",
    "highest": "highest of ten",
    "scored": "scored, mean",
    "above": "most above",
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
    # the cheap models first, and errors of which most strike all rows of their pattern
    settings = itertools.product(estimators, sorted(BUDGETS, reverse=True), ERRORS, tables)
    for model, budget, error, data in itertools.islice(settings, 1 if quick else None):
        if (data, model, error, budget) in done:
            continue
        row = {"data": data, "model": model, "error": error, "budget": budget}
        X, y = _cut(*tables[data], *LARGEST.get(model, (None, None)))
        compared = _compared(estimators[model], X, y, error, budget, quick)
        results.add("enumerated", row | compared)


def _cut(
    X: pd.DataFrame, y: pd.Series, most_rows: int | None, n_columns: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """The first columns, and every so many-th row, so that there are no more than that."""
    step = 1 if most_rows is None else -(-len(X) // most_rows)
    return X.iloc[::step, :n_columns].to_numpy(), y.iloc[::step].to_numpy()


def _compared(
    estimator: Any, X: np.ndarray, y: np.ndarray, error: str, budget: float, quick: bool
) -> dict[str, Any]:
    space = SearchSpace(n_bins=3 if quick else N_BINS, max_conditions=2)
    seeds = SEEDS[:2] if quick else SEEDS
    searches = {seed: _search(estimator, error, budget, seed) for seed in seeds}
    clean = searches[seeds[0]].lay_out(X, y).baseline
    known: dict[bytes, list[Outcome]] = {}
    # the first is told nothing, so that its time is that of a search
    with timed() as clock:
        first = _scored(searches[seeds[0]], X, y, known)
    known |= _first_draws(first)
    everything = _scored(
        _search(estimator, error, budget, seeds[0], strategy="exhaustive", space=space), X, y, known
    )
    known |= _first_draws(everything)
    known = _same_for_all_seeds([*first, *everything])
    runs = [first]
    for seed in seeds[1:]:
        runs.append(_scored(searches[seed], X, y, known))
        known |= _same_for_all_seeds(runs[-1])
    above = [
        _above(estimator, X, y, run[0], everything[0], FRESH + seed)
        for seed, run in zip(seeds, runs, strict=True)
    ]
    found = [run[0].score for run in runs]
    return {
        "rows": len(X),
        "clean": clean,
        "enumerated": everything[0].score,
        "candidates": len(everything),
        "found": float(np.mean(found)),
        "highest": float(np.max(found)),
        "scored": float(np.mean([len(run) for run in runs])),
        "above": float(np.max(above)),
        "within": f"{sum(each <= ALLOWED for each in above)} of {len(above)}",
        "seconds": clock.processor,
    }


def _scored(
    search: AdversarialCorruptionSearch, X: np.ndarray, y: np.ndarray, known: dict[bytes, Any]
) -> list[Evaluation]:
    """All that a search scores, the worst first, without fits of what is known already."""
    problem = search.lay_out(X, y)
    problem.evaluator.kept = {EVALUATIONS: known}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        problem.search.run(Screened())
    return problem.evaluator.ranked()


def _first_draws(run: Iterable[Evaluation]) -> dict[bytes, list[Outcome]]:
    return {each.candidate.key: each.outcomes[: each.n_splits] for each in run}


def _same_for_all_seeds(run: Iterable[Evaluation]) -> dict[bytes, list[Outcome]]:
    """What strikes all rows of its pattern: none of these errors draws anything else."""
    return _first_draws(each for each in run if each.candidate.rate == 1)


def _above(
    estimator: Any, X: np.ndarray, y: np.ndarray, own: Evaluation, other: Evaluation, seed: int
) -> float:
    """How much higher one error scores than another, over the same draws of both."""
    if own.candidate.key == other.candidate.key:
        return 0.0
    scores = [
        cross_validate_corrupted(
            estimator,
            X,
            y,
            each.candidate.corruption,
            cv=CV,
            scoring="roc_auc",
            n_repeats=1 if each.candidate.rate == 1 else N_DRAWS,
            random_state=seed,
        )["test_score"].mean()
        for each in (own, other)
    ]
    return scores[0] - scores[1]


def _search(
    estimator: Any, error: str, budget: float, seed: int, **params: Any
) -> AdversarialCorruptionSearch:
    return AdversarialCorruptionSearch(
        estimator,
        error,
        budget=budget,
        scoring="roc_auc",
        cv=CV,
        confirm_size=None,
        random_state=seed,
        **params,
    )
