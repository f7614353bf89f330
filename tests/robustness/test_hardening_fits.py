"""Every remedy that is suggested can be set, and the pipeline then learns, clean and struck."""

import numpy as np
import pytest
import sklearn
from packaging.version import Version
from sklearn.base import clone
from sklearn.impute import KNNImputer, SimpleImputer

from pipelines_to_harden import (
    CLASSES,
    MIXED,
    NUMERIC,
    REGRESSORS,
    N,
    learns,
    mixed,
    numbers,
    settings,
)
from skcorrupt import (
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    CorruptSentinel,
)
from skcorrupt.corruptions import corruption_from
from skcorrupt.robustness import (
    suggest_hardening,
)


def all_remedies(pipeline, X, y, kinds):
    """Every remedy, learned clean and under each error that it is for."""
    clean, before = set(), repr(pipeline)
    for kind in kinds:
        template = corruption_from(kind)
        kept = clone(template).set_params(rate=0.1, random_state=0)
        struck = kept.fit(X, y).corrupt(X, y)
        for grid in suggest_hardening(pipeline, template):
            for remedy in settings(grid):
                if repr(remedy) not in clean:
                    learns(pipeline, remedy, X, y)
                    clean.add(repr(remedy))
                learns(pipeline, remedy, struck.X, struck.y)
    assert clean
    assert repr(pipeline) == before


FEW = ["scale", "labels", "selection"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMERIC)
def test_pipelines_of_numbers(name):
    if name == "network" and Version(sklearn.__version__) < Version("1.9"):
        pytest.skip("scikit-learn before 1.9 cannot end a network's training early on text labels")
    kinds = FEW
    if NUMERIC[name][0].__class__ in (SimpleImputer, KNNImputer) or name == "native":
        kinds = [*FEW, "missing", CorruptSentinel("b"), CorruptMissing(["c"])]
    all_remedies(NUMERIC[name], numbers(), CLASSES, kinds)


@pytest.mark.slow
@pytest.mark.parametrize("name", MIXED)
def test_pipelines_with_branches(name):
    kinds = ["missing", "labels", CorruptScale("b"), CorruptNoise(["a", "city"])]
    if "error" not in repr(MIXED[name].get_params()):
        # the pipeline itself is to take the error
        kinds += ["categories", CorruptSentinel(["a", "city"])]
    all_remedies(MIXED[name], mixed(), CLASSES, kinds)


@pytest.mark.many
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors(name):
    y = numbers()["a"].to_numpy() * 3 + np.random.default_rng(0).normal(size=N)
    all_remedies(REGRESSORS[name], numbers(), y, ["scale", CorruptLabels(shift=5.0), "duplicates"])
