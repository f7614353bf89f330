"""Domains read off tables are typed by values."""

import datetime

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from skcorrupt.attributes import FeatureDomain, infer_domains


def domain_of(cells, **kwargs):
    return infer_domains(pd.DataFrame({"a": pd.Series(cells, **kwargs)}))["a"]


@pytest.mark.parametrize(
    ("cells", "kind", "lower", "upper", "values"),
    [
        ([0, 1, 1], "boolean", 0, 1, (0, 1)),
        ([0.0, 1.0, None], "boolean", 0, 1, (0, 1)),
        ([0, 0], "boolean", 0, 0, (0,)),
        ([True, False], "boolean", False, True, (False, True)),
        (pd.Series([True, None], dtype=object), "boolean", True, True, (True,)),
        (pd.array([True, None, False], dtype="boolean"), "boolean", False, True, (False, True)),
        ([3, 1, 3], "integer", 1, 3, (1, 3)),
        ([3.0, 1.0, None], "integer", 1, 3, (1, 3)),
        (pd.array([3, None, 1], dtype="Int64"), "integer", 1, 3, (1, 3)),
        (pd.Series([3, 1], dtype=object), "integer", 1, 3, (1, 3)),
        (np.array([1, 255], dtype=np.uint8), "integer", 1, 255, (1, 255)),
        ([2**60, 2**60 + 1], "integer", 2**60, 2**60 + 1, (2**60, 2**60 + 1)),
        ([2.0**60, 0.0], "integer", 0, 2**60, (0, 2**60)),
        ([0.5, 2.0], "real", 0.5, 2, (0.5, 2)),
        ([1.0, np.inf], "real", 1, np.inf, (1, np.inf)),
        (np.array([0.1, 0.3], dtype=np.float32), "real", 0.1, 0.3, (0.1, 0.3)),
        (["b", "a", None, "b"], "categorical", None, None, ("a", "b")),
        (["1", "0"], "categorical", None, None, ("0", "1")),
        (pd.Categorical(["b", "a"], ["c", "b", "a"]), "categorical", None, None, ("a", "b")),
        (pd.Categorical([1, 0, 1]), "categorical", None, None, (0, 1)),
        (
            pd.Series(["a", 2, 1, True, [3]], dtype=object),
            "categorical",
            None,
            None,
            (True, 1, 2, "[3]", "a"),
        ),
        ([None, None], "categorical", None, None, ()),
        ([np.nan, np.nan], "categorical", None, None, ()),
    ],
)
def test_columns_are_typed_by_values(cells, kind, lower, upper, values):
    domain = domain_of(cells)
    missing = bool(pd.isna(pd.Series(cells)).any())
    assert domain == FeatureDomain(
        "a", kind, lower, upper, values, 1 if kind == "integer" else None, missing
    )
    for got, expected in zip(domain.values, values, strict=True):
        assert type(got) is type(expected)


def test_long_lists_are_left_out():
    assert domain_of(range(50)).values == tuple(range(50))
    many = domain_of(np.arange(51) / 2)
    assert (many.kind, many.lower, many.upper, many.values) == ("real", 0, 25, None)
    assert len(domain_of([f"c{i:03}" for i in range(200)]).values) == 200


def test_times():
    dates = domain_of(pd.to_datetime(["2024-01-02", None, "2024-01-01"]))
    assert (dates.kind, dates.has_missing) == ("datetime", True)
    assert (dates.lower, dates.upper) == (pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02"))
    zoned = domain_of(pd.to_datetime(["2024-01-02"]).tz_localize("Europe/Berlin"))
    assert zoned.lower == pd.Timestamp("2024-01-02", tz="Europe/Berlin")
    days = domain_of([datetime.date(2024, 1, 2), datetime.date(2024, 1, 1)], dtype=object)
    assert (days.kind, days.lower) == ("datetime", pd.Timestamp("2024-01-01"))
    waits = domain_of(pd.to_timedelta(["2h", "1h"]))
    assert (waits.kind, waits.lower, waits.upper) == (
        "timedelta",
        pd.Timedelta("1h"),
        pd.Timedelta("2h"),
    )


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_arrays_and_sparse(make):
    X = make(np.array([[0.0, 0, 2.5], [1, 7, 0]]))
    domains = infer_domains(X)
    assert [(name, d.kind) for name, d in domains.items()] == [
        ("x0", "boolean"),
        ("x1", "integer"),
        ("x2", "real"),
    ]
    assert domains["x1"].lower == 0


def test_object_arrays():
    X = np.array([[1, "a", True], [5, "b", None]], dtype=object)
    kinds = [domain.kind for domain in infer_domains(X).values()]
    assert kinds == ["integer", "categorical", "boolean"]


def test_polars():
    pl = pytest.importorskip("polars")
    X = pl.DataFrame(
        {
            "i": [1, None, 3],
            "s": ["b", None, "a"],
            "b": [True, None, False],
            "d": pl.Series(["2024-01-01", None, "2024-02-01"]).str.to_date(),
        }
    )
    domains = infer_domains(X)
    assert [d.kind for d in domains.values()] == ["integer", "categorical", "boolean", "datetime"]
    assert all(d.has_missing for d in domains.values())
    assert domains["s"].values == ("a", "b")


def test_labels_keep_their_order_and_become_names():
    X = pd.DataFrame([[1, 2, 3]], columns=["b", 0, ("a", 1)])
    domains = infer_domains(X)
    assert list(domains) == ["b", 0, ("a", 1)]
    assert [d.name for d in domains.values()] == ["b", "0", "('a', 1)"]


def test_duplicate_columns_are_named():
    X = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "b"])
    with pytest.raises(ValueError, match="more than one column called 'b'"):
        infer_domains(X)


def test_every_cell_is_in_the_domain_read_off_it():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "n": rng.normal(size=30).astype(np.float32),
            "i": rng.integers(-5, 5, 30),
            "s": rng.choice(["a", "b"], 30),
            "d": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 99, 30), "D"),
            "o": pd.Series([[1], "a", 2, None, True] * 6, dtype=object),
        }
    )
    before = X.copy(deep=True)
    for label, domain in infer_domains(X).items():
        assert domain.contains(X[label]).all(), label
    pd.testing.assert_frame_equal(X, before)
