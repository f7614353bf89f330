"""Training rows that count as often as a population has such rows."""

import ast
import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given, strategies as st
from imblearn.pipeline import make_pipeline as imblearn_pipeline
from imblearn.under_sampling import RandomUnderSampler
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from skcorrupt import SelectionBias
from skcorrupt.robustness import (
    ReweightedClassifier,
    ReweightedRegressor,
    SubmodelClassifier,
    population_margins,
    suggest_hardening,
)


def people(n=400, women=0.5, seed=0):
    """Ages, sexes and a region; the label depends on the sex and the age together."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "sex": np.where(rng.random(n) < women, "f", "m"),
            "region": pd.Categorical(rng.choice(["n", "s", "w"], n)),
            "member": rng.random(n) < 0.3,
        }
    )
    young = X["age"].to_numpy() < 50
    y = np.where((X["sex"] == "f").to_numpy() == young, "yes", "no")
    return X, y


def pipeline(model=None):
    coded = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["sex", "region", "member"]),
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age"]),
    )
    return make_pipeline(coded, LogisticRegression() if model is None else model)


def shares(column, weights):
    return pd.Series(weights).groupby(np.asarray(column)).sum() / weights.sum()


MARGINS = {
    "sex": {"f": 0.6, "m": 0.4},
    "age": {(None, 30): 0.3, (30, 60): 0.5, (60, None): 0.2},
    "region": {"n": 0.5},
    "member": {True: 0.1, False: 0.9},
}


@pytest.mark.parametrize("container", ["pandas", "polars", "duplicate index", "pyarrow"])
def test_weighted_shares_are_those_of_the_margins(container):
    X, y = people(women=0.2)
    given_X = {
        "pandas": X,
        "polars": pl.from_pandas(X),
        "duplicate index": X.set_index(np.zeros(len(X), dtype=int)),
        "pyarrow": X.convert_dtypes(dtype_backend="pyarrow"),
    }[container]
    before = X.copy()
    model = ReweightedClassifier(pipeline_of(container), MARGINS).fit(given_X, y)
    pd.testing.assert_frame_equal(X, before)
    w = model.weights_
    assert np.isclose(w.mean(), 1) and w.min() > 0
    assert shares(X["sex"], w).round(4).to_dict() == {"f": 0.6, "m": 0.4}
    of_age = shares(pd.cut(X["age"], [0, 30, 60, 99], right=False, labels=False), w)
    assert of_age.round(4).tolist() == [0.3, 0.5, 0.2]
    assert shares(X["region"], w).round(4)["n"] == 0.5
    assert shares(X["member"], w).round(4)[True] == 0.1
    assert max(abs(gap) for each in model.share_gaps_.values() for gap in each.values()) < 1e-4
    assert model.effective_n_samples_ == pytest.approx(w.sum() ** 2 / (w**2).sum())


def pipeline_of(container):
    """What fits to rows of any container, which tests of weights need not learn from."""
    if container in ("pandas", "duplicate index"):
        return pipeline()
    zeros = FunctionTransformer(lambda X: np.zeros((X.shape[0], 1)))
    return make_pipeline(zeros, LogisticRegression())


def test_the_model_is_that_of_these_weights():
    X, y = people()
    given_weights = np.linspace(0.5, 2, len(X))
    model = ReweightedClassifier(pipeline(), MARGINS).fit(X, y, sample_weight=given_weights)
    same = pipeline().fit(X, y, logisticregression__sample_weight=model.weights_)
    np.testing.assert_allclose(model.predict_proba(X), same.predict_proba(X))
    assert model.score(X, y) == same.score(X, y) and model.classes_.tolist() == ["no", "yes"]
    # of all that have these shares, what is nearest to the weights that were given
    alone = ReweightedClassifier(pipeline(), MARGINS).fit(X, y)
    assert not np.allclose(alone.weights_, model.weights_)
    assert shares(X["sex"], model.weights_).round(4)["f"] == 0.6


def test_a_model_of_rare_rows_comes_to_be_that_of_the_population():
    """A line through a curve depends on where the rows are."""
    rng = np.random.default_rng(0)
    everywhere = rng.uniform(0, 1, (4000, 1))
    kept = everywhere[rng.random(4000) < np.where(everywhere[:, 0] > 0.5, 0.1, 1.0)]

    def truth(X):
        return X[:, 0] ** 2

    true = LinearRegression().fit(everywhere, truth(everywhere)).coef_[0]
    plain = LinearRegression().fit(kept, truth(kept)).coef_[0]
    margins = population_margins(everywhere, n_bins=16)
    model = ReweightedRegressor(LinearRegression(), margins).fit(kept, truth(kept))
    assert abs(model.estimator_.coef_[0] - true) < 0.03 < 0.15 < abs(plain - true)


@pytest.mark.long
@given(st.integers(0, 10**6), st.integers(2, 12))
def test_a_table_weighted_by_its_own_shares_stays(seed, n_bins):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 4, 50),
            "b": np.where(rng.random(50) < 0.2, np.nan, rng.lognormal(size=50)),
            "c": rng.choice(["u", "v", None, "rare"], 50, p=[0.5, 0.3, 0.18, 0.02]),
            "d": np.where(rng.random(50) < 0.3, np.inf, rng.normal(size=50).round(1)),
        }
    )
    y = rng.integers(0, 2, 50).astype(float)
    for fewest in ({}, {"min_share": 0, "min_count": 1}):
        margins = population_margins(X, n_bins=n_bins, **fewest)
        assert all(sum(each.values()) < 1.001 for each in margins.values())
        np.testing.assert_allclose(of_weights(margins).fit(X, y).weights_, 1, atol=0.01)
    assert all(math.isclose(sum(each.values()), 1, abs_tol=0.001) for each in margins.values())


def of_weights(margins, **params):
    """What weighs rows of any kind, and learns nothing from them."""
    zeros = FunctionTransformer(lambda X: np.zeros((X.shape[0], 1)))
    return ReweightedRegressor(make_pipeline(zeros, Ridge()), margins, **params)


def test_a_rest_however_small_is_that_of_others():
    X = pd.DataFrame({"a": ["odd"] * 100 + ["usual"] * 300})
    weights = of_weights({"a": {"usual": 0.996}}).fit(X, np.arange(400.0)).weights_
    assert weights[:100].sum() / weights.sum() == pytest.approx(0.004)


def test_what_is_read_off_a_table():
    n = 200
    X = pd.DataFrame(
        {
            "id": [f"person {i}" for i in range(n)],
            "when": pd.date_range("2026-01-01", periods=n),
            "flag": np.arange(n) % 4 == 0,
            "few": np.repeat([1, 2, 3, 4], n // 4),
            "many": np.arange(n, dtype=float),
            "zeros": np.where(np.arange(n) < 180, 0.0, np.arange(n)),
            "gaps": np.where(np.arange(n) < 50, None, "x"),
            "rare": np.where(np.arange(n) == 0, "odd", "usual"),
        }
    )
    found = population_margins(X, n_bins=4)
    assert [*found] == ["flag", "few", "many", "zeros", "gaps", "rare"]
    assert found["flag"] == {True: 0.25, False: 0.75}
    assert found["few"] == {1: 0.25, 2: 0.25, 3: 0.25, 4: 0.25}
    assert [*found["many"].values()] == pytest.approx([0.25] * 4, abs=0.01)
    assert [*found["many"]] == [(None, 50.0), (50.0, 100.0), (100.0, 150.0), (150.0, None)]
    assert found["zeros"] == {(None, 180.0): 0.9, (180.0, None): 0.1}
    assert found["gaps"] == {"x": 0.75, None: 0.25}
    assert found["rare"] == {"usual": 0.995}
    assert [*population_margins(X, ["few", "flag"])] == ["few", "flag"]
    # nothing of another type than one would write
    assert {type(level) for level in found["few"]} == {int}
    with pytest.raises(ValueError, match=r"'id' holds .* no level or range of at least 5"):
        population_margins(X, "id")
    with pytest.raises(ValueError, match="n_bins=1 should be a whole number of at least 2"):
        population_margins(X, n_bins=1)
    with pytest.raises(ValueError, match="min_share=2 should be"):
        population_margins(X, min_share=2)


def test_columns_that_cannot_be_told_by_shares_are_left_out():
    n = 60
    X = pd.DataFrame(
        {
            "pairs": [("x", "y"), (1, 2)] * (n // 2),
            "lists": [[1], [2]] * (n // 2),
            "ok": ["u", "v"] * (n // 2),
            "gone": [None] * n,
        }
    )
    assert population_margins(X) == {"ok": {"u": 0.5, "v": 0.5}, "gone": {None: 1.0}}
    twice = pd.concat([X[["ok"]], X[["ok"]], X[["gone"]]], axis=1)
    assert [*population_margins(twice)] == ["gone"]
    with pytest.raises(ValueError, match="has no rows"):
        population_margins(X[:0])
    with pytest.raises(ValueError, match="such as lists; leave it out"):
        of_weights({"lists": {1: 1.0}}).fit(X, np.arange(float(n)))


def test_nobody_is_told_apart():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": [f"p{i}" for i in range(60)], "pay": rng.lognormal(10, 1, 60)})
    margins = population_margins(X)
    assert [*margins] == ["pay"]
    ends = {end for level in margins["pay"] for end in level} - {None}
    assert ends and not ends & set(X["pay"])
    assert ast.literal_eval(repr(margins)) == margins


@pytest.mark.parametrize("n_bins", [2, 8])
def test_one_number_far_off_leaves_the_others_their_ranges(n_bins):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"pay": rng.lognormal(10, 1, 400)})
    X.loc[0, "pay"] = 999_999_999_999.0
    found = population_margins(X, n_bins=n_bins)["pay"]
    assert [*found.values()] == pytest.approx([1 / n_bins] * n_bins, abs=0.03)
    ends = {end for level in found for end in level} - {None}
    assert not ends & set(X["pay"])


def test_ranges_of_numbers_next_to_nothing():
    X = pd.DataFrame({"a": np.arange(100) * 1e-310})
    found = population_margins(X, n_bins=4)["a"]
    assert [*found.values()] == pytest.approx([0.25] * 4, abs=0.02)


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
@pytest.mark.parametrize("kind", ["ns", "s", "category", "object"])
def test_times_may_be_levels_whatever_their_unit(zone, kind):
    days = pd.Series(pd.to_datetime(np.repeat(["2020-01-01", "2021-01-01"], [50, 150])))
    days = days.dt.as_unit("s" if kind == "s" else "ns").dt.tz_localize(zone)
    days = days if kind in ("s", "ns") else days.astype(kind)
    margins = {"day": {days[0]: 0.5, days[199]: 0.5}}
    weights = of_weights(margins).fit(days.to_frame("day"), np.arange(200.0)).weights_
    assert weights[:50].sum() == pytest.approx(100)


def test_days_and_spans_of_time_may_be_levels():
    day, other = datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)
    X = pl.DataFrame({"day": [day] * 50 + [other] * 150})
    for first, second in ((day, other), (np.datetime64(day), np.datetime64(other))):
        weights = of_weights({"day": {first: 0.5, second: 0.5}}).fit(X, np.arange(200.0)).weights_
        assert weights[:50].sum() == pytest.approx(100)
    spans = pd.DataFrame({"for": pd.to_timedelta(np.repeat([1, 2], [50, 150]), "D")})
    weights = of_weights({"for": {np.timedelta64(1, "D"): 0.5}}).fit(spans, np.arange(200.0))
    assert weights.weights_[:50].sum() == pytest.approx(100)
    with pytest.raises(ValueError, match=r"holds datetime values, such as Timestamp\('2020-01-01"):
        of_weights({"day": {"2020": 1.0}}).fit(X, np.arange(200.0))


def test_times_are_not_read_as_categories_or_objects_either():
    days = pd.Series(pd.to_datetime(np.repeat(["2020-01-01", "2021-01-01"], 50)))
    X = pd.DataFrame(
        {
            "category": days.astype("category"),
            "date": days.dt.date,
            "time": days.dt.time,
            "month": days.dt.to_period("M"),
            "span": (days - days[0]).astype("category"),
        }
    )
    assert population_margins(X) == {}


def test_numbers_among_objects_may_be_missing_by_any_mark():
    X = pd.DataFrame({"a": pd.Series([1, 2, None, np.nan, pd.NA] * 20, dtype=object)})
    margins = population_margins(X)
    assert margins == {"a": {1: 0.2, 2: 0.2, None: 0.6}}
    np.testing.assert_allclose(of_weights(margins).fit(X, np.arange(100.0)).weights_, 1)


def test_missing_cells_have_a_share_and_numbers_beyond_too():
    X = pd.DataFrame({"a": [np.nan, np.inf, -np.inf, 1.0, 2.0, 2.0], "b": [None, *"xyyyy"]})
    margins = {"a": {float("nan"): 0.5, (0, None): 0.3, (None, 0): 0.2}, "b": {None: 0.5}}
    model = of_weights(margins).fit(X, np.arange(6.0))
    assert [*model.share_gaps_["a"]] == [*margins["a"]]
    assert model.weights_ == pytest.approx([3, 0.45, 1.2, 0.45, 0.45, 0.45], abs=1e-4)


def test_levels_that_no_row_has_are_told():
    X, y = people(women=0.0)
    with pytest.warns(UserWarning, match="have a share, but no training row; share_gaps_ tells"):
        model = ReweightedClassifier(pipeline(), {"sex": {"f": 0.5, "m": 0.5}}).fit(X, y)
    assert model.share_gaps_["sex"] == {"f": -0.5, "m": 0.5}
    np.testing.assert_allclose(model.weights_, 1)
    with pytest.warns(UserWarning, match="all values beside them, have a share, but no training"):
        model = ReweightedClassifier(pipeline(), {"sex": {"m": 0.5}}).fit(X, y)
    assert model.share_gaps_["sex"] == {"m": 0.5}
    # rare ones, which are many
    rare = {f"x{i}": 0.005 for i in range(60)}
    with pytest.warns(UserWarning, match="have a share, but no training row; share_gaps_ tells"):
        ReweightedClassifier(pipeline(), {"sex": {"m": 0.7, **rare}}).fit(X, y)


def test_rows_with_a_share_may_be_too_few_to_carry_all_weight():
    X = pd.DataFrame({"region": ["n", "s", "s", "w"] * 10})
    with pytest.warns(
        UserWarning, match=r"\['region'\] have too few training rows .* than max_weight=3; "
    ):
        model = of_weights({"region": {"n": 1.0}}, max_weight=3.0).fit(X, np.arange(40.0))
    # a quarter of the rows that count three times are three quarters
    assert model.weights_ == pytest.approx(np.tile([3, 1 / 3, 1 / 3, 1 / 3], 10))


def test_margins_that_no_weights_have_are_told():
    X = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20})
    margins = {"a": {"x": 0.9, "y": 0.1}, "b": {"x": 0.2, "y": 0.8}}
    with pytest.warns(
        UserWarning, match=r"no weights give all levels of \['a', 'b'\] their shares"
    ):
        of_weights(margins).fit(X, np.arange(40.0))


def test_no_row_counts_more_than_it_may():
    X, y = people(women=0.05)
    margins = {"sex": {"f": 0.5, "m": 0.5}}
    with pytest.warns(
        UserWarning, match=r"\['sex'\] have too few training rows .* than max_weight=3; "
    ):
        model = ReweightedClassifier(pipeline(), margins, max_weight=3.0).fit(X, y)
    women = (X["sex"] == "f").to_numpy()
    np.testing.assert_allclose(model.weights_[women], 3)
    assert model.share_gaps_["sex"]["f"] == pytest.approx(3 * women.mean() - 0.5)


@pytest.mark.parametrize(
    ("margins", "error", "message"),
    [
        ("sex", TypeError, "margins='sex' should give shares by level, by column"),
        ({"sex": 0.5}, TypeError, "should give shares by level"),
        ({"sax": {"f": 1}}, ValueError, "margins.*'sax'"),
        ({"sex": {"f": 0.8, "m": 0.7}}, ValueError, r"shares sum to 1\.5"),
        ({"sex": {"f": -0.1, "m": 0.7}}, ValueError, "should have shares of at least 0"),
        ({"sex": {"f": "half"}}, ValueError, "should have shares of at least 0"),
        ({"sex": {}}, ValueError, "shares sum to 0"),
        ({"sex": {"f": 50, "m": 50}}, ValueError, "sum to 100; .* percents by 100"),
        (
            {"sex": {"x": 1.0}},
            ValueError,
            "has a share: the column holds text values, ",
        ),
        ({"sex": {(0, 1): 1.0}}, ValueError, "such as '[fm]', '[fm]'. Give shares of these"),
        ({"age": {"40.0": 1.0}}, ValueError, r"level '40.0' is a str, .* holds the float 40\.0"),
        ({"member": {"True": 1.0}}, ValueError, "'True' is a str, .* holds the bool True"),
        ({"age": {"f": 1.0}}, ValueError, "the level 'f' is a text, and the column holds real"),
        ({"member": {(None, 1): 1.0}}, ValueError, "ranges of numbers, .* holds bool values"),
        # what JSON makes of such keys
        ({"member": {"true": 0.3}}, ValueError, "'true' is a str, .* holds the bool True"),
        ({"region": {"s": 0.5, "null": 0.5}}, ValueError, "'null' is a str, .* NoneType None"),
        ({"age": {(None, 10**400): 1.0}}, ValueError, "is no range"),
        ({"age": {(0, 40): 0.5, (30, 90): 0.5}}, ValueError, r"3\d is in several levels"),
        ({"age": {(40, 0): 1.0}}, ValueError, r"\(40, 0\) is no range"),
        ({"age": {(40,): 1.0}}, ValueError, "is no range"),
        ({"age": {None: 0.5, np.nan: 0.5}}, ValueError, "two levels for missing cells"),
    ],
)
def test_margins_that_are_none(margins, error, message):
    X, y = people()
    X.loc[:9, "region"] = None
    with pytest.raises(error, match=message):
        ReweightedClassifier(pipeline(), margins).fit(X, y)


def test_models_that_it_is_not_for():
    X, y = people()
    with pytest.raises(ValueError, match="its last step takes no sample_weight in fit"):
        ReweightedClassifier(pipeline(KNeighborsClassifier()), MARGINS).fit(X, y)
    with pytest.raises(ValueError, match="predicts numbers; pass it to ReweightedRegressor"):
        ReweightedClassifier(Ridge(), MARGINS).fit(X, y)
    with pytest.raises(ValueError, match="predicts classes; pass it to ReweightedClassifier"):
        ReweightedRegressor(LogisticRegression(), MARGINS).fit(X, y)
    with pytest.raises(ValueError, match=r"at least one non-zero number|is 0 for every row"):
        ReweightedClassifier(pipeline(), MARGINS).fit(X, y, sample_weight=np.zeros(len(X)))
    with pytest.raises(ValueError, match="max_weight"):
        ReweightedClassifier(pipeline(), MARGINS, max_weight=1).fit(X, y)


def test_arrays_and_sparse_tables_are_named_by_position():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (60, 2)).astype(float)
    y = rng.integers(0, 2, 60)
    margins = {0: {0: 0.5, 1: 0.25, 2: 0.25}, "x1": {0: 0.2}}
    dense = ReweightedClassifier(LogisticRegression(), margins).fit(X, y)
    thin = ReweightedClassifier(LogisticRegression(), margins).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(dense.weights_, thin.weights_)
    assert shares(X[:, 1], dense.weights_).round(4)[0.0] == 0.2


def test_it_is_searched_over_validated_and_cloned():
    X, y = people()
    model = ReweightedClassifier(pipeline(), MARGINS)
    assert clone(model).get_params()["margins"] == MARGINS
    assert cross_val_score(model, X, y, cv=2, error_score="raise").shape == (2,)
    search = GridSearchCV(model, {"max_weight": [4.0, 5.0]}, cv=2, error_score="raise")
    assert search.fit(X, y).best_estimator_.weights_.max() <= 5
    nested = make_pipeline(FunctionTransformer(), pipeline())
    found = ReweightedClassifier(nested, MARGINS).fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), model.fit(X, y).predict_proba(X))


def test_pipelines_need_not_be_told_where_weights_go():
    X, y = people()
    plain = ReweightedClassifier(pipeline(), MARGINS).fit(X, y).predict_proba(X)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = ReweightedClassifier(pipeline(), MARGINS).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(plain, routed)


def test_it_is_a_remedy_where_the_population_is_known():
    X, y = people()
    population, _ = people(women=0.7, seed=1)
    first, *others = suggest_hardening(pipeline(), "selection", reference=population)
    assert repr(others) == repr(suggest_hardening(pipeline(), "selection"))
    found = [steps[0][1] for steps in first["steps"]]
    assert [type(each) for each in found] == [ReweightedClassifier] * 2
    assert [each.max_weight for each in found] == [3.0, 10.0]
    # shares, and nothing else of the people
    assert found[0].margins == population_margins(population)
    error = SelectionBias(pattern="sex == 'f'", rate=0.8, random_state=0)
    left = error.fit(X, y).corrupt(X, y)
    tried = clone(pipeline()).set_params(steps=clone(first["steps"][1], safe=False))
    weights = tried.fit(left.X, left.y)[-1].weights_
    assert shares(left.X["sex"], weights)["f"] == pytest.approx(
        (population["sex"] == "f").mean(), abs=0.01
    )


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (pipeline(KNeighborsClassifier()), "selection"),
        (make_pipeline(CountVectorizer(), LogisticRegression()), "selection"),
        (pipeline(), "missing"),
        (make_pipeline(ReweightedClassifier(pipeline(), MARGINS)), "selection"),
        (
            imblearn_pipeline(RandomUnderSampler(), LogisticRegression()),
            "selection",
        ),
    ],
)
def test_where_it_is_no_remedy(model, error):
    remedies = suggest_hardening(model, error, reference=people()[0])
    assert not any("Reweighted" in repr(each.get("steps", "")) for each in remedies)


def test_what_holds_a_model_hands_weights_on():
    X, y = people()
    grid = GridSearchCV(pipeline(), {"logisticregression__C": [1.0]}, cv=2)
    submodels = SubmodelClassifier(pipeline(), columns="age")
    one = ReweightedClassifier(pipeline(), MARGINS).fit(X, y).predict_proba(X)
    for holder in (grid, submodels):
        found = ReweightedClassifier(holder, MARGINS).fit(X, y).predict_proba(X)
        np.testing.assert_allclose(found, one)


def test_a_reference_is_read_in_the_columns_of_the_pipeline():
    X, y = people()
    fitted = pipeline().fit(X, y)
    first, *_ = suggest_hardening(fitted, "selection", reference=X.assign(answer=y))
    assert [*first["steps"][0][0][1].margins] == [*X]
    with pytest.raises(ValueError, match=r"^reference: X has no rows"):
        suggest_hardening(fitted, "selection", reference=X[:0])
    with pytest.raises(ValueError, match=r"^reference: none .*'x0'.* fitted to, .*'age'"):
        suggest_hardening(fitted, "selection", reference=X.to_numpy())
    # there is one, which tells no shares
    names = pd.DataFrame({"region": [f"r{i}" for i in range(40)], "answer": 1})
    remedies = suggest_hardening(fitted, "selection", reference=names)
    assert repr(remedies) == repr(suggest_hardening(fitted, "selection"))


def test_forests_and_regressors_are_reweighted_too():
    X, _ = people()
    forest = pipeline(RandomForestClassifier(5, random_state=0))
    remedy, *_ = suggest_hardening(forest, "selection", reference=X)
    assert type(remedy["steps"][0][0][1]) is ReweightedClassifier
    remedy, *_ = suggest_hardening(pipeline(Ridge()), "selection", reference=X)
    assert type(remedy["steps"][0][0][1]) is ReweightedRegressor
