"""What draws column by column hardly ever come upon: no volume, thin shapes, exact sums."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy.stats import beta, chisquare, kstest

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    DirectionalLinkage,
    IfThen,
    ReachableSampler,
    ResponsivenessAuditor,
)


class Above:
    """Predicts 1 where a column is above a number."""

    classes_ = (0, 1)

    def __init__(self, column, number):
        self.column, self.number = column, number

    def predict(self, X):
        return (X[self.column] > self.number).astype(int).to_numpy()


def described(actions, x, **settings):
    return ReachableSampler(actions, **settings).explain(np.asarray(x, dtype=float)).iloc[0]


VISITS = ActionElement("visits", "integer", 0, 3, direction="increase")
AMOUNT = ActionElement("amount", "real", 0.0, 100.0, direction="increase")


@pytest.mark.parametrize(
    "rule", ["delta(amount) <= 5 * delta(visits)", "5 * delta(visits) >= delta(amount)"]
)
def test_an_amount_that_waits_for_visits_has_room_by_their_number(rule):
    actions = ActionSet([VISITS, AMOUNT], [rule])
    points = ReachableSampler(actions).sample([1.0, 50.0], 6_000, random_state=0)
    # no visit leaves no room; two visits leave twice the room of one
    counts = [(points["visits"] == 2).sum(), (points["visits"] == 3).sum()]
    assert sum(counts) == 6_000 and chisquare(counts, [2_000, 4_000]).pvalue > 1e-4
    twice = points["amount"][points["visits"] == 3]
    assert kstest((twice - 50) / 10, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("budget", [2.999, 3, 3.001])
def test_a_budget_of_whole_numbers_is_like_any_other(budget):
    """What spends all on whole steps has no share of what real amounts can be."""
    elements = [ActionElement("a", "real", 0.0, 10.0), ActionElement("h", "integer", 0, 8)]
    actions = ActionSet(elements, [f"abs(delta(a)) + abs(delta(h)) <= {budget}"])
    points = ReachableSampler(actions).sample([5.0, 4.0], 9_000, random_state=0)
    counts = np.bincount((points["h"] - 4).abs().astype(int), minlength=4)
    assert counts[3] < 20
    assert chisquare(counts[:3], [3_000, 4_000, 2_000]).pvalue > 1e-4


def test_less_than_leaves_nothing_where_nothing_may_be_spent():
    elements = [ActionElement("open", "bool"), AMOUNT, ActionElement("rate", "real", 0.0, 1.0)]
    actions = ActionSet(elements, [IfThen("open == 0", "delta(amount) + rate < 0.0")])
    points = ReachableSampler(actions).sample([1.0, 50.0, 0.5], 500, random_state=0)
    assert (points["open"] == 1).all()
    assert described(actions, [1, 50, 0.5])["acceptance"] > 0.4


def test_a_linkage_of_at_most_that_leaves_a_single_number():
    actions = ActionSet([VISITS, AMOUNT], [DirectionalLinkage("visits", "amount", 5.0, "<=")])
    points = ReachableSampler(actions).enumerate([3.0, 50.0])
    assert points.to_numpy().tolist() == [[3.0, 50.0]]
    row = described(actions, [3, 50])
    assert row["size"] == 1 and row["blocked_by"].startswith("DirectionalLinkage")


def test_numbers_that_all_follow_from_listed_columns_are_listed():
    free = ActionElement("amount", "real", 0.0, 100.0)
    rules = ["if visits >= 2 then amount <= 10 and amount >= 10", "if visits <= 1 then amount == 7"]
    points = ReachableSampler(ActionSet([VISITS, free], rules)).enumerate([0.0, 7.0])
    assert points.to_numpy().tolist() == [[0, 7], [1, 7], [2, 10], [3, 10]]


def test_narrow_boxes_are_drawn_from_directly_and_uniformly():
    """The same distribution as plain rejection, which accepts one proposal in hundreds."""
    elements = [
        ActionElement("n", "integer", 0, 9),
        ActionElement("a", "real", 0.0, 1000.0),
        ActionElement("b", "real", 0.0, 1000.0),
    ]
    rules = ["a <= n + b / 10", "b <= 3 * n", "a >= n / 2"]
    actions = ActionSet(elements, rules)
    row = described(actions, [0, 0, 0])
    assert "boxes" in row["method"] and row["acceptance"] > 0.15
    points = ReachableSampler(actions).sample([0.0, 0.0, 0.0], 8_000, random_state=0)
    rng = np.random.default_rng(1)
    n, a, b = rng.integers(10, size=10**6), rng.uniform(0, 12, 10**6), rng.uniform(0, 27, 10**6)
    keep = (a <= n + b / 10) & (b <= 3 * n) & (a >= n / 2)
    for mine, theirs in ((points["a"], a[keep]), (points["b"], b[keep])):
        assert kstest(mine, theirs).pvalue > 1e-4
    expected = np.bincount(n[keep], minlength=10)[1:]
    counts = np.bincount(points["n"].astype(int), minlength=10)[1:]
    assert chisquare(counts, expected / expected.sum() * counts.sum()).pvalue > 1e-4


def test_shares_of_a_whole_are_uniform_on_the_simplex():
    k = 10
    elements = [ActionElement(f"a{i}", "real", 0.0, 100.0) for i in range(k)]
    actions = ActionSet(elements, [" + ".join(f"a{i}" for i in range(k)) + " == 100"])
    x = np.full(k, 10.0)
    assert "simplex" in described(actions, x)["method"]
    points = ReachableSampler(actions).sample(x, 8_000, random_state=0)
    np.testing.assert_allclose(points.sum(axis=1), 100)
    for name in ("a0", "a5", "a9"):
        assert kstest(points[name] / 100, beta(1, k - 1).cdf).pvalue > 1e-4


@pytest.mark.parametrize(
    ("rule", "keeps"),
    [
        ("n0 + n1 + n2 + n3 == 9", lambda q: sum(q) == 9),
        ("n0 + 2 * n1 - n2 <= 1 + n3", lambda q: q[0] + 2 * q[1] - q[2] <= 1 + q[3]),
        (
            "0.5 * n0 + 1.5 * n1 + n2 + n3 < 4.5",
            lambda q: q[0] / 2 + q[1] * 1.5 + q[2] + q[3] < 4.5,
        ),
        ("n0 + n1 + 5 >= n2 + n3 + 6", lambda q: q[0] + q[1] >= q[2] + q[3] + 1),
    ],
)
def test_sums_of_whole_numbers_are_counted(rule, keeps):
    elements = [ActionElement(f"n{i}", "integer", 0, 9) for i in range(4)]
    x = [9.0 * ("== 9" in rule or "+ 6" in rule), 0.0, 0.0, 0.0]
    actions = ActionSet(elements, [rule])
    row = described(actions, x, max_table=10)
    expected = [q for q in itertools.product(range(10), repeat=4) if keeps(q)]
    if "==" in rule:
        # solved for one of them
        assert row["acceptance"] == pytest.approx(220 / 1_000, abs=0.03)
    elif len(expected) < 1_000:
        assert "counting" in row["method"] and row["acceptance"] == 1
    points = ReachableSampler(actions, max_table=10).sample(x, 60_000, random_state=0)
    position = {q: i for i, q in enumerate(expected)}
    rows = [position[q] for q in points.itertuples(index=False, name=None)]
    assert chisquare(np.bincount(rows, minlength=len(expected))).pvalue > 1e-4


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_boxes_leave_out_nothing_that_the_rules_allow(data):
    """Random linear rules: fractions of rows agree with rejection that knows nothing of them."""
    numbers = st.integers(-3, 3)
    rules, checks = [], []
    for _ in range(data.draw(st.integers(1, 3))):
        p, q, r, s = (data.draw(numbers) for _ in range(4))
        if not (q or r):
            continue
        rules.append(f"{p} * n + {q} * a + {r} * b <= {s + 2}")
        checks.append((p, q, r, s + 2))
    if not rules or any(s < 0 for *_, s in checks):
        return
    elements = [
        ActionElement("n", "integer", 0, 3),
        ActionElement("a", "real", -2.0, 2.0),
        ActionElement("b", "real", -2.0, 2.0),
    ]
    sampler = ReachableSampler(ActionSet(elements, rules))
    # rules that together leave no volume are for a walk, whose draws depend on each other
    assume("hit-and-run" not in sampler.explain([0.0] * 3)["method"].iloc[0])
    points = sampler.sample([0.0] * 3, 2_000, random_state=0)
    rng = np.random.default_rng(0)
    n, a, b = rng.integers(4, size=10**6), *rng.uniform(-2, 2, size=(2, 10**6))
    keep = np.ones(len(n), dtype=bool)
    for p, q, r, s in checks:
        keep &= p * n + q * a + r * b <= s
        inside = p * points["n"] + q * points["a"] + r * points["b"]
        assert (inside <= s + 1e-6).all()
    if keep.any():
        shares = np.bincount(n[keep], minlength=4) / keep.sum()
        mine = np.bincount(points["n"].astype(int), minlength=4) / len(points)
        assert abs(shares - mine).max() < 0.06


class TestWalks:
    """Rules of which no proposal in hundreds of thousands keeps all."""

    K = 6
    RULES = [f"a{i} - a{i + 1} <= 0.001" for i in range(5)]
    RULES += [f"a{i + 1} - a{i} <= 0.001" for i in range(5)]

    def actions(self):
        return ActionSet([ActionElement(f"a{i}", "real", 0.0, 1.0) for i in range(6)], self.RULES)

    @pytest.mark.slow
    def test_the_shape_is_filled_though_the_draws_depend_on_each_other(self):
        actions = self.actions()
        assert described(actions, [0.2] * 6)["method"] == "hit-and-run, dependent draws"
        with pytest.warns(UserWarning, match="not independent"):
            points = ReachableSampler(actions).sample([0.2] * 6, 2_000, random_state=0)
        gaps = points.diff(axis=1).iloc[:, 1:]
        assert gaps.abs().max(axis=None) <= 0.001 + 1e-9
        # the ends of a long thin rod, and the width of it
        np.testing.assert_allclose(
            points["a0"].quantile([0.25, 0.5, 0.75]), [0.25, 0.5, 0.75], atol=0.1
        )
        assert gaps.abs().mean(axis=None) == pytest.approx(0.0005, rel=0.15)

    @pytest.mark.slow
    def test_they_give_an_estimate_but_no_interval_and_no_verdict(self):
        X = pd.DataFrame([[0.2] * 6, [0.5] * 6], columns=[f"a{i}" for i in range(6)])
        auditor = ResponsivenessAuditor(Above("a0", 0.7), self.actions(), target=1, random_state=0)
        with pytest.warns(UserWarning, match="2 of 2 people: .* dependent"):
            results = auditor.fit(X).results_
        assert results["responsiveness"].between(0.1, 0.5).all()
        missing = ["ci_low", "ci_high", "p_value", "p_adjusted"]
        assert results[missing].isna().all(axis=None)
        assert (results["verdict"] == "undecided").all()

    @pytest.mark.slow
    def test_a_hit_is_a_hit(self):
        X = pd.DataFrame([[0.2] * 6], columns=[f"a{i}" for i in range(6)])
        auditor = ResponsivenessAuditor(
            Above("a0", 0.7), self.actions(), target=1, task="preclusion", random_state=0
        )
        with pytest.warns(UserWarning, match="dependent"):
            assert auditor.fit(X).results_["verdict"].tolist() == ["responsive"]

    def test_stepped_and_real_columns_walk_together(self):
        elements = [ActionElement(f"n{i}", "integer", 0, 2_000) for i in range(4)]
        elements += [ActionElement("r", "real", 0.0, 1.0)]
        rules = [f"n{i} - n{i + 1} <= 1" for i in range(3)]
        rules += [f"n{i + 1} - n{i} <= 1" for i in range(3)]
        rules += ["n0 + 7.3 * r - n3 <= 1", "n3 - n0 - 7.3 * r <= 1"]
        actions = ActionSet(elements, rules)
        assert "hit-and-run" in described(actions, [100, 100, 100, 100, 0])["method"]
        with pytest.warns(UserWarning, match="not independent"):
            points = ReachableSampler(actions).sample([100.0] * 4 + [0.0], 500, random_state=0)
        assert points["n0"].nunique() > 20 and points["r"].between(0, 1).all()
        assert (points[["n0", "n1", "n2", "n3"]].diff(axis=1).abs().max(axis=1) <= 1).all()

    @pytest.mark.long
    def test_a_single_point(self):
        with pytest.warns(UserWarning, match="not independent"):
            point = ReachableSampler(self.actions()).sample([0.2] * 6, 1, random_state=0)
        assert point.shape == (1, 6)
