"""The data of a search as groups of equal rows, on which thousands of candidates can be scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from skcorrupt.attributes._levels import named_levels, sorted_levels
from skcorrupt.base._struck import are_strange_times
from skcorrupt.evaluation import Split

from ..candidates import CandidateSpace

N_LEVELS = 32
MOST_INDICATORS = 32
CLIP = 3.0
# rows of every class in a sample, if there are as many
FEWEST = 200
# squares of larger numbers may be infinite
LARGEST = 1e100
NUMERIC = ("integer", "real", "datetime", "timedelta", "bool")


@dataclass
class Feature:
    """One column of X as levels, and as columns of a linear model.

    Attributes
    ----------
    levels : ndarray of int, shape (n_groups,)
        Level of every group, `len(values)` where the column is missing.
    values : ndarray of shape (n_levels,)
        What a level holds, as a number by which levels are in order.
    block : slice
        Columns of the design matrix.
    design : ndarray of shape (n_levels, n_block)
        What a level is in them.
    numeric : bool
        Whether values can be averaged.
    centre, spread : float
        What standardised values are made of.
    """

    levels: np.ndarray
    values: np.ndarray
    block: slice
    design: np.ndarray
    numeric: bool
    centre: float = 0.0
    spread: float = 1.0

    @property
    def missing(self) -> np.ndarray:
        """Groups in which the column is missing."""
        return self.levels == len(self.values)


@dataclass
class Groups:
    """Rows that are equal for patterns and for the proxies, once each.

    Attributes
    ----------
    features : list of Feature
        Columns of X by position.
    design : ndarray of float32, shape (n_groups, n_design)
        Standardised and clipped columns, indicators of categories and of a missing one, a
        constant last.
    spreads : ndarray of shape (n_design - 1,)
        Standard deviation of each column before it was standardised.
    y : ndarray of shape (n_groups,)
        Position of the class, or the label of a regression.
    n_classes : int
        0 for a regression.
    attributes : dict of int to ndarray of int
        Levels of the attributes of patterns, by column.
    label : ndarray of int, shape (n_groups,)
        Level of the label in patterns.
    eligible : dict of object to ndarray of bool
        Groups that a template's own pattern and flips to a class can strike, by class.
    able : dict of tuple of int to ndarray of bool
        Groups whose cells can change, by columns hit, where some cannot.
    trains, tests : ndarray of float32, shape (n_folds, n_groups)
        Rows of every group in the training and test part of every split.
    of_row : ndarray of int
        Group of every row used.
    rows : ndarray of int
        Rows of the search that are used.
    weights : ndarray of float
        What each of them stands for: 1, or less in a class of which more were drawn.
    share : float
        Their share of all rows.
    """

    features: list[Feature]
    design: np.ndarray
    spreads: np.ndarray
    y: np.ndarray
    n_classes: int
    classes: np.ndarray
    attributes: dict[int, np.ndarray]
    label: np.ndarray
    eligible: dict[Any, np.ndarray]
    able: dict[tuple[int, ...], np.ndarray]
    trains: np.ndarray
    tests: np.ndarray
    of_row: np.ndarray
    rows: np.ndarray
    weights: np.ndarray
    share: float

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.y)


class CodedColumn(NamedTuple):
    """A column of all rows as levels.

    Attributes
    ----------
    codes : ndarray of int, shape (n_rows,)
        Level of every row, `len(values)` where the column is missing.
    values : ndarray of shape (n_levels,)
        What a level holds, as a number by which levels are in order.
    numeric : bool
        Whether values can be averaged.
    """

    codes: np.ndarray
    values: np.ndarray
    numeric: bool


def make_groups(
    space: CandidateSpace,
    splits: Sequence[Split],
    coded: Sequence[CodedColumn],
    *,
    classifier: bool,
    most_rows: int | None,
    most_groups: int,
    seed: int,
) -> Groups:
    """Group the rows of a search, all of them or a sample.

    Parameters
    ----------
    space : CandidateSpace
        The data, its attributes and its labels.
    splits : list of Split
        The splits.
    coded : list of CodedColumn
        The columns of X, as of `coded_columns`.
    classifier : bool
        Whether labels are classes.
    most_rows : int or None
        Rows of a sample, drawn from every class alike; None takes all.
    most_groups : int
        With no more groups than this, all rows are taken in any case.
    seed : int
        Seed of the sample.

    Returns
    -------
    Groups
        The groups.
    """
    n = space.table.n_rows
    labels = space.target.values
    classes = np.unique(labels) if classifier else np.empty(0)
    y = np.searchsorted(classes, labels) if classifier else labels.astype(float)
    keys = [column.codes for column in coded]
    keys += [attribute.codes.astype(np.int64) for attribute in space.attributes.values()]
    if classifier:
        keys.append(y)
    else:
        keys.append(pd.factorize(y)[0])
    fixed = {target: space.eligible(target) for target in _targets(space)}
    able = {hit: space.changeable(None, hit) for hit in space.allowed}
    able = {hit: mask for hit, mask in able.items() if not mask.all()}
    keys += [mask.astype(np.int64) for mask in (*fixed.values(), *able.values())]
    rows, weights = np.arange(n), np.ones(n)
    marks = _row_marks(keys)
    _, first, of_row = np.unique(marks, return_index=True, return_inverse=True)
    if most_rows is not None and len(first) > most_groups and n > most_rows:
        rows, weights = _sample(y if classifier else None, n, most_rows, seed)
        _, first, of_row = np.unique(marks[rows], return_index=True, return_inverse=True)
    first = rows[first]
    n_groups = len(first)
    trains, tests = (
        np.stack(
            [
                # a row may be there twice, as in a bootstrap
                np.bincount(of_row, weights * np.bincount(part, minlength=n)[rows], n_groups)
                for part in parts
            ]
        ).astype(np.float32)
        for parts in ([s.train for s in splits], [s.test for s in splits])
    )
    features, design, spreads = _design(coded, first, trains.sum(axis=0))
    return Groups(
        features=features,
        design=design,
        spreads=spreads,
        y=y[first],
        n_classes=len(classes),
        classes=classes,
        attributes={j: attribute.codes[first] for j, attribute in space.attributes.items()},
        label=np.zeros(n_groups, dtype=int) if space.label is None else space.label.codes[first],
        eligible={target: mask[first] for target, mask in fixed.items()},
        able={hit: mask[first] for hit, mask in able.items()},
        trains=trains,
        tests=tests,
        of_row=of_row,
        rows=rows,
        weights=weights,
        share=len(rows) / n,
    )


def _targets(space: CandidateSpace) -> list[Any]:
    return list(dict.fromkeys(choice.target for choice in space.label_choices))


def _row_marks(keys: list[np.ndarray]) -> np.ndarray:
    """One number for each row that is the same for rows with the same keys."""
    factors = np.random.default_rng(0).integers(1, 2**63, len(keys), dtype=np.uint64) | np.uint64(1)
    marks = np.zeros(len(keys[0]), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for key, factor in zip(keys, factors, strict=True):
            marks += (key.astype(np.uint64) + np.uint64(1)) * factor
            marks ^= marks >> np.uint64(29)
    return marks


def _sample(
    y: np.ndarray | None, n: int, most_rows: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a sample, and weights with which it has the shares of the classes."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    if y is not None:
        # by class and at random within it, every so many rows
        order = order[np.argsort(y[order], kind="stable")]
    taken = np.zeros(n, dtype=bool)
    taken[order[np.linspace(0, n - 1, most_rows).astype(int)]] = True
    weights = np.ones(n)
    classes = np.zeros(n, dtype=np.int64) if y is None else y
    for k in np.unique(classes):
        own = order[classes[order] == k]
        wanted = min(len(own), FEWEST)
        if taken[own].sum() < wanted:
            # scores of a handful of rows would be chance
            taken[own[:wanted]] = True
            taken[own[wanted:]] = False
            weights[own] = most_rows / n * len(own) / wanted
    rows = np.flatnonzero(taken)
    return rows, weights[rows]


def coded_columns(space: CandidateSpace) -> list[CodedColumn]:
    """The columns of a search by few levels each, which any number of groups can be made of.

    Parameters
    ----------
    space : CandidateSpace
        The data, and its attributes.

    Returns
    -------
    list of CodedColumn
        In the order of the columns.
    """
    columns = (_levels(space, j) for j in range(space.table.n_columns))
    return [
        CodedColumn(codes.astype(np.min_scalar_type(len(values))), values, numeric)
        for codes, values, numeric in columns
    ]


def _levels(space: CandidateSpace, j: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """Levels of a column, what they hold, and whether these are numbers."""
    table = space.table
    values, missing, kind = table.values(j), table.missing(j), table.kind(j)
    # times that no dtype holds are names to a stand-in
    if kind not in NUMERIC or are_strange_times(table, j):
        return _categories(space, j, values, missing)
    numbers = as_numbers(values, missing)
    levels = sorted_levels(numbers, missing)
    codes = np.searchsorted(levels.bin_ends(N_LEVELS), levels.codes)
    if j in space.attributes:
        # levels of a pattern are whole levels
        own = space.attributes[j].codes.astype(np.int64)
        codes = codes * (int(own.max()) + 2) + own
    packed = sorted_levels(codes, missing)
    weights = np.where(missing, 0.0, numbers)
    sums = np.bincount(packed.codes, weights=weights, minlength=packed.n_levels + 1)
    means = sums[: packed.n_levels] / np.maximum(packed.counts, 1)
    order = np.argsort(means, kind="stable")
    return packed.ordered(order).codes, means[order], True


def as_numbers(values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    if values.dtype.kind in "mM":
        return np.where(missing, 0, values.astype("int64")).astype(float)
    numbers = np.zeros(len(values))
    numbers[~missing] = values[~missing].astype(float)
    return np.clip(np.nan_to_num(numbers, posinf=LARGEST, neginf=-LARGEST), -LARGEST, LARGEST)


def _categories(
    space: CandidateSpace, j: int, values: np.ndarray, missing: np.ndarray
) -> tuple[np.ndarray, np.ndarray, bool]:
    if j in space.attributes:
        # in the order of the label, which is what splits of a tree need
        codes = space.attributes[j].codes.astype(np.int64)
        return codes, np.arange(int(codes[~missing].max(initial=-1)) + 1, dtype=float), False
    levels = named_levels(values.astype(str), missing)
    return levels.codes, np.arange(levels.n_levels, dtype=float), False


def _design(
    coded: Sequence[CodedColumn], first: np.ndarray, weights: np.ndarray
) -> tuple[list[Feature], np.ndarray, np.ndarray]:
    features, columns, spreads, start = [], [], [], 0
    for codes, values, numeric in coded:
        levels = codes[first].astype(np.int64)
        counts = np.bincount(levels, weights=weights, minlength=len(values) + 1)[: len(values)]
        total = max(counts.sum(), 1.0)
        if numeric:
            centre = float(counts @ values / total)
            spread = float(np.sqrt(counts @ (values - centre) ** 2 / total)) or 1.0
            block = np.clip((values - centre) / spread, -CLIP, CLIP)[:, None]
            feature = Feature(levels, values, slice(start, start + 1), block, True, centre, spread)
            spreads.append(spread)
        else:
            common = np.sort(np.argsort(-counts, kind="stable")[:MOST_INDICATORS])
            # the last one is for what is missing
            block = (np.arange(len(values))[:, None] == [*common, -1]).astype(float)
            feature = Feature(levels, values, slice(start, start + len(common) + 1), block, False)
            spreads += [1.0] * (len(common) + 1)
        # what is missing is at the mean, or a category of its own
        absent = np.zeros(block.shape[1])
        absent[-1] = not numeric
        columns.append(np.vstack([block, absent])[levels])
        features.append(feature)
        start = feature.block.stop
    design = np.hstack([*columns, np.ones((len(first), 1))]).astype(np.float32)
    return features, design, np.array(spreads)
