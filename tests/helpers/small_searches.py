"""Small data and cheap searches shared by the tests of the adversarial search."""

import numpy as np
import pandas as pd
from sklearn.base import is_regressor

from cheap_models import Centroids, share_right
from flat_search import flat_search
from skcorrupt import Pattern

# train and test rows of the table that `small_data` makes
ONE_SPLIT = [(np.arange(0, 80), np.arange(80, 120))]


def small_data(n=120, seed=0):
    """A table of three numeric columns and a binary label that depends on the first two."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, n).astype(float),
            "b": rng.normal(size=n),
            "c": rng.integers(0, 2, n).astype(float),
        }
    )
    y = pd.Series((X.a / 3 + X.b + rng.normal(size=n) / 2 > 1).astype(int), name="label")
    return X, y


def quick(corruption="missing", estimator=None, **params):
    """A search of one split, without confirmation, of few candidates."""
    model = Centroids() if estimator is None else estimator
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "n_calls": 4, "random_state": 0}
    settings |= {} if "space" in params else {"max_conditions": 2}
    if not is_regressor(model):
        settings["scoring"] = share_right
    return flat_search(model, corruption, **{**settings, **params})


def results(search):
    """The candidates of a fitted search, patterns parsed."""
    table = pd.DataFrame(search.cv_results_)
    table["pattern"] = [Pattern.parse(text) for text in table.pattern]
    return table


def feature_columns(pattern):
    """Columns that a pattern uses, as a set."""
    return set(pattern.columns)
