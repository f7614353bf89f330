"""A study that is killed on the way, for tests of the journal: arguments, then what came of it."""

import os

import numpy as np
import pandas as pd
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import CorruptLabels, CorruptNoise
from skcorrupt.sensitivity import ErrorSensitivityProfiler


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


def main(path, last):
    """Run the study until a fit."""
    Dies.last = last
    profiler, X, y = study(path)
    profiler.fit(X, y)
