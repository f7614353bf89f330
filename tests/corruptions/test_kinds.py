"""Kinds of errors describe themselves, those of users too."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import (
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    ErrorSensitivityProfiler,
    FeatureCorruption,
    SampleCorruption,
    cross_validate_corrupted,
)
from skcorrupt.base import BaseCorruption, Edit
from skcorrupt.corruptions import corruption_from, short_names
from skcorrupt.sensitivity import Strategy


class Halves(FeatureCorruption):
    """A user's own kind, in one place."""

    short_name = "halves"
    title = "halved values"
    _kinds = ("integer", "real")

    def _phrase(self, columns, target):
        return self._in_columns("Halving", columns)

    def _new_values(self, struck):
        return struck.values / 2


class Forgets(SampleCorruption):
    _drops = True

    def _strike_rows(self, rows, table, target, reference, noise):
        return Edit(dropped=rows)


class LoudNoise(CorruptNoise):
    """A subclass is a kind of its own."""


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    return pd.DataFrame({"a": 3 * y + rng.normal(size=200), "b": rng.normal(size=200)}), y


def test_the_kinds_of_the_library_have_short_names():
    shipped = {
        name: cls for name, cls in short_names().items() if cls.__module__.startswith("skcorrupt.")
    }
    assert sorted(shipped) == [
        "categories",
        "clip",
        "dates",
        "duplicates",
        "exchange",
        "labels",
        "missing",
        "noise",
        "outliers",
        "rounding",
        "scale",
        "selection",
        "sentinel",
        "shift",
        "stuck",
        "text",
        "type",
    ]
    for name, cls in shipped.items():
        made = corruption_from(name)
        assert type(made) is type(corruption_from(cls.__name__)) is cls
        assert (made.short_name, made.strikes in ("cells", "labels", "rows")) == (name, True)
        assert made.title != made.short_name or name == "outliers"
        # sentences do not show the class
        assert cls.__name__ not in made.phrase(["a"])


def test_a_name_or_an_object_is_taken_and_anything_else_is_told_what_is():
    mine = CorruptMissing("a")
    assert corruption_from(mine) is mine
    with pytest.raises(ValueError, match=r"corruption='nois' should be one of .*'noise'"):
        corruption_from("nois")
    with pytest.raises(ValueError, match="errors='CorruptionProcess' should be one of"):
        corruption_from("CorruptionProcess", "errors")
    with pytest.raises(TypeError, match="corruption=3 should be one of"):
        corruption_from(3)


def test_what_errors_say_of_themselves():
    assert Halves().phrase(["a"]) == "Halving in `a`"
    assert CorruptMissing().phrase(["a", "b"]) == "Losing `a`, `b`"
    assert CorruptLabels().phrase(target="x") == "Flipping the label to 'x'"
    assert CorruptLabels(shift=2.0).phrase() == "Shifting the label by 2"
    assert LoudNoise.short_name == LoudNoise.title == "LoudNoise"
    assert LoudNoise().phrase(["a"]) == "Noise in `a`"
    assert Forgets().phrase() == "Forgets"


def test_labels_can_be_aimed_at_a_class():
    y = np.array(["a", "b", "c"] * 10)
    flips = CorruptLabels(rate=1.0, random_state=0)
    assert flips._targets(["a", "b", "c"]) == ["a", "b", "c"]
    assert flips._targets(["a", "b"]) == CorruptMissing()._targets(["a", "b", "c"]) == []
    assert CorruptLabels(transition={"a": "b"})._targets(["a", "b", "c"]) == []
    aimed = flips._aimed_at("c", ["a", "b", "c"])
    assert set(aimed.fit_resample(np.zeros((30, 1)), y)[1]) == {"c"}
    assert flips.transition is None


def test_cells_that_an_error_cannot_change_are_known():
    from skcorrupt.utils import as_table

    table = as_table(pd.DataFrame({"a": [0.0, 1.0, np.nan]}))
    assert CorruptScale()._can_change(table, 0).tolist() == [False, True, False]
    fixed = as_table(pd.DataFrame({"a": [0.0, -40.0, np.nan, np.inf]}))
    unit = CorruptScale(factor=2.0, offset=40.0)
    assert unit._can_change(fixed, 0).tolist() == [True, False, False, False]
    assert CorruptMissing()._can_change(table, 0).tolist() == [True, True, False]
    assert CorruptNoise()._can_change(table, 0) is None


@pytest.mark.filterwarnings("ignore:.*nothing can be significant|.*repeats")
def test_a_kind_of_error_of_a_user_works_everywhere(data):
    X, y = data
    halved = make_pipeline(Halves(rate=0.5, random_state=0), GaussianNB()).fit(X, y)
    assert halved.score(X, y) > 0.5
    by_name = cross_validate_corrupted(GaussianNB(), X, y, "halves", random_state=0)
    by_object = cross_validate_corrupted(GaussianNB(), X, y, Halves(), random_state=0)
    np.testing.assert_array_equal(by_name["test_score"], by_object["test_score"])
    profiler = ErrorSensitivityProfiler(
        GaussianNB(), corruptions=["halves", LoudNoise()], levels=(0, 0.5), n_repeats=2
    ).fit(X, y)
    assert set(profiler.profiles_["corruption"]) == {"halves", "LoudNoise"}
    strategy = Strategy(corruptions=[{"kind": "halves"}, {"kind": "Forgets"}])
    assert [each["kind"] for each in strategy.corruptions] == ["halves", "Forgets"]
    text = json.dumps(Halves("a", rate=0.5).to_dict())
    assert repr(BaseCorruption.from_dict(json.loads(text))) == "Halves(columns='a', rate=0.5)"


def test_a_process_lets_rows_of_any_kind_go_first(data):
    X, y = data
    process = CorruptionProcess(
        [("lost", CorruptMissing("a", rate=0.5)), ("gone", Forgets(rate=0.5))], random_state=0
    )
    out, _ = process.fit_resample(X, y)
    # half of the rows that are left, not of those there were
    assert len(out) == 100 and out["a"].isna().sum() == 50
    graph = process.dependency_graph()
    assert graph.nodes["S"] == "selection"
