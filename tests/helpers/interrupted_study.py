"""A study that is killed on the way, for tests of the journal: arguments, then what came of it."""

import os
import sqlite3
import time
from contextlib import closing

import joblib
import numpy as np
import pandas as pd
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import CorruptLabels, CorruptNoise
from skcorrupt.sensitivity import ErrorSensitivityProfiler

# seconds more that a fit takes
PAUSE = float(os.environ.get("PAUSE", 0))


class Dies(SGDClassifier):
    """Ends the process, or interrupts it, at one of its fits."""

    n_fits = 0
    last = None
    interrupts = False

    def fit(self, X, y):
        """Count, end where it is time, and fit."""
        Dies.n_fits += 1
        if Dies.n_fits == Dies.last:
            if Dies.interrupts:
                raise KeyboardInterrupt
            os._exit(9)
        time.sleep(PAUSE)
        return super().fit(X, y)


def share_right(model, X, y):
    """Accuracy, a function that a journal can tell from others."""
    return float(np.mean(model.predict(X) == y))


def study(journal, seed=3, shift=0.0):
    """The profiler and its data, with texts and missing values in them."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 2)) + shift, columns=["a", "b"])
    y = pd.Series(np.where(X["a"] + rng.normal(size=60) > shift, "yes", "no"))
    model = make_pipeline(StandardScaler(), Dies(max_iter=5, tol=None))
    made = ErrorSensitivityProfiler(
        {"dies": model},
        corruptions=[CorruptNoise(), CorruptLabels()],
        levels=(0, 0.3, 0.6),
        n_repeats=3,
        scoring=share_right,
        journal=journal,
        random_state=seed,
    )
    return made, X, y


def n_kept(path):
    """Fits that a journal keeps, 0 while there is none."""
    if not os.path.exists(path):
        return 0
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        if not connection.execute("SELECT name FROM sqlite_master").fetchall():
            return 0
        sql = "SELECT COUNT(*) FROM outcomes WHERE kind = 'fits'"
        return connection.execute(sql).fetchone()[0]


def main(path, last=None, n_jobs=1):
    """Run the study until a fit, or whole, and print a hash of what was found."""
    Dies.last = last
    profiler, X, y = study(path)
    profiler.set_params(n_jobs=n_jobs).fit(X, y)
    print(joblib.hash(repr(profiler.curves_.to_dict("list"))))
