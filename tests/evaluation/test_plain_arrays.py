"""Scores are the same, bit for bit, whether a pipeline got data frames or arrays."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import check_scoring
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators

from skcorrupt import CorruptLabels, CorruptMissing, CorruptNoise, cross_validate_corrupted
from skcorrupt.evaluation import evaluate_split
from skcorrupt.evaluation._evaluate_split import corrupted_split, fit_and_score
from skcorrupt.evaluation._plain_arrays import TAKE_ARRAYS, takes_arrays, with_arrays
from skcorrupt.evaluation._split import make_splits
from skcorrupt.utils._compat import IterativeImputer

SCORER = check_scoring(LogisticRegression())
ALL = dict(all_estimators()) | {"IterativeImputer": IterativeImputer}
TRANSFORMERS = sorted(n for n in TAKE_ARRAYS if hasattr(ALL[n], "transform"))
PREDICTORS = sorted(n for n in TAKE_ARRAYS if hasattr(ALL[n], "predict"))
# of what does not take it by default
GIVEN = {
    "KBinsDiscretizer": {"encode": "ordinal", "quantile_method": "averaged_inverted_cdf"},
    "Nystroem": {"n_components": 9},
    "QuantileTransformer": {"n_quantiles": 9},
}
READ_GAPS = {"IterativeImputer", "KNNImputer", "MissingIndicator", "SimpleImputer"}


def made(name, **params):
    kind = ALL[name]
    params |= GIVEN.get(name, {})
    known = kind().get_params()
    if "random_state" in known:
        params["random_state"] = 0
    if name.startswith("MLP"):
        params["max_iter"] = 2_000
    return kind(**params)


def numbers(seed, dtype="float64", gaps=True):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(90, 4)).astype(dtype), columns=list("abcd"))
    X["d"] = X["d"].abs() + 1
    y = (X["a"] + X["b"] + rng.normal(size=90) > 0).astype(int)
    if gaps:
        X.loc[::7, "b"] = np.nan
    return X, y


def split_of(X, y):
    rows = np.arange(len(X))
    (split,) = make_splits(X, y, [(rows[:60], rows[60:])], [3])
    return split


def answers(model, split):
    """What a fitted model says of the rows that are tested, as exact as it says it."""
    for method in ("predict_proba", "decision_function", "predict"):
        if hasattr(model, method):
            return getattr(model, method)(split.X_test)
    return model.transform(split.X_test)


@pytest.mark.parametrize("name", [*TRANSFORMERS, *PREDICTORS])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_step_that_takes_arrays_says_the_same_of_them(name, dtype):
    X, y = numbers(0, dtype, gaps=name in READ_GAPS)
    if "Regressor" in name or name in ("KernelRidge", "LinearSVR", "SVR", "NuSVR"):
        y = X["a"].abs() + 1
    split = split_of(X, y)
    model = made(name)
    assert takes_arrays(model)
    given = with_arrays(split, model, SCORER)
    assert isinstance(given.X_train, np.ndarray)
    found = []
    for each in (split, given):
        fitted = made(name)
        fitted.fit(each.X_train, each.y_train)
        found.append(np.asarray(answers(fitted, each)))
    assert found[0].dtype == found[1].dtype
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("scoring", [None, "accuracy", "roc_auc", "neg_log_loss"])
@pytest.mark.parametrize("apply_to", ["train", "both"])
@pytest.mark.parametrize("error", [CorruptMissing(columns=["b"], rate=0.3), CorruptNoise(rate=0.2)])
@pytest.mark.parametrize("last", [LogisticRegression(), RandomForestClassifier(10)])
def test_scores_with_errors_are_the_same(scoring, apply_to, error, last, monkeypatch):
    split = split_of(*numbers(1))
    model = make_pipeline(SimpleImputer(), StandardScaler(), VarianceThreshold(), last)
    scorer = check_scoring(model, scoring=scoring)
    options = {"corruption": error, "corruption_seed": 5, "apply_to": apply_to}
    found = evaluate_split(model, split, scorer, **options)
    monkeypatch.setattr(
        "skcorrupt.evaluation._evaluate_split.with_arrays", lambda split, model, scorer: split
    )
    assert not found.error
    assert found.score == evaluate_split(model, split, scorer, **options).score


class Reads(TransformerMixin, BaseEstimator):
    """A step of the user's own."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[["a", "b"]]


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(Reads(), LogisticRegression()),
        make_pipeline(FunctionTransformer(lambda X: X[["a"]]), LogisticRegression()),
        make_pipeline(make_column_transformer((StandardScaler(), ["a"])), LogisticRegression()),
        make_pipeline(StandardScaler().set_output(transform="pandas"), LogisticRegression()),
        make_pipeline(SimpleImputer(missing_values=-1), LogisticRegression()),
        SVC(kernel=lambda A, B: A[["a"]].to_numpy() @ B[["a"]].to_numpy().T),
        HistGradientBoostingClassifier(categorical_features=["a"]),
        HistGradientBoostingClassifier(monotonic_cst={"a": 1}),
        type("Own", (LogisticRegression,), {})(),
        type("OwnPipeline", (Pipeline,), {})([("last", DecisionTreeClassifier())]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_who_may_look_at_names_gets_data_frames(model):
    assert not takes_arrays(model)


def test_scorers_of_the_user_get_data_frames():
    split = split_of(*numbers(2, gaps=False))
    asked = []

    def scorer(model, X, y):
        asked.append(list(X.columns))
        return model.score(X, y)

    outcome = fit_and_score(LogisticRegression(), split, scorer)
    assert not outcome.error
    assert asked == [list("abcd")]


def test_estimators_that_are_returned_know_their_columns():
    split = split_of(*numbers(2, gaps=False))
    model = LogisticRegression()
    outcome = fit_and_score(model, split, check_scoring(model), return_estimator=True)
    assert list(outcome.estimator.feature_names_in_) == list("abcd")


def test_steps_that_are_asked_for_frames_by_the_configuration_get_them():
    split = split_of(*numbers(2, gaps=False))
    with config_context(transform_output="pandas"):
        assert with_arrays(split, make_pipeline(StandardScaler()), SCORER) is split


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X.assign(b=X["b"] > 0),
        lambda X: X.assign(b="x"),
        lambda X: X.assign(b=X["b"].astype("Float64")),
        lambda X: X.assign(b=X["b"].astype("category")),
        lambda X: X.rename(columns={"b": 1}),
        lambda X: X.iloc[:, :0],
        lambda X: X.to_numpy(),
        lambda X: X.assign(b=X["b"].round().astype("uint8")),
    ],
)
def test_what_an_array_would_read_otherwise_stays_as_it_is(change):
    X, y = numbers(3, gaps=False)
    X["b"] = X["b"].abs()
    whole = split_of(X, y)
    struck = replace(whole, X_test=change(whole.X_test))
    assert with_arrays(struck, StandardScaler(), SCORER) is struck
    struck = replace(whole, X_train=change(whole.X_train))
    assert with_arrays(struck, StandardScaler(), SCORER) is struck


def test_a_step_that_writes_to_its_input_reaches_nobody():
    X, y = numbers(4, gaps=False)
    split = split_of(X, y)
    before = split.X_train.copy(), split.X_test.copy()
    model = make_pipeline(StandardScaler(copy=False), LogisticRegression())
    for _ in range(2):
        assert not fit_and_score(model, split, check_scoring(model)).error
    pd.testing.assert_frame_equal(split.X_train, before[0])
    pd.testing.assert_frame_equal(split.X_test, before[1])


def test_a_warning_of_an_empty_column_names_it():
    X, y = numbers(5)
    split = split_of(X.assign(b=np.nan), y)
    model = make_pipeline(SimpleImputer(), LogisticRegression())
    with pytest.warns(UserWarning, match=r"\['b'\]"):
        assert not fit_and_score(model, split, check_scoring(model)).error


def test_tables_that_are_passed_to_fit_are_like_the_others():
    X, y = numbers(6, gaps=False)
    model = HistGradientBoostingClassifier(max_iter=5, early_stopping=True, random_state=0)
    found = cross_validate_corrupted(
        model, X, y, CorruptNoise(rate=0.3), cv=3, random_state=0,
        params={"X_val": X.iloc[:30], "y_val": y.iloc[:30]},
    )  # fmt: skip
    assert np.isfinite(found["test_score"]).all()


def test_several_labels_for_each_row_have_the_score_of_the_model():
    X, y = numbers(7, gaps=False)
    several = np.column_stack([y, X["c"] > 0]).astype(int)
    split = split_of(X, several)
    model = DecisionTreeClassifier(random_state=0)
    outcome = fit_and_score(model, split, check_scoring(model))
    assert outcome.score == model.score(split.X_test.to_numpy(), split.y_test)


def test_a_model_that_is_asked_later_is_fitted_on_frames():
    split = split_of(*numbers(8, gaps=False))
    model = LogisticRegression()
    outcome = fit_and_score(model, split, None, predictions=np.asarray)
    assert len(outcome.predictions) == 30
    assert model.predict(split.X_test).tolist() == outcome.predictions.tolist()
    assert list(model.feature_names_in_) == list("abcd")


def test_arrays_of_clean_tables_are_made_once():
    split = split_of(*numbers(5))
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    first, again = (with_arrays(split, model, SCORER) for _ in range(2))
    assert first.X_train is again.X_train and first.X_test is again.X_test
    # a table of the same size is another one
    struck = replace(split, X_train=split.X_train * 2)
    given = with_arrays(struck, model, SCORER)
    np.testing.assert_array_equal(given.X_train, split.X_train.to_numpy() * 2)
    assert given.X_test is first.X_test
    # labels that are wrong leave features as they are
    wrong, _ = corrupted_split(split, CorruptLabels(rate=0.3), 0)
    assert with_arrays(wrong, model, SCORER).X_train is first.X_train


def test_workers_get_a_split_without_its_arrays():
    split = split_of(*numbers(6))
    before = len(pickle.dumps(split))
    with_arrays(split, StandardScaler(), SCORER)
    assert len(pickle.dumps(split)) == before
    there = pickle.loads(pickle.dumps(split))
    given = with_arrays(there, StandardScaler(), SCORER)
    np.testing.assert_array_equal(given.X_train, split.X_train.to_numpy())
    assert given.X_train is with_arrays(there, StandardScaler(), SCORER).X_train
