"""Values of a hierarchy by the branch that they are of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from skcorrupt.base import Struck
from skcorrupt.base._struck import unhashable
from skcorrupt.utils import Coded, Table, is_number, shorten


@dataclass(frozen=True)
class Branches:
    """Values of a hierarchy, those of one parent side by side.

    Attributes
    ----------
    values : ndarray
        All of them.
    first, after : ndarray of int, shape (n_values,)
        Where the branch of each begins, and where the next one does.
    """

    values: np.ndarray
    first: np.ndarray
    after: np.ndarray

    @classmethod
    def of_column(cls, hierarchy: Mapping[Any, Any], table: Table, j: int) -> Self | None:
        """Values that a column can hold; None where it has none of them, or all are of one branch.

        Raises
        ------
        ValueError
            If cells hold values that cannot be compared, such as lists.
        """
        try:
            distinct = table.distinct(j)
        except TypeError:
            raise ValueError(unhashable(table.labels[j])) from None
        if table.kind(j) != "text":
            hierarchy = {value: to for value, to in hierarchy.items() if is_number(value)}
        parents = list(dict.fromkeys(hierarchy.values()))
        if len(parents) < 2 or not any(value in hierarchy for value in distinct.tolist()):
            return None
        ordered = sorted(hierarchy, key=lambda value: parents.index(hierarchy[value]))
        branch = np.array([parents.index(hierarchy[value]) for value in ordered])
        values = np.array([*ordered, None], dtype=object)[:-1]
        if table.kind(j) != "text":
            whole = all(float(value).is_integer() for value in ordered)
            values = values.astype(np.int64 if whole else float)
        return cls(
            values,
            np.searchsorted(branch, branch, side="left"),
            np.searchsorted(branch, branch, side="right"),
        )

    def places(self, values: np.ndarray) -> np.ndarray:
        """Where values are among those of the hierarchy, −1 where they are not."""
        known = {value: i for i, value in enumerate(self.values.tolist())}
        return np.array([known.get(value, -1) for value in values.tolist()], dtype=np.intp)


def branches_of(hierarchy: Mapping[Any, Any], table: Table, j: int) -> Branches:
    """Values of a hierarchy that a column can hold.

    Raises
    ------
    ValueError
        If the column has none of them, or all that it can hold are of one branch.
    """
    branches = Branches.of_column(hierarchy, table, j)
    if branches is None:
        some = ", ".join(map(repr, table.distinct(j)[:5].tolist()))
        raise ValueError(
            f"columns: {table.labels[j]!r} holds {table.kind(j)} values such as {some}, none of "
            "which the hierarchy has, or all of one parent; pass a hierarchy={value: parent} of "
            "its values with two parents at least, or leave the column out."
        )
    return branches


def check_hierarchy(hierarchy: Mapping[Any, Any] | None) -> None:
    """Refuse a hierarchy that is missing, has missing parents or one branch only.

    Raises
    ------
    ValueError
        With what it should be.
    """
    if not hierarchy:
        raise ValueError(
            f"hierarchy={hierarchy!r} has no values, but kind='branch' needs the parent of each, "
            "such as {'Rome': 'south', 'Oslo': 'north'}."
        )
    parents = list(hierarchy.values())
    try:
        n_parents = len(set(parents))
        missing = any(np.ndim(parent) == 0 and pd.isna(parent) for parent in parents)
    except TypeError:
        n_parents, missing = 0, True
    if missing:
        raise ValueError(
            f"hierarchy={shorten(hierarchy)} has parents that are missing or cannot be compared; "
            "pass texts or numbers, and leave out values whose parent is not known."
        )
    if n_parents < 2:
        raise ValueError(
            f"hierarchy={shorten(hierarchy)} has one branch only, {parents[0]!r}, so that there is "
            "no other; pass values of two parents at least, or use kind='swap'."
        )


def value_of_another_branch(struck: Struck) -> Coded:
    """A value under another parent for every struck cell, uniformly; others stay."""
    branches: Branches = struck.facts
    codes, distinct = struck.coded
    place = np.append(branches.places(distinct), -1)[codes]
    first, after = branches.first[place], branches.after[place]
    drawn = struck.draws.integers(len(branches.values) - (after - first))
    drawn += np.where(drawn >= first, after - first, 0)
    return Coded(np.where(place >= 0, drawn, -1), branches.values)
