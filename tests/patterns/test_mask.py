"""Which rows a pattern matches: against a row-by-row oracle, and the rules for each type."""

import math
import operator

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from skcorrupt.patterns import Condition, Pattern, PatternMasks
from skcorrupt.utils import as_table

OPERATORS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}


def matches(p, X, y=None):
    return p.mask(X, y).tolist()


def oracle_cell(cell, entry):
    """One cell against one entry of `Pattern.to_dict`, in plain Python."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return False
    if "in" in entry:
        kinds = {bool: "bool", str: "text"}
        return any(
            cell == value and kinds.get(type(cell)) == kinds.get(type(value))
            for value in entry["in"]
        )
    if isinstance(cell, (str, bool)):
        return False
    return all(OPERATORS[k](cell, b) for k, b in entry.items() if k in OPERATORS)


def oracle(p, rows, labels):
    return [
        all(
            oracle_cell(label if "label" in entry else row[entry.get("column")], entry)
            for entry in p.to_dict()["conditions"]
        )
        for row, label in zip(rows, labels, strict=True)
    ]


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "whole": st.integers(-4, 4),
            "real": st.one_of(st.sampled_from([0.0, 0.5, -0.5, 1.5, math.nan])),
            "text": st.sampled_from(["a", "b", "c", None]),
            "mixed": st.sampled_from(["a", 1, 2.5, True, None]),
            "label": st.integers(0, 2),
        }
    ),
    min_size=1,
    max_size=12,
)
BOUND = st.sampled_from([-3, -0.5, 0, 0.5, 1, 2, 2.5])
TESTS = st.fixed_dictionaries(
    {},
    optional={
        "whole": st.one_of(BOUND, st.tuples(st.just(-9), BOUND), st.lists(BOUND, min_size=1)),
        "real": st.one_of(BOUND, st.builds(lambda b: Condition(gt=b), BOUND)),
        "text": st.lists(st.sampled_from(["a", "b", "z"]), min_size=1),
        "mixed": st.lists(st.sampled_from(["a", 1, True, 2.5]), min_size=1),
        "y": st.one_of(st.integers(0, 3), st.lists(st.integers(0, 3), min_size=1, max_size=2)),
    },
)


@given(ROWS, TESTS)
def test_mask_equals_a_row_by_row_oracle(rows, conditions):
    # A column of mixed objects needs one cell of each type, or its values may be refused.
    rows = [*rows, *({**rows[0], "mixed": cell} for cell in ("a", 1, True))]
    rows[-1] = {**rows[-1], "text": "a"}
    X = pd.DataFrame(rows)
    X["mixed"] = pd.Series([row["mixed"] for row in rows], dtype=object)
    labels = [row["label"] for row in rows]
    p = Pattern(conditions)
    expected = oracle(p, rows, labels)
    assert matches(p, X, labels) == expected
    assert matches(p, X.iloc[::-1], labels[::-1]) == expected[::-1]


@pytest.fixture
def X():
    return pd.DataFrame(
        {
            "age": [18, 25, 30, 41],
            "pay": [1.5, np.nan, 3.0, np.inf],
            "sex": ["Female", "Male", None, "Female"],
            "y": [1, 1, 2, 2],
            "marital status": pd.Categorical(["single", "widowed", "single", None]),
        },
        index=[7, 7, 8, 9],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every row", [1, 1, 1, 1]),
        ("age <= 30 and sex == 'Female'", [1, 0, 0, 0]),
        ("18 < age < 41", [0, 1, 1, 0]),
        ("age >= 25.5", [0, 0, 1, 1]),
        ("pay <= inf", [1, 0, 1, 1]),
        ("pay < inf", [1, 0, 1, 0]),
        ("pay == inf", [0, 0, 0, 1]),
        ("sex <= inf", [1, 1, 0, 1]),
        ("sex in ('Male', 'x')", [0, 1, 0, 0]),
        ("sex == 'x'", [0, 0, 0, 0]),
        ("`marital status` == 'single'", [1, 0, 1, 0]),
        ("`y` == 2", [0, 0, 1, 1]),
        ("y == 0", [0, 1, 0, 1]),
        ("`y` == 2 and y == 0", [0, 0, 0, 1]),
    ],
)
def test_a_data_frame(X, text, expected):
    before = X.copy(deep=True)
    mask = Pattern.parse(text).mask(X, [1, 0, 1, 0])
    assert isinstance(mask, np.ndarray)
    assert mask.dtype == bool
    assert mask.tolist() == [bool(v) for v in expected]
    pd.testing.assert_frame_equal(X, before)


@pytest.mark.parametrize(
    "make",
    [
        np.asarray,
        np.asfortranarray,
        sparse.csr_array,
        sparse.csc_matrix,
        sparse.coo_array,
        lambda a: a.astype(np.float32),
        lambda a: a.astype(object),
        lambda a: pd.DataFrame(a, columns=["x0", "x1", "x2"]),
    ],
)
def test_containers(make):
    X = make(np.array([[0.0, 1, 0], [2, 0, 0], [0, 3, 0.5]]))
    assert matches(Pattern.parse("x0 == 0 and x1 >= 1"), X) == [True, False, True]
    assert matches(Pattern({"x2": (0.1, None)}), X) == [False, False, True]
    if not isinstance(X, pd.DataFrame):
        assert matches(Pattern({0: 0, 1: (1, None)}), X) == [True, False, True]


def test_read_only_arrays_are_left_alone():
    X = np.array([[1.0, np.nan], [2.0, 3.0]])
    y = np.array([0, 1])
    X.flags.writeable = y.flags.writeable = False
    assert matches(Pattern.parse("x1 >= 2 and y == 1"), X, y) == [False, True]


def test_polars():
    pl = pytest.importorskip("polars")
    X = pl.DataFrame(
        {
            "age": [18, None, 41],
            "sex": ["F", "M", None],
            "member": [True, None, False],
            "day": pl.Series(["2024-01-01", "2024-02-01", None]).str.to_date(),
            "at": pl.Series(["2024-01-01T00:30"] * 3)
            .str.to_datetime()
            .dt.replace_time_zone("Europe/Berlin"),
            "size": pl.Series(["low", "high", None], dtype=pl.Enum(["low", "mid", "high"])),
        }
    )
    y = pl.Series([0, 1, 1])
    assert matches(Pattern.parse("age <= 41 and y == 1"), X, y) == [False, False, True]
    assert matches(Pattern.parse("sex in ('F', 'M')"), X) == [True, True, False]
    assert matches(Pattern({"member": True}), X) == [True, False, False]
    assert matches(Pattern({"member": 0}), X) == [False, False, True]
    assert matches(Pattern.parse("day >= '2024-01-15'"), X) == [False, True, False]
    assert matches(Pattern.parse("at == '2024-01-01T00:30'"), X) == [True, True, True]
    assert matches(Pattern.parse("at == '2023-12-31T23:30Z'"), X) == [True, True, True]
    assert matches(Pattern.parse("size >= 'mid'"), X) == [False, True, False]
    assert matches(Pattern({"y": 1}), X, y.to_frame()) == [False, True, True]


@pytest.mark.parametrize(
    "dtype", ["Int64", "Float64", "boolean", "int64[pyarrow]", "bool[pyarrow]"]
)
def test_nullable_dtypes(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    X = pd.DataFrame({"a": pd.array([1, None, 0], dtype=dtype)})
    assert matches(Pattern({"a": 1}), X) == [True, False, False]
    assert matches(Pattern({"a": True}), X) == [True, False, False]
    assert matches(Pattern({"a": [True, False]}), X) == [True, False, True]
    assert matches(Pattern({"a": (None, 0)}), X) == [False, False, True]
    assert matches(Pattern({"a": 1}), X.iloc[[0, 2]]) == [True, False]


def test_nullable_strings():
    X = pd.DataFrame({"a": pd.array(["u", None, "v"], dtype="string")})
    assert matches(Pattern({"a": ["u", "w"]}), X) == [True, False, False]


def test_large_integers_compare_exactly():
    big = 2**53
    X = pd.DataFrame({"a": [big - 1, big, big + 1, big + 2]})
    assert matches(Pattern({"a": big + 1}), X) == [False, False, True, False]
    assert matches(Pattern({"a": [big + 1, big + 2]}), X) == [False, False, True, True]
    assert matches(Pattern({"a": (None, big)}), X) == [True, True, False, False]
    assert matches(Pattern({"a": Condition(lt=float(big + 2))}), X) == [True, True, True, False]
    assert matches(Pattern({"a": (None, 10**30)}), X) == [True] * 4
    assert matches(Pattern({"a": (10**30, None)}), X) == [False] * 4
    assert matches(Pattern({"a": (-(10**30), None)}), X) == [True] * 4
    assert matches(Pattern({"a": [1e30, 0.5, 10**30]}), X) == [False] * 4
    floats = X.astype(float)
    assert matches(Pattern({"a": big + 1}), floats) == [False] * 4
    assert matches(Pattern({"a": (None, big + 1)}), floats) == [True, True, True, False]
    assert matches(Pattern({"a": Condition(gt=big + 1)}), floats) == [False, False, False, True]


@given(
    st.sampled_from([np.int8, np.uint8, np.int64, np.uint64, np.float64, bool]),
    st.one_of(
        st.integers(-300, 300),
        st.floats(allow_nan=False),
        st.sampled_from([2**53 + 1, 2**63, 2**63 - 1, 2**64, -(2**63), -(2**63) - 1, 2**1024 - 1]),
    ),
    st.sampled_from(["ge", "gt", "le", "lt", "eq"]),
)
def test_numbers_compare_as_in_plain_python(dtype, bound, name):
    if dtype is np.float64:
        cells = np.array([-np.inf, -1.5, 0, 1, 2.0**53, 2.0**63, 1e300, np.inf, np.nan])
    elif dtype is bool:
        cells = np.array([False, True])
    else:
        limits = np.iinfo(dtype)
        cells = np.array([limits.min, 0, 1, 100, limits.max - 1, limits.max], dtype=dtype)
    try:
        c = Condition(one_of=[bound]) if name == "eq" else Condition(**{name: bound})
    except ValueError:
        assert abs(bound) == np.inf
        return
    compare = operator.eq if name == "eq" else OPERATORS[name]
    expected = [cell == cell and compare(cell, bound) for cell in cells.tolist()]
    assert matches(Pattern({"x0": c}), cells.reshape(-1, 1)) == expected


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_short_floats_keep_their_own_precision(dtype):
    cells = np.array([0.1, 0.3, 0.7, np.nan, np.inf], dtype=dtype)
    X = cells.reshape(-1, 1)
    for i, cell in enumerate(cells[:3]):
        p = Pattern({"x0": cell})
        assert len(str(p)) <= len("x0 == 0.3000")
        assert matches(p, X) == [j == i for j in range(5)]
        assert matches(Pattern({"x0": (None, cell)}), X) == [j <= i for j in range(5)]
    assert matches(Pattern({"x0": (None, 1e300)}), X) == [True, True, True, False, False]
    assert matches(Pattern({"x0": [1e300, 0.5]}), X) == [False] * 5


def test_dates():
    X = pd.DataFrame({"when": pd.to_datetime(["2024-01-01 00:00", "2024-01-02 12:00", None])})
    assert matches(Pattern.parse("when >= '2024-01-02'"), X) == [False, True, False]
    assert matches(Pattern({"when": pd.Timestamp("2024-01-01")}), X) == [True, False, False]
    assert matches(Pattern({"when": (None, np.datetime64("2024-01-01"))}), X) == [
        True,
        False,
        False,
    ]
    assert matches(Pattern.parse("when in ('2024', '2024-01-02 12:00')"), X) == [True, True, False]
    assert matches(Pattern.parse("when <= '2200-01-01'"), X) == [True, True, False]
    assert matches(Pattern.parse("when <= inf"), X) == [True, True, False]
    for text in [
        "when >= 'soon'",
        "when >= 'now'",
        "when >= ''",
        "when == '12:30'",
        "when >= 5",
        "when >= '2024-13-01'",
    ]:
        with pytest.raises(ValueError, match=r"column when holds dates, but .* ISO 8601"):
            Pattern.parse(text).mask(X)
    with pytest.raises(ValueError, match="has one; write it without"):
        Pattern.parse("when >= '2024-01-01T00:00Z'").mask(X)
    with pytest.raises(ValueError, match="the lower bound comes first"):
        Pattern({"when": Condition(ge="2024-02", le="20240101")}).mask(X)
    assert matches(Pattern.parse("x0 >= '2024-01-02'"), X.to_numpy()) == [False, True, False]


def test_dates_with_a_time_zone():
    when = pd.to_datetime(["2024-01-01 00:30", "2024-07-01 12:00", None])
    X = pd.DataFrame({"when": when.tz_localize("Europe/Berlin")})
    assert matches(Pattern.parse("when <= '2024-01-01T00:30'"), X) == [True, False, False]
    assert matches(Pattern.parse("when == '2023-12-31T23:30Z'"), X) == [True, False, False]
    assert matches(Pattern({"when": X["when"].iloc[1]}), X) == [False, True, False]
    assert matches(Pattern({"when": X["when"].iloc[1]}), X.astype(object)) == [False, True, False]
    # An hour that a change of clocks skips, and one that it repeats, are read, not refused.
    assert matches(Pattern.parse("when >= '2024-03-31T02:30'"), X) == [False, True, False]
    assert matches(Pattern.parse("when >= '2024-10-27T02:30'"), X) == [False, False, False]


def test_date_objects():
    days = pd.to_datetime(["2024-01-01", "2024-03-01"]).date
    X = pd.DataFrame({"day": pd.Series([*days, None], dtype=object)})
    assert matches(Pattern({"day": days[0]}), X) == [True, False, False]
    assert matches(Pattern({"day": (days[1], None)}), X) == [False, True, False]


def test_durations():
    X = pd.DataFrame({"wait": pd.to_timedelta(["1h", "36h", None])})
    assert matches(Pattern({"wait": (pd.Timedelta("2h"), None)}), X) == [False, True, False]
    assert matches(Pattern.parse("wait == '1 days 12:00:00'"), X) == [False, True, False]
    for text in ["wait >= 'long'", "wait >= 5"]:
        with pytest.raises(ValueError, match=r"column wait holds durations, but .* is none"):
            Pattern.parse(text).mask(X)


def test_ordered_categories():
    size = pd.Categorical(["mid", "low", None, "high"], ["low", "mid", "high"], ordered=True)
    X = pd.DataFrame({"size": size})
    assert matches(Pattern.parse("size >= 'mid'"), X) == [True, False, False, True]
    assert matches(Pattern.parse("size > 'mid'"), X) == [False, False, False, True]
    assert matches(Pattern({"size": ("low", "mid")}), X) == [True, True, False, False]
    assert matches(Pattern({"size": "mid"}), X) == [True, False, False, False]
    with pytest.raises(ValueError, match="categories in order are: 'low', 'mid', 'high'"):
        Pattern.parse("size >= 'big'").mask(X)
    with pytest.raises(ValueError, match="the lower bound comes first"):
        Pattern({"size": ("high", "low")}).mask(X)
    bins = pd.DataFrame({"bin": pd.cut([1, 15, 25], [0, 10, 20, 30])})
    assert matches(Pattern({"bin": bins["bin"].iloc[1]}), bins) == [False, True, False]
    assert matches(Pattern.parse("bin >= '(10, 20]'"), bins) == [False, True, True]


def test_unordered_text_has_no_ranges(X):
    for text in ["sex >= 'Female'", "`marital status` <= 'single'", "sex < 'Male'"]:
        with pytest.raises(ValueError, match=r"has no ranges; use == or in"):
            Pattern.parse(text).mask(X)


def test_values_of_a_type_the_column_lacks_are_refused(X):
    with pytest.raises(ValueError, match="column age holds numbers, but '30' is a string; write a"):
        Pattern.parse("age == '30'").mask(X)
    with pytest.raises(ValueError, match="column sex holds strings, but 1 is a number; write '1'"):
        Pattern.parse("sex == 1").mask(X)
    with pytest.raises(ValueError, match="column sex holds strings, but 30 is a number"):
        Pattern.parse("sex <= 30").mask(X)
    with pytest.raises(ValueError, match="column sex holds strings, but True is a truth value"):
        Pattern.parse("sex == True").mask(X)
    assert matches(Pattern.parse("sex in ('Male', 1)"), X) == [False, True, False, False]
    with pytest.raises(ValueError, match="complex"):
        Pattern.parse("x0 == 1").mask(np.ones((2, 1), dtype=complex))


def test_mixed_and_unhashable_cells():
    class Odd:
        def __eq__(self, other):
            raise RuntimeError("no comparison")

        __hash__ = None

    cells = [
        "a",
        1,
        1.0,
        True,
        None,
        np.nan,
        pd.NA,
        [1],
        {"a": 1},
        {2},
        b"a",
        Odd(),
        2.5,
        np.float32(0.3),
        np.int64(1),
        np.bool_(True),
        np.str_("a"),
        pd.NaT,
        np.array([1, 2]),
    ]
    X = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    found = {
        "a == 'a'": {0, 16},
        "a == 1": {1, 2, 14},
        "a == True": {3, 15},
        "a in ('a', 2.5)": {0, 12, 16},
        "a == 0.3": {13},
        "a <= 1": {1, 2, 13, 14},
        "a > 1": {12},
    }
    for text, rows in found.items():
        assert set(np.flatnonzero(Pattern.parse(text).mask(X))) == rows, text


def test_a_column_of_missing_cells_only_matches_nothing():
    for cells in ([None, None], [np.nan, None], [pd.NA, np.nan]):
        X = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
        assert matches(Pattern({"a": "b"}), X) == [False, False]
        assert matches(Pattern({"a": (None, None)}), X) == [False, False]


def test_no_rows():
    X = pd.DataFrame({"a": np.array([], dtype=float), "b": pd.Series([], dtype=object)})
    assert Pattern({"a": (0, 1), "b": "c", "y": 1}).mask(X, []).shape == (0,)


def test_resolving_columns():
    X = pd.DataFrame([[1, 2, 3]], columns=[0, "1", ("a", 2)])
    assert matches(Pattern({0: 1, 1: 2, ("a", 2): 3}), X) == [True]
    assert matches(Pattern.parse("`0` == 1 and `('a', 2)` == 3"), X) == [True]
    wide = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))
    assert matches(Pattern({("a", "c"): 2}), wide) == [True]
    both = pd.DataFrame([[1, 2]], columns=[1, "1"])
    assert matches(Pattern({"1": 2}), both) == [True]


def test_absent_and_ambiguous_columns_are_named():
    X = pd.DataFrame([[1, 2, 3]], columns=["age", "b c", "b c"])
    with pytest.raises(ValueError, match=r"no column agee.*perhaps age is meant.*are: age, `b c`"):
        Pattern({"agee": 1}).mask(X)
    with pytest.raises(ValueError, match=r"column `b c` is ambiguous: 2 columns.*are: age"):
        Pattern({"b c": 1}).mask(X)
    assert matches(Pattern({"age": 1}), X) == [True]
    many = pd.DataFrame([range(25)], columns=[f"c{i}" for i in range(25)])
    with pytest.raises(ValueError, match=r"c18, c19, … \(\+5 more\)\.$"):
        Pattern({"q": 1}).mask(many)
    with pytest.raises(ValueError, match="The columns there are: x0, x1"):
        Pattern({2: 1}).mask(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="X has no columns"):
        Pattern({"a": 1}).mask(pd.DataFrame(index=[0]))
    # Positions are for tables without names.
    with pytest.raises(ValueError, match="no column `0`"):
        Pattern({0: 1}).mask(X)


def test_every_refusal_names_the_pattern_and_the_columns(X):
    for text in ["age == 'a'", "sex <= 3", "nope == 1", "y == 'a'", "pay == 'x'", "sex >= 'a'"]:
        with pytest.raises(ValueError) as refused:
            Pattern.parse(text).mask(X, [0, 1, 0, 1])
        said = str(refused.value)
        assert repr(text)[1:-1] in said or text in said
        assert "The columns there are: age, pay, sex, `y`, `marital status`." in said


@pytest.mark.parametrize(
    "y",
    [
        [0, 1, np.nan, 1],
        np.array([0, 1, np.nan, 1]),
        np.array([[0], [1], [np.nan], [1]]),
        np.array([0, 1, None, 1], dtype=object),
        pd.Series([0, 1, None, 1], index=list("dcba"), name="target"),
        pd.DataFrame({"t": [0, 1, None, 1]}),
        pd.array([0, 1, None, 1], dtype="Int64"),
        pd.Series(pd.Categorical([0, 1, None, 1])),
        pd.Index([0, 1, np.nan, 1]),
    ],
    ids=lambda y: type(y).__name__,
)
def test_labels_of_any_container(X, y):
    assert matches(Pattern({"y": 1}), X, y) == [False, True, False, True]
    assert matches(Pattern({"y": (0, 1)}), X, y) == [True, True, False, True]
    assert matches(Pattern({"y": 7}), X, y) == [False] * 4
    with pytest.raises(ValueError, match="The label values there are: 0, 1"):
        Pattern({"y": "1"}).mask(X, y)


@pytest.mark.parametrize(
    "y",
    [
        ["0", "1", "0", "1"],
        np.array(["0", "1", "0", "1"]),
        np.array(["0", "1", "0", "1"], dtype=object),
        pd.Series(["0", "1", "0", "1"], dtype="category"),
    ],
)
def test_string_labels(X, y):
    assert matches(Pattern({"y": "1"}), X, y) == [False, True, False, True]
    assert matches(Pattern({"y": "2"}), X, y) == [False] * 4
    for spec in (1, (0, 1), ["1", 1]):
        with pytest.raises(ValueError, match=r"label y holds strings.* are: '0', '1'\. The"):
            Pattern({"y": spec}).mask(X, y)


def test_boolean_labels(X):
    y = np.array([True, False, True, False])
    assert matches(Pattern({"y": True}), X, y) == matches(Pattern({"y": 1}), X, y) == y.tolist()


def test_unusable_labels_are_refused(X):
    p = Pattern({"y": 1})
    for y, message in [
        (None, "y is needed, but it is None; the column called y is written in backticks"),
        ([0, 1], "y has 2 labels, but X has 4 rows"),
        (np.zeros((4, 2)), "y has 2 columns"),
        (pd.DataFrame(np.zeros((4, 2))), "y has 2 columns"),
        ([[0, 1]] * 4, "y has 2 columns"),
        (np.zeros((4, 1, 1)), "got 3 dimensions"),
        ("abcd", "should be an array"),
        (1, "should be an array"),
    ]:
        with pytest.raises(ValueError, match=message):
            p.mask(X, y)
    # What is not asked for is not looked at.
    assert matches(Pattern({"age": 18}), X, [0, 1]) == [True, False, False, False]


def test_only_the_columns_of_the_pattern_are_read():
    class Untouchable:
        def __array__(self, *args, **kwargs):
            raise AssertionError("read")

    X = pd.DataFrame({"a": [1, 2], "b": pd.Series([Untouchable(), Untouchable()], dtype=object)})
    assert matches(Pattern({"a": 1}), X) == [True, False]


def test_objects_of_several_zones_are_moments():
    cells = [
        pd.Timestamp("2024-01-02", tz="Asia/Tokyo"),
        pd.Timestamp("2024-01-02", tz="Europe/Berlin"),
        None,
        pd.Timestamp("2024-01-03", tz="UTC"),
    ]
    X = pd.DataFrame({"t": pd.Series(cells, dtype=object)})
    assert Pattern.parse("t >= '2024-01-01T23:00'").mask(X).tolist() == [False, True, False, True]
    at = Pattern.parse("t == '2024-01-02T00:00+09:00'").mask(X)
    assert at.tolist() == [True, False, False, False]
    X["t"] = X["t"].where(X.index < 3, pd.Timestamp("2024-01-03")).astype(object)
    with pytest.raises(ValueError, match=r"zones are mixed.*pandas\.to_datetime\(…, utc=True\)"):
        Pattern.parse("t >= '2024-01-02'").mask(X)


def test_periods_without_an_order_say_how_to_get_one():
    X = pd.DataFrame({"per": pd.period_range("2024-01", periods=4, freq="M")})
    with pytest.raises(ValueError, match=r"column per holds periods.*\.dt\.to_timestamp\(\)"):
        Pattern.parse("per >= '2024-03'").mask(X)
    assert Pattern.parse("per == '2024-03'").mask(X).tolist() == [False, False, True, False]
    times = X.assign(per=X["per"].dt.to_timestamp())
    assert Pattern.parse("per >= '2024-03'").mask(times).sum() == 2


@pytest.mark.parametrize("room", [2**26, 0])
def test_many_patterns_at_once_are_as_each_by_itself(room, monkeypatch):
    monkeypatch.setattr("skcorrupt.patterns._pattern_masks.MOST_BYTES", room)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(["u", "v", None], 60), "y": 1.0})
    y = rng.integers(0, 2, 60)
    masks = PatternMasks(X, y)
    told = ["a <= 0", "a <= 0 and b == 'u'", "b == 'u' and y == 1", "0 < a <= 1 and `y` == 1", ""]
    for text in [*told, *told]:
        pattern = Pattern.parse(text) if text else Pattern()
        found = masks.of(pattern)
        np.testing.assert_array_equal(found, pattern.mask(X, y if pattern.uses_y else None))
        # what is handed out is not what is kept
        found[:] = ~found


def test_a_name_of_labels_means_them_in_many_patterns_too():
    X, y = pd.DataFrame({"a": [1, 2, 3]}), pd.Series([0, 1, 1], name="t")
    pattern = Pattern.parse("t == 1 and a > 2")
    assert PatternMasks(X, y).of(pattern).tolist() == pattern.mask(X, y).tolist()


@given(
    st.lists(st.sampled_from(["a", "b", "1", "", "True", None, np.nan, pd.NA]), max_size=9),
    st.lists(st.sampled_from(["a", "1", "", "z"]), min_size=1, max_size=3),
)
def test_strings_are_matched_as_each_by_itself(cells, wanted):
    X = pd.DataFrame({"text": pd.Series(cells, dtype=object)})
    table = as_table(X)
    expected = [isinstance(cell, str) and cell in wanted for cell in cells]
    # what was worked out of a table serves for every pattern
    for some in (wanted, wanted[:1], wanted):
        own = [match and cell in some for match, cell in zip(expected, cells, strict=True)]
        if any(isinstance(cell, str) for cell in cells):
            assert Pattern({"text": some}).mask(table).tolist() == own


def test_equal_values_of_other_types_are_told_apart_beside_strings():
    X = pd.DataFrame({"mixed": pd.Series(["1", 1, True, 1.0, "a", None], dtype=object)})
    table = as_table(X)
    assert Pattern({"mixed": ["1"]}).mask(table).tolist() == [True] + 5 * [False]
    assert Pattern({"mixed": [1]}).mask(table).tolist() == [False, True, False, True, False, False]
    assert Pattern({"mixed": [True]}).mask(table).tolist() == [False, False, True] + 3 * [False]
