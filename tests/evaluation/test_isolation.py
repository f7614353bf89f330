"""What a pipeline does to its data reaches no other fit, prediction or score."""

import inspect
import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.utils.validation import check_is_fitted

from flat_search import flat_search
from skcorrupt import (
    CorruptedEstimator,
    CorruptLabels,
    CorruptMissing,
    ErrorSensitivityProfiler,
    ResponsivenessAuditor,
    StageFairnessAblator,
    cross_validate_corrupted,
)
from skcorrupt.responsiveness import ActionSet
from skcorrupt.utils import Sheltered

pytestmark = pytest.mark.usefixtures("few_fits")

X, Y = load_breast_cancer(return_X_y=True)
X = X[:200, :4] + 50
Y = Y[:200]
NAMES = ["a", "b", "c", "d"]


class Greedy(TransformerMixin, BaseEstimator):
    """Standardises whatever it gets in place, read-only arrays and frames included."""

    def __init__(self, in_place=True):
        self.in_place = in_place

    def fit(self, X, y=None):
        values = np.asarray(X)
        self.mean_, self.scale_ = values.mean(axis=0), values.std(axis=0)
        return self

    def transform(self, X):
        if not self.in_place:
            return (np.asarray(X) - self.mean_) / self.scale_
        if isinstance(X, pd.DataFrame):
            for j, column in enumerate(X.columns):
                values = X[column].to_numpy()
                values.flags.writeable = True
                values[:] = (values - self.mean_[j]) / self.scale_[j]
            return X
        values = X if isinstance(X, np.ndarray) else np.array(np.asarray(X))
        values.flags.writeable = True
        values -= self.mean_
        values /= self.scale_
        return values


def frame(values):
    # a column an array, as wide blocks of pandas are copied when they are read
    return pd.DataFrame({name: values[:, j].copy() for j, name in enumerate(NAMES)})


def polars_frame(values):
    return pytest.importorskip("polars").DataFrame(values, schema=NAMES)


def read_only(values):
    values = values.copy()
    values.flags.writeable = False
    return values


CONTAINERS = {
    "numpy": (np.copy, StandardScaler(copy=False), StandardScaler()),
    "numpy, written by force": (np.copy, Greedy(), Greedy(in_place=False)),
    "read-only": (read_only, StandardScaler(copy=False), StandardScaler()),
    "pandas": (frame, StandardScaler(copy=False), StandardScaler()),
    "pandas, written by force": (frame, Greedy(), Greedy(in_place=False)),
    "polars": (polars_frame, Greedy(), Greedy(in_place=False)),
    "sparse": (sparse.csr_array, MaxAbsScaler(copy=False), MaxAbsScaler()),
}


@pytest.fixture(params=CONTAINERS, scope="module")
def case(request):
    make, writing, copying = CONTAINERS[request.param]
    model = LogisticRegression(C=1000, max_iter=200)
    return make(X), make_pipeline(writing, model), make_pipeline(copying, model)


def content(data):
    return data.toarray() if sparse.issparse(data) else np.array(data)


def score_twice(model, X, y):
    """A scorer that asks for two responses, of the whole and of its steps."""
    by_step = model[-1].predict_proba(model[:-1].transform(X))[:, 1]
    for _, step in model.steps[:-1]:
        step.transform(X)
    proba, predicted = model.predict_proba(X)[:, 1], model.predict(X)
    return accuracy_score(y, predicted) - np.abs(proba - (proba > 0.5)).mean() + by_step.mean()


class TestScoresAreThoseOfStepsThatCopy:
    @pytest.mark.many
    @pytest.mark.parametrize("scoring", [None, ["accuracy", "roc_auc"], score_twice])
    @pytest.mark.parametrize("apply_to", ["train", "both"])
    def test_cross_validation(self, case, scoring, apply_to):
        X, writing, copying = case
        before = content(X).copy()
        error = CorruptLabels(rate=0.2)
        found, wanted = (
            cross_validate_corrupted(
                model,
                X,
                Y,
                error,
                cv=2,
                n_repeats=2,
                apply_to=apply_to,
                scoring=scoring,
                return_train_score=True,
                random_state=0,
                error_score="raise",
            )
            for model in (writing, copying)
        )
        for name in wanted:
            if name.startswith(("test_", "train_")):
                np.testing.assert_allclose(found[name], wanted[name], err_msg=name)
        np.testing.assert_array_equal(content(X), before)

    def test_corrupted_estimator(self, case):
        X, writing, copying = case
        before = content(X).copy()
        error = CorruptLabels(pattern="y == 1", rate=0.3, random_state=0)
        found, wanted = (CorruptedEstimator(model, error).fit(X, Y) for model in (writing, copying))
        for _ in range(2):
            np.testing.assert_allclose(found.predict_proba(X), wanted.predict_proba(X))
            assert found.score(X, Y) == wanted.score(X, Y)
        np.testing.assert_array_equal(content(X), before)

    @pytest.mark.slow
    def test_search_its_confirmation_and_what_it_refits(self, case):
        X, writing, copying = case
        if isinstance(writing[0], StandardScaler) and not isinstance(X, pd.DataFrame):
            pytest.skip("seen with arrays that are written by force")
        X = X[X.columns[:2]] if hasattr(X, "columns") else X[:, :2]
        X, y = X[:100], Y[:100]
        before = content(X).copy()
        confirm = isinstance(X, np.ndarray)
        found, wanted = (
            flat_search(
                model,
                "labels",
                n_calls=2,
                cv=2,
                max_conditions=1,
                refit=True,
                confirm_size=0.25 if confirm else None,
                random_state=0,
            ).fit(X, y)
            for model in (writing, copying)
        )
        assert found.worst_score_ == pytest.approx(wanted.worst_score_)
        assert str(found.worst_pattern_) == str(wanted.worst_pattern_)
        if confirm:
            assert found.confirmed_interval_ == pytest.approx(wanted.confirmed_interval_)
        for _ in range(2):
            np.testing.assert_array_equal(found.predict(X), wanted.predict(X))
            assert found.score(X, y) == pytest.approx(wanted.score(X, y))
        np.testing.assert_array_equal(content(X), before)

    @pytest.mark.many
    def test_profiler(self, case):
        X, writing, copying = case
        if sparse.issparse(X):
            pytest.skip("importance of the columns of sparse data is not computed")
        before = content(X).copy()
        found, wanted = (
            ErrorSensitivityProfiler(
                {"one": model, "two": clone(model)},
                corruptions=[CorruptLabels()],
                levels=(0, 0.4),
                n_repeats=7,
                random_state=0,
            ).fit(X, Y)
            for model in (writing, copying)
        )
        np.testing.assert_allclose(found.curves_["score"], wanted.curves_["score"])
        pd.testing.assert_frame_equal(found.cleaning_priorities(), wanted.cleaning_priorities())
        np.testing.assert_array_equal(content(X), before)

    @pytest.mark.many
    def test_ablator(self, case):
        X, writing, copying = case
        if sparse.issparse(X):
            pytest.skip("the ablator takes no sparse data")
        groups = np.where(content(X)[:, 0] > 64, "large", "small")
        found, wanted = (
            StageFairnessAblator(
                model,
                sensitive_features="size",
                privileged="large",
                pos_label=1,
                cv=2,
                scoring=["accuracy", "roc_auc"],
                random_state=0,
            ).fit(X, Y, sensitive_features=groups)
            for model in (writing, copying)
        )
        for table in ("stage_effects_", "performance_effects_"):
            a, b = (getattr(each, table).select_dtypes("number") for each in (found, wanted))
            np.testing.assert_allclose(a, b)

    def test_auditor(self):
        X = pd.DataFrame({"age": [25.0, 31, 45, 60] * 5, "savings": [0.0, 3, 1, 3] * 5})
        y = np.array(["no", "yes"] * 10)
        fitted = make_pipeline(StandardScaler(copy=False), LogisticRegression()).fit(X.copy(), y)
        actions = ActionSet.from_data(X, actionable=["savings"])
        values = X.to_numpy()
        before = X.copy()
        auditor = ResponsivenessAuditor(fitted, actions, target="yes", random_state=0).fit(X)
        careful = clone(fitted).set_params(standardscaler__copy=True).fit(X.copy(), y)
        wanted = ResponsivenessAuditor(careful, actions, target="yes", random_state=0).fit(X)
        pd.testing.assert_frame_equal(auditor.results_, wanted.results_)
        pd.testing.assert_frame_equal(X, before)
        np.testing.assert_array_equal(values, before)


def test_weights_and_labels_are_not_shared_either():
    class Spoiling(ClassifierMixin, BaseEstimator):
        def fit(self, X, y, sample_weight=None):
            assert sample_weight.sum() == len(y) and set(y.tolist()) == {0, 1}
            self.classes_ = np.unique(y)
            sample_weight *= 0
            y *= 0
            return self

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    y, weights = Y.copy(), np.ones(len(Y))
    cross_validate_corrupted(
        Spoiling(), X, y, cv=2, n_repeats=3, params={"sample_weight": weights}, error_score="raise"
    )
    np.testing.assert_array_equal(y, Y)
    assert weights.all()


class TestShelteredModel:
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)

    def test_it_is_the_model_to_whoever_looks(self):
        view = Sheltered(self.model)
        assert isinstance(view, Pipeline) and len(view) == 2
        assert isinstance(view[-1], LogisticRegression) and isinstance(view[:-1], Pipeline)
        assert list(view.named_steps) == list(self.model.named_steps)
        assert hasattr(view, "predict_proba") and not hasattr(view, "no_such_thing")
        assert repr(view) == repr(self.model) and bool(view)
        assert inspect.ismethod(self.model.predict) and view.predict.__name__ == "predict"
        check_is_fitted(view)
        assert type(clone(view)) is Pipeline

    def test_it_pickles(self):
        view = pickle.loads(pickle.dumps(Sheltered(self.model)))
        np.testing.assert_array_equal(view.predict(X), self.model.predict(X))
        assert type(view) is Sheltered

    def test_plain_scorers_take_it(self):
        class Scoring:
            def __call__(self, model, X, y):
                assert isinstance(model, Pipeline)
                return float(cross_val_score(model, X, y, cv=2).mean())

        found = cross_validate_corrupted(
            self.model, X, Y, scoring=Scoring(), cv=KFold(2), error_score="raise"
        )
        assert np.isfinite(found["test_score"]).all()


class WithLock(LogisticRegression):
    """A model that cannot go to another process."""

    def __init__(self, C=1.0, lock=None):
        super().__init__(C=C)
        self.lock = lock

    def __sklearn_clone__(self):
        return WithLock(self.C, self.lock)


class TestModelsThatDoNotPickle:
    def test_parameter_and_remedy_are_named(self):
        model = make_pipeline(StandardScaler(), WithLock(lock=threading.Lock()))
        with pytest.raises(TypeError, match=r"n_jobs=2: withlock__lock=.*not pickle.*n_jobs=1"):
            cross_validate_corrupted(model, X, Y, cv=2, n_jobs=2)

    @pytest.mark.parametrize("n_jobs", [None, 1])
    def test_one_process_needs_none(self, n_jobs):
        model = make_pipeline(StandardScaler(), WithLock(lock=threading.Lock()))
        found = cross_validate_corrupted(model, X, Y, cv=2, n_jobs=n_jobs, error_score="raise")
        assert np.isfinite(found["test_score"]).all()

    def test_what_cannot_be_cloned_is_told_from_it(self):
        class Locked(WithLock):
            __sklearn_clone__ = None

            def __getattribute__(self, name):
                if name == "__sklearn_clone__":
                    raise AttributeError(name)
                return super().__getattribute__(name)

        with pytest.raises(TypeError, match=r"estimator=Locked.* cannot be cloned .*made in fit"):
            cross_validate_corrupted(Locked(lock=threading.Lock()), X, Y, cv=2, n_jobs=1)

    def test_errors_of_a_fit_are_its_own(self):
        class Complaining(LogisticRegression):
            def fit(self, X, y, sample_weight=None):
                raise TypeError("cannot pickle it")

        with pytest.raises(TypeError, match=r"^cannot pickle it$"):
            cross_validate_corrupted(Complaining(), X, Y, cv=2, error_score="raise")

    def test_search_says_the_same(self):
        search = flat_search(WithLock(lock=threading.Lock()), CorruptMissing(), n_jobs=2, cv=2)
        with pytest.raises(TypeError, match=r"n_jobs=2: .*does not pickle"):
            search.set_params(corruption="labels").fit(X, Y)

    @pytest.mark.slow
    def test_what_comes_back_is_named_too(self):
        class Opening(LogisticRegression):
            def fit(self, X, y, sample_weight=None):
                self.lock_ = threading.Lock()
                return super().fit(X, y)

        with pytest.raises(TypeError, match="what came of a fit does not pickle"):
            cross_validate_corrupted(Opening(), X, Y, cv=2, n_jobs=2, return_estimator=True)
