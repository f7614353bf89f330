"""Rules of all kinds together: no state is left out, and no draw breaks a rule."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings, strategies as st

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    DirectionalLinkage,
    IfThen,
    MutabilitySwitch,
    OneHot,
    Reachability,
    ReachableSampler,
    Thermometer,
)
from skcorrupt.responsiveness.sampling import ReachableSpace

COLUMNS = ["u", "v", "kind", "r", "q"]
STATES = ["u", "v", "kind"]
KINDS = ["x", "y", "z"]
# fine enough to meet every threshold below, and the room between any two
GRID = np.arange(0, 2.01, 0.125)
SLACK = 1e-7

signs = st.sampled_from([-1.0, -0.5, 0.5, 1.0])


@st.composite
def conditions(draw):
    """A condition as text, and as a function of the points."""
    column = draw(st.sampled_from(COLUMNS))
    if column in ("u", "v"):
        value = draw(st.integers(0, 1))
        return f"{column} == {value}", lambda now: now[column] == value
    if column == "kind":
        some = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=2, unique=True))
        return f"kind in {some}", lambda now: np.isin(now["kind"], some)
    bound, relation = draw(st.sampled_from([0.0, 0.5, 1.0, 2.0])), draw(st.sampled_from("<>"))
    if relation == "<":
        return f"{column} <= {bound}", lambda now: now[column] <= bound + SLACK
    return f"{column} >= {bound}", lambda now: now[column] >= bound - SLACK


@st.composite
def rules(draw, here):
    """A rule, and whether it holds, as a function of the points."""
    kind = draw(st.sampled_from(["if", "else", "switch", "states", "sum", "sum", "link", "reach"]))
    if kind in ("if", "else"):
        (a, a_holds), (b, b_holds) = draw(conditions()), draw(conditions())
        if kind == "if":
            return IfThen(a, b), lambda now: ~a_holds(now) | b_holds(now)
        c, c_holds = draw(conditions())
        return IfThen(a, b, c), lambda now: np.where(a_holds(now), b_holds(now), c_holds(now))
    if kind == "switch":
        switch, on = draw(st.sampled_from("uv")), draw(st.integers(0, 1))
        targets = draw(st.sampled_from([["r"], ["q"], ["kind"], ["r", "q"], ["kind", "r"]]))
        return MutabilitySwitch(
            switch, targets, on
        ), lambda now: (now[switch] == on) | np.all([now[t] == here[t] for t in targets], axis=0)
    if kind == "states":
        if draw(st.booleans()):
            return OneHot(["u", "v"]), lambda now: now["u"] + now["v"] == 1
        return Thermometer(["u", "v"], "both"), lambda now: now["u"] >= now["v"]
    if kind == "link":
        scale = draw(signs)
        return DirectionalLinkage(
            "r", "q", scale, "<="
        ), lambda now: now["q"] - here["q"] <= scale * (now["r"] - here["r"]) + SLACK
    if kind == "reach":
        allowed = np.eye(3, dtype=int) | draw(
            st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=3, max_size=3)
        )
        reached = np.array(KINDS)[allowed[KINDS.index(here["kind"])] > 0]
        return Reachability(["kind"], [[k] for k in KINDS], allowed), lambda now: np.isin(
            now["kind"], reached
        )
    factors = [draw(signs) for _ in range(3)]
    names = ["r", "q", draw(st.sampled_from("uv"))]
    most = sum(f * here[name] for f, name in zip(factors, names, strict=True))
    most += draw(st.sampled_from([0.0, 0.5, 1.0]))
    text = " + ".join(f"{f} * {name}" for f, name in zip(factors, names, strict=True))
    return (
        f"{text} <= {most}",
        lambda now: (
            sum(f * now[name] for f, name in zip(factors, names, strict=True)) <= most + SLACK
        ),
    )


@st.composite
def people_and_rules(draw):
    here = {
        "u": draw(st.integers(0, 1)),
        "v": draw(st.integers(0, 1)),
        "kind": draw(st.sampled_from(KINDS)),
        "r": draw(st.sampled_from([0.0, 0.5, 1.0, 2.0])),
        "q": draw(st.sampled_from([0.0, 0.5, 1.0, 2.0])),
    }
    person = pd.DataFrame([here])
    found = [draw(rules(here)) for _ in range(draw(st.integers(1, 3)))]
    # where two sums together leave a single point of a plane, it has no share
    sums = [rule for rule, _ in found if isinstance(rule, (str, DirectionalLinkage))]
    assume(len(sums) < 2)
    for _, holds in found:
        assume(np.all(holds(person)))
    return person, found


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(case=people_and_rules(), actionable=st.lists(st.booleans(), min_size=5, max_size=5))
def test_every_state_that_the_rules_allow_is_drawn(case, actionable):
    person, found = case
    actionable = dict(zip(COLUMNS, actionable, strict=True))
    elements = [
        ActionElement("u", "bool", actionable=actionable["u"]),
        ActionElement("v", "bool", actionable=actionable["v"]),
        ActionElement("kind", "categorical", values=KINDS, actionable=actionable["kind"]),
        ActionElement("r", "real", 0.0, 2.0, actionable=actionable["r"]),
        ActionElement("q", "real", 0.0, 2.0, actionable=actionable["q"]),
    ]
    actions = ActionSet(elements, [rule for rule, _ in found])
    sampler = ReachableSampler(actions)
    assume(ReachableSpace(actions).reach(actions.codes(person)[0]).sound)
    points = sampler.sample(person, 20_000, random_state=0)
    for _, holds in found:
        assert np.all(holds(points))
    still = [name for name in COLUMNS if name not in actions.movable]
    assert (points[still] == person.loc[0, still]).all(axis=None)

    everything = {"u": [0, 1], "v": [0, 1], "kind": KINDS, "r": GRID, "q": GRID}
    values = [
        everything[name] if name in actions.movable else person[name].tolist() for name in COLUMNS
    ]
    grid = pd.DataFrame(itertools.product(*values), columns=COLUMNS)
    kept = np.logical_and.reduce([holds(grid) for _, holds in found])
    expected = set(grid.loc[kept, STATES].itertuples(index=False, name=None))
    drawn = set(points[STATES].itertuples(index=False, name=None))
    assert expected <= drawn
