"""Values of columns in each other's place."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import sparse

from rows_by_hand import cells, quietly
from skcorrupt import MNAR, CorruptExchange, CorruptionProcess, CorruptMissing
from skcorrupt.corruptions import DependencyGraph

VALUES = [None, 1.0, 2.0]


@st.composite
def tables(draw):
    n = draw(st.integers(1, 12))
    column = st.lists(st.sampled_from(VALUES), min_size=n, max_size=n)
    index = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    frame = {name: draw(column) for name in ("a", "b", "c")}
    return pd.DataFrame(frame, index=index, dtype=float)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(
    tables(),
    st.sampled_from([["a", "b"], ["c", "a"], ["b", "c", "a"], ["c", "b", "a"], None]),
    st.sampled_from([0.2, 0.5, 1.0]),
    st.integers(0, 9),
)
def test_each_column_takes_the_value_of_the_next(X, columns, rate, seed):
    before = X.copy()
    new, _, record = quietly(CorruptExchange(columns, random_state=seed), X, rate)
    pd.testing.assert_frame_equal(X, before)
    rotated = columns or ["a", "b", "c"]
    old = {name: cells(X, name) for name in X}
    able = {i for i in range(len(X)) if len({old[name][i] for name in rotated}) > 1}
    struck = set(np.flatnonzero(record.X_mask.any(axis=1)).tolist())
    assert struck <= able and record.n_matched == len(able)
    assert len(struck) == math.floor(rate * len(able) + 0.5 + 1e-9)
    for k, name in enumerate(rotated):
        other = old[rotated[(k + 1) % len(rotated)]]
        expected = [other[i] if i in struck else old[name][i] for i in range(len(X))]
        assert cells(new, name) == expected
        assert set(np.flatnonzero(record.X_mask[:, X.columns.get_loc(name)])) == struck
    told = record.to_frame()
    assert (told["source"] == told["supplier"]).all()
    assert all(cells(new, name) == old[name] for name in X if name not in rotated)


def test_kinds_go_by_themselves_and_a_kind_of_one_column_stays():
    X = pd.DataFrame(
        {
            "z": [1, 2],
            "first": ["Ann", "Bo"],
            "a": [0.5, 2.0],
            "born": pd.to_datetime(["2000-01-01", "2001-01-01"]),
            "last": ["Smith", "Lee"],
        }
    )
    new, _, record = CorruptExchange(rate=1.0).corrupt(X)
    assert new["z"].tolist() == [0.5, 2.0] and new["a"].tolist() == [1, 2]
    assert new["first"].tolist() == ["Smith", "Lee"] and new["last"].tolist() == ["Ann", "Bo"]
    assert record.X_mask.sum(axis=0).tolist() == [2, 2, 2, 0, 2]
    named = CorruptExchange(["first", "a", "last", "z"], rate=1.0)
    pd.testing.assert_frame_equal(named.fit_transform(X), new)


def test_lists_and_texts_are_no_one_kind():
    X = pl.DataFrame({"a": ["u", "v"], "b": [[1], [2]], "c": [None, "w"], "d": [[3], None]})
    new = CorruptExchange(rate=1.0).fit_transform(X)
    assert new["a"].to_list() == [None, "w"] and new["c"].to_list() == ["u", "v"]
    assert new["b"].to_list() == [[3], None] and new["d"].to_list() == [[1], [2]]
    with pytest.raises(ValueError, match=r"no other column of the kind of 'a' \(text values\)"):
        CorruptExchange(["a", "b"]).fit(X)


PAIRS = {
    "integers": (pd.array([1, None], dtype="Int64"), np.array([3, 4], dtype=np.int8)),
    "numbers": (np.array([1, 2], dtype=np.int32), np.array([0.5, 7.0])),
    "truth": (np.array([True, False]), pd.array([False, None], dtype="boolean")),
    "categories": (pd.Categorical(["u", "v"]), pd.Categorical(["w", None])),
    "texts": (pd.array(["u", None], dtype="string"), np.array(["w", "x"], dtype=object)),
    "times": (
        pd.DatetimeIndex(["2020-01-01", None], tz="UTC"),
        pd.DatetimeIndex(["2021-01-01 09:00", "2022-01-01"], tz="Asia/Tokyo"),
    ),
    "lists": (
        pd.Series([[1], [2]], dtype=object),
        pd.Series([[3], [2]], dtype=object),
    ),
    "spans": (pd.to_timedelta([1, None], unit="h"), pd.to_timedelta([2, 3], unit="D")),
}


@pytest.mark.parametrize("name", PAIRS)
def test_columns_of_other_types_take_the_values(name):
    left, right = PAIRS[name]
    X = pd.DataFrame({"l": left, "r": right})
    new = CorruptExchange(["l", "r"], rate=1.0).fit_transform(X)
    for taken, given_ in (("l", "r"), ("r", "l")):
        for now, then in zip(new[taken].tolist(), X[given_].tolist(), strict=True):
            assert (pd.isna(now) and pd.isna(then)) if np.all(pd.isna(then)) else now == then


def test_arrays_and_other_tables():
    values = np.arange(6.0).reshape(3, 2)
    values.flags.writeable = False
    new = CorruptExchange(rate=1.0).fit_transform(values)
    np.testing.assert_array_equal(new, values[:, ::-1])
    matrix = sparse.csc_array(values)
    np.testing.assert_array_equal(
        CorruptExchange(rate=1.0).fit_transform(matrix).toarray(), values[:, ::-1]
    )
    X = pl.DataFrame({"a": ["u", None], "b": ["v", "w"]}, schema_overrides={"b": pl.Categorical})
    new = CorruptExchange(rate=1.0).fit_transform(X)
    assert new["a"].to_list() == ["v", "w"] and new["b"].to_list() == ["u", None]


def test_rows_are_treated_by_their_content_in_every_transform():
    X = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0)[::-1]})
    corruption = CorruptExchange(rate=0.5, when="always", random_state=0)
    whole = corruption.fit_transform(X)
    assert 0 < (whole != X).any(axis=1).sum() == 20
    pd.testing.assert_frame_equal(corruption.transform(X.iloc[30:5:-1]), whole.iloc[30:5:-1])


def test_a_mechanism_and_a_process():
    X = pd.DataFrame({"a": np.arange(50.0), "b": np.arange(50.0) + 1, "c": np.ones(50)})
    record = CorruptExchange(["a", "b"], mechanism=MNAR(strength=9.0), rate=0.2).corrupt(X).record
    assert np.flatnonzero(record.X_mask[:, 0]).min() > 20
    both = [("swap", CorruptExchange(["a", "b"])), ("lost", CorruptMissing("b"))]
    with pytest.raises(ValueError, match="both strike column 'b'"):
        CorruptionProcess(both).corrupt(X)
    graph = DependencyGraph.from_process(CorruptionProcess(both[:1]))
    assert graph.to_text() == "a* <- a, b, N_swap\nb* <- b, a, N_swap"


def test_what_cannot_be_is_refused_with_the_remedy():
    X = pd.DataFrame({"a": [1.0, 2.0], "b": list("uv"), "c": [3, 4]})
    with pytest.raises(ValueError, match=r"no other column of the kind of 'a' \(real values\)"):
        CorruptExchange("a").fit(X)
    with pytest.raises(ValueError, match=r"no other column of the kind of 'b' .* as a tuple of"):
        CorruptExchange(["a", "b", "c"]).fit(X)
    with pytest.raises(ValueError, match=r"same_rows=False .* pass same_rows=True"):
        CorruptExchange(same_rows=False).fit(X)
    with pytest.warns(UserWarning, match=r"no two such columns\. Nothing will be corrupted"):
        CorruptExchange().fit(X[["a", "b"]])
    with pytest.warns(UserWarning, match="could strike all kept their values"):
        CorruptExchange().fit_transform(X.assign(c=X["a"]))
