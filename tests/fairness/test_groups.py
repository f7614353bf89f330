"""Whose predictions are compared."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import Pattern, StageFairnessAblator
from skcorrupt.fairness._sensitive import group_pairs

USED = ["a", "b"]
METRICS = ["spd", "eod", "aod", "erd"]


def data(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "race": rng.choice(["black", "white", "asian"], n, p=[0.3, 0.65, 0.05]),
            "age": rng.integers(18, 70, n),
            "a": rng.normal(size=n),
            "b": rng.normal(size=n),
        }
    )
    X["a"] += X["sex"] == "m"
    X["b"] += 0.03 * X["age"]
    y = (X["a"] + X["b"] + rng.normal(size=n) > 1.8).astype(int)
    return X, y


def pipeline(model=None):
    """It sees no sensitive column at all."""
    keep = ColumnTransformer([("keep", "passthrough", USED)])
    bins = KBinsDiscretizer(3, strategy="uniform", encode="ordinal")
    return Pipeline([("keep", keep), ("bins", bins), ("model", model or GaussianNB())])


CV = KFold(3, shuffle=True, random_state=0)


def ablate(X, y, model=None, given=None, **params):
    params = {"sensitive_features": "sex", "privileged": "m", "pos_label": 1, "cv": CV} | params
    ablator = StageFairnessAblator(model or pipeline(), random_state=0, **params)
    return ablator.fit(X, y, sensitive_features=given)


def means(ablator):
    return ablator.stage_effects_["mean"].to_numpy()


def effect_by_hand(X, y, priv, unpriv, model=None):
    """Effect on statistical parity of the bins, from masks of both groups."""
    found = []
    for train, test in CV.split(X, y):
        gap = []
        for change in ({}, {"bins": "passthrough"}):
            fresh = (model or pipeline()).set_params(**change)
            guess = fresh.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
            gap.append((guess[unpriv[test]] == 1).mean() - (guess[priv[test]] == 1).mean())
        found.append(gap[0] - gap[1])
    return np.mean(found)


def test_a_column_that_the_pipeline_drops():
    X, y = data()
    effects = ablate(X, y).stage_effects_
    men = (X["sex"] == "m").to_numpy()
    assert effects["mean"].iloc[0] == pytest.approx(effect_by_hand(X, y, men, ~men))
    assert effects["mean"].iloc[0] != 0
    assert (effects["sensitive"] == "sex").all()
    assert (effects["group"] == "f / m").all()


@pytest.mark.parametrize(
    "container", ["array", "column", "list", "series", "categorical", "polars"]
)
@pytest.mark.many
def test_arrays_through_fit(container):
    X, y = data()
    expected = ablate(X, y)
    sex = {
        "array": X["sex"].to_numpy(),
        "column": X[["sex"]].to_numpy(),
        "list": X["sex"].tolist(),
        "series": X["sex"].set_axis(range(7, 307)),
        "categorical": X["sex"].astype("category"),
        "polars": pl.Series("sex", X["sex"].tolist()),
    }[container]
    found = ablate(X[USED], y, given=sex, sensitive_features=None)
    assert (means(found) == means(expected)).all()
    name = {"series": "sex", "categorical": "sex", "polars": "sex"}.get(
        container, "sensitive_features"
    )
    assert set(found.stage_effects_["sensitive"]) == {name}


def test_tables_through_fit():
    X, y = data()
    privileged = {"sex": "m", "age": Pattern.parse("age >= 40")}
    expected = ablate(X, y, sensitive_features=["sex", "age"], privileged=privileged)
    for frame in (X[["sex", "age"]], pl.DataFrame({c: X[c].tolist() for c in ("sex", "age")})):
        found = ablate(X[USED], y, given=frame, sensitive_features=None, privileged=privileged)
        pd.testing.assert_frame_equal(found.stage_effects_, expected.stage_effects_)
    codes = np.column_stack([X["sex"] == "m", X["age"] >= 40])
    names = {"sensitive_0": True, "sensitive_1": True}
    found = ablate(X[USED], y, given=codes, sensitive_features=None, privileged=names)
    assert (means(found) == means(expected)).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["m", "f"], "sensitive_features has 2 rows, but X has 300"),
        (["m"] * 301, "sensitive_features has 301 rows, but X has 300"),
        (np.full((300, 2), "m"), "privileged='m' should be a mapping"),
        (["m"] * 300, r"everybody is privileged; .* are 'm'\. There is no other group in the data"),
        (["x"] * 300, "nobody is privileged; the values of the sensitive attribute are 'x'"),
        ([None] * 300, "all 300 values of the sensitive attribute are missing"),
    ],
)
def test_wrong_arrays_are_named(given, message):
    X, y = data()
    with pytest.raises(ValueError, match=message):
        ablate(X, y, given=given)


def test_several_columns_each_against_its_privileged_group():
    X, y = data()
    both = ablate(
        X,
        y,
        sensitive_features=["sex", "race"],
        privileged={"sex": "m", "race": ["white", "asian"], "unused": 1},
    ).stage_effects_
    assert len(both) == 8
    alone = ablate(X, y, sensitive_features="race", privileged=["white", "asian"]).stage_effects_
    second = both[both["sensitive"] == "race"].reset_index(drop=True)
    pd.testing.assert_frame_equal(second, alone)
    assert (second["group"] == "black / white, asian").all()
    once = ablate(X, y, sensitive_features=["sex", "sex"]).stage_effects_
    pd.testing.assert_frame_equal(once, ablate(X, y).stage_effects_)


@pytest.mark.filterwarnings("ignore:Few test parts hold")
def test_intersections():
    X, y = data()
    ablator = ablate(
        X, y, sensitive_features=[("sex", "race")], privileged={"sex": "m", "race": "white"}
    )
    effects = ablator.stage_effects_[ablator.stage_effects_["metric"] == "spd"]
    groups = [
        f"{sex} × {race} / m × white" for sex in "fm" for race in ("asian", "black", "white")
    ][:-1]
    assert effects["group"].tolist() == groups
    top = ((X["sex"] == "m") & (X["race"] == "white")).to_numpy()
    for group, found, message in effects[["group", "mean", "message"]].itertuples(index=False):
        sex, race = group.split(" / ")[0].split(" × ")
        here = ((X["sex"] == sex) & (X["race"] == race)).to_numpy()
        assert found == pytest.approx(effect_by_hand(X, y, top, here))
        assert ("only" in message) == (here.sum() < 30)
        if here.sum() < 30:
            assert f"only {here.sum()} people in '{sex} × {race}'" in message


def test_intersections_of_a_pattern():
    """Every age is not a cell of its own."""
    X, y = data()
    privileged = {"sex": "m", "age": Pattern.parse("age >= 40")}
    effects = ablate(X, y, sensitive_features=("sex", "age"), privileged=privileged).stage_effects_
    assert set(effects["group"]) == {
        f"{cell} / m × age >= 40" for cell in ("f × age >= 40", "f × all others", "m × all others")
    }


@pytest.mark.filterwarnings("ignore:Few test parts hold")
def test_intersections_of_a_table_through_fit():
    X, y = data()
    privileged = {"sex": "m", "race": "white"}
    asked = {"sensitive_features": [("sex", "race"), "race"], "privileged": privileged}
    expected = ablate(X, y, **asked)
    found = ablate(X[USED], y, given=X[["race", "age", "sex"]], **asked)
    pd.testing.assert_frame_equal(found.stage_effects_, expected.stage_effects_)


def test_nobody_has_all_privileges():
    X, y = data()
    X = X[(X["sex"] == "f") | (X["race"] != "white")]
    with pytest.raises(ValueError, match="nobody is 'm × white' at once"):
        ablate(
            X,
            y[X.index],
            sensitive_features=("sex", "race"),
            privileged={"sex": "m", "race": "white"},
        )


def test_privileged_by_a_pattern():
    X, y = data()
    found = ablate(X, y, sensitive_features="age", privileged=Pattern.parse("age >= 40"))
    listed = ablate(X, y, sensitive_features="age", privileged=list(range(40, 71)))
    assert (means(found) == means(listed)).all()
    assert set(found.stage_effects_["group"]) == {"all others / age >= 40"}
    for text, who in (("age >= 90", "nobody"), ("age >= 0", "everybody")):
        with pytest.raises(ValueError, match=f"privileged='{text}': {who} is privileged"):
            ablate(X, y, sensitive_features="age", privileged=Pattern.parse(text))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"sensitive_features": "gender"}, "sensitive_features: X has no column 'gender'.*columns"),
        ({"sensitive_features": "Sex"}, "Did you mean 'sex'"),
        ({"sensitive_features": None}, r"sensitive_features=None names no column of X; name one"),
        ({"sensitive_features": []}, r"sensitive_features=\[\] names no column"),
        ({"privileged": "male"}, "privileged='male': nobody is privileged.*are 'f', 'm'"),
        ({"sensitive_features": "age", "privileged": -1}, "nobody is privileged.*, …. Both"),
        ({"privileged": ["m", "f"]}, "everybody is privileged"),
        ({"privileged": {"gender": "m"}}, "does not say who is privileged in 'sex'"),
        ({"sensitive_features": ["sex", "race"]}, "should be a mapping of each sensitive"),
        ({"privileged": Pattern.parse("income > 3")}, "income"),
        ({"privileged": Pattern.parse("y == 1")}, "y"),
        ({"pos_label": "1"}, "pos_label='1' should be one of the labels in y: 0, 1"),
        ({"pos_label": None}, "pos_label=None should be one of the labels in y: 0, 1"),
    ],
)
def test_what_is_not_there_is_named(params, message):
    X, y = data()
    with pytest.raises(ValueError, match=message):
        ablate(X, y, **params)


def test_missing_values_of_the_attribute():
    X, y = data()
    X["sex"] = X["sex"].astype(object)
    X.loc[:19, "sex"] = None
    X.loc[20:39, "sex"] = np.nan
    with pytest.warns(UserWarning, match="40 of 300 rows have no value of 'sex'; they train"):
        found = ablate(X, y).stage_effects_
    men, women = ((X["sex"] == sex).to_numpy() for sex in "mf")
    assert found["mean"].iloc[0] == pytest.approx(effect_by_hand(X, y, men, women))


@pytest.mark.parametrize(
    ("dtype", "privileged"),
    [("category", "m"), ("string", "m"), ("boolean", True), ("Int64", 1), ("float32", 1)],
)
def test_types_of_the_attribute(dtype, privileged):
    X, y = data()
    expected = means(ablate(X, y))
    if not isinstance(privileged, str):
        X["sex"] = (X["sex"] == "m").astype(int)
    X["sex"] = X["sex"].astype(dtype)
    assert (means(ablate(X, y, privileged=privileged)) == expected).all()


def test_arrays_by_position():
    X, y = data()
    values = np.column_stack([X["a"], X["b"], X["sex"] == "m"]).astype(float)
    model = pipeline(DecisionTreeClassifier(max_depth=3, random_state=0))
    model.set_params(keep=ColumnTransformer([("keep", "passthrough", [0, 1])]))
    by_name = pipeline(DecisionTreeClassifier(max_depth=3, random_state=0))
    expected = means(ablate(X, y, by_name))
    for name in (2, -1, "x2"):
        found = ablate(values, y, model, sensitive_features=name, privileged=1)
        assert (means(found) == expected).all()
    with pytest.raises(ValueError, match="X has no column 3"):
        ablate(values, y, model, sensitive_features=3, privileged=1)


def test_labels_of_several_levels():
    X, y = data()
    names = np.array(["no", "yes"])[y]
    text = ablate(X, names, pos_label="yes")
    assert (means(text) == means(ablate(X, y))).all()
    flags = ablate(X, y.astype(bool), pos_label=True)
    assert (means(flags) == means(ablate(X, y))).all()
    three = np.where(X["b"] > 2, "maybe", names)
    found = ablate(X, three, pos_label="maybe").stage_effects_
    men = (X["sex"] == "m").to_numpy()
    flat = pd.Series(three)
    spd = []
    for train, test in CV.split(X, y):
        gap = []
        for change in ({}, {"bins": "passthrough"}):
            fresh = pipeline().set_params(**change).fit(X.iloc[train], flat.iloc[train])
            guess = fresh.predict(X.iloc[test]) == "maybe"
            gap.append(guess[~men[test]].mean() - guess[men[test]].mean())
        spd.append(gap[0] - gap[1])
    assert found["mean"].iloc[0] == pytest.approx(np.mean(spd))
    other = ablate(X, three, pos_label="no")
    assert (means(other) != found["mean"]).any()


class TestRegression:
    def ablate(self, cv=CV, **params):
        X, _ = data()
        y = X["a"] * 2 + X["b"] ** 2
        model = pipeline(LinearRegression())
        return ablate(X, y, model, **{"pos_label": None, "cv": cv} | params), X, y

    def test_gaps_of_means(self):
        ablator, X, y = self.ablate()
        men = (X["sex"] == "m").to_numpy()
        guesses, errors, sizes, changed = [], [], [], []
        for train, test in CV.split(X, y):
            new, old = (
                pipeline(LinearRegression())
                .set_params(**change)
                .fit(X.iloc[train], y.iloc[train])
                .predict(X.iloc[test])
                for change in ({}, {"bins": "passthrough"})
            )
            here = men[test]
            gap = [g[~here].mean() - g[here].mean() for g in (new, old)]
            guesses.append(gap[0] - gap[1])
            off = [g - y.iloc[test].to_numpy() for g in (new, old)]
            gap = [g[~here].mean() - g[here].mean() for g in off]
            errors.append(gap[0] - gap[1])
            gap = [abs(g[~here]).mean() - abs(g[here]).mean() for g in off]
            sizes.append(gap[0] - gap[1])
            changed.append((new != old).mean())
        effects = ablator.stage_effects_.set_index("metric")
        assert list(effects.index) == ["mean_prediction", "mean_error", "mean_absolute_error"]
        assert effects.loc["mean_prediction", "mean"] == pytest.approx(np.mean(guesses))
        assert effects.loc["mean_error", "mean"] == pytest.approx(np.mean(errors))
        assert effects.loc["mean_absolute_error", "mean"] == pytest.approx(np.mean(sizes))
        assert effects["change_rate"].to_numpy() == pytest.approx(np.mean(changed))
        assert effects["to_favourable"].isna().all()
        assert set(ablator.performance_effects_["metric"]) == {"r2"}

    def test_rates_of_decisions_are_refused(self):
        with pytest.raises(ValueError, match=r"SPD, EOD, AOD, ERD.*pass pos_label=None to compare"):
            self.ablate(pos_label=1)

    def test_one_split(self):
        ablator, *_ = self.ablate(cv=ShuffleSplit(1, test_size=0.5, random_state=0))
        effects = ablator.stage_effects_
        assert (effects["ci_low"] < effects["mean"]).all()
        assert (effects["mean"] < effects["ci_high"]).all()

    def test_labels_as_a_table_of_one_column(self):
        ablator, X, y = self.ablate()
        for column in (y.to_frame(), y.to_numpy()[:, None]):
            found = ablate(X, column, pipeline(LinearRegression()), pos_label=None)
            assert (means(found) == means(ablator)).all()

    def test_a_classifier_needs_a_favourable_label(self):
        X, y = data()
        found = ablate(X, y, pipeline(LogisticRegression()))
        assert found.stage_effects_["metric"].tolist() == METRICS


def test_columns_with_odd_names():
    X, y = data()
    columns = pd.MultiIndex.from_tuples([("who", "sex"), ("what", "a"), ("what", "b")])
    table = X[["sex", *USED]].set_axis(columns, axis=1)
    keep = ColumnTransformer([("keep", MinMaxScaler(), [1, 2])])
    model = Pipeline([("keep", keep), ("model", GaussianNB())])
    found = ablate(table, y, model, sensitive_features=("who", "sex"))
    assert (found.stage_effects_["status"] == "ok").all()


def test_others_have_a_name_where_they_are_of_one_value():
    X, y = data()
    X["old"] = np.arange(len(X)) % 2 == 0
    two = ablate(X, y, sensitive_features="old", privileged=True).stage_effects_
    assert set(two["group"]) == {"False / True"}
    several = ablate(X, y, sensitive_features="race", privileged="white").stage_effects_
    assert set(several["group"]) == {"all others / white"}
    # rows without a value are of neither group
    X["city"] = np.where(X["old"], "Rome", np.where(X["race"] == "white", "Oslo", None))
    with pytest.warns(UserWarning, match="have no value of 'city'"):
        known = ablate(X, y, sensitive_features="city", privileged="Oslo").stage_effects_
    assert set(known["group"]) == {"Rome / Oslo"}


def test_times_are_groups_in_the_zone_of_their_column():
    days = pd.Series(pd.to_datetime(["2024-03-01", "2024-03-02"]).tz_localize("Asia/Tokyo"))
    X = pd.DataFrame({"t": days.take(np.arange(80) % 2).array})
    for who, given in itertools.product(
        (days[0], Pattern.parse("t == '2024-03-01'")), (None, X, X["t"])
    ):
        (pair,) = group_pairs(X, "t", who, given)
        np.testing.assert_array_equal(pair.rows, (X["t"] == days[0]).astype(float))
        if who is days[0]:
            assert (pair.privileged, pair.unprivileged) == tuple(map(str, days))
