"""Rules that the data keep are proposed, and nobody forgets them without a word."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from skcorrupt import ResponsivenessAuditor
from skcorrupt.responsiveness import ActionElement, ActionSet, OneHot, suggest_constraints

N = 200


def flags(codes, names):
    return pd.DataFrame({name: (codes == k).astype(int) for k, name in enumerate(names)})


@pytest.fixture
def people():
    rng = np.random.default_rng(0)
    home = flags(rng.integers(0, 3, N), ["home_rent", "home_own", "home_free"])
    # names that have nothing in common
    job = flags(rng.integers(0, 3, N), ["unskilled", "skilled", "management"])
    passed = rng.integers(0, 4, N)
    savings = {f"savings_over_{k}00": (passed > k).astype(int) for k in range(3)}
    loan = flags(rng.integers(0, 3, N), ["loan_car", "loan_study"])
    apart = {f"other_{k}": rng.integers(0, 2, N) for k in range(4)}
    return pd.concat([home, job, pd.DataFrame(savings), loan, pd.DataFrame(apart)], axis=1)


def proposed(X, **options):
    actions = ActionSet.from_data(X, rules=(), **options)
    return [str(rule) for rule in suggest_constraints(X, actions)]


def test_columns_of_0_and_1(people):
    assert proposed(people) == [
        "OneHot(columns=['home_rent', 'home_own', 'home_free'])",
        "OneHot(columns=['unskilled', 'skilled', 'management'])",
        "Thermometer(columns=['savings_over_000', 'savings_over_100', 'savings_over_200'], "
        "direction='both')",
        "loan_car + loan_study <= 1",
    ]
    # what nobody acts on needs no rule
    assert proposed(people, actionable=["other_1"]) == []
    assert len(proposed(people, actionable=["home_own"])) == 1


def test_numbers():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"years": rng.integers(0, 30, N), "one": rng.normal(size=N)})
    X["months"], X["two"] = 12 * X["years"] + 3, rng.normal(size=N)
    X["total"] = X["one"] + X["two"]
    assert proposed(X, actionable=["years", "one"]) == [
        "DirectionalLinkage(source='years', targets=['months'], scale=[12.0], relation='==')",
        "DirectionalLinkage(source='one', targets=['total'], scale=[1.0], relation='==')",
    ]
    assert proposed(X) == [
        "delta(months) == 12 * delta(years)",
        "delta(total) == delta(one) + delta(two)",
    ]


def test_what_is_proposed_can_be_asked_for_and_is_not_proposed_again(people):
    people["months"] = 12.0 * np.arange(N)
    people["years"] = np.arange(N)
    actions = ActionSet.from_data(people, rules="suggested")
    assert len(actions.constraints) == 5 and actions.validate(people).empty
    assert suggest_constraints(people, actions) == []


def test_chance_proposes_nothing():
    rng = np.random.default_rng(1)
    for n in (5, 12, 200):
        X = pd.DataFrame({f"a_{k}": rng.integers(0, 2, n) for k in range(12)})
        X["rare_a"], X["rare_b"] = np.eye(2, n, dtype=int)
        assert proposed(X) == []


def test_values_that_are_missing_say_nothing(people):
    gaps = people.astype(float)
    gaps.loc[0, "home_own"] = np.nan
    assert not any("home_own" in rule for rule in proposed(gaps))
    assert "home_rent + home_free <= 1" in proposed(gaps)


def test_nobody_forgets_a_rule_without_a_word(people):
    told = r"keep a rule in every row .* OneHot\(columns=\['home_rent', 'home_own', 'home_free'\]\)"
    with pytest.warns(UserWarning, match=told) as caught:
        actions = ActionSet.from_data(people, ["home_own"])
    assert len(caught) == 1
    elements = [ActionElement(e.name, "bool", actionable=e.actionable) for e in actions]
    mine = ActionSet(elements)
    with pytest.warns(UserWarning, match=told):
        mine.validate(people)
    with warnings.catch_warnings():
        # once is enough, and who says that there is no rule is not told
        warnings.simplefilter("error")
        actions.validate(people)
        mine.validate(people)
        ActionSet.from_data(people, ["home_own"], rules=()).validate(people)
        ActionSet(elements, [OneHot(["home_rent", "home_own", "home_free"])]).validate(people)


def test_without_the_rule_people_seem_to_have_ways_that_nobody_has(people):
    class Model(ClassifierMixin, BaseEstimator):
        """Says yes to those who rent and own."""

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return ((X["home_rent"] == 1) & (X["home_own"] == 1)).astype(int).to_numpy()

    acted = ["home_rent", "home_own", "home_free"]
    model, verdicts = Model().fit(people, [0, 1]), []
    for rules in ((), "suggested"):
        actions = ActionSet.from_data(people, acted, rules=rules)
        auditor = ResponsivenessAuditor(model, actions, target=1, task="preclusion")
        verdicts.append(set(auditor.fit(people).results_["verdict"]))
    assert verdicts == [{"responsive"}, {"unresponsive"}]


def test_what_is_no_action_set_is_refused():
    X = pd.DataFrame({"a": [0, 1] * 10})
    with pytest.raises(TypeError, match=r"actions=3 should be an ActionSet; make one by"):
        suggest_constraints(X, 3)
