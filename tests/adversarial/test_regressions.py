"""Data on which an earlier search went wrong."""

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from flat_search import flat_search
from skcorrupt import (
    CorruptLabels,
    CorruptMissing,
    cross_validate_corrupted,
)

pytestmark = pytest.mark.usefixtures("few_fits")


def data(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 4, n)})
    return X, pd.Series((X.a + rng.normal(size=n) > 0).astype(int))


def search(corruption, estimator=None, **params):
    params = {"max_conditions": 1, "n_calls": 6, "random_state": 0, "confirm_size": None} | params
    return flat_search(estimator or GaussianNB(), corruption, **params)


@pytest.mark.parametrize("share", [0.8, 0.9, 0.97])
def test_a_largest_value_that_fills_nearly_all_rows(share):
    X, y = data(400)
    X["days"] = np.where(np.random.default_rng(1).random(400) < share, 999, np.arange(400) % 24)
    found = search("labels", pattern_columns=["days"], exhaustive=True).fit(X, y)
    assert found.n_evaluations_ >= 2
    patterns = set(found.cv_results_["pattern"]) - {"y == 0", "y == 1"}
    assert patterns and all("days" in pattern for pattern in patterns)


def test_random_errors_are_as_many_where_the_column_has_gaps():
    struck = []

    class Counts(GaussianNB):
        def fit(self, X, y):
            struck.append(int(X["a"].isna().sum()))
            return super().fit(X.fillna(0.0), y)

        def predict(self, X):
            return super().predict(X.fillna(0.0))

    X, y = data()
    X.loc[X.index % 4 != 0, "a"] = np.nan
    cv = KFold(2)
    found = search("missing", Counts(), corrupt_columns=["a"], n_calls=2, budget=0.05, cv=cv)
    found.fit(X, y)
    expected = [
        int(found.worst_corruption_.corrupt(X.iloc[train], y.iloc[train]).record.n_corrupted)
        for train, _ in cv.split(X)
    ]
    # the last fits are 2 random draws on each of the two splits, which have 75 gaps already
    np.testing.assert_array_equal(np.array(struck)[-4:] - 75, expected * 2)


def test_patterns_by_position_are_those_by_name():
    X, y = data()
    array = X.to_numpy()
    found = search(
        CorruptLabels(pattern={0: (0, None)}),
        exclude=[{1: (None, 1)}],
        max_conditions=2,
        n_calls=12,
    ).fit(array, y)
    for pattern in found.cv_results_["pattern"]:
        assert pattern.startswith("x0 >= 0 and ")
        assert pattern.count("x0") == 1
        assert "x1 <= 1" not in pattern


@pytest.mark.long
def test_an_exclusion_on_what_is_not_there_is_refused():
    X, y = data()
    with pytest.raises(ValueError, match="no column c"):
        search("labels", exclude=["c > 1 and y == 1"]).fit(X, y)
    with pytest.raises(ValueError, match="label"):
        search("labels", exclude=["y == 'yes'"]).fit(X, y)
    with pytest.raises(ValueError, match=r"'a' is a column; .* exclude=\[\('a', 'b'\)\]"):
        search("labels", exclude=("a", "b")).fit(X, y)
    with pytest.warns(UserWarning, match="exclude: 'b == 9' matches none of the 200 rows"):
        search("labels", exclude=["b == 9"]).fit(X, y)


def test_the_label_is_not_a_column_of_patterns():
    X, y = data()
    with pytest.raises(ValueError, match="The label needs no mention"):
        search("labels", pattern_columns=["a", "y"]).fit(X, y)
    X = X.rename(columns={"b": "y"})
    found = search("labels", pattern_columns=["y"]).fit(X, y)
    patterns = set(found.cv_results_["pattern"]) - {"y == 0", "y == 1"}
    assert patterns and all("`y`" in pattern for pattern in patterns)


class TestAtChance:
    """A pipeline that a constant prediction equals has nothing to lose, and is told so."""

    MESSAGE = "no better than a constant prediction"

    @pytest.mark.parametrize(
        ("scoring", "remedy"),
        [(None, "X, or pass scoring='balanced_accuracy'"), ("roc_auc", r"the columns of X\.$")],
    )
    def test_classes(self, scoring, remedy):
        X, y = data()
        X[:] = 0.0
        with pytest.warns(UserWarning, match=f"{self.MESSAGE}.*{remedy}"):
            search("labels", LogisticRegression(), scoring=scoring, max_conditions=0).fit(X, y)

    def test_numbers(self):
        X, y = data()
        model = make_pipeline(sklearn.preprocessing.StandardScaler(), DummyRegressor())
        with pytest.warns(UserWarning, match=self.MESSAGE):
            search(CorruptLabels(shift=1.0), model, max_conditions=0, scoring="r2").fit(
                X, y.astype(float)
            )

    def test_scores_of_ones_own_and_better_pipelines_are_not_judged(self):
        X, y = data()
        own = make_scorer(sklearn.metrics.accuracy_score)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search("labels", DummyClassifier(), scoring=own, max_conditions=0).fit(X, y)
            search("labels", max_conditions=0).fit(X, y)
        assert [str(each.message) for each in caught] == []


def test_erased_labels_are_not_a_class():
    X, y = data()
    y[:] = 0
    y.iloc[:16] = 1
    erased = CorruptLabels(missing_label=-1)
    own = make_scorer(sklearn.metrics.accuracy_score)
    found = search(erased, max_conditions=0, scoring=own).fit(X, y)
    status = dict(zip(found.cv_results_["pattern"], found.cv_results_["status"], strict=True))
    assert status["y == 1"] == "infeasible"


@pytest.mark.parametrize(
    ("corruption", "params", "message"),
    [
        (CorruptMissing("a"), {"corrupt_columns": ["b"]}, "corrupt_columns=.* own columns"),
        ("labels", {"pattern_columns": {"a": ["b"]}}, "hits no column; pass a list"),
        ("missing", {"pattern_columns": {"a": ["b"]}, "corrupt_columns": ["b"]}, "a cannot be hit"),
        (CorruptMissing(["a", "b"]), {}, "raise it to 2, or pass own_column='allowed'"),
    ],
)
def test_settings_that_would_do_nothing_are_refused(corruption, params, message):
    X, y = data()
    model = make_pipeline(sklearn.impute.SimpleImputer(), GaussianNB())
    with pytest.raises(ValueError, match=message):
        search(corruption, model, **params).fit(X, y)


@pytest.mark.long
def test_a_confirmation_that_fails_says_so():
    X, y = data()
    found = search("labels").fit(X, y)
    with pytest.warns(sklearn.exceptions.FitFailedWarning, match="fits of the confirmation"):
        found.confirm(X.assign(a=np.inf), y)
    assert np.isnan(found.confirmed_score_)


@pytest.mark.long
def test_parameters_are_routed_to_fit_and_score():
    X, y = data()
    sensitive = pd.Series(np.arange(len(X)) % 2)
    aligned = []

    def gap(y_true, y_pred, sensitive_features):
        aligned.append(len(sensitive_features) == len(y_true))
        first = np.asarray(sensitive_features) == 0
        return -abs(y_pred[first].mean() - y_pred[~first].mean())

    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(gap).set_score_request(sensitive_features=True)
        model = LogisticRegression().set_fit_request(sample_weight=True)
        passed = {"sensitive_features": sensitive, "sample_weight": np.linspace(0.5, 1.5, len(X))}
        found = search("labels", model, scoring=scorer, confirm_size=0.25).fit(X, y, **passed)
        scores = cross_validate_corrupted(
            model, X, y, CorruptLabels(), scoring=scorer, params=passed, cv=2, random_state=0
        )["test_score"]
    assert found.worst_score_ <= found.baseline_score_ <= 0
    assert np.isfinite(scores).all()
    assert aligned and all(aligned)
