"""A study as a file: what is written is read back, and what is wrong is named."""

import json

import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import silhouette_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import (
    MAR,
    CorruptCategories,
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    SelectionBias,
)
from skcorrupt.patterns import Pattern
from skcorrupt.sensitivity import ErrorSensitivityProfiler, Strategy

MISSING = [{"kind": "missing"}]


def corruption_in(strategy):
    [corruption] = strategy.profiler(GaussianNB()).corruptions.values()
    return corruption


def test_defaults_are_those_of_the_profiler():
    profiler = Strategy(corruptions=MISSING).profiler(GaussianNB())
    plain = ErrorSensitivityProfiler(GaussianNB(), corruptions=None)
    for name in (
        "strategy",
        "n_repeats",
        "cv",
        "correlation_threshold",
        "scoring",
        "screening",
    ):
        assert getattr(profiler, name) == getattr(plain, name)
    assert (profiler.alpha, profiler.tau) == (plain.alpha, plain.tau)
    assert profiler.max_features == plain.max_features
    assert tuple(profiler.levels) == tuple(plain.levels)


@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        ("missing", CorruptMissing),
        ("noise", CorruptNoise),
        ("outliers", CorruptOutliers),
        ("categories", CorruptCategories),
        ("scale", CorruptScale),
        ("labels", CorruptLabels),
        ("selection", SelectionBias),
        ("duplicates", CorruptDuplicates),
    ],
)
def test_short_names_and_names_of_classes_are_the_same(kind, cls):
    short, full = Strategy(corruptions={"kind": kind}), Strategy(corruptions={"kind": cls.__name__})
    assert type(corruption_in(short)) is cls
    assert short == full == Strategy(corruptions=cls())


@pytest.mark.parametrize(
    "corruption",
    [
        CorruptMissing(["a"], pattern="age >= 60 and city == 'Rome'", mechanism=MAR()),
        CorruptNoise([0, 2], scale=2.5, same_rows=False),
        CorruptCategories(kind="swap", pattern=Pattern({"age": (None, 30)})),
        CorruptLabels(transition={"a": "b"}, pattern="y == 1"),
        CorruptDuplicates(pattern="`marital status` in ('single', 'widowed')"),
        CorruptionProcess(
            [("m", CorruptMissing("a", rate=0.2)), ("n", CorruptNoise("b", rate=0.1))]
        ),
    ],
)
def test_a_corruption_comes_back_as_it_was(corruption, tmp_path):
    strategy = Strategy(corruptions={"mine": corruption}, levels=(0, 0.5), label="a", drop=("b",))
    strategy.to_json(tmp_path / "strategy.json")
    again = Strategy.from_json(tmp_path / "strategy.json")
    assert again == strategy
    assert again.corruptions[0]["name"] == "mine"
    read = corruption_in(again)
    assert str(read.pattern) == str(corruption.pattern)
    params, again = (
        {name: repr(value) for name, value in each.get_params(deep=False).items()}
        for each in (corruption, read)
    )
    assert {**params, "pattern": ""} == {**again, "pattern": ""}


def test_rates_and_seeds_are_left_to_the_study():
    strategy = Strategy(corruptions=CorruptNoise(rate=0.3, random_state=3))
    assert strategy.corruptions == [{"name": "noise", "kind": "noise"}]


def test_names_are_given_where_there_are_none():
    entries = [{"kind": "missing"}, {"kind": "missing", "columns": "a"}, {"kind": "noise"}]
    strategy = Strategy(corruptions=entries)
    assert [each["name"] for each in strategy.corruptions] == ["missing", "missing-2", "noise"]
    assert strategy.corruptions[1]["columns"] == ["a"]


def test_what_is_given_is_not_changed():
    entries = [{"kind": "noise", "params": {"scale": 2}}]
    strategy = Strategy(corruptions=entries)
    assert entries == [{"kind": "noise", "params": {"scale": 2}}]
    strategy.to_dict()["corruptions"][0]["params"]["scale"] = 5
    assert strategy.corruptions[0]["params"] == {"scale": 2}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({}, "corruptions[0].kind is missing; an entry, of which params has"),
        ({"kind": "mising"}, "(did you mean 'missing'?); import the module that defines"),
        ({"kind": ["missing"]}, "corruptions[0].kind=['missing'] should be one of"),
        ({"kind": "noise", "scale": 2}, "params has all other parameters of the class"),
        ({"kind": "noise", "colums": ["a"]}, "corruptions[0].colums is not known (did you mean"),
        ({"kind": "noise", "columns": []}, "corruptions[0].columns=[] should be a list"),
        ({"kind": "noise", "columns": ["a", "b", "a"]}, "names 'a' twice; take one out"),
        (
            {"kind": "noise", "params": {"sampling": "normal", "when": "always"}},
            "params.when='always': a study corrupts training data only; leave it out",
        ),
        ({"kind": "noise", "columns": [1.5]}, "corruptions[0].columns=[1.5] should be a list"),
        ({"kind": "labels", "columns": ["a"]}, "'labels' strikes rows, not columns"),
        ({"kind": "noise", "pattern": "a >>= 2"}, "corruptions[0].pattern: Pattern 'a >>= 2' is"),
        ({"kind": "noise", "pattern": 3}, "corruptions[0].pattern=3 should be a text"),
        ({"kind": "CorruptionProcess", "pattern": "a == 1"}, "takes none; leave it out"),
        ({"kind": "noise", "name": ""}, "corruptions[0].name='' should be a text"),
        ({"kind": "noise", "params": [2]}, "corruptions[0].params=[2] should be an object"),
        (
            {"kind": "noise", "params": {"scal": 2}},
            "params.scal is not known (did you mean 'scale'?); CorruptNoise has columns, scale",
        ),
        ({"kind": "noise", "params": {"scale": "x"}}, "corruptions[0].params: The 'scale'"),
        ({"kind": "noise", "params": {"rate": 0.2}}, "params.rate is set by levels"),
        ({"kind": "noise", "params": {"columns": "a"}}, "to corruptions[0].columns"),
    ],
)
def test_a_wrong_entry_is_named(entry, told):
    with pytest.raises(ValueError, match="corruptions") as caught:
        Strategy(corruptions=[entry])
    assert told in str(caught.value)


def test_two_entries_of_one_name_are_refused():
    with pytest.raises(ValueError, match=r"corruptions\[1\]\.name='a' is taken"):
        Strategy(corruptions=[{"kind": "noise", "name": "a"}, {"kind": "missing", "name": "a"}])


@pytest.mark.parametrize("corruptions", ["missing", 3, ["missing"], {"a": 3}])
def test_what_is_no_error_at_all(corruptions):
    with pytest.raises(TypeError, match="corruptions"):
        Strategy(corruptions=corruptions)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("corruptions", [], "corruptions=[] has none"),
        ("strategy", "all", "strategy='all' should be one of one-feature, correlated, custom"),
        ("levels", [0, 0.4, 0.2], "levels=[0, 0.4, 0.2] should be"),
        ("levels", [0.1, 0.2], "grow from 0"),
        ("levels", [0, 1.5], "to 1 at most"),
        ("levels", "012", "levels='012' should be"),
        ("n_repeats", 0, "n_repeats=0 should be a whole number, 1 or more"),
        ("n_repeats", 2.5, "n_repeats=2.5 should be a whole number"),
        ("random_state", -1, "random_state=-1 should be a whole number, 0 or more"),
        ("cv", 1, "cv=1 should be a whole number, 2 or more"),
        ("correlation_threshold", 0, "correlation_threshold=0 should be a number above 0 and at"),
        ("alpha", "5 %", "alpha='5 %' should be a number"),
        ("tau", -0.1, "tau=-0.1 should be a number at least 0"),
        ("tau", True, "tau=True should be a number"),
        ("screening", "luck", "screening='luck' should be one of importance, variance,"),
        ("max_features", 0, "max_features=0 should be a whole number, 1 or more"),
        ("scoring", "acc", "scoring='acc' should be the name of a score"),
        ("scoring", "silhouette_score", "did you mean 'silhouette'"),
        ("scoring", 3, "scoring=3 should be the name of a score"),
        ("label", 3, "label=3 should be the name of a column"),
        ("drop", "a", "drop='a' should be a list of different names"),
        ("models", ["a", "a"], "models=['a', 'a'] should be a list of different names"),
        ("models", [], "models=[] has none"),
        (
            "scorring",
            None,
            "scorring is not known (did you mean 'scoring'?); a strategy has",
        ),
    ],
)
def test_a_wrong_field_is_named(field, value, told):
    with pytest.raises(ValueError, match=field) as caught:
        Strategy.from_dict({"corruptions": MISSING} | {field: value})
    assert told in str(caught.value)


def test_custom_studies_name_their_columns():
    with pytest.raises(ValueError, match="chooses columns, which strategy='custom' leaves"):
        Strategy(corruptions=MISSING, strategy="custom", screening="variance")


def test_the_label_is_not_left_out():
    with pytest.raises(ValueError, match=r"drop=.* has the label 'a'; take it out"):
        Strategy(corruptions=MISSING, label="a", drop=["a"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "it is no JSON at line 1, column 2"),
        ("[]", r"data=\[\] should be an? "),
        ("{}", "corruptions is missing; a strategy has corruptions, strategy"),
    ],
)
def test_a_file_that_is_no_strategy(text, told, tmp_path):
    path = tmp_path / "strategy.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=told):
        Strategy.from_json(path)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"corruptions": [{"kind": "noise"}], "n_repeats": 5, "n_repeats": 6}', "n_repeats"),
        ('{"corruptions": [{"kind": "noise", "kind": "missing"}]}', "kind"),
    ],
)
def test_a_key_that_is_there_twice(text, key, tmp_path):
    path = tmp_path / "strategy.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"has the key '{key}' twice; take one out"):
        Strategy.from_json(path)


def test_it_has_no_hash():
    with pytest.raises(TypeError, match="unhashable type: 'Strategy'"):
        hash(Strategy(corruptions=MISSING))


def test_clusters_are_scored_by_name():
    X, _ = load_iris(return_X_y=True)
    strategy = Strategy(
        corruptions={"kind": "noise", "columns": [2]},
        levels=[0, 0.5],
        n_repeats=6,
        scoring="silhouette",
    )
    profiler = strategy.profiler(KMeans(3, n_init=1)).fit(X)
    direct = strategy.profiler(KMeans(3, n_init=1), scoring=by_hand).fit(X)
    assert profiler.curves_["score"].tolist() == direct.curves_["score"].tolist()
    assert profiler.cleaning_priorities()["importance"].notna().all()
    with pytest.raises(ValueError, match="is for clusterers, and GaussianNB predicts labels"):
        strategy.profiler(GaussianNB()).fit(X)


def by_hand(model, X, y):
    return silhouette_score(X, model.predict(X))


def test_models_are_chosen_by_name():
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    chosen = Strategy(corruptions=MISSING, models=["tree"]).profiler(models)
    assert list(chosen.estimators) == ["tree"]
    by_class = Strategy(corruptions=MISSING, models=["GaussianNB"]).profiler(GaussianNB())
    assert list(by_class.estimators) == ["GaussianNB"]
    with pytest.raises(ValueError, match="models: 'svm' is not among the estimators, which are nb"):
        Strategy(corruptions=MISSING, models=["svm"]).profiler(models)


def test_two_models_of_one_class_are_told_apart():
    models = [DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier(max_depth=2)]
    strategy = Strategy(corruptions=[{"kind": "noise"}], models=["DecisionTreeClassifier-2"])
    assert strategy.profiler(models).estimators == {"DecisionTreeClassifier-2": models[1]}


def test_it_runs_as_the_profiler_it_describes():
    X, y = load_iris(return_X_y=True, as_frame=True)
    columns = ["petal width (cm)"]
    settings = {"levels": [0, 0.8], "n_repeats": 6, "random_state": 3, "scoring": "f1_macro"}
    data = {"corruptions": [{"kind": "noise", "columns": columns}], **settings}
    strategy = Strategy.from_dict(json.loads(json.dumps(data)))
    profiler = strategy.profiler(GaussianNB(), random_state=4).fit(X, y)
    direct = ErrorSensitivityProfiler(
        GaussianNB(), corruptions={"noise": CorruptNoise(columns)}, **settings | {"random_state": 4}
    ).fit(X, y)
    assert profiler.curves_.equals(direct.curves_)
    assert profiler.profiles_["features"].tolist() == columns
