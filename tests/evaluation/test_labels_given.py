"""Labels that no system can work with are refused by name, alike in all of them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids
from skcorrupt import (
    CorruptedEstimator,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    StageFairnessAblator,
    cross_validate_corrupted,
)
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.metrics import statistical_parity_difference
from small_searches import quick

pytestmark = pytest.mark.usefixtures("few_fits")

N = 40
X = pd.DataFrame({"a": np.arange(N) % 7, "s": np.arange(N) % 2}, dtype=float)


def studied(corruption):
    return ErrorSensitivityProfiler(
        Centroids(), corruptions=corruption, levels=(0, 0.5), n_repeats=2, random_state=0
    )


def ablator(y):
    return StageFairnessAblator(
        make_pipeline(StandardScaler(), GaussianNB()), sensitive_features="s", privileged=1.0,
        pos_label=y[0], cv=2, random_state=0,
    )  # fmt: skip


SYSTEMS = {
    "flip": lambda y: CorruptLabels().fit(X, y),
    "wrapped": lambda y: CorruptedEstimator(Centroids(), CorruptLabels()).fit(X, y),
    "cross-validated": lambda y: cross_validate_corrupted(Centroids(), X, y, CorruptMissing("a")),
    "searched": lambda y: quick("missing", cv=2).fit(X, y),
    "searched labels": lambda y: quick("labels", cv=2).fit(X, y),
    "profiled": lambda y: studied(CorruptNoise("a")).fit(X, y),
    "profiled labels": lambda y: studied(CorruptLabels()).fit(X, y),
    "ablated": lambda y: ablator(y).fit(X, y),
}


def objects(*labels):
    cells = np.empty(N, dtype=object)
    cells[:] = [labels[i % len(labels)] for i in range(N)]
    return cells


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("kind", ["array", "Series"])
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ((1, "a"), "y mixes labels of types that cannot be sorted"),
        ((True, "a"), "y mixes labels of types that cannot be sorted"),
        ((1, "a", 2.5), "y mixes labels of types that cannot be sorted"),
        ((pd.Timestamp("2020-01-01"), 1), "y mixes labels of types that cannot be sorted"),
        ((1j, 2), "y mixes labels of types that cannot be sorted"),
        (([1], [2]), r"y holds \[1\], which is not a single value"),
        (({"a": 1}, {"b": 1}), "y holds {'a': 1}, which is not a single value"),
        (((1, 2), (3, 4)), r"y holds \(1, 2\), which is not a single value"),
        (((1, [2]), (3, [4])), r"y holds \(1, \[2\]\), which is not a single value"),
    ],
    ids=str,
)
def test_labels_of_several_kinds_are_refused(system, kind, labels, message):
    y = objects(*labels)
    with pytest.raises(ValueError, match=message):
        SYSTEMS[system](y if kind == "array" else pd.Series(y))


@pytest.mark.parametrize("system", SYSTEMS)
def test_complex_labels_are_refused(system):
    with pytest.raises(ValueError, match="Complex data not supported: y holds complex numbers"):
        SYSTEMS[system](np.array([1j, 2.0] * (N // 2)))


def test_labels_of_people_and_of_samples_are_single_ones():
    for labels in (([1], [2]), ({"a": 1}, {"b": 1}), ((1, 2), (3, 4))):
        y = objects(*labels)
        with pytest.raises(ValueError, match="which is not a single value"):
            statistical_parity_difference(
                y, y, sensitive_features=X["s"], privileged=1.0, pos_label=1
            )
        curator = NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2)
        with pytest.raises(ValueError, match="which is not a single value"):
            curator.fit(np.c_[[0, 1] * (N // 2), [0, 1] * (N // 2)]).score_ordering(y)
