"""One way to read and rewrite tables and labels of every container."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from skcorrupt.corruptions import CorruptText
from skcorrupt.utils import MISSING, Cells, Taken, Target, as_table, check_target, resolve_columns

DATA = {"a": [1.5, 2.5, 3.5], "b": [4.0, 5.0, 6.0]}
ARRAY = np.column_stack(list(DATA.values()))
TABLES = {
    "pandas": pd.DataFrame(DATA),
    "polars": pl.DataFrame(DATA),
    "numpy": ARRAY,
    "sparse": sparse.csr_array(ARRAY),
}


def plain(X):
    X = X.toarray() if sparse.issparse(X) else X
    return X.to_numpy() if hasattr(X, "to_numpy") else X


@pytest.mark.parametrize("name", TABLES)
def test_every_container_reads_and_writes_alike(name):
    X = TABLES[name]
    table = as_table(X)
    assert table.container == name and (table.n_rows, table.n_columns) == (3, 2)
    assert table.kind(0) == "real" and not table.missing(0).any()
    np.testing.assert_array_equal(table.values(1), DATA["b"])
    out = table.with_cells(
        {0: Cells(np.array([2, 0]), np.array([9.0, 8.0])), 1: Cells(np.array([1]), MISSING)}
    )
    np.testing.assert_array_equal(plain(out), [[8, 4], [2.5, np.nan], [9, 6]])
    np.testing.assert_array_equal(plain(table.take(np.array([2, 2, 0]))), ARRAY[[2, 2, 0]])
    mask = table.mask_of({1: np.array([0, 2])})
    np.testing.assert_array_equal(plain(mask), [[False, True], [False, False], [False, True]])
    np.testing.assert_array_equal(plain(X), ARRAY)
    assert as_table(out).missing(1).tolist() == [False, True, False]


@pytest.mark.parametrize("name", TABLES)
def test_values_are_taken_from_elsewhere(name):
    X = TABLES[name]
    rows = np.array([2, 0])
    out = as_table(X).with_cells(
        {0: Cells(rows, Taken(np.array([1, 1]), 0)), 1: Cells(rows, Taken(np.array([2, 1]), 0))}
    )
    np.testing.assert_array_equal(plain(out), [[2.5, 2.5], [2.5, 5], [2.5, 3.5]])
    np.testing.assert_array_equal(plain(X), ARRAY)


@pytest.mark.parametrize("columns", [(0,), (0, 1)], ids=["one of two", "all"])
@pytest.mark.parametrize(
    "labels",
    [
        pd.Index(["a", "b"], name="feature"),
        pd.Index(["a", "a"]),
        pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]),
        pd.Index([True, False]),
    ],
    ids=["named", "twice", "levels", "bools"],
)
def test_a_frame_keeps_what_is_not_cells(columns, labels):
    index = pd.Index([7, 7, 5], name="row")
    X = pd.DataFrame(np.array([["x", "y", "z"], ["u", "v", "w"]], dtype=object).T, index, labels)
    X = X.astype(object)
    X.attrs["source"] = "a survey"
    cells = Cells(np.array([1]), MISSING)
    out = as_table(X).with_cells(dict.fromkeys(columns, cells))
    expected = X.copy()
    expected.iloc[1, list(columns)] = np.nan
    pd.testing.assert_frame_equal(out, expected)
    assert out.attrs == X.attrs and type(out) is pd.DataFrame


@pytest.mark.parametrize("columns", [("a",), ("a", "b")])
def test_a_frame_keeps_its_class_and_flags(columns):
    class Survey(pd.DataFrame):
        @property
        def _constructor(self):
            return Survey

    cells = dict.fromkeys(range(len(columns)), Cells(np.array([1]), MISSING))
    assert type(as_table(Survey(DATA)).with_cells(cells)) is Survey
    strict = pd.DataFrame(DATA).set_flags(allows_duplicate_labels=False)
    assert not as_table(strict).with_cells(cells).flags.allows_duplicate_labels


def test_a_mask_of_columns_on_the_same_and_on_other_rows():
    rows, others = np.array([0, 2]), np.array([1])
    mask = as_table(np.zeros((3, 3))).mask_of({0: rows, 1: others, 2: rows})
    np.testing.assert_array_equal(mask, [[1, 0, 1], [0, 1, 0], [1, 0, 1]])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([True, False], "bool"),
        ([1, 2], "integer"),
        ([1.0, 2.0], "real"),
        (["a", "b"], "text"),
        (pd.to_datetime(["2020", "2021"]), "datetime"),
        (pd.to_timedelta([1, 2]), "timedelta"),
        (pd.Categorical([1, 2]), "text"),
        (pd.Series([1, 2], dtype=object), "integer"),
        (pd.Series([1, 2.5], dtype=object), "real"),
        (pd.Series([1, pd.NA], dtype=object), "integer"),
        (pd.Series([True, None], dtype=object), "bool"),
        (pd.Series([1, "a"], dtype=object), "text"),
        (pd.Series([1, None], dtype="Int64"), "real"),
        (pd.Series([2**70, 1], dtype=object), "integer"),
    ],
)
def test_kinds(values, kind):
    assert as_table(pd.DataFrame({"a": values})).kind(0) == kind


def test_positions_of_columns():
    table = as_table(pd.DataFrame([[1, 2, 3]], columns=["a", 1, ("b", 2)]))
    assert resolve_columns(table, ["a", 1]) == [0, 1]
    assert resolve_columns(table, ("b", 2)) == [2]
    assert resolve_columns(table, [("b", 2)]) == [2]
    assert resolve_columns(table, 1) == [1]
    with pytest.raises(ValueError, match="no column '1'"):
        resolve_columns(table, "1")
    wide = as_table(np.ones((1, 30)))
    with pytest.raises(ValueError, match=r"x19, … \(\+10 more\)"):
        resolve_columns(wide, "x30")
    with pytest.raises(ValueError, match="no column 30"):
        resolve_columns(wide, 30)
    with pytest.raises(ValueError, match="no column True"):
        resolve_columns(wide, True)


LABELS = [
    np.array([0, 1, 0]),
    np.array([["a"], ["b"], ["a"]]),
    pd.Series([0, 1, 0], index=[5, 5, 6], name=("y", 1)),
    pd.Series(["a", "b", "a"], dtype="category"),
    pd.DataFrame({"label": [0, 1, 0]}),
    pl.Series("t", [0, 1, 0]),
    pl.DataFrame({"t": [0, 1, 0]}),
    pd.array([0, 1, None], dtype="Int64"),
    np.ones((3, 2)),
]


@pytest.mark.parametrize("y", LABELS, ids=lambda y: type(y).__name__)
def test_labels_come_back_as_they_were(y):
    out = Target(y).build(np.empty(0, dtype=int), None, np.array([0, 1, 2]))
    assert type(out) is type(y)
    assert np.shape(out) == np.shape(y)
    pd.testing.assert_frame_equal(pd.DataFrame(np.asarray(out)), pd.DataFrame(np.asarray(y)))
    if isinstance(y, pd.Series):
        pd.testing.assert_series_equal(out, y)


def test_labels_of_the_wrong_length_are_refused():
    assert check_target(None, 3) is None
    with pytest.raises(ValueError, match="X has 4 rows, y has 3"):
        check_target([0, 1, 0], 4)
    with pytest.raises(ValueError, match="y has 2 columns"):
        _ = Target(np.ones((3, 2))).values


def test_a_text_that_names_a_whole_number_says_so():
    table = as_table(pd.DataFrame({0: [1], 1: [2]}))
    with pytest.raises(ValueError, match=r"no column '0', a text; .* whole number, so pass 0"):
        resolve_columns(table, "0")


@pytest.mark.parametrize("y", ["target", {"target": [1, 2]}, 3])
def test_what_is_no_column_of_labels_is_called_y(y):
    with pytest.raises(ValueError, match=r"y=.* should have one label a row, .* X\[\"target\"\]"):
        check_target(y, 2)


@pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series], ids=lambda make: str(make))
def test_a_column_of_texts_alone_is_told_how_it_is_a_table(make):
    with pytest.raises(ValueError, match=r"single column of texts.*pd.DataFrame.*ColumnTransform"):
        CorruptText().fit(make(["good", "bad"]))
