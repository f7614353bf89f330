"""Values from a number of rows before."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from rows_by_hand import cells, check_against, in_order, logs
from skcorrupt import CorruptShiftRows


def suppliers_by_hand(groups, offset):
    return {
        i: rows[k - offset]
        for rows in groups
        for k, i in enumerate(rows)
        if 0 <= k - offset < len(rows)
    }


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(
    logs(),
    st.sampled_from([None, "time"]),
    st.sampled_from([None, "group"]),
    st.sampled_from([1, 2, -1, 5, -20]),
    st.integers(0, 9),
)
def test_struck_rows_take_the_value_of_a_row_before(X, order, group, offset, seed):
    before = suppliers_by_hand(in_order(X, order, group), offset)
    x = cells(X, "x")
    able = {i for i, source in before.items() if x[source] != x[i]}
    corruption = CorruptShiftRows("x", order=order, group=group, offset=offset, random_state=seed)
    check_against(corruption, X, "x", able, lambda struck: {i: before[i] for i in struck})


@settings(max_examples=40, deadline=None)
@given(logs(), st.integers(0, 9))
def test_a_struck_cell_does_not_depend_on_what_else_is_struck(X, seed):
    corruption = CorruptShiftRows("x", random_state=seed, rate=0.5)
    every = CorruptShiftRows("x", rate=1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("skcorrupt.base._base_corruption.warn", lambda *_: None)
        patch.setattr("skcorrupt.base._feature_corruption.warn", lambda *_: None)
        some, _, record = corruption.corrupt(X)
        whole = every.corrupt(X).X
    hit = record.X_mask[:, 0]
    np.testing.assert_array_equal(some["x"].to_numpy()[hit], whole["x"].to_numpy()[hit])


def test_a_whole_column_out_of_line():
    X = pd.DataFrame({"id": [1, 2, 3, 4], "pay": pd.array([10, None, 30, 40], dtype="Int64")})
    new = CorruptShiftRows("pay", rate=1.0).fit_transform(X)
    assert new["pay"].tolist() == [10, 10, pd.NA, 30] and new["pay"].dtype == "Int64"
    new = CorruptShiftRows("pay", offset=-2, rate=1.0).fit_transform(X)
    assert new["pay"].tolist() == [30, 40, 30, 40]


def test_objects_and_other_tables():
    X = pd.DataFrame({"tags": [["a"], ["a"], ["b"], None]})
    new, _, record = CorruptShiftRows(rate=1.0).corrupt(X)
    assert new["tags"].tolist() == [["a"], ["a"], ["a"], ["b"]]
    assert record.X_mask[:, 0].tolist() == [False, False, True, True]
    X = pl.DataFrame({"a": ["u", None, "v"], "d": [1.5, float("nan"), 2.5]})
    new = CorruptShiftRows(rate=1.0).fit_transform(X)
    assert new["a"].to_list() == ["u", "u", None] and new.schema == X.schema
    array = np.array([["u", 1], ["v", 2]], dtype=object)
    assert CorruptShiftRows(rate=1.0).fit_transform(array).tolist() == [["u", 1], ["u", 1]]


def test_what_cannot_be_is_refused_with_the_remedy():
    X = np.arange(6.0).reshape(3, 2)
    with pytest.raises(ValueError, match=r"offset=0 leaves values where they are; pass another"):
        CorruptShiftRows(offset=0).fit(X)
    with pytest.raises(ValueError, match=r"'offset' parameter .* must be an int"):
        CorruptShiftRows(offset=0.5).fit(X)
    with pytest.raises(ValueError, match=r"when=\"always\" .*CorruptShiftRows"):
        CorruptShiftRows(when="always").fit_transform(X)
    with pytest.warns(UserWarning, match="could strike all kept their values"):
        CorruptShiftRows(offset=3).fit_transform(X)
