"""Results of all five systems as JSON: everything comes back, nothing of the data goes along."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import fitted_systems
from fitted_systems import SYSTEMS, table
from html_faults import undated
from skcorrupt import (
    AdversarialCorruptionSearch,
    ErrorSensitivityProfiler,
    StageFairnessAblator,
)
from skcorrupt.adversarial import AdversarialSearchDisplay
from skcorrupt.curation import AdversarialOrderDisplay
from skcorrupt.evaluation._described import Described
from skcorrupt.evaluation._fitted_results import FittedResults
from skcorrupt.evaluation._holds_data import HoldsData
from skcorrupt.fairness import StageFairnessDisplay
from skcorrupt.report import _pictures, write_html
from skcorrupt.responsiveness import ResponsivenessDisplay
from skcorrupt.sensitivity import ErrorSensitivityDisplay

pytestmark = pytest.mark.usefixtures("few_fits")

DISPLAYS = {
    "search": AdversarialSearchDisplay.from_search,
    "profiler": ErrorSensitivityDisplay.from_profiler,
    "ablator": StageFairnessDisplay.from_ablator,
    "auditor": ResponsivenessDisplay.from_auditor,
    "curator": AdversarialOrderDisplay.from_curator,
}
HOLD_DATA = ["search", "profiler", "auditor"]
# what asks for rows of the data
ASKS = {
    "search": lambda each: each.confirm(*table()),
    "profiler": lambda each: each.cleaning_priorities(),
    "auditor": lambda each: each.examples(0),
}


@pytest.fixture(scope="module")
def made():
    return fitted_systems.made()


@pytest.fixture(scope="module")
def files(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    return {name: made[name].to_json(folder / f"{name}.json") for name in SYSTEMS}


def page(fitted, folder):
    """The page of a system, without the time at which it was written."""
    text = write_html(fitted, folder / "page.html").read_text(encoding="utf-8")
    return undated(text)


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_everything_comes_back(made, files, name, tmp_path, monkeypatch):
    # coarse pictures differ too, where others are drawn
    monkeypatch.setattr(_pictures, "DOTS_PER_INCH", 48)
    before, after = made[name], type(made[name]).from_json(files[name])
    assert str(after.summary()) == str(before.summary())
    assert page(after, tmp_path) == page(before, tmp_path)
    tables = [DISPLAYS[name](each).plot().table_ for each in (before, after)]
    pd.testing.assert_frame_equal(*tables)
    assert repr(after).split() == repr(before).split()
    public = {key for key in vars(before) if key.endswith("_")}
    assert public - set(vars(after)) <= {"label_model_"}
    for key in sorted(public):
        if isinstance(vars(before)[key], pd.DataFrame):
            # errors are objects, which are the same if they are written alike
            written = [
                vars(each)[key].map(lambda cell: repr(cell) if hasattr(cell, "corrupt") else cell)
                for each in (after, before)
            ]
            pd.testing.assert_frame_equal(*written)
        elif isinstance(vars(before)[key], np.ndarray):
            np.testing.assert_array_equal(vars(after)[key], vars(before)[key], strict=True)


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_what_was_read_writes_the_same_file(made, files, name, tmp_path):
    again = type(made[name]).from_json(files[name]).to_json(tmp_path / "again.json")
    assert json.loads(again.read_text()) == json.loads(files[name].read_text())


@pytest.mark.long
def test_candidates_are_objects_again(made, files):
    before, after = made["search"], type(made["search"]).from_json(files["search"])
    assert after.worst_pattern_ == before.worst_pattern_
    assert after.worst_corruption_.to_dict() == before.worst_corruption_.to_dict()
    assert list(map(repr, after.cv_results_["corruption"])) == list(
        map(repr, before.cv_results_["corruption"])
    )
    X, y = table()
    assert after.worst_corruption_.fit(X, y).corrupt(X, y).record.n_corrupted > 0


def test_the_space_and_the_strategy_are_objects_again(made, files):
    before, after = made["search"], AdversarialCorruptionSearch.from_json(files["search"])
    for name in ("space_", "strategy_"):
        given, read = getattr(before, name), getattr(after, name)
        assert type(read) is type(given) and repr(read) == repr(given)
    assert after.space_.max_conditions == 1


def test_models_are_texts_and_values_of_fixed_columns_are_left_out(files):
    text = files["auditor"].read_text()
    # the labels of rows are part of results
    assert "person-" not in text and "key-" in text
    assert "DecisionTreeClassifier" in text


@pytest.mark.parametrize("name", [*HOLD_DATA])
def test_no_value_of_the_data_is_in_the_file(files, name):
    values = table(60 if name == "auditor" else 120)[0]["b"]
    text = files[name].read_text()
    assert not [value for value in values if repr(value) in text]


@pytest.mark.parametrize("name", HOLD_DATA)
def test_what_needs_the_data_says_so(made, files, name):
    after = type(made[name]).from_json(files[name])
    with pytest.raises(ValueError, match=r"read from a file.*Fit it again"):
        ASKS[name](after)


def test_a_refitted_search_predicts_no_more(tmp_path):
    before = SYSTEMS["search"](refit=True, confirm_size=None)
    X, _ = table()
    assert len(before.predict(X)) == len(X)
    after = AdversarialCorruptionSearch.from_json(before.to_json(tmp_path / "search.json"))
    with pytest.raises(ValueError, match=r"`worst_estimator_`, a fitted model.*Fit it again"):
        after.predict(X)


def test_the_curator_goes_on_without_its_label_model(made, files):
    before, after = made["curator"], type(made["curator"]).from_json(files["curator"])
    y = np.random.default_rng(0).integers(0, 2, 200)
    assert before.score_ordering(y).rho == after.score_ordering(y).rho
    with pytest.raises(ValueError, match=r"`label_model_`, a fitted model.*Fit it again"):
        after.label_model_  # noqa: B018


@pytest.mark.long
def test_it_can_be_fitted_again(made, files):
    after = ErrorSensitivityProfiler.from_json(files["profiler"])
    models = made["profiler"].estimators
    after.set_params(estimators=models).fit(*table())
    assert len(after.cleaning_priorities()) == 6


def pickled_values(fitted, values):
    """How many values of the data a pickle holds."""
    content = pickle.dumps(fitted)
    return sum(np.float64(value).tobytes() in content for value in values)


@pytest.mark.parametrize("name", HOLD_DATA)
def test_dropped_data_is_in_no_pickle(made, name):
    fitted = copy.deepcopy(made[name])
    values = table(60 if name == "auditor" else 120)[0]["b"]
    values = values.round(1).unique() if name == "auditor" else values
    # parameters stay, bounds of columns and a fitted model among them; shares are numbers, too
    stays = pickle.dumps((fitted.get_params(deep=False), getattr(fitted, "results_", None)))
    inner = [each for each in values if np.float64(each).tobytes() not in stays]
    before, said = pickled_values(fitted, inner), str(fitted.summary())
    assert before > len(inner) / 2
    assert fitted.drop_data() is fitted
    assert pickled_values(fitted, inner) == 0
    assert str(pickle.loads(pickle.dumps(fitted)).summary()) == said
    with pytest.raises(ValueError, match=r"drop_data\(\).*Fit it again"):
        ASKS[name](fitted)


@pytest.mark.parametrize("name", HOLD_DATA)
@pytest.mark.slow
def test_the_page_is_the_same_without_the_data(name, tmp_path):
    fitted = SYSTEMS[name]()
    if name == "auditor":
        # computed when asked for, and before the data goes
        assert len(fitted.attributions_)
    assert page(fitted, tmp_path) == page(fitted.drop_data(), tmp_path)


def test_attributions_are_there_without_the_data(made, tmp_path):
    kept, dropped, written = (copy.deepcopy(made["auditor"]) for _ in range(3))
    dropped.drop_data()
    read = type(kept).from_json(written.to_json(tmp_path / "audit.json"))
    for other in (dropped, read):
        pd.testing.assert_frame_equal(other.attributions_, kept.attributions_)
        assert "<pre>" in other._repr_html_() and "_X" not in dir(other)
        assert not hasattr(other, "_X")


@pytest.mark.long
def test_after_another_fit_the_data_is_there_again(made):
    fitted = copy.deepcopy(made["profiler"]).drop_data()
    assert len(fitted.fit(*table()).cleaning_priorities()) == 6


@pytest.mark.parametrize("name", SYSTEMS)
def test_only_systems_that_hold_data_offer_to_drop_it(made, name):
    assert isinstance(made[name], FittedResults)
    assert isinstance(made[name], HoldsData) == (name in HOLD_DATA)
    assert "`drop_data`" in type(made[name]).__doc__ or name not in HOLD_DATA


def test_what_was_not_fitted_has_nothing_to_write(made, tmp_path):
    for fitted in made.values():
        with pytest.raises(NotFittedError):
            clone(fitted).to_json(tmp_path / "nothing.json")
    with pytest.raises(NotFittedError):
        clone(made["search"]).drop_data()
    assert list(tmp_path.iterdir()) == []


def changed(path, folder, change):
    """A file in which something is different."""
    content = json.loads(path.read_text())
    change(content)
    other = folder / "other.json"
    other.write_text(json.dumps(content))
    return other


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda c: c["skcorrupt"].update(format=2),
            r"skcorrupt.format=2 should be 1, the format that this version of skcorrupt reads",
        ),
        (lambda c: c.update(system="Other"), "system='Other' should be one of Adversarial"),
        (lambda c: c.pop("params"), "params is missing"),
        (lambda c: c["params"].update(depth=3), "params.depth is not known"),
        (lambda c: c["results"].pop("worst_score_"), "results.worst_score_ is missing"),
        (lambda c: c["results"].update(fit=1), "results.fit is no result of Adversarial"),
        (lambda c: c["results"].update(__class__=1), "results.__class__ is no result"),
        (lambda c: c["results"].update(_data=1), "results._data is no result"),
        (lambda c: c["results"].update(worst_score_=0.1), "digest='.*' should be the digest of"),
        (lambda c: c["params"].update(budget=0.3), "digest='.*' should be the digest of"),
        (
            lambda c: c["results"].update(worst_score_={"pickle": "x"}),
            "results.worst_score_.pickle is not known; an object has float, missing",
        ),
        (
            lambda c: c["results"].update(worst_corruption_={"corruption": {"corruption": "os"}}),
            r"results.worst_corruption_.corruption: corruption='os' should be one of",
        ),
        (
            lambda c: c["results"]["cv_results_"]["dict"][0].append(3),
            r"results.cv_results_.dict\[0\]=.* should be a pair of a key and a value",
        ),
    ],
)
def test_a_changed_file_is_refused_with_the_place(files, tmp_path, change, message):
    path = changed(files["search"], tmp_path, change)
    with pytest.raises(ValueError, match=message) as refused:
        AdversarialCorruptionSearch.from_json(path)
    assert str(refused.value).startswith(f"{path}: ")


def leaves(value, place=()):
    """Places of all values in a document that are no containers."""
    children = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in children:
        if isinstance(each, (dict, list)):
            yield from leaves(each, (*place, key))
        else:
            yield (*place, key)


@pytest.mark.many
@pytest.mark.parametrize("other", [None, "x", -1, 0.5, {}, [[]]])
def test_no_change_of_a_single_value_goes_unnoticed(files, tmp_path, other):
    content = json.loads(files["ablator"].read_text())
    places = [*leaves(content)]
    for place in np.random.default_rng(0).permutation(len(places))[:60]:
        damaged = json.loads(files["ablator"].read_text())
        inner = damaged
        *path, last = places[place]
        for key in path:
            inner = inner[key]
        if inner[last] == other or places[place] == ("skcorrupt", "version"):
            continue
        inner[last] = other
        file = tmp_path / "damaged.json"
        file.write_text(json.dumps(damaged))
        with pytest.raises(ValueError, match=r"damaged\.json: "):
            StageFairnessAblator.from_json(file)


def test_a_file_of_another_system_names_it(files):
    with pytest.raises(ValueError, match=r"system='Adv.*' should be one of ErrorSensitivity"):
        ErrorSensitivityProfiler.from_json(files["search"])


def test_a_description_keeps_text_modules_and_attributes():
    made = Described.of(lambda x: x)
    assert repr(made).startswith("<function ") and " at 0x" not in repr(made)
    assert Described("a", {}, {"support_": 3}).support_ == 3
    assert Described("a") == Described("a") and Described("a") != "a"
