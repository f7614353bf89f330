"""Groups of rows in which alike things go wrong, as a tree of questions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import gammaln, xlogy

from ._readings import MOST_NAMES, Reading

LEAST_ROWS = 20
MOST_DEPTH = 14
N_BINS = 48
MOST_CODES = 12
N_ORDERS = 5
# values there may be of each thing for a column to be a fact about things
SAME_WITHIN = 1.05
# how far rows of one thing repeat each other: 0 not at all, 1 in all
CLUSTERED = 0.25


@dataclass
class Node:
    """A group of rows, parted by a question or not.

    Attributes
    ----------
    rows : ndarray of int
        The rows.
    reading : int
        What the question is of; -1 where there is none.
    bound : float
        Numbers up to it go left.
    names : list of str
        Names that go left.
    known : list of str
        Names that go right.
    children : tuple of int
        Left and right.
    """

    rows: np.ndarray
    reading: int = -1
    bound: float = math.nan
    names: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    children: tuple[int, int] = (-1, -1)


@dataclass(eq=False)
class _Coded:
    """A reading in few ordered or unordered levels, unknown ones last."""

    levels: np.ndarray
    n_levels: int
    bounds: np.ndarray
    names: list[str]
    # what evidence is divided by, as rows of one thing do not speak for themselves
    shared: float = 1.0


@dataclass
class _Split:
    gain: float
    reading: int
    left: np.ndarray


def grow(found: list[Reading], targets: list[np.ndarray], things: np.ndarray | None) -> list[Node]:
    """Part rows as long as their errors differ more than chance and the choice of a question make.

    Parameters
    ----------
    found : list of Reading
        What questions can be of.
    targets : list of ndarray of int, shape (n_rows,)
        What goes wrong in every row, in several ways to look at it.
    things : ndarray of int, shape (n_rows,), or None
        Which thing a row is of, where several rows are of one.

    Returns
    -------
    list of Node
        The root first.
    """
    n = len(targets[0])
    coded = [_coded(reading) for reading in found]
    for one in coded if things is not None else []:
        one.shared = _shared(one.levels, things)
    few = [_few(target) for target in targets]
    nodes = [Node(np.arange(n))]
    waiting = [(0, 0)]
    while waiting:
        at, depth = waiting.pop()
        split = _best(coded, few, nodes[at].rows) if depth < MOST_DEPTH else None
        if split is None:
            continue
        rows = nodes[at].rows
        one = coded[split.reading]
        goes_left = np.append(split.left, False)[one.levels[rows]]
        unknown = one.levels[rows] == one.n_levels
        # rows of which it is not known go where most rows go
        if unknown.any():
            goes_left[unknown] = goes_left[~unknown].mean() >= 0.5
        node = nodes[at]
        node.reading = split.reading
        if found[split.reading].is_name:
            node.names = tuple(one.names[i] for i in np.flatnonzero(split.left))
            present = np.bincount(one.levels[rows], minlength=one.n_levels + 1)[: one.n_levels] > 0
            node.known = tuple(one.names[i] for i in np.flatnonzero(~split.left & present))
        else:
            node.bound = float(one.bounds[int(split.left.sum()) - 1])
        node.children = (len(nodes), len(nodes) + 1)
        nodes += [Node(rows[goes_left]), Node(rows[~goes_left])]
        waiting += [(node.children[1], depth + 1), (node.children[0], depth + 1)]
    return nodes


def _shared(levels: np.ndarray, things: Any) -> float:
    """More than 1 for what is the same in all rows of a thing."""
    n_things = len(np.unique(things))
    n_pairs = len(np.unique(things.astype(np.int64) * (levels.max() + 1) + levels))
    return (len(levels) / n_things) ** CLUSTERED if n_pairs <= SAME_WITHIN * n_things else 1.0


def _few(target: np.ndarray) -> tuple[np.ndarray, int]:
    """The most frequent codes, all others being one."""
    codes, distinct = pd.factorize(target)
    counts = np.bincount(codes, minlength=len(distinct))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(distinct), dtype=np.int64)
    rank[order] = np.arange(len(distinct))
    return np.minimum(rank[codes], MOST_CODES - 1), min(len(distinct), MOST_CODES)


def _coded(reading: Reading) -> _Coded:
    values = reading.values
    if reading.is_name:
        codes, distinct = pd.factorize(values)
        counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
        order = np.argsort(-counts, kind="stable")[:MOST_NAMES]
        rank = np.full(len(distinct) + 1, len(order))
        rank[order] = np.arange(len(order))
        return _Coded(rank[codes], len(order), np.empty(0), [str(distinct[i]) for i in order])
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    if len(distinct) > N_BINS:
        distinct = np.unique(np.quantile(known, np.linspace(0, 1, N_BINS + 1)[1:], method="lower"))
    levels = np.searchsorted(distinct, values)
    levels = np.where(np.isfinite(values), np.minimum(levels, len(distinct) - 1), len(distinct))
    return _Coded(levels, len(distinct), distinct, [])


def _best(
    coded: list[_Coded], few: list[tuple[np.ndarray, int]], rows: np.ndarray
) -> _Split | None:
    if len(rows) < 2 * LEAST_ROWS:
        return None
    best: _Split | None = None
    for target, n_codes in few:
        mine = target[rows]
        totals = np.bincount(mine, minlength=n_codes)
        if (totals > 0).sum() < 2:
            continue
        for i, one in enumerate(coded):
            split = _best_of(i, one, one.levels[rows], mine, n_codes, len(coded) * len(few))
            if split is not None and (best is None or split.gain > best.gain):
                best = split
    return best


def _best_of(
    i: int, one: _Coded, levels: np.ndarray, mine: np.ndarray, n_codes: int, n_choices: int
) -> _Split | None:
    """The best question of one reading."""
    flat = np.bincount(levels * n_codes + mine, minlength=(one.n_levels + 1) * n_codes)
    table = flat.reshape(-1, n_codes)[: one.n_levels]
    there = np.flatnonzero(table.sum(axis=1))
    if len(there) < 2:
        return None
    table = table[there]
    best: _Split | None = None
    for order in _orders(table) if one.names else [np.arange(len(there))]:
        left = np.cumsum(table[order], axis=0)[:-1]
        right = table.sum(axis=0) - left
        ratio = 2 * (_likelihood(left) + _likelihood(right) - _likelihood(table.sum(axis=0)[None]))
        ratio = ratio / one.shared
        sizes = np.arange(1, len(there))
        ways = math.log(len(there) - 1) * np.ones(len(sizes))
        if one.names:
            k = len(there)
            ways = gammaln(k + 1) - gammaln(sizes + 1) - gammaln(k - sizes + 1)
        n_free = (table.sum(axis=0) > 0).sum() - 1
        gain = ratio - n_free * math.log(table.sum()) - 2 * (ways + math.log(n_choices))
        gain[np.minimum(left.sum(axis=1), right.sum(axis=1)) < LEAST_ROWS] = -math.inf
        at = int(np.argmax(gain))
        if gain[at] > 0 and (best is None or gain[at] > best.gain):
            goes_left = np.zeros(one.n_levels, dtype=bool)
            goes_left[there[order[: at + 1]]] = True
            if not one.names:
                goes_left[: there[order[at]] + 1] = True
            best = _Split(float(gain[at]), i, goes_left)
    return best


def _orders(table: np.ndarray) -> list[np.ndarray]:
    """Levels in order of the share of each of the most frequent codes."""
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    return [np.argsort(shares[:, k], kind="stable") for k in range(min(N_ORDERS, table.shape[1]))]


def _likelihood(table: np.ndarray) -> np.ndarray:
    totals = table.sum(axis=1, keepdims=True)
    likelihood: np.ndarray = xlogy(table, table / np.maximum(totals, 1)).sum(axis=1)
    return likelihood


def plain_nodes(nodes: list[Node], found: list[Reading]) -> list[dict[str, Any]]:
    """Nodes as JSON types, without their rows."""
    plain: list[dict[str, Any]] = []
    for node in nodes:
        if node.reading < 0:
            plain.append({})
            continue
        share = len(nodes[node.children[0]].rows) / len(node.rows)
        entry: dict[str, Any] = {"reading": node.reading, "children": list(node.children)}
        entry["left_share"] = round(share, 6)
        if found[node.reading].is_name:
            entry |= {"left": list(node.names), "right": list(node.known)}
        else:
            entry["bound"] = node.bound
        plain.append(entry)
    return plain
