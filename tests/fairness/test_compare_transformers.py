"""Other transformers in the place of a stage."""

import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import Pipeline as SamplingPipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    PolynomialFeatures,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import StageFairnessAblator
from skcorrupt.fairness import compare_transformers

ASKED = {"sensitive_features": "sex", "privileged": "m", "pos_label": 1, "random_state": 0}
CV = StratifiedShuffleSplit(5, test_size=0.3, random_state=0)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    n = 400
    X = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "wage": rng.lognormal(3, 1, n)})
    for k in range(5):
        X[f"v{k}"] = rng.normal(size=n) + 0.4 * (X["sex"] == "m")
    y = (X["v0"] + X["wage"] / 30 + 0.5 * (X["sex"] == "m") + rng.normal(size=n) > 1).astype(int)
    return X, y


NUMBERS = ["wage", *(f"v{k}" for k in range(5))]


def pipeline(scaler=None, model=None):
    numbers = ColumnTransformer([("scale", scaler or StandardScaler(), NUMBERS)])
    return Pipeline([("prep", numbers), ("model", model or KNeighborsClassifier(9))])


def compare(X, y, **settings):
    settings = ASKED | {"cv": CV} | settings
    stage = settings.pop("stage", "prep__scale")
    return compare_transformers(settings.pop("pipeline", pipeline()), stage, X, y, **settings)


def test_the_numbers_are_those_of_pipelines_fitted_by_hand(data):
    X, y = data
    table = compare(X, y, candidates=[MinMaxScaler()])
    table = table[table["metric"] == "spd"].set_index("candidate")
    gaps, accuracy = {}, {}
    for name, scaler in {
        "nothing": "passthrough",
        "MinMaxScaler": MinMaxScaler(),
        "StandardScaler (own)": StandardScaler(),
    }.items():
        gaps[name], accuracy[name] = [], []
        for train, test in CV.split(X, y):
            fitted = pipeline(scaler).fit(X.iloc[train], y.iloc[train])
            guess, men = fitted.predict(X.iloc[test]), (X["sex"].iloc[test] == "m").to_numpy()
            gaps[name].append(guess[~men].mean() - guess[men].mean())
            accuracy[name].append((guess == y.iloc[test]).mean())
    gaps, accuracy = pd.DataFrame(gaps), pd.DataFrame(accuracy)
    own = "StandardScaler (own)"
    for name in gaps:
        row = table.loc[name]
        assert row["gap"] == pytest.approx(gaps[name].mean())
        assert row["effect"] == pytest.approx((gaps[name] - gaps["nothing"]).mean())
        assert row["change"] == pytest.approx(abs(gaps[name].mean()) - abs(gaps[own].mean()))
        assert row["accuracy"] == pytest.approx(accuracy[name].mean())
        assert row["score_change"] == pytest.approx((accuracy[name] - accuracy[own]).mean())
    ranks = gaps.mean().abs().rank()
    assert table["rank"].to_dict() == ranks.to_dict()
    assert table["rank"].tolist() == sorted(table["rank"])
    assert table.loc[own, ["p_value", "p_adjusted", "score_p_adjusted"]].isna().all()
    assert not table.loc[own, "significant"]


def test_the_effect_of_the_own_stage_is_the_ablators(data):
    X, y = data
    table = compare(X, y, candidates=[MinMaxScaler()])
    own = table[table["candidate"] == "StandardScaler (own)"].set_index("metric")
    ablator = StageFairnessAblator(pipeline(), cv=CV, **ASKED).fit(X, y)
    effects = ablator.stage_effects_.set_index("metric")
    pd.testing.assert_series_equal(own["effect"], effects["mean"], check_names=False)


@pytest.mark.long
def test_several_models_and_the_catalogue(data):
    X, y = data
    table = compare(
        X,
        y,
        estimators={"trees": DecisionTreeClassifier(max_depth=3), "linear": LogisticRegression()},
    )
    spd = table[table["metric"] == "spd"]
    assert spd.groupby("model").size().to_dict() == {"linear": 10, "trees": 10}
    assert (spd["status"] == "ok").all()
    # trees do not care how a column is scaled
    trees = spd[spd["model"] == "trees"].set_index("candidate")
    for name in ("MinMaxScaler", "MaxAbsScaler", "RobustScaler"):
        assert trees.loc[name, "change"] == pytest.approx(0, abs=1e-12)
    assert not trees.loc["RobustScaler", "significant"]


@pytest.mark.long
def test_samplers_go_to_the_top_level(data):
    X, y = data
    X = X[NUMBERS].assign(sex=(X["sex"] == "m").astype(int))
    flat = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])
    table = compare(
        X, y, pipeline=flat, stage="scale", privileged=1, candidates=[RandomUnderSampler()]
    )
    assert (table["status"] == "ok").all()
    sampling = SamplingPipeline([("under", RandomUnderSampler()), *flat.steps])
    table = compare(X, y, pipeline=sampling, stage="under", privileged=1, candidates="sampling")
    assert set(table["candidate"]) == {
        *("nothing", "SMOTE", "RandomUnderSampler", "AllKNN", "SMOTEENN"),
        "RandomUnderSampler (own)",
    }
    assert (table["status"] == "ok").all()
    with pytest.raises(ValueError, match=r"'prep__scale' is inside of 'prep'.*top level"):
        compare(*data, candidates="sampling")


def test_a_candidate_that_fails_is_a_row(data):
    X, y = data
    table = compare(X, y, candidates={"many": PCA(50), "few": PCA(2)})
    status = table.groupby("candidate")["status"].first()
    assert status["many"] == "failed" and status["few"] == "ok"
    failed = table[table["candidate"] == "many"]
    assert failed["gap"].isna().all() and failed["message"].str.contains("n_components").all()
    assert failed["rank"].isna().all() and not failed["significant"].any()


@pytest.mark.slow
def test_kernels_of_many_rows_are_left_out_with_a_warning(data, monkeypatch):
    monkeypatch.setattr("skcorrupt.fairness._catalogue.MOST_KERNEL_ROWS", 100)
    with pytest.warns(UserWarning, match="KernelPCA is left out"):
        table = compare(*data, candidates="projection")
    assert "KernelPCA" not in set(table["candidate"])


@pytest.mark.long
def test_regressors_and_their_score(data):
    X, y = data
    table = compare(
        X, X["v0"] * 2 + y, pipeline=pipeline(model=LinearRegression()), pos_label=None, cv=3
    )
    assert set(table["metric"]) == {"mean_prediction", "mean_error", "mean_absolute_error"}
    assert table["r2"].notna().all()


@pytest.mark.long
def test_seeds_workers_and_inputs(data):
    X, y = data
    before = X.copy()
    one = compare(X, y, candidates=[PCA(2)], pipeline=pipeline(model=DecisionTreeClassifier()))
    two = compare(
        X, y, candidates=[PCA(2)], pipeline=pipeline(model=DecisionTreeClassifier()), n_jobs=2
    )
    pd.testing.assert_frame_equal(one, two)
    pd.testing.assert_frame_equal(X, before)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"candidates": "magic"}, "candidates='magic' should be one of"),
        ({"candidates": []}, r"candidates=\[\] has none; pass one or more estimators"),
        ({"candidates": [3]}, "candidates: int=3 of type int has no fit"),
        ({"candidates": [MinMaxScaler]}, r"is a class; pass .* such as MinMaxScaler\(\)"),
        ({"privileged": ["m", "mann"]}, r"\['mann'\] are not among the values"),
        ({"estimators": {"x": "tree"}}, "estimators: x='tree' of type str has no fit"),
        ({"stage": "prep__nothing"}, "is not a stage of the pipeline"),
        ({"sensitive_features": "race"}, "race"),
        ({"privileged": "x"}, "privileged"),
        ({"pos_label": "yes"}, "pos_label='yes' should be one of"),
    ],
)
def test_wrong_arguments_are_named(data, settings, message):
    with pytest.raises(ValueError, match=message):
        compare(*data, **settings)


def shifted(X):
    return np.asarray(X) - 2.5


def same(X):
    return X


@pytest.mark.slow
def test_a_candidate_that_only_decides_for_fewer_is_not_fairer():
    """Sizes of noisy gaps shrink with the rate of decisions; what is fair in truth is no fairer."""
    found, n = 0, 40
    for seed in range(n):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({"v": rng.normal(size=400), "sex": rng.integers(0, 2, 400)})
        y = (X["v"] + rng.normal(size=400) > 0).astype(int)
        prep = ColumnTransformer([("keep", FunctionTransformer(same), ["v"])])
        table = compare(
            X,
            y,
            pipeline=Pipeline([("prep", prep), ("model", Above())]),
            stage="prep__keep",
            privileged=1,
            candidates=[FunctionTransformer(shifted)],
            cv=10,
            random_state=seed,
        )
        spd = table[table["metric"] == "spd"].set_index("candidate")
        row = spd.loc["FunctionTransformer"]
        found += row["change"] < 0 and row["p_value"] <= 0.05
        # ranks and changes say the same
        assert spd["change"].is_monotonic_increasing
    assert found <= 4


class Above(ClassifierMixin, BaseEstimator):
    """Decides for those above 0."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (np.asarray(X)[:, 0] > 0).astype(int)


@pytest.mark.long
def test_attributes_as_values(data):
    X, y = data
    named = compare(X, y, candidates=[MinMaxScaler()])
    for values in (X["sex"], X["sex"].to_numpy()):
        given = compare(X, y, candidates=[MinMaxScaler()], sensitive_features=values)
        columns = [name for name in named if name != "sensitive"]
        pd.testing.assert_frame_equal(given[columns], named[columns])


@pytest.mark.long
def test_models_that_are_pipelines_do_not_share_what_is_theirs(data):
    X, y = data
    models = {
        f"degree {k}": make_pipeline(PolynomialFeatures(k), LogisticRegression()) for k in (1, 3)
    }
    both = compare(X, y, candidates=[MinMaxScaler()], estimators=models)
    for name, model in models.items():
        alone = compare(X, y, candidates=[MinMaxScaler()], estimators={name: model})
        mine = both[both["model"] == name].reset_index(drop=True)
        columns = ["candidate", "metric", "gap", "change", "accuracy"]
        pd.testing.assert_frame_equal(mine[columns], alone[columns])


def test_one_split_has_intervals_by_bootstrap(data):
    X, y = data
    one = StratifiedShuffleSplit(1, test_size=0.5, random_state=0)
    table = compare(X, y, candidates=[MinMaxScaler()], cv=one)
    spd = table[table["metric"] == "spd"].set_index("candidate")
    nothing = spd.loc["nothing"]
    assert nothing["gap_low"] < nothing["gap"] < nothing["gap_high"]
    assert 0 < nothing["p_value"] <= 1
