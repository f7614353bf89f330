"""The quick area under the ROC curve is scikit-learn's, or leaves the word to it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression
from sklearn.metrics import check_scoring, get_scorer, make_scorer, roc_auc_score
from sklearn.pipeline import make_pipeline

from skcorrupt.metrics import quick_score

AREA = get_scorer("roc_auc")


class Answers(ClassifierMixin, BaseEstimator):
    """A classifier that answers with the first column."""

    def __init__(self, classes=(0, 1)):
        self.classes = classes

    @property
    def classes_(self):
        """As given."""
        return np.array(self.classes)

    def fit(self, X, y):
        """Nothing."""
        return self

    def __sklearn_is_fitted__(self):
        return True

    def decision_function(self, X):
        """The first column."""
        return np.asarray(X)[:, 0]

    def predict(self, X):
        """The class by the sign."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=40),
    st.sampled_from([(0, 1), ("a", "b"), (False, True), (-1, 7)]),
)
def test_it_is_the_area_of_scikit_learn(rows, classes):
    X = np.array([[float(score)] for score, _ in rows])
    y = np.array(classes)[[int(right) for _, right in rows]]
    found = quick_score(AREA, Answers(classes), X, y)
    if len(np.unique(y)) < 2:
        assert found is None
    else:
        assert found == pytest.approx(AREA(Answers(classes), X, y), abs=1e-12)


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=40),
    st.sampled_from([(0, 1), ("a", "b"), (False, True), (-1, 7)]),
    st.sampled_from(["accuracy", "balanced_accuracy"]),
    st.sampled_from([np.asarray, pd.Series, lambda y: pd.Series(y, dtype=object)]),
)
def test_they_are_the_accuracies_of_scikit_learn(rows, classes, scoring, container):
    X = np.array([[float(score)] for score, _ in rows])
    y = np.array(classes)[[int(right) for _, right in rows]]
    found = quick_score(get_scorer(scoring), Answers(classes), X, container(y))
    if len(np.unique(y)) < 2:
        assert found is None
    elif found is None:
        # numbers as objects
        assert container(y).dtype == object
    else:
        assert found == pytest.approx(get_scorer(scoring)(Answers(classes), X, y), abs=1e-12)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize("classes", [(0, 5), ("a", "c"), (0.0, 1.0), (False, True)])
def test_answers_that_are_no_labels_are_left_to_scikit_learn(scoring, classes):
    y = np.array(["a", "b", "b", "a"]) if "a" in classes else Y
    assert quick_score(get_scorer(scoring), Answers(classes), X, y) is None


X = np.array([[0.1], [0.7], [0.2], [0.9]])
Y = np.array([0, 1, 1, 0])


@pytest.mark.parametrize(
    "scorer",
    [
        get_scorer("roc_auc_ovr"),
        get_scorer("average_precision"),
        make_scorer(roc_auc_score, response_method="decision_function", max_fpr=0.5),
        make_scorer(roc_auc_score, response_method="decision_function", greater_is_better=False),
        lambda model, X, y: 0.5,
    ],
)
def test_other_scorers_speak_for_themselves(scorer):
    assert quick_score(scorer, Answers(), X, Y) is None


def test_a_scorer_that_only_looks_like_one_of_scikit_learn_speaks_for_itself():
    class Half(type(AREA)):
        def __call__(self, *args, **params):
            return super().__call__(*args, **params) / 2

    scorer = Half(roc_auc_score, 1, {}, ("decision_function", "predict_proba"))
    assert quick_score(scorer, Answers(), X, Y) is None


@pytest.mark.parametrize(
    ("table", "y"),
    [
        (np.where(X > 0.8, np.nan, X), Y),
        (np.where(X > 0.8, np.inf, X), Y),
        (X, None),
        (X, np.array([0, 1, 2, 0])),
        (X, np.array([0.0, 1.0, 1.0, np.nan])),
        (X, pd.Series([0, 1, None, 0], dtype="Int64")),
    ],
)
def test_what_scikit_learn_refuses_is_left_to_it(table, y):
    assert quick_score(AREA, Answers(), table, y) is None


class OwnScore(Answers):
    """With a score of its own."""

    def score(self, X, y):
        """Not the accuracy."""
        return 0.25


@pytest.mark.parametrize("within", [make_pipeline, lambda model: model])
def test_the_score_of_a_classifier_is_its_accuracy_unless_it_has_one_of_its_own(within):
    y = np.array([1, 1, 0, 1])
    for model, expected in ((Answers(), 0.75), (OwnScore(), None)):
        fitted = within(model).fit(X - 0.5, y)
        assert quick_score(check_scoring(fitted), fitted, X, y) == expected
    assert (
        quick_score(check_scoring(LinearRegression()), LinearRegression().fit(X, y), X, y) is None
    )


class SetInFit(Answers):
    """With a score that only a fitted model has."""

    def fit(self, X, y):
        """Nothing else."""
        self.score = lambda X, y: 0.25
        return self


class AskedOnce(Answers):
    """Counts how often it predicts."""

    def predict(self, X):
        """Classes of which the labels have no "c"."""
        self.n_asked_ = getattr(self, "n_asked_", 0) + 1
        return np.array(["a", "c", "b", "b"])


def test_a_score_that_a_model_sets_itself_is_its_own():
    model = SetInFit().fit(X, Y)
    assert quick_score(check_scoring(model), model, X, Y) is None


def test_a_model_is_asked_once_for_its_own_score():
    model, y = AskedOnce(), np.array(["a", "b", "b", "a"])
    assert quick_score(check_scoring(model), model, X, y) == 0.5
    assert model.n_asked_ == 1


@pytest.mark.parametrize("scoring", [None, "accuracy", "roc_auc"])
@pytest.mark.parametrize("y", [np.ones((4, 2), dtype=int), np.array([0, 1, 1, 0], dtype=object)])
def test_labels_that_scikit_learn_reads_otherwise_are_left_to_it(scoring, y):
    scorer = check_scoring(Answers(), scoring=scoring)
    assert quick_score(scorer, Answers(), X, y) is None
