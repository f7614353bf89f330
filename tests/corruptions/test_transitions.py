"""Categories that become others by a table of confusions."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from skcorrupt import AdversarialCorruptionSearch, BaseCorruption, CorruptCategories

TOWNS = {"Rome": {"Bari": 3, "Oslo": 1}, "Oslo": "Roma", "Bari": {"Bari": 5}}


def swap(*args, transition=TOWNS, **kwargs):
    given = {"rate": 1.0, "random_state": 0, **kwargs}
    return CorruptCategories(*args, transition=transition, **given)


def test_values_become_others_as_often_as_the_table_says():
    X = pd.DataFrame({"town": ["Rome", "Oslo"] * 2000})
    out = swap().fit_transform(X)["town"]
    shares = out[X["town"] == "Rome"].value_counts(normalize=True)
    assert set(shares.index) == {"Bari", "Oslo"}
    assert shares["Bari"] == pytest.approx(0.75, abs=0.03)
    assert set(out[X["town"] == "Oslo"]) == {"Roma"}


@pytest.mark.parametrize("dtype", [object, "category", "string"])
def test_what_the_table_turns_into_no_other_stays(dtype):
    towns = pd.Series(["Oslo", "Paris", None, "Bari"], dtype=object).astype(dtype)
    corruption = swap()
    out = corruption.fit_transform(pd.DataFrame({"town": towns}))["town"]
    assert corruption.record_.n_matched == 1
    assert out.astype(object).fillna("").tolist() == ["Roma", "Paris", "", "Bari"]
    frame = pl.DataFrame({"town": ["Oslo", "Paris", None, "Bari"]})
    assert swap().fit_transform(frame)["town"].to_list() == ["Roma", "Paris", None, "Bari"]


def test_a_frame_has_a_row_for_each_clean_value():
    clean = pd.Series(["a", "a", "a", "b"], name="clean")
    dirty = pd.Series(["a", "b", "c", "b"], name="dirty")
    seen = pd.crosstab(clean, dirty)
    X = pd.DataFrame({"x": ["a", "b"] * 50})
    made = swap(transition=seen).fit_transform(X)["x"]
    assert set(made[X["x"] == "a"]) == {"b", "c"} and set(made[X["x"] == "b"]) == {"b"}
    as_dict = swap(transition={"a": {"a": 1, "b": 1, "c": 1}, "b": {"a": 0, "b": 1, "c": 0}})
    assert repr(swap(transition=seen)) == repr(as_dict)
    again = BaseCorruption.from_dict(swap(transition=seen).to_dict())
    pd.testing.assert_series_equal(again.fit_transform(X)["x"], made)


def test_numbers_and_truths_keep_their_kind():
    X = pd.DataFrame({"code": [1, 2, 3], "sure": [True, False, True]})
    out = swap("code", transition={1: 7, 2: {1: 1, 3: 0}}).fit_transform(X)["code"]
    assert out.dtype == np.int64 and out.tolist() == [7, 1, 3]
    out = swap(transition={True: False}).fit_transform(X)["sure"]
    assert out.dtype == bool and not out.any()
    for large in (1e300, 10**30):
        out = swap("code", transition={1: large}).fit_transform(X)["code"]
        assert out.tolist() == [float(large), 2, 3]
    out = swap("code", transition={1: {8: 1e308, 9: 1e308}}).fit_transform(X)["code"]
    assert out[0] in (8, 9)


def test_columns_without_its_values_are_left_out_or_refused():
    X = pd.DataFrame({"town": ["Rome", "Oslo"], "job": ["clerk", "cook"], "n": [1, 2]})
    assert swap().fit(X).reference_.columns == [0]
    with pytest.raises(ValueError, match="'job' holds text values such as 'clerk', 'cook', none"):
        swap("job").fit(X)
    with pytest.raises(ValueError, match="'many' cannot stand in 'n', which holds integer values"):
        swap("n", transition={1: "many"}).fit(X)


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        ({}, "turns no value into another"),
        ({"a": {"a": 2}}, "turns no value into another"),
        ({"a": {"b": -1}}, "a weight of 'a' is -1"),
        ({"a": {"b": np.nan}}, "a weight of 'a' is nan"),
        ({"a": {"b": "often"}}, "a weight of 'a' is 'often'"),
        ({"a": ["b"]}, r"'a' becomes \['b'\]"),
        ({"a": {"b"}}, r"'a' becomes \{'b'\}"),
        ({1: np.inf}, "1 becomes inf, which is no finite number"),
        ({1: 10**400}, "which is no finite number"),
        ({"a": None}, "is no value; use CorruptMissing"),
        ({"a": {np.nan: 1}}, "is no value; use CorruptMissing"),
        (pd.DataFrame([[1, 1]] * 2, ["a", "a"], ["b", "c"]), "more than one row 'a'"),
        (pd.DataFrame([[1, 1]], ["a"], ["b", "b"]), "more than one column 'b'"),
        ("a", "'transition' parameter"),
    ],
)
def test_a_table_that_is_none_is_refused(transition, message):
    with pytest.raises(ValueError, match=message):
        swap(transition=transition).fit(pd.DataFrame({"x": ["a", "b"]}))


@pytest.mark.parametrize("kind", ["typo", "unseen", "branch"])
def test_only_swaps_have_a_table(kind):
    with pytest.raises(ValueError, match=f"kind='{kind}' swaps none"):
        swap(kind=kind, hierarchy={"a": 1, "b": 2}).fit(pd.DataFrame({"x": ["a"]}))


@pytest.mark.usefixtures("few_fits")
def test_a_search_strikes_by_the_table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"town": rng.choice(["Rome", "Oslo", "Bari"], 90)})
    y = (X["town"] == "Rome").astype(int)
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()).fit(X, y)
    search = AdversarialCorruptionSearch(
        model, CorruptCategories("town", transition={"Rome": "Oslo"}), apply_to="test", budget=0.2,
        scoring="accuracy", confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    made = search.worst_corruption_.corrupt(X)
    assert set(made.X["town"][made.record.X_mask[:, 0]]) == {"Oslo"}
    assert search.worst_score_ < search.baseline_score_
    assert search.summary().startswith("Confused categories in `town`")
