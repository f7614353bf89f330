"""The grammar of pattern text: what is read, what is refused and how it is said."""

import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from skcorrupt.patterns import Condition, Pattern


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("30 >= age", {"age": (None, 30)}),
        ("30 > age", {"age": Condition(lt=30)}),
        ("18 <= age <= 30", {"age": (18, 30)}),
        ("30 >= age >= 18", {"age": (18, 30)}),
        ("18 < age < 30", {"age": Condition(gt=18, lt=30)}),
        ("1 == age", {"age": 1}),
        ("age == +3", {"age": 3}),
        ("age >= -3.5e2", {"age": (-350, None)}),
        ("age == 1e999", {"age": float("inf")}),
        ("age >= -inf", {"age": (None, None)}),
        ("age == -inf", {"age": -float("inf")}),
        ("a in (1,)", {"a": 1}),
        ("a in [1, 2]", {"a": [1, 2]}),
        ("a in {1, 2}", {"a": [1, 2]}),
        ("a in (True, 'b', -1)", {"a": [True, "b", -1]}),
        ("a == 'it''s'".replace("''", "\\'"), {"a": "it's"}),
        ('a == "b"', {"a": "b"}),
        ("a == '`b`'", {"a": "`b`"}),
        ("a == '#'", {"a": "#"}),
        ("a == '''x'y'''", {"a": "x'y"}),
        (r"a == r'\d'", {"a": r"\d"}),
        ("((a == 1) and (b == 2 and (c == 3)))", {"a": 1, "b": 2, "c": 3}),
        ("  a == 1\n  and b == 2\n", {"a": 1, "b": 2}),
        ("`a b` == 1", {"a b": 1}),
        ("`a``b`== 1", {"a`b": 1}),
        ("`a'b` == 1 and `c\"d` == 2", {"a'b": 1, 'c"d': 2}),
        ("`a#b` == 1", {"a#b": 1}),
        ("`` == 1", {"": 1}),
        ("1<=`a b`<=2", {"a b": (1, 2)}),
        ("`and` == 1", {"and": 1}),
        ("_name0 == 1 and `c d` == 2", {"_name0": 1, "c d": 2}),
        ("y in (0, 1) and `y` <= 3", {"y": [0, 1], "`y`": (None, 3)}),
        ("µ == 1", {"µ": 1}),
        ("größe >= 2", {"größe": (2, None)}),
        (" every row ", {}),
        ("a == 1_000 and b == 0x10 and c == 1.e3", {"a": 1000, "b": 16, "c": 1000}),
        (r"a == '\x41\n\''", {"a": "A\n'"}),
        ("_name0_0 == 1 and `c d` == 2", {"_name0_0": 1, "c d": 2}),
        ("a in (1, 2, 3) and a >= 2 and a in (2, 3, 4) and a < 3", {"a": 2}),
    ],
)
def test_allowed(text, same):
    assert Pattern.parse(text) == Pattern(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; write 'every row'"),
        ("   ", "is empty"),
        ("a = 1", "invalid syntax"),
        ("a == 1 or b == 2", "'or' is not allowed"),
        ("not a == 1", "'not' is not allowed"),
        ("a != 1", "!= is not allowed"),
        ("a not in (1, 2)", "'not in' is not allowed"),
        ("a is None", "'is' is not allowed"),
        ("a is not None", "'is not' is not allowed"),
        ("(a == 1) & (b == 2)", "'&' is not allowed; join conditions with 'and'"),
        ("(a == 1) | (b == 2)", r"'\|' is not allowed"),
        ("~(a == 1)", "'~' is not allowed"),
        ("a == 1 and b", "is not a condition"),
        ("a", "is not a condition"),
        ("True", "is not a condition"),
        ("f(a) == 1", "a function call is not allowed"),
        ("__import__('os').system('true') == 0", "a function call is not allowed"),
        ("a == open('f')", "a function call is not allowed"),
        ("a.b == 1", r"'\.' is not allowed; if it belongs to a column's name, use backticks"),
        ("a[0] == 1", "after a name is not allowed"),
        ("hours-per-week <= 40", "if the sign belongs to a column's name, use backticks"),
        ("a == 1 + 1", "arithmetic is not allowed"),
        ("a == None", "None matches nothing"),
        ("a in (1, None)", "None matches nothing"),
        ("a == nan", "nan matches nothing"),
        ("a <= -nan", "nan matches nothing"),
        ("a <= b", "two columns cannot be compared"),
        ("sex == Female", "if one is a text value, put it in quotes"),
        ("1 <= 2", "are both values"),
        ("'a' in sex", "stands left of 'in'"),
        ("sex in 'abc'", "a list of values in brackets belongs there"),
        ("sex in other", "two columns cannot be compared"),
        ("sex in ()", "at least one value"),
        ("sex in (a, b)", "is not a condition|know"),
        ("sex in [('a',)]", "know"),
        ("sex == ('a', 'b')", "use 'in'"),
        ("sex in ('a' 'b')", "put a comma between them"),
        ("sex == b'a'", "of type bytes"),
        ("sex == f'a'", "an f-string is not allowed"),
        ("a == 1j", "of type complex"),
        ("a == ...", "of type ellipsis"),
        ("a == --1", "know"),
        ("a == -True", "a sign stands before a number only"),
        ("a == -'b'", "a sign stands before a number only"),
        ("a == lambda: 1", "invalid syntax|know"),
        ("(a := 1) == 1", "':=' is not allowed"),
        ("[a for a in b]", "know"),
        ("a == 1 if b else 2", "know"),
        ("a == 1, b == 2", "know"),
        ("a == 1; b == 2", "invalid syntax"),
        ("a == 1 # b == 2", "'#' is not allowed"),
        ("`a b == 1", "a backtick is not closed"),
        ("a == 'b", "unterminated"),
        ("'a\\' == b", "unterminated"),
        (r"a == '\d'", r"holds \\d, which stands for nothing; double the backslash"),
        (r"a == '\777'", "stands for nothing"),
        ("a == 1and b == 2", "1and is neither a number nor a name"),
        ("2nd == 1", "2nd is neither a number nor a name; a name that starts with a digit goes in"),
        ("a == rf'{b}'", "an f-string is not allowed"),
        ("a == 1\x00", "null|text"),
        ("a == '\ud800'", "text"),
        ("marital status == 1", "goes in backticks"),
        ("every row and a == 1", "goes in backticks"),
        ("a == " + "9" * 400, "too large"),
    ],
)
def test_refused_with_a_reason(text, message):
    with pytest.raises(ValueError, match=message) as refused:
        Pattern.parse(text)
    assert type(refused.value) is ValueError
    assert str(refused.value).startswith("Pattern ")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * 150 + "a == 1" + ")" * 150 + ")",
        "-" * 100_000 + "1",
        "not " * 100_000 + "a",
        "a" + ".b" * 100_000 + " == 1",
        "a" + "()" * 100_000,
        "a == 1" + " + 1" * 100_000,
        "lambda: " * 50_000 + "1",
        "a if b else " * 50_000 + "c",
        "a < " * 100_000 + "1",
        "a == " + "9" * 5_000,
        "a == 1 and " * 200_000 + "a == 1",
        "a == 'b" + "b" * 2_000_000 + "'",
        "`" * 99_999,
        "'" * 99_998 + "a",
    ],
    ids=lambda text: text[:12],
)
def test_deep_or_huge_text_is_refused_not_a_crash(text):
    with pytest.raises(ValueError) as refused:
        Pattern.parse(text)
    assert type(refused.value) is ValueError
    assert len(str(refused.value)) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "'\\" * 50_000,
        "_name" + "_" * 100_000 + " <= `a`",
        f"a in {tuple(range(9_000))}" + " and a <= 99999" * 3_000,
        "`a` " * 25_000,
        "a <= 1 and " * 9_000 + "a <= 1",
        "- " * 50_000 + "1",
    ],
    ids=lambda text: text[:12],
)
def test_time_grows_with_the_length_only(text):
    start = time.process_time()
    try:
        Pattern.parse(text)
    except ValueError as error:
        assert len(str(error)) < 1_000
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (10**5_000, "too large for a pattern"),
        ((None, 10**5_000), "too large for a pattern"),
        (Decimal("1e999999999"), "too large for a pattern"),
        (Fraction(10**500, 3), "too large for a pattern"),
        (Decimal("sNaN"), "matches nothing"),
        ([(10**5_000,)], "<tuple too large to show> of type tuple is not a value"),
        (("x" * 9_999, 1), "are a number and a string"),
    ],
    ids=["int", "bound", "decimal", "fraction", "signal", "nested", "long"],
)
def test_odd_values_are_refused_in_a_few_words(value, message):
    with pytest.raises(ValueError, match=message) as refused:
        Pattern({"a" * 9_999: value})
    assert type(refused.value) is ValueError
    assert len(str(refused.value)) < 1_000


def test_an_infinite_decimal_is_infinity():
    assert Pattern({"a": (1, Decimal("Infinity"))}) == Pattern({"a": (1, None)})


def test_long_patterns_are_read():
    values = [f"category {i}" for i in range(5_000)]
    p = Pattern({"a": values})
    assert Pattern.parse(str(p)) == p
    wide = Pattern({f"column {i}": (0, i) for i in range(1, 2_000)})
    assert Pattern.parse(str(wide)) == wide


@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "`b c`",
                "y",
                "'s'",
                "1",
                "-",
                "==",
                "<=",
                "in",
                "and",
                "or",
                "(",
                ")",
                ",",
                "[",
                "]",
                "`",
                "'",
                '"',
                "#",
                "not",
                "None",
                ".",
                "\\",
                "\n",
                "{",
                "}",
                ":",
                "*",
                "é",
                "1and",
                "'\\d'",
                "f'{a}'",
                "0x1f",
                "1j",
                "9" * 400,
                "inf",
                ":=",
                "\x00",
            ]
        ),
        max_size=9,
    ).map(" ".join)
)
def test_any_text_is_read_or_gives_a_value_error(text):
    try:
        p = Pattern.parse(text)
    except ValueError as error:
        assert type(error) is ValueError
    else:
        assert Pattern.parse(str(p)) == p
