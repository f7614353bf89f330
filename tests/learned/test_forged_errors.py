"""Learned errors that were put together are refused by the place, when read or when fitted."""

import copy

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned import LearnedErrors, learn_errors

rng = np.random.default_rng(0)
LINE = rng.choice(["CO", "AA", "UA"], 200)
CLEAN = pd.DataFrame(
    {
        "trip": [f"{line}-{i}" for i, line in enumerate(LINE)],
        "seats": rng.integers(10, 90, 200).astype(float),
        "class": rng.choice(["x", "y", "z"], 200),
    }
)


@pytest.fixture(scope="module")
def content():
    """Lost seats of one line, and classes that are confused anywhere."""
    turned = CLEAN["class"].map({"x": "y", "y": "z", "z": "x"})
    hit = np.random.default_rng(1).random(200) < 0.3
    dirty = CLEAN.assign(
        seats=CLEAN["seats"].mask(LINE == "CO"), **{"class": CLEAN["class"].where(~hit, turned)}
    )
    return learn_errors(dirty, CLEAN, key="trip").to_dict()


def row_of(changed, kind):
    return next(row for row in changed["report"] if row["kind"] == kind)


@pytest.mark.parametrize(
    ("name", "value", "should"),
    [
        ("kind", "x", "one of"),
        ("n_cells", "many", "a whole number"),
        ("rate", [], "a number"),
        ("parameters", None, "an object"),
        ("pattern", "b > 1", "a pattern, or null"),
        ("mechanism", 1, "a mechanism, or null"),
        ("together_with", 3, "a list of columns"),
        ("examples", {"tuple": [1]}, "a list of pairs"),
        ("uses_y", 2, "true or false"),
        ("column", None, "a column, as errors"),
        ("parameters", {"mapping": [["by_value", True], ["table", [1]]]}, "a row of a report"),
    ],
)
def test_a_row_of_the_report_is_checked(content, name, value, should):
    assert LearnedErrors.from_dict(content).to_dict() == content
    changed = copy.deepcopy(content)
    row_of(changed, "categories")[name] = value
    with pytest.raises(ValueError, match=rf"report\[\d\].* should be {should}"):
        LearnedErrors.from_dict(changed)


def seen_of(content):
    """What was seen, as parameters of the corruption have it."""
    learned = LearnedErrors.from_dict(content)
    return learned, learned.corruption.corruptions[0][1].seen


@pytest.mark.parametrize(
    ("part", "change", "place"),
    [
        ("columns", lambda seen: None, "columns=None"),
        ("rules", lambda seen: seen["rules"][:1], "rules"),
        ("rules", lambda seen: [[{"form": "lost"}], []], r"rules\[0\]\[0\]"),
        ("readings", lambda seen: [{"as": "magic"}], r"readings\[0\]"),
        ("donors", lambda seen: [[9, 9]], "donors"),
        ("donors", lambda seen: [[10**30, 0]], "donors"),
        ("donors", lambda seen: [[0]], "donors"),
        ("nodes", lambda seen: [], "nodes"),
        # rows would go round for ever
        ("nodes", lambda seen: [seen["nodes"][0] | {"children": [0, 0]}], r"nodes\[0\]\.children"),
        ("nodes", lambda seen: [{"share": 2}], r"nodes\[0\]\.share"),
        ("nodes", lambda seen: [{"share": 1, "donors": [0], "counts": [0]}], r"nodes\[0\]\.counts"),
        ("nodes", lambda seen: [{"share": 1, "donors": [99], "counts": [1]}], r"\.donors"),
    ],
)
def test_what_was_seen_is_checked_when_it_is_fitted(content, part, change, place):
    learned, seen = seen_of(content)
    assert learned.corruption.fit(CLEAN).corrupt(CLEAN).record.n_corrupted > 0
    assert "children" in seen["nodes"][0] and len(seen["columns"]) == 2
    seen[part] = change(seen)
    with pytest.raises(ValueError, match=f"seen: .*{place}.* should be .* made by learn_errors"):
        learned.corruption.fit(CLEAN)


def test_a_rule_that_lacks_what_it_needs_or_never_ends(content):
    learned, seen = seen_of(content)
    for rules in seen["rules"]:
        for rule in rules:
            rule["params"] = {}
    with pytest.raises(ValueError, match=r"seen: rule .* of '.*' cannot be applied \(KeyError"):
        learned.corruption.fit(CLEAN).corrupt(CLEAN)
    rule |= {"form": "row", "params": {"offset": 10**12}}
    with pytest.raises(ValueError, match="a rule of at most 1000 rows or slips"):
        learned.corruption.fit(CLEAN)
