"""Fairness metrics, against loops over people that know nothing of tables of counts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcorrupt.metrics import (
    average_odds_difference,
    equal_opportunity_difference,
    error_rate_difference,
    make_fairness_scorer,
    stage_fairness,
    statistical_parity_difference,
)
from skcorrupt.metrics._row_score import row_score_of
from skcorrupt.patterns import Pattern

METRICS = {
    "spd": statistical_parity_difference,
    "eod": equal_opportunity_difference,
    "aod": average_odds_difference,
    "erd": error_rate_difference,
}


def rate(people, condition, event):
    chosen = [p for p in people if condition(p)]
    return sum(event(p) for p in chosen) / len(chosen)


def by_hand(y, guess, group):
    """Equation 1 as it is printed."""
    people = list(zip(y, guess, group, strict=True))

    def gap(truth, event):
        return rate(people, lambda p: p[2] == 0 and p[0] in truth, event) - rate(
            people, lambda p: p[2] == 1 and p[0] in truth, event
        )

    spd = gap((0, 1), lambda p: p[1] == 1)
    tpr, fpr = gap((1,), lambda p: p[1] == 1), gap((0,), lambda p: p[1] == 1)
    fnr = gap((1,), lambda p: p[1] == 0)
    return {"spd": spd, "eod": tpr, "aod": (tpr + fpr) / 2, "erd": fpr + fnr}


# every group has people of both labels, so that every rate is defined
decisions = st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=0, max_size=40).map(
    lambda rows: np.array([*rows, *[(a, y, 0, 1) for a in (0, 1) for y in (0, 1)]])
)


@settings(max_examples=80, deadline=None)
@given(rows=decisions)
def test_metrics_are_the_printed_equation(rows):
    group, y, guess, _ = rows.T
    expected = by_hand(y, guess, group)
    for name, metric in METRICS.items():
        found = metric(y, guess, sensitive_features=group, privileged=1, pos_label=1)
        assert found == pytest.approx(expected[name], abs=1e-12)


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(rows=decisions)
def test_a_stage_does_what_the_pipeline_has_more_of(rows):
    """SF_M = M(P) - M(P*), and ERD is no fourth metric."""
    group, y, new, old = rows.T
    common = {"sensitive_features": group, "privileged": 1, "pos_label": 1}
    found = {name: stage_fairness(y, new, old, metric=name, **common) for name in METRICS}
    for name, metric in METRICS.items():
        assert found[name] == pytest.approx(metric(y, new, **common) - metric(y, old, **common))
    assert found["erd"] == pytest.approx(2 * (found["aod"] - found["eod"]))


def test_a_stage_by_the_printed_counts():
    """Equations 3 to 6 on eight people."""
    group = [0, 0, 0, 0, 1, 1, 1, 1]
    y = [1, 1, 0, 0, 1, 1, 0, 0]
    new = [1, 0, 1, 0, 1, 1, 0, 0]
    old = [0, 1, 0, 0, 1, 0, 0, 1]
    common = {"sensitive_features": group, "privileged": 1, "pos_label": 1}
    found = {name: stage_fairness(y, new, old, metric=name, **common) for name in METRICS}
    # unprivileged: true positives +1 -1, false positives +1; privileged: +1, -1
    assert found == {"spd": 0.25, "eod": -0.5, "aod": 0.25, "erd": 1.5}


def test_labels_of_any_kind_and_several_privileged_values():
    race = pd.Series(["a", "b", "c", "a", "b", "c"], dtype="category", index=[5, 5, 1, 2, 3, 4])
    y = pd.Series(["yes", "no", "maybe", "yes", "no", "yes"])
    guess = np.array(["yes", "yes", "no", "no", "maybe", "yes"], dtype=object)
    found = statistical_parity_difference(
        y, guess, sensitive_features=race, privileged=["a", "b"], pos_label="yes"
    )
    assert found == pytest.approx(1 / 2 - 2 / 4)
    flags = pd.array([True, False, True, None, False, True], dtype="boolean")
    found = statistical_parity_difference(
        y, guess, sensitive_features=flags, privileged=True, pos_label="yes"
    )
    assert found == pytest.approx(1 / 2 - 2 / 3)


def test_a_group_without_positives_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match="eod is undefined"):
        found = equal_opportunity_difference(
            [1, 0, 0], [1, 0, 1], sensitive_features=[0, 0, 1], privileged=1, pos_label=1
        )
    assert np.isnan(found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"privileged": "x"}, "nobody is privileged; the values .* are 'f', 'm'"),
        ({"privileged": ["f", "m"]}, "everybody is privileged"),
        ({"sensitive_features": [None, None, None, np.nan]}, "'m': all 4 values .* are missing"),
        ({"pos_label": "1"}, "pos_label='1' should be one of the labels, which are 0, 1"),
        ({"y_true": [1, 0, np.nan, 1]}, "y_true has 1 missing values"),
        ({"y_pred": [[1, 0], [0, 1], [1, 1], [0, 0]]}, "one value for each row"),
        ({"y_true": [1, 0, 1]}, "inconsistent numbers of samples"),
    ],
)
def test_wrong_input_is_named(change, message):
    arguments = {
        "y_true": [1, 0, 1, 0],
        "y_pred": [1, 0, 1, 0],
        "sensitive_features": ["f", "f", "m", "m"],
        "privileged": "m",
        "pos_label": 1,
    } | change
    with pytest.raises(ValueError, match=message):
        statistical_parity_difference(arguments.pop("y_true"), arguments.pop("y_pred"), **arguments)


class TestScorer:
    X = pd.DataFrame({"score": np.arange(40) % 7, "group": ["a", "b"] * 20})
    Y = np.where((np.arange(40) % 7 > 3) & (np.arange(40) % 2 == 0), "good", "bad")

    def test_the_group_is_read_from_the_raw_data(self):
        model = DecisionTreeClassifier(max_depth=1)
        scorer = make_fairness_scorer(
            "eod", sensitive_features="group", privileged="a", pos_label="good"
        )

        class OnScore(DecisionTreeClassifier):
            def fit(self, X, y):
                return super().fit(X[["score"]], y)

            def predict(self, X):
                return super().predict(X[["score"]])

        model = OnScore(max_depth=2).fit(self.X, self.Y)
        guess = model.predict(self.X)
        with pytest.warns(UndefinedMetricWarning):
            equal_opportunity_difference(
                self.Y, guess, sensitive_features=self.X["group"], privileged="a", pos_label="good"
            )
        assert np.isnan(scorer(model, self.X, self.Y))
        spd = make_fairness_scorer(
            "spd", sensitive_features="group", privileged="a", pos_label="good"
        )
        expected = statistical_parity_difference(
            self.Y, guess, sensitive_features=self.X["group"], privileged="a", pos_label="good"
        )
        assert spd(model, self.X, self.Y) == -abs(expected)
        scores = cross_val_score(OnScore(), self.X, self.Y, scoring=spd, cv=3)
        assert (scores <= 0).all() and np.isfinite(scores).all()

    def test_arrays_by_position(self):
        values = np.column_stack([np.arange(40) % 7, np.arange(40) % 2]).astype(float)
        scorer = make_fairness_scorer("spd", sensitive_features=1, privileged=1, pos_label=1)
        model = DecisionTreeClassifier().fit(values, values[:, 1])
        assert scorer(model, values, values[:, 1]) == -1

    @pytest.mark.parametrize("metric", METRICS)
    @pytest.mark.parametrize("labels", [("bad", "good"), (0, 1), (False, True)])
    def test_probabilities_take_the_place_of_decisions(self, metric, labels):
        numbers = self.X.assign(group=self.X["group"] == "a")
        good = (np.arange(len(numbers)) % 5 < 2) | (numbers["score"] > 5)
        y = np.where(good, labels[1], labels[0])
        model = LogisticRegression().fit(numbers, y)
        groups = {"sensitive_features": "group", "privileged": True, "pos_label": labels[1]}
        scorer = make_fairness_scorer(metric, **groups, response="proba")
        group = numbers["group"]
        chance = model.predict_proba(numbers)[:, list(model.classes_).index(labels[1])]

        def gap(who):
            return chance[who & ~group].mean() - chance[who & group].mean()

        expected = {
            "spd": gap(good | ~good),
            "eod": gap(good),
            "aod": (gap(good) + gap(~good)) / 2,
            "erd": gap(~good) - gap(good),
        }
        assert scorer(model, numbers, y) == pytest.approx(-abs(expected[metric]))
        assert scorer(model, numbers, y) != make_fairness_scorer(metric, **groups)(
            model, numbers, y
        )
        assert "response='proba'" in repr(scorer) and scorer.__name__.endswith("probabilities")
        found = row_score_of(scorer, model, numbers, y)
        assert found.total(found.each(found.ask(model, numbers))) == pytest.approx(
            -abs(expected[metric])
        )

    def test_a_label_that_was_not_learned_is_not_expected(self):
        X = self.X.assign(group=self.X["group"] == "a")
        model = DummyClassifier().fit(X, ["bad"] * len(X))
        scorer = make_fairness_scorer(
            "eod", sensitive_features="group", privileged=1, pos_label="good", response="proba"
        )
        y = np.where(np.arange(len(X)) % 3 == 0, "good", "bad")
        assert scorer(model, X, y) == 0

    def test_wrong_use_is_named(self):
        with pytest.raises(ValueError, match="response='both' should be one of"):
            make_fairness_scorer(
                "spd", sensitive_features="g", privileged=1, pos_label=1, response="both"
            )
        asked = make_fairness_scorer(
            "spd", sensitive_features="group", privileged="a", pos_label="good", response="proba"
        )
        with pytest.raises(ValueError, match="LinearSVC does not have"):
            asked(LinearSVC().fit(self.X[["score"]], self.Y), self.X, self.Y)
        with pytest.raises(ValueError, match="metric='dp' should be one of"):
            make_fairness_scorer("dp", sensitive_features="g", privileged=1, pos_label=1)
        scorer = make_fairness_scorer("spd", sensitive_features="sex", privileged=1, pos_label=1)
        with pytest.raises(ValueError, match="no column 'sex'"):
            scorer(DecisionTreeClassifier(), self.X, self.Y)
        model = DummyRegressor().fit(self.X[["score"]], np.arange(40.0))
        with pytest.raises(ValueError, match="DummyRegressor predicts numbers"):
            scorer(model, self.X, np.arange(40.0))
        assert "make_fairness_scorer('spd'" in repr(scorer)


class TestWhoAndWhat:
    """Mistakes that would look like perfect fairness."""

    X = pd.DataFrame({"age": [20, 30, 40, 50], "kind": ["a", "b", "a", "b"]})
    Y = ["no", "yes", "yes", "no"]

    def scorer(self, **change):
        settings = {"sensitive_features": "age", "privileged": [40, 50], "pos_label": "yes"}
        return make_fairness_scorer("spd", **(settings | change))

    def model(self):
        return DecisionTreeClassifier(random_state=0).fit(self.X[["age"]], self.Y)

    def score(self, **change):
        model = Pipeline([("keep", Ages()), ("model", self.model())])
        return self.scorer(**change)(model, self.X, self.Y)

    def test_a_label_that_there_is_not(self):
        with pytest.raises(ValueError, match="pos_label='Yes' should be one of the labels"):
            self.score(pos_label="Yes")
        with pytest.raises(ValueError, match="pos_label='Yes' should be one of the labels"):
            statistical_parity_difference(
                self.Y, self.Y, sensitive_features=self.X["kind"], privileged="a", pos_label="Yes"
            )
        # a sample may well have unfavourable labels alone
        assert (
            statistical_parity_difference(
                ["no"] * 4,
                ["no"] * 4,
                sensitive_features=self.X["kind"],
                privileged="a",
                pos_label="yes",
            )
            == 0
        )

    def test_a_condition(self):
        by_values = self.score()
        assert self.score(privileged=Pattern.parse("age >= 40")) == by_values
        gap = statistical_parity_difference(
            self.Y,
            ["yes", "yes", "no", "no"],
            sensitive_features=self.X["age"],
            privileged=Pattern.parse("age < 25"),
            pos_label="yes",
        )
        assert gap == pytest.approx(1 / 3 - 1)
        with pytest.raises(ValueError, match="is about 2 columns"):
            statistical_parity_difference(
                self.Y,
                self.Y,
                sensitive_features=self.X["age"],
                privileged=Pattern.parse("age < 25 and kind == 'a'"),
                pos_label="yes",
            )

    @pytest.mark.parametrize(
        ("privileged", "message"),
        [
            ("age >= 40", r"A condition is Pattern.parse\('age >= 40'\)"),
            ("40", "Did you mean 40, without quotes"),
        ],
    )
    def test_what_may_have_been_meant(self, privileged, message):
        with pytest.raises(ValueError, match=message):
            self.score(privileged=privileged)


class Ages(TransformerMixin, BaseEstimator):
    """Keeps the column age."""

    def __sklearn_is_fitted__(self):
        return True

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[["age"]]


def test_groups_whose_labels_are_those_of_y_in_another_order_are_told():
    y, predicted = pd.Series([1, 0, 1, 0, 1, 1]), [1, 0, 1, 1, 0, 1]
    groups = pd.Series([*"aabbab"])
    given = {"privileged": "a", "pos_label": 1}
    expected = statistical_parity_difference(y, predicted, sensitive_features=groups, **given)
    for other in (groups.to_list(), groups.set_axis([*"uvwxyz"]), groups.to_numpy()):
        found = statistical_parity_difference(y, predicted, sensitive_features=other, **given)
        assert found == expected
    told = "sensitive_features has the labels of y_true in another order"
    with pytest.warns(UserWarning, match=told):
        statistical_parity_difference(y, predicted, sensitive_features=groups[::-1], **given)
    with pytest.warns(UserWarning, match=told):
        stage_fairness(y, predicted, y, sensitive_features=groups[::-1], **given)


def test_a_scorer_asks_for_the_name_of_a_column():
    with pytest.raises(TypeError, match=r"should be the name of a column of X"):
        make_fairness_scorer(
            "spd", sensitive_features=pd.Series([*"ab"]), privileged="a", pos_label=1
        )
