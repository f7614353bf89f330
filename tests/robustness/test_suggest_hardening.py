"""Which remedies are suggested for which error, and what is said where there is none."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import (
    LogisticRegression,
)
from sklearn.model_selection import GridSearchCV, ParameterGrid, RandomizedSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    OneHotEncoder,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from skopt import BayesSearchCV

from pipelines_to_harden import (
    CLASSES,
    MIXED,
    NUMERIC,
    TEXTS,
    learns,
    mixed,
    numbers,
    prepared,
    settings,
    words,
)
from skcorrupt import (
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptScale,
    SelectionBias,
)
from skcorrupt.corruptions import short_names
from skcorrupt.robustness import (
    ColumnDropper,
    DoubtfulLabelClassifier,
    RangeClipper,
    suggest_hardening,
)
from skcorrupt.utils._compat import output_container


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name):
    X = words()
    grids = suggest_hardening(TEXTS[name], ["text", "missing", "labels", "scale"])
    # nothing that asks for a table
    assert not any(name in repr(grids) for name in ("RangeClipper", "Imputer", "Dropper"))
    assert any("tfidfvectorizer__analyzer" in grid for grid in grids)
    for grid in grids:
        for remedy in settings(grid):
            learns(TEXTS[name], remedy, X, CLASSES)


# remedies, as text, that were found to fit a pipeline: kinds share most of theirs
FITTING = {"imputed": set(), "branches": set()}


@pytest.mark.parametrize("name", [pytest.param("imputed", marks=pytest.mark.slow), "branches"])
@pytest.mark.parametrize("kind", sorted(short_names()))
def test_every_kind_has_remedies(kind, name):
    """Kinds of other packages, and those that need data, go by what they strike."""
    template = short_names()[kind]
    if hasattr(template, "_required_parameters"):
        pytest.skip("it is learned from data")
    pipeline = (NUMERIC | MIXED)[name]
    every = suggest_hardening(pipeline, kind)
    grids = {repr(grid): grid for grid in every}
    assert len(grids) == len(every) > 0
    for text in grids.keys() - FITTING[name]:
        for remedy in settings(grids[text]):
            clone(pipeline).set_params(**remedy)
        FITTING[name].add(text)


def test_columns_go_where_branches_choose_theirs_by_type():
    numeric, text = (
        make_column_selector(dtype_include="number"),
        make_column_selector(dtype_exclude="number"),
    )
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    steps = [("num", scaled, numeric), ("cat", OneHotEncoder(), text)]
    pipeline = make_pipeline(ColumnTransformer(steps), LogisticRegression())
    grids = suggest_hardening(pipeline, CorruptScale("size"))
    (value,) = [
        value
        for grid in grids
        for value in grid.get("columntransformer", [])
        if isinstance(value, Pipeline) and isinstance(value[0], ColumnDropper)
    ]
    tried = learns(pipeline, {"columntransformer": value}, mixed(), CLASSES)
    names = tried[0].get_feature_names_out()
    assert any("city" in name for name in names)
    assert not any("size" in name for name in names)


def paths(grids):
    """All parameters that are changed."""
    return {path for grid in grids for path in grid}


def test_missing_values():
    grids = suggest_hardening(MIXED["branches"], "missing")
    start = "columntransformer__pipeline-1__simpleimputer"
    assert {f"{start}__strategy": ["median", "constant"]} in grids
    assert {f"{start}__add_indicator": [True]} in grids
    # texts have no mean and no neighbours
    other = "columntransformer__pipeline-2__simpleimputer"
    assert {f"{other}__strategy": ["constant"]} in grids
    assert other not in paths(grids)
    # logistic regression takes no gaps
    assert not any(["passthrough"] in grid.values() for grid in grids)


@pytest.mark.long
def test_gaps_are_told_from_values_in_all_columns_at_once():
    start = "columntransformer__pipeline"
    number, text = f"{start}-1__simpleimputer__add_indicator", f"{start}-2__simpleimputer__strategy"
    marks = {number: [True], text: ["constant"]}
    pipeline = MIXED["branches"]
    grids = suggest_hardening(pipeline, "missing")
    assert marks in grids
    assert any(marks.items() < grid.items() and len(grid) == 3 for grid in grids)
    X = mixed()
    # imputers take no None for a gap
    X.loc[X["city"].isna(), "city"] = np.nan
    most = X["city"].mode()[0]
    usual = X[X["city"] == most].iloc[:1].assign(a=X["a"].mean())
    for params, told in (({}, False), ({path: values[0] for path, values in marks.items()}, True)):
        fitted = clone(pipeline).set_params(**params).fit(X, CLASSES)
        for column in ("a", "city"):
            rows = pd.concat([usual, usual], ignore_index=True)
            rows.loc[1, column] = np.nan
            one, other = fitted.decision_function(rows)
            assert (abs(one - other) > 1e-9) == told
    # a single one is among other fills
    half = clone(pipeline).set_params(**{text: "constant"})
    both = [grid for grid in suggest_hardening(half, "missing") if {number, text} <= {*grid}]
    assert not both


def test_native_handling_goes_by_tags():
    grids = suggest_hardening(NUMERIC["forest"], "missing")
    assert {"simpleimputer": ["passthrough"]} in grids
    both = make_pipeline(SimpleImputer(), PCA(2), RandomForestClassifier())
    assert {"simpleimputer": ["passthrough"]} not in suggest_hardening(both, "missing")


def test_a_pipeline_without_imputers_gets_them():
    X = numbers()
    X.loc[::5, "b"] = np.nan
    grids = suggest_hardening(NUMERIC["scaled"], "missing")
    (grid,) = [g for g in grids if [*g] == ["standardscaler"]]
    for value in grid["standardscaler"]:
        learns(NUMERIC["scaled"], {"standardscaler": value}, X, CLASSES)
    branches = prepared(LogisticRegression(), num=StandardScaler(), cat=OneHotEncoder())
    first = suggest_hardening(branches, "missing")[0]
    learns(branches, {path: values[0] for path, values in first.items()}, mixed(), CLASSES)


@pytest.mark.long
def test_columns_that_are_hit_may_go():
    grids = suggest_hardening(NUMERIC["scaled"], CorruptScale(["a", "b"]))
    dropped = [
        value[0]
        for grid in grids
        for value in grid.get("standardscaler", [])
        if isinstance(value, Pipeline) and isinstance(value[0], ColumnDropper)
    ]
    assert [each.columns for each in dropped] == [["a", "b"]]
    (grid,) = [
        g for g in suggest_hardening(MIXED["branches"], CorruptScale("city"))
        if "columntransformer__transformers" in g
    ]  # fmt: skip
    tried = learns(MIXED["branches"], {p: v[0] for p, v in grid.items()}, mixed(), CLASSES)
    names = tried[0].get_feature_names_out()
    assert not any("city" in name for name in names)
    assert any("size" in name for name in names)
    # no column is named, none is left out
    assert "columntransformer__transformers" not in paths(
        suggest_hardening(MIXED["branches"], "scale")
    )


def test_what_a_search_found_and_processes():
    process = CorruptionProcess([("m", CorruptMissing("a")), ("l", CorruptLabels())])
    grids = suggest_hardening(NUMERIC["imputed"], process)
    assert "simpleimputer__strategy" in paths(grids)
    assert "linearsvc__class_weight" in paths(grids)
    both = suggest_hardening(NUMERIC["imputed"], ["missing", SelectionBias()])
    assert paths(suggest_hardening(NUMERIC["imputed"], "missing")) < paths(both)


@pytest.mark.parametrize("installed", [True, False])
def test_labels(monkeypatch, installed):
    found = "cleanlab" if installed else None
    monkeypatch.setattr("skcorrupt.robustness._remedies_around.find_spec", lambda name: found)
    (grid,) = [
        g
        for g in suggest_hardening(NUMERIC["bare"], "labels")
        if any(isinstance(v, DoubtfulLabelClassifier) for v in g.get("logisticregression", []))
    ]
    doubting = [value for value in grid["logisticregression"] if not value.cleanlab]
    assert [value.method for value in doubting] == ["prune", "weight"]
    assert len(grid["logisticregression"]) - len(doubting) == installed
    assert not any(
        isinstance(value, DoubtfulLabelClassifier)
        for grid in suggest_hardening(NUMERIC["imputed"], "labels")
        for values in grid.values()
        for value in values
    )


def test_a_grid_search_takes_them():
    grids = suggest_hardening(NUMERIC["scaled"], CorruptScale("a"))
    search = GridSearchCV(NUMERIC["scaled"], grids, cv=2, error_score="raise")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "n_quantiles")
        search.fit(numbers(), CLASSES)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_new_steps_give_the_tables_that_those_they_replace_give(container):
    X, y = mixed(), CLASSES
    numeric = make_pipeline(SimpleImputer(), StandardScaler())
    dense = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = ColumnTransformer(
        [
            ("numbers", numeric, make_column_selector(dtype_include=np.number)),
            ("texts", dense, make_column_selector(dtype_exclude=np.number)),
        ]
    )
    pipeline = make_pipeline(columns.set_output(transform=container), LogisticRegression())
    before = repr(pipeline.get_params())
    rows = np.flatnonzero(np.arange(len(X)) % 7)
    for kind in ("missing", "scale"):
        for grid in suggest_hardening(pipeline, kind):
            for choice in ParameterGrid(grid):
                changed = clone(pipeline).set_params(**clone(choice, safe=False))
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", "n_quantiles")
                    # rows that are not numbered from 0 show what numbers them anew
                    changed.fit(X.iloc[rows], y[rows]).predict(X)
    assert repr(pipeline.get_params()) == before


def test_steps_of_the_pipeline_itself_give_what_they_gave():
    X, y = mixed(), CLASSES
    filled = SimpleImputer().set_output(transform="pandas")
    frozen = FrozenEstimator(SimpleImputer().fit(X.select_dtypes("number")))
    sparse = OneHotEncoder(handle_unknown="ignore")
    numbers_of = make_column_selector(dtype_include=np.number)
    texts_of = make_column_selector(dtype_exclude=np.number)
    scaled = StandardScaler().set_output(transform="pandas")
    for fill, scale in ((filled, StandardScaler()), (frozen, scaled)):
        branches = [
            ("numbers", make_pipeline(fill, scale), numbers_of),
            ("texts", sparse, texts_of),
        ]
        pipeline = make_pipeline(ColumnTransformer(branches), LogisticRegression())
        for grid in suggest_hardening(pipeline, "scale"):
            for choice in ParameterGrid(grid):
                changed = clone(pipeline).set_params(**clone(choice, safe=False))
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", "n_quantiles")
                    changed.fit(X, y).predict(X)
    assert output_container(sparse) is output_container(frozen.estimator) is None


@pytest.mark.parametrize(
    "search",
    [
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
        GridSearchCV(LogisticRegression(), [{"C": [0.1]}, {"C": [1.0], "tol": [1e-3]}], cv=2),
        RandomizedSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, n_iter=1, cv=2),
        BayesSearchCV(LogisticRegression(), {"C": (0.1, 1.0)}, n_iter=1, cv=2),
        BayesSearchCV(
            LogisticRegression(), [({"C": (0.1, 1.0)}, 1), {"tol": [1e-3]}], n_iter=1, cv=2
        ),
        GridSearchCV(
            Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())]),
            {"model": [LogisticRegression(), DecisionTreeClassifier()]},
            cv=2,
        ),
    ],
)
@pytest.mark.parametrize("kind", ["missing", "labels"])
def test_what_a_search_within_sets_is_left_to_it(search, kind):
    pipeline = make_pipeline(SimpleImputer(), StandardScaler(), search)
    grids = suggest_hardening(pipeline, kind)
    name = pipeline.steps[-1][0]
    set_inside = {f"{name}__estimator", f"{name}__estimator__C", f"{name}__estimator__model__C"}
    assert grids and not any(set_inside & grid.keys() for grid in grids)
    for grid in grids:
        for choice in ParameterGrid(grid):
            changed = clone(pipeline).set_params(**clone(choice, safe=False))
            changed.fit(numbers(), CLASSES)


def test_a_range_mends_a_unit():
    """The remedy that is meant for an error helps against it."""
    X = numbers()
    y = (X["a"] > 0).to_numpy()
    served = X.assign(a=X["a"] * 1000, b=X["b"] * -1000)
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    (first, *_) = suggest_hardening(plain, "scale")
    held = plain.set_params(**{path: values[0] for path, values in first.items()})
    assert isinstance(first["standardscaler"][0][0], RangeClipper)
    assert held.fit(X, y).score(served, y) > 0.7
    plain = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    assert held.score(served, y) > plain.score(served, y)


def test_refusals():
    with pytest.raises(TypeError, match=r"no Pipeline.*make_pipeline\(estimator\)"):
        suggest_hardening(LogisticRegression(), "missing")
    with pytest.raises(ValueError, match=r"last step is StandardScaler\(\).*add a classifier"):
        suggest_hardening(make_pipeline(StandardScaler()), "missing")
    with pytest.raises(ValueError, match=r"last step is None.*add a classifier"):
        suggest_hardening(Pipeline([]), "missing")
    with pytest.raises(ValueError, match=r"'gone' should be one of"):
        suggest_hardening(NUMERIC["bare"], "gone")
    with pytest.raises(TypeError, match="corruption=3"):
        suggest_hardening(NUMERIC["bare"], 3)
    with pytest.raises(ValueError, match="names no error"):
        suggest_hardening(NUMERIC["bare"], [])


class Fixed(ClassifierMixin, BaseEstimator):
    """Says what it says."""

    n_estimators = 1

    def __init__(self, n_estimators=1):
        self.n_estimators = n_estimators

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def test_no_remedy_is_said():
    with pytest.warns(UserWarning, match=r"no remedy for errors of kind selection.*Fixed"):
        assert suggest_hardening(make_pipeline(Fixed()), "selection") == []


def test_gaps_in_training_are_told_from_values():
    grids = suggest_hardening(MIXED["branches"], "missing")
    grid, pair = [g for g in grids if "CorruptMissing" in repr(g)]
    assert list(grid) == ["columntransformer"]
    assert list(pair) == ["columntransformer", "logisticregression__C"]
    for first in grid["columntransformer"]:
        kept = first[-1].get_params()
        assert kept["pipeline-1__simpleimputer__add_indicator"]
        assert kept["pipeline-2__simpleimputer__strategy"] == "constant"
    rates = [first[0].rate for first in grid["columntransformer"]]
    assert rates == sorted(rates) and not grid["columntransformer"][0][0].same_rows
    # in a step of their own, imputers are set where they are
    later = make_pipeline(StandardScaler(), SimpleImputer(), LogisticRegression())
    grid, _ = [g for g in suggest_hardening(later, "missing") if "CorruptMissing" in repr(g)]
    assert grid["simpleimputer__add_indicator"] == [True] and len(grid["standardscaler"]) == 2
    # models that take gaps as they are need no imputer, others are not given any to fail on
    assert "CorruptMissing" in repr(suggest_hardening(NUMERIC["native"], "missing"))
    assert "CorruptMissing" not in repr(suggest_hardening(NUMERIC["scaled"], "missing"))


def test_gaps_in_training_teach_what_other_columns_say():
    """A value that is filled in is read as if it were given by a model that saw no gap."""
    X, y = told_by_two_columns()
    forest = RandomForestClassifier(20, min_samples_leaf=3, random_state=0)
    plain = make_pipeline(SimpleImputer(strategy="most_frequent"), forest)
    grid, _ = [g for g in suggest_hardening(plain, "missing") if "CorruptMissing" in repr(g)]
    remedy = {path: values[-1] for path, values in grid.items()}
    served = X[400:].assign(told=np.nan)
    scores = [
        clone(plain).set_params(**changed).fit(X[:400], y[:400]).score(served, y[400:])
        for changed in ({}, remedy)
    ]
    assert scores[0] < 0.6 and scores[1] > 0.8


def told_by_two_columns():
    """A column that says nearly all, and another one that says much of it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    told, said = (np.where(rng.random(600) < share, y, 1 - y) for share in (0.98, 0.85))
    return pd.DataFrame({"told": told.astype(float), "said": said.astype(float)}), y


def test_gaps_are_planted_where_values_out_of_range_become_gaps():
    """A clipper alone leaves a model that never saw a gap with the fill."""
    X, y = told_by_two_columns()
    forest = RandomForestClassifier(20, min_samples_leaf=3, random_state=0)
    plain = make_pipeline(SimpleImputer(), forest)
    values = [
        value
        for grid in suggest_hardening(plain, "scale")
        for value in grid.get("simpleimputer", [])
        if [*grid] == ["simpleimputer"] and "outside='missing'" in repr(value)
    ]
    planted = ["CorruptMissing" in repr(value) for value in values]
    assert planted == [False, True, True]
    assert all(
        [type(step).__name__ for _, step in value.steps]
        == ["RangeClipper", "CorruptMissing", "SimpleImputer"]
        for value in values[1:]
    )
    served = X[400:].assign(told=X["told"][400:] * 1000 + 500)
    without, taught = (
        clone(plain).set_params(simpleimputer=value).fit(X[:400], y[:400]).score(served, y[400:])
        for value in (values[0], values[-1])
    )
    assert without < 0.6 and taught > 0.8


def test_pairs_go_to_the_root_and_make_errors_smaller():
    grids = suggest_hardening(MIXED["branches"], "missing")
    single = [grid for grid in grids if not {"logisticregression__C"} < set(grid)]
    pairs = grids[len(single) :]
    assert single == grids[: len(single)] and pairs
    for pair in pairs:
        own = {path: values for path, values in pair.items() if path != "logisticregression__C"}
        assert pair["logisticregression__C"] == [0.1]
        last = [{path: values[-1:] for path, values in grid.items()} for grid in single]
        assert repr(own) in map(repr, last)
    # a model that is replaced takes no parameters of the one before
    bare = suggest_hardening(NUMERIC["bare"], "labels")
    assert {"logisticregression__class_weight", "logisticregression__C"} in map(set, bare)
    assert not any({"logisticregression", "logisticregression__C"} <= set(grid) for grid in bare)


@pytest.mark.parametrize("model", [DecisionTreeRegressor(), RandomForestRegressor(5)])
def test_trees_of_numbers_get_a_loss_that_few_targets_move_little(model):
    name = type(model).__name__.lower()
    grids = suggest_hardening(make_pipeline(model), "labels")
    assert {f"{name}__criterion": ["absolute_error"]} in grids
    robust = make_pipeline(clone(model).set_params(criterion="absolute_error"))
    assert f"{name}__criterion" not in paths(suggest_hardening(robust, "labels"))


def test_numbers_that_are_filled_by_the_most_frequent_are_no_texts():
    plain = make_pipeline(SimpleImputer(strategy="most_frequent"), LogisticRegression())
    grids = suggest_hardening(plain, "missing")
    assert {"simpleimputer__strategy": ["mean", "median", "constant"]} in grids
    (others,) = [grid["simpleimputer"] for grid in grids if [*grid] == ["simpleimputer"]][:1]
    assert {type(each).__name__ for each in others} == {"KNNImputer", "IterativeImputer"}
    # a text that is filled in is one, whatever comes after it
    text = make_pipeline(SimpleImputer(strategy="constant", fill_value="?"), OneHotEncoder(),
                         LogisticRegression())  # fmt: skip
    assert {"simpleimputer__strategy": ["most_frequent"]} in suggest_hardening(text, "missing")


@pytest.mark.parametrize(
    ("model", "changed"),
    [
        (RandomForestClassifier(min_samples_leaf=100), {"min_samples_leaf": [200, 500]}),
        (RandomForestClassifier(min_samples_leaf=0.3), {"min_samples_leaf": [0.6]}),
        (HistGradientBoostingClassifier(), {"min_samples_leaf": [40, 100]}),
        (HistGradientBoostingClassifier(), {"l2_regularization": [1.0, 10.0]}),
        (HistGradientBoostingClassifier(l2_regularization=10.0),
         {"l2_regularization": [100.0, 1000.0]}),
    ],
)  # fmt: skip
def test_regularisation_is_never_weaker_than_it_was(model, changed):
    name = type(model).__name__.lower()
    grids = suggest_hardening(make_pipeline(model), "scale")
    assert {f"{name}__{key}": values for key, values in changed.items()} in grids
