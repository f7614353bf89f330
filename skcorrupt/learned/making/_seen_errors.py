"""The errors of a pair of tables in a form that other data can be given: groups, donors, rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, Target, as_table

from ..kinds._explain_cells import Explained
from ..kinds._wrong_cells import Rule
from ._error_sizes import by_size
from ._error_tree import grow, plain_nodes
from ._readings import readings, things

# rows that the groups are grown on, and wrong rows that are kept
MOST_ROWS = 40_000
MOST_DONORS = 20_000
# forms whose result is fixed for a value, whatever else is known
_BY_VALUE = ("unit",)
_MOST_VALUES = 2000


def seen_errors(
    clean: Table,
    target: Target | None,
    rows: np.ndarray,
    explained: list[Explained],
    hidden: list[Any],
) -> dict[str, Any]:
    """What a `CorruptAsSeen` needs to make errors like those of a pair.

    Parameters
    ----------
    clean : Table
        The clean table.
    target : Target or None
        Its labels.
    rows : ndarray of int
        Rows of it that have a dirty counterpart.
    explained : list of Explained
        Wrong cells by column, in terms of `rows`.
    hidden : list of labels
        Columns that do not say which group a row is of.

    Returns
    -------
    dict
        JSON types: `columns`, `rules` a column, `readings` and `nodes` of the tree of groups, and
        `donors`, the rules of wrong rows.
    """
    explained = [by_size(each) for each in explained]
    codes = np.full((len(rows), len(explained)), -1)
    for j, column in enumerate(explained):
        codes[column.wrong.at, j] = column.which
    sample = _sample(codes)
    part = as_table(clean.take(rows[sample]))
    labels = None if target is None else Target(target.values[rows[sample]])
    found = [each for each in readings(part, labels) if not _told(each.what, hidden)]
    of_things = things(found)
    if of_things is not None:
        # other data is about other things
        found = [each for i, each in enumerate(found) if i != of_things[0]]
    named = None if of_things is None else of_things[1]
    nodes = grow(found, _targets(codes[sample], explained), named)
    plain = plain_nodes(nodes, found)
    donors, number = _donors(codes[sample])
    struck = (codes[sample] >= 0).any(axis=1)
    for node, entry in zip(nodes, plain, strict=True):
        if not entry:
            mine = node.rows[struck[node.rows]]
            kinds, counts = np.unique(number[mine], return_counts=True)
            entry["share"] = len(mine) / len(node.rows)
            entry["donors"] = kinds.tolist()
            entry["counts"] = counts.tolist()
    return {
        "columns": [column.wrong.column.label for column in explained],
        "rules": [_plain_rules(column) for column in explained],
        "readings": [reading.what for reading in found],
        "nodes": plain,
        "donors": donors.tolist(),
    }


def _told(what: dict[str, Any], labels: list[Any]) -> bool:
    named = [what.get("column"), what.get("missing"), *what.get("equal", ())]
    return any(type(each) is type(label) and each == label for each in named for label in labels)


def _sample(codes: np.ndarray) -> np.ndarray:
    n = len(codes)
    if n <= MOST_ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).permutation(n)[:MOST_ROWS])


def _targets(codes: np.ndarray, explained: list[Explained]) -> list[np.ndarray]:
    """What goes wrong in a row as a whole, and in each column whether, how, and by which rule."""
    kinds = np.zeros_like(codes)
    for j, column in enumerate(explained):
        names = pd.factorize(np.array([rule.kind for rule in column.rules], dtype=object))[0]
        kinds[:, j] = np.append(names + 1, 0)[codes[:, j]]
    wrong = kinds > 0
    targets = [_joint(kinds), _joint(wrong)]
    for j in range(codes.shape[1]):
        targets += [wrong[:, j].astype(np.int64), kinds[:, j], codes[:, j]]
    return targets


def _joint(several: np.ndarray) -> np.ndarray:
    _, joint = np.unique(several, axis=0, return_inverse=True)
    return joint.reshape(-1)


def _donors(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows of rules, and which of them every row has."""
    donors, number = np.unique(codes, axis=0, return_inverse=True)
    return donors, number.reshape(-1)


def _plain_rules(column: Explained) -> list[dict[str, Any]]:
    plain = []
    for i, rule in enumerate(column.rules):
        params = dict(rule.params)
        if rule.form in _BY_VALUE and _has_twin(rule, column.rules):
            pairs = np.unique(column.wrong.pair[column.which == i])[:_MOST_VALUES]
            params["values"] = [column.wrong.texts[0][pair] for pair in pairs.tolist()]
        plain.append({"kind": rule.kind, "form": rule.form, "params": params})
    return plain


def _has_twin(rule: Rule, rules: list[Rule]) -> bool:
    """Whether another rule differs in the way only in which a number is written."""
    return sum(is_twin(rule.params, each.params) for each in rules if each.form == rule.form) > 1


def is_twin(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two rules put the same words about a number."""
    return one["prefix"] == other["prefix"] and one["suffix"] == other["suffix"]
