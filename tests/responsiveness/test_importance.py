"""Points by importance: width, validity whatever the score says, and all that an audit gives."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression

from skcorrupt.report import write_html
from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    NoiseEffect,
    ResponsivenessAuditor,
    ResponsivenessDisplay,
)
from skcorrupt.stats import clopper_pearson


class Corner(ClassifierMixin, BaseEstimator):
    """Hits where two columns add up to much, and in an island where they do not."""

    classes_ = np.array([0, 1])

    def __init__(self, share=0.05, island=0.0):
        self.share = share
        self.island = island

    def __sklearn_is_fitted__(self):
        return True

    def near(self, X):
        """How far a point is beyond the boundary."""
        u = np.asarray(X, dtype=float)
        return u[:, 0] + u[:, 1] - (2 - np.sqrt(2 * self.share))

    def predict(self, X):
        """Whether it hits."""
        u = np.asarray(X, dtype=float)
        return ((self.near(X) > 0) | ((u[:, 0] < 0.5) & (u[:, 1] < 2 * self.island))).astype(int)


class Scored(Corner):
    """The same with a score, which knows nothing of the island."""

    def decision_function(self, X):
        """How far a point is beyond the boundary."""
        return self.near(X)


class Reversed(Corner):
    """The same with a score that says the opposite."""

    def decision_function(self, X):
        """How far a point is on the other side."""
        return -self.near(X)


def people(n):
    X = pd.DataFrame(0.4, index=range(n), columns=["a", "b"])
    return X, ActionSet([ActionElement(name, "real", 0.0, 1.0) for name in X])


def audit_of(model, n=1, actions=None, **params):
    X, plain = people(n)
    params = {"target": 1, "n_samples": "importance", "random_state": 0} | params
    return ResponsivenessAuditor(model, actions or plain, **params).fit(X)


def test_few_points_tell_a_rare_share():
    auditor = audit_of(Scored(0.004), epsilon=0.004)
    row = auditor.results_.iloc[0]
    assert row["n"] <= auditor.n_samples_ == 25_000 and not row["exact"]
    assert row["ci_low"] < 0.004 < row["ci_high"] and 0 < row["hits"] < row["n"]
    assert "by importance" in row["method"]
    low, high = clopper_pearson(0.004 * 15 * row["n"], 15 * row["n"])
    assert row["ci_high"] - row["ci_low"] < high - low


@pytest.mark.parametrize(
    ("model", "share", "epsilon", "n"),
    [
        (Scored(0.1), 0.1, 0.1, 20),
        (Scored(0.5), 0.5, 0.5, 20),
        pytest.param(Scored(0.05, 0.05), 0.1, 0.1, 60, marks=pytest.mark.slow),
        pytest.param(Reversed(0.1), 0.1, 0.1, 60, marks=pytest.mark.slow),
        pytest.param(Corner(0.05, 0.05), 0.1, 0.1, 60, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("direction", ["at_most", "at_least"])
def test_intervals_hold_and_claims_at_the_threshold_are_seldom(model, share, epsilon, n, direction):
    found = audit_of(
        model, n, epsilon=epsilon, direction=direction, multiplicity=None, alpha=0.1
    ).results_
    missed = (found["ci_low"] > share) | (found["ci_high"] < share)
    claimed = found["verdict"] != "undecided"
    assert missed.sum() <= binom.ppf(0.9999, n, 0.1)
    assert claimed.sum() <= binom.ppf(0.9999, n, 0.1)
    error = found["responsiveness"].std() / np.sqrt(n)
    assert abs(found["responsiveness"].mean() - share) <= 4 * error


class Spread(Scored):
    """Hits all over the place, of which a score tells nothing."""

    def predict(self, X):
        """Whether a point hits."""
        return (np.asarray(X, dtype=float)[:, 0] * 1e6 % 1 < self.share).astype(int)


@pytest.mark.long
def test_where_no_score_tells_points_are_drawn_alike():
    with pytest.warns(UserWarning, match="gains little for .* of 10 people") as told:
        found = audit_of(Spread(0.1), 10, epsilon=0.1, multiplicity=None).results_
    assert len(told) == 1
    alike = found[found["method"].str.contains("alike")]
    assert len(alike) >= 7 and (alike["n"] == 1_000).all()
    missed = (found["ci_low"] > 0.1) | (found["ci_high"] < 0.1)
    assert missed.sum() <= binom.ppf(0.9999, 10, 0.05)
    # all count the same but those that were learned from, a fifth at most
    narrow, wide = (
        np.subtract(*clopper_pearson(alike["responsiveness"] * n, n)[::-1]) for n in (1_000, 800)
    )
    assert (alike["ci_high"] - alike["ci_low"]).between(narrow, wide).all()


def test_a_score_that_tells_is_used():
    for model in (Scored(0.05), Corner(0.05)):
        assert "by importance" in audit_of(model, epsilon=0.05).results_["method"].iloc[0]


@pytest.mark.parametrize(("model", "share"), [(Scored(1e-9), 0.0), (Scored(2.0), 1.0)])
def test_none_and_all(model, share):
    row = audit_of(model, task=None).results_.iloc[0]
    assert row["responsiveness"] == pytest.approx(share)
    assert row["ci_low"] <= share <= row["ci_high"] and row["hits"] == share * row["n"]
    assert 1e-3 < row["ci_high"] - row["ci_low"] < 0.03
    assert row["verdict"] == ("undecided" if share else "unresponsive")


def test_verdicts_of_both_sides_are_right():
    X, _ = people(2)
    X["a"] = [0.1, 0.9]
    still = ActionElement("a", "real", 0.0, 1.0, actionable=False)
    actions = ActionSet([still, ActionElement("b", "real", 0.0, 1.0)])
    for direction, verdict in (("at_most", "unresponsive"), ("at_least", "responsive")):
        auditor = ResponsivenessAuditor(
            Scored(0.1), actions, target=1, direction=direction, n_samples="importance"
        )
        found = auditor.set_params(random_state=0).fit(X).results_
        assert found["verdict"].tolist().count(verdict) == 1
        assert found["responsiveness"].tolist() == pytest.approx([0, 0.3472], abs=0.01)


@pytest.mark.long
def test_the_same_for_any_number_of_workers_and_beside_other_models():
    alone = audit_of(Scored(0.05), 2)
    assert alone.results_.equals(audit_of(Scored(0.05), 2, n_jobs=2).results_)
    both = alone.audit({"other": Corner(0.05), "same": Scored(0.05)})
    same = both[both["model"] == "same"].drop(columns="model")
    assert same[["n", "hits", "ci_low", "p_value"]].equals(
        alone.results_[["n", "hits", "ci_low", "p_value"]]
    )
    assert len(both) == 4 and both["responsiveness"].between(0.02, 0.1).all()


def test_examples_attributions_and_power():
    auditor = audit_of(Scored(0.3))
    points = auditor.examples(0)
    assert len(points) == auditor.results_["hits"].iloc[0]
    assert (Scored(0.3).predict(points) == 1).all()
    alone = auditor.attributions_.set_index("feature")
    # of the other column, which stays at .4, .8254 is missing
    assert alone["responsiveness"].tolist() == pytest.approx([0.1746, 0.1746], abs=0.01)
    with pytest.raises(ValueError, match="did not draw by importance"):
        ResponsivenessDisplay.from_auditor(auditor).plot("power")


@pytest.mark.long
def test_a_page_and_json_of_an_audit(tmp_path):
    auditor = audit_of(Scored(0.3), 12)
    page = write_html(auditor, tmp_path / "audit.html").read_text(encoding="utf-8")
    assert "points near the decision boundary were drawn more often" in page
    assert "How likely the claim is" not in page
    back = ResponsivenessAuditor.from_json(auditor.to_json(tmp_path / "audit.json"))
    assert back.results_["method"].tolist() == auditor.results_["method"].tolist()
    assert write_html(back, tmp_path / "again.html").exists()


def test_points_that_can_be_listed_have_known_masses():
    X = pd.DataFrame(0, index=range(2), columns=["a", "b"])
    actions = ActionSet([ActionElement(name, "integer", 0, 99) for name in X])

    class Far(Scored):
        def near(self, X):
            """How far the sum is above 185.5."""
            return np.asarray(X, dtype=float).sum(axis=1) - 185.5

        def predict(self, X):
            """Whether it is above."""
            return (self.near(X) > 0).astype(int)

    found = (
        ResponsivenessAuditor(Far(), actions, target=1, n_samples="importance", random_state=0)
        .fit(X)
        .results_
    )
    # 13 + 12 + ... + 1 of 10,000
    assert found["responsiveness"].tolist() == pytest.approx([0.0091, 0.0091], rel=1e-3)
    assert found["method"].str.contains("of 10000 points, by importance").all()


def test_noise_and_categories_and_numbers():
    X = pd.DataFrame({"kind": ["x", "y"], "a": [0.4, 0.4], "b": [0.2, 0.2]})
    elements = [
        ActionElement("kind", "categorical", values=["x", "y", "z"]),
        ActionElement("a", "real", 0.0, 1.0),
        ActionElement("b", "real", 0.0, 1.0, actionable=False),
    ]
    actions = ActionSet(elements).add(NoiseEffect("b", 0.1, outside="clip"))

    class Numbers(LinearRegression):
        def predict(self, X):
            """A sum, for one kind."""
            return np.where(X["kind"] == "z", X["a"] + X["b"], 0.0)

    model = Numbers().fit(X[["a", "b"]], [0.0, 1.0])
    auditor = ResponsivenessAuditor(
        model, actions, target=(1.0, None), n_samples="importance", random_state=0
    )
    found = auditor.fit(X).results_
    assert (found["ci_low"] < 0.2 / 3).all() and (found["ci_high"] > 0.2 / 3).all()
    asked = auditor.set_params(target=lambda new, old, X: new >= 1.0).fit(X).results_
    assert (asked["ci_low"] < 0.2 / 3).all() and (asked["ci_high"] > 0.2 / 3).all()
