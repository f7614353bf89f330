"""The record of what was changed."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from skcorrupt import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptionProcess,
    CorruptionRecord,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    SelectionBias,
)

X = pd.DataFrame({"a": np.arange(8.0), "b": list("pqpqpqpq"), "c": np.arange(8)})
Y = np.array([0, 1] * 4)


def test_cells():
    record = (
        CorruptMissing(["b", "a"], pattern="a >= 4", rate=0.5, random_state=0).corrupt(X).record
    )
    assert isinstance(record, CorruptionRecord)
    assert record.X_mask.shape == (8, 3) and record.X_mask.dtype == bool
    assert record.X_mask.sum(axis=0).tolist() == [2, 2, 0] and not record.X_mask[:4].any()
    assert (record.n_matched, record.n_corrupted, record.row_fraction) == (4, 2, 0.25)
    assert record.sample_indices.tolist() == list(range(8))
    assert not record.y_mask.any() and record.y_mask.shape == (8,)
    assert record.feature_names == ("a", "b", "c") and record.seed == 0
    frame = record.to_frame()
    assert frame.columns.tolist() == ["event", "source", "output", "column", "supplier"]
    assert set(frame["event"]) == {"cell"} and sorted(frame["column"]) == ["a", "a", "b", "b"]
    assert set(frame["source"]) == set(np.flatnonzero(record.X_mask.any(axis=1)))


def test_columns_on_rows_of_their_own_count_each_row_once():
    corruption = CorruptMissing(["a", "b"], rate=0.5, same_rows=False, random_state=1)
    record = corruption.corrupt(X).record
    assert record.X_mask.sum(axis=0).tolist() == [4, 4, 0]
    assert record.n_corrupted == record.X_mask.any(axis=1).sum() > 4


def test_labels_rows_and_copies():
    record = CorruptLabels(rate=0.5, random_state=0).corrupt(X, Y).record
    assert record.y_mask.sum() == record.n_corrupted == 4
    frame = record.to_frame()
    assert set(frame["event"]) == {"label"} and set(frame["column"]) == {"y"}

    record = SelectionBias(rate=0.25, random_state=0).corrupt(X, Y).record
    assert record.X_mask.shape == (6, 3) and record.y_mask.shape == (6,)
    frame = record.to_frame()
    assert frame["event"].tolist() == ["dropped"] * 2 and frame["output"].tolist() == [-1, -1]
    assert set(frame["source"]) | set(record.sample_indices) == set(range(8))

    record = CorruptDuplicates(rate=0.25, random_state=0).corrupt(X, Y).record
    frame = record.to_frame()
    assert frame["event"].tolist() == ["duplicated"] * 2 and frame["output"].tolist() == [8, 9]
    assert record.sample_indices[8:].tolist() == frame["source"].tolist()
    assert frame["column"].isna().all()


def test_the_row_that_supplied_a_value():
    def supplied(corruption, y=None):
        told = corruption.set_params(rate=1.0, random_state=0).corrupt(X, y).record.to_frame()
        return (told["supplier"] - told["source"]).tolist(), told["supplier"].tolist()

    # made of the old value
    for corruption in (
        CorruptNoise("a"),
        CorruptOutliers("a"),
        CorruptScale("c"),
        CorruptCategories("b", kind="typo"),
    ):
        assert set(supplied(corruption)[0]) == {0}
    # of no row
    for corruption in (
        CorruptMissing("a"),
        CorruptSentinel("a"),
        CorruptNoise("b"),
        CorruptOutliers("b"),
        CorruptCategories("b"),
        CorruptCategories("b", kind="unseen"),
    ):
        assert set(supplied(corruption)[1]) == {-1}
    assert set(supplied(CorruptLabels(), Y)[1]) == {-1}
    assert set(supplied(CorruptLabels(shift=1), Y)[0]) == {0}
    assert set(supplied(SelectionBias(pattern="a < 4"))[1]) == {-1}
    assert set(supplied(CorruptDuplicates())[0]) == {0}


def test_suppliers_are_input_rows_whatever_rows_come_out():
    process = CorruptionProcess(
        [
            ("shift", CorruptShiftRows("a", pattern="a >= 4", rate=1.0)),
            ("bias", SelectionBias(pattern="a == 3", rate=1.0)),
            ("copies", CorruptDuplicates(pattern="a == 5", rate=1.0)),
        ]
    )
    record = process.corrupt(X, Y).record
    told = record.to_frame().query("event == 'cell'")
    assert told["source"].tolist() == [4, 5, 6, 7, 5]
    assert told["supplier"].tolist() == [3, 4, 5, 6, 4]
    assert told["output"].tolist() == [3, 4, 5, 6, 7]


def test_a_row_hit_twice_counts_once():
    process = CorruptionProcess(
        [("a", CorruptMissing("a", rate=1.0)), ("l", CorruptLabels(pattern="y == 1", rate=1.0))]
    )
    record = process.corrupt(X, Y).record
    assert (record.n_matched, record.n_corrupted, record.row_fraction) == (8, 8, 1.0)
    assert record.to_frame()["event"].value_counts().to_dict() == {"cell": 8, "label": 4}


def test_masks_of_sparse_tables_are_sparse():
    record = CorruptMissing("x1", rate=0.5).corrupt(sparse.eye_array(6, format="csc")).record
    assert sparse.issparse(record.X_mask) and record.X_mask.dtype == bool
    assert record.X_mask.sum() == 3 and len(record.to_frame()) == 3
    untouched = SelectionBias(rate=0.5).corrupt(sparse.eye_array(6, format="csr"), None).record
    assert sparse.issparse(untouched.X_mask) and untouched.X_mask.shape == (3, 6)


def test_a_record_cannot_be_changed():
    record = CorruptMissing().corrupt(np.ones((20, 1))).record
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.seed = 3


def test_nothing_struck_gives_an_empty_frame_of_the_same_columns():
    record = CorruptMissing(rate=0).corrupt(X).record
    frame = record.to_frame()
    assert len(frame) == 0
    assert frame.columns.tolist() == ["event", "source", "output", "column", "supplier"]
    assert (record.n_corrupted, record.row_fraction, record.n_matched) == (0, 0.0, 8)


@pytest.mark.parametrize(
    "random_state", [None, 3, np.random.RandomState(0), np.random.default_rng(0)]
)
def test_the_seed_in_the_record_makes_the_draw_again(random_state):
    Z = np.random.default_rng(0).normal(size=(50, 2))
    corruption = CorruptMissing(rate=0.5, random_state=random_state)
    first = corruption.fit_transform(Z)
    seed = corruption.record_.seed
    np.testing.assert_array_equal(corruption.set_params(random_state=seed).fit_transform(Z), first)


def test_a_generator_moves_on():
    Z = np.random.default_rng(0).normal(size=(50, 2))
    for generator in (np.random.RandomState(0), np.random.default_rng(0)):
        corruption = CorruptMissing(rate=0.5, random_state=generator)
        assert corruption.corrupt(Z).record.seed != corruption.corrupt(Z).record.seed
