"""Action sets and audits that once went wrong."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare, kstest

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    CallableEffect,
    CausalEffect,
    DirectionalLinkage,
    LinearEffect,
    MutabilitySwitch,
    NoiseEffect,
    Reachability,
    ReachableSampler,
    ResponsivenessAuditor,
)


class Model:
    """Predicts 1 where a function of the frame is true."""

    classes_ = (0, 1)

    def __init__(self, function):
        self.function = function

    def predict(self, X):
        """Ask the function."""
        return np.asarray(self.function(X)).astype(int)


def test_a_budget_does_not_undo_what_a_rule_lists():
    X = pd.DataFrame({f"v{i}": [0, 30] for i in range(12)})
    actions = ActionSet.from_data(X)
    actions.add(Reachability(["v0"], [[0], [7], [30]], [[1, 1, 1]] * 3))
    actions.add(" + ".join(f"abs(delta(v{i}))" for i in range(12)) + " <= 20")
    points = ReachableSampler(actions).sample(X.iloc[[0]], 500, random_state=0)
    assert set(points["v0"]) == {0, 7}
    assert points.sum(axis=1).max() <= 20


def test_a_bound_that_leaves_a_single_real_value_is_a_case():
    X = pd.DataFrame({"acct": [1, 1, 0], "sav": [5.5, 8.2, 0.0]})
    actions = ActionSet.from_data(X).add("if acct == 0 then sav <= 0")
    model = Model(lambda F: F["acct"] == 0)
    auditor = ResponsivenessAuditor(model, actions, target=1, task="preclusion", random_state=0)
    results = auditor.fit(X).results_
    assert (results["verdict"] == "responsive").all()


def test_a_few_values_of_a_real_column_are_a_case_each():
    X = pd.DataFrame({"acct": [1, 1, 0], "sav": [5.5, 8.2, 0.0]})
    actions = ActionSet.from_data(X).add("if acct == 0 then sav in (0.0, 1.0)")
    points = ReachableSampler(actions).sample(X.iloc[[2]], 3_000, random_state=0)
    closed = points["sav"][points["acct"] == 0]
    shares = [(closed == 0).sum(), (closed == 1).sum(), (points["acct"] == 1).sum()]
    assert sum(shares) == 3_000 and chisquare(shares).pvalue > 1e-4


@pytest.mark.parametrize(
    ("rules", "in_the_case"),
    [
        (["a + b == 10", "if acct == 0 then a == 0.0"], (0.0, 10.0)),
        (["b := delta(a)", MutabilitySwitch("acct", "b")], (5.0, 5.0)),
    ],
)
def test_a_case_that_fixes_what_follows_from_another_column(rules, in_the_case):
    elements = [
        ActionElement("acct", "bool"),
        ActionElement("a", "real", 0.0, 10.0),
        ActionElement("b", "real", 0.0, 10.0, actionable=rules[0].startswith("a")),
    ]
    sampler = ReachableSampler(ActionSet(elements, rules))
    points = sampler.sample(np.array([1, 5.0, 5.0]), 2_000, random_state=0)
    case = points["acct"] == 0
    assert abs(case.mean() - 0.5) < 0.05
    assert (points.loc[case, ["a", "b"]].to_numpy() == in_the_case).all()
    assert points.loc[~case, "a"].nunique() > 900


def test_a_case_that_fixes_a_column_of_an_equation_leaves_the_others():
    elements = [ActionElement("acct", "bool")]
    elements += [ActionElement(name, "real", 0.0, 10.0) for name in "abc"]
    rules = ["a + b + c == 10", "if acct == 0 then a == 0.0"]
    sampler = ReachableSampler(ActionSet(elements, rules))
    points = sampler.sample(np.array([1, 5.0, 5.0, 0.0]), 4_000, random_state=0)
    case = points["acct"] == 0
    assert abs(case.mean() - 0.5) < 0.04 and (points["a"][case] == 0).all()
    assert kstest(points["b"][case] / 10, "uniform").pvalue > 1e-4
    np.testing.assert_allclose(points[["a", "b", "c"]].sum(axis=1), 10)


def test_a_real_column_that_cannot_move_leaves_all_points_to_be_listed():
    X = pd.DataFrame({"acct": [0, 1], "bal": [1.5, 4.5], "n": [0, 3]})
    actions = ActionSet.from_data(X)
    actions["bal"].direction = "increase"
    actions.add(MutabilitySwitch("acct", ["bal", "n"]))
    sampler = ReachableSampler(actions)
    assert len(sampler.enumerate(X.iloc[[1]])) == 5
    points = sampler.sample(X.iloc[[1]], 5_000, random_state=0)
    counts = points.groupby(["acct", "n"]).size()
    assert len(counts) == 5 and chisquare(counts).pvalue > 1e-4


def test_bounds_of_categories_are_kept_in_json():
    X = pd.DataFrame({"job": ["a", "b", "c"]})
    actions = ActionSet.from_data(X)
    actions["job"].ub = 1
    again = ActionSet.from_dict(json.loads(json.dumps(actions.to_dict())))
    assert len(ReachableSampler(actions).enumerate(X[:1])) == 2
    assert len(ReachableSampler(again).enumerate(X[:1])) == 2


def test_the_order_of_categories_can_be_set_after_a_rule():
    X = pd.DataFrame({"job": ["none", "part", "full"]})
    actions = ActionSet.from_data(X)
    values = [["none"], ["part"], ["full"]]
    actions.add(Reachability(["job"], np.array(values), [[1, 1, 0], [0, 1, 1], [0, 0, 1]]))
    actions["job"].values = ["none", "part", "full"]
    assert ReachableSampler(actions).enumerate(X[:1])["job"].tolist() == ["none", "part"]
    json.dumps(actions.to_dict())


def test_a_sampler_keeps_the_actions_it_was_made_with():
    X = pd.DataFrame({"a": [0, 4]})
    actions = ActionSet.from_data(X)
    sampler = ReachableSampler(actions)
    assert len(sampler.enumerate(X[:1])) == 5
    actions["a"].ub = 10
    assert len(sampler.enumerate(X[:1])) == 5
    assert len(ReachableSampler(actions).enumerate(X[:1])) == 11


def test_what_follows_from_a_column_follows_from_the_value_it_has():
    X = pd.DataFrame({"w": [0.0, 10.0], "h": [0.5, 1.2], "z": [0.1, 9.3]})
    actions = ActionSet.from_data(X, ["w"])
    actions["z"].ub = 100
    actions.add(CausalEffect({"h": "1 * w", "z": "2 * h"}))
    points = ReachableSampler(actions).sample(X[:1], 50, random_state=0)
    np.testing.assert_allclose(points["z"], 0.1 + 2 * (points["h"] - 0.5))
    assert points["h"].max() == 1.2


def test_attributions_with_functions_and_with_nothing_to_act_on():
    X = pd.DataFrame({"a": [0, 1, 2], "r": [0.5, 1.0, 2.5]})
    model = Model(lambda F: F["r"] > 1.2)
    effect = CallableEffect(lambda X, A, rng: A["a"] / 2, "a", "r", is_random=False)
    actions = ActionSet.from_data(X, ["a"]).add(effect)
    auditor = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(X)
    assert auditor.attributions_["responsiveness"].tolist() == (
        auditor.results_["responsiveness"].tolist()
    )
    noise = ActionSet.from_data(X, []).add(NoiseEffect("r", 0.1))
    auditor = ResponsivenessAuditor(model, noise, target=1, random_state=0).fit(X)
    assert auditor.attributions_.empty and "feature" in auditor.attributions_


@pytest.mark.parametrize("scale", [1e3, 1e8, 1e10])
def test_equations_between_large_numbers_hold(scale):
    elements = [
        ActionElement(name, "real", 0.0, high * scale)
        for name, high in zip("abc", (1, 1, 9), strict=True)
    ]
    sampler = ReachableSampler(ActionSet(elements, ["c == a + b"]))
    x = np.array([0.3, 0.4, 0.7]) * scale
    found = sampler.explain(x)
    assert found["acceptance"].tolist() == [1.0]


def test_a_column_that_stays_in_a_case_and_cases_that_contradict_each_other():
    elements = [ActionElement("p", "bool"), ActionElement("r", "real", 0.0, 5.0)]
    actions = ActionSet(elements, ["if p == 0 then delta(r) == 0"])
    points = ReachableSampler(actions).sample(np.array([1, 2.0]), 500, random_state=0)
    assert (points["r"][points["p"] == 0] == 2.0).all() and 0 < points["p"].mean() < 1
    elements.append(ActionElement("q", "bool"))
    rules = [
        "if p == 0 then r == 0.0 else r == 1.5",
        "if q == 0 then r == 0.0 else r == 2.5",
    ]
    points = ReachableSampler(ActionSet(elements, rules)).enumerate(np.array([0, 0.0, 0]))
    assert points.to_numpy().tolist() == [[0, 0, 0]]


def test_ordered_categories_bring_their_order():
    levels = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    X = pd.DataFrame({"level": pd.Series(["low", "high", "mid"], dtype=levels)})
    actions = ActionSet.from_data(X)
    actions["level"].direction = "increase"
    points = ReachableSampler(actions).enumerate(X[1:2])
    assert points["level"].tolist() == ["high"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda X: ActionSet.from_data(X.to_numpy(), actionable=[7]), "7 is not among"),
        (
            lambda X: DirectionalLinkage("a", "b", np.nan),
            "should be a number of 1e-100 to 1e.100 in size",
        ),
        (lambda X: ActionElement("a", "real", 0, np.inf), "should be a finite number"),
        (lambda X: ActionElement("a", "integer", 0, 3, step=np.inf), "step=inf"),
        (lambda X: ActionElement("a", "integer", 0, 3, step="a"), "step='a'"),
        (lambda X: ActionElement("a", "integer", 0, 3, change=(np.nan, None)), "change="),
    ],
)
def test_wrong_numbers_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make(pd.DataFrame({"a": [0, 1], "b": [2, 3]}))


@pytest.mark.parametrize("actionable", [[0, "x1"], np.array([0]), [0, 9]])
def test_columns_that_are_given_by_place_are_told_by_name(actionable):
    X = np.arange(6.0).reshape(2, 3)
    said = (
        r"^actionable=\[0(, .*)?\]: 0(, 9)? .* columns x0, x1, x2; .*: column 0 is called 'x0'\.$"
    )
    with pytest.raises(ValueError, match=said):
        ActionSet.from_data(X, actionable=actionable)
    with pytest.raises(ValueError, match=r"\['c'\]: 'c' is not among .* x2; pass names of these"):
        ActionSet.from_data(X, actionable=["c"])


def test_functions_and_models_of_the_wrong_shape_are_refused():
    X = pd.DataFrame({"a": [0, 1, 2], "g": ["p", None, "q"]})
    actions = ActionSet.from_data(X, ["a"])
    model = Model(lambda F: F["a"] > 1)

    def audit(model=model, target=1, **params):
        return ResponsivenessAuditor(model, actions, target=target, **params).fit(X)

    with pytest.raises(ValueError, match=r"population returned shape \(1,\)"):
        audit(population=lambda X, y: [True])
    with pytest.raises(ValueError, match=r"target returned shape \(\) for 9 points"):
        audit(target=lambda new, old, X: True)
    with pytest.raises(ValueError, match=r"predicts shape \(3, 2\) for 3 rows"):
        audit(Model(lambda F: np.zeros((len(F), 2))))
    column = audit(Model(lambda F: (F[["a"]] > 1).to_numpy()))
    assert column.results_["hits"].tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match=r"models=.* should be a mapping"):
        column.audit({})
    assert column.by_group(by="g")["n_people"].to_dict() == {"missing": 1, "p": 1, "q": 1}


def test_a_person_of_another_length_is_refused():
    sampler = ReachableSampler(ActionSet([ActionElement("a", "bool"), ActionElement("b", "bool")]))
    with pytest.raises(ValueError, match=r"x has shape \(3,\).* each of the 2 columns a, b"):
        sampler.sample([0, 1, 1], 5)


def test_missing_values_are_named_before_a_model_is_asked():
    X = pd.DataFrame({"a": [0.0, 1.0, np.nan], "b": [1, 0, 1]})
    actions = ActionSet.from_data(X.iloc[:2])

    class Refuses(Model):
        def predict(self, F):
            if F["a"].isna().any():
                raise RuntimeError("the model met a missing value")
            return super().predict(F)

    model = Refuses(lambda F: F["b"] == 1)
    with pytest.raises(ValueError, match=r"1 of 3 people break .* position 2: a is missing"):
        ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(X)


def test_examples_of_somebody_who_was_left_out():
    X = pd.DataFrame({"a": [0.0, 1.0, np.nan], "b": [1, 0, 1]})
    actions = ActionSet.from_data(X.iloc[:2])
    auditor = ResponsivenessAuditor(
        Model(lambda F: F["b"] == 1), actions, target=1, population="a <= 1", random_state=0
    ).fit(X)
    assert len(auditor.results_) == 2
    with pytest.raises(ValueError, match="This person breaks rules as they are: a is missing"):
        auditor.examples(2)


def test_each_group_says_what_blocks_it():
    X = pd.DataFrame({"works": [0, 1], "income": [10.5, 32.25], "none": [1, 1]})
    actions = ActionSet.from_data(X).add("if none == 1 then works == 0").add("none >= 1")
    shown = ReachableSampler(actions).explain(X.iloc[0])
    assert shown["size"].tolist() == [1, np.inf] and shown["method"].tolist()[1] == "interval"
    assert shown["blocked_by"].tolist() == ["if none == 1 then works == 0", ""]


def test_actions_are_kept_as_they_were_at_the_audit():
    X = pd.DataFrame({"a": [0, 1, 2, 3], "b": [1, 0, 1, 0]})
    actions = ActionSet.from_data(X)
    model = Model(lambda F: F["a"] >= 2)
    auditor = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(X)
    actions["a"].actionable = False
    assert auditor.audit({"same": model})["responsiveness"].tolist() == [0.5] * 4
    assert set(auditor.attributions_["feature"]) == {"a", "b"}


def test_an_effect_that_gives_no_numbers_is_named():
    actions = ActionSet([ActionElement("a", "bool"), ActionElement("b", "integer", 0, 9)])
    actions.add(CallableEffect(lambda X, A, rng: np.full(len(X), np.nan), "a", "b"))
    with pytest.raises(ValueError, match=r"CallableEffect.* values for b that are missing"):
        ReachableSampler(actions).sample([0, 1], 5)
    with pytest.raises(TypeError, match="function=3 should be a function"):
        CallableEffect(3, "a", "b")


def test_more_points_than_memory_are_refused():
    elements = [ActionElement(f"n{i}", "integer", 0, 99) for i in range(8)]
    with pytest.raises(ValueError, match="reachable points, more than the 5,000,000"):
        ReachableSampler(ActionSet(elements)).enumerate([0] * 8)


def test_columns_of_one_value_and_of_times():
    X = pd.DataFrame({"never": [0, 0], "n": [1, 3], "day": pd.to_datetime(["2020", "2021"])})
    actions = ActionSet.from_data(X, actionable=["never", "n"])
    assert (actions["never"].lb, actions["never"].ub) == (0, 0)
    points = ReachableSampler(actions).enumerate(X.iloc[[0]])
    assert points["n"].tolist() == [1, 2, 3] and (points["day"] == X["day"][0]).all()
    with pytest.raises(ValueError, match="'day' holds times, on which nobody acts"):
        ActionSet.from_data(X)


def test_polars_categories_keep_their_order_and_their_dtype():
    pl = pytest.importorskip("polars")
    kinds = pl.Enum(["lo", "mid", "hi"])
    X = pl.DataFrame({"level": pl.Series(["hi", "lo", "mid"], dtype=kinds), "n": [0, 1, 2]})
    actions = ActionSet.from_data(X)
    actions["level"].direction = "increase"
    points = ReachableSampler(actions).enumerate(X[1:2])
    assert points.schema == X.schema
    assert points["level"].unique(maintain_order=True).to_list() == ["lo", "mid", "hi"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ActionSet.from_dict(5), "data=5 should be an action set"),
        (lambda: ActionSet.from_dict({"columns": {}, "rules": "a <= 1"}), "should be a list"),
        (lambda: ReachableSampler(ActionSet([]), max_table=0), "max_table=0 should be"),
    ],
)
def test_wrong_arguments_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_column_is_not_credited_with_what_rules_about_others_move():
    X = pd.DataFrame({"tweets": [5, 3], "urls": [5, 3], "name": [0, 1]})
    actions = ActionSet.from_data(X, actionable=["tweets", "name"])
    actions.add("delta(urls) <= delta(tweets)")
    for column in ("tweets", "urls"):
        actions[column].lb = 0
    model = Model(lambda F: F["urls"] == 0)
    auditor = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(X)
    hits = auditor.attributions_.groupby("feature")["hits"].min()
    assert hits["name"] == 0 and hits["tweets"] > 0


def test_effects_of_other_columns_are_no_part_of_an_attribution_but_noise_is():
    X = pd.DataFrame({"a": [0, 1], "b": [0, 1], "level": [5.0, 5.0]})
    actions = ActionSet.from_data(X, actionable=["a", "b"])
    actions["level"].lb, actions["level"].ub = 0.0, 10.0
    actions.add(CallableEffect(lambda X, A, rng: np.full(len(X), 3.0), "a", "level"))
    model = Model(lambda F: F["level"] > 7)
    alone = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(X).attributions_
    shares = alone.groupby("feature")["responsiveness"].first()
    assert shares["a"] == 1 and shares["b"] == 0
    actions.add(NoiseEffect("level", 2.0))
    noisy = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(X).attributions_
    # 7 is a standard deviation away
    share = noisy.groupby("feature")["responsiveness"].first()["b"]
    assert share == pytest.approx(0.159, abs=0.06)


def test_one_person_whose_effects_lead_nowhere_is_a_row():
    X = pd.DataFrame({"a": [0.0, 0.0], "b": [9.9, 0.0]})
    actions = ActionSet.from_data(X, actionable=["a"])
    actions["a"].lb, actions["a"].ub = 0.0, 1.0
    actions["b"].ub = 10.0
    actions.add(CausalEffect({"b": "2 * a"}, noise={"b": 1e-3}, outside="redraw"))
    auditor = ResponsivenessAuditor(
        Model(lambda F: F["b"] > 1), actions, target=1, direction="at_least", random_state=0
    )
    with pytest.warns(
        UserWarning, match="1 of 2 people: CausalEffect b = 2 . a takes 'b' beyond its bounds"
    ):
        results = auditor.fit(X).results_
    assert results["verdict"].tolist() == ["undecided", "responsive"]
    assert "beyond its bounds" in results["method"].iloc[0]


def test_too_many_cases_are_refused():
    elements = [ActionElement("on", "bool")]
    elements += [ActionElement(f"r{i}", "real", 0.0, 1.0) for i in range(11)]
    rules = [f"if r{i} > 0.5 then r{i + 1} == 0" for i in range(10)]
    rules += [MutabilitySwitch("on", [f"r{i}"]) for i in range(11)]
    with pytest.raises(ValueError, match="more than 1024 cases"):
        ReachableSampler(ActionSet(elements, rules)).sample([0] + [0.0] * 11, 5)


def test_a_summary_says_of_whom_the_share_is_exact():
    X = pd.DataFrame({"n": [0, 1, 2], "r": [0.0, 0.5, 1.0]})
    actions = ActionSet.from_data(X)
    auditor = ResponsivenessAuditor(Model(lambda F: F["n"] > 0), actions, target=1, random_state=0)
    assert auditor.fit(X).by_group()["exact"].tolist() == [0.0]
    actions["r"].actionable = False
    assert auditor.fit(X).by_group()["exact"].tolist() == [1.0]


@pytest.mark.parametrize(
    "rules",
    [
        ["b - 2 * a - 2 * n == 0"],
        ["b - 2 * a - 2 * n <= 0", "b - 2 * a - 2 * n >= 0"],
        ["0 <= b - 2 * a - 2 * n <= 0"],
        ["b <= 2 * a + 2 * n", "a + n <= 0.5 * b"],
    ],
)
def test_two_inequalities_that_make_an_equation_are_one(rules):
    elements = [ActionElement("n", "integer", 0, 3)]
    elements += [ActionElement(name, "real", -2.0, 2.0) for name in "ab"]
    points = ReachableSampler(ActionSet(elements, rules)).sample([0, 0, 0], 4_000, random_state=0)
    np.testing.assert_allclose(points["b"], 2 * points["a"] + 2 * points["n"], atol=1e-9)
    # a is from -1 to 1 where n is 0, from -2 to 0 where it is 1, to -1 where it is 2
    shares = np.bincount(points["n"].astype(int), minlength=4) / len(points)
    np.testing.assert_allclose(shares, np.array([2, 2, 1, 0]) / 5, atol=0.04)


@pytest.mark.parametrize("effect", [LinearEffect("inc", {"job": 10}), CausalEffect({"inc": "job"})])
def test_effects_take_no_differences_of_categories(effect):
    X = pd.DataFrame({"job": ["none", "part", "full"], "inc": [10.5, 20.0, 30.0]})
    with pytest.raises(ValueError, match="'job' holds categories, which have no differences"):
        ActionSet.from_data(X, actionable=["job"]).add(effect)


@pytest.mark.parametrize(("task", "epsilon"), [("preclusion", 0.03), ("gaming", 0.97)])
def test_a_threshold_near_the_end_of_the_range_needs_no_other_delta(task, epsilon):
    X = pd.DataFrame({"a": [0, 1, 2, 3]})
    auditor = ResponsivenessAuditor(
        Model(lambda F: F["a"] >= 2), ActionSet.from_data(X), target=1, task=task, epsilon=epsilon
    )
    assert auditor.fit(X).results_["responsiveness"].tolist() == [0.5, 0.5]


def test_what_is_changed_after_the_audit_changes_no_answer():
    X = pd.DataFrame({"a": [0, 1, 2, 3], "b": [0, 0, 1, 1]})
    model = Model(lambda F: F["a"] >= 2)
    auditor = ResponsivenessAuditor(model, ActionSet.from_data(X, ["a"]), target=1).fit(X)
    before = auditor.examples(0), auditor.attributions_
    again = ResponsivenessAuditor(model, ActionSet.from_data(X, ["a"]), target=1).fit(X)
    again.set_params(target=0, estimator=Model(lambda F: F["a"] < 0))
    X["b"] = 5
    pd.testing.assert_frame_equal(again.examples(0), before[0])
    pd.testing.assert_frame_equal(again.attributions_, before[1])


def test_a_number_beyond_floats_is_refused():
    with pytest.raises(ValueError, match="a number is too large"):
        ActionSet([ActionElement("a", "integer", 0, 3)]).add("a <= 1e400")


def test_times_that_nobody_acts_on_go_into_json():
    X = pd.DataFrame({"day": pd.to_datetime(["2020", "2021"]), "k": [1, 2]})
    X["took"] = X["day"] - X["day"].min()
    actions = ActionSet.from_data(X, actionable=["k"])
    again = ActionSet.from_dict(json.loads(json.dumps(actions.to_dict())))
    points = ReachableSampler(again).enumerate(X.iloc[[1]])
    pd.testing.assert_frame_equal(points, X.iloc[[1, 1]].assign(k=[1, 2]).reset_index(drop=True))


def test_a_model_of_ones_own_is_told_to_name_its_classes():
    X = pd.DataFrame({"a": [0, 1]})

    class Duck:
        def predict(self, X):
            return np.where(X["a"] > 0, "yes", "no")

    with pytest.raises(ValueError, match="an attribute classes_"):
        ResponsivenessAuditor(Duck(), ActionSet.from_data(X), target="yes").fit(X)
