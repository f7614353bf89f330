"""A search that is killed or interrupted on the way: a model, a search, and a script for tests."""

import os
import signal
import sqlite3
import sys
import time
from contextlib import closing

import numpy as np
import pandas as pd

from cheap_models import Centroids, share_right
from skcorrupt import AdversarialCorruptionSearch


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
        time.sleep(self.seconds)
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
    settings = {"cv": 2, "n_calls": 4, "max_conditions": 2, "random_state": 0} | params
    search = AdversarialCorruptionSearch(
        Stops(seconds), "missing", scoring=share_right, journal=journal, **settings
    )
    return search, X, y


def n_kept(journal):
    """Candidates that a journal keeps, 0 while there is none."""
    if not os.path.exists(journal):
        return 0
    with closing(sqlite3.connect(journal, timeout=60)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        if ("evaluations",) not in tables:
            return 0
        return connection.execute("SELECT COUNT(*) FROM evaluations").fetchone()[0]


def main(journal, seconds, n_jobs):
    """Run the search, and print what an interruption left."""
    search, X, y = search_and_data(journal or None, float(seconds), n_jobs=int(n_jobs))
    search.fit(X, y)
    print(search.interrupted_, search.n_evaluations_, len(search.cv_results_["pattern"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
