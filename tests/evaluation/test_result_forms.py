"""Every value that results are made of is the same after JSON."""

import datetime as dt
import importlib
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as npst, pandas as pdst
from sklearn.impute import SimpleImputer

from skcorrupt import CorruptLabels, CorruptMissing, Pattern, SelectionBias
from skcorrupt.evaluation._described import Described, public_module
from skcorrupt.evaluation._result_forms import Forms
from skcorrupt.utils import document
from skcorrupt.utils._compat import IterativeImputer


def again(value, forms=None):
    """A value through JSON."""
    forms = Forms() if forms is None else forms
    text = json.dumps(forms.write(value), allow_nan=False)
    return forms.read(document(json.loads(text)))


def same(one, other):
    """Whether two values are equal, of equal types, NaN and -0.0 included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (set, frozenset)):
        return sorted(map(repr, one)) == sorted(map(repr, other))
    if isinstance(one, dict):
        return same(list(one), list(other)) and same(list(one.values()), list(other.values()))
    if isinstance(one, np.ndarray):
        return (
            one.dtype == other.dtype
            and one.shape == other.shape
            and same(one.ravel().tolist(), other.ravel().tolist())
        )
    return repr(one) == repr(other)


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text()
    | st.dates()
    | st.datetimes().map(lambda time: time.replace(fold=0))
    | st.sampled_from([pd.NA, pd.NaT, np.float32(0.1), np.int8(-3), np.bool_(True), np.str_("a")])
)
hashable = st.booleans() | st.integers() | st.text() | st.tuples(st.integers(), st.text())
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(hashable, inner)
        | st.sets(hashable)
        | st.frozensets(hashable)
    ),
    max_leaves=10,
)
dtypes = (
    npst.boolean_dtypes()
    | npst.integer_dtypes()
    | npst.unsigned_integer_dtypes()
    | npst.floating_dtypes(sizes=(16, 32, 64))
    | npst.unicode_string_dtypes()
    | npst.datetime64_dtypes(max_period="s", min_period="ns")
    | npst.timedelta64_dtypes(max_period="s", min_period="ns")
)


@given(values)
def test_any_value_survives(value):
    assert same(again(value), value)


@given(npst.arrays(dtypes, npst.array_shapes(min_dims=0, min_side=0, max_side=4)))
def test_any_array_survives(array):
    made = again(array)
    assert made.dtype == array.dtype and made.shape == array.shape
    assert made.tobytes() == array.tobytes() or same(made, array)


@st.composite
def frames(draw):
    """Frames of several dtypes under labels of any text, duplicates included."""
    frame = draw(
        pdst.data_frames(
            [
                pdst.column("a", dtype=float),
                pdst.column(("b", 1), dtype=np.int32),
                pdst.column(3, dtype=bool),
                pdst.column("a b", dtype="datetime64[ns]"),
                pdst.column(None, elements=st.text() | st.none() | st.integers(), dtype=object),
            ],
            index=pdst.range_indexes(max_size=5),
        )
    )
    labels = draw(st.lists(st.text(), min_size=len(frame), max_size=len(frame)))
    return frame.set_axis(pd.Index(labels, dtype=object))


@pytest.mark.long
@given(frames())
@settings(max_examples=50)
def test_any_frame_survives(frame):
    pd.testing.assert_frame_equal(again(frame), frame)


CELLS = ["b", None, "a", "b"]


@pytest.mark.parametrize(
    "values",
    [
        pd.array(CELLS, dtype="string"),
        pd.array(CELLS, dtype=pd.StringDtype("python", na_value=np.nan)),
        pd.Categorical(CELLS, categories=["b", "c", "a"], ordered=True),
        pd.Categorical([3, 1, None, 1]),
        pd.array([1, None, 3, 4], dtype="Int64"),
        pd.array([0.5, None, 3, 4], dtype="Float32"),
        pd.array([True, None, False, True], dtype="boolean"),
        pd.DatetimeIndex(["2026-03-29", None, "1900-01-01", "2026-01-01"]).as_unit("s").array,
        pd.date_range("2026-03-29", periods=4, freq="h", tz="Europe/Berlin").array,
        pd.to_timedelta([1, None, 3, 4], unit="s").array,
        np.array([[1], (2, "x"), {"a": np.nan}, Pattern({"a": 1}), None], dtype=object)[:4],
    ],
    ids=lambda values: str(values.dtype),
)
def test_columns_of_every_type_survive(values):
    frame = pd.DataFrame({"x": pd.Series(values, dtype=values.dtype)}, index=list("pqrs"))
    pd.testing.assert_frame_equal(again(frame), frame)
    series = frame["x"].rename(("a", 1))
    pd.testing.assert_series_equal(again(series), series)


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(3, 30, 4, name="n"),
        pd.Index(["a", "b"], dtype=object, name=("x", 1)),
        pd.Index([1.5, np.nan]),
        pd.MultiIndex.from_tuples([("a", 1), ("b", 2), ("a", 2)], names=["k", None]),
        pd.DatetimeIndex(["2026-01-01", "2026-01-02"], tz="UTC"),
        pd.CategoricalIndex(["x", "y", "x"]),
        pd.Index([], dtype=object),
    ],
    ids=lambda index: type(index).__name__,
)
def test_every_index_survives(index):
    pd.testing.assert_index_equal(again(index), index, exact=True)
    frame = pd.DataFrame({"a": np.arange(len(index))}, index=index)
    pd.testing.assert_frame_equal(again(frame), frame)
    turned = pd.DataFrame(np.zeros((2, len(index))), columns=index)
    pd.testing.assert_frame_equal(again(turned), turned)


@pytest.mark.parametrize(
    "value",
    [
        pd.Timestamp("2026-11-22 12:00:00.000001"),
        pd.Timestamp("2026-03-29 03:30", tz="Europe/Berlin"),
        pd.Timedelta(seconds=5),
        np.datetime64("2026-11-22"),
        np.timedelta64(3, "D"),
        dt.date(2026, 11, 22),
    ],
)
def test_times_survive(value):
    assert same(again(value), value)


@pytest.mark.parametrize(
    "value",
    [
        CorruptMissing(["a"], pattern="a <= 4 and y == 0", rate=1 / 3, random_state=7),
        CorruptLabels(transition={"a": {"b": 1.0}}),
        SelectionBias(pattern=Pattern({"t": (pd.Timestamp("2026-01-01"), None)})),
    ],
)
def test_corruptions_and_patterns_are_objects_again(value):
    assert again(value).to_dict() == value.to_dict()
    assert again(value.pattern) == value.pattern


def test_what_has_no_form_is_a_text():
    made = again({"f": np.mean, "rng": np.random.default_rng(0), "c": 1 + 2j})
    assert all(isinstance(each, Described) for each in made.values())
    assert repr(made["c"]) == "(1+2j)" and repr(made["f"]).startswith("<function mean>")
    corruption = CorruptMissing(random_state=np.random.RandomState(0))
    assert repr(again(corruption)).startswith("CorruptMissing(")


class Settings:
    """Settings of a system."""

    def __init__(self, n=1, pattern=None):
        self.n, self.pattern = n, pattern

    def get_params(self, deep=True):
        """As scikit-learn has it."""
        return {"n": self.n, "pattern": self.pattern}


def test_declared_classes_are_made_again():
    made = again(Settings(3, Pattern({"a": 1})), Forms((Settings,)))
    assert isinstance(made, Settings) and (made.n, made.pattern) == (3, Pattern({"a": 1}))
    assert isinstance(again(Settings()), Described)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"array": {"dtype": "O8", "shape": [1], "values": [1]}}, r"array.dtype='O8' should be"),
        ({"array": {"dtype": "<f8", "shape": [2], "values": [1]}}, r"array.shape: cannot reshape"),
        ({"array": {"dtype": "<f8", "shape": [1], "values": ["a"]}}, r"values\[0\]='a' should"),
        ({"array": {"dtype": "|i1", "shape": [1], "values": [200]}}, r"values\[0\]=200 should be"),
        ({"array": {"masked": "object", "values": [1]}}, r"array.masked='object' should be"),
        ({"index": {"range": [1, 2], "name": None}}, r"index.range=\[1, 2\] should be a list of 3"),
        ({"dict": [[{"dict": []}, 1]]}, r"dict\[0\]: unhashable type"),
        ({"set": [[1]]}, "set: unhashable type"),
        ({"float": "1"}, "float='1' should be one of nan, inf, -inf"),
        ({"object": {"class": "os", "params": {}}}, "object.class='os' should be one of"),
        ({"tuple": [1], "set": [1]}, "should be an object with one of float"),
        ({"date": "yesterday"}, "date: Invalid isoformat"),
        ({"described": {"text": 1, "modules": {}, "attributes": {}}}, "described.text=1 should"),
    ],
)
def test_what_is_no_value_is_refused_with_its_place(data, message):
    with pytest.raises(ValueError, match=message):
        Forms().read(document(data))


def test_experimental_classes_come_from_where_nothing_enables_them():
    """`sklearn.impute` refuses the name, or needs an import that code on a page would lack."""
    module = public_module(IterativeImputer)
    assert module == "sklearn.impute._iterative"
    assert public_module(SimpleImputer) == "sklearn.impute"
    assert vars(importlib.import_module(module))["IterativeImputer"] is IterativeImputer
