"""What a domain holds, contains and says of itself."""

import json

import numpy as np
import pandas as pd
import pytest

from skcorrupt.attributes import FeatureDomain, infer_domains

AGE = FeatureDomain("age", "integer", lower=18, upper=90, step=1)


def test_numbers_belong_between_the_bounds():
    assert AGE.contains([18, 90, 17, 91]).tolist() == [True, True, False, False]
    assert AGE.contains(np.array([18.0, 18.5, np.nan, np.inf])).tolist() == [
        True,
        False,
        False,
        False,
    ]
    assert AGE.contains([20, "20", None, [20], 20.5]).tolist() == [True, False, False, False, False]
    assert AGE.contains(["a"]).tolist() == [False]
    real = FeatureDomain("x", "real", lower=0.5, upper=2, has_missing=True)
    assert real.contains(pd.Series([0.4, 0.5, 1.7, None])).tolist() == [False, True, True, True]
    assert AGE.contains([]).shape == (0,)


def test_booleans_take_both_spellings():
    domain = FeatureDomain("m", "boolean", lower=0, upper=1, values=(0, 1))
    assert domain.contains([0, 1, 2]).tolist() == [True, True, False]
    assert domain.contains([True, False]).tolist() == [True, True]
    assert domain.contains([0.0, 0.5]).tolist() == [True, False]
    assert domain.contains(["0"]).tolist() == [False]


def test_categories_belong_if_listed():
    domain = FeatureDomain("c", "categorical", values=(True, 1, "a"))
    cells = pd.Series(["a", "b", 1, 1.0, True, None, 2], dtype=object)
    assert domain.contains(cells).tolist() == [True, False, True, True, True, False, False]
    lists = infer_domains(pd.DataFrame({"c": pd.Series([[1], {"b": 2}, None], dtype=object)}))["c"]
    assert lists.contains(pd.Series([[1], [2], None], dtype=object)).tolist() == [True, False, True]


def test_times_belong_between_the_bounds():
    low, high = pd.Timestamp("2024-01-01"), pd.Timestamp("2024-02-01")
    domain = FeatureDomain("d", "datetime", lower=low, upper=high)
    assert domain.contains(pd.to_datetime(["2024-01-15", "2024-03-01", None])).tolist() == [
        True,
        False,
        False,
    ]
    assert domain.contains(["2024-01-15"]).tolist() == [False]
    assert domain.contains([5]).tolist() == [False]
    waits = FeatureDomain("w", "timedelta", lower=pd.Timedelta("1h"), upper=pd.Timedelta("2h"))
    assert waits.contains(pd.to_timedelta(["1h", "3h"])).tolist() == [True, False]


def test_domains_are_frozen_and_hashable():
    with pytest.raises(AttributeError):
        AGE.lower = 3
    assert len({AGE, FeatureDomain("age", "integer", lower=18, upper=90, step=1)}) == 1


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"name": 3, "kind": "real", "lower": 0, "upper": 1}, "name should be a string"),
        ({"kind": "number"}, "kind='number' should be one of"),
        ({"kind": "real"}, "lower=None and upper=None"),
        ({"kind": "real", "lower": 2, "upper": 1}, "lower=2 and upper=1"),
        ({"kind": "real", "lower": "a", "upper": 1}, "lower='a'"),
        ({"kind": "real", "lower": 0, "upper": 1, "step": 1}, "step=1 should be"),
        ({"kind": "integer", "lower": 0, "upper": 1}, "step=None should be"),
        ({"kind": "categorical"}, "has values and no bounds, got values=None"),
        ({"kind": "categorical", "values": ("a",), "lower": "a"}, "lower='a' and upper=None; pass"),
        ({"kind": "categorical", "values": ["a"]}, "should be a tuple"),
        ({"kind": "categorical", "values": (), "has_missing": 1}, "should be True or False"),
    ],
)
def test_fields_that_do_not_fit_are_refused(kwargs, message):
    with pytest.raises(ValueError, match=message):
        FeatureDomain(**{"name": "a", **kwargs})


@pytest.mark.parametrize(
    "cells",
    [
        [1, 2, 3],
        [0.5, None, np.inf],
        [True, False],
        ["a", "b", None],
        [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02 12:00:00.000000001")],
        pd.to_datetime(["2024-01-01"]).tz_localize("Europe/Berlin"),
        pd.to_timedelta(["1h", "3 days"]),
        pd.Series([1, "a", True, [2]], dtype=object),
        [None, None],
    ],
)
def test_a_domain_survives_json(cells):
    domain = infer_domains(pd.DataFrame({"a": cells}))["a"]
    back = FeatureDomain.from_dict(json.loads(json.dumps(domain.to_dict(), allow_nan=False)))
    assert back == domain
    assert type(back.lower) is type(domain.lower)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "extra is not known; a domain has name, kind"),
        ({"kind": "number"}, "kind='number'"),
        ({"kind": ["a"]}, "kind="),
        ({"values": "ab"}, "values='ab' should be a list"),
        ({"lower": {"float": "x"}}, "lower: {'float': 'x'} of type dict is not a value"),
        ({"kind": "datetime", "lower": "soon"}, "lower='soon' should be the text of a datetime"),
    ],
)
def test_bad_dicts_are_refused_with_the_field(change, message):
    with pytest.raises(ValueError, match=message):
        FeatureDomain.from_dict({**AGE.to_dict(), **change})
    with pytest.raises(ValueError, match="kind is missing; a domain has name, kind"):
        FeatureDomain.from_dict({"name": "a"})
