"""Values of another branch of a hierarchy."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from skcorrupt import BaseCorruption, CorruptCategories
from skcorrupt.utils import as_table

REGIONS = {"Rome": "south", "Oslo": "north", "Bari": "south", "Bergen": "north", "Kiel": "middle"}


def branch(*args, hierarchy=REGIONS, **kwargs):
    given = {"rate": 1.0, "random_state": 0, **kwargs}
    return CorruptCategories(*args, kind="branch", hierarchy=hierarchy, **given)


def test_a_struck_value_goes_under_another_parent_uniformly():
    X = pd.DataFrame({"city": [*REGIONS] * 400})
    out = branch().fit_transform(X)["city"]
    assert (out.map(REGIONS) != X["city"].map(REGIONS)).all()
    for city, made in out.groupby(X["city"]):
        counts = made.value_counts()
        assert set(counts.index) == {c for c in REGIONS if REGIONS[c] != REGIONS[city]}
        assert stats.chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("dtype", [object, "category", "string"])
def test_what_the_hierarchy_does_not_have_stays(dtype):
    cities = pd.Series(["Rome", "Paris", None, "Kiel"], dtype=object).astype(dtype)
    X = pd.DataFrame({"city": cities})
    corruption = branch()
    assert corruption._can_change(as_table(X), 0).tolist() == [True, False, False, True]
    out = corruption.fit_transform(X)["city"]
    assert corruption.record_.n_matched == 2
    assert out[1] == "Paris" and pd.isna(out[2]) and REGIONS[out[0]] != "south"
    frame = pl.DataFrame({"city": ["Rome", "Paris", None, "Kiel"]})
    assert branch().fit_transform(frame)["city"].to_list() == [
        None if pd.isna(city) else city for city in out
    ]


def test_codes_that_are_numbers_stay_integers():
    X = pd.DataFrame({"code": [101, 102, 201, 999]})
    out = branch("code", hierarchy={101: 1, 102: 1, 201: 2}).fit_transform(X)["code"]
    assert out.dtype == np.int64 and out[:2].tolist() == [201, 201]
    assert out[2] in (101, 102) and out[3] == 999


def test_columns_without_its_values_are_left_out_or_refused():
    X = pd.DataFrame({"city": ["Rome", "Oslo"], "job": ["clerk", "cook"], "n": [1, 2]})
    fitted = branch().fit(X)
    assert fitted.reference_.columns == [0]
    with pytest.raises(ValueError, match="'job' holds text values such as 'clerk', 'cook', none"):
        branch("job").fit(X)
    with pytest.raises(ValueError, match="'n' holds integer values such as 1, 2"):
        branch("n").fit(X)
    always = branch(when="always").fit(X)
    # rows of new data may have none of them
    assert always.transform(X.assign(city="Paris"))["city"].tolist() == ["Paris"] * 2


@pytest.mark.parametrize(
    ("hierarchy", "message"),
    [
        (None, "hierarchy=None has no values, but kind='branch' needs the parent"),
        ({}, "has no values"),
        ({"Rome": "south", "Bari": "south"}, "has one branch only, 'south'"),
        ({"Rome": "south", "Oslo": None}, "parents that are missing"),
        ({"Rome": ["south"], "Oslo": ["north"]}, "cannot be compared"),
        ("Rome", "'hierarchy' parameter"),
    ],
)
def test_a_hierarchy_that_is_none_is_refused(hierarchy, message):
    with pytest.raises(ValueError, match=message):
        branch(hierarchy=hierarchy).fit(pd.DataFrame({"city": ["Rome"]}))


def test_a_hierarchy_is_saved():
    corruption = branch("code", hierarchy={1: "a", 2: "b"})
    again = BaseCorruption.from_dict(corruption.to_dict())
    assert again.hierarchy == {1: "a", 2: "b"} and repr(again) == repr(corruption)
