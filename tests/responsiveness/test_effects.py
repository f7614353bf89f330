"""What follows from interventions: sums, noise, structural models and functions."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kstest

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    CallableEffect,
    CausalEffect,
    Effect,
    LinearEffect,
    NoiseEffect,
    ReachableSampler,
    ResponsivenessAuditor,
)


def actions_of(*effects):
    return ActionSet(
        [
            ActionElement("months", "integer", 0, 36, direction="increase"),
            ActionElement("age", "integer", 18, 45, actionable=False),
            ActionElement("risk", "real", 0.0, 10.0, actionable=False),
            ActionElement("rate", "real", 0.0, 100.0, actionable=False),
        ],
        effects,
    )


PERSON = pd.DataFrame({"months": [6], "age": [43], "risk": [5.0], "rate": [8.0]})


def test_a_sum_of_changes_cut_to_whole_numbers_and_to_the_bounds():
    actions = actions_of(LinearEffect("age", {"months": 1 / 12}, whole=True))
    points = ReachableSampler(actions).enumerate(PERSON)
    months = np.arange(6, 37)
    assert points["months"].tolist() == months.tolist()
    assert points["age"].tolist() == np.minimum(45, 43 + (months - 6) // 12).tolist()
    assert points["age"].dtype == PERSON["age"].dtype
    with pytest.raises(ValueError, match="takes 'age' beyond its bounds \\[18, 45\\]; widen"):
        refusing = LinearEffect("age", {"months": 0.1}, outside="refuse")
        ReachableSampler(actions_of(refusing)).enumerate(PERSON)


def test_effects_follow_one_another_in_order():
    actions = actions_of(
        LinearEffect("risk", {"months": 0.1}), LinearEffect("rate", {"risk": 2.0, "months": -0.1})
    )
    points = ReachableSampler(actions).enumerate(PERSON)
    moved = points["months"] - 6
    np.testing.assert_allclose(points["risk"], 5 + 0.1 * moved)
    np.testing.assert_allclose(points["rate"], 8 + 0.1 * moved)


def test_noise_has_the_distribution_asked_for():
    noise = NoiseEffect(["risk", "rate"], covariance=[[0.25, 0.1], [0.1, 0.16]])
    sampler = ReachableSampler(actions_of(noise))
    points = sampler.sample(PERSON, 20_000, random_state=0)
    drawn = (points[["risk", "rate"]] - [5.0, 8.0]).to_numpy()
    np.testing.assert_allclose(np.cov(drawn.T), [[0.25, 0.1], [0.1, 0.16]], atol=0.01)
    assert kstest(drawn[:, 0] / 0.5, "norm").pvalue > 1e-4
    assert abs(np.corrcoef(points["months"], drawn[:, 0])[0, 1]) < 0.03
    with pytest.raises(ValueError, match=r"NoiseEffect.*: random"):
        sampler.enumerate(PERSON)


def test_noise_in_units_of_the_present_value():
    sampler = ReachableSampler(actions_of(NoiseEffect("rate", 0.1, relative=True)))
    points = sampler.sample(PERSON, 5_000, random_state=0)
    assert points["rate"].std() == pytest.approx(0.8, rel=0.05)


@pytest.mark.parametrize("outside", ["clip", "redraw", "refuse"])
def test_noise_beyond_the_bounds(outside):
    sampler = ReachableSampler(actions_of(NoiseEffect("risk", 10.0, outside=outside)))
    if outside == "refuse":
        with pytest.raises(ValueError, match="takes 'risk' beyond its bounds"):
            sampler.sample(PERSON, 1_000, random_state=0)
        return
    risk = sampler.sample(PERSON, 4_000, random_state=0)["risk"]
    assert risk.between(0, 10).all()
    at_bounds = risk.isin([0.0, 10.0]).mean()
    # 5 is half a standard deviation from either bound
    assert at_bounds == (pytest.approx(0.617, abs=0.03) if outside == "clip" else 0)


def test_a_structural_model_keeps_what_is_the_persons_own():
    model = CausalEffect({"rate": "3 * risk - 0.5 * months", "risk": "0.2 * months"})
    assert model.targets == ("risk", "rate") and model.sources == ("months",)
    points = ReachableSampler(actions_of(model)).enumerate(PERSON)
    months = points["months"].to_numpy(dtype=float)
    # abduction by hand: what the equations do not explain
    own_risk, own_rate = 5.0 - 0.2 * 6, 8.0 - (3 * 5.0 - 0.5 * 6)
    risk = 0.2 * months + own_risk
    # what follows from a column follows from the value that it can have
    risk = np.minimum(risk, 10)
    np.testing.assert_allclose(points["risk"], risk)
    expected = 3 * risk - 0.5 * months + own_rate
    np.testing.assert_allclose(points["rate"], expected)


def test_a_structural_model_with_noise():
    model = CausalEffect({"rate": "-0.5 * months"}, noise={"rate": 0.2})
    points = ReachableSampler(actions_of(model)).sample(PERSON, 4_000, random_state=0)
    left = points["rate"] - (8 - 0.5 * (points["months"] - 6))
    inside = points["months"] < 20
    assert kstest(left[inside] / 0.2, "norm").pvalue > 1e-4


def test_a_function_of_ones_own():
    def effect(X, A, rng):
        assert list(X) == list(A) == ["months", "age", "risk", "rate"]
        return np.column_stack([A["months"] / 10, X["risk"] * 0 + rng.uniform(size=len(A))])

    function = CallableEffect(effect, "months", ["risk", "rate"])
    points = ReachableSampler(actions_of(function)).sample(PERSON, 200, random_state=0)
    np.testing.assert_allclose(points["risk"], 5 + (points["months"] - 6) / 10)
    assert points["rate"].between(8, 9).all() and points["rate"].nunique() == 200
    with pytest.raises(ValueError, match="has no JSON, because it is a function"):
        actions_of(function).to_dict()
    wrong = CallableEffect(lambda X, A, rng: np.ones(3), "months", "risk")
    with pytest.raises(ValueError, match="returned shape \\(3,\\); it should be \\(5, 1\\)"):
        ReachableSampler(actions_of(wrong)).sample(PERSON, 5)


def test_an_audit_draws_where_effects_are_random():
    class Above:
        classes_ = (0, 1)

        def predict(self, X):
            return (X["risk"] > 5.5).to_numpy().astype(int)

    people = pd.concat([PERSON] * 300, ignore_index=True)
    for effect, exact in (
        (LinearEffect("risk", {"months": 0.1}), True),
        (NoiseEffect("risk", 1.0), False),
    ):
        auditor = ResponsivenessAuditor(
            Above(), actions_of(effect), target="flip", n_samples=100,
            random_state=0,
        ).fit(people)  # fmt: skip
        assert (auditor.results_["exact"] == exact).all()
        share = 25 / 31 if exact else 0.3085
        assert auditor.results_["responsiveness"].mean() == pytest.approx(share, abs=0.01)


def test_json_gives_the_effects_again():
    effects = [
        LinearEffect("age", {"months": 1 / 12}, whole=True, outside="refuse"),
        NoiseEffect(["risk", "rate"], [0.1, 0.2], relative=True),
        NoiseEffect("rate", covariance=np.eye(1), outside="clip"),
        CausalEffect({"rate": "0.1 * risk"}, noise={"rate": 0.5}, outside="redraw"),
    ]
    actions = actions_of(*effects)
    again = ActionSet.from_dict(json.loads(json.dumps(actions.to_dict())))
    assert again.to_dict() == actions.to_dict()
    one, other = (ReachableSampler(a).sample(PERSON, 20, random_state=0) for a in (actions, again))
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LinearEffect("age", {}), "one or more columns other than 'age'"),
        (lambda: LinearEffect("age", {"age": 1}), "one or more columns other than 'age'"),
        (lambda: NoiseEffect("age"), "scale=None and covariance=None; exactly one"),
        (
            lambda: NoiseEffect("age", 2.0, covariance=[[4.0]]),
            r"scale=2.0 and covariance=\[\[4.0\]\]",
        ),
        (lambda: NoiseEffect("age", 0), "scale=0 should be above 0"),
        (lambda: NoiseEffect("age", covariance=[[1, 2]]), "should be symmetric"),
        (lambda: NoiseEffect(["age", "risk"], covariance=[[1, 2], [2, 1]]), "positive definite"),
        (lambda: CausalEffect({"age": "delta(months)"}), "it should follow columns"),
        (lambda: CausalEffect({"age": "risk", "risk": "age"}), "in a circle"),
        (lambda: CausalEffect({"age": "risk"}, noise={"rate": 1}), "for columns that have one"),
        (lambda: actions_of(LinearEffect("wage", {"months": 1})), "there is no column 'wage'"),
        (lambda: actions_of(LinearEffect("age", {"months": 1}, outside="redraw")), "should be one"),
        (lambda: actions_of(NoiseEffect("age", 1, outside="drop")), "outside='drop'"),
        (lambda: Effect.from_dict({"effect": "Magic"}), "effect='Magic' should be one of"),
        (
            lambda: Effect.from_dict({"effect": "LinearEffect"}),
            "target is missing; LinearEffect has",
        ),
    ],
)
def test_wrong_effects_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
