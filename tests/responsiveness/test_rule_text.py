"""Rules as text, odd and huge ones: read, or refused in a few words, and kept without overflow."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    CausalEffect,
    DirectionalLinkage,
    LinearConstraint,
    LinearEffect,
    NoiseEffect,
    ReachableSampler,
)

X = pd.DataFrame({"a": [0.0, 1.5, 2.0], "b": [0.0, 5.25, 9.0], "w": [0, 1, 1], "n": [0, 4, 9]})


def points(text, X=X, person=1):
    """Draws of what a person can reach under a rule."""
    actions = ActionSet.from_data(X).add(text)
    return ReachableSampler(actions).sample(X.iloc[[person]], 50, random_state=0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1e308*10 + a <= 100", r"in '1e308' a number is too large or too small; numbers in rules"),
        ("a * 1e90 * 1e90 <= 1", r"in 'a \* 1e90' a number is too large"),
        ("a / 1e90 / 1e90 <= 1", r"in 'a / 1e90' a number is too large or too small"),
        ("1e99 * (1e99 + a) <= 1", "a number is too large"),
        ("a == 1e400", "a number is too large"),
        ("1e-300 * a <= 1", "0 or between 1e-100 and 1e\\+100 in size"),
        ("a <= " + "9" * 4_000, "a number is too large"),
        ("a <= " + "9" * 5_000, "a number has too many digits"),
        ("a <= 0x" + "f" * 5_000, "a number is too large"),
        ("if n in (1, " + "9" * 4_000 + ") then a <= 1", "a number is too large"),
        ("not " * 400 + "a <= 1", "is no comparison"),
        ("if " + "not " * 400 + "a <= 1 then b <= 1", "is no comparison"),
        ("(" * 400 + "a" + ")" * 400 + " <= 1", "too many nested parentheses"),
        ("- " * 50_000 + "a <= 1", "nested too deeply"),
        ("a.b" + ".b" * 900 + " <= 1", "is not a column; names go in backticks"),
        ("delta(" * 150 + "a" + ")" * 150 + " <= 1", "is not a column"),
        ("a" * 300_000 + " <= 1", "300005 characters long; at most 200000 are read"),
        ("1 < 1 < a", "'1 < 1' should name a column"),
        ("5 <= 3 and a <= 1", "'5 <= 3' should name a column"),
        ("if a <= 1 and 1 < 2 then b <= 1", "'1 < 2' should name a column"),
        ("a + b <= b + a", "in 'a \\+ b <= b \\+ a' the columns of both sides cancel out"),
        ("0 * a == 0", "cancel out"),
        ("if a in () then b <= 1", "'in' is followed by a list of values"),
        ("a / 0 <= 1", "'a / 0' is not divided by a number other than 0"),
        ("True * a <= 1", "'True \\* a' is not a number times a column"),
        ("a <= 1j", "'1j' is not a column"),
        ("a == b'x'", "\"b'x'\" is not a column"),
        ("if a == f'x' then b <= 1", "an f-string is not allowed"),
        (r"if a == '\d' then b <= 1", "double the backslash"),
        ("2nd <= 1", "a name that starts with a digit goes in backticks"),
        ("if a == 'x then b <= 1", "a quote is not closed"),
        ("`a b <= 1", "a backtick is not closed"),
        ("a + b := delta(w)", "'a \\+ b' is not a column"),
        ("b := ", "cannot be read: it is empty"),
        ("a\x00 <= 1", "null"),
    ],
    ids=lambda text: text[:20],
)
def test_what_cannot_be_meant_is_refused_in_a_few_words(text, message):
    with pytest.raises(ValueError, match=message) as refused:
        ActionSet.from_data(X).add(text)
    assert type(refused.value) is ValueError
    assert str(refused.value).startswith("Rule ")
    assert len(str(refused.value)) < 1_000


def test_a_sum_may_have_a_thousand_terms():
    wide = pd.DataFrame({f"c{i}": [0.0, 1.0] for i in range(1_000)})
    actions = ActionSet.from_data(wide).add(" + ".join(wide.columns) + " <= 1000")
    (rule,) = actions.constraints
    assert rule.columns == tuple(wide.columns)
    assert LinearConstraint(str(rule)) == rule
    assert actions.validate(wide).empty
    assert len(CausalEffect({"a": " + ".join(wide.columns)}).sources) == 1_000
    assert str(LinearConstraint("- " * 400 + "a <= 1")) == "a <= 1"


def test_names_and_numbers_are_taken_as_they_are_written():
    assert LinearConstraint("µ <= 1").columns == ("µ",)
    assert str(LinearConstraint("0x10 * a <= 1_000 and 1e99 >= a")) == (
        "16 * a <= 1000 and 1e+99 >= a"
    )
    (rule,) = ActionSet.from_data(X.rename(columns={"b": "if"})).add("`if` := delta(w)").constraints
    assert rule == DirectionalLinkage("w", "if", 1.0)


@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b",
                "`b`",
                "w",
                "1",
                "2.5",
                "0",
                "1e99",
                "1e308",
                "+",
                "-",
                "*",
                "/",
                "<=",
                "==",
                ">",
                "in",
                "and",
                "or",
                "not",
                "(",
                ")",
                ",",
                "[",
                "]",
                "`",
                "'",
                "if",
                "then",
                "else",
                ":=",
                "delta(a)",
                "abs(delta(b))",
                "delta",
                "abs",
                "'s'",
                "True",
                "None",
                "1and",
                ".",
                "#",
                "\\",
                "lambda",
                "é",
                "inf",
            ]
        )
        | st.sampled_from(["a <= 1", "if w == 1 then", "a :=", "\n", "\x00", "9" * 400]),
        max_size=9,
    ).map(" ".join)
)
def test_any_text_is_read_or_gives_a_value_error(text):
    try:
        rules = ActionSet.from_data(X).add(text).constraints
    except ValueError as error:
        assert type(error) is ValueError
        assert len(str(error)) < 1_000
    else:
        for rule in rules:
            assert type(rule).from_dict(rule.to_dict()) == rule


@pytest.mark.parametrize(
    "text",
    [
        "'\\" * 50_000,
        "_name" + "_" * 100_000 + " <= `a`",
        "`a` " * 25_000,
        "a <= 1 and " * 9_000 + "a <= 1",
        "if" + " then a" * 14_000,
    ],
    ids=lambda text: text[:12],
)
def test_time_grows_with_the_length_only(text):
    start = time.process_time()
    try:
        LinearConstraint(text)
    except ValueError as error:
        assert len(str(error)) < 1_000
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text",
    [
        "1e100 * a + 1e50 * b <= 1e100 * w + 1e100",
        "1e-100 * delta(a) == 1e-100 * delta(b)",
        "if w == 1 then 1e100 * abs(delta(a)) + 1e99 * n >= -1e99 else 1e100 * b <= 1e100",
        "1e50 * abs(delta(a)) + 1e-50 * abs(delta(b)) <= 1e100",
        "0.5 * b - 1e99 * delta(n) >= delta(w) + 1e-50 * b",
    ],
)
@pytest.mark.parametrize("size", [1e-200, 1.0, 1e99])
def test_rules_of_any_size_do_not_overflow(text, size):
    sized = X.assign(a=X["a"] * size, b=X["b"] * size)
    real = [ActionElement(name, "real", 0.0, 9.0 * size) for name in "ab"]
    whole = [ActionElement("w", "bool"), ActionElement("n", "integer", 0, 9)]
    actions = ActionSet([*real, *whole], [text])
    kept = sorted({0, 1, 2} - set(actions.validate(sized)["row"]))
    assert kept
    for person in kept:
        found = ReachableSampler(actions).sample(sized.iloc[[person]], 50, random_state=0)
        assert actions.validate(found).empty


def test_a_walk_that_rounding_takes_beyond_a_bound_goes_on():
    narrow = X.assign(c=[-1.0, 0.25, 1.0])
    with pytest.warns(UserWarning, match="hit-and-run"):
        found = points("c := 1e12 * delta(b) + 1e14 * delta(w)", X=narrow, person=2)
    assert found["c"].between(-1.0, 1.0 + 1e-9).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ActionElement("a", "integer", 0, 10**400), "a: ub=10+… should be a finite number"),
        (lambda: ActionElement("a", "real", -1e200), r"lb=-1e\+200 .* at most 1e\+100 in size"),
        (lambda: ActionElement("a", "integer", 0, 9, step=10**400), "step=10+… should be a whole"),
        (lambda: DirectionalLinkage("a", "b", 1e300), r"scale=1e\+300 should be a number of"),
        (lambda: LinearEffect("b", {"w": 1e300}), r"coefficients=\{'w': 1e\+300\} should give"),
        (lambda: NoiseEffect("b", 1e300), r"scale=1e\+300 should be above 0 and at most 1e\+100"),
        (
            lambda: NoiseEffect("b", covariance=[[np.inf]]),
            r"=\[\[inf\]\] should be rows of numbers",
        ),
        (lambda: CausalEffect({"b": "1e300 * w"}), "a number is too large"),
        (
            lambda: CausalEffect({"b": "w"}, noise={"b": np.inf}),
            r"noise\.b=inf should be a finite",
        ),
        (
            lambda: ActionElement("a", "integer", 0, 1e50).n_values(0.0),
            r"a: it is more than .* steps of 1 from 0 to 1e\+50; set a larger step",
        ),
    ],
)
def test_numbers_that_cannot_be_added_up_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_values_that_cannot_be_added_up_are_listed():
    actions = ActionSet.from_data(X, actionable=["b"]).add("b <= 1e100 * a + 1e100")
    found = actions.validate(X.assign(a=[1e300, -1e300, np.inf]))
    assert found["message"].tolist() == [
        "a=1e+300 is beyond 1e+100; measure the column in larger units",
        "a=-1e+300 is beyond 1e+100; measure the column in larger units",
        "a is missing or none of its values",
    ]


def test_too_many_cases_are_refused_before_they_are_listed():
    wide = pd.DataFrame({f"c{i}": [0.5, 1.0, 0.0] for i in range(20)} | {"z": [0, 1, 1]})
    listed = " and ".join(f"c{i} in (0, 0.25, 0.5)" for i in range(20))
    moved = " + ".join(f"abs(delta(c{i}))" for i in range(20))
    for text in (f"if z == 1 then {listed}", f"if z == 1 then {moved} >= 10"):
        with pytest.raises(ValueError, match="make more than 1024 cases") as refused:
            points(text, X=wide, person=0)
        assert len(str(refused.value)) < 1_000


def test_a_condition_of_many_parts_is_told_apart_in_linear_time():
    start = time.process_time()
    points(f"if {' and '.join(f'a <= {i}' for i in range(800))} then b <= 0.5", person=1)
    assert time.process_time() - start < 3
