"""The readable pattern that does most harm, exactly: branch and bound over sums in cells."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from ._condition_tree import ConditionTree
from ._effects import SLACK, Outlook, StrikeRule
from ._row_sums import MOST_CELLS, RowSums

# groups of patterns that are bounded at a time
MOST_AT_ONCE = 1 << 15


@dataclass
class Best:
    """The worst pattern of some columns hit with a number of conditions.

    Attributes
    ----------
    loss : float
        Minus the score; -inf where no pattern is feasible.
    atoms : dict of int to int
        By attribute, its condition.
    """

    loss: float = -np.inf
    atoms: dict[int, int] = field(default_factory=dict)


class PatternSearch:
    """The worst pattern for every group of columns that may be hit.

    A group of patterns is bounded by the harm in the rows that some of them match, less the good
    in those that all of them match, struck at the largest share that the fewest rows allow. What
    cannot be worse than the worst so far is left out.

    Parameters
    ----------
    trees : dict of int to ConditionTree
        Conditions by attribute.
    sums : sequence of RowSums
        What the error does to the rows of each part that patterns may match.
    outlook : Outlook
        What that makes of the score.
    rule : StrikeRule
        How many rows are struck.
    accept : callable
        `accept(hit, atoms, loss) -> float`, what a pattern that would win is worth: the loss, or
        less where it is watched, -inf where it is none that may win.
    support : int, default=0
        Fewest rows that a pattern matches, of all parts together.
    tick : callable
        Called now and then, to end a search whose time is over.
    """

    def __init__(
        self,
        trees: Mapping[int, ConditionTree],
        sums: Sequence[RowSums],
        outlook: Outlook,
        rule: StrikeRule,
        accept: Callable[[int, dict[int, int], float], float],
        *,
        support: int = 0,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.trees, self.outlook, self.rule, self.accept = trees, outlook, rule, accept
        self.support, self.tick = support, tick
        self.n_hits = sums[0].n_hits
        self.n_scored = np.zeros(self.n_hits, dtype=np.int64)
        order = [*trees]
        n_nodes = np.cumsum([0, *(len(trees[j].atom) for j in order[:-1])])
        self._root = dict(zip(order, n_nodes.tolist(), strict=True))
        self._nodes = _Nodes.of([trees[j] for j in order], n_nodes.tolist())
        self._sums = sums

    def run(
        self, combinations: Sequence[tuple[tuple[int, ...], np.ndarray]], best: list[Best]
    ) -> None:
        """Improve the worst of every group of columns by patterns on some attributes.

        Parameters
        ----------
        combinations : sequence of (tuple of int, ndarray of int)
            Attributes, as many in each, and the positions of the groups of columns whose patterns
            may have them.
        best : list of Best
            The worst so far, by position; replaced where a pattern is worse.
        """
        batch: list[tuple[tuple[int, ...], np.ndarray]] = []
        held = 0
        for attributes, hits in combinations:
            size = math.prod(self.trees[j].n_levels + 1 for j in attributes)
            n_chunks = -(-size * 3 * len(hits) * len(self._sums) // MOST_CELLS)
            for some in np.array_split(hits, min(max(n_chunks, 1), len(hits))):
                cells = size * 3 * len(some) * len(self._sums)
                if batch and held + cells > MOST_CELLS:
                    self._search(batch, best)
                    batch, held = [], 0
                batch.append((attributes, some))
                held += cells
        if batch:
            self._search(batch, best)

    def without_conditions(self, hits: np.ndarray, best: list[Best]) -> None:
        """Improve the worst of groups of columns by the pattern that all rows match.

        Parameters
        ----------
        hits : ndarray of int
            Positions of the groups of columns.
        best : list of Best
            The worst so far; replaced where that pattern is worse.
        """
        matched = np.array([each.matched[hits] for each in self._sums])
        harm = np.array([each.harm[hits] for each in self._sums])
        loss = self.outlook.loss(self.rule.shares(matched) * harm)
        self.n_scored[hits] += 1
        for i, h in enumerate(hits):
            if np.isfinite(loss[i]) and loss[i] > best[h].loss + SLACK:
                worth = self.accept(int(h), {}, float(loss[i]))
                if worth > best[h].loss + SLACK:
                    best[h] = Best(worth, {})

    def _search(
        self, batch: Sequence[tuple[tuple[int, ...], np.ndarray]], best: list[Best]
    ) -> None:
        jobs = _Jobs.of(batch)
        tables = [_Sums.of(sums, jobs) for sums in self._sums]
        job = np.arange(len(jobs.hit))
        nodes = np.array([[self._root[j] for j in attributes] for attributes in jobs.attributes])
        losses = np.array([each.loss for each in best])
        stack = [(job, nodes[jobs.combination], np.full(len(job), np.inf))]
        while stack:
            self.tick()
            job, nodes, bound = stack.pop()
            alive = bound > losses[jobs.hit[job]] + SLACK
            job, nodes = job[alive], nodes[alive]
            single = (self._nodes.atom[nodes] >= 0).all(axis=1)
            if single.any():
                self._score(jobs, tables, job[single], nodes[single], best, losses)
                job, nodes = job[~single], nodes[~single]
            if not len(job):
                continue
            parent, nodes = self._nodes.split(nodes)
            job = job[parent]
            bound = self._bounds(tables, job, nodes)
            alive = np.flatnonzero(bound > losses[jobs.hit[job]] + SLACK)
            # the most promising are looked at first, and rule others out
            alive = alive[np.argsort(bound[alive], kind="stable")]
            for some in np.array_split(alive, -(-len(alive) // MOST_AT_ONCE) or 1):
                stack.append((job[some], nodes[some], bound[some]))

    def _score(
        self,
        jobs: _Jobs,
        tables: Sequence[_Sums],
        job: np.ndarray,
        nodes: np.ndarray,
        best: list[Best],
        losses: np.ndarray,
    ) -> None:
        """Score single patterns; the worst so far, and their losses, are replaced in place."""
        ends = self._nodes.some[nodes]
        sums = [t.totals(job, ends, (t.count, t.bad, t.good)) for t in tables]
        matched = np.round(np.array([count for count, _, _ in sums]))
        shares = self.rule.shares(matched)
        shares[:, matched.sum(axis=0) < self.support] = np.nan
        with np.errstate(invalid="ignore"):
            loss = self.outlook.loss(shares * np.array([bad - good for _, bad, good in sums]))
        hit = jobs.hit[job]
        self.n_scored += np.bincount(hit, minlength=self.n_hits)
        loss[~np.isfinite(loss)] = -np.inf
        better = np.flatnonzero(loss > losses[hit] + SLACK)
        for i in better[np.argsort(-loss[better], kind="stable")]:
            h = int(hit[i])
            if loss[i] <= losses[h] + SLACK:
                continue
            attributes = jobs.attributes[jobs.combination[job[i]]]
            own = (int(atom) for atom in self._nodes.atom[nodes[i]])
            atoms = dict(zip(attributes, own, strict=True))
            worth = self.accept(h, atoms, float(loss[i]))
            if worth > losses[h] + SLACK:
                best[h] = Best(worth, atoms)
                losses[h] = worth

    def _bounds(self, tables: Sequence[_Sums], job: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """The largest loss that a pattern of every group can bring."""
        outer, inner = self._nodes.some[nodes], self._nodes.every[nodes]
        fewest, most = [], []
        for t in tables:
            count, good = t.totals(job, inner, (t.count, t.good))
            (bad,) = t.totals(job, outer, (t.bad,))
            fewest.append(count)
            most.append(bad - good)
        share, worst = self.rule.most(np.round(np.array(fewest))), np.array(most)
        least = worst
        if self.outlook.form == "gap":
            pairs = [
                (t.totals(job, inner, (t.bad,)), t.totals(job, outer, (t.good,))) for t in tables
            ]
            least = np.array([bad[0] - good[0] for bad, good in pairs])
        # a share of what is less than nothing may be as small as can be
        worst, least = np.maximum(worst, 0.0) * share, np.minimum(least, 0.0) * share
        bound = self.outlook.most(least, worst)
        if self.support:
            # no pattern of these matches as many rows as are asked for
            matched = np.array([t.totals(job, outer, (t.count,))[0] for t in tables]).sum(axis=0)
            bound[matched < self.support - 0.5] = -np.inf
        return bound


@dataclass(frozen=True, eq=False)
class _Jobs:
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
class _Nodes:
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
class _Sums:
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
    def of(cls, of_rows: RowSums, jobs: _Jobs) -> Self:
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
        steps = self.strides[job, :, None] * ends
        starts = [channel[job] for channel in channels]
        found = np.zeros((len(channels), len(job)))
        for corner in itertools.product((1, 0), repeat=ends.shape[1]):
            at = sum(steps[:, i, end] for i, end in enumerate(corner))
            add = np.subtract if (len(corner) - sum(corner)) % 2 else np.add
            for own, start in zip(found, starts, strict=True):
                add(own, self.flat[start + at], out=own)
        return found
