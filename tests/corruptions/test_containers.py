"""Containers, dtypes and awkward tables: what goes in comes out, changed only where it must be."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from skcorrupt import (
    CorruptCategories,
    CorruptClip,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    SelectionBias,
)

FEATURE = [
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptCategories,
    CorruptClip,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
]
SAMPLE = [CorruptLabels, SelectionBias, CorruptDuplicates]


def erased(values, dtype=None, rate=0.5):
    X = pd.DataFrame({"a": pd.Series(values, dtype=dtype)})
    corruption = CorruptMissing(rate=rate, random_state=0)
    out = corruption.fit_transform(X)
    return out["a"], corruption.record_.X_mask[:, 0], X["a"]


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([1, 2, 3, 4], "int64", "float64"),
        ([1, 2, 3, 4], "uint8", "float64"),
        ([1.5, 2, 3, 4], "float32", "float32"),
        ([True, False, True, True], "bool", "object"),
        ([1, 2, None, 4], "Int64", "Int64"),
        ([True, None, True, True], "boolean", "boolean"),
        (list("abca"), "object", "object"),
        (list("abca"), "string", "string"),
        (list("abca"), "string[python]", "string[python]"),
        (list("abca"), "category", "category"),
        ([1, 2, 3, 4], "int64[pyarrow]", "int64[pyarrow]"),
        (list("abca"), "string[pyarrow]", "string[pyarrow]"),
        (pd.date_range("2020", periods=4), None, None),
        (pd.date_range("2020", periods=4, tz="Asia/Tokyo"), None, None),
        (pd.to_timedelta(range(4), unit="h"), None, None),
        (pd.period_range("2020", periods=4), None, None),
        (pd.interval_range(0, 4), None, "interval[float64, right]"),
        (pd.interval_range(0.0, 4.0), None, None),
        ([0.0, 1.5, 0.0, 2.0], "Sparse[float64]", "Sparse[float64]"),
        ([[1], [2], [1, 2], []], "object", "object"),
        ([1, "b", 2.5, True], "object", "object"),
        ([pd.Timestamp("2020-01-01")] * 4, "object", "object"),
    ],
)
def test_erasing_keeps_the_dtype_or_takes_the_nearest(values, dtype, expected):
    out, mask, before = erased(values, dtype)
    assert out.dtype == (before.dtype if expected is None else expected)
    assert out.isna()[mask].all() and mask.sum() == 2
    assert list(out[~mask]) == list(before[~mask])


def test_integers_that_float64_would_round_become_objects():
    ids = [2**53 + 1, 2**53 + 3, -(2**60) - 1, 5]
    for dtype in ("int64", "uint64"):
        values = [abs(i) for i in ids] if dtype == "uint64" else ids
        out, mask, before = erased(values, dtype)
        assert out.dtype == object
        assert [int(v) for v in out[~mask]] == before[~mask].tolist()
    X = np.array(ids, dtype=np.int64).reshape(4, 1)
    out = CorruptMissing(rate=0.5, random_state=0).fit_transform(X)
    assert out.dtype == object and set(out[~pd.isna(out)]) <= set(ids)
    nullable = pd.DataFrame({"a": pd.array(ids, dtype="Int64")})
    noisy = CorruptNoise(rate=0.5, random_state=0)
    out = noisy.fit_transform(nullable)["a"][~noisy.record_.X_mask[:, 0]]
    assert set(out) <= set(ids)


@pytest.mark.parametrize(
    ("corruption", "values", "expected"),
    [
        (CorruptScale(factor=10.0), np.array([1, 2, 3, 4]), "int64"),
        (CorruptScale(factor=0.5), np.array([1, 3, 5, 7]), "float64"),
        (CorruptScale(factor=100.0), np.array([100, 120, 90, 80], dtype=np.uint8), "int64"),
        (CorruptScale(), np.array([1, 2, 3, 4], dtype=np.float32), "float32"),
        (CorruptNoise(), np.array([1, 2, 3, 4], dtype=np.float32), "float32"),
        (CorruptNoise(), np.array([1, 2, 3, 4]), "float64"),
        (CorruptNoise(), np.array([True, False, False, True]), "bool"),
        (CorruptNoise(), pd.array([1, 2, None, 4], dtype="Int64"), "Float64"),
        (CorruptNoise(), pd.array([1, 2, None, 4], dtype="Float64"), "Float64"),
        (CorruptScale(), pd.array([1, 2, None, 4], dtype="Int64"), "Int64"),
        (CorruptScale(), pd.array([1, 2, None, 4], dtype="Int8"), "Int64"),
        (CorruptScale(), pd.array([1, 2, 3, 4], dtype="uint8[pyarrow]"), "int64[pyarrow]"),
        (CorruptScale(factor=0.5), pd.array([1, None, 3, 5], dtype="UInt8"), "Float64"),
        (CorruptNoise(), pd.array([1, 2, 3, 4], dtype="int64[pyarrow]"), "double[pyarrow]"),
        (CorruptNoise(), pd.Categorical([1, 2, 3, 4]), "category"),
        (CorruptNoise(), pd.array(list("abca"), dtype="string"), "string"),
        (CorruptNoise(), pd.period_range("2020", periods=4), "period[D]"),
        (CorruptCategories(kind="unseen"), np.array(list("abca"), dtype=object), "object"),
        (CorruptSentinel(), np.array([1, 2, 3, 4], dtype=np.uint8), "int64"),
        (CorruptSentinel(value=-0.5), np.array([1, 2, 3, 4]), "float64"),
        (CorruptSentinel(), np.array([1, 2, 3, 4], dtype=np.float32), "float32"),
        (CorruptSentinel(), np.array([True, False, False, True]), "float64"),
        (CorruptSentinel(), pd.array([1, 2, None, 4], dtype="Int64"), "Int64"),
        (CorruptSentinel(), pd.array([1, 2, None, 4], dtype="UInt8"), "Int64"),
        (CorruptSentinel(), pd.array([1, 2, 3, 4], dtype="int8[pyarrow]"), "int64[pyarrow]"),
        (CorruptSentinel(value=0.5), pd.array([1, 2, None, 4], dtype="Int64"), "Float64"),
        (CorruptSentinel(), pd.array([True, None, False, True], dtype="boolean"), "Int64"),
        (CorruptSentinel(), pd.array([True, False] * 2, dtype="bool[pyarrow]"), "int64[pyarrow]"),
        (CorruptSentinel(), pd.array([1, 2, 3, 4], dtype="int64[pyarrow]"), "int64[pyarrow]"),
        (CorruptSentinel(), pd.array(["a", None, "c", "a"], dtype="string"), "string"),
        (CorruptSentinel(), pd.array(list("abca"), dtype="string[pyarrow]"), "string[pyarrow]"),
        (CorruptSentinel(), np.array(list("abca"), dtype=object), "object"),
        (CorruptCategories(kind="unseen"), pd.array([True, None] * 2, dtype="boolean"), None),
    ],
)
def test_new_values_keep_the_dtype_or_take_the_nearest(corruption, values, expected):
    is_object = isinstance(values, np.ndarray) and values.dtype == object
    X = pd.DataFrame({"a": pd.Series(values, dtype=object if is_object else None)})
    if expected is None:
        with pytest.warns(UserWarning, match="Nothing will be corrupted"):
            corruption.fit(X)
        return
    out = corruption.set_params(rate=1.0, random_state=0).fit_transform(X)["a"]
    assert out.dtype == expected
    assert (out.isna() == X["a"].isna()).all()
    assert (out != X["a"])[X["a"].notna()].all()


def test_a_categorical_gains_the_new_value_and_keeps_its_order():
    X = pd.DataFrame({"a": pd.Categorical(["S", "L"], ["S", "M", "L"], ordered=True)})
    out = CorruptOutliers(rate=1.0).fit_transform(X)["a"]
    assert out.tolist() == ["unseen", "unseen"]
    assert out.cat.ordered and out.cat.categories.tolist() == ["S", "M", "L", "unseen"]
    numbers = pd.DataFrame({"a": pd.Categorical([10, 20])})
    out = CorruptOutliers(rate=1.0).fit_transform(numbers)["a"]
    assert out.cat.categories.tolist() == [10, 20, 21]
    assert out.cat.categories.dtype == np.int64


def test_arrays_change_dtype_as_a_whole_and_keep_their_order():
    out = CorruptMissing("x0", rate=0.5).fit_transform(np.arange(8).reshape(4, 2))
    assert out.dtype == np.float64
    out = CorruptMissing("x0", rate=0.5).fit_transform(np.array([[True], [False]]))
    assert out.dtype == object
    strings = np.array([["a", "b"], ["c", "d"]])
    assert CorruptMissing(rate=0.5).fit_transform(strings).dtype == object
    out = CorruptCategories(kind="unseen", rate=0.5).fit_transform(strings)
    assert out.dtype == "<U6" and (out == "unseen").sum() == 2
    times = np.array([["2020-01-01"], ["2020-01-05"]], dtype="datetime64[D]")
    out = CorruptMissing(rate=0.5).fit_transform(times)
    assert out.dtype == times.dtype and np.isnat(out).sum() == 1
    assert CorruptOutliers(rate=1.0).fit_transform(times).dtype == times.dtype
    fortran = np.asfortranarray(np.random.default_rng(0).normal(size=(5, 3)))
    assert CorruptNoise(rate=0.5).fit_transform(fortran).flags.f_contiguous


def test_read_only_arrays_and_views_are_taken():
    base = np.arange(40.0).reshape(10, 4)
    base.flags.writeable = False
    for X in (base, base[::2, ::-1], base.T):
        before = X.copy()
        for corruption in set(FEATURE) - {CorruptCategories}:
            out = corruption(rate=0.5, random_state=0).fit_transform(X)
            assert not np.shares_memory(out, X)
        np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("family", ["array", "matrix"])
@pytest.mark.parametrize(
    "corruption",
    [
        CorruptMissing,
        CorruptNoise,
        CorruptOutliers,
        CorruptClip,
        CorruptRounding,
        CorruptScale,
        CorruptSentinel,
    ],
)
def test_sparse_gives_what_dense_gives(kind, family, corruption):
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(30, 4)) * (rng.uniform(size=(30, 4)) < 0.4)
    X = getattr(sparse, f"{kind}_{family}")(dense)
    c = corruption(pattern="x0 <= 0.5", rate=0.6, random_state=3)
    out, reference = c.fit_transform(X), c.corrupt(dense)
    assert type(out) is type(X)
    np.testing.assert_array_equal(out.toarray(), reference.X)
    assert sparse.issparse(c.record_.X_mask)
    np.testing.assert_array_equal(c.record_.X_mask.toarray(), reference.record.X_mask)
    np.testing.assert_array_equal(X.toarray(), dense)


@pytest.mark.parametrize("corruption", SAMPLE)
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array", "coo_array"])
def test_samplers_take_sparse_tables(corruption, kind):
    dense = np.eye(6)[:, :4]
    X, y = getattr(sparse, kind)(dense), np.arange(6) % 2
    c = corruption(rate=0.5, random_state=0)
    X_out, _ = c.fit_resample(X, y)
    assert type(X_out) is type(X)
    np.testing.assert_array_equal(X_out.toarray(), dense[c.sample_indices_])
    assert c.record_.X_mask.shape == X_out.shape and c.record_.X_mask.sum() == 0


def test_categories_refuse_sparse_tables():
    with pytest.raises(TypeError, match="dense data is required"):
        CorruptCategories("x0").fit(sparse.eye_array(3, format="csr"))


def test_explicit_duplicates_in_coo_are_added_up():
    X = sparse.coo_array(([1.0, 2.0, 5.0], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    out = CorruptScale("x0", factor=10.0, rate=1.0).fit_transform(X)
    np.testing.assert_array_equal(out.toarray(), [[30, 0], [0, 5]])


POLARS = pl.DataFrame(
    {
        "small": pl.Series([1, 2, None, 4], dtype=pl.Int8),
        "real": [1.0, None, 3.0, float("nan")],
        "single": pl.Series([1.0, 2.0, 3.0, 4.0], dtype=pl.Float32),
        "text": ["a", None, "b", "c"],
        "flag": [True, None, False, True],
        "code": pl.Series(["u", "v", "u", None], dtype=pl.Categorical),
        "day": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 4), eager=True),
        "when": pl.datetime_range(
            pl.datetime(2020, 1, 1), pl.datetime(2020, 1, 4), eager=True, time_unit="ns"
        ),
        "zone": pl.datetime_range(
            pl.datetime(2020, 1, 1), pl.datetime(2020, 1, 4), eager=True, time_zone="Asia/Tokyo"
        ),
        "span": pl.Series([1000, 2000, 3000, 4000], dtype=pl.Int64).cast(pl.Duration("ms")),
        "many": [[1], [2], [3], None],
    }
)


def test_polars_erases_to_null():
    out = CorruptMissing(rate=1.0).fit_transform(POLARS)
    assert out.dtypes == POLARS.dtypes
    assert all(out[name].null_count() == 4 for name in out.columns)
    half = CorruptMissing(rate=0.5, random_state=0)
    out = half.fit_transform(POLARS)
    kept = ~half.record_.X_mask[:, 0]
    assert out.filter(kept).equals(POLARS.filter(kept), null_equal=True)


@pytest.mark.parametrize("corruption", [CorruptNoise, CorruptOutliers])
def test_polars_columns_of_every_type(corruption):
    X = POLARS.drop("many")
    out = corruption(rate=1.0, random_state=0).fit_transform(X)
    changes = {"small": pl.Float64}
    assert out.schema == {**X.schema, **changes}
    for name in ("small", "real"):
        # NaN is a number to polars: what was missing stays or becomes null
        assert not out[name].is_nan().any()
    for name in ("real", "single", "day", "when", "zone", "span"):
        present = X[name].is_not_null() & X[name].cast(pl.Int64, strict=False).is_not_null()
        if name in ("day", "when", "zone") and corruption is CorruptNoise:
            assert out[name].is_not_null().all()
        else:
            assert (out[name] != X[name]).filter(present).all()


def test_polars_integers_stay_where_they_fit():
    X = pl.DataFrame({"a": pl.Series([1, 2, None], dtype=pl.Int8)})
    out = CorruptScale(factor=10.0, rate=1.0).fit_transform(X)["a"]
    assert out.dtype == pl.Int8 and out.to_list() == [10, 20, None]
    out = CorruptScale(factor=1000.0, rate=1.0).fit_transform(X)["a"]
    assert out.dtype == pl.Int64 and out.to_list() == [1000, 2000, None]
    out = CorruptScale(factor=0.5, rate=1.0).fit_transform(X)["a"]
    assert out.dtype == pl.Float64 and out.to_list() == [0.5, 1.0, None]


def test_polars_and_pandas_agree():
    values = np.random.default_rng(0).normal(size=(50, 2))
    words = list("abcde") * 10
    p = pl.DataFrame({"x": values[:, 0], "z": values[:, 1], "w": words})
    d = pd.DataFrame({"x": values[:, 0], "z": values[:, 1], "w": words})
    for corruption in (CorruptMissing(), CorruptNoise(), CorruptOutliers(), CorruptCategories()):
        corruption.set_params(rate=0.4, pattern="w in ('a', 'b') and z <= 1", random_state=1)
        left, right = corruption.fit_transform(p), corruption.fit_transform(d)
        for name in "xzw":
            a = pd.Series(left[name].to_list(), dtype=object)
            b = right[name].astype(object)
            assert (a.isna() == b.isna()).all() and (a == b)[a.notna()].all()


def test_polars_samplers():
    X, y = POLARS.select("small", "text"), pl.Series("t", ["p", "q", "p", "q"])
    X_out, y_out = SelectionBias(pattern="text == 'a'", rate=1.0).fit_resample(X, y)
    assert X_out.equals(X[1:]) and y_out.equals(y[1:])
    X_out, y_out = CorruptDuplicates(pattern="y == 'q'", rate=1.0).fit_resample(X, y)
    assert X_out.equals(X[[0, 1, 2, 3, 1, 3]]) and y_out.to_list() == ["p", "q", "p", "q", "q", "q"]


def test_lazy_frames_are_refused_with_the_remedy():
    with pytest.raises(TypeError, match=r"call X\.collect\(\)"):
        CorruptMissing().fit(POLARS.lazy())


LABELS = {
    "integers": [10, 20, 30],
    "tuples": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]),
    "times": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
    "numpy strings": np.array(["p", "q", "r"]),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_columns_under_any_labels(labels):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 3)), columns=labels)
    second = X.columns[1]
    for columns in (second, [second]):
        out = CorruptMissing(columns, rate=0.5).fit_transform(X)
        assert out.isna().sum().tolist() == [0, 3, 0]
        pd.testing.assert_index_equal(out.columns, X.columns)
    with pytest.raises(ValueError, match="X has no column 'nowhere'"):
        CorruptMissing("nowhere").fit(X)


def test_columns_under_strings_and_numbers_at_once_are_refused_with_the_remedy():
    with pytest.raises(TypeError, match=r"columns\.astype\(str\)"):
        CorruptMissing().fit(pd.DataFrame({"a": [1.0], 1: [2.0]}))


def test_columns_may_be_named_in_an_array_or_an_index():
    X = pd.DataFrame({"a": [1.0], "b": [2.0]})
    for columns in (np.array(["b"]), pd.Index(["b"]), ("b",)):
        assert CorruptMissing(columns, rate=1.0).fit_transform(X).isna().iloc[0].tolist() == [0, 1]


def test_columns_of_arrays_go_by_name_or_position():
    X = np.ones((2, 12))
    for columns in ("x11", 11, -1, ["x11"], [np.int64(11)]):
        out = CorruptMissing(columns, rate=1.0).fit_transform(X)
        assert np.isnan(out).sum(axis=0).tolist() == [0] * 11 + [2]


def test_columns_of_equal_names_are_told_apart_by_position():
    X = pd.DataFrame(np.arange(12.0).reshape(4, 3), columns=["a", "b", "a"])
    out = CorruptMissing(rate=0.5, same_rows=False, random_state=0).fit_transform(X)
    assert out.isna().sum().tolist() == [2, 2, 2]
    assert CorruptMissing("b", rate=1.0).fit_transform(X).isna().sum().tolist() == [0, 4, 0]
    with pytest.raises(ValueError, match="2 columns called 'a'; give them distinct names"):
        CorruptMissing("a").fit(X)
    with pytest.raises(ValueError, match="ambiguous"):
        CorruptMissing("b", pattern="a > 1").fit_transform(X)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("agee", "no column 'agee'. Did you mean 'age'. Its columns are: age, job"),
        (["age", "age"], "names a column more than once"),
        ([], "names no column"),
        (0, "no column 0"),
    ],
)
def test_unknown_columns_are_refused_with_those_there_are(columns, message):
    X = pd.DataFrame({"age": [1.0], "job": ["a"]})
    with pytest.raises(ValueError, match=message):
        CorruptMissing(columns).fit(X)


def test_names_lost_in_an_array_are_explained():
    with pytest.raises(ValueError, match=r"set_output\(transform='pandas'\) keeps the names"):
        CorruptMissing("age").fit(np.ones((2, 2)))


@pytest.mark.parametrize("corruption", [*FEATURE, *SAMPLE])
@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.empty((0, 2)), ValueError, "0 sample"),
        (pd.DataFrame({"a": []}), ValueError, "0 sample"),
        (pd.DataFrame(index=[1, 2]), ValueError, "0 feature"),
        (np.ones(3), ValueError, "2D array"),
        (np.ones((3, 2, 2)), ValueError, "dim"),
        (pd.Series([1.0, 2.0]), ValueError, "2-dimensional"),
    ],
)
def test_tables_that_are_none_are_refused(corruption, X, error, message):
    with pytest.raises(error, match=message):
        corruption().fit(X, None if X.shape[:1] == (0,) else np.zeros(X.shape[0]))


@pytest.mark.parametrize("rate", [1.5, -0.1, float("nan"), "a", [0.1]])
@pytest.mark.parametrize("corruption", [*FEATURE, *SAMPLE])
def test_rates_that_are_no_share_are_refused(corruption, rate):
    with pytest.raises(ValueError, match="'rate' parameter"):
        corruption(rate=rate).fit(np.ones((3, 1)), [0, 1, 0])
    with pytest.raises(ValueError, match="'rate' parameter"):
        corruption(rate=rate).corrupt(np.ones((3, 1)), [0, 1, 0])


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True])
def test_seeds_that_are_none_are_refused(seed):
    with pytest.raises(ValueError, match="random_state"):
        CorruptMissing(random_state=seed).fit_transform(np.ones((3, 1)))


def test_one_row():
    X = pd.DataFrame({"a": [3.0], "b": ["x"]})
    assert CorruptMissing(rate=1.0).fit_transform(X).isna().all(axis=None)
    assert CorruptDuplicates(rate=1.0).fit_resample(X)[0].shape == (2, 2)
    with pytest.warns(UserWarning, match="less than one row"):
        CorruptMissing().fit_transform(X)


def test_unhashable_cells_can_be_erased_but_not_swapped():
    X = pd.DataFrame({"a": [[1], [2, 3], [4]], "b": [1.0, 2.0, 3.0]})
    assert CorruptMissing(rate=1.0).fit_transform(X)["a"].isna().all()
    with pytest.raises(ValueError, match="unhashable values such as lists"):
        CorruptNoise(rate=1.0).fit_transform(X)
    for given in (X, pl.DataFrame(X.to_dict("list"))):
        with pytest.raises(ValueError, match="'a' holds unhashable values such as lists"):
            CorruptSentinel("a", rate=1.0).fit_transform(given)


def test_cells_of_mixed_types():
    X = pd.DataFrame({"a": [1, "b", None, 2.5, True] * 10})
    out = CorruptNoise(rate=1.0, random_state=0).fit_transform(X)["a"]
    assert (out.isna() == X["a"].isna()).all()
    assert set(out.dropna()) == {1, "b", 2.5}
    assert (out != X["a"])[X["a"].notna()].all()


def test_other_columns_than_in_fit_are_refused():
    corruption = CorruptMissing(rate=1.0).fit(pd.DataFrame({"a": [1.0], "b": [2.0]}))
    with pytest.raises(ValueError, match="feature names"):
        corruption.transform(pd.DataFrame({"a": [1.0], "c": [2.0]}))
    with pytest.raises(ValueError, match="features"):
        CorruptMissing(rate=1.0).fit(np.ones((2, 2))).corrupt(np.ones((2, 3)))


def test_what_comes_out_can_be_changed_without_changing_what_went_in():
    X = np.arange(6.0).reshape(3, 2) + 1
    before = X.copy()
    out = CorruptScale("x0", rate=0.4).fit_transform(X)
    out[:] = -1
    np.testing.assert_array_equal(X, before)
