"""Models that do without a column where it is in doubt."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcorrupt.robustness import SubmodelClassifier, SubmodelRegressor

DATES = pd.date_range("2024-01-01", periods=300, freq="D")


def frame(n=300, seed=0):
    """A label, and columns that each say it nearly always."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = pd.DataFrame(
        {
            "real": 5 * y + rng.uniform(1, 4, n),
            "whole": 4 * y + rng.integers(0, 4, n),
            "text": np.where(y, "u", "v"),
            "time": pd.to_datetime(np.where(y, DATES[:n], DATES[:n] + pd.Timedelta("900D"))),
        }
    )
    return X, np.where(y, "yes", "no")


def pipeline(model):
    numbers = make_column_transformer(
        (SimpleImputer(), ["real", "whole"]), (OneHotEncoder(), ["text"])
    )
    return make_pipeline(numbers, model)


STRUCK = {
    "missing": {"real": np.nan},
    "far": {"real": 9000.0},
    "near 0, where no value is": {"real": 0.002},
    "between": {"real": 4.5},
    "not whole": {"whole": 2.54},
    "level": {"text": "?"},
    "no number": {"real": "many"},
    "gap of texts": {"text": None},
    "time": {"time": pd.Timestamp("1970-01-01")},
}


def test_what_is_doubtful():
    X, y = frame()
    served = frame(seed=1)[0].astype({"whole": float})
    model = SubmodelClassifier(pipeline(LogisticRegression())).fit(X, y)
    gaps_alone = SubmodelClassifier(pipeline(LogisticRegression()), false_alarm=0).fit(X, y)
    for name, ((column, value),) in ((name, cells.items()) for name, cells in STRUCK.items()):
        struck = served.astype({column: object})
        struck.loc[3, column] = value
        found = pd.DataFrame(model.doubtful_cells(struck), columns=X.columns)
        assert found.loc[3, column], name
        assert found.drop(index=3).to_numpy().mean() <= 0.02
        assert gaps_alone.doubtful_cells(struck).sum() == (value is None or value is np.nan)


def test_numbers_of_single_precision_are_no_others():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.uniform(0, 99, 5000).round(1), "b": rng.choice([0.1, 0.7], 5000)})
    y = (X["a"] > 50).astype(int)
    model = SubmodelClassifier(LogisticRegression()).fit(X, y)
    clean, single = model.predict_proba(X), model.predict_proba(X.astype("float32"))
    np.testing.assert_allclose(single, clean, atol=1e-4)


@pytest.mark.parametrize("model", [LogisticRegression(), DecisionTreeClassifier(), LinearSVC()])
def test_rows_in_doubt_are_left_to_those_who_do_without(model):
    X, y = frame()
    X = X[["real", "whole", "text"]]
    inner = pipeline(model)
    found = SubmodelClassifier(inner).fit(X, y)
    served, truth = frame(seed=1)
    served = served[[*X]]
    clean = ~found.doubtful_cells(served).any(axis=1)
    assert 0.9 < clean.mean() < 1
    np.testing.assert_array_equal(
        found.predict(served[clean]), inner.fit(X, y).predict(served[clean])
    )
    wrong = served.assign(real=np.where(truth == "yes", 0.001, 9000.0))
    assert np.mean(found.predict(wrong) == truth) > 0.99
    assert hasattr(found, "predict_proba") == hasattr(inner, "predict_proba")
    if hasattr(found, "predict_proba"):
        without, usual = found.submodels_, found.fill_values_
        filled = served.assign(real=usual["real"])
        np.testing.assert_allclose(
            found.predict_proba(wrong[clean]), without["real"].predict_proba(filled[clean])
        )
        # of two that are in doubt each is filled for the model without the other one
        gaps = wrong.assign(whole=np.nan)
        filled["whole"] = usual["whole"]
        both = [without[column].predict_proba(filled) for column in ("real", "whole")]
        np.testing.assert_allclose(found.predict_proba(gaps), np.mean(both, axis=0))


def test_numbers_are_averaged():
    X = np.repeat([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [9.0, 9.0, 9.0]], 20, axis=0)
    model = SubmodelRegressor(DecisionTreeRegressor()).fit(X, X[:, 0])
    told = model.predict([[np.nan, 9.0, 9.0], [9.0, 500.0, 9.0], [1.0, 1.0, 1.0]])
    np.testing.assert_allclose(told, [9, 9, 1])
    assert model.fill_values_ == {"x0": 2, "x1": 2, "x2": 2}
    filled = np.array([[2.0, 2.0, 9.0]])
    ways = [model.submodels_[label].predict(filled)[0] for label in ("x0", "x1")]
    np.testing.assert_allclose(model.predict([[np.nan, np.nan, 9.0]]), np.mean(ways))


@pytest.mark.parametrize("share", [0.05, 0.01])
@pytest.mark.parametrize("draw", ["normal", "lognormal", "integers", "levels"])
def test_clean_values_are_seldom_doubted(draw, share):
    rng = np.random.default_rng(0)
    made = {
        "normal": lambda n: rng.normal(size=n),
        "lognormal": lambda n: rng.lognormal(sigma=2, size=n),
        "integers": lambda n: rng.geometric(0.02, n).astype(float),
        "levels": lambda n: rng.geometric(0.05, n).astype(str),
    }[draw]
    n = 2000
    y = np.arange(n) % 2
    model = SubmodelClassifier(DecisionTreeClassifier(max_depth=1), false_alarm=share)
    X = pd.DataFrame({"a": made(n)})
    rest = pd.DataFrame({"a": made(10 * n)})
    model.set_params(
        estimator=make_pipeline(OneHotEncoder(handle_unknown="ignore"), model.estimator)
    )
    doubted = model.fit(X, y).doubtful_cells(rest).mean()
    assert doubted <= share * 1.2 + 2 / n


def test_balanced_submodels_do_not_forget_a_rare_class():
    rng = np.random.default_rng(0)
    rare = rng.random(1000) < 0.1
    X = np.column_stack([rare, rare + rng.normal(size=1000)])
    gaps = np.column_stack([np.full(1000, np.nan), X[:, 1]])
    tree = DecisionTreeClassifier(max_depth=3)
    found = [
        SubmodelClassifier(tree, balanced=balanced).fit(X, rare).predict(gaps)[rare].mean()
        for balanced in (False, True)
    ]
    assert found[0] < 0.3 and found[1] > 0.6
    model = SubmodelClassifier(tree, balanced=True).fit(X, rare)
    assert model.submodels_["x0"].tree_.n_node_samples[0] == 2 * np.sum(~rare)
    assert model.estimator_.tree_.n_node_samples[0] == 1000


def test_named_columns_alone():
    X, y = frame()
    model = SubmodelClassifier(pipeline(LogisticRegression()), columns="real").fit(X, y)
    assert list(model.submodels_) == ["real"]
    served = X.assign(real=9000.0, whole=9000)
    np.testing.assert_array_equal(
        model.doubtful_cells(served), np.tile([True, False, False, False], (len(X), 1))
    )


def test_a_column_without_values_has_no_submodel():
    X, y = frame()
    model = SubmodelClassifier(pipeline(LogisticRegression())).fit(X.assign(none=np.nan), y)
    assert "none" not in model.submodels_ and "real" in model.submodels_


def test_gaps_in_training_rows_are_filled_for_those_who_take_none():
    X, y = frame()
    X = X[["real", "whole"]].astype(float)
    X.iloc[:5, 0] = np.nan
    model = SubmodelClassifier(LogisticRegression()).fit(X, y)
    assert np.mean(model.predict(X) == y) > 0.95
    polars = pytest.importorskip("polars")
    same = SubmodelClassifier(LogisticRegression()).fit(polars.DataFrame(X), y)
    np.testing.assert_array_equal(same.predict(polars.DataFrame(X)), model.predict(X))


@pytest.mark.parametrize("balanced", [False, True])
def test_weights_reach_every_fit(balanced):
    X, y = frame(n=60)
    X, weights = X[["real", "whole"]].astype(float), np.arange(60) % 3 + 1.0
    model = SubmodelClassifier(GaussianNB(), balanced=balanced)
    model.fit(X, y, sample_weight=weights)
    plain = GaussianNB().fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.estimator_.class_count_, plain.class_count_)
    rows = np.arange(60)
    if balanced:
        classes = [np.flatnonzero(y == label) for label in np.unique(y)]
        most = max(map(len, classes))
        rows = np.concatenate([own[np.arange(most) * len(own) // most] for own in classes])
    blind = X.iloc[rows].assign(real=model.fill_values_["real"])
    own = GaussianNB().fit(blind, np.asarray(y)[rows], sample_weight=weights[rows])
    np.testing.assert_allclose(model.submodels_["real"].theta_, own.theta_)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = GaussianNB().set_fit_request(sample_weight=True)
        routed = clone(model).set_params(estimator=asking).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(routed.predict_proba(X), model.predict_proba(X))


def test_weights_that_no_fit_takes_are_refused_by_name():
    X, y = frame(n=60)
    with pytest.raises(TypeError, match="fit of KNeighborsRegressor takes no sample_weight; leave"):
        SubmodelRegressor(KNeighborsRegressor()).fit(
            X[["real"]], X["whole"], sample_weight=np.ones(60)
        )
    steps = SubmodelClassifier(pipeline(LogisticRegression()))
    with pytest.raises(ValueError, match=r"Pipeline.fit does not accept.*__sample_weight="):
        steps.fit(X, y, sample_weight=np.ones(60))
    steps.fit(X, y, logisticregression__sample_weight=np.ones(60))
    np.testing.assert_array_equal(steps.predict(X), clone(steps).fit(X, y).predict(X))


def test_refusals():
    X, y = frame()
    with pytest.raises(ValueError, match="pass it to SubmodelRegressor"):
        SubmodelClassifier(Ridge()).fit(X, y)
    with pytest.raises(ValueError, match="pass it to SubmodelClassifier"):
        SubmodelRegressor(LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="nowhere"):
        SubmodelClassifier(LogisticRegression(), columns="nowhere").fit(X, y)
    with pytest.raises(ValueError, match="false_alarm"):
        SubmodelClassifier(LogisticRegression(), false_alarm=1).fit(X, y)


def test_times_of_a_zone_are_done_without_too():
    X, y = frame()
    X = X.assign(time=X["time"].dt.tz_localize("Asia/Tokyo"))
    coded = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["text", "time"]))
    model = SubmodelClassifier(make_pipeline(coded, LogisticRegression())).fit(X, y)
    served = X.assign(time=X["time"].where(X.index > 3))
    assert model.doubtful_cells(served)[:, 3].sum() == 4
    assert model.score(served, y) > 0.9


def test_numbers_that_are_too_far_apart_to_tell_how_far_are_told():
    X = np.repeat([[-1e308], [1e308], [0.0]], 10, axis=0)
    model = SubmodelRegressor(DummyRegressor()).fit(X, np.sign(X[:, 0]))
    assert not model.doubtful_cells(X).any()
