"""Groups of patterns, and what the rows sum up to that they match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ._condition_tree import ConditionTree
from ._row_sums import RowSums, corners


@dataclass(frozen=True, eq=False)
class Jobs:
    """Pairs of attributes and a group of columns that is hit, which are searched together."""

    attributes: list[tuple[int, ...]]
    combination: np.ndarray
    hit: np.ndarray

    @classmethod
    def of(cls, batch: Sequence[tuple[tuple[int, ...], np.ndarray]]) -> Self:
        """The pairs of some attributes, each with its own groups of columns."""
        sizes = [len(hits) for _, hits in batch]
        return cls(
            [attributes for attributes, _ in batch],
            np.repeat(np.arange(len(batch)), sizes),
            np.concatenate([hits for _, hits in batch]),
        )


@dataclass(frozen=True, eq=False)
class Nodes:
    """The conditions of all attributes, in groups of similar ones; see `ConditionTree`."""

    some: np.ndarray
    every: np.ndarray
    children: np.ndarray
    atom: np.ndarray
    # by how many levels, as a share of them, the conditions of a group differ; -1 for single ones
    width: np.ndarray

    @classmethod
    def of(cls, trees: Sequence[ConditionTree], roots: Sequence[int]) -> Self:
        """The nodes of trees one after the other, each from its root's position on."""
        widths = [(np.ptp(t.some, axis=1) - np.ptp(t.every, axis=1)) / t.n_levels for t in trees]
        atom = np.concatenate([t.atom for t in trees])
        pairs = [*zip(trees, roots, strict=True)]
        return cls(
            np.concatenate([t.some for t in trees]),
            np.concatenate([t.every for t in trees]),
            np.concatenate([np.where(t.children < 0, -1, t.children + root) for t, root in pairs]),
            atom,
            np.where(atom >= 0, -1.0, np.concatenate(widths)),
        )

    def split(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Groups of patterns in smaller ones, by the condition that they differ in most.

        Parameters
        ----------
        nodes : ndarray of int, shape (n, n_attributes)
            Groups of which none is a single pattern.

        Returns
        -------
        parent : ndarray of int, shape (n_smaller,)
            Which of the groups each smaller one is a part of.
        smaller : ndarray of int, shape (n_smaller, n_attributes)
            Those.
        """
        axis = np.argmax(self.width[nodes], axis=1)
        below = self.children[nodes[np.arange(len(nodes)), axis]]
        parent, child = np.nonzero(below >= 0)
        smaller = nodes[parent]
        smaller[np.arange(len(parent)), axis[parent]] = below[parent, child]
        return parent, smaller


@dataclass(frozen=True, eq=False)
class GridSums:
    """Sums over the rows below every corner of the grids of some attributes, one after another.

    Attributes
    ----------
    flat : ndarray of shape (n_sums,)
        Rows that can be struck, harm of those harmed, and good done to those that gain.
    count, bad, good : ndarray of int, shape (n_jobs,)
        Where these begin in `flat`, by pair of attributes and columns hit.
    strides : ndarray of int, shape (n_jobs, n_attributes)
        Steps in `flat` from a level of an attribute to the next.
    """

    flat: np.ndarray
    count: np.ndarray
    bad: np.ndarray
    good: np.ndarray
    strides: np.ndarray

    @classmethod
    def of(cls, of_rows: RowSums, jobs: Jobs) -> Self:
        """The sums over the rows of a part."""
        blocks, strides, starts = [], [], []
        start = 0
        wanted = [
            (attributes, jobs.hit[jobs.combination == c])
            for c, attributes in enumerate(jobs.attributes)
        ]
        for (_, hits), (block, own, shape) in zip(wanted, of_rows.tables(wanted), strict=True):
            blocks.append(block.ravel())
            size = block.shape[1]
            starts.append(start + own * size)
            steps = np.cumprod([1, *shape[:0:-1]])[::-1]
            strides.append(np.broadcast_to(steps, (len(hits), len(shape))))
            start += block.size
        count, bad, good = np.concatenate(starts, axis=1)
        return cls(np.concatenate(blocks), count, bad, good, np.concatenate(strides))

    def totals(
        self, job: np.ndarray, ends: np.ndarray, channels: Sequence[np.ndarray]
    ) -> np.ndarray:
        """Sums over the rows in boxes.

        Parameters
        ----------
        job : ndarray of int, shape (n,)
            Pairs of attributes and columns hit.
        ends : ndarray of int, shape (n, n_attributes, 2)
            First levels of the boxes, and those after the last ones.
        channels : sequence of ndarray of int, shape (n_jobs,)
            What is summed: `count`, `bad` or `good`.

        Returns
        -------
        ndarray of shape (n_channels, n)
            The sum of each.
        """
        starts = [channel[job] for channel in channels]
        found = np.zeros((len(channels), len(job)))
        for at, sign in corners(self.strides[job], ends):
            add = np.add if sign > 0 else np.subtract
            for own, start in zip(found, starts, strict=True):
                add(own, self.flat[start + at], out=own)
        return found
