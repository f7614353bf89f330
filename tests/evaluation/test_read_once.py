"""Rows that are read once are struck as rows that are read every time."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from skcorrupt import (
    MAR,
    CorruptCategories,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    SelectionBias,
)
from skcorrupt.base import ReadOnce, _read_once
from skcorrupt.evaluation._evaluate_split import corrupted_split
from skcorrupt.evaluation._split import make_splits

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "a": RNG.normal(size=80),
        "b": RNG.integers(0, 9, size=80),
        "job": RNG.choice(["clerk", "nurse", "smith"], size=80),
        "ok": RNG.random(80) > 0.5,
    }
)
LABELS = pd.Series(RNG.choice(["no", "yes"], size=80))
ERRORS = [
    CorruptMissing("a", pattern="b >= 4", rate=0.5),
    CorruptLabels(pattern="a > 0", rate=0.5),
    CorruptNoise("b", rate=0.5, mechanism=MAR("a")),
    CorruptScale("a", pattern="y == 'yes'", rate=0.5),
    CorruptCategories("job", rate=0.5),
    SelectionBias(pattern="ok == True", rate=0.5),
    CorruptDuplicates(rate=0.3),
]


def split_of(X, y=LABELS):
    return make_splits(X, y, [(np.arange(60), np.arange(60, 80))], [0])[0]


def assert_as_by_themselves(split, errors):
    for error in [*errors, *errors[::-1]]:
        found, (record,) = corrupted_split(split, error, 3)
        alone = clone(error).set_params(random_state=3)
        X, y, expected = alone.corrupt(split.X_train, split.y_train)
        if isinstance(X, pd.DataFrame):
            pd.testing.assert_frame_equal(found.X_train, X)
        else:
            np.testing.assert_array_equal(found.X_train, X)
        pd.testing.assert_series_equal(found.y_train, y)
        assert (record.X_mask != expected.X_mask).sum() == 0
        np.testing.assert_array_equal(record.sample_indices, expected.sample_indices)


def test_all_errors_of_a_split_are_those_of_rows_read_anew():
    assert_as_by_themselves(split_of(FRAME), ERRORS)


def test_rows_without_names():
    numbers = FRAME[["a", "b"]].to_numpy()
    assert_as_by_themselves(split_of(numbers), [CorruptMissing([0], rate=0.5), CorruptLabels()])


def test_a_split_of_other_rows_reads_its_own():
    split = split_of(FRAME)
    corrupted_split(split, ERRORS[0])
    other = replace(split, X_train=FRAME.iloc[20:60], y_train=LABELS.iloc[20:60])
    assert_as_by_themselves(replace(other, train=np.arange(20, 60)), ERRORS)


def test_clean_rows_are_left_as_they_were():
    split = split_of(FRAME)
    X, y = split.X_train.copy(deep=True), split.y_train.copy(deep=True)
    for error in ERRORS:
        corrupted_split(split, error, 1)
    pd.testing.assert_frame_equal(split.X_train, X)
    pd.testing.assert_series_equal(split.y_train, y)


def test_columns_are_those_of_the_rows():
    read, numbers = ReadOnce(), FRAME[["a", "b"]].to_numpy()
    CorruptMissing()._fit(numbers, LABELS, read)
    # fitted on named columns before
    second = CorruptMissing().fit(FRAME)
    second._fit(numbers, LABELS, read)
    assert second.n_features_in_ == 2 and not hasattr(second, "feature_names_in_")


@pytest.mark.parametrize("what", ["large", "sparse"])
def test_what_is_not_kept(what, monkeypatch):
    read = ReadOnce()
    if what == "large":
        monkeypatch.setattr(_read_once, "MOST_CELLS", 319)
    X = FRAME if what == "large" else sparse.csr_matrix(FRAME[["a", "b"]].to_numpy())
    tables = [CorruptMissing()._fit(X, LABELS, read)[0] for _ in range(2)]
    assert tables[0] is not tables[1]
    monkeypatch.undo()
    tables = [CorruptMissing()._fit(FRAME, LABELS, read)[0] for _ in range(2)]
    assert tables[0] is tables[1]


def test_workers_are_sent_nothing_that_was_read():
    split = split_of(FRAME)
    before = len(pickle.dumps(split))
    corrupted_split(split, ERRORS[0])
    assert len(pickle.dumps(split)) == before
