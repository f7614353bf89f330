"""Corruptions as text and as JSON, both exact."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.base import clone

import skcorrupt
from skcorrupt import (
    MAR,
    MNAR,
    BaseCorruption,
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptExchange,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptOutliers,
    CorruptRounding,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
    CorruptText,
    CorruptType,
    FeatureCorruption,
    Pattern,
    SelectionBias,
)

NAMES = {**vars(skcorrupt), "np": np, "pd": pd}

EXAMPLES = [
    CorruptMissing(),
    CorruptMissing("age", pattern='`y` > 3 and y == "it\'s"', rate=1 / 3, random_state=0),
    CorruptMissing(["a", "b\n'\""], pattern=Pattern({"a": (None, 0.1)}), mechanism=MAR("a", -1e-9)),
    CorruptMissing(("top", 1), pattern={"a": {1, 2}, "b": (0, None)}),
    CorruptOutliers(columns=[0, -1], magnitude=np.float64(2.5), when="always"),
    CorruptCategories(np.array(["x", "y"]), kind="typo", same_rows=False),
    CorruptCategories(kind="branch", hierarchy={"a": 1, 2: "b", "c'": 1.5}),
    CorruptCategories(transition={"a": {"b": 2, "c": 1.5}, 2: 1}),
    CorruptCategories(transition={pd.Timedelta("36h"): np.timedelta64(90, "s")}),
    CorruptClip(["a"], lower={"a": 0.1, 1: -5}, upper=np.float64(2.5)),
    CorruptDates(kind="format", date_format="%d.%m.%Y", read_format={"t": "%Y-%m-%d"}),
    CorruptRounding(step={"a": 5, "t": "month"}),
    CorruptText(kind="replace", replace={"ß": "ss"}, template="{value}'"),
    CorruptType("a", kind="unit", unit="m/s"),
    CorruptLabels(transition={"a": {"b": 0.7, "c": 0.3}, "d": "a"}),
    CorruptLabels(transition={1: 0, 2.5: True}),
    CorruptLabels(transition=np.array([[0, 1], [1, 0]])),
    CorruptSentinel(value=np.datetime64("1970-01-01", "ns")),
    CorruptSentinel(value=pd.Timestamp("1970-01-01 01:02", tz="Asia/Tokyo")),
    CorruptSentinel("a", value=-math.e),
    CorruptStuck(["a"], order=("top", 1), group=["b", "c"]),
    CorruptShiftRows(offset=-(2**40), group="b"),
    CorruptExchange(["b", "a"], rate=0.5),
    CorruptDuplicates(jitter=1e-9, wrong_labels=True),
    CorruptLabels(missing_label=math.nan),
    CorruptLabels(missing_label=pd.NA),
    CorruptLabels(shift=-math.pi, random_state=2**62),
    CorruptionProcess(
        [("m", CorruptMissing("a", rate=0.2)), ("s", SelectionBias(pattern="y == 1"))],
        noise={"both": ["m", "s"]},
        random_state=0,
    ),
]


@pytest.mark.parametrize("corruption", EXAMPLES, ids=lambda value: repr(value)[:50])
def test_repr_and_json_give_the_corruption_back(corruption):
    data = corruption.to_dict()
    through_json = BaseCorruption.from_dict(json.loads(json.dumps(data, allow_nan=False)))
    for again in (eval(repr(corruption), NAMES), through_json, clone(corruption)):
        assert type(again) is type(corruption)
        assert again.to_dict() == data
        assert repr(again) == repr(corruption)
    assert not any(name.endswith("_") for name in vars(through_json))


@pytest.mark.long
@given(
    rate=st.none() | st.floats(0, 1),
    strength=st.floats(allow_nan=False, allow_infinity=False),
    columns=st.none() | st.text() | st.lists(st.text(), max_size=3) | st.integers(),
    seed=st.none() | st.integers(0, 2**63 - 1),
    pattern=st.none() | st.dictionaries(st.text(), st.text() | st.integers(), max_size=2),
)
def test_any_parameters_survive(rate, strength, columns, seed, pattern):
    corruption = CorruptMissing(
        columns, rate=rate, mechanism=MNAR(strength), random_state=seed, pattern=pattern
    )
    again = BaseCorruption.from_dict(json.loads(json.dumps(corruption.to_dict())))
    assert again.get_params() == corruption.get_params()
    assert eval(repr(corruption), NAMES).get_params() == corruption.get_params()


def test_repr_shows_what_differs_from_the_defaults():
    assert repr(CorruptMissing()) == "CorruptMissing()"
    assert repr(CorruptMissing("age", rate=0.3)) == "CorruptMissing(columns='age', rate=0.3)"
    assert repr(CorruptMissing(pattern=Pattern({"a": 1}))) == (
        "CorruptMissing(pattern=Pattern.parse('a == 1'))"
    )
    assert repr(CorruptLabels(missing_label=math.nan)) == (
        "CorruptLabels(missing_label=float('nan'))"
    )


def test_a_corruption_rebuilt_does_the_same():
    X = pd.DataFrame({"a": np.arange(20.0), "b": list("pq") * 10})
    corruption = CorruptMissing("a", pattern=Pattern({"b": "p"}), rate=0.5, random_state=3)
    again = BaseCorruption.from_dict(corruption.to_dict())
    pd.testing.assert_frame_equal(again.fit_transform(X), corruption.fit_transform(X))


class OfMyOwn(FeatureCorruption):
    def _new_values(self, struck):
        return struck.values


def test_classes_of_a_users_own_are_found_by_name():
    assert isinstance(BaseCorruption.from_dict(OfMyOwn("a").to_dict()), OfMyOwn)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {"corruption": "CorruptWeather", "params": {}},
            "should be one of .*CorruptMissing",
        ),
        ({}, "corruption is missing; a corruption has corruption, params"),
        ({"columns": "age"}, "columns is not known; a corruption has corruption, params"),
        ({"corruption": "FeatureCorruption"}, "corruption='FeatureCorruption' should be one of"),
        (
            {
                "corruption": "CorruptLabels",
                "params": {"transition": {"mapping": [[1, 0], [1, 2]]}},
            },
            r"params.transition.mapping\[1\]\[0\]=1 should be a key that is not there before",
        ),
        (
            {"corruption": "CorruptNoise", "params": {"pattern": {"set": [[1]]}}},
            r"params.pattern.set\[0\]=\[1\] should be a value that can be a key",
        ),
        (
            {"corruption": "CorruptNoise", "params": {"random_state": -1}},
            "params: The 'random_state' parameter of CorruptNoise must be",
        ),
    ],
)
def test_what_does_not_describe_a_corruption_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        BaseCorruption.from_dict(data)


def test_parameters_without_a_json_form_are_named():
    corruption = CorruptMissing(random_state=np.random.RandomState(0))
    with pytest.raises(TypeError, match="RandomState has no JSON form"):
        corruption.to_dict()
