"""Reachable points, against brute force that knows nothing of components, tables or factors."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st
from scipy.stats import chisquare, kstest

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    DirectionalLinkage,
    IfThen,
    LinearConstraint,
    MutabilitySwitch,
    OneHot,
    Reachability,
    ReachableSampler,
    Thermometer,
)
from skcorrupt.responsiveness.sampling import ReachableSpace

NAMES = ("b1", "b2", "b3", "n", "m", "c")
VALUES = {
    "b1": (0, 1),
    "b2": (0, 1),
    "b3": (0, 1),
    "n": (0, 1, 2, 3),
    "m": (0, 1, 2, 3, 4, 5),
    "c": ("x", "y", "z"),
}
# every rule with a plain function of a person before and after that says the same
RULES = [
    (OneHot(["b1", "b2"]), lambda p, q: q["b1"] + q["b2"] == 1),
    (OneHot(["b1", "b2", "b3"]), lambda p, q: q["b1"] + q["b2"] + q["b3"] == 1),
    (
        Thermometer(["b2", "b3"]),
        lambda p, q: q["b2"] >= q["b3"] and q["b2"] + q["b3"] >= p["b2"] + p["b3"],
    ),
    (
        Thermometer(["b3", "b1", "b2"], direction="decrease"),
        lambda p, q: (
            (q["b3"], q["b1"], q["b2"]) in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)]
            and q["b1"] + q["b2"] + q["b3"] <= p["b1"] + p["b2"] + p["b3"]
        ),
    ),
    (
        IfThen("b1 == 1", "n == 0", "n >= 1"),
        lambda p, q: q["n"] == 0 if q["b1"] == 1 else q["n"] >= 1,
    ),
    (
        IfThen("c == 'x' and n >= 2", "m <= 3"),
        lambda p, q: q["m"] <= 3 if q["c"] == "x" and q["n"] >= 2 else True,
    ),
    (IfThen("c in ('x', 'y')", "b3 == 1"), lambda p, q: q["c"] == "z" or q["b3"] == 1),
    (DirectionalLinkage("n", "m", relation="<="), lambda p, q: q["m"] - p["m"] <= q["n"] - p["n"]),
    (
        DirectionalLinkage("n", "m", 2, relation=">="),
        lambda p, q: q["m"] - p["m"] >= 2 * (q["n"] - p["n"]),
    ),
    (
        LinearConstraint("delta(n) + delta(m) <= 3"),
        lambda p, q: q["n"] - p["n"] + q["m"] - p["m"] <= 3,
    ),
    (
        LinearConstraint("abs(delta(n)) + 0.5 * abs(delta(m)) <= 2"),
        lambda p, q: abs(q["n"] - p["n"]) + abs(q["m"] - p["m"]) / 2 <= 2,
    ),
    (LinearConstraint("2 <= n + m"), lambda p, q: q["n"] + q["m"] >= 2),
    (LinearConstraint("n + 2 * m == 7"), lambda p, q: q["n"] + 2 * q["m"] == 7),
    (
        LinearConstraint("delta(m) == 2 * delta(n)"),
        lambda p, q: q["m"] - p["m"] == 2 * (q["n"] - p["n"]),
    ),
    (
        LinearConstraint("delta(n) == delta(b1) + delta(b2) and m >= n"),
        lambda p, q: q["n"] - p["n"] == q["b1"] - p["b1"] + q["b2"] - p["b2"] and q["m"] >= q["n"],
    ),
    (
        MutabilitySwitch("b1", ["n", "c"]),
        lambda p, q: q["b1"] == 1 or (q["n"], q["c"]) == (p["n"], p["c"]),
    ),
    (MutabilitySwitch("c", "m", on="y"), lambda p, q: q["c"] == "y" or q["m"] == p["m"]),
    (
        Reachability(
            ["b1", "c"],
            [[0, "x"], [0, "y"], [1, "y"], [1, "z"]],
            [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1]],
        ),
        lambda p, q: (
            (q["b1"], q["c"])
            in {
                (0, "x"): [(0, "x"), (0, "y")],
                (0, "y"): [(0, "y"), (1, "y")],
                (1, "y"): [(1, "y"), (1, "z")],
                (1, "z"): [(1, "z")],
            }.get((p["b1"], p["c"]), [])
        ),
    ),
]


def elements_of(actionable, directions):
    kinds = {"n": "integer", "m": "integer", "c": "categorical"}
    return [
        ActionElement(
            name,
            kinds.get(name, "bool"),
            0,
            max(VALUES[name]) if name != "c" else 2,
            values=VALUES["c"] if name == "c" else (),
            actionable=name in actionable,
            direction=directions.get(name, "both"),
        )
        for name in NAMES
    ]


def by_brute_force(person, actionable, directions, chosen, moved=()):
    """All points, one for each action."""
    choices = []
    for name in NAMES:
        values = VALUES[name]
        at = values.index(person[name])
        if name not in actionable and name not in moved:
            values = (person[name],)
        elif directions.get(name) == "increase":
            values = values[at:]
        elif directions.get(name) == "decrease":
            values = values[: at + 1]
        choices.append(values)
    points = (dict(zip(NAMES, point, strict=True)) for point in itertools.product(*choices))
    return sorted(
        tuple(q[name] for name in NAMES)
        for q in points
        if all(holds(person, q) for _, holds in chosen)
    )


@pytest.mark.long
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_enumeration_is_brute_force_on_random_action_sets(data):
    chosen = data.draw(st.lists(st.sampled_from(RULES), max_size=3, unique_by=id))
    person = {name: data.draw(st.sampled_from(VALUES[name])) for name in NAMES}
    assume(all(holds(person, person) for _, holds in chosen))
    actionable = data.draw(st.sets(st.sampled_from(NAMES), min_size=1))
    directions = data.draw(
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["increase", "decrease"]))
    )
    actions = ActionSet(elements_of(actionable, directions), [rule for rule, _ in chosen])
    moved = {name for rule, _ in chosen for name in rule.moved}
    x = pd.DataFrame([person])
    found = ReachableSampler(actions).enumerate(x)
    expected = by_brute_force(person, actionable, directions, chosen, moved)
    assert sorted(found.itertuples(index=False, name=None)) == expected
    again = ActionSet.from_dict(actions.to_dict())
    assert again.to_dict() == actions.to_dict()
    few = ReachableSampler(again, max_table=1).sample(x, 40, random_state=0)
    assert set(few.itertuples(index=False, name=None)) <= set(expected)


@pytest.mark.long
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_links_beside_other_rules_are_brute_force_too(data):
    chosen = data.draw(st.lists(st.sampled_from(RULES), max_size=2, unique_by=id))
    links = data.draw(st.sampled_from([{"n": 1.0}, {"b1": 2.0}, {"n": -1.0, "b2": 1.0}]))
    person = {name: data.draw(st.sampled_from(VALUES[name])) for name in NAMES}
    assume(all(holds(person, person) for _, holds in chosen))
    moved = {name for rule, _ in chosen for name in rule.moved}
    assume("m" not in moved)
    actionable = data.draw(st.sets(st.sampled_from(NAMES), min_size=1))
    rules = [rule for rule, _ in chosen]
    rules += [DirectionalLinkage(source, "m", scale) for source, scale in links.items()]
    found = ReachableSampler(ActionSet(elements_of(actionable, {}), rules)).enumerate(
        pd.DataFrame([person])
    )
    expected = []
    free = [name for name in NAMES if name in actionable or name in moved]
    for values in itertools.product(*(VALUES[name] for name in free)):
        q = person | dict(zip(free, values, strict=True))
        q["m"] += sum(scale * (q[source] - person[source]) for source, scale in links.items())
        if q["m"] in VALUES["m"] and all(holds(person, q) for _, holds in chosen):
            expected.append(tuple(q[name] for name in NAMES))
    assert sorted(found.itertuples(index=False, name=None)) == sorted(expected)


def uniform_p_value(points, expected):
    """p-value of a chi-square test that points are uniform over the expected ones."""
    position = {point: i for i, point in enumerate(expected)}
    assert len(position) == len(expected)
    counts = np.zeros(len(expected))
    for point in points.itertuples(index=False, name=None):
        counts[position[point]] += 1
    return chisquare(counts).pvalue


@pytest.mark.many
@pytest.mark.parametrize("k", range(len(RULES)), ids=[str(rule)[:40] for rule, _ in RULES])
@pytest.mark.parametrize("max_table", [10_000, 1], ids=["listed", "drawn"])
def test_draws_are_uniform_over_the_interventions(k, max_table):
    rule, holds = RULES[k]
    starts = [
        dict(zip(NAMES, point, strict=True))
        for point in itertools.product(*(VALUES[name] for name in NAMES))
    ]
    tied = set(rule.columns)
    people = [p for p in starts if holds(p, p)]
    person = max(people, key=lambda p: len(by_brute_force(p, tied, {}, [RULES[k]])))
    actions = ActionSet(elements_of(tied, {}), [rule])
    expected = by_brute_force(person, tied, {}, [RULES[k]])
    sampler = ReachableSampler(actions, max_table=max_table)
    points = sampler.sample(pd.DataFrame([person]), 200 * len(expected), random_state=1)
    assert uniform_p_value(points, expected) > 1e-4


def test_linked_changes_add_up_and_stay_within_bounds():
    actions = ActionSet(
        [
            ActionElement("age", "integer", 19, 30, actionable=False),
            ActionElement("residence", "integer", 0, 7, direction="increase"),
            ActionElement("employed", "bool", direction="increase"),
        ]
    ).add("age := delta(residence) + 2 * delta(employed)")
    x = pd.DataFrame({"age": [25], "residence": [1], "employed": [0]})
    points = ReachableSampler(actions).enumerate(x)
    expected = [
        (25 + r + 2 * e, 1 + r, e) for r in range(7) for e in (0, 1) if 25 + r + 2 * e <= 30
    ]
    assert sorted(points.itertuples(index=False, name=None)) == sorted(expected)


def test_an_action_on_a_linked_column_is_added_to_the_link():
    actions = ActionSet(
        [ActionElement("a", "integer", 0, 2), ActionElement("b", "integer", 0, 2)],
        [DirectionalLinkage("a", "b")],
    )
    points = ReachableSampler(actions).enumerate(np.array([1, 1]))
    expected = [(a, b + a - 1) for a in (0, 1, 2) for b in (0, 1, 2) if 0 <= b + a - 1 <= 2]
    assert sorted(points.itertuples(index=False, name=None)) == sorted(expected)
    # the same line as an equation leaves no action of its own
    literal = ActionSet(list(actions), ["delta(b) == delta(a)"])
    points = ReachableSampler(literal).enumerate(np.array([1, 1]))
    assert sorted(points.itertuples(index=False, name=None)) == [(0, 0), (1, 1), (2, 2)]


def test_real_columns_are_uniform_on_what_the_rules_leave():
    actions = ActionSet(
        [ActionElement("u", "real", 0.0, 1.0), ActionElement("v", "real", 0.0, 1.0)],
        ["v <= u"],
    )
    points = ReachableSampler(actions).sample(np.array([0.5, 0.25]), 20_000, random_state=0)
    assert (points["v"] <= points["u"]).all()
    # on the triangle, u has the distribution function u² and v / u is uniform
    assert kstest(points["u"] ** 2, "uniform").pvalue > 1e-4
    assert kstest(points["v"] / points["u"], "uniform").pvalue > 1e-4


def test_an_equation_between_real_columns_is_solved():
    actions = ActionSet(
        [ActionElement("u", "real", 0.0, 1.0), ActionElement("v", "real", 0.0, 1.0)],
        ["u + 2 * v == 1.5"],
    )
    points = ReachableSampler(actions).sample(np.array([0.5, 0.5]), 5_000, random_state=0)
    np.testing.assert_allclose(points["u"] + 2 * points["v"], 1.5)
    # v is uniform between .25, where u is 1, and .75, where u is 0
    assert kstest((points["v"] - 0.25) / 0.5, "uniform").pvalue > 1e-4


def test_seeds_give_the_points_again_and_the_person_is_not_changed():
    actions = ActionSet.from_data(pd.DataFrame({"a": [0.5, 2.5], "b": ["p", "q"]}))
    x = pd.DataFrame({"a": [1.5], "b": ["q"]}, index=[9])
    before = x.copy()
    sampler = ReachableSampler(actions)
    first, again, other = (sampler.sample(x, 50, random_state=s) for s in (0, 0, 1))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)
    pd.testing.assert_frame_equal(x, before)
    assert first["b"].dtype == x["b"].dtype and list(first.index) == list(range(50))


def test_a_column_that_cannot_be_listed():
    actions = ActionSet.from_data(pd.DataFrame({"a": [0.5, 2.5]}))
    with pytest.raises(ValueError, match=r"cannot be listed \(a: interval\); draw some"):
        ReachableSampler(actions).enumerate(np.array([1.5]))


@pytest.mark.parametrize("n", [0, -1, 2.5])
def test_a_number_of_points_is_whole(n):
    sampler = ReachableSampler(ActionSet([ActionElement("a", "bool")]))
    with pytest.raises(ValueError, match="should be a whole number, 1 or more"):
        sampler.sample(np.array([0]), n)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([9, 0], "a=9 is outside of \\[0, 4\\]"),
        ([1, 0], "does not hold"),
        ([np.nan, 0], "a is missing"),
    ],
)
def test_a_person_who_breaks_a_rule_is_refused(x, message):
    actions = ActionSet(
        [ActionElement("a", "integer", 0, 4), ActionElement("b", "bool")],
        ["if a >= 1 then b == 1"],
    )
    with pytest.raises(ValueError, match=message):
        ReachableSampler(actions).sample(np.array(x), 3)


def test_a_circle_of_links_is_refused():
    actions = ActionSet(
        [ActionElement(name, "integer", 0, 4, actionable=False) for name in "ab"],
        ["a := delta(b)", "b := delta(a)"],
    )
    with pytest.raises(ValueError, match="in a circle"):
        ReachableSampler(actions)


def test_forgetting_tables_changes_nothing(monkeypatch):
    X = pd.DataFrame({"a": np.arange(40), "b": np.arange(40) % 7})
    actions = ActionSet.from_data(X)
    codes = actions.codes(X)
    expected = [ReachableSpace(actions).reach(person).listed() for person in codes]
    monkeypatch.setattr(ReachableSpace, "most_rows_kept", 50)
    space = ReachableSpace(actions)
    for person, values in zip(codes, expected, strict=True):
        np.testing.assert_array_equal(space.reach(person).listed(), values)
        assert 0 < space.rows_kept <= 50


def test_explain_shows_groups_methods_sizes_and_what_blocks():
    actions = ActionSet(
        [
            ActionElement("none", "bool"),
            ActionElement("n", "integer", 0, 9, direction="increase"),
            ActionElement("r", "real", 0.0, 1.0),
            ActionElement("s", "real", 0.0, 1.0),
            ActionElement("works", "bool", direction="increase"),
            ActionElement("age", "integer", 18, 60, actionable=False),
        ],
        ["if none == 1 then n == 0", "r <= s", "if age < 30 then works == 0"],
    )
    found = ReachableSampler(actions).explain(np.array([0, 4, 0.25, 0.5, 0, 25]))
    assert found["columns"].tolist() == ["none, n", "r, s", "works"]
    assert found["size"].tolist() == [6, np.inf, 1]
    assert found["method"].tolist() == ["enumeration", "interval, rejection", "enumeration"]
    assert found["acceptance"].tolist() == [1.0, pytest.approx(0.5, abs=0.05), 1.0]
    assert found["blocked_by"].tolist() == ["", "", "if age < 30 then works == 0"]
    # at the upper end nobody can do more, whatever the rules
    full = ActionSet([ActionElement("works", "bool", direction="increase")])
    assert ReachableSampler(full).explain(np.array([1]))["blocked_by"].tolist() == [""]


class TestCasesWithoutVolume:
    """A rule that fixes a real number makes cases that no draw from an interval would meet."""

    ELEMENTS = (
        ActionElement("has", "bool"),
        ActionElement("amount", "real", 0.0, 10.0),
        ActionElement("rate", "real", 0.0, 1.0),
    )

    def points(self, rules, x, n=6_000):
        sampler = ReachableSampler(ActionSet(list(self.ELEMENTS), rules))
        return sampler, sampler.sample(np.array(x), n, random_state=0)

    def test_an_if_then_that_fixes_a_real_number(self):
        _, points = self.points(["if has == 0 then amount == 0 else amount >= 5"], [1, 6.0, 0.5])
        without = points["has"] == 0
        assert (points["amount"][without] == 0).all()
        assert abs(without.mean() - 0.5) < 0.03
        assert kstest((points["amount"][~without] - 5) / 5, "uniform").pvalue > 1e-4
        assert kstest(points["rate"], "uniform").pvalue > 1e-4

    def test_the_method_says_that_cases_are_equally_likely(self):
        sampler, _ = self.points(["if has == 0 then amount == 0"], [1, 6.0, 0.5], 5)
        methods = sampler.explain(np.array([1, 6.0, 0.5]))["method"]
        assert methods[0].startswith("2 cases, equally likely")

    def test_a_switch_over_a_real_number(self):
        _, points = self.points([MutabilitySwitch("has", "amount")], [1, 6.0, 0.5])
        off = points["has"] == 0
        assert (points["amount"][off] == 6.0).all() and abs(off.mean() - 0.5) < 0.03
        assert kstest(points["amount"][~off] / 10, "uniform").pvalue > 1e-4

    def test_two_such_rules_make_four_cases_less_those_that_cannot_be(self):
        rules = ["if has == 0 then amount == 0", "if amount >= 5 then rate == 0.25"]
        _, points = self.points(rules, [1, 6.0, 0.25])
        has, much = points["has"] == 1, points["amount"] >= 5
        assert not (~has & much).any()
        assert (points["rate"][much] == 0.25).all() and (points["amount"][~has] == 0).all()
        cases = [(has & much).mean(), (has & ~much).mean(), (~has).mean()]
        np.testing.assert_allclose(cases, 1 / 3, atol=0.03)

    def test_a_case_beyond_the_bounds_is_none(self):
        elements = [self.ELEMENTS[0], ActionElement("amount", "real", 1.0, 10.0)]
        actions = ActionSet(elements, ["if has == 0 then amount == 0"])
        points = ReachableSampler(actions).sample(np.array([1, 6.0]), 200, random_state=0)
        assert (points["has"] == 1).all()

    def test_a_condition_on_a_real_number(self):
        _, points = self.points(["if 2 * amount == 8 then has == 1 else has == 0"], [0, 6.0, 0.5])
        there = points["amount"] == 4
        assert (points["has"] == there).all() and abs(there.mean() - 0.5) < 0.03

    def test_real_columns_tied_to_each_other_in_a_case_are_refused(self):
        with pytest.raises(ValueError, match="leaves single values of real columns"):
            self.points(["if has == 0 then amount == rate"], [1, 6.0, 0.5])
