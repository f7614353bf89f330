"""Copies that differ a little, or have wrong labels."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import sparse

from skcorrupt import CorruptDuplicates, CorruptionProcess, CorruptLabels, CorruptMissing

N = 40


def people():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "pay": rng.normal(size=N),
            "job": rng.choice(["clerk", "nurse", None], N).astype(object),
            "town": pd.Categorical(rng.choice(["Rome", "Oslo"], N)),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), "D"),
            "member": rng.random(N) < 0.5,
        },
        index=np.arange(N) // 2,
    )
    X.loc[3, "pay"] = np.nan
    return X, rng.choice(["a", "b", "c"], N)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=15),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.integers(0, 9),
)
def test_copies_get_another_label_and_rows_keep_theirs(labels, rate, seed):
    y, X = np.array(labels), np.arange(len(labels))[:, None]
    corruption = CorruptDuplicates(wrong_labels=True, rate=rate, random_state=seed)
    rate = max(rate, 1 / len(y))
    corruption.set_params(rate=rate)
    if len(set(labels)) == 1:
        with pytest.warns(UserWarning, match="y holds one class only"):
            assert len(corruption.fit_resample(X, y)[1]) == len(y)
        return
    X_out, y_out = corruption.fit_resample(X, y)
    record = corruption.record_
    rows = X_out[len(y) :, 0]
    assert len(rows) == record.n_corrupted and sorted(set(rows)) == rows.tolist()
    assert y_out[: len(y)].tolist() == labels and set(y_out) <= set(labels)
    assert (y_out[len(y) :] != y[rows]).all()
    assert record.y_mask.tolist() == [False] * len(y) + [True] * len(rows)
    told = record.to_frame()
    assert told.query("event == 'duplicated'")["supplier"].tolist() == rows.tolist()
    assert (told.query("event == 'label'")["supplier"] == -1).all()


def test_other_labels_are_drawn_uniformly():
    y = np.repeat([0, 1, 2], 2000)
    X = np.zeros((len(y), 1))
    _, y_out = CorruptDuplicates(wrong_labels=True, rate=1.0, random_state=0).fit_resample(X, y)
    for label in (0, 1, 2):
        drawn = y_out[len(y) :][y == label]
        share = np.mean(drawn == (label + 1) % 3)
        # six standard errors
        assert abs(share - 0.5) < 6 * 0.5 / np.sqrt(2000) and not (drawn == label).any()


def test_copies_differ_a_little_and_rows_stay():
    X, y = people()
    before = X.copy()
    corruption = CorruptDuplicates(jitter=0.2, rate=0.5, random_state=0)
    new, y_out = corruption.fit_resample(X, y)
    pd.testing.assert_frame_equal(X, before)
    record, rows = corruption.record_, corruption.sample_indices_[N:]
    assert len(rows) == 20 == record.n_corrupted and (y_out[N:] == y[rows]).all()
    assert new["age"].dtype == X["age"].dtype and new["since"].dtype == X["since"].dtype
    assert new.index.tolist() == [*X.index, *X.index[rows]]
    mask = record.X_mask
    assert not mask[:N].any() and not mask[:, X.columns.get_loc("member")].any()
    exact = X.iloc[record.sample_indices].reset_index(drop=True)
    for j, name in enumerate(X):
        old, made = exact[name].astype(object), new[name].astype(object).reset_index(drop=True)
        same = (old == made) | (old.isna() & made.isna())
        assert (same == ~mask[:, j]).all()
    moved = (new["pay"].to_numpy() - exact["pay"].to_numpy())[N:]
    assert 0 < np.nanmax(abs(moved)) < 0.2 * X["pay"].std() * 5
    assert mask[N:, 1].sum() == np.isfinite(moved).sum()
    # one text in five, give or take
    assert 0 < mask[N:, 2:4].sum() < 20
    told = record.to_frame().query("event == 'cell'")
    assert (told["source"] == told["supplier"]).all()
    again = CorruptDuplicates(jitter=0.2, rate=0.5, random_state=0).fit_resample(X, y)[0]
    pd.testing.assert_frame_equal(again, new)
    plain = CorruptDuplicates(rate=0.5, random_state=0)
    plain.fit_resample(X, y)
    assert plain.sample_indices_.tolist() == corruption.sample_indices_.tolist()


def test_the_spread_is_that_of_the_column():
    X = np.random.default_rng(1).normal(scale=[1.0, 50.0], size=(4000, 2))
    new = CorruptDuplicates(jitter=0.1, rate=1.0, random_state=0).fit_resample(X)[0]
    moved = new[4000:] - X
    np.testing.assert_allclose(moved.std(axis=0), [0.1, 5.0], rtol=0.06)
    assert abs(np.corrcoef(moved.T)[0, 1]) < 0.1


def test_what_is_no_text_is_not_misspelt():
    X = pd.DataFrame(
        {
            "spans": pd.interval_range(0, 4),
            "lists": [[1], [2], [3], [4]],
            "codes": pd.Categorical([1, 2, 1, 2]),
            "mixed": ["a", 1, None, "b"],
        }
    )
    new = CorruptDuplicates(jitter=1.0, rate=1.0, random_state=0).fit_resample(X)[0]
    exact = pd.concat([X, X])
    pd.testing.assert_frame_equal(new.drop(columns="mixed"), exact.drop(columns="mixed"))
    assert new["mixed"].tolist()[5:7] == [1, None]
    assert new["mixed"].tolist()[4] != "a" and new["mixed"].tolist()[7] != "b"


@pytest.mark.parametrize("jitter", [0.0, 0.5])
def test_other_containers(jitter):
    values = np.arange(12.0).reshape(6, 2)
    values.flags.writeable = False
    given = {"jitter": jitter, "wrong_labels": True, "rate": 0.5, "random_state": 0}
    X_array, y_array = CorruptDuplicates(**given).fit_resample(values, [0, 1] * 3)
    X_frame, y_frame = CorruptDuplicates(**given).fit_resample(
        pl.DataFrame(values, schema=["x0", "x1"]), pl.Series("y", [0, 1] * 3)
    )
    np.testing.assert_array_equal(X_frame.to_numpy(), X_array)
    assert y_frame.to_list() == list(y_array) and y_frame.name == "y"
    corruption = CorruptDuplicates(**given)
    X_sparse, y_sparse = corruption.fit_resample(sparse.csr_array(values), pd.Series([0, 1] * 3))
    np.testing.assert_array_equal(X_sparse.toarray(), X_array)
    assert y_sparse.tolist() == list(y_array)
    assert sparse.issparse(corruption.record_.X_mask)
    assert corruption.record_.X_mask.sum() == (6 if jitter else 0)


def test_in_a_process_copies_carry_what_others_put_there():
    X, y = people()
    process = CorruptionProcess(
        [
            ("lost", CorruptMissing("pay", rate=0.5)),
            ("flip", CorruptLabels(rate=0.5)),
            ("copies", CorruptDuplicates(jitter=0.3, wrong_labels=True, rate=1.0)),
        ],
        random_state=0,
    )
    new, y_out, record = process.corrupt(X, y)
    lost = record.X_mask[:N, 1]
    assert new["pay"].isna()[N:].tolist() == new["pay"].isna()[:N].tolist()
    assert (record.X_mask[N:, 1] | X["pay"].isna().to_numpy()).all()
    flipped = record.y_mask[:N]
    assert (y_out[N:][flipped] == y_out[:N][flipped]).all()
    assert (y_out[N:][~flipped] != y[~flipped]).all() and record.y_mask[N:].all()
    told = record.to_frame().query("event == 'cell' and column == 'pay' and output >= @N")
    assert (told["supplier"] == told["source"].where(~lost[told["source"]], -1)).all()


def test_rows_without_a_label_get_no_other():
    y = pd.Series([0.0, 1.0, np.nan, 1.0])
    corruption = CorruptDuplicates(wrong_labels=True, rate=1.0)
    _, y_out = corruption.fit_resample(np.zeros((4, 1)), y)
    assert corruption.sample_indices_.tolist() == [0, 1, 2, 3, 0, 1, 3]
    assert y_out.tolist()[4:] == [1, 0, 0]


def test_what_cannot_be_is_refused_with_the_remedy():
    X, y = people()
    with pytest.raises(ValueError, match=r"'jitter' parameter .* in the range \[0\.0, 1\.0\]"):
        CorruptDuplicates(jitter=1.5).fit(X, y)
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        CorruptDuplicates(wrong_labels=True).fit(X)
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*wrong_labels=False"):
        CorruptDuplicates(wrong_labels=True).fit(X, X["pay"].fillna(0.5))


def test_what_errors_say_of_themselves():
    assert CorruptDuplicates().phrase() == "Duplicating"
    assert CorruptDuplicates(jitter=0.1).phrase() == "Nearly duplicating"
    assert CorruptDuplicates(wrong_labels=True).phrase() == "Duplicating with other labels"
