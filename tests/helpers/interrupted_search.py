"""A search that is killed or interrupted on the way: a model, a search, and a script for tests."""

import json
import os
import signal
import sqlite3
import time
from contextlib import closing

import joblib
import numpy as np
import pandas as pd

from cheap_models import Centroids, share_right
from flat_search import flat_search

# seconds more that a fit takes, which are no parameter that a journal would know of
PAUSE = float(os.environ.get("PAUSE", 0))
SCORES = [
    "worst_score_", "baseline_score_", "score_drop_", "random_score_", "confirmed_score_",
    "confirmed_baseline_score_", "confirmed_interval_", "n_evaluations_", "worst_columns_",
    "interrupted_",
]  # fmt: skip


class Stops(Centroids):
    """Takes its time, and at one of the fits of this process ends it, or sends it Ctrl-C."""

    n_fits = 0
    last = None
    signal = signal.SIGKILL

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def fit(self, X, y, sample_weight=None):
        """Count, stop where it is time, and fit."""
        Stops.n_fits += 1
        if Stops.n_fits == Stops.last:
            os.kill(os.getpid(), Stops.signal)
        time.sleep(self.seconds + PAUSE)
        return super().fit(X, y, sample_weight)


def search_and_data(journal=None, seconds=0.0, **params):
    """A search over texts, numbers and missing values, of some hundred fits."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, 120).astype(float),
            "b": rng.normal(size=120),
            "c": rng.integers(0, 2, 120).astype(float),
        }
    )
    y = pd.Series(np.where(X["a"] / 3 + X["b"] + rng.normal(size=120) / 2 > 1, "yes", "no"))
    X.loc[::17, "b"] = np.nan
    settings = {"cv": 2, "n_calls": 2, "max_conditions": 1, "random_state": 0} | params
    search = flat_search(
        Stops(seconds), "missing", scoring=share_right, journal=journal, **settings
    )
    return search, X, y


def found(search):
    """All that a search found, times aside."""
    table = pd.DataFrame(search.cv_results_).drop(columns=["mean_fit_time", "mean_score_time"])
    table["corruption"] = table.corruption.astype(str)
    return table, {n: getattr(search, n) for n in SCORES}, repr(search.worst_corruption_)


def assert_same_found(first, second):
    """Compare what two searches found."""
    pd.testing.assert_frame_equal(first[0], second[0], check_exact=True)
    np.testing.assert_equal(first[1], second[1])
    assert first[2] == second[2]


def n_kept(journal, table="evaluations"):
    """Candidates that a journal keeps, 0 while there is none."""
    if not os.path.exists(journal):
        return 0
    with closing(sqlite3.connect(journal, timeout=60)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        if ("outcomes",) not in tables:
            return 0
        sql = "SELECT COUNT(*) FROM outcomes WHERE kind = ?"
        return connection.execute(sql, [table]).fetchone()[0]


def main(journal, seconds, n_jobs, seed="0"):
    """Run the search, and print what an interruption left, and a hash of what was found."""
    params = {"n_jobs": int(n_jobs), "random_state": json.loads(seed)}
    search, X, y = search_and_data(journal or None, float(seconds), **params)
    search.fit(X, y)
    n_candidates = len(search.cv_results_["pattern"])
    texts = [repr(part) for part in (found(search)[0].to_dict("list"), *found(search)[1:])]
    print(search.interrupted_, search.n_evaluations_, n_candidates, joblib.hash(texts))
