"""Boosted rounds and the pipeline's own tree against scikit-learn on rows that are written out."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from proxy_setups import laid_out, pipeline_and_proxy, some_candidates, struck_groups
from skcorrupt import CorruptDuplicates, CorruptLabels, CorruptOutliers, CorruptScale
from skcorrupt.adversarial.proxies import Screened, _boosted_rounds
from skcorrupt.adversarial.strategies._auto_run import AutoRun


def stepped(n=400, seed=0, n_classes=2):
    """Whole numbers, one after the other, and labels that trees tell apart."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.integers(0, 6, n), "b": rng.integers(0, 5, n), "c": rng.integers(0, 4, n)}
    ).astype(float)
    level = 2.0 * (X.a > 2) * (X.b < 3) + (X.c == 1) + rng.normal(size=n) / 2
    if n_classes == 0:
        return X, level
    cuts = np.quantile(level, np.arange(1, n_classes) / n_classes)
    return X, pd.Series(np.searchsorted(cuts, level))


def written_out(setup, X, y, candidate, struck_values, flipped=None):
    """Rows clean and struck, their labels and weights."""
    _, _, candidate, mask = candidate
    train = setup.problem.splits[0].train
    lost = candidate.rate * mask[train]
    kind = setup.stand_ins.kind
    clean, labels = X.iloc[train], np.asarray(y)[train]
    after = labels if flipped is None else flipped[train]
    copies = [struck_values(clean, 1 - lost)] if kind == "missing" else struck_values(clean, lost)
    before = {"duplicates": 1 + 0 * lost}.get(kind, 1 - lost)
    each = {"selection": 0 * lost}.get(kind, lost) / len(copies)
    rows = np.vstack([clean, *copies])
    weights = np.concatenate([before, *[each] * len(copies)])
    there = weights > 1e-9
    return rows[there], np.concatenate([labels, *[after] * len(copies)])[there], weights[there]


IMPUTERS = {
    "mean": lambda kept, v: np.average(v, weights=kept),
    "median": lambda kept, v: float(
        np.sort(v)[(np.cumsum(kept[np.argsort(v, kind="stable")]) >= kept.sum() / 2).argmax()]
    ),
    "most_frequent": lambda kept, v: pd.Series(kept).groupby(v).sum().idxmax(),
}


def lost_values(strategy, hit):
    def struck_values(clean, kept):
        value = np.nan if strategy is None else IMPUTERS[strategy](kept, clean[hit].to_numpy())
        return clean.assign(**{hit: value})

    return struck_values


def assert_boosted_alike(found, rows, y, w, X, n_classes):
    settings = {
        "max_iter": _boosted_rounds.ROUNDS,
        "learning_rate": _boosted_rounds.RATE,
        "max_depth": _boosted_rounds.DEPTH,
        "l2_regularization": _boosted_rounds.SHRINKAGE,
        "min_samples_leaf": 1,
        "max_leaf_nodes": None,
        "early_stopping": False,
    }
    if n_classes:
        model = HistGradientBoostingClassifier(**settings).fit(rows, y, sample_weight=w)
        expected = model.predict_proba(X.to_numpy())[:, 1]
    else:
        model = HistGradientBoostingRegressor(**settings).fit(rows, y, sample_weight=w)
        expected = model.predict(X.to_numpy())
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.fixture
def shallow(monkeypatch):
    """In deep nodes several splits gain the same, and which is taken is nobody's concern."""
    monkeypatch.setattr(_boosted_rounds, "DEPTH", 3)


@pytest.mark.usefixtures("shallow")
@pytest.mark.parametrize("n_classes", [0, 2])
@pytest.mark.parametrize("strategy", [None, "mean", "median", "most_frequent"])
def test_rounds_are_those_of_scikit_learn(n_classes, strategy):
    X, y = stepped(n_classes=n_classes)
    model = HistGradientBoostingClassifier() if n_classes else HistGradientBoostingRegressor()
    model = model if strategy is None else make_pipeline(SimpleImputer(strategy=strategy), model)
    settings = {"corrupt_columns": ["a"], "pattern_columns": ["a", "c"]}
    setup = laid_out(model, "missing", X, y, name="boosting", budget=0.15, **settings)
    some = [each for each in some_candidates(setup, 12) if each[2].rate < 1][:2]
    predicted = setup.proxy.predict(0, struck_groups(setup, some))
    for found, candidate in zip(predicted, some, strict=True):
        rows = written_out(setup, X, y, candidate, lost_values(strategy, "a"))
        assert_boosted_alike(found[setup.groups.of_row], *rows, X, n_classes)


@pytest.mark.usefixtures("shallow")
@pytest.mark.parametrize("kind", ["labels", "selection", "duplicates", "outliers"])
def test_rounds_of_other_errors(kind):
    X, y = stepped()
    corruption = {"duplicates": CorruptDuplicates(), "outliers": CorruptOutliers(magnitude=9.0)}
    hit = {"corrupt_columns": ["a"]} if kind == "outliers" else {}
    model = HistGradientBoostingClassifier()
    setup = laid_out(model, corruption.get(kind, kind), X, y, name="boosting", budget=0.15, **hit)
    some = [each for each in some_candidates(setup, 12) if each[2].rate < 1][:2]
    flipped = 1 - y.to_numpy() if kind == "labels" else None
    of_groups = setup.screen._flipped(None)
    predicted = setup.proxy.predict(0, struck_groups(setup, some, of_groups))

    def struck_values(clean, _):
        if kind != "outliers":
            return [clean]
        far = 9.0 * X.a.std(ddof=0)
        return [clean.assign(a=clean.a - far), clean.assign(a=clean.a + far)]

    for found, candidate in zip(predicted, some, strict=True):
        rows = written_out(setup, X, y, candidate, struck_values, flipped)
        assert_boosted_alike(found[setup.groups.of_row], *rows, X, 2)


@pytest.mark.many
@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=0),
        DecisionTreeClassifier(max_depth=4, criterion="entropy", random_state=0),
        DecisionTreeClassifier(min_samples_leaf=12, random_state=0),
        DecisionTreeClassifier(max_depth=6, class_weight={0: 1, 1: 3}, random_state=0),
        DecisionTreeRegressor(max_depth=5, random_state=0),
    ],
    ids=["full", "entropy", "leaves", "weights", "regression"],
)
@pytest.mark.parametrize(
    "imputer",
    [None, SimpleImputer(), IterativeImputer(), KNNImputer(n_neighbors=400)],
    ids=["none", "mean", "regression", "neighbours"],
)
def test_the_own_tree_is_that_of_struck_rows(model, imputer):
    X, y = stepped(n_classes=0 if isinstance(model, DecisionTreeRegressor) else 2)
    pipeline = make_pipeline(model) if imputer is None else make_pipeline(imputer, model)
    settings = {"corrupt_columns": ["a"], "pattern_columns": ["a", "b", "c"]}
    setup = laid_out(pipeline, "missing", X, y, name="single_tree", budget=0.9, **settings)
    whole = [each for each in some_candidates(setup, 40) if each[2].rate == 1][:4]
    predicted = setup.proxy.predict(0, struck_groups(setup, whole))
    train = setup.problem.splits[0].train
    for found, (_, _, _, mask) in zip(predicted, whole, strict=True):
        dirty = X.iloc[train].copy()
        dirty.loc[mask[train], "a"] = np.nan
        pipeline.fit(dirty, y.iloc[train])
        known = pipeline.predict(X) if model.__sklearn_tags__().regressor_tags else None
        expected = pipeline.predict_proba(X)[:, 1] if known is None else known
        # where all rows of a level are struck, a tree may cut on either side of it
        held = X.a.isin(dirty.a.dropna().unique()).to_numpy()
        alike = np.isclose(found[setup.groups.of_row], expected, atol=1e-6)
        assert alike[held].mean() > 0.95


def test_a_tree_of_three_classes():
    X, y = stepped(n_classes=3)
    model = DecisionTreeClassifier(max_depth=4, random_state=0)
    setup = laid_out(model, "labels", X, y, name="single_tree", budget=0.2)
    some = some_candidates(setup, 3)
    assert setup.proxy.predict(0, struck_groups(setup, some, 2 + 0 * setup.groups.y)).shape == (
        3,
        setup.groups.n_groups,
        3,
    )
    assert not setup.stand_ins.can("boosting")


def nested(n=900, seed=4):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    level = 3.0 * (X.a > 0) * (X.b > -0.5) + X.c + rng.normal(size=n) / 2
    return X, pd.Series((level > level.median()).astype(int))


@pytest.mark.many
@pytest.mark.parametrize(
    ("model", "name", "corruption"),
    [
        (DecisionTreeClassifier(min_samples_leaf=15, random_state=0), "single_tree", "missing"),
        (RandomForestClassifier(20, random_state=0), "boosting", "missing"),
        (HistGradientBoostingClassifier(max_iter=20), "boosting", CorruptScale(factor=-1.0)),
    ],
)
def test_candidates_are_in_the_order_of_the_pipeline(model, name, corruption):
    X, y = nested()
    pipeline = make_pipeline(SimpleImputer(), model)
    settings = {"scoring": "roc_auc", "corrupt_columns": ["a"], "n_bins": 6}
    setup = laid_out(pipeline, corruption, X, y, name=name, budget=0.5, **settings)
    assert setup.stand_ins.names()[0] == name
    real, said = pipeline_and_proxy(setup, some_candidates(setup, 25, depth=1), name)
    assert spearmanr(real, said).statistic > 0.8


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (DecisionTreeClassifier(), ["single_tree", "tree", "linear"]),
        (RandomForestClassifier(), ["boosting", "tree", "linear"]),
        (make_pipeline(SimpleImputer(), LogisticRegression()), ["linear", "tree"]),
        (BaggingClassifier(LogisticRegression()), ["boosting", "tree", "linear"]),
    ],
)
def test_which_are_compared(model, names):
    X, y = stepped()
    assert laid_out(model, CorruptLabels(), X, y).stand_ins.names() == names
    # a tree with missing as a value of its own does not know others
    values = laid_out(model, "outliers", X, y).stand_ins.names()
    assert values == [name for name in names if name != "tree"]


def test_a_tree_stands_in_for_itself_only_where_that_saves_time():
    rng = np.random.default_rng(0)
    X, y = stepped(2_000)
    alike = laid_out(DecisionTreeClassifier(), CorruptLabels(), X, y).stand_ins
    assert alike.saving() == alike.names() == ["single_tree", "tree", "linear"]
    apart = X + rng.normal(0, 1e-3, X.shape)
    # columns hit are told apart by their own values, so that nothing is grouped
    own = laid_out(DecisionTreeClassifier(), CorruptLabels(), apart, y, n_bins=40).stand_ins
    assert own.groups.n_groups > len(X) / 2
    assert own.names() == ["single_tree", "tree", "linear"]
    assert own.saving() == ["tree", "linear"]
    others = laid_out(RandomForestClassifier(), CorruptLabels(), apart, y, n_bins=40).stand_ins
    assert others.saving() == others.names()


@pytest.mark.parametrize(
    ("n", "agreements", "trusted"),
    [
        (300, {"tree": 0.99}, False),
        (300, {"boosting": 0.99, "linear": 0.8}, False),
        (300, {"tree": 0.8, "linear": 0.95}, True),
        (3_300, {"tree": 0.99}, True),
        (3_300, {"tree": 0.89}, False),
    ],
)
def test_trees_are_not_relied_on_where_a_row_may_turn_them(n, agreements, trusted):
    setup = laid_out(DecisionTreeClassifier(), CorruptLabels(), *stepped(n))
    run = AutoRun(setup.problem.task, Screened())
    run.told.agreements = agreements
    assert run._trusts(list(agreements)) == trusted
    assert not run._trusts([])


def test_a_tree_that_is_left_out_for_its_time_is_not_said_to_be_unable():
    X, y = stepped(n_classes=3)
    X += np.random.default_rng(0).normal(0, 1e-3, X.shape)
    setup = laid_out(DecisionTreeClassifier(), "outliers", X, y, n_bins=40)
    assert setup.stand_ins.names() == ["single_tree"] and not setup.stand_ins.saving()
    task = setup.problem.task
    task.evaluator.evaluate([each[2] for each in some_candidates(setup, 1, depth=1)])
    run = AutoRun(task, Screened())
    run._tell_of_none()
    (said,) = run.told.gaps
    assert said.startswith("no proxy takes much less time than the pipeline, so longer")
