"""A small table and a pipeline's ablation, for tests of stage fairness."""

import numpy as np
import pandas as pd

from skcorrupt import StageFairnessAblator

NUMBERS = ["a", "b"]


def table(n=200, seed=0, missing=False):
    """Numbers, categories and labels, with gaps if asked."""
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    X = pd.DataFrame({"sex": sex, "a": rng.normal(size=n) + sex, "b": rng.normal(size=n)})
    X["d"] = rng.choice(["x", "y", "z"], n)
    y = (X["a"] + (X["d"] == "x") + rng.normal(size=n) > 0.7).astype(int)
    if missing:
        X.loc[rng.random(n) < 0.2, "a"] = np.nan
        X.loc[rng.random(n) < 0.2, "d"] = None
    return X, y


def ablate(pipeline, X=None, y=None, **params):
    """A fitted ablator with settings that most tests share."""
    if X is None:
        X, y = table()
    params = {
        "sensitive_features": "sex",
        "privileged": 1,
        "pos_label": 1,
        "cv": 2,
        "random_state": 0,
    } | params
    return StageFairnessAblator(pipeline, **params).fit(X, y)


def paths(ablator):
    """The stages that were found."""
    return list(dict.fromkeys(ablator.stage_effects_["stage"]))


def reference(ablator, path):
    """What stands in the place of a stage."""
    effects = ablator.stage_effects_.set_index("stage")
    return effects.loc[path, "reference"].iloc[0]
