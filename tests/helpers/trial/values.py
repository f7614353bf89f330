"""Odd values for any parameter, and odder ones for parameters of certain names."""

import copy
import datetime
import decimal
import re
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from skcorrupt import (
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    Pattern,
    SelectionBias,
)

from .models import ESTIMATORS, SCORERS


def deep_list(depth=5000):
    """A list in a list in a list …"""
    inner = []
    for _ in range(depth):
        inner = [inner]
    return inner


def nothing(*args, **kwargs):
    """A function that takes anything and gives None."""


VALUES = {
    repr(value): lambda value=value: copy.copy(value)
    for value in (
        None,
        "",
        "x",
        "0.5",
        "a\0b",
        b"a",
        0,
        -1,
        2,
        1.5,
        0.5,
        -0.0,
        1e-320,
        float("nan"),
        float("inf"),
        float("-inf"),
        1e308,
        True,
        False,
        1 + 1j,
        [],
        {},
        (),
        set(),
        [None],
        [[]],
        [float("nan")],
        [1, "x"],
        {"x": 1},
        {1: None},
        decimal.Decimal("0.5"),
        datetime.date(2020, 1, 1),
        pd.NA,
        pd.NaT,
        np.float64("nan"),
        np.int8(1),
        np.str_("x"),
        range(3),
    )
} | {
    "10**400": lambda: 10**400,
    "object()": object,
    "function": lambda: nothing,
    "generator": lambda: (i for i in range(3)),
    "a class": lambda: LogisticRegression,
    "an estimator": LogisticRegression,
    "a corruption": CorruptMissing,
    "array of no dimension": lambda: np.array(0.5),
    "array of shape (2,)": lambda: np.array([0.5, 0.5]),
    "array of shape (2, 2, 2)": lambda: np.zeros((2, 2, 2)),
    "array of objects": lambda: np.array([None, {}], dtype=object),
    "empty array": lambda: np.empty(0),
    "empty frame": pd.DataFrame,
    "a Series": lambda: pd.Series([1, 2]),
    "long text": lambda: "a" * 100_000,
    "a path": lambda: Path("x"),
}

PATTERNS = {
    text[:40]: lambda text=text: text
    for text in (
        "a <=",
        "a <= 1 or b > 2",
        "no_such_column <= 1",
        "1e308*10 + a <= 100",
        "1 < 1 < a",
        "a <= '1'",
        "a == None",
        "a in []",
        "a in {}",
        "y == 'no such label'",
        "a.b <= 1",
        "a[0] <= 1",
        "f(a) <= 1",
        "lambda: a",
        "`a",
        "a <= 1\0",
        "a <= 1e999",
        "a <= 9" + "9" * 4000,
        " and ".join(["a <= 1"] * 1000),
        " + ".join(["a"] * 1000) + " <= 1",
        "not " * 400 + "a <= 1",
        "(" * 300 + "a" + ")" * 300 + " <= 1",
        "-" * 3000 + "a <= 1",
        "a <= " + " " * 50_000 + "1",
        "`" * 50_000,
        "a " * 50_000,
        "'" * 49_999,
    )
} | {
    "dict of a list": lambda: {"a": [1, 2]},
    "dict of a long tuple": lambda: {"a": (1, 2, 3)},
    "dict of bounds that cross": lambda: {"a": (2, 1)},
    "dict of NaN": lambda: {"a": (float("nan"), None)},
    "dict of an empty set": lambda: {"a": set()},
    "dict of mixed bounds": lambda: {"a": (1, "b")},
    "dict of a date": lambda: {"a": (pd.Timestamp("2020-01-01"), None)},
    "matches nothing": lambda: "a > 1000",
    "of the label": lambda: "y == 1",
    "Pattern": lambda: Pattern({"a": (None, 1)}),
    "compiled": lambda: re.compile("a"),
}

EXPRESSIONS = {
    text[:40]: lambda text=text: text
    for text in (
        "a + b <= c + no",
        "a * b <= 1",
        "a / 0 <= 1",
        "a <= 1 <= ",
        "a**2 <= 1",
        "abs(abs(a)) <= 1",
        "change(a) <= 1",
        "a @ b <= 1",
        "a := 1",
        "0 <= 0",
        "a <= nan",
        "a <= inf",
        "a <= 1j",
        "a != 1",
    )
}

REGEXES = {
    text[:40]: lambda text=text: text
    for text in ("[", "(", "(?R)", "(?P<a>x)(?P<a>y)", "(" * 300 + ")" * 300, "a{9999999999}", "\\")
}


def process_in_itself():
    """A process that is one of its own members."""
    process = CorruptionProcess([("a", CorruptMissing())])
    process.corruptions.append(("itself", process))
    return process


CORRUPTIONS = {
    "unknown name": lambda: "no such corruption",
    "a class of corruption": lambda: CorruptMissing,
    "its rate is text": lambda: CorruptMissing(rate="0.5"),
    "its column is unknown": lambda: CorruptMissing(columns="no such column"),
    "its pattern is broken": lambda: CorruptMissing(pattern="a <="),
    "its transition is ragged": lambda: CorruptLabels(transition=[[0, 1], [1]]),
    "a list with a stranger": lambda: [CorruptMissing(), 3],
    "pairs with a stranger": lambda: [("a", CorruptMissing()), ("b", 3)],
    "triples": lambda: [("a", CorruptMissing(), 1)],
    "names twice": lambda: [("a", CorruptMissing()), ("a", SelectionBias())],
    "a name with __": lambda: [("a__b", CorruptMissing())],
    "a name that is a number": lambda: [(1, CorruptMissing())],
    "a process of nothing": lambda: CorruptionProcess([]),
    "a process that contains itself": process_in_itself,
    "drops nearly all": lambda: SelectionBias(rate=1.0),
    "a dict": lambda: {"a": CorruptMissing()},
}

SPLITS = {
    "rows out of range": lambda: [(np.arange(10), np.arange(1000, 1010))],
    "negative rows": lambda: [(np.arange(10), np.array([-1000]))],
    "empty parts": lambda: [(np.array([], int), np.array([], int))],
    "rows of text": lambda: [(["a"], ["b"])],
    "rows of floats": lambda: [(np.arange(10) + 0.5, np.arange(20, 30))],
    "masks": lambda: [(np.arange(40) < 20, np.arange(40) >= 20)],
    "short masks": lambda: [(np.array([True, False]), np.array([False, True]))],
    "triples": lambda: [([0, 1], [2, 3], [4])],
    "one of them None": lambda: [None],
    "parts that overlap": lambda: [(np.arange(30), np.arange(40))],
    "more folds than rows": lambda: 1000,
}

PATHS = {
    "in memory": lambda: ":memory:",
    "a folder": lambda: ".",
    "no such folder": lambda: "no/such/folder/file",
    "with NUL": lambda: "a\0b.json",
    "text inside": lambda: "note.txt",
    "too long": lambda: "a" * 5000,
    "a device": lambda: "/dev/full",
}

# odd values beyond those for any parameter, by the parameter's name
BY_NAME = {
    **dict.fromkeys(("scoring", "metric"), SCORERS),
    **dict.fromkeys(
        ("estimator", "estimators", "pipeline", "model", "models", "label_model", "proxy"),
        ESTIMATORS,
    ),
    **dict.fromkeys(("pattern", "patterns", "population", "text", "spec", "exclude"), PATTERNS),
    **dict.fromkeys(
        ("condition", "then", "otherwise", "expression", "rule"), PATTERNS | EXPRESSIONS
    ),
    **dict.fromkeys(("corruption", "corruptions", "test_corruption", "process"), CORRUPTIONS),
    **dict.fromkeys(("journal", "path"), PATHS),
    "cv": SPLITS,
    "regex": REGEXES,
}


def mutants(value, at="data"):
    """Copies of a structure of JSON with one of its places changed, by a name of the change."""
    strange = (None, "", "x", 0, -1, 1.5, True, [], {}, 10**400, float("nan"), [None], {"x": 1})
    for odd in strange:
        yield f"{at} = {odd!r}"[:60], copy.copy(odd)
    yield f"{at} = a deep list", deep_list()
    if isinstance(value, dict):
        for key in value:
            rest = {k: v for k, v in value.items() if k != key}
            yield f"{at} without {key!r}", rest
            for name, changed in mutants(value[key], f"{at}[{key!r}]"):
                yield name, {k: changed if k == key else v for k, v in value.items()}
        yield f"{at} with a key more", {**value, "no such key": 1}
    elif isinstance(value, (list, tuple)):
        if value:
            yield f"{at} cut", list(value)[:-1]
        for i in list(range(len(value)))[:2]:
            for name, changed in mutants(value[i], f"{at}[{i}]"):
                yield name, [*value[:i], changed, *value[i + 1 :]]
