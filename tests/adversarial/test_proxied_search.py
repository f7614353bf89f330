"""Searches that screen candidates on a proxy."""

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from cheap_models import Centroids, Levels, Line, Refusing
from few_fits import draws_many
from flat_search import flat_search
from proxy_setups import laid_out, templates
from skcorrupt import (
    MAR,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    Pattern,
)
from skcorrupt.adversarial import Screening
from skcorrupt.adversarial.proxies import Screened, _screen, _stand_ins, judged_of, preferred
from skcorrupt.adversarial.strategies import _screening, _screening_run, _settling
from skcorrupt.metrics import make_fairness_scorer

# small tables have candidates too few for a proxy, which one test is about
pytestmark = pytest.mark.filterwarnings("ignore:proxy='auto' takes no proxy")

ONE_SPLIT = [(np.arange(0, 240), np.arange(240, 360))]
COLUMNS = ["budget", "kind", "proxy", "proven", "n_patterns", "n_pruned", "complete_conditions"]
COLUMNS += ["screened_conditions", "n_rows", "n_points", "n_distinct", "n_converged", "n_polished"]
COLUMNS += ["largest_step", "n_reranked"]


@pytest.fixture(autouse=True)
def few_fits(few_fits, request, monkeypatch):
    """Fewer fits of what is random, but enough to judge a proxy by, and to settle in slow tests."""
    for module in (_screening, _screening_run):
        monkeypatch.setattr(module, "JUDGED", 16)
    if draws_many(request.node):
        monkeypatch.setattr(_settling, "FIRST", 4)
        monkeypatch.setattr(_settling, "AT_ONCE", 4)
        monkeypatch.setattr(_settling, "LEAST", 24)


def some_data(n=360, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 4, n).astype(float),
            "b": rng.integers(0, 3, n).astype(float),
            "c": rng.normal(size=n).round(2),
        }
    )
    z = 0.8 * X.a - 0.9 * X.b + 0.6 * X.c + rng.normal(size=n) / 2
    return X, pd.Series((z > 0.3).astype(int), name="label")


def pipeline():
    return make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())


def proxied(corruption="missing", estimator=None, **params):
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "random_state": 0, "proxy": "auto"}
    settings |= {"scoring": "roc_auc", "n_rerank": 8, "n_bins": 3, "max_conditions": 2}
    model = Line() if estimator is None else estimator
    return flat_search(model, corruption, **{**settings, **params})


def table_of(search):
    table = pd.DataFrame(search.cv_results_)
    table["pattern"] = [Pattern.parse(text) for text in table.pattern]
    return table


def unanswerable(estimator, X, y):
    """A scorer that looks into the model."""
    return float(abs(estimator.coef_).sum())


class Hashed(Centroids):
    """Predictions that have to do with the training data, but not in any order."""

    def fit(self, X, y):
        super().fit(X, y)
        self.seed_ = int(np.nan_to_num(np.asarray(X, float)).sum() * 1009 + np.sum(y)) % 2**31
        return self

    def predict_proba(self, X):
        p = np.random.default_rng(self.seed_).random(len(X))
        return np.column_stack([1 - p, p])


# what is chosen, and what is said of it


@pytest.mark.many
@pytest.mark.parametrize(
    ("estimator", "proxy", "name"),
    [
        (Line(), "auto", "linear"),
        (Line(), "linear", "linear"),
        (HistGradientBoostingClassifier(max_iter=10, random_state=0), "tree", "tree"),
        (pipeline(), Line(), "estimator"),
        (Line(), None, "none"),
    ],
)
def test_what_candidates_are_screened_on(estimator, proxy, name):
    X, y = some_data()
    search = proxied("labels", estimator, proxy=proxy, budget=0.4, n_calls=4, max_conditions=1)
    search.fit(X, y)
    assert search.proxy_ == name
    assert list(search.certificate_.columns) == COLUMNS
    (row,) = search.certificate_.to_dict("records")
    assert row["budget"] == 0.4
    assert row["proxy"] == name
    if name == "none":
        assert np.isnan(search.proxy_agreement_)
        assert row["screened_conditions"] == -1 and row["complete_conditions"] == 1
        return
    assert -1 <= search.proxy_agreement_ <= 1
    assert row["n_reranked"] <= 8
    assert search.n_evaluations_ <= 30 + 8
    assert search.n_evaluations_ == len(search.cv_results_["pattern"])
    assert search.worst_score_ == np.nanmin(search.cv_results_["mean_test_score"])


def _fit_ignoring_disagreement(search, X, y):
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* proxy (orders|could not)")
        search.fit(X, y)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
@pytest.mark.many
def test_certificates_count_points_masks_and_fits(kind):
    X, y = some_data()
    setup = laid_out(Line(), kind, X, y, budget=0.1, cv=ONE_SPLIT, scoring="roc_auc", n_bins=3)
    space, n_points, masks = setup.space, 0, set()
    for depth in (0, 1, 2):
        for template in templates(setup, depth):
            for point in itertools.product(*map(range, space.grid(template).shape)):
                n_points += 1
                candidate = space.candidate(template, point)
                if not candidate.refused:
                    masks.add(candidate.key)
    search = proxied(kind).fit(X, y)
    (row,) = search.certificate_.to_dict("records")
    assert row["screened_conditions"] == 2
    assert row["n_points"] == n_points
    assert row["n_distinct"] == pytest.approx(len(masks), rel=0.02)
    assert row["n_polished"] == min(512, row["n_distinct"])
    assert 0 <= row["largest_step"] < 1e-4
    assert row["n_reranked"] == 8


def test_what_is_not_affordable_is_not_called_complete(monkeypatch):
    X, y = some_data()
    for visits, screened in [(3e4, 1), (1e3, 0)]:
        monkeypatch.setattr(_screen, "MOST_VISITS", visits)
        search = proxied("selection", max_conditions=3).fit(X, y)
        assert search.certificate_.screened_conditions[0] == screened
        assert 1 <= search.certificate_.n_reranked[0] <= 8
        assert max(search.cv_results_["depth"]) >= 2


@pytest.mark.parametrize("proxy", ["auto", pytest.param("clone", marks=pytest.mark.slow)])
def test_the_result_depends_on_the_seed_alone(proxy, monkeypatch):
    X, y = some_data()
    for module in (_screening_run, _stand_ins):
        monkeypatch.setattr(module, "SCREENED_ROWS", 150)
    estimator = (
        Line() if proxy == "auto" else make_pipeline(SimpleImputer(), KNeighborsClassifier())
    )
    kind = "missing" if proxy == "auto" else CorruptNoise()
    settings = {"estimator": estimator, "n_calls": 4, "max_conditions": 1, "cv": 2}
    first, again = (proxied(kind, **settings).fit(X, y) for _ in range(2))
    with parallel_config(backend="threading"):
        wide = proxied(kind, **settings, n_jobs=2).fit(X, y)
    assert first.proxy_ == ("linear" if proxy == "auto" else "clone")
    for other in (again, wide):
        assert other.worst_corruption_.get_params() == first.worst_corruption_.get_params()
        assert other.proxy_agreement_ == first.proxy_agreement_
        pd.testing.assert_frame_equal(other.certificate_, first.certificate_)
        for name in ("pattern", "mean_test_score", "rate"):
            np.testing.assert_array_equal(other.cv_results_[name], first.cv_results_[name])


# where no proxy is good


@pytest.mark.parametrize(
    "estimator", [DummyClassifier(strategy="stratified", random_state=0), Hashed()]
)
@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
def test_auto_gives_up_where_no_proxy_agrees(estimator):
    X, y = some_data()
    search = proxied(estimator=estimator, n_calls=3, max_conditions=1).fit(X, y)
    if search.proxy_ == "none":
        assert np.isnan(search.proxy_agreement_)
        assert search.certificate_.screened_conditions.tolist() == [-1]
    else:
        # a clone of few rows is the pipeline itself where there are no more rows
        assert search.proxy_ == "clone"
        assert search.proxy_agreement_ >= 0.5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
def test_where_auto_takes_none_the_plan_and_a_warning_say_so():
    X, y = some_data()
    search = proxied(estimator=Hashed(), n_calls=32, n_rerank=4)
    plan = search.plan(X, y)
    assert plan.without_proxy.n_evaluations > plan.n_evaluations
    assert (
        f"if no proxy agrees with the pipeline, at most {plan.without_proxy.n_evaluations}"
        in str(plan)
    )
    with pytest.warns(UserWarning, match="takes no proxy: none agrees .*linear .*every candidate"):
        search.fit(X, y)
    assert plan.n_evaluations < search.n_evaluations_ <= plan.without_proxy.n_evaluations
    assert search.proxy_ == "none" and {"linear", "tree"} <= set(search.proxy_agreements_)
    assert list(search.certificate_.columns) == COLUMNS
    assert search.certificate_.proxy.tolist() == ["none"]
    assert proxied(proxy="linear").plan(X, y).without_proxy is None


@pytest.mark.many
@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
@pytest.mark.parametrize("estimator", [DummyClassifier(), Hashed()])
@pytest.mark.parametrize(
    "proxy", ["linear", "tree", make_pipeline(SimpleImputer(), LogisticRegression())]
)
def test_a_proxy_that_was_asked_for_is_used_with_a_warning(estimator, proxy):
    X, y = some_data()
    search = proxied(estimator=estimator, proxy=proxy, n_calls=3, max_conditions=1, random_state=1)
    with pytest.warns(
        UserWarning, match="orders candidates unlike the pipeline|could not be compared"
    ):
        search.fit(X, y)
    assert search.proxy_ == (proxy if isinstance(proxy, str) else "estimator")


@pytest.mark.parametrize(
    "corruption",
    [CorruptNoise(mechanism=MAR(["a"])), CorruptOutliers(magnitude=20.0, sampling="normal")],
)
def test_errors_that_are_not_simulated(corruption, monkeypatch):
    X, y = some_data()
    for module in (_screening_run, _stand_ins):
        monkeypatch.setattr(module, "SCREENED_ROWS", 150)
    search = proxied(corruption, n_calls=3, max_conditions=1).fit(X, y)
    assert search.proxy_ == "clone"
    assert search.score_drop_ > 0
    for name in ("linear", "tree"):
        with pytest.raises(ValueError, match=f"proxy='{name}' cannot .* is not simulated"):
            proxied(corruption, proxy=name).fit(X, y)


@pytest.mark.parametrize("corruption", [CorruptScale(factor=-3.0), CorruptOutliers(magnitude=20.0)])
def test_changed_values_are_screened(corruption):
    X, y = some_data()
    search = proxied(corruption, n_calls=3, max_conditions=1).fit(X, y)
    assert search.proxy_ == "linear"
    assert search.proxy_agreement_ > 0.5
    assert search.score_drop_ > 0


def test_a_proxy_that_does_not_know_the_error():
    X, y = some_data()
    with pytest.raises(ValueError, match="tree proxy does not simulate what becomes of changed"):
        proxied(CorruptScale(), proxy="tree").fit(X, y)


def test_scorers_that_ask_for_more_than_predictions(monkeypatch):
    X, y = some_data()
    for module in (_screening_run, _stand_ins):
        monkeypatch.setattr(module, "SCREENED_ROWS", 150)
    search = proxied(scoring=unanswerable, n_calls=3, max_conditions=1).fit(X, y)
    assert search.proxy_ == "clone"
    with pytest.raises(ValueError, match="asks for more than predictions"):
        proxied(scoring=unanswerable, proxy="linear").fit(X, y)


def test_an_estimator_that_does_not_take_the_error():
    X, y = some_data()
    with pytest.raises(ValueError, match=r"failed on every candidate .*NaN"):
        proxied(proxy=LogisticRegression()).fit(X, y)


@pytest.mark.parametrize("proxy", ["Linear", "forest", 3, True])
def test_proxies_that_there_are_not(proxy):
    with pytest.raises(ValueError, match="proxy"):
        proxied(proxy=proxy).fit(*some_data())


# budgets


@pytest.mark.slow
@pytest.mark.parametrize("proxy", ["linear", None])
def test_the_curve_of_several_budgets(proxy):
    X, y = some_data()
    budgets = [0.3, 0.05, 0.1]
    search = proxied("labels", budget=budgets, proxy=proxy, n_calls=6).fit(X, y)
    curve = search.budget_curve_
    assert curve.budget.tolist() == sorted(budgets)
    assert (np.diff(curve.worst_score) <= 0).all()
    assert curve.worst_score.iloc[-1] == search.worst_score_
    results = table_of(search)
    for row in curve.to_dict("records"):
        assert row["rate"] == row["corruption"].rate
        struck = results[results.mean_test_score == row["worst_score"]].row_fraction
        assert struck.min() <= row["budget"] + 1e-9
        X_train, y_train = X.iloc[:240], y.iloc[:240]
        record = row["corruption"].fit(X_train, y_train).corrupt(X_train, y_train)[2]
        assert record.row_fraction <= row["budget"] + 1e-9
    if proxy is not None:
        assert search.certificate_.budget.tolist() == sorted(budgets)
        for budget, worst in zip(curve.budget, curve.worst_score, strict=True):
            alone = proxied("labels", budget=budget, proxy=proxy).fit(X, y)
            # the same finalists, besides random candidates and those of smaller budgets
            assert worst <= alone.worst_score_ + 0.02


def test_random_candidates_over_a_budget_are_none_of_its_row():
    X, y = some_data()
    search = proxied("labels", budget=[0.02, 0.5], n_rerank=1).fit(X, y)
    results = table_of(search)
    small = results[results.row_fraction <= 0.02 + 1e-9].mean_test_score.min()
    assert search.budget_curve_.worst_score[0] == small > search.budget_curve_.worst_score[1]


# patterns obey what was asked for, whatever the proxy likes


@pytest.mark.parametrize("proxy", ["auto", make_pipeline(SimpleImputer(), LogisticRegression())])
def test_excluded_patterns_are_none(proxy):
    X, y = some_data()
    rules = [("a", "b"), "c > 0.5", lambda pattern, X, y: "a" in pattern.columns]
    search = proxied("labels", proxy=proxy, exclude=rules, n_calls=4, budget=0.3).fit(X, y)
    for pattern in table_of(search).pattern:
        assert "a" not in pattern.columns
    assert search.certificate_.n_reranked[0] == 8


def test_the_best_are_found_among_few_that_are_not_excluded():
    X, y = some_data()
    X = X.assign(d=np.arange(len(X)) * 7 % 5)
    two = Pattern({"d": 2}).conditions["d"]
    only = [lambda pattern, X, y: pattern.conditions.get("d") != two]
    free = proxied("labels", exclude=only, n_bins=6, budget=0.3, proxy="linear", n_rerank=20)
    free.fit(X, y)
    assert all("d" in pattern.columns for pattern in table_of(free).pattern)
    assert free.certificate_.n_reranked[0] == 20


@pytest.mark.many
@pytest.mark.parametrize("require_label", [True, False])
@pytest.mark.parametrize("require_corrupted", [True, False])
@pytest.mark.parametrize("max_conditions", [0, 1, 2])
def test_what_patterns_are_made_of(require_label, require_corrupted, max_conditions):
    X, y = some_data()
    search = proxied(
        label="required" if require_label else "allowed",
        own_column="required" if require_corrupted else "allowed",
        max_conditions=max_conditions,
        n_calls=3,
        corrupt_columns=["a", "c"],
        pattern_columns=["a", "b"],
        min_support=0.1,
    ).fit(X, y)
    for row in table_of(search).to_dict("records"):
        used = set(row["pattern"].columns)
        assert row["columns"] in (("a",), ("c",))
        assert used <= {"a", "b", *row["columns"]}
        assert len(used) <= max_conditions
        assert used or row["pattern"].uses_y or not max_conditions
        if require_corrupted and max_conditions:
            assert set(row["columns"]) <= used
        if require_label:
            assert row["pattern"].uses_y
        assert row["pattern"].mask(X, y).mean() >= 0.1
        assert row["row_fraction"] <= 0.1


def test_a_template_with_its_own_rate_and_pattern():
    X, y = some_data()
    search = proxied(CorruptMissing(pattern="b >= 1", rate=0.5), budget=0.15).fit(X, y)
    assert search.proxy_ == "linear"
    for row in table_of(search).to_dict("records"):
        assert row["rate"] == 0.5
        assert row["row_fraction"] <= 0.15 + 1e-9
        assert not (row["pattern"].mask(X, y) & (X.b < 1)).any()
    only = proxied(CorruptMissing(pattern="a <= 2"), max_conditions=1).fit(X[["a"]], y)
    assert only.worst_columns_ == ["a"]


@pytest.mark.long
def test_rates_are_searched():
    X, y = some_data()
    search = proxied("labels", search_rate=True, budget=0.5, n_rerank=30).fit(X, y)
    table = table_of(search)
    assert len(set(table.row_fraction.round(3))) > 5
    assert (
        search.certificate_.n_distinct[0]
        > proxied("labels", budget=0.5).fit(X, y).certificate_.n_distinct[0]
    )


def test_several_columns_at_once():
    X, y = some_data()
    search = proxied(CorruptMissing(["a", "c"]), max_conditions=3, budget=0.3).fit(X, y)
    assert search.proxy_ == "linear"
    assert search.worst_columns_ == ["a", "c"]
    assert {"a", "c"} <= set(search.worst_pattern_.columns)


# data of all kinds


def every_kind(n=360):
    X, y = some_data(n)
    rng = np.random.default_rng(1)
    X = X.assign(
        text=np.array(["u", "v", "w"])[rng.integers(0, 3, n)],
        kind=pd.Categorical(np.array(["p", "q"])[rng.integers(0, 2, n)]),
        flag=rng.random(n) < 0.5,
        day=pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 50, n), "D"),
        whole=pd.array(rng.integers(0, 5, n), dtype="Int64"),
        same=1.0,
        gone=np.nan,
        nearly=np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
    )
    X.loc[::9, "whole"] = pd.NA
    X.loc[::7, "text"] = None
    return X, y


def encoding(model):
    return make_pipeline(
        make_column_transformer(
            (SimpleImputer(), ["a", "b", "c", "nearly", "same"]),
            (OneHotEncoder(handle_unknown="ignore"), ["text", "kind", "flag"]),
        ),
        model,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["missing", "labels", "selection", CorruptDuplicates()])
@pytest.mark.parametrize("proxy", ["linear", "tree"])
@pytest.mark.filterwarnings("ignore:.*proxy (orders|could not)")
def test_columns_of_all_kinds(kind, proxy):
    X, y = every_kind()
    hit = {"corrupt_columns": ["a", "text", "kind", "flag", "nearly"]} if kind == "missing" else {}
    search = proxied(kind, encoding(LogisticRegression()), proxy=proxy, max_conditions=1, **hit)
    search.fit(X, y)
    assert search.worst_corruption_ is not None
    assert (search.cv_results_["status"] == "ok").all()


def test_arrays_with_gaps():
    X, y = some_data()
    X = X.to_numpy(copy=True)
    X[::11, 2] = np.nan
    search = proxied().fit(X, y.to_numpy())
    assert search.proxy_ == "linear"
    assert set(search.worst_columns_) <= {0, 1, 2, "x0", "x1", "x2"}


@pytest.mark.parametrize("names", [["a", "b", "c"], slice("a", "c"), slice(0, 3), [True] * 3])
def test_columns_of_a_transformer_named_in_any_way(names):
    X, y = some_data()
    model = make_pipeline(
        make_column_transformer((SimpleImputer(strategy="median"), names)), LogisticRegression()
    )
    setup = laid_out(model, "missing", X, y)
    assert [fill.kind for fill in setup.proxy.fills] == ["median"] * 3


def test_columns_of_a_transformer_chosen_by_a_function():
    X, y = some_data()
    first = make_column_transformer(
        (SimpleImputer(strategy="most_frequent"), make_column_selector("a|b")),
        (SimpleImputer(strategy="constant", fill_value="odd"), []),
        remainder="passthrough",
    )
    setup = laid_out(make_pipeline(first, SimpleImputer(), LogisticRegression()), "missing", X, y)
    assert [fill.kind for fill in setup.proxy.fills] == [
        "most_frequent",
        "most_frequent",
        "mean",
    ]


@pytest.mark.parametrize("kind", ["labels", "selection"])
def test_a_class_of_less_than_one_percent(kind):
    rng = np.random.default_rng(0)
    n = 1500
    X = pd.DataFrame({"a": rng.integers(0, 4, n), "b": rng.integers(0, 3, n)})
    y = np.zeros(n, dtype=int)
    y[np.argsort(-X.a - X.b + rng.normal(size=n))[-12:]] = 1
    search = proxied(kind, cv=2, proxy="linear", n_rerank=8)
    setup = laid_out(Line(), kind, X, y, cv=[(np.arange(n), np.arange(n))], scoring="roc_auc")
    assert len(setup.screen.run().scores) > 20
    _fit_ignoring_disagreement(search, X, y)
    assert search.certificate_.n_reranked[0] == 8


def test_missing_values_may_take_nearly_all_of_a_class():
    X, y = some_data()
    model = HistGradientBoostingClassifier(max_iter=5)
    setup = laid_out(model, "missing", X, y, name="tree", budget=0.6)
    only = {"allowed": {(1,): [1]}, "required": {(1,): frozenset({1})}, "max_conditions": 1}
    space = dataclasses.replace(setup.space, **only)
    screen = setup.stand_ins.screen("linear", setup.groups, space, "selection")
    (template,) = [t for t in templates(setup, 1) if t.columns == (1,)]
    shares = {0: [], 1: []}
    found = screen.run()
    for point in found.points:
        mask = setup.space.candidate(template, point).pattern.mask(X, y)
        shares[int(y[mask].iloc[0])].append(mask.sum())
    every = [
        setup.space.candidate(template, point)
        for point in itertools.product(*map(range, setup.space.grid(template).shape))
    ]
    feasible = {c.key for c in every if not c.refused}
    assert len(found.points) == len(feasible)


@pytest.mark.many
@pytest.mark.parametrize("kind", ["labels", "selection"])
def test_three_classes_of_which_one_may_go(kind):
    X, _ = some_data()
    y = np.array(["x", "y", "z"])[(X.c > -0.5).astype(int) + (X.c > 1.2)]
    setup = laid_out(
        Centroids(), kind, X, y, name="tree", budget=0.2, cv=ONE_SPLIT, max_conditions=1
    )
    found = setup.screen.run()
    patterns = [
        setup.space.candidate(t, p).pattern
        for t, p in zip(found.templates, found.points, strict=True)
    ]
    assert any((pattern.mask(X, y) == (y == "z")).mean() > 0.98 for pattern in patterns)
    search = proxied(kind, Centroids(), scoring="accuracy", budget=0.2, max_conditions=1).fit(X, y)
    assert search.score_drop_ > 0
    if kind == "labels":
        assert search.worst_corruption_.transition is not None
    with pytest.raises(ValueError, match=r"proxy='linear' cannot .* two classes"):
        proxied(kind, Centroids(), scoring="accuracy", proxy="linear").fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("proxy", ["linear", "tree"])
@pytest.mark.parametrize("kind", ["missing", "selection", CorruptLabels(shift=2.0)])
@pytest.mark.filterwarnings("ignore:.*proxy (orders|could not)")
def test_regression(kind, proxy):
    X, _ = some_data()
    y = X.a - X.b + 0.3 * X.c
    for budget in (0.2, 1.0):
        search = proxied(
            kind, make_pipeline(SimpleImputer(), Ridge()), scoring="r2", proxy=proxy,
            budget=budget, max_conditions=1,
        ).fit(X, y)  # fmt: skip
        assert search.worst_score_ < search.baseline_score_
    own = proxied(kind, Levels(), scoring=None, max_conditions=1).fit(X, y)
    assert own.score_drop_ > 0


def test_few_rows():
    X, y = some_data(24)
    search = proxied("labels", cv=2, max_conditions=1, n_calls=3, budget=0.3)
    _fit_ignoring_disagreement(search, X, y)
    assert search.worst_corruption_ is not None


@pytest.mark.many
@pytest.mark.parametrize("cv", [3, ONE_SPLIT, "bootstrap"])
def test_splits(cv):
    X, y = some_data()
    if cv == "bootstrap":
        rng = np.random.default_rng(0)
        cv = [(rng.integers(0, 240, 240), np.arange(240, 360)) for _ in range(2)]
    search = proxied("labels", cv=cv, budget=0.3).fit(X, y)
    assert search.proxy_ == "linear"
    assert search.score_drop_ > 0


@pytest.mark.long
def test_a_fairness_scorer():
    X, y = some_data()
    X["sex"] = np.arange(len(X)) % 2
    scorer = make_fairness_scorer("spd", sensitive_features="sex", privileged=1, pos_label=1)
    search = proxied("labels", scoring=scorer, budget=0.2).fit(X, y)
    assert search.proxy_ == "linear"
    assert search.worst_score_ < search.baseline_score_ <= 0


def test_weights_of_samples():
    X, y = some_data()
    search = proxied("labels", Centroids(), scoring="accuracy", n_calls=3, max_conditions=1)
    search.fit(X, y, sample_weight=np.where(X.a > 1, 5.0, 1.0))
    assert search.worst_corruption_ is not None


@pytest.mark.filterwarnings("ignore:.*proxy (orders|could not)")
@pytest.mark.parametrize("proxy", ["auto", "linear"])
def test_a_pipeline_that_fails_on_some_candidates(proxy):
    X, y = some_data()
    search = proxied(estimator=Refusing([1]), proxy=proxy, n_calls=3, max_conditions=1)
    with (
        pytest.warns(FitFailedWarning, match="failed on"),
        pytest.warns(UserWarning, match="candidates that hit these columns fail"),
    ):
        search.fit(X, y)
    status = search.cv_results_["status"]
    assert {"ok", "failed"} == set(status)
    assert search.worst_columns_ != ["b"]


def test_no_candidate_is_feasible():
    X, y = some_data()
    with pytest.warns(UserWarning, match="No candidate is feasible"):
        search = proxied(min_support=0.99).fit(X, y)
    assert search.worst_corruption_ is None
    assert search.proxy_ == "none"


@pytest.mark.slow
def test_plans_bound_searches():
    X, y = some_data()
    for params in ({}, {"budget": [0.1, 0.2]}, {"proxy": None, "n_calls": 3}):
        search = proxied(**params)
        plan = search.plan(X, y)
        assert search.fit(X, y).n_evaluations_ <= plan.n_evaluations


# warm starts


@pytest.mark.slow
def test_patterns_of_a_lighter_pipeline():
    X, y = some_data()
    light = proxied("labels", budget=0.3).fit(X, y)
    heavy = HistGradientBoostingClassifier(max_iter=10, random_state=0)
    warm = proxied("labels", heavy, budget=0.2, proxy=None, warm_start=light).fit(X, y)
    carried = {str(p) for p in table_of(light).sort_values("mean_test_score").pattern}
    known = [str(p) in carried for p in table_of(warm).pattern]
    # those near the worst of them come behind
    assert known[0] and known.count(False) <= 16
    assert (table_of(warm).row_fraction <= 0.2 + 1e-9).all()
    both = proxied("labels", heavy, budget=0.2, warm_start=light).fit(X, y)
    assert both.worst_score_ <= warm.worst_score_


@pytest.mark.long
def test_patterns_of_a_sample_in_another_order_of_columns():
    X, y = some_data()
    light = proxied(cv=2).fit(X.iloc[:200], y.iloc[:200])
    warm = proxied(proxy=None, warm_start=light).fit(X[["c", "a", "b"]], y)
    results = table_of(warm)
    for row in results.to_dict("records"):
        assert set(row["columns"]) <= set(row["pattern"].columns)
    assert warm.worst_score_ < warm.baseline_score_


@pytest.mark.slow
def test_carried_patterns_obey_the_search_they_come_to():
    X, y = some_data()
    light = proxied(max_conditions=2, n_rerank=40, label="allowed").fit(X, y)
    carry = {"proxy": None, "warm_start": light, "n_rerank": 40}
    hit = proxied(**carry, corrupt_columns=["b"]).fit(X, y)
    assert set(hit.cv_results_["columns"]) == {("b",)}
    short = proxied(**carry, max_conditions=1).fit(X, y)
    assert set(short.cv_results_["depth"]) == {1}
    labelled = proxied(**carry).fit(X, y)
    assert all(pattern.uses_y for pattern in table_of(labelled).pattern)
    few = proxied(**carry, pattern_columns=["a"]).fit(X, y)
    for row in table_of(few).to_dict("records"):
        assert set(row["pattern"].columns) <= {"a", *row["columns"]}
    own = proxied(CorruptMissing(pattern="c <= 0"), **carry).fit(X, y)
    for row in table_of(own).to_dict("records"):
        assert not (row["pattern"].mask(X, y) & (X.c > 0)).any()
        assert row["row_fraction"] <= 0.1 + 1e-9
    named = proxied(CorruptMissing("a"), **carry).fit(X, y)
    assert set(named.cv_results_["columns"]) == {("a",)}


def test_what_is_no_warm_start():
    X, y = some_data()
    with pytest.raises(TypeError, match="should be a fitted AdversarialCorruptionSearch"):
        proxied(warm_start=LogisticRegression()).fit(X, y)
    with pytest.raises(NotFittedError, match="search of WarmStart is not fitted"):
        proxied(warm_start=proxied()).fit(X, y)
    labels = proxied("labels", max_conditions=1).fit(X, y)
    with pytest.raises(ValueError, match=r"is about CorruptLabels, .* about CorruptMissing"):
        proxied(warm_start=labels).fit(X, y)
    other = X.rename(columns={"a": "p", "b": "q", "c": "r"})
    with pytest.raises(ValueError, match="none of the patterns of search is feasible here"):
        proxied("labels", warm_start=labels).fit(other, y)


# quality


def checkered(n=700, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.integers(0, 4, n), "b": rng.integers(0, 3, n), "c": rng.integers(0, 2, n)}
    )
    X["d"] = rng.normal(size=n).round(1)
    z = 0.8 * X.a - 0.9 * X.b + 0.7 * X.c * X.d + 0.5 * X.d + rng.normal(size=n)
    return X, (z > z.median()).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
@pytest.mark.parametrize("name", ["linear", "tree"])
@pytest.mark.filterwarnings("ignore:.*proxy orders")
def test_the_worst_are_among_the_best_of_the_proxy(name, kind):
    X, y = checkered()
    boosting = HistGradientBoostingClassifier(max_iter=15, random_state=0)
    hit = {"corrupt_columns": ["a", "b"]} if kind == "missing" else {}
    setup = laid_out(
        Line() if name == "linear" else boosting, kind, X, y, name=name, scoring="roc_auc",
        n_bins=3, pattern_columns=["a", "b", "c"], **hit,
    )  # fmt: skip
    Screening(name, n_rerank=30).run(setup.problem.task, Screened())
    evaluator, space = setup.problem.evaluator, setup.space
    looked_at = set(evaluator.done)
    assert len(looked_at) <= _screening_run.JUDGED + 30
    every = [
        space.candidate(template, point)
        for depth in (1, 2)
        for template in templates(setup, depth)
        for point in itertools.product(*map(range, space.grid(template).shape))
    ]
    evaluator.evaluate([candidate for candidate in every if not candidate.refused])
    worst = [e.candidate.key for e in evaluator.ranked()]
    assert len(worst) > 100
    assert worst[0] in looked_at
    assert len(looked_at.intersection(worst[:10])) >= (10 if name == "linear" else 8)


def test_a_clone_still_knows_what_to_start_from():
    X, y = load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    given = {"cv": 2, "confirm_size": None, "random_state": 0}
    light = flat_search(
        pipeline, "missing", n_calls=2, max_conditions=1, corrupt_columns=[0, 1], **given
    ).fit(X[:200, :3], y[:200])
    heavy = flat_search(pipeline, "missing", warm_start=light, n_rerank=3, **given)
    made = clone(heavy)
    assert made.strategy.search is light
    found = made.fit(X[200:400, :3], y[200:400]).cv_results_
    # those near the worst of them come behind
    assert set(found["pattern"][:3]) <= set(light.cv_results_["pattern"])


def test_nothing_smaller_than_the_pipeline_is_no_proxy():
    X, y = some_data()
    search = proxied(CorruptNoise(sampling="normal"), n_calls=3, max_conditions=1).fit(X, y)
    assert search.proxy_ == "none" and search.proxy_agreements_ == {}


@pytest.mark.slow
@pytest.mark.parametrize("corruption", ["missing", "labels", "selection"])
def test_budgets_share_scores_only_where_they_are_the_same(corruption):
    """All of a list of budgets as if each were alone, however far its models converged."""
    X, y = some_data()
    together = proxied(corruption, budget=[0.1, 0.2, 0.4], n_rerank=20).fit(X, y)
    for budget in (0.1, 0.2, 0.4):
        alone = proxied(corruption, budget=budget, n_rerank=20).fit(X, y)
        (one,) = alone.certificate_.to_dict("records")
        (row,) = together.certificate_.query("budget == @budget").to_dict("records")
        for name in ("screened_conditions", "n_points", "n_distinct", "n_polished", "n_reranked"):
            assert row[name] == one[name], name
        assert row["largest_step"] > 0
        least = together.budget_curve_.set_index("budget").loc[budget, "worst_score"]
        assert least <= alone.worst_score_ + 1e-12


@pytest.mark.slow
def test_a_pattern_that_is_allowed_survives_its_excluded_twin():
    X, y = some_data()
    X["twin"] = 10 * X["a"] + 1
    for column, other in (("a", "twin"), ("twin", "a")):
        search = proxied(
            "labels",
            budget=0.2,
            exclude=[lambda pattern, X, y, name=column: name in map(str, pattern.columns)],
        ).fit(X, y)
        alone = proxied(
            "labels", budget=0.2, pattern_columns=[c for c in X.columns if c != column]
        ).fit(X, y)
        assert search.worst_score_ == pytest.approx(alone.worst_score_, abs=1e-9)
        assert any(other in text for text in search.cv_results_["pattern"])


@pytest.mark.long
def test_a_warm_start_ranks_by_what_a_budget_allows():
    X, y = some_data()
    light = proxied("labels", budget=[0.05, 0.4], n_rerank=10).fit(X, y)
    again = proxied("labels", budget=0.05, proxy=None, warm_start=light, n_rerank=5).fit(X, y)
    assert again.worst_score_ <= light.budget_curve_.worst_score[0] + 1e-12


def test_one_budget_may_take_nothing_of_a_warm_start():
    X, y = some_data()
    light = proxied(CorruptLabels(rate=1.0), budget=0.5).fit(X, y)
    both = proxied(CorruptLabels(rate=1.0), budget=[0.004, 0.5], proxy=None, warm_start=light).fit(
        X, y
    )
    assert both.worst_score_ == pytest.approx(light.worst_score_)


def test_errors_in_test_data_are_not_simulated():
    X, y = some_data()
    dirty = CorruptMissing(rate=0.5, random_state=0)
    with pytest.raises(ValueError, match="test data with errors of its own is not simulated"):
        proxied(proxy="linear", test_corruption=dirty).fit(X, y)


def test_exhaustive_screening_knows_no_limit(monkeypatch):
    monkeypatch.setattr(_screen, "MOST_VISITS", 1e3)
    X, y = some_data()
    search = proxied("selection", exhaustive=True).fit(X, y)
    assert search.certificate_.screened_conditions[0] == 2


def test_a_class_is_no_proxy():
    X, y = some_data()
    with pytest.raises(TypeError, match=r"proxy=.* should be 'auto', .* that predicts"):
        proxied(proxy=LogisticRegression).fit(X, y)


NAN = float("nan")


@pytest.mark.parametrize(
    ("agreements", "expected"),
    [
        ({}, None),
        ({"tree": NAN}, "tree"),
        ({"tree": 0.7, "linear": 0.78}, "tree"),
        ({"tree": 0.7, "linear": 0.82}, "linear"),
        # where only one is good enough, a small difference decides
        ({"linear": 0.48, "tree": 0.52}, "tree"),
        ({"linear": 0.3, "tree": 0.35}, "linear"),
        ({"linear": NAN, "tree": 0.2}, "tree"),
        ({"linear": 0.2, "tree": NAN}, "linear"),
    ],
)
def test_the_proxy_that_suits_the_model_unless_another_is_clearly_better(agreements, expected):
    assert preferred(agreements) == expected


def test_proxies_are_judged_by_their_lowest_and_by_others():
    rng = np.random.default_rng(0)
    first, second = rng.random(200), rng.random(200)
    second[:50] = np.nan
    chosen = judged_of(200, [first, second], 30)
    assert len(chosen) == len(set(chosen.tolist())) == 30
    assert set(np.argsort(first)[:10]) <= set(chosen.tolist())
    assert set(50 + np.argsort(second[50:])[:10]) <= set(chosen.tolist())
    # without proxies, or with fewer candidates, there is nothing to choose by
    assert judged_of(200, [], 30).tolist() == list(range(30))
    assert judged_of(7, [first[:7]], 30).tolist() == list(range(7))


@pytest.mark.many
@pytest.mark.parametrize("imputer", [None, SimpleImputer(strategy="constant", fill_value="none")])
def test_a_lost_category_without_an_imputer_is_one_of_its_own(imputer):
    rng = np.random.default_rng(0)
    n = 400
    X = pd.DataFrame({"a": rng.choice(list("pqrs"), n), "b": rng.choice(list("tuv"), n)})
    z = (X.a == "p") * 2.0 + (X.a == "q") - (X.b == "t") + rng.normal(size=n)
    encoder = OneHotEncoder(handle_unknown="ignore")
    model = make_pipeline(*[imputer] * (imputer is not None), encoder, LogisticRegression())
    splits = [(np.arange(0, n, 2), np.arange(1, n, 2))]
    laid = laid_out(model, "missing", X, (z > 1).astype(int), cv=splits, scoring="roc_auc")
    found = laid.screen.run()
    found = laid.screen.rescore(found, 40, polish=True)
    candidates = [
        laid.space.candidate(*each) for each in zip(found.templates, found.points, strict=True)
    ]
    candidates = [c for c in candidates if not c.refused]
    assert len(candidates) > 20
    laid.problem.evaluator.evaluate(candidates)
    real = np.array([laid.problem.evaluator.done[c.key].score for c in candidates])
    said = {c.key: s for c, s in zip(candidates, found.scores, strict=False)}
    expected = np.array([said[c.key] for c in candidates])
    # one draw a candidate beside the expectation
    assert np.corrcoef(real, expected)[0, 1] > 0.9
    assert abs(real - expected).mean() < 0.02


@pytest.mark.slow
def test_a_warm_start_leaves_out_classes_that_are_not_here():
    X, _ = some_data()
    three = (X.a > 1).astype(int) + (X.a > 2)
    model = pipeline()
    params = {"cv": ONE_SPLIT, "confirm_size": None, "n_calls": 4, "max_conditions": 1}
    params["scoring"] = "balanced_accuracy"
    other = flat_search(model, "labels", random_state=0, **params).fit(X, three)
    assert 2 in other.cv_results_["target"]
    two = (X.a > 1).astype(int)
    search = flat_search(model, "labels", random_state=0, warm_start=other, **params).fit(X, two)
    assert search.n_evaluations_ > 0
    assert set(search.cv_results_["target"]) <= {None, 0, 1}
    assert not any("2" in str(each.transition) for each in search.cv_results_["corruption"])
