"""Budgets over many columns, against closed forms and enumeration."""

import itertools

import numpy as np
import pytest
from scipy.stats import beta, chisquare, kstest

from skcorrupt.responsiveness import ActionElement, ActionSet, ReachableSampler


def sampler_of(elements, rule, **settings):
    return ReachableSampler(ActionSet(elements, [rule]), **settings)


def method(sampler, x):
    return sampler.explain(np.asarray(x, dtype=float))["method"].iloc[0]


def test_spending_on_many_real_columns_is_uniform_on_the_simplex():
    k = 12
    elements = [ActionElement(f"a{i}", "real", 0.0, 100.0, direction="increase") for i in range(k)]
    rule = " + ".join(f"delta(a{i})" for i in range(k)) + " <= 5"
    sampler = sampler_of(elements, rule)
    x = np.full(k, 7.0)
    assert "simplex" in method(sampler, x)
    spent = sampler.sample(x, 8_000, random_state=0).to_numpy() - 7
    assert (spent >= 0).all() and (spent.sum(axis=1) <= 5 + 1e-9).all()
    # the sum of a uniform point of the simplex, and each coordinate, have beta distributions
    assert kstest(spent.sum(axis=1) / 5, beta(k, 1).cdf).pvalue > 1e-4
    assert kstest(spent[:, 3] / 5, beta(1, k).cdf).pvalue > 1e-4


def test_prices_and_both_directions():
    elements = [ActionElement(f"a{i}", "real", -100.0, 100.0) for i in range(6)]
    rule = " + ".join(f"{i + 1} * abs(delta(a{i}))" for i in range(6)) + " <= 3"
    sampler = sampler_of(elements, rule)
    assert "simplex" in method(sampler, np.zeros(6))
    spent = sampler.sample(np.zeros(6), 8_000, random_state=0).to_numpy() * np.arange(1, 7)
    assert kstest(abs(spent).sum(axis=1) / 3, beta(6, 1).cdf).pvalue > 1e-4
    assert abs((spent > 0).mean() - 0.5) < 0.01


def test_bounds_cut_the_simplex():
    elements = [ActionElement(f"a{i}", "real", 0.0, 1.0, direction="increase") for i in range(8)]
    rule = "2 >= " + " + ".join(f"a{i}" for i in range(8))
    narrow = sampler_of(elements, rule)
    points = narrow.sample(np.zeros(8), 6_000, random_state=0).to_numpy()
    assert "simplex" in method(narrow, np.zeros(8))
    assert (points <= 1).all() and (points.sum(axis=1) <= 2).all()
    # plain rejection from the cube, by hand
    cube = np.random.default_rng(1).random((2_000_000, 8))
    expected = cube[cube.sum(axis=1) <= 2]
    assert points[:, 0].mean() == pytest.approx(expected[:, 0].mean(), abs=0.01)
    assert kstest(points.sum(axis=1), expected.sum(axis=1)).pvalue > 1e-4


def test_whole_numbers_are_counted():
    elements = [ActionElement(f"n{i}", "integer", 0, 9) for i in range(4)]
    rule = "abs(delta(n0)) + abs(delta(n1)) + 2 * abs(delta(n2)) + abs(delta(n3)) <= 3"
    x = np.array([0, 5, 5, 9])
    sampler = sampler_of(elements, rule, max_table=10)
    assert "counting" in method(sampler, x)
    points = sampler.sample(x, 30_000, random_state=0)
    expected = [
        q
        for q in itertools.product(range(10), repeat=4)
        if abs(q[0] - 0) + abs(q[1] - 5) + 2 * abs(q[2] - 5) + abs(q[3] - 9) <= 3
    ]
    position = {q: i for i, q in enumerate(expected)}
    rows = [position[q] for q in points.itertuples(index=False, name=None)]
    counts = np.bincount(rows, minlength=len(expected))
    assert len(counts) == len(expected) and chisquare(counts).pvalue > 1e-4


def test_many_whole_numbers_under_a_budget_and_another_rule():
    k = 30
    elements = [ActionElement(f"n{i}", "integer", 0, 50, direction="increase") for i in range(k)]
    actions = ActionSet(elements, [" + ".join(f"delta(n{i})" for i in range(k)) + " <= 10"])
    actions.add("if n0 >= 1 then n1 >= 1")
    x = np.zeros(k)
    sampler = ReachableSampler(actions)
    assert "counting" in method(sampler, x)
    points = sampler.sample(x, 3_000, random_state=0)
    assert (points.sum(axis=1) <= 10).all()
    assert not ((points["n0"] >= 1) & (points["n1"] == 0)).any()
    # of C(40, 10) ways to spend at most 10 on 30 columns, those that spend all are C(39, 10)
    free = ReachableSampler(ActionSet(elements, actions.constraints[:1]))
    spends_all = (free.sample(x, 20_000, random_state=0).sum(axis=1) == 10).mean()
    assert spends_all == pytest.approx(30 / 40, abs=0.01)


def test_less_than_leaves_out_what_spends_all():
    elements = [ActionElement(f"n{i}", "integer", 0, 9, direction="increase") for i in range(4)]
    rule = " + ".join(f"delta(n{i})" for i in range(4)) + " < 3"
    points = sampler_of(elements, rule, max_table=10).sample(np.zeros(4), 2_000, random_state=0)
    assert points.sum(axis=1).max() == 2
