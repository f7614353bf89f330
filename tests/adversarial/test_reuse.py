"""Preprocessing that no error reaches is fitted once, and nothing else changes."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.cross_decomposition import CCA
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    QuantileTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.utils.discovery import all_estimators

from flat_search import flat_search
from skcorrupt import CorruptLabels, CorruptMissing, CorruptNoise
from skcorrupt.adversarial import SearchStrategy, _problem
from skcorrupt.evaluation import Split, make_splits
from skcorrupt.evaluation._fitted_parts import is_determined, reads_labels
from skcorrupt.metrics import make_subgroup_scorer

pytestmark = pytest.mark.usefixtures("few_fits")

FITS = []


class Counted(OneHotEncoder):
    """Counts fits; named as one of scikit-learn's own, so that it counts as one."""

    def fit_transform(self, X, y=None):
        FITS.append(list(X.columns))
        return super().fit_transform(X, y)


Counted.__module__ = "sklearn.preprocessing"


def some_data(n=160):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 4, n).astype(float),
            "b": rng.normal(size=n),
            "c": rng.choice(["x", "y", "z"], n),
            "d": rng.choice(["p", "q"], n),
        }
    )
    z = X["a"] - X["b"] + (X["c"] == "x") * 2 - (X["d"] == "p")
    return X, (z + rng.normal(size=n) > 1.5).astype(int)


def pipeline(*more):
    quantiles = make_pipeline(SimpleImputer(), QuantileTransformer(n_quantiles=20))
    fill = SimpleImputer(strategy="most_frequent")
    # reads the labels, which stay
    chosen = make_pipeline(fill, OneHotEncoder(handle_unknown="ignore"), SelectKBest(k=2))
    return make_pipeline(
        ColumnTransformer(
            [
                ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a"]),
                ("quantiles", quantiles, ["b"]),
                ("letters", OneHotEncoder(handle_unknown="ignore"), ["c"]),
                ("chosen", chosen, make_column_selector(dtype_exclude="number")),
                *more,
            ]
        ),
        LogisticRegression(),
    )


@pytest.fixture(autouse=True)
def no_refinement(monkeypatch):
    """What is near the worst is what these tests are not about."""
    monkeypatch.setattr(SearchStrategy, "most_refined", lambda self, task: 0)


def search(estimator, corruption="missing", **params):
    settings = {
        "n_calls": 4,
        "max_conditions": 1,
        "n_bins": 2,
        "cv": 2,
        "random_state": 0,
        "confirm_size": None,
    }
    return flat_search(estimator, corruption, **{**settings, **params})


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:proxy='auto' takes no proxy")
@pytest.mark.parametrize(
    ("corruption", "proxy"),
    [
        (CorruptMissing(), None),
        (CorruptMissing(), "auto"),
        (CorruptNoise(), None),
        (CorruptLabels(), None),
    ],
)
def test_results_are_the_same_to_the_last_digit(corruption, proxy, monkeypatch):
    X, y = some_data()
    made = search(pipeline(), corruption, proxy=proxy).fit(X, y)
    monkeypatch.setattr(Split, "reuse", lambda *_: None)
    plain = search(pipeline(), corruption, proxy=proxy).fit(X, y)
    assert made.worst_corruption_.get_params() == plain.worst_corruption_.get_params()
    for name in ("mean_test_score", "rate", "row_fraction"):
        np.testing.assert_array_equal(made.cv_results_[name], plain.cv_results_[name])
    assert made.random_score_ == plain.random_score_


@pytest.mark.long
def test_what_is_not_hit_is_fitted_once_a_split():
    X, y = some_data()
    letters = ("more", Counted(), ["d"])
    FITS.clear()
    made = search(pipeline(letters), corrupt_columns=["a", "b"]).fit(X, y)
    assert made.n_evaluations_ > 4
    # once for the parts and once for the clean score of both splits, and the trial fit
    assert len(FITS) <= 5
    FITS.clear()
    made = search(pipeline(letters), "labels").fit(X, y)
    # another part reads labels, but this one does not
    assert made.n_evaluations_ > 4
    assert len(FITS) <= 5
    FITS.clear()
    search(pipeline(letters), "selection").fit(X, y)
    assert len(FITS) > 8


@pytest.mark.many
@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("scoring", ["roc_auc", lambda model, X, y: -model.predict(X[::-1]).std()])
def test_steps_that_read_no_labels_are_fitted_once_a_split(scoring, n_jobs, monkeypatch):
    X, y = some_data()
    X = X[["a", "b"]].to_numpy()
    params = {"scoring": scoring, "n_jobs": n_jobs, "budget": 0.3}
    steps = [SimpleImputer(), StandardScaler(), SelectKBest(k=1), LogisticRegression()]
    made = search(make_pipeline(*steps), "labels", **params).fit(X, y)
    monkeypatch.setattr(Split, "reuse", lambda *_: None)
    plain = search(make_pipeline(*steps), "labels", **params).fit(X, y)
    np.testing.assert_array_equal(
        made.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )


@pytest.mark.long
def test_errors_in_both_parts_are_seen_in_both(monkeypatch):
    X, y = some_data()
    params = {"corrupt_columns": ["a"], "apply_to": "both", "budget": 0.3}
    made = search(pipeline(), **params).fit(X, y)
    monkeypatch.setattr(Split, "reuse", lambda *_: None)
    plain = search(pipeline(), **params).fit(X, y)
    np.testing.assert_array_equal(
        made.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )
    assert made.worst_score_ < made.baseline_score_


# take text, labels, images, kernels
NO_FEATURES = ["Dict", "Hash", "Label", "Patch", "KernelCenterer", "Vectorizer"]


def read_features_alone():
    for name, kind in all_estimators(type_filter="transformer"):
        try:
            made = kind()
        except TypeError:
            continue
        if not reads_labels(made) and not any(part in name for part in NO_FEATURES):
            yield made


@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore::FutureWarning"
)
@pytest.mark.parametrize(
    "transformer", list(read_features_alone()), ids=lambda made: type(made).__name__
)
def test_what_is_said_to_read_no_labels_does_not(transformer):
    X, y = load_iris(return_X_y=True)
    wanted = {"random_state": 0, "n_quantiles": 20, "n_components": 2, "max_iter": 3}
    transformer.set_params(**{k: wanted[k] for k in wanted.keys() & transformer.get_params()})
    kept, other = (clone(transformer).fit_transform(X, labels) for labels in (y, y[::-1]))
    kept, other = (each.toarray() if issparse(each) else each for each in (kept, other))
    np.testing.assert_array_equal(kept, other)


def test_supervised_transformers_read_labels():
    for part in (SelectKBest(), TargetEncoder(), CCA(), LinearDiscriminantAnalysis()):
        assert reads_labels(part) and reads_labels(make_pipeline(StandardScaler(), part))
        assert reads_labels(ColumnTransformer([("part", part, [0])]))
    assert not reads_labels(make_pipeline(SimpleImputer(), StandardScaler()))


@pytest.mark.long
def test_what_is_hit_is_fitted_anew():
    X, y = some_data()
    FITS.clear()
    made = search(pipeline(("more", Counted(), ["d"])), corrupt_columns=["d"]).fit(X, y)
    assert len(FITS) >= 2 * made.n_evaluations_


@pytest.mark.parametrize(
    "part",
    [FunctionTransformer(np.negative), make_pipeline(SimpleImputer(), FunctionTransformer())],
)
def test_what_may_give_something_else_each_time_is_not_reused(part):
    assert not is_determined(part)
    assert not is_determined(KBinsDiscretizer(random_state=np.random.RandomState(0)))
    assert is_determined(KBinsDiscretizer(random_state=0))


@pytest.mark.long
def test_scorers_that_look_at_some_rows_alone():
    X, y = some_data()
    scorer = make_subgroup_scorer("accuracy", "c == 'x'")
    made = search(pipeline(), scoring=scorer, corrupt_columns=["a"]).fit(X, y)
    assert 0 < made.worst_score_ <= 1 and np.isfinite(made.random_score_)


@pytest.mark.long
@pytest.mark.parametrize("strikes", ["cells", "labels"])
def test_what_is_kept_stays_within_a_limit(strikes):
    X, y = some_data()
    half = np.arange(80), np.arange(80, 160)
    steps = make_pipeline(OneHotEncoder(), StandardScaler(with_mean=False), LogisticRegression())
    model, data = (pipeline(), X) if strikes == "cells" else (steps, X[["c", "d"]])

    def kept(most):
        (split,) = make_splits(data, y, [half], [0])
        split.reuse(model, {strikes}, most)
        return split.reused

    everything = kept(np.inf)
    size = everything.cache._bytes
    assert kept(size).parts.keys() == everything.parts.keys()
    assert kept(size).steps.keys() == everything.steps.keys()
    less = kept(size - 1)
    if strikes == "cells":
        assert less.cache._bytes < size
        assert 0 < len(less.parts) < len(everything.parts)
    else:
        # the first steps were forgotten, without which the later ones are not asked
        assert less is None
    assert kept(10) is None


@pytest.mark.long
def test_a_search_beyond_the_limit_gives_the_same(monkeypatch):
    X, y = some_data()
    letters = ("more", Counted(), ["d"])
    scores, n_fits = [], []
    for most in (_problem.REUSED_BYTES, 10):
        monkeypatch.setattr(_problem, "REUSED_BYTES", most)
        FITS.clear()
        made = search(pipeline(letters), corrupt_columns=["a", "b"]).fit(X, y)
        scores.append(made.cv_results_["mean_test_score"])
        n_fits.append(len(FITS))
    np.testing.assert_array_equal(*scores)
    # with the limit every candidate fits anew what it does not hit
    assert n_fits[1] > 2 * n_fits[0]


def test_arrays_with_lost_values_have_nothing_to_reuse():
    X, y = some_data()
    array = search(make_pipeline(SimpleImputer(), LogisticRegression())).fit(X[["a", "b"]], y)
    assert array.worst_score_ <= array.baseline_score_


@pytest.mark.long
def test_parts_that_choose_by_type_are_fitted_anew_where_types_change(monkeypatch):
    X, y = some_data()
    X = X.assign(a=X["a"].astype(int), e=np.arange(len(X)) % 7)
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    model = make_pipeline(
        ColumnTransformer(
            [
                ("integers", scaled, make_column_selector(dtype_include="int64")),
                ("reals", scaled, make_column_selector(dtype_include="float64")),
                ("by value", scaled, lambda X: [c for c in "abe" if X[c].isna().any()]),
            ]
        ),
        LogisticRegression(),
    )
    params = {"corrupt_columns": ["a", "b", "e"], "own_column": "allowed"}
    params |= {"pattern_columns": ["c"], "label": "required"}
    made = search(model, **params).fit(X, y)
    assert set(made.cv_results_["status"]) == {"ok"}
    monkeypatch.setattr(Split, "reuse", lambda *_: None)
    plain = search(model, **params).fit(X, y)
    np.testing.assert_array_equal(
        made.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )


@pytest.mark.long
def test_parts_that_choose_by_type_are_reused_where_types_stay():
    X, y = some_data()
    FITS.clear()
    letters = ("more", Counted(), make_column_selector(dtype_exclude="number"))
    made = search(pipeline(letters), corrupt_columns=["a", "b"]).fit(X, y)
    assert made.n_evaluations_ > 4
    assert len(FITS) <= 5
