"""What scorers return and what is passed as an estimator is checked once, for all systems."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from flat_search import flat_search
from skcorrupt import (
    CorruptedEstimator,
    CorruptLabels,
    ErrorSensitivityProfiler,
    ResponsivenessAuditor,
    StageFairnessAblator,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.fairness import compare_transformers
from skcorrupt.metrics import ConformalRegressor, make_subgroup_scorer
from skcorrupt.responsiveness import ActionSet
from skcorrupt.testing import assert_robust

pytestmark = pytest.mark.usefixtures("few_fits")

FEATURES, Y = load_breast_cancer(return_X_y=True)
X = pd.DataFrame(FEATURES[:120, :2], columns=["a", "b"])
Y = Y[:120]
GROUPS = np.where(X["a"] > 14, "large", "small")
PIPELINE = make_pipeline(StandardScaler(), GaussianNB())
FAIR = {"sensitive_features": "size", "privileged": "large", "pos_label": 1, "cv": 3}


def search(estimator=PIPELINE, scoring=None, n_jobs=None):
    flat_search(
        estimator, "labels", n_calls=2, max_conditions=1, cv=2, scoring=scoring, n_jobs=n_jobs
    ).fit(X, Y)


def profile(estimator=PIPELINE, scoring=None, n_jobs=None):
    ErrorSensitivityProfiler(
        {"mine": estimator},
        corruptions=[CorruptLabels()],
        levels=(0, 0.4),
        n_repeats=7,
        scoring=scoring,
        n_jobs=n_jobs,
    ).fit(X, Y)


def ablate(estimator=PIPELINE, scoring=None, n_jobs=None):
    ablator = StageFairnessAblator(estimator, scoring=scoring, n_jobs=n_jobs, **FAIR)
    ablator.fit(X, Y, sensitive_features=GROUPS)


def compare(estimator=PIPELINE, scoring=None, n_jobs=None):
    compare_transformers(
        PIPELINE,
        "standardscaler",
        X.assign(size=GROUPS),
        Y,
        candidates=[StandardScaler()],
        estimators={"mine": estimator},
        scoring=scoring,
        n_jobs=n_jobs,
        **FAIR,
    )


def cross_validate(estimator=PIPELINE, scoring=None, n_jobs=None):
    cross_validate_corrupted(estimator, X, Y, CorruptLabels(), cv=3, scoring=scoring, n_jobs=n_jobs)


def robust(estimator=PIPELINE, scoring=None, n_jobs=None):
    assert_robust(
        estimator,
        X,
        Y,
        corruption="labels",
        max_drop=1.0,
        scoring=scoring,
        strategy=BeamSearch(n_calls=2),
        space=SearchSpace(max_conditions=1),
        cv=2,
    )


def subgroup(estimator=PIPELINE, scoring=None, n_jobs=None):
    scorer = make_subgroup_scorer(scoring, "a > 14")
    cross_validate_corrupted(estimator, X, Y, cv=2, scoring=scorer)


SCORING = [search, profile, ablate, cross_validate, robust, subgroup]


class TestScorers:
    @pytest.mark.parametrize("run", SCORING)
    @pytest.mark.parametrize(
        "returned",
        [None, "0.5", np.array([0.5]), [0.5], 0.5j, Decimal("0.5"), {}, {"a": "0.5"}, 10**400],
        ids=lambda returned: type(returned).__name__,
    )
    def test_what_is_no_number_is_refused(self, run, returned):
        def mine(estimator, X, y):
            return returned

        with pytest.raises(ValueError, match=r"scoring: mine(\[.*\])? returned .*one real number"):
            run(scoring=mine)

    @pytest.mark.parametrize(
        "returned",
        [np.ma.masked, np.timedelta64(5, "ns"), 10**5000],
        ids=["masked", "time", "huge"],
    )
    def test_what_only_looks_like_a_number_is_refused(self, returned):
        with pytest.raises(ValueError, match="one real number"):
            cross_validate(scoring=lambda estimator, X, y: returned)

    def test_a_subgroup_of_one_class_hides_nothing(self):
        scorer = make_subgroup_scorer(lambda estimator, X, y: None, "y == 1")
        with pytest.raises(ValueError, match="one real number"):
            cross_validate(scoring=scorer)

    def test_the_one_of_several_is_named(self):
        scoring = {"fine": "accuracy", "bad": lambda estimator, X, y: None}
        with pytest.raises(ValueError, match=r"scoring: .*'bad'.* returned None"):
            cross_validate(scoring=scoring)

    @pytest.mark.parametrize("run", [search, profile, subgroup])
    def test_several_scores_are_refused_where_one_is_needed(self, run):
        def mine(estimator, X, y):
            return {"a": 0.5, "b": 0.4}

        with pytest.raises(ValueError, match=r"scoring: mine returned .*dict.*one real number"):
            run(scoring=mine)

    @pytest.mark.parametrize("kind", [float, np.float32, np.asarray])
    def test_numbers_of_all_kinds_are_taken(self, kind):
        def mine(estimator, X, y):
            return kind(np.mean(estimator.predict(X) == y))

        found, wanted = (
            cross_validate_corrupted(PIPELINE, X, Y, cv=3, scoring=scoring, random_state=0)
            for scoring in (mine, "accuracy")
        )
        assert found["test_score"].dtype == float
        np.testing.assert_allclose(found["test_score"], wanted["test_score"], rtol=1e-6)


TOO_FEW = r"gave \d+ predictions for \d+ rows; it should give one a row"


class ShortSighted(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X) - 1, self.classes_[0])


class DropsRows(TransformerMixin, BaseEstimator):
    def fit(self, X, y=None):
        self.n_ = len(X)
        return self

    def transform(self, X):
        # rows that it was fitted on pass, so that only predictions are too few
        return X if len(X) == self.n_ else X[1:]


class SkrubLearner(GaussianNB):
    """Named and placed as that of skrub."""

    __module__ = "skrub._data_ops"


class DataOp:
    """A plan, which has every attribute that it is asked for."""

    __module__ = "skrub._data_ops"

    def __getattr__(self, name):
        return [name]


class NoEstimator:
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)

    def __str__(self):
        return "no estimator"


ODD = [None, "svm", 3, NoEstimator()]


class TestEstimators:
    @pytest.mark.many
    @pytest.mark.parametrize("run", [search, cross_validate, ablate, profile])
    @pytest.mark.parametrize("scoring", [None, "balanced_accuracy"])
    @pytest.mark.parametrize(
        "model",
        [make_pipeline(StandardScaler(), ShortSighted()), make_pipeline(DropsRows(), GaussianNB())],
        ids=["model", "step"],
    )
    def test_too_few_predictions_are_named(self, run, scoring, model):
        with pytest.raises((ValueError, FitFailedWarning), match=TOO_FEW):
            run(model, scoring)

    def test_auditor_names_them_too(self):
        actions = ActionSet.from_data(X, actionable=["a"])
        auditor = ResponsivenessAuditor(ShortSighted().fit(X, Y), actions, target=1)
        with pytest.raises(ValueError, match="gave 119 predictions for 120 rows"):
            auditor.fit(X)

    @pytest.mark.parametrize("run", [search, cross_validate, ablate, profile, compare, robust])
    @pytest.mark.parametrize(
        "model", [None, "svm", 3, NoEstimator(), object()], ids=lambda model: type(model).__name__
    )
    def test_what_is_no_estimator_is_named(self, run, model):
        with pytest.raises(
            (TypeError, ValueError),
            match=r"(estimators?|pipeline)\b.*has no .*fit|has no get_params",
        ):
            run(model)

    @pytest.mark.parametrize("run", [search, cross_validate, ablate, profile, compare, robust])
    @pytest.mark.parametrize("kind", [SkrubLearner, DataOp])
    def test_plans_of_skrub_name_their_adapter(self, run, kind):
        with pytest.raises(TypeError, match=rf"is a {kind.__name__} of skrub.*DataOpEstimator\("):
            run(kind())

    @pytest.mark.parametrize("run", [search, cross_validate, ablate, profile, compare, robust])
    def test_classes_are_told_from_their_objects(self, run):
        with pytest.raises(TypeError, match=r"=GaussianNB is a class; .*GaussianNB\(\)"):
            run(GaussianNB)

    @pytest.mark.parametrize("model", [*ODD[:1], *ODD[3:], GaussianNB], ids=str)
    def test_meta_estimators_name_it(self, model):
        for outer in (CorruptedEstimator(model, CorruptLabels()), ConformalRegressor(model)):
            with pytest.raises((TypeError, ValueError), match="estimator"):
                outer.fit(X, Y)
        if not hasattr(model, "predict") or isinstance(model, type):
            actions = ActionSet.from_data(X, actionable=["a"])
            with pytest.raises((TypeError, ValueError), match="estimator"):
                ResponsivenessAuditor(model, actions, target=1).fit(X)
