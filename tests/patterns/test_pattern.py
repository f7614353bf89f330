"""A pattern as a value: what it takes, how it prints, merges, travels and refuses."""

import copy
import datetime
import decimal
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.base import BaseEstimator, clone

from skcorrupt.patterns import Condition, Pattern, as_pattern

NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False),
    st.floats(allow_nan=False, width=32).map(np.float32),
    st.integers(-100, 100).map(np.int8),
)
SCALARS = st.one_of(
    NUMBERS,
    st.booleans(),
    st.text(max_size=8),
    st.text(alphabet="`'\"\\#\n\r\t {}", max_size=6),
    st.datetimes(),
)
NAMES = st.one_of(
    st.text(max_size=8),
    st.text(alphabet="`'\"\\#\n yµﬁ.", max_size=5),
    st.sampled_from(["y", "`y`", "and", "in", "inf", "nan", "None", "µ", "_name0", "x", ""]),
    st.integers(0, 9),
    st.tuples(st.text(max_size=3), st.integers(0, 3)),
)


@st.composite
def ranges(draw):
    low, high = sorted([draw(NUMBERS), draw(NUMBERS)], key=float)
    names = draw(st.sampled_from(["ge", "gt"])), draw(st.sampled_from(["le", "lt"]))
    kept = {names[0]: draw(st.sampled_from([low, None])), names[1]: high}
    try:
        return Condition(**kept)
    except ValueError:
        return Condition(one_of=[low])


SPECS = st.one_of(SCALARS, st.lists(SCALARS, min_size=1, max_size=4), ranges())


@st.composite
def patterns(draw):
    p = Pattern()
    for name, spec in draw(st.lists(st.tuples(NAMES, SPECS), max_size=4)):
        try:
            p = p & Pattern({name: spec})
        except ValueError:
            continue
    return p


@given(patterns())
def test_text_parses_back_to_an_equal_pattern(p):
    back = Pattern.parse(str(p))
    assert back == p
    assert hash(back) == hash(p)
    assert str(back) == str(p)
    assert back.columns == p.columns


@given(patterns())
def test_every_other_form_gives_an_equal_pattern_back(p):
    assert Pattern.from_dict(json.loads(json.dumps(p.to_dict(), allow_nan=False))) == p
    assert Pattern(p.conditions) == p
    assert eval(repr(p), {"Pattern": Pattern}) == p
    assert pickle.loads(pickle.dumps(p)) == p
    assert copy.copy(p) == copy.deepcopy(p) == p
    for condition in p.conditions.values():
        assert pickle.loads(pickle.dumps(condition)) == condition
        names = {"Condition": Condition, "inf": np.inf}
        assert eval(repr(condition), names) == condition


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({}, "every row"),
        ({"age": (18, None)}, "age >= 18"),
        ({"age": (None, 30)}, "age <= 30"),
        ({"age": (18, 30)}, "18 <= age <= 30"),
        ({"age": Condition(gt=18, lt=30)}, "18 < age < 30"),
        ({"age": Condition(gt=18)}, "age > 18"),
        ({"age": (30, 30)}, "age == 30"),
        ({"age": (-np.inf, 30.0)}, "age <= 30"),
        ({"age": (None, None)}, "age <= inf"),
        ({"age": np.inf}, "age == inf"),
        ({"x": -0.0}, "x == 0"),
        ({"x": np.float32(0.3)}, "x == 0.3"),
        ({"x": np.float16(0.1)}, "x == 0.1"),
        ({"x": 0.1 + 0.2}, "x == 0.30000000000000004"),
        ({"x": np.int8(3)}, "x == 3"),
        ({"x": decimal.Decimal("0.25")}, "x == 0.25"),
        ({"x": np.bool_(True)}, "x == True"),
        ({"x": [1, True, "1"]}, "x in (True, 1, '1')"),
        ({"x": [2, 1.0, 1]}, "x in (1, 2)"),
        ({"sex": {"Male", "Female"}}, "sex in ('Female', 'Male')"),
        ({"sex": frozenset(["Male"])}, "sex == 'Male'"),
        ({"marital status": "single"}, "`marital status` == 'single'"),
        ({"a`b": 1}, "`a``b` == 1"),
        ({"y": 1}, "y == 1"),
        ({"`y`": 1}, "`y` == 1"),
        ({"`age`": 1}, "age == 1"),
        ({0: 5}, "`0` == 5"),
        ({("a", 1): 5}, "`('a', 1)` == 5"),
        ({"in": 5}, "`in` == 5"),
        ({"inf": 5}, "`inf` == 5"),
        ({"when": pd.Timestamp("2024-01-31")}, "when == '2024-01-31'"),
        ({"when": datetime.date(2024, 1, 31)}, "when == '2024-01-31'"),
        ({"when": np.datetime64("2024-01-31T12")}, "when == '2024-01-31T12:00:00'"),
        ({"when": (datetime.datetime(2024, 1, 31, 5), None)}, "when >= '2024-01-31T05:00:00'"),
        ({"wait": datetime.timedelta(hours=36)}, "wait == '1 days 12:00:00'"),
        ({"bin": pd.Interval(0, 10)}, "bin == '(0, 10]'"),
    ],
)
def test_text_is_readable(spec, text):
    p = Pattern(spec)
    assert str(p) == text
    assert repr(p) == f"Pattern.parse({text!r})"
    assert Pattern.parse(text) == p


def test_attributes():
    p = Pattern({"b": 1, "y": 0, "a c": (0, 1)})
    assert p.columns == ("b", "a c")
    assert p.uses_y
    assert p.n_conditions == 2
    assert list(p.conditions) == ["b", "y", "a c"]
    assert Pattern({"`y`": 1}).columns == ("y",)
    assert not Pattern({"`y`": 1}).uses_y
    assert Pattern().columns == ()
    assert Pattern({}) == Pattern(None) == Pattern()


def test_equality_ignores_order_and_tells_types_apart():
    assert Pattern({"a": 1, "b": 2}) == Pattern({"b": 2, "a": 1})
    assert len({Pattern({"a": 1, "b": 2}), Pattern({"b": 2, "a": 1})}) == 1
    assert Pattern({"a": 1}) == Pattern({"a": 1.0})
    assert Pattern({"a": 1}) != Pattern({"a": True})
    assert Pattern({"a": 1}) != Pattern({"a": "1"})
    assert Pattern({"y": 1}) != Pattern({"`y`": 1})
    assert len({Pattern({"a": 1}), Pattern({"a": True}), Pattern({"a": 1.0})}) == 2
    assert Pattern({"a": 1}) != "a == 1"


def test_patterns_and_conditions_cannot_be_changed():
    p = Pattern({"a": 1})
    for frozen, name in [(p, "_items"), (p, "new"), (p.conditions["a"], "values")]:
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(frozen, name, 1)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(frozen, name)
    with pytest.raises(TypeError):
        p.conditions["b"] = 1


def test_a_pattern_is_a_good_parameter():
    class Holder(BaseEstimator):
        def __init__(self, pattern=None):
            self.pattern = pattern

    p = Pattern({"a": 1})
    assert clone(Holder(p)).pattern == p
    assert "a == 1" in repr(Holder(p))


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ("age >= 18", "age <= 30", "18 <= age <= 30"),
        ("age >= 18", "age > 18", "age > 18"),
        ("age < 30", "age <= 30", "age < 30"),
        ("10 <= age <= 40", "20 <= age <= 50", "20 <= age <= 40"),
        ("age >= 30", "age <= 30", "age == 30"),
        ("age in (1, 2, 3)", "age >= 2", "age in (2, 3)"),
        ("age > 2", "age in (1, 2, 3)", "age == 3"),
        ("age in (1, 2, 'a')", "age <= 1", "age == 1"),
        ("sex in ('a', 'b')", "sex in ('b', 'c')", "sex == 'b'"),
        ("age <= inf", "age == 'a'", "age == 'a'"),
        ("d >= '2024-01-01'", "d >= '2024-02'", "d >= '2024-02'"),
        ("d >= '2024-01-01'", "d > '2024-01-01T00:00'", "d > '2024-01-01T00:00'"),
        ("d <= '2024-03-01'", "d in ('2024-01-01', '2024-05-01')", "d == '2024-01-01'"),
        ("a == 1", "b == 2 and y == 0", "a == 1 and b == 2 and y == 0"),
        ("y == 1", "`y` == 2", "y == 1 and `y` == 2"),
        ("every row", "a == 1", "a == 1"),
    ],
)
def test_conditions_on_one_attribute_are_merged(first, second, merged):
    both = Pattern.parse(first) & Pattern.parse(second)
    assert str(both) == merged
    assert (
        Pattern.parse(
            f"{second} and {first}".replace("every row and ", "").replace(" and every row", "")
        )
        == both
    )


@pytest.mark.parametrize(
    "text",
    [
        "age == 1 and age == 2",
        "age < 1 and age > 2",
        "age < 1 and age >= 1",
        "30 <= age <= 18",
        "age == 'a' and age <= 3",
        "age in (1, 2) and age > 2",
        "y == 1 and y == 0",
        "x == 1 and x == True",
        "d >= '2024-02-01' and d <= '2024-01-01'",
        "age > inf",
        "age < -inf",
    ],
)
def test_contradictions_are_refused(text):
    with pytest.raises(ValueError, match=r"nothing can be|no value lies"):
        Pattern.parse(text)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"age": (1, 2, 3)}, r"column age: a tuple is a range \(low, high\)"),
        ({"age": ()}, "a tuple is a range"),
        ({"age": (3, 1)}, "no value lies between 3 and 1"),
        ({"age": ("a", 1)}, "a number and a string"),
        ({"age": []}, "at least one value"),
        ({"age": None}, "None matches nothing"),
        ({"age": np.nan}, "nan matches nothing"),
        ({"age": {1, np.nan}}, "nan matches nothing"),
        ({"age": pd.NA}, "matches nothing"),
        ({"age": pd.NaT}, "matches nothing"),
        ({"age": np.datetime64("NaT", "ns")}, "matches nothing"),
        ({"age": (np.nan, 3)}, "use None to leave an end open"),
        ({"y": [None]}, "the label y"),
        ({"age": {"a": 1}}, "of type dict is not a value"),
        ({"age": [[1, 2]]}, "of type list is not a value"),
        ({"age": np.array([1, 2])}, "of type ndarray is not a value"),
        ({"age": 1j}, "of type complex is not a value"),
        ({"age": b"a"}, "of type bytes is not a value"),
        ({"age": 10**400}, "too large"),
        ({0: 5, "0": 6}, "column `0`: nothing can be"),
    ],
)
def test_malformed_conditions_are_refused(spec, message):
    with pytest.raises(ValueError, match=message):
        Pattern(spec)


def test_text_bounds_whose_order_only_a_column_knows_are_not_merged():
    for text in ["size >= 'low' and size >= 'mid'", "size in ('low', 'mid') and size >= 'mid'"]:
        with pytest.raises(ValueError, match="known to the column only"):
            Pattern.parse(text)


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"ge": 1, "gt": 2}, "ge or gt, not both"),
        ({"le": 1, "lt": 2}, "le or lt, not both"),
        ({"ge": 1, "one_of": [1]}, "either bounds or one_of"),
        ({"one_of": "abc"}, "should be a list of values"),
    ],
)
def test_condition_arguments_exclude_each_other(kwargs, message):
    with pytest.raises(ValueError, match=message):
        Condition(**kwargs)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "conditions is missing; a pattern has conditions"),
        ({"age": 3}, "age is not known; a pattern has conditions"),
        ({"conditions": 3}, "conditions=3 should be a list"),
        ({"conditions": [3]}, r"conditions\[0\]=3 should be an? "),
        ({"conditions": [{"in": [1]}]}, "either 'column' or 'label'"),
        ({"conditions": [{"column": "a", "label": True, "in": [1]}]}, "either 'column' or 'label'"),
        (
            {"conditions": [{"label": False, "in": [1]}]},
            "label=False should be true",
        ),
        ({"conditions": [{"column": 3, "in": [1]}]}, r"conditions\[0\].column=3 should be a text"),
        (
            {"conditions": [{"column": "a", "eq": 1}]},
            r"conditions\[0\].eq is not known",
        ),
        ({"conditions": [{"column": "a", "in": 1}]}, r"conditions\[0\].in=1 should be a list"),
        ({"conditions": [{"column": "a", "in": []}]}, "at least one value"),
        ({"conditions": [{"column": "a", "in": [None]}]}, "None matches nothing"),
        ({"conditions": [{"column": "a", "in": [1], "ge": 0}]}, "either bounds or one_of"),
        ({"conditions": [{"column": "a", "ge": {"float": "nan"}}]}, "is not a value"),
        ({"conditions": [{"column": "a", "ge": [1]}]}, "of type list"),
        ({"conditions": [{"column": "a", "ge": 2, "le": 1}]}, "no value lies"),
    ],
)
def test_bad_dicts_are_refused_with_the_field(data, message):
    with pytest.raises(ValueError, match=message):
        Pattern.from_dict(data)


def test_from_dict_takes_column_names_as_they_are():
    entry = {"conditions": [{"column": "y", "in": [1]}, {"label": True, "in": [0]}]}
    assert str(Pattern.from_dict(entry)) == "`y` == 1 and y == 0"
    assert Pattern.from_dict(entry).to_dict() == entry


def test_as_pattern_takes_what_a_pattern_parameter_takes():
    p = Pattern({"age": (None, 30)})
    assert as_pattern(p) is p
    assert as_pattern("age <= 30") == as_pattern({"age": (None, 30)}) == p
    assert as_pattern(None) == Pattern()
    for wrong in (3, ["age <= 30"], ("age", 1), b"age <= 30"):
        with pytest.raises(TypeError, match="should be a Pattern, a string"):
            as_pattern(wrong)
    with pytest.raises(TypeError, match=r"use Pattern\.parse for text"):
        Pattern("age <= 30")
    with pytest.raises(TypeError, match="text should be a string"):
        Pattern.parse(3)
    with pytest.raises(TypeError):
        p & "age <= 30"
