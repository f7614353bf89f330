"""Stage effects against pipelines that are put together and fitted by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from imblearn.pipeline import Pipeline as SamplingPipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.random_projection import GaussianRandomProjection
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import StageFairnessAblator
from skcorrupt.evaluation import seeded_clone
from skcorrupt.stats import corrected_interval
from skcorrupt.utils import spawn_seeds

METRICS = ("spd", "eod", "aod", "erd")


def data(n=240, seed=0):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    X = pd.DataFrame(
        {
            "sex": np.where(sex == 1, "m", "f"),
            "a": rng.normal(size=n) + sex,
            "b": rng.normal(size=n) * 10,
            "c": rng.exponential(size=n),
            "d": rng.choice(["x", "y", "z"], n),
        }
    )
    y = (X["a"] + 0.1 * X["b"] + rng.normal(size=n) > 0.5).astype(int)
    X.loc[rng.random(n) < 0.1, "b"] = np.nan
    return X, y


def gaps_by_hand(y, guess, group):
    """The definitions, person by person: group 0 less group 1."""

    people = list(zip(y, guess, group, strict=True))

    def share(a, truth, decision):
        chosen = [g == decision for t, g, b in people if b == a and t in truth]
        return sum(chosen) / len(chosen) if chosen else float("nan")

    def gap(truth, decision):
        return share(0, truth, decision) - share(1, truth, decision)

    spd, tpr, fpr, fnr = gap((0, 1), 1), gap((1,), 1), gap((0,), 1), gap((1,), 0)
    return {"spd": spd, "eod": tpr, "aod": (tpr + fpr) / 2, "erd": fpr + fnr}


def fitted_predictions(pipeline, X, y, train, test):
    return pipeline.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])


def check(pipeline, variants, X, y, n_splits=4, random_state=0, **params):
    """Compare the ablator with `variants`, a mapping of path to how the stage is left out."""
    cv = list(StratifiedShuffleSplit(n_splits, test_size=0.4, random_state=1).split(X, y))
    ablator = StageFairnessAblator(
        pipeline,
        sensitive_features="sex",
        privileged="m",
        pos_label=1,
        cv=cv,
        random_state=random_state,
        **params,
    ).fit(X, y)
    seeds = spawn_seeds(random_state, n_splits)
    effects = ablator.stage_effects_.set_index(["stage", "metric"])
    levels = ablator.global_fairness_.set_index(["stage", "metric"])
    scores = ablator.performance_effects_.set_index(["stage", "metric"])
    assert sorted(set(effects.index.get_level_values(0))) == sorted(variants)
    for path, change in variants.items():
        found = []
        for (train, test), seed in zip(cv, seeds, strict=True):
            # seeds are set before the stage is taken out, so that they are the same
            whole = seeded_clone(pipeline, seed)
            without = seeded_clone(pipeline, seed).set_params(**{path: change})
            new, old = (fitted_predictions(p, X, y, train, test) for p in (whole, without))
            truth, group = y.iloc[test].to_numpy(), (X["sex"].iloc[test] == "m").astype(int)
            up, down = ((new == k) & (old == 1 - k) for k in (1, 0))
            found.append(
                {
                    "new": gaps_by_hand(truth, new, group),
                    "old": gaps_by_hand(truth, old, group),
                    "change_rate": np.mean(new != old),
                    "to_favourable": up.mean(),
                    "to_unfavourable": down.mean(),
                    "to_favourable_unprivileged": up[group == 0].mean(),
                    "to_favourable_privileged": up[group == 1].mean(),
                    "to_unfavourable_unprivileged": down[group == 0].mean(),
                    "to_unfavourable_privileged": down[group == 1].mean(),
                    "accuracy": accuracy_score(truth, new) - accuracy_score(truth, old),
                    "f1": f1_score(truth, new) - f1_score(truth, old),
                }
            )
        for metric in METRICS:
            row = effects.loc[(path, metric)]
            new, old = (np.array([f[k][metric] for f in found]) for k in ("new", "old"))
            expected = corrected_interval(new - old, 0.4 / 0.6)
            names = ("mean", "std", "ci_low", "ci_high", "p_value")
            assert row[list(names)].to_list() == pytest.approx(list(expected), abs=1e-12), path
            level = levels.loc[(path, metric)]
            for side, values in (("with", new), ("without", old)):
                expected = list(corrected_interval(values, 0.4 / 0.6))[:4]
                names = [f"{side}_stage{end}" for end in ("", "_std", "_low", "_high")]
                assert level[names].to_list() == pytest.approx(expected, abs=1e-12)
            for name in found[0]:
                if name.startswith(("to_", "change")):
                    assert row[name] == pytest.approx(np.mean([f[name] for f in found]))
        for name in ("accuracy", "f1"):
            expected = list(corrected_interval([f[name] for f in found], 0.4 / 0.6))
            names = ["mean", "std", "ci_low", "ci_high", "p_value"]
            assert scores.loc[(path, name), names].to_list() == pytest.approx(expected, abs=1e-12)
    return ablator


NUMBERS = ["a", "b", "c"]


def nested():
    numbers = Pipeline([("impute", SimpleImputer()), ("scale", StandardScaler())])
    prep = ColumnTransformer(
        [("num", numbers, NUMBERS), ("cat", OneHotEncoder(handle_unknown="ignore"), ["d"])],
        sparse_threshold=0,
    )
    return Pipeline([("prep", prep), ("pca", PCA(3)), ("model", LogisticRegression())])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:prep__num__impute is not left out")
def test_nested_stages_by_path():
    X, y = data()
    constant = SimpleImputer(strategy="constant")
    stages = ["prep__num__scale", "prep__num__impute", "pca"]
    variants = dict.fromkeys(stages, "passthrough") | {"prep__num__impute": constant}
    check(nested(), variants, X, y, stages=stages)


def test_flat_pipeline_with_random_stages():
    """Unset seeds are the same with a stage and without it."""
    X, y = data()
    X = X.assign(sex_code=(X["sex"] == "m").astype(float))
    columns = ColumnTransformer([("keep", "passthrough", ["a", "c", "sex_code"])])
    pipeline = Pipeline(
        [
            ("columns", columns),
            ("scale", MinMaxScaler()),
            ("project", GaussianRandomProjection(2)),
            ("bins", KBinsDiscretizer(4, encode="ordinal", strategy="uniform")),
            ("model", DecisionTreeClassifier(max_features=1, max_depth=4)),
        ]
    )
    variants = dict.fromkeys(["scale", "project", "bins"], "passthrough")
    ablator = check(pipeline, variants, X, y, random_state=7)
    # no seed is shared by accident: the random stage does change decisions
    effects = ablator.stage_effects_.set_index("stage")
    assert (effects.loc["project", "change_rate"] > 0).all()


@pytest.mark.long
def test_feature_union_and_samplers():
    X, y = data()
    columns = ColumnTransformer([("keep", SimpleImputer(), NUMBERS)])
    union = FeatureUnion([("pca", PCA(2)), ("best", SelectKBest(k=1))])
    pipeline = SamplingPipeline(
        [
            ("columns", columns),
            ("balance", RandomUnderSampler()),
            ("union", union),
            ("model", GaussianNB()),
        ]
    )
    variants = {"balance": "passthrough", "union__pca": "drop", "union__best": "drop"}
    check(pipeline, variants, X, y, stages=list(variants))


def test_a_whole_composite_and_its_only_part_are_different_stages():
    """Without `prep` the scaler sees all columns, without its only part three of them."""
    X, y = data()
    X = X.assign(sex_code=(X["sex"] == "m").astype(float))
    numeric = X[["a", "c", "sex_code"]]
    prep = ColumnTransformer([("num", MinMaxScaler(), ["a"])])
    pipeline = Pipeline([("prep", prep), ("scale", StandardScaler()), ("model", GaussianNB())])
    cv = list(StratifiedShuffleSplit(3, test_size=0.4, random_state=1).split(X, y))
    stages = ["prep", "prep__num", "scale"]
    ablator = StageFairnessAblator(
        pipeline, sensitive_features="sex_code", privileged=1, pos_label=1, cv=cv, stages=stages
    ).fit(numeric, y)
    found = ablator.global_fairness_.set_index(["stage", "metric"])["without_stage"]
    for path in stages:
        expected = []
        for train, test in cv:
            without = seeded_clone(pipeline, 0).set_params(**{path: "passthrough"})
            guess = fitted_predictions(without, numeric, y, train, test)
            group = numeric["sex_code"].iloc[test].astype(int)
            expected.append(gaps_by_hand(y.iloc[test], guess, group)["spd"])
        assert found[(path, "spd")] == pytest.approx(np.mean(expected))


def test_stages_that_change_their_input_in_place():
    """The pipeline without the scaler gets the data as it was."""
    X, y = data()
    values = np.ascontiguousarray(np.column_stack([X["a"], 50 * X["c"], X["sex"] == "m"]), float)
    before = values.copy()
    pipeline = Pipeline(
        [
            ("first", MinMaxScaler()),
            ("scale", StandardScaler(copy=False)),
            ("pca", PCA(1, copy=False)),
            ("nb", GaussianNB()),
        ]
    )
    cv = list(StratifiedShuffleSplit(3, test_size=0.4, random_state=1).split(X, y))
    ablator = StageFairnessAblator(
        pipeline, sensitive_features=2, privileged=1, pos_label=1, cv=cv
    ).fit(values, y)
    assert (values == before).all()
    found = ablator.global_fairness_.set_index(["stage", "metric"])
    for path in ("first", "scale", "pca"):
        pairs = []
        for train, test in cv:
            for change in ({}, {path: "passthrough"}):
                fresh = seeded_clone(pipeline, 0).set_params(**change)
                guess = fresh.fit(values[train], y.iloc[train]).predict(values[test])
                pairs.append(gaps_by_hand(y.iloc[test], guess, values[test, 2])["spd"])
        row = found.loc[(path, "spd")]
        assert row["with_stage"] == pytest.approx(np.mean(pairs[::2]))
        assert row["without_stage"] == pytest.approx(np.mean(pairs[1::2]))


STEPS = {
    "scale": StandardScaler(),
    "minmax": MinMaxScaler(),
    "pca": PCA(2, random_state=0),
    "best": SelectKBest(k=2),
}


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    names=st.permutations(list(STEPS)).flatmap(
        lambda order: st.integers(1, 3).map(lambda k: order[:k])
    ),
    n=st.integers(60, 120),
)
def test_identities_hold_on_every_run(seed, names, n):
    """SF_M = M(P) - M(P*) and SF_ERD = 2(SF_AOD - SF_EOD)."""
    X, y = data(n, seed)
    X = X[["a", "c"]].assign(noise=np.arange(n) % 7, sex=(X["sex"] == "m").astype(int))
    pipeline = Pipeline([*((name, STEPS[name]) for name in names), ("model", GaussianNB())])
    ablator = StageFairnessAblator(
        pipeline,
        sensitive_features="sex",
        privileged=1,
        pos_label=1,
        cv=ShuffleSplit(2, test_size=0.5, random_state=seed),
    )
    ablator.fit(X, y)
    effects = ablator.stage_effects_.set_index(["stage", "metric"])
    levels = ablator.global_fairness_.set_index(["stage", "metric"])
    assert list(effects.index) == [(name, metric) for name in names for metric in METRICS]
    difference = levels["with_stage"] - levels["without_stage"]
    mean = effects["mean"].astype(float)
    assert difference.to_numpy() == pytest.approx(mean.to_numpy(), abs=1e-12, nan_ok=True)
    table = mean.unstack()
    assert table["erd"].to_numpy() == pytest.approx(
        2 * (table["aod"] - table["eod"]).to_numpy(), abs=1e-12, nan_ok=True
    )
    assert (effects["change_rate"] >= 0).all()
    total = effects["to_favourable"] + effects["to_unfavourable"]
    assert total.to_numpy() == pytest.approx(effects["change_rate"].to_numpy())
