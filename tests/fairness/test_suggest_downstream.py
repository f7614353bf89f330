"""What to put after a biased stage."""

import warnings

import numpy as np
import pandas as pd
import pytest
from imblearn.under_sampling import RandomUnderSampler
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from skcorrupt.fairness import suggest_downstream

ASKED = {"sensitive_features": "sex", "privileged": 1, "pos_label": 1, "random_state": 0, "cv": 5}


def first_only(X):
    return np.asarray(X)[:, :1]


def same(X):
    return X


FIRST, SAME = FunctionTransformer(first_only), FunctionTransformer(same)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"skill": rng.normal(size=800), "sex": rng.integers(0, 2, 800)})
    y = (X["skill"] + 2 * X["sex"] + rng.normal(size=800) > 1).astype(int)
    return X, y


def pipeline():
    return Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])


def suggest(X, y, **settings):
    settings = ASKED | settings
    steps = settings.pop("pipeline", pipeline())
    return suggest_downstream(steps, settings.pop("after", "scale"), X, y, **settings)


def test_what_takes_the_sensitive_column_away_is_found_and_confirmed(data):
    table = suggest(*data, candidates={"first": FIRST, "same": SAME}, max_loss=0.3)
    table = table.set_index("candidate")
    assert table.index[0] == "first" and table["chosen"].tolist() == [True, False, False]
    best = table.loc["first"]
    assert abs(best["gap"]) < 0.1 < abs(table.loc["nothing", "gap"])
    assert best["confirmed"] and best["confirmed_change"] < -0.1 and best["p_value"] < 0.05
    assert table.loc[["same", "nothing"], "change"].eq(0).all()
    rest = [name for name in table if name.startswith("confirmed_")]
    assert table.loc[["same", "nothing"], rest].isna().all(axis=None)


def test_a_loss_that_cannot_be_borne_is_not_chosen(data):
    table = suggest(*data, candidates={"first": FIRST}, max_loss=0.01)
    assert not table["chosen"].any() and table["confirmed"].isna().all()


def test_the_choice_and_its_confirmation_share_no_rows(data):
    X, y = data
    seen = []

    class Spy(FunctionTransformer):
        def fit(self, X, y=None):
            seen.append(("fit", set(np.asarray(X)[:, 0])))
            return super().fit(X, y)

        def transform(self, X):
            seen.append(("transform", set(np.asarray(X)[:, 0])))
            return super().transform(X)

    steps = [("keep", FunctionTransformer(same)), ("model", LogisticRegression())]
    table = suggest(
        X,
        y,
        pipeline=Pipeline(steps),
        after="keep",
        candidates={"spy": Spy(first_only)},
        max_loss=1,
    )
    assert table["chosen"].any()
    # five folds to choose on, then five to confirm on; either half has its own people
    fits = [values for kind, values in seen if kind == "fit"]
    assert len(fits) == 10
    one, other = set().union(*fits[:5]), set().union(*fits[5:])
    assert not one & other and len(one | other) == len(X)


@pytest.mark.slow
def test_nothing_is_confirmed_more_often_than_by_chance():
    """The best of many useless candidates is confirmed at most as often as the level allows."""
    confirmed, n = 0, 30
    for seed in range(n):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(rng.normal(size=(240, 6)), columns=[f"v{k}" for k in range(6)])
        X["sex"] = rng.integers(0, 2, 240)
        y = (X["v0"] + rng.normal(size=240) > 0).astype(int)
        noise = [FunctionTransformer(first_only), PCA(2), MinMaxScaler()]
        table = suggest(X, y, candidates=noise, cv=3, random_state=seed, max_loss=1.0)
        confirmed += bool(table["confirmed"].fillna(False).any())
    # 5 % two-sided, of which one side counts
    assert confirmed <= 3


@pytest.mark.parametrize("place", ["columns", "union", "inner", "columns of pipelines"])
@pytest.mark.slow
def test_places_inside(data, place):
    X, y = data
    inner = Pipeline([("scale", StandardScaler()), ("keep", FunctionTransformer(same))])
    parts = {
        "columns": (ColumnTransformer([("scale", StandardScaler(), ["skill", "sex"])]), "scale"),
        "union": (FeatureUnion([("scale", StandardScaler())]), "scale"),
        "inner": (inner, "scale"),
        "columns of pipelines": (ColumnTransformer([("num", inner, ["skill", "sex"])]), "num"),
    }
    part, name = parts[place]
    steps = Pipeline([("prep", part), ("model", LogisticRegression())])
    flat = suggest(X, y, candidates={"first": FIRST}, max_loss=0.3)
    table = suggest(
        X, y, pipeline=steps, after=f"prep__{name}", candidates={"first": FIRST}, max_loss=0.3
    )
    pd.testing.assert_frame_equal(table, flat)
    assert "downstream" not in str(steps.get_params())


@pytest.mark.long
def test_the_catalogue_and_samplers(data):
    table = suggest(*data, cv=2)
    assert {"SMOTE", "PCA", "SelectKBest", "MinMaxScaler", "nothing"} <= set(table["candidate"])
    # five components of two columns cannot be had
    failed = table[table["candidate"] == "PCA"].iloc[0]
    assert failed["status"] == "failed" and not failed["chosen"]
    with pytest.raises(ValueError, match="samplers go to the top level"):
        inner = Pipeline([("prep", pipeline()[:1]), ("model", LogisticRegression())])
        suggest(*data, pipeline=inner, after="prep__scale", candidates=[RandomUnderSampler()])


def test_constant_columns_are_not_selected_without_a_warning(data):
    X, y = data
    X = X.assign(**{f"noise{k}": np.sin(k * np.arange(len(X))) for k in range(1, 4)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = {"candidates": "selection", "cv": 2}
        with_constant = suggest(X.assign(constant=1.0, another=0), y, **asked)
    assert set(with_constant["status"]) == {"ok"}
    plain = suggest(X, y, candidates="selection", cv=2).set_index("candidate")
    # of more columns another half is taken, of the others nothing changes
    plain, found = plain.drop("SelectPercentile"), with_constant.set_index("candidate")
    assert found.loc[plain.index, "gap"].round(6).equals(plain["gap"].round(6))


def test_several_groups_count_by_the_largest_gap(data):
    X, y = data
    X = X.assign(old=np.random.default_rng(1).integers(0, 2, len(X)))
    table = suggest(
        X,
        y,
        sensitive_features=["sex", "old"],
        privileged={"sex": 1, "old": 1},
        candidates={"first": FIRST},
        max_loss=0.3,
    )
    assert table["candidate"].tolist() == ["first", "first", "nothing", "nothing"]
    chosen = table[table["chosen"]].set_index("sensitive")
    assert chosen["confirmed"].all() and chosen["p_value"].nunique() == 1
    assert chosen["confirmed_gap"].notna().all()


def by_age(X):
    """Turns a decision by sex into one by age."""
    X = np.asarray(X)
    return np.column_stack([X[:, 0], 3 * X[:, 2], X[:, 2]])


def test_a_gap_that_only_moves_to_another_group_is_not_confirmed():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"skill": rng.normal(size=800), "sex": rng.integers(0, 2, 800)})
    X["old"] = np.where(rng.random(800) < 0.7, X["sex"], 1 - X["sex"])
    y = (X["skill"] + 2 * X["sex"] + rng.normal(size=800) > 1).astype(int)
    table = suggest(
        X,
        y,
        sensitive_features=["sex", "old"],
        privileged={"sex": 1, "old": 1},
        candidates={"by age": FunctionTransformer(by_age)},
        max_loss=1.0,
    )
    moved = table[table["candidate"] == "by age"].set_index("sensitive")
    assert moved["chosen"].all()
    # the gap of one attribute is surely smaller, and that of the other is not
    assert moved.loc["sex", "confirmed_change_high"] < 0 < moved.loc["old", "confirmed_change"]
    assert not moved["confirmed"].any()


def test_what_loses_too_much_says_so(data):
    table = suggest(*data, candidates={"first": FIRST}, max_loss=0.01).set_index("candidate")
    assert table.loc["first", "message"] == "its accuracy falls by more than max_loss=0.01"
    table = suggest(*data, candidates={"first": FIRST}, max_loss=0.3).set_index("candidate")
    assert -0.3 < table.loc["first", "confirmed_score_change"] < 0


@pytest.mark.long
def test_the_default_catalogue_beside_inner_pipelines(data):
    X, y = data
    steps = Pipeline([("prep", pipeline()[:1]), ("model", LogisticRegression())])
    table = suggest(X, y, pipeline=steps, after="prep", cv=2)
    assert {"SelectKBest", "nothing"} < set(table["candidate"])
    assert "SMOTE" not in set(table["candidate"])
    with pytest.raises(ValueError, match=r"takes no pipelines as steps, such as 'prep'"):
        suggest(X, y, pipeline=steps, after="prep", candidates="sampling", cv=2)


@pytest.mark.long
def test_attributes_as_values_and_too_few_splits(data):
    X, y = data
    named = suggest(X, y, candidates={"first": FIRST}, max_loss=0.3)
    given = suggest(X, y, candidates={"first": FIRST}, max_loss=0.3, sensitive_features=X["sex"])
    assert given["confirmed"].equals(named["confirmed"])
    one = ShuffleSplit(1, test_size=0.5, random_state=0)
    alone = suggest(X, y, candidates={"first": FIRST}, max_loss=0.3, cv=one)
    assert alone["confirmed"].isna().all()
    assert alone.loc[alone["chosen"], "message"].tolist() == ["too few splits to confirm anything"]


@pytest.mark.long
def test_seeds_and_workers(data):
    one, two = (
        suggest(*data, candidates=[PCA(1)], max_loss=1, n_jobs=n_jobs) for n_jobs in (None, 2)
    )
    pd.testing.assert_frame_equal(one, two)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"after": "nowhere"}, "is not a stage of the pipeline"),
        ({"after": "model"}, "is not a stage of the pipeline"),
        ({"metric": "mean_error"}, "metric='mean_error' should be one of"),
        ({"confirm_size": 1}, r"'confirm_size' parameter .* \(0\.0, 1\.0\)\. Got 1 "),
        ({"alpha": 95.0}, r"'alpha' parameter .* Got 95\.0"),
        ({"max_loss": "none"}, "'max_loss' parameter .* must be a float .* Got 'none'"),
        ({"candidates": "magic"}, "candidates='magic'"),
    ],
)
def test_wrong_arguments_are_named(data, settings, message):
    with pytest.raises(ValueError, match=message):
        suggest(*data, **settings)


def test_what_is_no_pipeline(data):
    with pytest.raises(TypeError, match="should be a Pipeline"):
        suggest(*data, pipeline=LogisticRegression())
