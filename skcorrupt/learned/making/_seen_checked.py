"""What was seen, as `learn_errors` writes it: checked, as it may come from a file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NoReturn

import numpy as np

from skcorrupt.utils import is_finite_number, is_number, shorten

from ..kinds._edit_forms import RELATIONS

PARTS = ("columns", "rules", "readings", "nodes", "donors")
READ_AS = ("number", "text number", "time", "stamp", "name")
# slips of one text and rows between two, of which a rule has a few
MOST_TIMES = 1000


def check_seen(seen: Mapping[str, Any]) -> None:
    """Refuse what no errors could be made of, or would be made of without end.

    Parameters
    ----------
    seen : mapping
        What was seen.

    Raises
    ------
    ValueError
        With the place, and what should be there.
    """
    absent = [part for part in PARTS if part not in seen]
    if absent:
        raise ValueError(
            f"seen={shorten(sorted(seen))} lacks {absent}; it should be made by learn_errors."
        )
    for part in PARTS:
        if not isinstance(seen[part], list):
            _refuse(part, seen[part], "a list")
    n_columns = len(seen["columns"])
    if not all(isinstance(label, Hashable) for label in seen["columns"]):
        _refuse("columns", seen["columns"], "labels of columns")
    if len(seen["rules"]) != n_columns:
        _refuse("rules", seen["rules"], f"{n_columns} lists, one a column")
    for k, rules in enumerate(seen["rules"]):
        _check_rules(rules, f"rules[{k}]")
    for i, what in enumerate(seen["readings"]):
        _check_reading(what, f"readings[{i}]")
    _check_donors(seen["donors"], [len(rules) for rules in seen["rules"]])
    if not seen["nodes"]:
        _refuse("nodes", seen["nodes"], "a list of one node or more")
    for i, node in enumerate(seen["nodes"]):
        _check_node(node, f"nodes[{i}]", i, seen)


def _refuse(place: str, value: Any, what: str) -> NoReturn:
    raise ValueError(
        f"seen: {place}={shorten(value)} should be {what}; seen should be made by learn_errors."
    )


def _check_rules(rules: Any, place: str) -> None:
    if not isinstance(rules, list):
        _refuse(place, rules, "a list of rules")
    for i, rule in enumerate(rules):
        if not isinstance(rule, Mapping) or not {"kind", "form", "params"} <= rule.keys():
            _refuse(f"{place}[{i}]", rule, "an object with kind, form and params")
        if not isinstance(rule["form"], str) or not isinstance(rule["params"], Mapping):
            _refuse(f"{place}[{i}]", rule, "a form and its parameters")
        times = rule["params"].get("offset" if rule["form"] in RELATIONS else "each", 0)
        if not _is_within(times, -MOST_TIMES, MOST_TIMES):
            _refuse(f"{place}[{i}]", rule, f"a rule of at most {MOST_TIMES} rows or slips")


def _check_reading(what: Any, place: str) -> None:
    if not isinstance(what, Mapping) or what.get("as") not in READ_AS:
        _refuse(place, what, f"an object that says what a column is read as, one of {READ_AS}")
    if "equal" in what and not (isinstance(what["equal"], list) and len(what["equal"]) == 2):
        _refuse(f"{place}.equal", what["equal"], "two columns")
    if not {"equal", "missing", "column"} & what.keys():
        _refuse(place, what, "a column, or two that are compared")
    if not _is_place(what.get("part", 0), np.inf):
        _refuse(f"{place}.part", what["part"], "a whole number from 0 on")


def _check_donors(donors: list[Any], n_rules: list[int]) -> None:
    if not donors:
        return
    try:
        found = np.array(donors)
    except ValueError:
        found = np.array(())
    if found.dtype.kind != "i" or found.shape != (len(donors), len(n_rules)):
        _refuse("donors", donors, f"rows of {len(n_rules)} whole numbers, one a column")
    if found.size and (np.any(found < -1) or np.any(found >= np.array(n_rules))):
        _refuse("donors", donors, "rules of their columns by number, or -1")


def _check_node(node: Any, place: str, number: int, seen: Mapping[str, Any]) -> None:
    if not isinstance(node, Mapping):
        _refuse(place, node, "an object")
    if "share" in node:
        _check_leaf(node, place, len(seen["donors"]))
        return
    if not _is_place(node.get("reading"), len(seen["readings"])):
        _refuse(f"{place}.reading", node.get("reading"), "a place among the readings")
    below, n_nodes = node.get("children"), len(seen["nodes"])
    # below a node are later ones, so that each row comes to an end
    if not (
        isinstance(below, list)
        and len(below) == 2
        and all(_is_place(child, n_nodes) and child > number for child in below)
    ):
        _refuse(f"{place}.children", below, f"two nodes after it, of {n_nodes}")
    if not _is_within(node.get("left_share"), 0, 1):
        _refuse(f"{place}.left_share", node.get("left_share"), "a share")
    by_name = seen["readings"][node["reading"]]["as"] == "name"
    if by_name and not all(isinstance(node.get(side), list) for side in ("left", "right")):
        _refuse(place, node, "names on the left and on the right")
    if not by_name and not is_number(node.get("bound")):
        _refuse(f"{place}.bound", node.get("bound"), "a number")


def _check_leaf(node: Mapping[str, Any], place: str, n_donors: int) -> None:
    if not _is_within(node["share"], 0, 1):
        _refuse(f"{place}.share", node["share"], "a share")
    donors, counts = node.get("donors"), node.get("counts")
    if not isinstance(donors, list) or not all(_is_place(each, n_donors) for each in donors):
        _refuse(f"{place}.donors", donors, f"places among {n_donors} donors")
    if (
        not isinstance(counts, list)
        or len(counts) != len(donors)
        or not all(_is_place(each, 2**53) and each > 0 for each in counts)
    ):
        _refuse(f"{place}.counts", counts, "a number of rows above 0 for each of its donors")


def _is_place(value: Any, n: float) -> bool:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and 0 <= value < n


def _is_within(value: Any, least: float, most: float) -> bool:
    return is_finite_number(value) and least <= value <= most
