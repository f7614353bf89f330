"""Long runs of the search: killed, on a cluster, and tables 7 and 8 of the paper."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
import pandas as pd
from joblib import parallel_config

from skcorrupt import AdversarialCorruptionSearch

from . import search_conformal, search_kill
from ._data import load_adult
from ._results import Results
from ._search_common import on_test_set, timed
from .adult import estimator_for

N_KILLS = 20
TIMES = ["mean_fit_time", "mean_score_time"]


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
        confirm=False,
        n_calls=4 if quick else 16,
        max_conditions=2,
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
