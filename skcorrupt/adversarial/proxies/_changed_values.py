"""What an error that puts other values makes of every level of the columns it hits."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from skcorrupt.base import FeatureCorruption
from skcorrupt.utils import Table

from ._proxy_groups import Feature, Groups, as_numbers

# other categories are drawn uniformly; of more than so many, so many drawn ones stand for all
MOST_OTHERS = 12
# combinations of what becomes of several columns hit together
MOST_COPIES = 16
# numbers further out than so many standard deviations have no more effect
FURTHEST = 1e6
UNSEEN = -1


@dataclass(frozen=True)
class Changes:
    """Copies of struck rows, each with a probability.

    Attributes
    ----------
    chances : tuple of float
        The probability of each copy.
    columns : tuple of int
        The columns hit.
    numbers : dict of int to ndarray of shape (n_copies, n_levels)
        What every level of a column of numbers becomes.
    codes : dict of int to ndarray of int, shape (n_copies, n_levels)
        What every category becomes: another level, or -1 for a value that the column does not hold.
    """

    chances: tuple[float, ...]
    columns: tuple[int, ...]
    numbers: dict[int, np.ndarray]
    codes: dict[int, np.ndarray]


def changes_of(
    template: FeatureCorruption, table: Table, groups: Groups, columns: tuple[int, ...]
) -> Changes:
    """What a template makes of columns hit.

    Parameters
    ----------
    template : FeatureCorruption
        The error.
    table : Table
        The features.
    groups : Groups
        The same in groups.
    columns : tuple of int
        The columns hit on the same rows.

    Returns
    -------
    Changes
        Each column's values are drawn for itself, so that copies are their combinations.
    """
    each = [_of_column(template, table, groups.features[j], j) for j in columns]
    combined = list(itertools.product(*(range(len(mixture)) for mixture in each)))
    if len(combined) > MOST_COPIES:
        chosen = np.random.default_rng(0).choice(len(combined), MOST_COPIES, replace=False)
        combined = [combined[i] for i in np.sort(chosen)]
    weights = np.array(
        [np.prod([each[c][k][0] for c, k in enumerate(one)]) for one in combined], dtype=float
    )
    numbers: dict[int, np.ndarray] = {}
    codes: dict[int, np.ndarray] = {}
    for c, j in enumerate(columns):
        made = np.stack([each[c][one[c]][1] for one in combined])
        (numbers if groups.features[j].numeric else codes)[j] = made
    return Changes(tuple((weights / weights.sum()).tolist()), columns, numbers, codes)


def _of_column(
    template: FeatureCorruption, table: Table, feature: Feature, j: int
) -> list[tuple[float, np.ndarray]]:
    """Probabilities and what levels become."""
    n_levels = len(feature.values)
    # texts may be numbers here, as codes
    measured = feature.numeric and table.kind(j) != "text"
    known = feature.values
    if measured:
        known = as_numbers(table.values(j), table.missing(j))[~table.missing(j)]
    std = float(known.std()) if len(known) else 0.0
    own = template._striking([table.labels[j]])
    mixture = own._simulated_values(table.kind(j), feature.values, std)
    if mixture == "another":
        return [
            (chance, feature.values[to] if feature.numeric else to)
            for chance, to in _other_levels(n_levels)
        ]
    if mixture == "unseen":
        if not feature.numeric:
            return [(1.0, np.full(n_levels, UNSEEN))]
        beyond = known.max(initial=0.0) + max(float(np.ptp(known)) if len(known) else 1.0, 1.0)
        return [(1.0, np.full(n_levels, beyond))]
    reach = FURTHEST * feature.spread
    return [
        (chance, np.clip(made, feature.centre - reach, feature.centre + reach))
        for chance, made in mixture
    ]


def _other_levels(n_levels: int) -> list[tuple[float, np.ndarray]]:
    """Levels, each moved to another, so that together all go everywhere alike."""
    if n_levels < 2:
        return [(1.0, np.arange(n_levels))]
    by = np.arange(1, n_levels)
    if len(by) > MOST_OTHERS:
        by = np.sort(np.random.default_rng(0).choice(by, MOST_OTHERS, replace=False))
    order = np.random.default_rng(0).permutation(n_levels)
    place = np.argsort(order)
    return [(1 / len(by), order[(place + k) % n_levels]) for k in by]
