"""Documents that are wrong in any place: the place is named, and nothing fails later."""

import copy
import json
import math
import traceback
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import skcorrupt
from skcorrupt import (
    MAR,
    BaseCorruption,
    CorruptCategories,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
    Pattern,
    SelectionBias,
)
from skcorrupt.attributes import FeatureDomain, infer_domains
from skcorrupt.patterns import Condition
from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    CausalEffect,
    Constraint,
    DirectionalLinkage,
    Effect,
    IfThen,
    LinearConstraint,
    LinearEffect,
    MutabilitySwitch,
    NoiseEffect,
    OneHot,
    Reachability,
    ReachableSampler,
    Thermometer,
)
from skcorrupt.sensitivity import Strategy

PACKAGE = str(Path(skcorrupt.__file__).parent)
N = 24
X = pd.DataFrame(
    {
        "age": np.arange(20, 20 + N),
        "wage": np.linspace(1.5, 9.5, N),
        "city": ["Rome", "Oslo", "Bonn"] * (N // 3),
        "b1": [0, 1] * (N // 2),
        "b2": [1, 0] * (N // 2),
        "n": [0, 1, 2] * (N // 3),
    }
)
Y = np.array([0, 1, 1, 0] * (N // 4))


def deep(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


PUT = {
    "None": None,
    "0": 0,
    "x": "x",
    "[]": [],
    "{}": {},
    "true": True,
    "negative": -1,
    "deep": deep(5),
    "deeper": deep(5000),
    "[[]]": [["x"], [1, 2]],
    "huge": 10**400,
    "large": 2**1023,
    "nan": math.nan,
    "inf": math.inf,
}


def corrupt(corruption):
    corruption.corrupt(X, Y)
    corruption.fit(X, Y)
    repr(corruption)
    json.dumps(corruption.to_dict(), allow_nan=False)


def enumerate_points(actions):
    people = X[list(actions.columns)]
    person = people.iloc[[4]]
    actions.validate(people)
    repr(actions), [repr(rule) for rule in (*actions.constraints, *actions.effects)]
    json.dumps(actions.to_dict(), allow_nan=False)
    sampler = ReachableSampler(actions, max_table=500)
    sampler.explain(person)
    sampler.sample(person, 5, random_state=0)


def plan(strategy):
    strategy.profiler({"a": GaussianNB(), "b": GaussianNB()}).plan(X, Y)
    json.dumps(strategy.to_dict(), allow_nan=False)


def actions(*rules):
    found = ActionSet.from_data(X, actionable=["b1", "b2", "n", "city"], rules=())
    found["n"].change = (-1, "100%")
    for rule in rules:
        found.add(rule)
    return found.to_dict()


ACTIONS = actions()
DOCUMENTS = {
    "missing": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptMissing(
            ["age", "wage"], pattern=Pattern({"n": (0, 1), "y": 1}), rate=0.5, random_state=0
        ).to_dict(),
    ),
    "mar": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptMissing("age", pattern="n >= 1", mechanism=MAR(("wage",)), rate=0.5).to_dict(),
    ),
    "typos": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptCategories("city", kind="typo", rate=0.5).to_dict(),
    ),
    "default": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptSentinel(value=pd.Timestamp("1970-01-01"), rate=0.0).to_dict(),
    ),
    "factor": (BaseCorruption.from_dict, corrupt, CorruptScale("n", factor=2.5).to_dict()),
    "labels": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptLabels(transition={0: {1: 0.7, 2: 0.3}}, rate=0.5).to_dict(),
    ),
    "matrix": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptLabels(transition=[[0, 1], [1, 0]], rate=0.5).to_dict(),
    ),
    "erased": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptLabels(missing_label=math.nan, pattern={"age": {20, 21}}, rate=1.0).to_dict(),
    ),
    "process": (
        BaseCorruption.from_dict,
        corrupt,
        CorruptionProcess(
            [
                ("m", CorruptMissing("age", rate=0.5)),
                ("o", CorruptOutliers(["wage"], magnitude=3.0, rate=0.5)),
                ("s", SelectionBias(pattern=Pattern({"age": (None, 25)}), rate=0.5)),
            ],
            noise={"both": ["m", "o"]},
        ).to_dict(),
    ),
    "strategy": (
        Strategy.from_dict,
        plan,
        Strategy(
            corruptions={
                "lost": CorruptMissing(["age"], pattern="n >= 1"),
                "flipped": CorruptLabels(transition={0: 1}),
                "bias": SelectionBias(pattern=Pattern({"n": (0, 1)})),
            },
            screening="variance",
            scoring="accuracy",
            drop=["b1"],
            label="b2",
            models=["a", "b"],
        ).to_dict(),
    ),
    "entry with a pattern of JSON": (
        Strategy.from_dict,
        plan,
        {
            "corruptions": [
                {"kind": "noise", "pattern": {"conditions": [{"column": "n", "in": [1, 2]}]}}
            ]
        },
    ),
    "columns": (
        ActionSet.from_dict,
        enumerate_points,
        {"columns": {name: ACTIONS["columns"][name] for name in ("wage", "city", "n")}},
    ),
    "rules": (
        ActionSet.from_dict,
        enumerate_points,
        actions(
            OneHot(["b1", "b2"]),
            DirectionalLinkage("n", ["age"], 2, relation="<="),
            MutabilitySwitch("b1", ["n"], on=1),
            "delta(age) <= 3",
        ),
    ),
    "more rules": (
        ActionSet.from_dict,
        enumerate_points,
        actions(
            Reachability(["b1", "b2"], [[1, 0], [0, 1]], [[1, 1], [0, 1]]),
            IfThen("b1 == 1", "n >= 0", "n <= 9"),
            LinearConstraint("delta(n) <= 2 + delta(b1)"),
        ),
    ),
    "thermometer": (
        ActionSet.from_dict,
        enumerate_points,
        actions(Thermometer(["b2", "b1"], direction="both")),
    ),
    "effects": (
        ActionSet.from_dict,
        enumerate_points,
        actions(
            LinearEffect("age", {"n": 1.0}, whole=True),
            NoiseEffect(["wage"], scale=[0.1], outside="clip"),
            NoiseEffect(["age", "wage"], covariance=[[2.0, 0.5], [0.5, 1.0]], outside="clip"),
            CausalEffect({"wage": "0.5 * n + 2 * b1"}, noise={"wage": 0.1}),
        ),
    ),
    "element": (
        lambda data: ActionElement.from_dict("n", data),
        lambda element: enumerate_points(ActionSet([element])),
        ActionElement("n", "integer", 0, 9, direction="increase", change=(None, "50%")).to_dict(),
    ),
    "rule": (Constraint.from_dict, repr, OneHot(["b1", "b2"]).to_dict()),
    "effect": (Effect.from_dict, repr, LinearEffect("age", {"n": 1.0}).to_dict()),
    "pattern": (
        Pattern.from_dict,
        lambda pattern: pattern.mask(X, Y),
        Pattern({"age": (20, math.inf), "city": {"Rome", "Oslo"}, "y": 1}).to_dict(),
    ),
    **{
        f"domain {domain.name}": (
            FeatureDomain.from_dict,
            lambda found: found.contains([1, 2]),
            domain.to_dict(),
        )
        for domain in (
            infer_domains(X)["age"],
            infer_domains(X)["city"],
            FeatureDomain(
                "day", "datetime", lower=pd.Timestamp("2020"), upper=pd.Timestamp("2021")
            ),
        )
    },
}


def places(value, path=()):
    """Keys that lead to every part of a document, the whole first."""
    yield path
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, part in value.items() if isinstance(value, dict) else ():
        yield from places(part, (*path, key))


def changed(data, path, put):
    """The document with `put(old)` in a place."""
    if not path:
        return put(data)
    new = copy.copy(data)
    new[path[0]] = changed(data[path[0]], path[1:], put)
    return new


def part_of(data, path):
    for key in path:
        data = data[key]
    return data


def mutants(data):
    """Documents that differ in one place, with the place and what was done there."""
    for path in places(data):
        if "rules" in data and path[:1] == ("columns",):
            # they are mutated in a document of their own
            continue
        for name, new in PUT.items():
            yield path, name, changed(data, path, lambda _, new=new: new)
        part = part_of(data, path)
        if isinstance(part, dict):
            yield path, "a key more", changed(data, path, lambda old: old | {"zzz": 1})
            yield path, "a key of no text", changed(data, path, lambda old: old | {3: 1})
        if isinstance(part, list):
            yield path, "one more", changed(data, path, lambda old: [*old, {}])
        if path and isinstance(part_of(data, path[:-1]), dict):
            yield (
                path,
                "dropped",
                changed(
                    data,
                    path[:-1],
                    lambda old, last=path[-1]: {k: v for k, v in old.items() if k != last},
                ),
            )


def is_deliberate(error):
    """Whether a message was written for it, here or by scikit-learn's check of parameters."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    if last.name == "made":
        # which puts a place before the message of another
        return is_deliberate(error.__cause__)
    ours = last.filename.startswith(PACKAGE) or last.filename.endswith("_param_validation.py")
    return ours and last.line.startswith("raise ")


def place_of(path):
    parts = [f"[{key}]" if isinstance(key, int) else f".{key}" for key in path]
    return "".join(parts).removeprefix(".")


def names_place(message, path, data):
    """Whether a message begins with the place, or names one of the settings around it."""
    around = data[path[0]] if path else {}
    names = {*path[:2], *(around if isinstance(around, dict) else ())}
    return message.startswith(place_of(path[:2])) or any(
        name in message for name in names if isinstance(name, str)
    )


@pytest.mark.many
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_that_is_wrong_anywhere_is_refused_by_its_place_or_works(kind):
    read, use, data = DOCUMENTS[kind]
    data = json.loads(json.dumps(data, allow_nan=False))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        use(read(data))
        faults = []
        for path, name, mutant in mutants(data):
            where = f"{'.'.join(map(str, path))} {name}"
            try:
                made = read(mutant)
            except ValueError as error:
                if not names_place(str(error), path, data) or not is_deliberate(error):
                    faults.append(f"{where}: read: {error!r}")
                continue
            except Exception as error:
                faults.append(f"{where}: read: {error!r}")
                continue
            try:
                use(made)
            except (ValueError, TypeError) as error:
                if not is_deliberate(error):
                    faults.append(f"{where}: used: {error!r}")
            except Exception as error:
                faults.append(f"{where}: used: {error!r}")
    assert faults == []


READERS = {
    "corruption": BaseCorruption.from_dict,
    "strategy": Strategy.from_dict,
    "action set": ActionSet.from_dict,
    "element": lambda data: ActionElement.from_dict("a", data),
    "rule": Constraint.from_dict,
    "effect": Effect.from_dict,
    "pattern": Pattern.from_dict,
    "condition": Condition.from_dict,
    "domain": FeatureDomain.from_dict,
}


@pytest.mark.parametrize("kind", READERS)
def test_what_is_no_document_at_all_is_refused(kind):
    told = r"^data|^\w+ is missing|^\[0\].* nested more than|^a: |^(rule|effect)=None"
    for name, data in PUT.items():
        if (kind, name) == ("condition", "{}"):
            # a condition without bounds
            continue
        with pytest.raises(ValueError, match=told) as caught:
            READERS[kind](data)
        assert len(str(caught.value)) < 1000


def test_a_value_that_holds_itself_is_too_deep():
    data = {"columns": {}}
    data["columns"]["a"] = data
    with pytest.raises(ValueError, match=r"columns\.a\.columns\.a.*… is nested more than 50 deep"):
        ActionSet.from_dict(data)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: OneHot(["a", ["b"]]),
            "OneHot: columns=['a', ['b']] should be two or more different columns.",
        ),
        (lambda: OneHot(0), "OneHot: columns=0 should be two or more different columns."),
        (
            lambda: NoiseEffect("a", covariance=[[1], [1, 2]]),
            "covariance=[[1], [1, 2]] should be rows of numbers.",
        ),
        (
            lambda: NoiseEffect("a", "x"),
            "scale='x' should be above 0 and at most 1e+100, a number or one for each of the 1 "
            "targets.",
        ),
        (
            lambda: LinearEffect("a", {"b": 10**400}),
            f"coefficients.b=1{'0' * 199}… should be a finite number.",
        ),
        (
            lambda: DirectionalLinkage("a", ["b"], [[1], [2, 3]]),
            "scale=[[1], [2, 3]] should be a number of 1e-100 to 1e+100 in size, or one for each "
            "of 1 targets.",
        ),
        (
            lambda: Reachability(["a"], [[1], 2], [[1, 1], [1, 1]]),
            "values[1]=2 should be rows of a value for each of ['a'].",
        ),
        (
            lambda: Reachability(["a"], [[1], [2]], [[1, 1], [1, 0.5]]),
            "matrix=[[1, 1], [1, 0.5]] should be rows of 0 and 1.",
        ),
        (lambda: CausalEffect(3), "equations=3 should be a mapping of columns to sums of columns."),
        (lambda: LinearConstraint(3), "expression=3 should be a text."),
        (lambda: ActionElement("a", "integer", 10**400), "a: lb=1"),
        (lambda: ActionElement("a", "real", step=[]), "a: step=[] should be a number above 0"),
        (
            lambda: ActionElement("a", "categorical", values=[[1]]),
            "a: values=[[1]] should be the categories, each of them once.",
        ),
        (
            lambda: ActionElement("a", "categorical", values=3),
            "a: values=3 should be a list.",
        ),
    ],
)
def test_arguments_of_rules_are_named(make, message):
    with pytest.raises(ValueError, match="should be") as caught:
        make()
    assert str(caught.value).startswith(message)
