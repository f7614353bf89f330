"""Label errors: any type of label, transitions, erasure, regression."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from skcorrupt import BaseCorruption, CorruptLabels

LETTERS = ["a", "b", "c", "a", "b", "a"] * 5


def corrupted(y, **params):
    X = np.arange(float(len(y))).reshape(-1, 1)
    return CorruptLabels(**{"rate": 1.0, "random_state": 0, **params}).corrupt(X, y)


CONTAINERS = {
    "list": LETTERS,
    "str array": np.array(LETTERS),
    "object array": np.array(LETTERS, dtype=object),
    "int array": np.arange(30) % 4,
    "int8 array": (np.arange(30) % 4).astype(np.int8),
    "float array": (np.arange(30) % 3).astype(float),
    "bool array": np.arange(30) % 3 == 0,
    "column array": (np.arange(30) % 2).reshape(-1, 1),
    "series": pd.Series(LETTERS, index=np.arange(30) % 4, name="label"),
    "object series": pd.Series(LETTERS, dtype=object),
    "categorical": pd.Series(pd.Categorical(LETTERS, categories=["c", "b", "a", "z"])),
    "string series": pd.Series(LETTERS, dtype="string"),
    "Int64 series": pd.Series(np.arange(30) % 3, dtype="Int64"),
    "boolean series": pd.Series(np.arange(30) % 2 == 0, dtype="boolean"),
    "frame": pd.DataFrame({"label": LETTERS}),
    "categorical array": pd.Categorical(LETTERS),
    "polars series": pl.Series("label", LETTERS),
    "polars ints": pl.Series("label", np.arange(30) % 3),
}


def flat(y):
    if isinstance(y, (pd.DataFrame, pl.DataFrame)):
        y = y.iloc[:, 0]
    return list(np.asarray(y).ravel())


@pytest.mark.parametrize("y", CONTAINERS.values(), ids=CONTAINERS)
def test_any_labels_in_any_container(y):
    result = corrupted(y, rate=0.5)
    before, after = flat(y), flat(result.y)
    assert [a != b for a, b in zip(before, after, strict=True)] == result.record.y_mask.tolist()
    assert result.record.y_mask.sum() == 15
    assert set(after) <= set(before)
    if not isinstance(y, list):
        assert type(result.y) is type(y)
        assert getattr(result.y, "dtype", None) == getattr(y, "dtype", None)
        assert np.shape(result.y) == np.shape(y)
    if isinstance(y, pd.Series):
        pd.testing.assert_index_equal(result.y.index, y.index)
        assert result.y.name == y.name


def test_flips_are_uniform_over_the_other_classes():
    y = np.repeat(["a", "b", "c", "d"], 1500)
    table = pd.crosstab(y, corrupted(y).y).to_numpy()
    for i, row in enumerate(table):
        assert row[i] == 0
        assert stats.chisquare(np.delete(row, i)).pvalue > 1e-3


@pytest.mark.parametrize("spelt", ["mapping", "matrix"])
def test_transitions_ignore_the_diagonal_and_renormalise(spelt):
    y = np.repeat(["a", "b", "c"], 3000)
    weights = {"a": {"a": 7, "b": 0.6, "c": 0.2}, "b": {"c": 2}}
    matrix = [[7, 0.6, 0.2], [0, 0, 2], [0, 0, 5]]
    result = corrupted(y, transition=weights if spelt == "mapping" else matrix)
    table = pd.crosstab(y, result.y).reindex(columns=["a", "b", "c"], fill_value=0).to_numpy()
    assert stats.chisquare(table[0, 1:], [2250, 750]).pvalue > 1e-3
    np.testing.assert_array_equal(table[1:], [[0, 0, 3000], [0, 0, 3000]])
    # a class with nowhere to go is not matched
    assert result.record.n_matched == result.record.n_corrupted == 6000


@given(
    weights=st.lists(st.lists(st.floats(0, 9), min_size=3, max_size=3), min_size=3, max_size=3),
    seed=st.integers(0, 99),
)
def test_labels_go_only_where_the_matrix_lets_them(weights, seed):
    y = np.arange(12) % 3
    allowed = np.array(weights) > 0
    np.fill_diagonal(allowed, False)
    if not allowed.any():
        return
    result = corrupted(y, transition=weights, random_state=seed)
    hit = result.record.y_mask
    np.testing.assert_array_equal(hit, allowed.any(axis=1)[y])
    assert allowed[y[hit], result.y[hit]].all()


def test_the_count_is_taken_among_labels_that_can_move():
    y = np.repeat(["a", "b"], [10, 30])
    record = corrupted(y, transition={"a": "b"}, rate=0.5).record
    assert (record.n_matched, record.n_corrupted, record.row_fraction) == (10, 5, 5 / 40)


@pytest.mark.parametrize("transition", [{"a": "a"}, {"b": {"b": 2.0}}, np.eye(2)], ids=repr)
def test_transitions_that_move_no_label_are_named(transition):
    y = np.array(["a", "b", "b"])
    with pytest.warns(UserWarning, match="changed nothing.* moves no label to another one") as told:
        out = corrupted(y, transition=transition, rate=1.0).y
    assert out.tolist() == y.tolist()
    assert "pattern" not in str(told[0].message)


def test_a_misspelt_class_is_named():
    y = np.array(["malignant", "benign"])
    with pytest.warns(UserWarning, match=r"'bening' is no label .* \(did you mean 'benign'\?\)"):
        out = corrupted(y, transition={"malignant": "bening"}).y
    assert out.tolist() == ["bening", "benign"]


@pytest.mark.filterwarnings("ignore:transition.*is no label of y:UserWarning")
def test_a_transition_may_lead_to_a_new_class():
    assert corrupted(np.array(["a", "b"]), transition={"a": "other"}).y.tolist() == ["other", "b"]
    assert corrupted(np.array([0, 1]), transition={0: {7: 1.0}}).y.tolist() == [7, 1]
    assert corrupted(np.array([0, 1]), transition={0: 2.5}).y.tolist() == [2.5, 1.0]
    several = corrupted(np.array([0, 1]), transition={0: {2.5: 1.0, 3.5: 1.0}}).y
    assert several[0] in (2.5, 3.5) and several[1] == 1.0
    y = pd.Series(["a", "b"], dtype="category")
    out = corrupted(y, transition={"a": "other"}).y
    assert out.tolist() == ["other", "b"]
    assert out.cat.categories.tolist() == ["a", "b", "other"]


def test_classes_come_from_fit():
    corruption = CorruptLabels(rate=1.0, random_state=0)
    corruption.fit(np.ones((4, 1)), ["a", "b", "c", "a"])
    assert corruption.classes_.tolist() == ["a", "b", "c"]
    out = corruption.corrupt(np.ones((60, 1)), ["a"] * 59 + ["new"]).y
    assert set(out[:59]) == {"b", "c"}
    assert out[59] == "new"


def test_missing_labels_of_several_kinds():
    assert corrupted(np.array([0, 1, 1]), missing_label=-1).y.tolist() == [-1, -1, -1]
    out = corrupted(np.array([0, 1, 1]), missing_label=np.nan, pattern="y == 1").y
    np.testing.assert_array_equal(out, [0.0, np.nan, np.nan])
    out = corrupted(np.array(["a", "b"]), missing_label=np.nan).y
    assert out.dtype == object and pd.isna(out).all()
    out = corrupted(pd.Series([True, False], dtype="boolean"), missing_label=pd.NA).y
    assert out.dtype == "boolean" and out.isna().all()
    out = corrupted(pd.Series(["a", "b"], dtype="category"), missing_label=np.nan).y
    assert out.isna().all() and out.cat.categories.tolist() == ["a", "b"]
    out = corrupted(np.array([0, 3], dtype=np.uint8), missing_label=-1).y
    assert out.tolist() == [-1, -1] and out.dtype.kind == "i"
    out = corrupted(np.array(["a", "b"]), missing_label="unknown", rate=0.5).y
    assert sorted(out)[-1] == "unknown"


def test_labels_that_are_missing_already_are_not_struck():
    y = np.array([1.0, np.nan, 0.0, -1.0])
    assert corrupted(y).record.y_mask.tolist() == [True, False, True, True]
    assert corrupted(y, missing_label=-1).record.y_mask.tolist() == [True, False, True, False]
    assert corrupted(y, missing_label=np.nan).record.y_mask.tolist() == [True, False, True, True]
    assert corrupted(y, shift=1).record.y_mask.tolist() == [True, False, True, True]


def test_shift_for_regression():
    y = np.linspace(-3, 3, 40)
    result = corrupted(y, shift=-2.5, rate=0.25)
    np.testing.assert_array_equal(result.y, np.where(result.record.y_mask, y - 2.5, y))
    assert result.record.y_mask.sum() == 10
    assert corrupted(np.array([1, 2]), shift=1).y.tolist() == [2, 3]
    assert corrupted(np.array([1, 2]), shift=0.5).y.tolist() == [1.5, 2.5]


def test_a_factor_and_an_offset_for_regression():
    y = np.array([0.0, 20.0, 100.0])
    assert corrupted(y, factor=1.8, shift=32).y.tolist() == [32, 68, 212]
    result = corrupted(y, factor=1000)
    # nothing becomes of 0
    assert result.record.n_matched == 2 and result.y.tolist() == [0, 20_000, 100_000]
    whole = corrupted(np.array([1, 3], dtype=np.int8), factor=100).y
    assert whole.dtype == np.int64 and whole.tolist() == [100, 300]
    assert corrupted(np.array([1, 3]), factor=0.5).y.tolist() == [0.5, 1.5]


def test_noise_for_regression():
    y = np.append(np.random.default_rng(0).normal(50, 8, 3000), np.nan)
    result = corrupted(y, noise=0.5, rate=0.5)
    off = (result.y - y)[result.record.y_mask]
    assert result.record.n_matched == 3000 and len(off) == 1500
    assert stats.kstest(off / (0.5 * np.nanstd(y)), "norm").pvalue > 1e-3


def test_a_frame_is_read_by_its_labels():
    y = np.array(["a", "b", "c"] * 4)
    # in another order than that of classes
    goes = pd.DataFrame({"a": [1, 0, 5], "c": [0, 5, 0]}, index=["b", "a", "c"])
    result = corrupted(y, transition=goes)
    assert {*zip(y.tolist(), result.y.tolist(), strict=True)} == {
        ("a", "c"),
        ("b", "a"),
        ("c", "a"),
    }
    error = CorruptLabels(transition=goes, rate=1.0, random_state=0)
    again = BaseCorruption.from_dict(error.to_dict())
    X = np.zeros((len(y), 1))
    np.testing.assert_array_equal(again.fit_resample(X, y)[1], error.fit_resample(X, y)[1])
    with pytest.raises(ValueError, match="more than one row 'a'"):
        corrupted(y, transition=goes.set_axis(["a", "a", "c"]))
    with pytest.raises(ValueError, match="0 is not of the type of the labels"):
        corrupted(y, transition=pd.DataFrame(np.ones((3, 3))))


def test_shift_does_not_wrap_around():
    assert corrupted(np.array([127, 3], dtype=np.int8), shift=1).y.tolist() == [128, 4]
    assert corrupted(np.array([0, 3], dtype=np.uint8), shift=-1).y.tolist() == [-1, 2]


def test_labels_too_large_to_shift_are_not_struck():
    result = corrupted(np.array([1.0, np.inf, 1e300]), shift=1.0)
    assert result.y.tolist() == [2.0, np.inf, 1e300]
    assert result.record.y_mask.tolist() == [True, False, False]


@pytest.mark.filterwarnings("ignore:transition.*is no label of y:UserWarning")
def test_strings_are_widened():
    out = corrupted(np.array(["a", "b"]), transition={"a": "something longer"}).y
    assert out.tolist() == ["something longer", "b"]


@pytest.mark.parametrize(
    ("y", "params", "message"),
    [
        (LETTERS, {"transition": "ab"}, "should be a dict of labels"),
        (LETTERS, {"transition": 3}, r"has shape \(\)"),
        (LETTERS, {"transition": np.ones((2, 2))}, r"each of the 3 classes \['a', 'b', 'c'\]"),
        (LETTERS, {"transition": [["a", "b"]]}, "should be a dict of labels"),
        (LETTERS, {"transition": {}}, "starts from none of the labels"),
        (LETTERS, {"transition": {"z": "a"}}, "starts from none of the labels"),
        (LETTERS, {"transition": {"a": 1}}, "1 is not of the type of the labels"),
        (LETTERS, {"transition": {"a": ["b", "c"]}}, "should go to one label"),
        (LETTERS, {"transition": {"a": {"b": "x"}}}, "should be numbers"),
        (LETTERS, {"transition": {"a": {"b": -1}}}, "finite and not negative"),
        (LETTERS, {"transition": {"a": {"b": np.nan}}}, "finite and not negative"),
        (LETTERS, {"shift": 1}, "needs numeric labels"),
        ([1.5, 2], {"shift": "up"}, "should be a finite number"),
        ([1.5, 2], {"shift": 0}, "should be a finite number"),
        ([1.5, 2], {"shift": np.nan}, "should be a finite number"),
        ([1.5, 2], {"shift": True}, "should be a finite number"),
        ([1.5, 2], {}, "pass shift="),
        (LETTERS, {"noise": 1}, "noise=1 needs numeric labels"),
        ([1.5, 2], {"factor": 1}, "factor=1 should be a finite number other than 0 and 1"),
        ([1.5, 2], {"noise": -1}, "noise=-1 should be a finite number above 0"),
        ([2.0, 2.0], {"noise": 1}, "which does not vary"),
        ([1.5, 2], {"noise": 1, "factor": 2}, "factor and noise were both given"),
        (LETTERS, {"missing_label": [1]}, "should be a single value"),
        (LETTERS, {"missing_label": -1, "shift": 1}, "shift and missing_label were both given"),
        (None, {}, "requires y"),
        (np.ones((30, 2)), {}, "y has 2 columns"),
        (np.array(["a", 1, 2.5], dtype=object), {}, "cannot be sorted"),
        (LETTERS[:-1], {}, "inconsistent numbers of samples"),
        (LETTERS, {"pattern": "y == 1"}, "'a', 'b', 'c'"),
    ],
)
def test_bad_requests_are_refused(y, params, message):
    n = 30 if y is None or y is LETTERS or len(y) == 29 else len(y)
    with pytest.raises(ValueError, match=message):
        CorruptLabels(**params).fit_resample(np.ones((n, 1)), y)


@pytest.mark.parametrize("params", [{}, {"transition": {"a": "a"}}, {"transition": [[3.0]]}])
def test_one_class_has_nowhere_to_go(params):
    with pytest.warns(UserWarning, match="y holds one class, 'a', so that no label has another"):
        out = corrupted(np.array(["a", "a"]), **params).y
    assert out.tolist() == ["a", "a"]


@pytest.mark.parametrize(
    ("dtype", "label", "expected"),
    [
        ("Int64", -1, "Int64"),
        ("Int8", -1, "Int8"),
        ("Int8", 300, "Int64"),
        ("UInt8", -1, "Int64"),
        ("int8[pyarrow]", -1, "int8[pyarrow]"),
        ("int64[pyarrow]", 999, "int64[pyarrow]"),
    ],
)
def test_a_label_for_missing_ones_keeps_nullable_dtypes(dtype, label, expected):
    X, y = pd.DataFrame({"a": np.arange(20.0)}), pd.Series([0, 1] * 10, dtype=dtype)
    new = CorruptLabels(missing_label=label, rate=0.5, random_state=0).fit_resample(X, y)[1]
    assert new.dtype == expected
    assert (new == label).sum() == 10


@pytest.mark.parametrize("dtype", ["int64", "float64", "bool", "str", "category", "Int64"])
def test_a_series_keeps_its_name_index_and_attributes(dtype):
    y = pd.Series([0, 1] * 10, index=[7] * 20, name="y").astype(dtype)
    y.attrs["source"] = "a form"
    X = pd.DataFrame({"a": np.arange(20)}, index=y.index)
    wrong = CorruptLabels(rate=0.5, random_state=0).corrupt(X, y).y
    assert type(wrong) is pd.Series and wrong.dtype == y.dtype and wrong.name == "y"
    assert wrong.attrs == {"source": "a form"} and wrong.index.equals(y.index)
    assert (wrong.to_numpy() != y.to_numpy()).sum() == 10
