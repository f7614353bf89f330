"""Kinds of rows that training knew with a gap in a column, and hardly any without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binom, hypergeom
from sklearn.tree import DecisionTreeClassifier

from ._hidden import LEAST_EXPECTED, LEAST_QUIET, SURPRISING, Crossed, Divided

# conditions of a kind, and columns that they are chosen from
DEPTH = 3
MOST_COLUMNS = 16
# rows that show values of which a model has learned little, and of the share elsewhere the part
# that may be left of theirs
MOST_SHOWN, LEFT = 24, 0.25
# chance that a kind has so few rows without the gap, if more of all such rows have none
UNLIKELY = 0.01
LEAF = -1


@dataclass(frozen=True)
class GapKind:
    """Rows of a kind, in which a column is missing.

    Attributes
    ----------
    column : int
        The column.
    allowed : dict of int to ndarray of bool
        Of each column that tells the kind, which codes it has.
    values : ndarray of bool
        Codes of the column that hardly any of these rows show, that of other values among them.
    n_rows, n_gaps : int
        Training rows of the kind, and those of them that have the gap.
    """

    column: int
    allowed: dict[int, np.ndarray]
    values: np.ndarray
    n_rows: int
    n_gaps: int

    def hides(self, codes: dict[int, np.ndarray]) -> np.ndarray:
        """Which rows of the kind hold such a value, by the codes of their columns."""
        asked = {**self.allowed, self.column: self.values}
        found: np.ndarray = np.logical_and.reduce([a[codes[k]] for k, a in asked.items()])
        return found

    def where(self, divided: dict[int, Divided], labels: list[Any]) -> dict[Any, Any]:
        """What tells the kind: levels, or (low, high) of ranges, by the labels of columns."""
        told: dict[Any, Any] = {}
        for k, allowed in self.allowed.items():
            codes = np.flatnonzero(allowed).tolist()
            values = [divided[k].value(code) for code in codes]
            told[labels[k]] = values if divided[k].single else (values[0][0], values[-1][1])
        return told


def gap_kinds(
    divided: dict[int, Divided], codes: dict[int, np.ndarray], crossed: Crossed, least: float
) -> Iterator[GapKind]:
    """Kinds of rows in which a column is missing, by a tree on the other columns.

    Parameters
    ----------
    divided : dict of int to Divided
        The columns.
    codes : dict of int to ndarray of int, each of shape (n_rows,)
        Their codes in training rows.
    crossed : Crossed
        The column with gaps beside the others.
    least : float
        Least share of the rows of a kind that have the gap.

    Yields
    ------
    GapKind
        Kinds that have no row in common.
    """
    j, others = crossed.column, crossed.most_associated(MOST_COLUMNS)
    if not others:
        return
    gaps = codes[j] == divided[j].n_values + 1
    ranks = {k: _ranks(divided[k], codes[k], gaps) for k in others}
    # what is new or missing is no value to tell a kind by
    of_rows = np.column_stack([np.append(ranks[k], [np.nan] * 2)[codes[k]] for k in others])
    tree = DecisionTreeClassifier(
        max_depth=DEPTH, min_samples_leaf=int(LEAST_EXPECTED), random_state=0
    )
    of_rows = of_rows.astype(np.float32)
    split = tree.fit(of_rows, gaps).tree_
    # where there are few gaps it is told how frequent values are
    quiet = tree.predict_proba(of_rows)[:, 1] <= gaps.mean() / 2
    frequencies = _frequencies(codes[j], divided[j].n_values, quiet)
    chance = _log_splits(divided[k] for k in crossed.others)
    waiting: list[tuple[int, int, np.ndarray, dict[int, np.ndarray]]]
    waiting = [(0, 0, np.ones(len(gaps), dtype=bool), {})]
    while waiting:
        node, depth, rows, allowed = waiting.pop()
        if depth and _nearly_all(gaps, rows, least, SURPRISING + depth * chance):
            # where gaps hide some values, the others are known as what they are
            n_rows, n_gaps = int(rows.sum()), int((rows & gaps).sum())
            shown = np.bincount(codes[j][rows], minlength=len(frequencies))[: len(frequencies)]
            hardly = shown <= (1 - least) * frequencies * n_rows
            if hardly.any() and shown[hardly].sum() <= MOST_SHOWN:
                yield GapKind(j, allowed, np.append(hardly, False), n_rows, n_gaps)
                continue
        if split.children_left[node] == LEAF:
            continue
        k = others[split.feature[node]]
        left = ranks[k] <= split.threshold[node]
        for child, side in ((split.children_right, ~left), (split.children_left, left)):
            some = np.append(side, [False, False])
            both = {**allowed, k: allowed.get(k, np.True_) & some}
            waiting.append((int(child[node]), depth + 1, rows & some[codes[k]], both))


def _nearly_all(gaps: np.ndarray, rows: np.ndarray, least: float, surprising: float) -> bool:
    """Whether a share of some rows and of others like them have the gap, far more than elsewhere.

    Parameters
    ----------
    gaps, rows : ndarray of bool of shape (n_rows,)
        Rows with the gap, and those in question.
    least : float
        The share.
    surprising : float
        Minus the logarithm of the chance that so many may have by Fisher's test.
    """
    n, n_shown = len(gaps), int((~gaps).sum())
    n_rows, n_left = int(rows.sum()), int((rows & ~gaps).sum())
    elsewhere = (n_shown - n_left) / max(1, n - n_rows)
    return (
        n_rows - n_left >= max(LEAST_EXPECTED, least * n_rows)
        and n_left <= LEFT * elsewhere * n_rows
        and (n_left == 0 or binom.cdf(n_left, n_rows, 1 - least) <= UNLIKELY)
        and -hypergeom.logcdf(n_left, n, n_shown, n_rows) >= surprising
    )


def _frequencies(own: np.ndarray, n_values: int, quiet: np.ndarray) -> np.ndarray:
    """How frequent the values of a column are, others together last, by rows with few gaps."""
    counts = np.bincount(own[quiet], minlength=n_values + 1)[: n_values + 1]
    if counts.sum() < LEAST_QUIET:
        counts = np.bincount(own, minlength=n_values + 1)[: n_values + 1]
    found: np.ndarray = counts / counts.sum()
    return found


def _ranks(divided: Divided, codes: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """The order in which the codes of a column are split: of texts by their share of gaps."""
    n = divided.n_values
    if divided.texts is None:
        return np.arange(n, dtype=float)
    n_rows = np.bincount(codes, minlength=n)[:n]
    shares = np.bincount(codes, gaps, minlength=n)[:n] / np.maximum(n_rows, 1)
    ranks = np.empty(n)
    ranks[np.argsort(shares, kind="stable")] = np.arange(n)
    return ranks


def _log_splits(columns: Iterator[Divided]) -> float:
    """Logarithm of how many kinds a split has to choose from."""
    # either side of a cut, or any set of levels
    ways = [
        np.log(2.0) + np.log(max(1, each.n_values - 1))
        if each.texts is None
        else np.log(2.0) * each.n_values
        for each in columns
    ]
    return float(np.logaddexp.reduce(ways))
