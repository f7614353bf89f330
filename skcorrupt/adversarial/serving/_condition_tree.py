"""Conditions on one attribute as a tree, so that many are bounded at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from skcorrupt.attributes._attribute import Attribute

N_CHILDREN = 4


@dataclass(frozen=True, eq=False)
class ConditionTree:
    """Conditions on one attribute in groups of similar ones, down to single ones.

    Attributes
    ----------
    codes : ndarray of int, shape (n_samples,)
        Level of every row, `n_levels` where the attribute is missing.
    n_levels : int
        Number of levels.
    some : ndarray of int, shape (n_nodes, 2)
        First level, and the one after the last, that some condition of a node has.
    every : ndarray of int, shape (n_nodes, 2)
        The same of those that every condition of it has; twice the same where there are none.
    children : ndarray of int, shape (n_nodes, 4)
        Nodes that a node falls apart into, −1 for none.
    atom : ndarray of int, shape (n_nodes,)
        The condition of a node that has a single one, else −1.
    """

    codes: np.ndarray
    n_levels: int
    some: np.ndarray
    every: np.ndarray
    children: np.ndarray
    atom: np.ndarray

    @classmethod
    def of_each(cls, attributes: Mapping[int, Attribute]) -> dict[int, Self]:
        """The trees of several attributes; those with the same conditions share what takes time.

        Parameters
        ----------
        attributes : mapping of int to Attribute
            By column.

        Returns
        -------
        dict of int to ConditionTree
            In the same order.
        """
        known: dict[tuple[int, bytes], Self] = {}
        trees = {}
        for j, attribute in attributes.items():
            key = len(attribute.atoms), np.asarray(attribute.atoms, dtype=np.int64).tobytes()
            if key not in known:
                known[key] = cls.of(attribute)
            tree = known[key]
            trees[j] = replace(tree, codes=_codes(attribute, tree.n_levels))
        return trees

    @classmethod
    def of(cls, attribute: Attribute) -> Self:
        """The tree of all conditions that can be put on an attribute."""
        first, last = attribute.atoms[:, 0], attribute.atoms[:, 1]
        groups = [np.arange(len(first))]
        children: list[list[int]] = []
        for group in groups:
            parts = _parts(group, first, last)
            children.append([len(groups) + i for i in range(len(parts))])
            groups += parts
        some = np.array([[first[g].min(), last[g].max() + 1] for g in groups])
        every = np.array([[first[g].max(), last[g].min() + 1] for g in groups])
        every[:, 1] = np.maximum(every[:, 0], every[:, 1])
        padded = np.full((len(groups), N_CHILDREN), -1)
        for node, below in enumerate(children):
            padded[node, : len(below)] = below
        atom = np.array([g[0] if len(g) == 1 else -1 for g in groups])
        n_levels = int(last.max()) + 1
        return cls(_codes(attribute, n_levels), n_levels, some, every, padded, atom)


def _codes(attribute: Attribute, n_levels: int) -> np.ndarray:
    """The level of every row; those of a level that no condition has are as good as missing."""
    # a byte or two hold them, where there are many rows
    return np.minimum(attribute.codes, n_levels).astype(np.min_scalar_type(n_levels))


def _parts(group: np.ndarray, first: np.ndarray, last: np.ndarray) -> list[np.ndarray]:
    """A group in up to four, by the first and the last level of its conditions."""
    if len(group) == 1:
        return []
    return [part for half in _halves(group, first, last) for part in _halves(half, first, last)]


def _halves(group: np.ndarray, first: np.ndarray, last: np.ndarray) -> list[np.ndarray]:
    if len(group) == 1:
        return [group]
    values = max((first[group], last[group]), key=np.ptp)
    low = values <= (int(values.min()) + int(values.max())) // 2
    return [group[low], group[~low]]
