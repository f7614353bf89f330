"""A list of kinds of error, of which exactly one strikes, searched in one fit."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from flat_search import flat_search
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    SelectionBias,
)
from skcorrupt.adversarial import AdversarialSearchDisplay, SearchSpace
from skcorrupt.adversarial.strategies import _screening, _screening_run
from skcorrupt.testing import assert_robust
from small_searches import ONE_SPLIT, quick, small_data

KINDS = ["missing", "labels", "selection"]
SAME = ["pattern", "columns", "target", "rate", "row_fraction", "depth", "mean_test_score"]
SAME += ["status", "message"]


@pytest.fixture(autouse=True)
def few_fits(few_fits, monkeypatch):
    """Fewer fits of what is random, but enough of them to judge a proxy by."""
    for module in (_screening, _screening_run):
        monkeypatch.setattr(module, "JUDGED", 30)


def table(search):
    return pd.DataFrame(search.cv_results_)


def screened(corruption, **params):
    pipeline = make_pipeline(SimpleImputer(), LogisticRegression())
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "random_state": 0, "n_rerank": 6}
    return flat_search(pipeline, corruption, proxy="linear", **{**settings, **params})


@pytest.mark.slow
@pytest.mark.parametrize("make", [quick, screened])
def test_each_kind_is_searched_as_if_it_were_alone(make):
    X, y = small_data()
    together = make(KINDS, budget=[0.1, 0.3]).fit(X, y)
    found = table(together)
    alone = {kind: make(kind, budget=[0.1, 0.3]).fit(X, y) for kind in KINDS}
    for kind, search in alone.items():
        own = found[found["kind"] == kind].reset_index(drop=True)
        pd.testing.assert_frame_equal(own[SAME], table(search)[SAME])
        assert set(table(search)["kind"]) == {kind}
    worst = min(alone, key=lambda kind: alone[kind].worst_score_)
    assert together.worst_score_ == alone[worst].worst_score_
    assert together.worst_pattern_ == alone[worst].worst_pattern_
    assert type(together.worst_corruption_) is type(alone[worst].worst_corruption_)
    assert together.random_score_ == pytest.approx(alone[worst].random_score_, abs=0.1)
    for i, row in together.budget_curve_.iterrows():
        least = min(KINDS, key=lambda kind: alone[kind].budget_curve_["worst_score"][i])
        assert row["kind"] == least
        assert row["worst_score"] == alone[least].budget_curve_["worst_score"][i]


@pytest.mark.slow
def test_the_certificate_has_rows_of_every_kind():
    X, y = small_data()
    together = screened(KINDS, budget=[0.1, 0.3]).fit(X, y)
    certificate = together.certificate_
    assert certificate["kind"].tolist() == [*KINDS, *KINDS]
    assert certificate["budget"].tolist() == [0.1] * 3 + [0.3] * 3
    assert together.proxy_ == "linear"
    assert list(together.proxy_agreements_) == [f"{kind}: linear" for kind in KINDS]


@pytest.mark.slow
def test_kinds_of_one_class_and_processes_have_names_of_their_own():
    X, y = small_data()
    both = CorruptionProcess([("m", CorruptMissing()), ("l", CorruptLabels())])
    given = [CorruptMissing(columns=["a"]), CorruptMissing(columns=["b"]), both]
    search = quick(given, n_calls=3, max_conditions=1).fit(X, y)
    found = table(search)
    assert list(dict.fromkeys(found["kind"])) == ["missing", "missing-2", "process(m, l)"]
    assert set(found.loc[found["kind"] == "missing-2", "columns"]) == {("b",)}
    alone = quick(both, n_calls=3, max_conditions=1).fit(X, y)
    own = found[found["kind"] == "process(m, l)"].reset_index(drop=True)
    shared = [*SAME, "m__pattern", "l__pattern", "m__rate", "l__rate"]
    pd.testing.assert_frame_equal(own[shared], table(alone)[shared])


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ([], ValueError, "holds no kind of error"),
        ([["missing"], "labels"], TypeError, "holds a list"),
        (["missing", "missing"], ValueError, "twice"),
        (["missing", CorruptMissing()], ValueError, "twice"),
        (["missing", "typos"], ValueError, "'typos' should be one of"),
        (["missing", 3], TypeError, "should be one of"),
    ],
)
def test_lists_that_are_none(given, error, said):
    X, y = small_data()
    with pytest.raises(error, match=said):
        quick(given).fit(X, y)


@pytest.mark.long
def test_columns_to_hit_apply_to_the_kinds_that_hit_columns():
    X, y = small_data()
    search = quick(["missing", "labels"], corrupt_columns=["b"]).fit(X, y)
    assert set(table(search)["columns"]) == {("b",), ()}
    by_hit = quick(["missing", "labels"], pattern_columns={"b": ["c"], "a": ["a"]}).fit(X, y)
    found = table(by_hit)
    of_b = found[(found["kind"] == "missing") & (found["columns"] == ("b",))]
    assert len(of_b) and not of_b["pattern"].str.contains("a ").any()
    assert (found["kind"] == "labels").any()


def test_columns_to_hit_that_fit_no_kind_are_refused():
    X, y = small_data()
    with pytest.raises(ValueError, match="b cannot be hit by any of the kinds"):
        quick(["labels", "selection"], corrupt_columns=["b"]).fit(X, y)
    with pytest.raises(ValueError, match="no column that 'scale' applies to"):
        worded = X.assign(word=np.where(X["a"] > 2, "low", "high"))
        encoder = make_column_transformer((OrdinalEncoder(), ["word"]), remainder="passthrough")
        model = make_pipeline(encoder, LogisticRegression())
        quick(["labels", "scale"], model, corrupt_columns=["word"]).fit(worded, y)
    with pytest.raises(ValueError, match="b cannot be hit by any of the kinds"):
        quick(["labels", "selection"], pattern_columns={"b": ["a"]}).fit(X, y)


@pytest.mark.slow
def test_a_journal_goes_on_with_the_kinds_that_it_has(tmp_path):
    X, y = small_data()
    path = tmp_path / "kept.sqlite"
    first = quick(KINDS, journal=path).fit(X, y)
    again = quick(KINDS, journal=path).fit(X, y)
    pd.testing.assert_frame_equal(table(again)[SAME], table(first)[SAME])


@pytest.mark.long
def test_a_warm_start_hands_each_kind_its_own():
    X, y = small_data()
    first = quick(["missing", "labels"]).fit(X, y)
    kept = table(first)
    second = flat_search(
        make_pipeline(SimpleImputer(), LogisticRegression()),
        ["missing", "labels", "selection"],
        cv=ONE_SPLIT,
        confirm_size=None,
        random_state=0,
        warm_start=first,
        n_rerank=4,
    ).fit(X, y)
    found = table(second)
    assert set(found["kind"]) == {"missing", "labels"}
    # what comes behind is near the worst of these
    assert set(found.groupby("kind").head(4)["pattern"]) <= set(kept["pattern"])
    with pytest.raises(ValueError, match="nothing about any of the kinds"):
        flat_search(
            LogisticRegression(), ["selection", "duplicates"], warm_start=first, random_state=0
        ).fit(X, y)


@pytest.mark.long
def test_a_plan_counts_every_kind():
    X, y = small_data()
    together = quick(KINDS).plan(X, y)
    alone = [quick(kind).plan(X, y) for kind in KINDS]
    assert together.n_evaluations == sum(plan.n_evaluations for plan in alone)
    assert quick(KINDS).fit(X, y).n_evaluations_ <= together.n_evaluations


def test_it_survives_json_clone_and_refit(tmp_path):
    X, y = small_data()
    search = quick([CorruptMissing(), "labels"], refit=True).fit(X, y)
    assert len(search.predict(X)) == len(X)
    search.to_json(tmp_path / "found.json")
    again = AdversarialCorruptionSearch.from_json(tmp_path / "found.json")
    assert again.summary() == search.summary()
    assert list(again.cv_results_["kind"]) == list(search.cv_results_["kind"])
    assert again.corruption[1] == "labels" and isinstance(again.corruption[0], CorruptMissing)
    assert json.loads((tmp_path / "found.json").read_text())


def test_pictures_tell_kinds_apart():
    X, y = small_data()
    search = quick([SelectionBias(), CorruptNoise()]).fit(X, y)
    tree = AdversarialSearchDisplay.from_search(search).plot("tree")
    assert set(tree.table_["kind"]) == {"selection", "noise"}
    names = [label.get_text() for label in tree.ax_.get_yticklabels()]
    assert any(name.startswith("selection: ") for name in names)
    assert AdversarialSearchDisplay.from_search(search).plot("attributes").table_ is not None


@pytest.mark.slow
def test_an_assertion_takes_a_list():
    X, y = small_data()
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "space": SearchSpace(max_conditions=1)}
    pipeline = make_pipeline(SimpleImputer(), LogisticRegression())
    search = assert_robust(
        pipeline,
        X,
        y,
        corruption=["missing", "selection"],
        max_drop=1,
        judge="searched",
        **settings,
    )
    assert set(search.cv_results_["kind"]) == {"missing", "selection"}


def test_labels_that_a_regressor_cannot_flip_are_refused_in_a_list():
    X, _ = small_data()
    with pytest.raises(ValueError, match="not a classifier"):
        flat_search(Ridge(), ["selection", "labels"], random_state=0).fit(X, X["b"])
