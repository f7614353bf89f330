"""The linear proxy against pipelines with imputers that look elsewhere, fitted on what is left."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.compose import make_column_transformer
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, RobustScaler, StandardScaler

from proxy_setups import assert_like_pipelines, laid_out, pipeline_and_proxy, some_candidates
from skcorrupt import CorruptMissing
from skcorrupt.adversarial.proxies import _predicted_values


def related(n=300, seed=0):
    """Whole numbers that go together, within three standard deviations, and two classes."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 6, n)
    b = np.clip(a + rng.integers(-2, 3, n), 0, 6)
    c = rng.integers(0, 4, n)
    X = pd.DataFrame({"a": a, "b": 10 * b, "c": c, "d": (a + c) // 2})
    chance = 0.5 * X.a - 0.04 * X.b + 0.4 * X.c + rng.logistic(size=n)
    return X.astype(float), pd.Series((chance > 1.0).astype(int), name="label")


def exact(C=1.0):
    return LogisticRegression(C=C, tol=1e-10, max_iter=10_000, solver="newton-cholesky")


@pytest.mark.many
@pytest.mark.parametrize("hit", ["a", "b"])
@pytest.mark.parametrize(
    "imputer",
    [
        IterativeImputer(),
        IterativeImputer(add_indicator=True),
        IterativeImputer(LinearRegression(), min_value=1.0, max_value=40.0),
        IterativeImputer(Ridge(alpha=30.0)),
        SimpleImputer(add_indicator=True),
        SimpleImputer(strategy="constant", fill_value=-99.0),
        KNNImputer(n_neighbors=400),
    ],
    ids=["bayes", "flag", "bounded", "ridge", "mean flag", "far out", "all neighbours"],
)
def test_imputers_are_fitted_on_what_is_left(imputer, hit):
    X, y = related()
    model = make_pipeline(imputer, StandardScaler(), exact(0.5))
    setup = laid_out(model, "missing", X, y, budget=0.9, corrupt_columns=[hit])
    assert_like_pipelines(setup, model, X, y, [lambda struck: struck.assign(**{hit: np.nan})])


@pytest.mark.many
@pytest.mark.parametrize("scaler", [MinMaxScaler(), RobustScaler(), None])
def test_scalers_before_the_imputer(scaler):
    X, y = related()
    # without a penalty nothing depends on the unit
    steps = [] if scaler is None else [scaler]
    model = make_pipeline(*steps, IterativeImputer(LinearRegression()), exact(1e9))
    setup = laid_out(model, "missing", X, y, budget=0.9, corrupt_columns=["b"])
    assert_like_pipelines(setup, model, X, y, [lambda struck: struck.assign(b=np.nan)], atol=2e-3)


def test_an_imputer_behind_encoders():
    X, y = related()
    X["e"] = np.where(X.a > 2, "much", np.where(X.c > 1, "some", "none"))
    columns = make_column_transformer(
        (OneHotEncoder(), ["e"]), ("passthrough", ["a", "b", "c", "d"]), sparse_threshold=0
    )
    model = make_pipeline(columns, IterativeImputer(LinearRegression()), exact(1e9))
    setup = laid_out(model, "missing", X, y, budget=0.9, corrupt_columns=["b"])
    assert_like_pipelines(setup, model, X, y, [lambda struck: struck.assign(b=np.nan)], atol=2e-3)


def test_an_imputer_of_some_columns_looks_at_these_alone():
    X, y = related()
    columns = make_column_transformer(
        (make_pipeline(IterativeImputer(), StandardScaler()), ["b", "d"]),
        (StandardScaler(), ["a", "c"]),
    )
    model = make_pipeline(columns, exact())
    setup = laid_out(model, "missing", X, y, budget=0.9, corrupt_columns=["b"])
    assert_like_pipelines(setup, model, X, y, [lambda struck: struck.assign(b=np.nan)])


def test_several_columns_hit_do_not_predict_each_other():
    X, y = related()
    # many rounds, as the two columns are put in turns
    imputer = IterativeImputer(LinearRegression(), max_iter=300, tol=1e-9)
    model = make_pipeline(imputer, StandardScaler(), exact())
    setup = laid_out(model, CorruptMissing(["a", "b"]), X, y, budget=0.9, max_conditions=3)
    struck = [lambda struck: struck.assign(a=np.nan, b=np.nan)]
    assert_like_pipelines(setup, model, X, y, struck, depth=2, atol=1e-2)


def test_many_columns_take_steps_with_the_curvature_of_clean_rows():
    rng = np.random.default_rng(3)
    n, d = 500, 45
    X = pd.DataFrame(rng.integers(0, 5, (n, d)).astype(float)).add_prefix("f")
    X["f1"] = X.f0 + rng.integers(0, 2, n)
    y = pd.Series(((X - 2) @ rng.normal(size=d) * 0.2 + rng.normal(size=n) > 0).astype(int))
    imputer = IterativeImputer(LinearRegression(), skip_complete=True)
    model = make_pipeline(imputer, StandardScaler(), exact(0.05))
    settings = {"corrupt_columns": ["f0"], "pattern_columns": ["f0", "f1"]}
    setup = laid_out(model, "missing", X, y, budget=0.9, **settings)
    assert not setup.proxy.newton
    assert_like_pipelines(setup, model, X, y, [lambda struck: struck.assign(f0=np.nan)], atol=1e-2)


def test_values_that_were_missing_are_imputed_too():
    X, y = related()
    gaps = np.random.default_rng(1).random(len(X)) < 0.2
    X.loc[gaps & (np.arange(len(X)) < 200), "b"] = np.nan
    model = make_pipeline(IterativeImputer(), StandardScaler(), exact())
    setup = laid_out(model, "missing", X, y, budget=0.9, corrupt_columns=["b"])
    struck = [lambda struck: struck.assign(b=np.nan)]
    # rows that are predicted hold a value
    assert_like_pipelines(setup, model, X, y, struck, asked=X.b.notna())


def misleading(n, seed=8):
    """A column that others tell of the other way round where it is low."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 4, n)
    y = pd.Series((rng.random(n) < np.array([0.1, 0.2, 0.7, 0.8])[level]).astype(int))
    helper = np.where(level <= 1, 5 + rng.normal(size=n), level + 0.3 * rng.normal(size=n))
    return pd.DataFrame({"level": level, "helper": helper, "other": rng.normal(size=n)}), y


@pytest.mark.parametrize(
    ("weights", "most_donors"),
    [
        ("uniform", 500),
        ("distance", 1_500),
        pytest.param("uniform", 1_500, marks=pytest.mark.slow),
        pytest.param("distance", 500, marks=pytest.mark.slow),
    ],
)
def test_nearest_neighbours(weights, most_donors, monkeypatch):
    monkeypatch.setattr(_predicted_values, "MOST_DONORS", most_donors)
    X, y = misleading(750)
    model = make_pipeline(KNNImputer(weights=weights), StandardScaler(), LogisticRegression())
    settings = {"scoring": "roc_auc", "corrupt_columns": ["level"]}
    setup = laid_out(model, "missing", X, y, budget=0.5, **settings)
    real, said = pipeline_and_proxy(setup, some_candidates(setup, 40, depth=1))
    assert spearmanr(real, said).statistic > 0.9
    worst = np.argsort(real)[:15]
    assert spearmanr(real[worst], said[worst]).statistic > 0.6


def test_a_pattern_by_which_the_regression_on_the_rest_misleads():
    X, y = misleading(1200)
    model = make_pipeline(IterativeImputer(), StandardScaler(), LogisticRegression())
    settings = {"scoring": "roc_auc", "corrupt_columns": ["level"]}
    setup = laid_out(model, "missing", X, y, budget=0.5, **settings)
    real, said = pipeline_and_proxy(setup, some_candidates(setup, 40, depth=1))
    assert spearmanr(real, said).statistic > 0.95
    worst = np.argsort(real)[:10]
    assert spearmanr(real[worst], said[worst]).statistic > 0.7
    assert int(np.argmin(real)) in np.argsort(said)[:3].tolist()
