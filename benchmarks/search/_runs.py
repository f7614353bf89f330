"""Long runs of the search: killed, on a cluster, and tables 7 and 8 of the paper."""

from __future__ import annotations

import importlib.util
import itertools
import warnings
from typing import Any

import numpy as np
import pandas as pd
from joblib import parallel_config
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, QuantileTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks._data import load_adult
from benchmarks._results import Results
from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search import conformal as search_conformal, kill as search_kill
from benchmarks.search._common import on_test_set, subsample, timed
from benchmarks.search._data import NUMBERS, load_adult_table
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.evaluation import Split

N_KILLS = 20
TIMES = ["mean_fit_time", "mean_score_time"]


# models, and rows of tables on which a fit of theirs takes some milliseconds; columns of these
OVERHEAD_MODELS = {
    "decision tree": (DecisionTreeClassifier(max_depth=6, random_state=0), 2_000),
    "logistic regression": (LogisticRegression(), 16_000),
}
OVERHEAD_COLUMNS, OVERHEAD_ALLOWED = 8, 0.15


def overhead(results: Results, quick: bool) -> None:
    """The share of the default search that went into neither fits nor scores, of quick fits."""
    results.begin("overhead")
    errors = ("missing",) if quick else ("missing", "labels", "selection")
    some = [*OVERHEAD_MODELS][:1] if quick else [*OVERHEAD_MODELS]
    for name, error, n_splits in itertools.product(some, errors, (3,) if quick else (3, 1)):
        last, n_rows = OVERHEAD_MODELS[name]
        X, y = _made_table(n_rows, OVERHEAD_COLUMNS)
        model = make_pipeline(SimpleImputer(), StandardScaler(), last)
        cv = ShuffleSplit(1, test_size=1 / 3, random_state=0) if n_splits == 1 else n_splits
        search = AdversarialCorruptionSearch(
            model, error, budget=0.2, scoring="roc_auc", cv=cv, confirm_size=None, random_state=0
        ).fit(X, y)
        results.add(
            "overhead",
            {
                "model": name,
                "error": error,
                "splits": n_splits,
                "candidates": search.n_evaluations_,
                "fit_milliseconds": 1_000 * float(search.cv_results_["mean_fit_time"].mean()),
                "overhead": search.overhead_,
                "allowed": OVERHEAD_ALLOWED,
                "met": search.overhead_ <= OVERHEAD_ALLOWED,
            },
        )


def _made_table(n_rows: int, n_columns: int) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n_rows, n_columns)).round(3)).add_prefix("x")
    X[f"x{n_columns - 1}"] = rng.integers(0, 6, n_rows)
    signal = X["x0"] + X["x1"] * X["x2"] + rng.logistic(size=n_rows)
    return X, (signal > 0).astype(int)


def kill(results: Results, quick: bool) -> None:
    """SIGKILL at random moments, then the whole result."""
    results.begin("kill")
    results.add("kill", search_kill.main(2 if quick else N_KILLS))


def conformal(results: Results, quick: bool) -> None:
    """Coverage under the worst missing values."""
    results.begin("conformal")
    for row in search_conformal.rows(quick):
        results.add("conformal", row)


def dask(results: Results, quick: bool) -> None:
    """The same search by two processes of this machine and by those of a dask cluster."""
    results.begin("dask")
    if importlib.util.find_spec("distributed") is None:
        print("dask: dask[distributed] is not installed", flush=True)
        return
    from distributed import Client, LocalCluster

    here, local_seconds = _search_on_adult(quick, n_jobs=2)
    alone, alone_seconds = _search_on_adult(quick, n_jobs=1)
    with (
        warnings.catch_warnings(),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster),
        parallel_config("dask"),
    ):
        warnings.simplefilter("ignore")
        there, dask_seconds = _search_on_adult(quick, n_jobs=2)
    results.add(
        "dask",
        {
            "workers": 2,
            "candidates": there.n_evaluations_,
            "found": there.worst_score_,
            "alone_seconds": alone_seconds,
            "processes_seconds": local_seconds,
            "dask_seconds": dask_seconds,
            "same": _same(here, there) and _same(alone, there),
        },
    )


def _search_on_adult(quick: bool, n_jobs: int) -> tuple[Any, float]:
    X, y, cv = on_test_set(load_adult())
    search = AdversarialCorruptionSearch(
        estimator_for("mean"),
        "missing",
        budget=0.3,
        scoring="roc_auc",
        cv=cv,
        confirm_size=None,
        strategy=BeamSearch(n_calls=4 if quick else 16),
        space=SearchSpace(max_conditions=2),
        n_jobs=n_jobs,
        random_state=0,
    )
    with timed() as clock:
        search.fit(X, y)
    return search, clock.wall


def _same(first: Any, second: Any) -> bool:
    """Whether two searches found the same, times aside."""
    tables = [
        pd.DataFrame(search.cv_results_).drop(columns=TIMES).astype(str)
        for search in (first, second)
    ]
    scores = [(s.worst_score_, s.random_score_) for s in (first, second)]
    same_scores = bool(np.array_equal(*scores))
    return tables[0].equals(tables[1]) and same_scores


def reuse(results: Results, quick: bool) -> None:
    """Preprocessing fitted once a split, beside the same search without."""
    results.begin("reuse")
    data = subsample(load_adult_table(), 2_000 if quick else 20_000, 10_000)
    X, y, cv = on_test_set(data)
    usual = Split.reuse
    for error, apart in (("missing", False), ("missing", True), ("labels", False)):
        found = {}
        for reused in (True, False):
            Split.reuse = usual if reused else _nothing
            search = AdversarialCorruptionSearch(
                _preprocessed(list(X.columns), apart),
                error,
                scoring="roc_auc",
                cv=cv,
                confirm_size=None,
                strategy=BeamSearch(n_calls=4),
                space=SearchSpace(max_conditions=1),
                random_state=0,
            )
            try:
                with timed() as clock:
                    search.fit(X, y)
            finally:
                Split.reuse = usual
            found[reused] = search, clock.processor
        (with_reuse, seconds), (plain, without) = found[True], found[False]
        results.add(
            "reuse",
            {
                "error": error,
                "parts": len(with_reuse.estimator[0].transformers),
                "candidates": with_reuse.n_evaluations_,
                "seconds": seconds,
                "without": without,
                "ratio": without / seconds,
                "same": with_reuse.worst_score_ == plain.worst_score_,
            },
        )


def _nothing(*_: Any) -> None:
    return None


def _preprocessed(columns: list[str], apart: bool) -> Any:
    """Quantiles of numbers and indicators of categories, together or column by column."""
    numbers = [name for name in columns if name in NUMBERS]
    letters = [name for name in columns if name not in NUMBERS]
    kinds = (
        (numbers, SimpleImputer(), QuantileTransformer(subsample=None)),
        (letters, SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
    )
    parts = [
        (f"{type(step).__name__} {names[0]}", make_pipeline(imputer, step), names)
        for all_names, imputer, step in kinds
        for names in ([[name] for name in all_names] if apart else [all_names])
    ]
    return make_pipeline(ColumnTransformer(parts), LogisticRegression(solver="newton-cholesky"))
