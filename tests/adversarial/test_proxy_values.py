"""The linear proxy where values are changed, against pipelines that are fitted on changed rows."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)

from proxy_setups import assert_like_pipelines, laid_out, pipeline_and_proxy, some_candidates
from skcorrupt import (
    MAR,
    CorruptCategories,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
)

COLOURS = ("blue", "green", "red")


def mixed(n=240, seed=0):
    """Whole numbers within three standard deviations, a truth, colours, and two classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, n).astype(float),
            "b": 10.0 * rng.integers(-3, 4, n),
            "c": np.array(COLOURS)[rng.integers(0, 3, n)],
            "t": rng.random(n) < 0.5,
        }
    )
    chance = 0.6 * X.a + 0.03 * X.b + (X.c == "red") + 0.5 * X.t + rng.logistic(size=n)
    return X, pd.Series((chance > 2.3).astype(int), name="label")


def piped(model=None, scaler=None):
    numbers = make_pipeline(SimpleImputer(), StandardScaler() if scaler is None else scaler)
    texts = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer((numbers, ["a", "b", "t"]), (texts, ["c"]))
    exact = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000, solver="newton-cholesky")
    return make_pipeline(columns, exact if model is None else model)


def another(column, k, values):
    """Every value becomes the one that comes k places later."""
    order = list(values)
    return lambda struck: struck.assign(
        **{column: [order[(order.index(v) + k) % len(order)] for v in struck[column]]}
    )


def by(column, change):
    return lambda struck: struck.assign(**{column: change(struck[column])})


def cases():
    X, _ = mixed()
    # of the rows that are trained on, as the corruption's own
    std = X.b.std(ddof=0)
    yield "scale", CorruptScale(factor=1000.0), "b", [by("b", lambda v: v * 1000)]
    yield "negative", CorruptScale(factor=-2.0), "a", [by("a", lambda v: v * -2)]
    yield (
        "outliers",
        CorruptOutliers(magnitude=20.0),
        "b",
        [by("b", lambda v: v - 20 * std), by("b", lambda v: v + 20 * std)],
    )
    yield "a text unseen", CorruptOutliers(), "c", [by("c", lambda v: "unseen")]
    yield "unseen", CorruptCategories(kind="unseen"), "c", [by("c", lambda v: "unseen")]
    fahrenheit = CorruptScale(factor=1.8, offset=32.0)
    yield "offset", fahrenheit, "b", [by("b", lambda v: v * 1.8 + 32)]
    yield "default", CorruptSentinel(), "b", [by("b", lambda v: v * 0 - 999)]
    yield "default text", CorruptSentinel(), "c", [by("c", lambda v: "N/A")]
    swaps = [another("c", k, COLOURS) for k in (1, 2)]
    yield "swap", CorruptCategories(), "c", swaps
    yield "noise of texts", CorruptNoise(), "c", swaps
    yield "noise of truths", CorruptNoise(), "t", [by("t", lambda v: ~v)]
    codes = [another("a", k, range(6)) for k in range(1, 6)]
    yield "codes", CorruptCategories("a"), "a", codes


@pytest.mark.many
@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case[0])
def test_changed_rows_are_fitted_as_the_pipeline_fits_them(case):
    _, corruption, hit, outcomes = case
    X, y = mixed()
    model = piped()
    named = {} if corruption.columns is not None else {"corrupt_columns": [hit]}
    setup = laid_out(model, corruption, X, y, budget=0.9, **named)
    assert setup.stand_ins.kind == "values"
    assert_like_pipelines(setup, model, X, y, outcomes, atol=0.02)


@pytest.mark.parametrize("scaler", [MinMaxScaler(), MaxAbsScaler()])
def test_scalers_that_divide_by_the_range(scaler):
    X, y = mixed()
    # penalties of ranges and of deviations differ, so the penalty is next to nothing
    model = piped(LogisticRegression(C=1e6, tol=1e-10, max_iter=10_000), scaler)
    setup = laid_out(model, CorruptScale(factor=50.0), X, y, budget=0.9, corrupt_columns=["b"])
    assert_like_pipelines(setup, model, X, y, [by("b", lambda v: v * 50)], atol=0.02)


def test_numbers_are_predicted_on_changed_rows():
    X, _ = mixed()
    y = X.a * 2.0 + 0.1 * X.b + np.random.default_rng(1).normal(size=len(X))
    model = piped(Ridge(alpha=2.0))
    setup = laid_out(model, CorruptScale(factor=30.0), X, y, budget=0.9, corrupt_columns=["b"])
    assert_like_pipelines(setup, model, X, y, [by("b", lambda v: v * 30)], atol=0.02)


def test_several_columns_that_change_on_the_same_rows():
    X, y = mixed()
    model = piped()
    corruption = CorruptScale(["a", "b"], factor=10.0)
    setup = laid_out(model, corruption, X, y, budget=0.9, max_conditions=3)
    outcome = [lambda struck: struck.assign(a=struck.a * 10, b=struck.b * 10)]
    assert_like_pipelines(setup, model, X, y, outcome, depth=2, atol=0.02)


def test_what_was_missing_gets_the_mean_of_what_is_there_now():
    X, y = mixed()
    X.loc[(np.arange(240) < 160) & (np.arange(240) % 7 == 0), "b"] = np.nan
    model = piped()
    setup = laid_out(model, CorruptScale(factor=40.0), X, y, budget=0.9, corrupt_columns=["b"])
    asked = X.b.notna()
    assert_like_pipelines(setup, model, X, y, [by("b", lambda v: v * 40)], asked=asked, atol=0.02)


@pytest.mark.parametrize(
    "corruption",
    [
        pytest.param(CorruptScale(factor=5.0), marks=pytest.mark.slow),
        pytest.param(CorruptOutliers(), marks=pytest.mark.slow),
        pytest.param(CorruptNoise(scale=3.0), marks=pytest.mark.slow),
        CorruptCategories(),
    ],
    ids=lambda each: each.short_name,
)
def test_candidates_are_in_the_order_of_the_pipeline(corruption):
    rng = np.random.default_rng(7)
    n = 1200
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    X["t"] = rng.random(n) < 0.5
    X["c"] = np.array(COLOURS)[rng.integers(0, 3, n)]
    chance = X.a + 3.0 * X.b + 3.0 * (X.c == "red") - 3.0 * (X.c == "blue")
    y = pd.Series((chance + rng.logistic(size=n) > 0).astype(int))
    hit = "c" if corruption.short_name == "categories" else "b"
    settings = {"scoring": "roc_auc", "corrupt_columns": [hit], "n_bins": 8}
    setup = laid_out(piped(LogisticRegression()), corruption, X, y, budget=0.3, **settings)
    # a proxy says what an error does in the mean
    real, said = pipeline_and_proxy(setup, some_candidates(setup, 30, depth=1), n_draws=8)
    assert spearmanr(real, said).statistic > 0.9
    worst = np.argsort(real)[:15]
    assert spearmanr(real[worst], said[worst]).statistic > 0.6


def test_which_errors_change_values_in_a_way_that_is_simulated():
    class Sign(CorruptScale):
        def _new_values(self, struck):
            return -struck.values

    class Told(Sign):
        def _simulated_values(self, kind, numbers, std):
            return [(1.0, -numbers)]

    for corruption in (CorruptScale(), CorruptNoise(), CorruptOutliers(), CorruptCategories()):
        assert corruption._simulated_as(classifier=True) == "values"
    assert Told()._simulated_as(classifier=True) == "values"
    assert Sign()._simulated_as(classifier=True) is None
    assert CorruptScale(mechanism=MAR(["a"]))._simulated_as(classifier=True) is None
    assert CorruptScale(sampling="normal")._simulated_as(classifier=True) is None
    assert CorruptScale(same_rows=False)._simulated_as(classifier=True) is None


def test_an_error_of_the_users_own_that_says_what_it_puts():
    class CorruptSign(CorruptScale):
        def _new_values(self, struck):
            return -struck.values

        def _simulated_values(self, kind, numbers, std):
            return [(1.0, -numbers)]

    X, y = mixed()
    model = piped()
    setup = laid_out(model, CorruptSign(), X, y, budget=0.9, corrupt_columns=["a"])
    assert_like_pipelines(setup, model, X, y, [by("a", lambda v: -v)], atol=0.02)


def test_texts_that_are_encoded_as_numbers():
    X, y = mixed()
    X["c"] = X.c.map({"red": "a", "blue": "b", "green": "c"})
    columns = make_column_transformer(
        (make_pipeline(OrdinalEncoder(), StandardScaler()), ["c"]),
        (StandardScaler(), ["a", "b", "t"]),
    )
    exact = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000, solver="newton-cholesky")
    model = make_pipeline(columns, exact)
    setup = laid_out(model, CorruptCategories(), X, y, budget=0.9, corrupt_columns=["c"])
    swaps = [another("c", k, "abc") for k in (1, 2)]
    assert_like_pipelines(setup, model, X, y, swaps, atol=0.02)


@pytest.mark.parametrize("strategy", ["mean", "most_frequent"])
def test_codes_that_are_lost_are_imputed(strategy):
    X, y = mixed()
    order = np.array(["green", "red", "blue", np.nan], dtype=object)
    encoder = OrdinalEncoder(categories=[order])
    columns = make_column_transformer((encoder, ["c"]), ("passthrough", ["a", "b", "t"]))
    imputer = SimpleImputer(strategy=strategy)
    exact = LogisticRegression(C=1e9, tol=1e-10, max_iter=10_000, solver="newton-cholesky")
    model = make_pipeline(columns, imputer, exact)
    settings = {"corrupt_columns": ["c"], "label": "forbidden"}
    setup = laid_out(model, "missing", X, y, budget=0.9, **settings)
    assert_like_pipelines(setup, model, X, y, [by("c", lambda v: np.nan)], atol=0.02)


@pytest.mark.long
def test_values_of_many_levels_are_drawn_from_some():
    rng = np.random.default_rng(9)
    n = 900
    X = pd.DataFrame({"a": rng.normal(size=n), "c": rng.integers(0, 20, n).astype(str)})
    effect = 2 * rng.normal(size=20)
    y = pd.Series((X.a + effect[X.c.astype(int)] + rng.logistic(size=n) > 0).astype(int))
    columns = make_column_transformer(
        (StandardScaler(), ["a"]), (OneHotEncoder(handle_unknown="ignore"), ["c"])
    )
    model = make_pipeline(columns, LogisticRegression())
    settings = {"scoring": "roc_auc", "corrupt_columns": ["c"]}
    setup = laid_out(model, CorruptCategories(), X, y, budget=0.4, **settings)
    real, said = pipeline_and_proxy(setup, some_candidates(setup, 20, depth=1))
    assert spearmanr(real, said).statistic > 0.8
