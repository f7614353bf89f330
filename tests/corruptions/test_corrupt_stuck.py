"""The last value that is not struck repeats, in order and in groups."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy import sparse

from rows_by_hand import cells, check_against, in_order, logs, quietly
from skcorrupt import CorruptionProcess, CorruptStuck, SelectionBias
from skcorrupt.corruptions import DependencyGraph


def able_by_hand(x, groups):
    return {
        i
        for rows in groups
        for k, i in enumerate(rows)
        if x[i] is not None and any(x[q] not in (None, x[i]) for q in rows[:k])
    }


def suppliers_by_hand(x, groups, struck):
    found = {}
    for rows in groups:
        last = None
        for i in rows:
            if i in struck:
                found[i] = last
            elif x[i] is not None:
                last = i
    return found


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(
    logs(),
    st.sampled_from([None, "time"]),
    st.sampled_from([None, "group", ["group"], ["group", "w"]]),
    st.integers(0, 9),
)
def test_struck_rows_repeat_the_last_value_that_is_there(X, order, group, seed):
    by = group
    if isinstance(group, list):
        X = X.assign(both=[None if pd.isna(list(r)).any() else str(r) for r in X[group].values])
        by = "both"
    groups, x = in_order(X, order, by), cells(X, "x")
    corruption = CorruptStuck("x", order=order, group=group, random_state=seed)
    check_against(
        corruption,
        X,
        "x",
        able_by_hand(x, groups),
        lambda struck: suppliers_by_hand(x, groups, struck),
    )


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(logs(), st.integers(0, 9))
def test_columns_struck_together_repeat_each_for_itself(X, seed):
    groups = in_order(X, None, "group")
    able = able_by_hand(cells(X, "x"), groups) | able_by_hand(cells(X, "w"), groups)
    corruption = CorruptStuck(["x", "w"], group="group", random_state=seed)
    new, _, record = quietly(corruption, X, 0.6)
    struck = set(np.flatnonzero(record.X_mask.any(axis=1)).tolist())
    assert record.n_matched == len(able) and struck <= able
    for column in ("x", "w"):
        old = cells(X, column)
        last = suppliers_by_hand(old, groups, struck)
        keeps = {i for i in struck if old[i] is None or last[i] is None}
        expected = [old[i] if i not in struck - keeps else old[last[i]] for i in range(len(X))]
        assert cells(new, column) == expected
        told = record.to_frame().query("column == @column")
        assert told.query("source == supplier")["source"].tolist() == sorted(keeps)


LONG = 2**60 + 1
COLUMNS = {
    "long integers with gaps": pd.array([LONG, None, 4, 5, 6], dtype="Int64"),
    "short integers": np.array([1, 2, 3, 4, 5], dtype=np.uint8),
    "truth values with gaps": pd.array([True, None, False, False, True], dtype="boolean"),
    "truth values": np.array([True, False, False, True, False]),
    "categories": pd.Categorical(["b", None, "a", "c", "a"], categories=["c", "b", "a"]),
    "ordered": pd.Categorical([3, None, 1, 2, 1], categories=[3, 2, 1], ordered=True),
    "strings": pd.array(["u", None, "v", "w", "v"], dtype="string"),
    "arrow": pd.array([1, None, 2, 3, 4], dtype="int64[pyarrow]"),
    "objects": np.array(["u", None, 3, (1, 2), 2.5], dtype=object),
    "days": pd.to_datetime(["2020-01-01", None, "2021-05-05", "1999-01-01", "2000-01-01"]),
    "zoned": pd.DatetimeIndex(
        ["2020-01-01", None, "2021-05-05", "1999-01-01", "2000-01-01"], tz="Asia/Tokyo"
    ),
    "spans": pd.to_timedelta([5, None, 7, 8, 9], unit="s"),
    "periods": pd.period_range("2020", periods=5, freq="D"),
    "sparse": pd.arrays.SparseArray([1.0, 0.0, 2.0, 0.0, 3.0]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_values_are_repeated_as_they_are_kept(name):
    X = pd.DataFrame({"c": COLUMNS[name], "other": np.arange(5)}, index=[7, 7, 5, 5, 5])
    new, _, record = CorruptStuck("c", rate=1.0).corrupt(X)
    assert new["c"].dtype == X["c"].dtype and record.X_mask[:, 0].sum() >= 3
    expected = X["c"].iloc[[0 if hit else i for i, hit in enumerate(record.X_mask[:, 0])]]
    pd.testing.assert_series_equal(new["c"].set_axis(range(5)), expected.set_axis(range(5)))


def test_arrays_and_other_tables():
    values = np.array([[4.0, 1.0], [5.0, 0.0], [np.nan, 0.0], [7.0, 2.0]])
    values.flags.writeable = False
    new = CorruptStuck(rate=1.0).fit_transform(values)
    np.testing.assert_array_equal(new, [[4, 1], [4, 1], [np.nan, 1], [4, 1]])
    matrix = sparse.csr_array(np.nan_to_num(values))
    new = CorruptStuck("x1", rate=1.0).fit_transform(matrix)
    assert new.toarray()[:, 1].tolist() == [1, 1, 1, 1]
    X = pl.DataFrame({"a": [LONG, None, 2, 3], "d": ["u", "v", None, "u"]})
    X = X.with_columns(pl.col("d").cast(pl.Enum(["v", "u"])))
    new = CorruptStuck(rate=1.0).fit_transform(X)
    assert new["a"].to_list() == [LONG, None, LONG, LONG] and new.schema == X.schema
    assert new["d"].to_list() == ["u", "u", None, "u"]


def test_two_columns_of_one_name_are_struck_by_position():
    X = pd.DataFrame([[1, 5], [2, 6], [3, 7]], columns=["a", "a"])
    assert CorruptStuck(rate=1.0).fit_transform(X).values.tolist() == [[1, 5]] * 3


def test_rows_follow_the_order_of_categories_and_of_texts():
    X = pd.DataFrame({"x": [1, 2, 3], "size": pd.Categorical(list("SML"), ["S", "M", "L"], True)})
    by_size = CorruptStuck("x", order="size", rate=1.0)
    assert by_size.fit_transform(X.iloc[::-1])["x"].tolist() == [1, 1, 1]
    X["day"] = ["2020-03-01", "2020-01-01", None]
    new = CorruptStuck("x", order="day", rate=1.0).fit_transform(X)
    assert new["x"].tolist() == [2, 2, 3]


def test_without_columns_all_but_order_and_group_are_struck():
    X = pd.DataFrame({"t": [1, 2, 3], "g": [1, 1, 2], "a": [4, 5, 6], "b": list("xyz")})
    corruption = CorruptStuck(order="t", group="g", rate=1.0)
    record = corruption.corrupt(X).record
    assert record.X_mask.sum(axis=0).tolist() == [0, 0, 1, 1]
    assert CorruptStuck(["t", "a"], order="t", rate=1.0).fit_transform(X)["t"].tolist() == [1, 1, 1]


def test_what_cannot_be_is_refused_with_the_remedy():
    X = pd.DataFrame({"x": [1, 2], "mixed": [1, "a"], "lists": [[1], [2]]})
    with pytest.raises(ValueError, match=r"when=\"always\" .*CorruptStuck takes .* when=\"fit\""):
        CorruptStuck("x", when="always").fit(X)
    with pytest.raises(ValueError, match=r"order: X has no column 'z'"):
        CorruptStuck("x", order="z").fit(X)
    with pytest.raises(ValueError, match=r"order=\['x', 'mixed'\] names 2 columns"):
        CorruptStuck("x", order=["x", "mixed"]).fit(X)
    with pytest.raises(ValueError, match=r"order='mixed' .* cannot be sorted"):
        CorruptStuck("x", order="mixed").fit(X)
    with pytest.raises(ValueError, match=r"'lists' holds unhashable values"):
        CorruptStuck("x", group="lists").fit(X)
    with pytest.raises(ValueError, match=r"'lists' holds unhashable values"):
        CorruptStuck("lists").fit_transform(X)
    with pytest.raises(ValueError, match="group: X has no column 'z'"):
        CorruptStuck("x", group="z").fit(X)


def test_nothing_to_repeat_is_said():
    with pytest.warns(UserWarning, match="could strike all kept their values"):
        CorruptStuck().fit_transform(pd.DataFrame({"a": [3, 3, 3]}))
    with pytest.warns(UserWarning, match="could strike all kept their values"):
        CorruptStuck().fit_transform(np.array([[3.0]]))


def test_in_a_process_dropped_rows_supply_values():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0]})
    process = CorruptionProcess(
        [
            ("stuck", CorruptStuck("a", rate=1.0)),
            ("bias", SelectionBias(pattern="a <= 1", rate=1.0)),
        ]
    )
    new, _, record = process.corrupt(X)
    assert new["a"].tolist() == [1.0, 1.0]
    told = record.to_frame()
    assert told["supplier"].tolist() == [0, 0, -1]
    assert told["event"].tolist() == ["cell", "cell", "dropped"]


def test_the_graph_knows_what_decides_on_the_order():
    process = CorruptionProcess([("s", CorruptStuck("a", order="t", group=["g", "h"]))])
    assert DependencyGraph.from_process(process).to_text() == "a* <- a, t, g, h, N_s"
