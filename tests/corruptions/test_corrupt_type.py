"""Numbers as text: how they are written, and which tables can hold them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from skcorrupt import AdversarialCorruptionSearch, CorruptType
from skcorrupt.utils import as_table

KINDS = ("decimal_comma", "unit", "thousands", "scientific", "plain")


def struck(X, *args, **kwargs):
    return CorruptType(*args, rate=1.0, random_state=0, **kwargs).fit_transform(X)


@given(value=st.floats(-1e12, 1e12), kind=st.sampled_from(KINDS))
@pytest.mark.filterwarnings("ignore:.*kept their values")
def test_texts_read_back_to_the_number(value, kind):
    out = struck(pd.DataFrame({"a": [value]}), kind=kind, unit="m/s")["a"].iloc[0]
    if kind == "thousands" and abs(value) < 1000:
        assert out == value and not isinstance(out, str)
        return
    assert isinstance(out, str)
    back = {"decimal_comma": out.replace(",", "."), "unit": out.removesuffix(" m/s")}
    assert float(back.get(kind, out.replace(",", ""))) == value
    assert ("," in out) is (kind in ("decimal_comma", "thousands"))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("decimal_comma", ["12,5", "1234,0", "-0,001"]),
        ("unit", ["12.5 kg", "1234 kg", "-0.001 kg"]),
        ("thousands", [12.5, "1,234", -0.001]),
        ("scientific", ["1.25e+01", "1.234e+03", "-1e-03"]),
        ("plain", ["12.5", "1234", "-0.001"]),
    ],
)
def test_how_numbers_are_written(kind, expected):
    X = pd.DataFrame({"a": [12.5, 1234.0, -0.001]})
    assert struck(X, kind=kind)["a"].tolist() == expected
    whole = pd.DataFrame({"a": [7, 1234]})
    texts = ["7,0", "7 kg", 7, "7e+00", "7"][KINDS.index(kind)]
    assert struck(whole, kind=kind)["a"].tolist()[0] == texts


@pytest.mark.parametrize(
    "dtype", ["int64", "uint8", "float32", "Int64", "Float64", "int64[pyarrow]", "Sparse[float64]"]
)
def test_a_struck_column_becomes_objects_and_the_rest_stays_numbers(dtype):
    X = pd.DataFrame({"a": pd.Series([12, 14, 0, 3], dtype=dtype), "b": [1.5] * 4})
    corruption = CorruptType("a", kind="plain", rate=0.5, random_state=0)
    out = corruption.fit_transform(X)
    hit = corruption.record_.X_mask[:, 0]
    assert out["a"].dtype == object and out["b"].dtype == float and hit.sum() == 2
    assert [isinstance(v, str) for v in out["a"]] == hit.tolist()
    assert out["a"].astype(float).tolist() == [12.0, 14.0, 0.0, 3.0]


def test_missing_and_infinite_numbers_stay():
    X = pd.DataFrame({"a": [1.5, np.nan, np.inf], "b": pd.array([1, 2, None], dtype="Int64")})
    out = struck(X)
    assert out["a"].tolist()[0] == "1,5" and np.isnan(out["a"][1]) and out["a"][2] == np.inf
    assert out["b"].tolist() == ["1,0", "2,0", pd.NA]
    can = CorruptType(kind="thousands")._can_change(as_table(X * 999), 0)
    assert can.tolist() == [True, False, False]


def test_numbers_are_written_alike_whatever_their_dtype_when_always():
    X = pd.DataFrame({"a": pd.array([1, None, 30], dtype="Int64")})
    always = CorruptType(rate=1.0, when="always", random_state=0).fit(X)
    assert always.transform(X)["a"].tolist() == ["1,0", pd.NA, "30,0"]
    assert always.transform(X.iloc[[2]])["a"].tolist() == ["30,0"]
    assert always.transform(X.astype(float).iloc[[2]])["a"].tolist() == ["30,0"]


def test_tables_that_cannot_hold_texts_are_refused_with_the_remedy():
    dense = np.array([[1.5], [2.5]])
    with pytest.raises(ValueError, match=r"'x0' is of numbers, and a numpy .* X\.astype\(object\)"):
        struck(dense, "x0")
    with pytest.raises(ValueError, match=r"a polars table .* X\.to_pandas\(\)"):
        struck(pl.DataFrame({"a": [1.5]}), "a")
    with pytest.raises(TypeError, match="dense data is required"):
        struck(sparse.csr_array(dense))
    with pytest.warns(UserWarning, match="Nothing will be corrupted"):
        np.testing.assert_array_equal(struck(dense), dense)
    told = r"a polars table cannot hold texts .* X\.to_pandas\(\)\. Nothing will be corrupted"
    with pytest.warns(UserWarning, match=told):
        assert struck(pl.DataFrame({"a": [1.5]})).equals(pl.DataFrame({"a": [1.5]}))
    assert struck(dense.astype(object)).tolist() == [["1,5"], ["2,5"]]


def test_a_unit_that_is_none_is_refused():
    with pytest.raises(ValueError, match="unit=' ' is no unit"):
        CorruptType(kind="unit", unit=" ").fit(pd.DataFrame({"a": [1.0]}))


@pytest.mark.parametrize("apply_to", ["train", "test"])
def test_a_search_says_at_once_that_a_pipeline_takes_no_texts(apply_to):
    X = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40) % 7 * 1.0})
    y = (X["a"] > 20).astype(int)
    model = LogisticRegression().fit(X, y)
    search = AdversarialCorruptionSearch(model, "type", apply_to=apply_to, confirm_size=None)
    with pytest.raises(ValueError, match=r"CorruptType.*FunctionTransformer"):
        search.fit(X, y)
