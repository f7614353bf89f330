"""The readable pattern that does most harm, exactly: branch and bound over sums in cells."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from ._condition_tree import ConditionTree
from ._effects import SLACK, Outlook, Part, StrikeRule

# sums in cells that are held at a time, as numbers
MOST_CELLS = 4_000_000
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
    parts : sequence of Part
        Rows with what the error does to them.
    outlook : Outlook
        What that makes of the score.
    rule : StrikeRule
        How many rows are struck.
    among : ndarray of bool or None
        Rows of the table that patterns may match besides, such as those of a label; None for all.
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
        parts: Sequence[Part],
        outlook: Outlook,
        rule: StrikeRule,
        among: np.ndarray | None,
        accept: Callable[[int, dict[int, int], float], float],
        *,
        support: int = 0,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.trees, self.outlook, self.rule, self.accept = trees, outlook, rule, accept
        self.support, self.tick = support, tick
        self.n_hits = parts[0].harm.shape[1]
        self.n_scored = np.zeros(self.n_hits, dtype=np.int64)
        self._sums: list[tuple[np.ndarray, np.ndarray]] = []
        self._counted: list[np.ndarray] = []
        for part in parts:
            rows, harm, able = part.rows, part.harm, part.changeable
            if among is not None:
                keep = among[rows]
                rows, harm, able = rows[keep], harm[keep], able[keep]
            distinct, which = _distinct_columns(able)
            harm = np.where(able, harm, 0.0)
            weights = np.concatenate(
                [distinct.astype(float), np.maximum(harm, 0.0), np.maximum(-harm, 0.0)], axis=1
            )
            self._sums.append((rows, weights))
            self._counted.append(which)

    def run(
        self, combinations: Sequence[tuple[tuple[int, ...], np.ndarray]], best: list[Best]
    ) -> None:
        """Improve the worst of every group of columns by patterns on some attributes.

        Parameters
        ----------
        combinations : sequence of (tuple of int, ndarray of int)
            Attributes, and the positions of the groups of columns whose patterns may have them.
        best : list of Best
            The worst so far, by position; replaced where a pattern is worse.
        """
        for attributes, hits in combinations:
            size = int(np.prod([self.trees[j].n_levels + 1 for j in attributes]))
            n_channels = sum(weights.shape[1] for _, weights in self._sums)
            n_chunks = -(-size * n_channels // MOST_CELLS)
            for some in np.array_split(hits, min(max(n_chunks, 1), len(hits))):
                self._search(attributes, some, best)

    def without_conditions(self, hits: np.ndarray, best: list[Best]) -> None:
        """Improve the worst of groups of columns by the pattern that all rows match.

        Parameters
        ----------
        hits : ndarray of int
            Positions of the groups of columns.
        best : list of Best
            The worst so far; replaced where that pattern is worse.
        """
        n_counts = [weights.shape[1] - 2 * self.n_hits for _, weights in self._sums]
        sums = [weights.sum(axis=0) for _, weights in self._sums]
        matched, harm = [], []
        for which, n, each in zip(self._counted, n_counts, sums, strict=True):
            matched.append(each[which[hits]])
            harm.append(each[n + hits] - each[n + self.n_hits + hits])
        loss = self.outlook.loss(self.rule.shares(np.array(matched)) * np.array(harm))
        self.n_scored[hits] += 1
        for i, h in enumerate(hits):
            if np.isfinite(loss[i]) and loss[i] > best[h].loss + SLACK:
                worth = self.accept(int(h), {}, float(loss[i]))
                if worth > best[h].loss + SLACK:
                    best[h] = Best(worth, {})

    def _search(self, attributes: tuple[int, ...], hits: np.ndarray, best: list[Best]) -> None:
        trees = [self.trees[j] for j in attributes]
        tables = [self._table(trees, part, hits) for part in range(len(self._sums))]
        start = np.zeros((len(hits), len(trees)), dtype=np.int64)
        losses = np.array([each.loss for each in best])
        stack = [(hits, start, np.full(len(hits), np.inf))]
        while stack:
            self.tick()
            hit, nodes, bound = stack.pop()
            alive = bound > losses[hit] + SLACK
            hit, nodes = hit[alive], nodes[alive]
            if not len(hit):
                continue
            single = np.all([t.atom[nodes[:, i]] >= 0 for i, t in enumerate(trees)], axis=0)
            if single.any():
                self._score(attributes, tables, hit[single], nodes[single], best)
                losses = np.array([each.loss for each in best])
                hit, nodes = hit[~single], nodes[~single]
            if not len(hit):
                continue
            hit, nodes = _children(trees, hit, nodes)
            bound = self._bounds(trees, tables, hit, nodes)
            alive = np.flatnonzero(bound > losses[hit] + SLACK)
            # the most promising are looked at first, and rule others out
            alive = alive[np.argsort(bound[alive], kind="stable")]
            for some in np.array_split(alive, -(-len(alive) // MOST_AT_ONCE) or 1):
                stack.append((hit[some], nodes[some], bound[some]))

    def _table(self, trees: Sequence[ConditionTree], part: int, hits: np.ndarray) -> _Table:
        rows, weights = self._sums[part]
        which = self._counted[part]
        n_counts = weights.shape[1] - 2 * self.n_hits
        counts, place = np.unique(which[hits], return_inverse=True)
        channels = np.concatenate([counts, n_counts + hits, n_counts + self.n_hits + hits])
        shape = [t.n_levels + 1 for t in trees]
        cells = np.zeros(len(rows), dtype=np.int64)
        for tree, size in zip(trees, shape, strict=True):
            cells = cells * size + tree.codes[rows]
        indicator = sparse.csr_matrix(
            (np.ones(len(rows)), cells, np.arange(len(rows) + 1)), shape=(len(rows), np.prod(shape))
        )
        some = weights if len(channels) == weights.shape[1] else weights[:, channels]
        sums = np.asarray(indicator.T @ some).reshape(*shape, len(channels))
        for axis in range(len(shape)):
            sums = np.moveaxis(sums, axis, 0)
            # the last level holds the rows that no condition matches
            below = np.cumsum(sums[:-1], axis=0)
            sums = np.concatenate([np.zeros((1, *sums.shape[1:])), below])
            sums = np.moveaxis(sums, 0, axis)
        position = np.zeros(self.n_hits, dtype=np.int64)
        position[hits] = np.arange(len(hits))
        count_of = np.zeros(self.n_hits, dtype=np.int64)
        count_of[hits] = place
        flat = np.ascontiguousarray(np.moveaxis(sums, -1, 0)).reshape(len(channels), -1)
        return _Table(flat, tuple(shape), count_of, position, len(counts), len(hits))

    def _score(
        self,
        attributes: tuple[int, ...],
        tables: Sequence[_Table],
        hit: np.ndarray,
        nodes: np.ndarray,
        best: list[Best],
    ) -> None:
        trees = [self.trees[j] for j in attributes]
        corners = _corners(trees, nodes, [t.some for t in trees], tables[0].shape)
        sums = [(t.count(hit, corners), t.good(hit, corners, -1.0)) for t in tables]
        matched = np.round(np.array([count for count, _ in sums]))
        shares = self.rule.shares(matched)
        shares[:, matched.sum(axis=0) < self.support] = np.nan
        with np.errstate(invalid="ignore"):
            loss = self.outlook.loss(shares * np.array([harm for _, harm in sums]))
        np.add.at(self.n_scored, hit, 1)
        loss[~np.isfinite(loss)] = -np.inf
        pairs = [*zip(attributes, trees, strict=True)]
        for i in np.argsort(-loss, kind="stable"):
            known = best[hit[i]]
            if loss[i] <= known.loss + SLACK:
                if loss[i] == -np.inf:
                    break
                continue
            atoms = {j: int(t.atom[nodes[i, k]]) for k, (j, t) in enumerate(pairs)}
            worth = self.accept(int(hit[i]), atoms, float(loss[i]))
            if worth > known.loss + SLACK:
                best[hit[i]] = Best(worth, atoms)

    def _bounds(
        self,
        trees: Sequence[ConditionTree],
        tables: Sequence[_Table],
        hit: np.ndarray,
        nodes: np.ndarray,
    ) -> np.ndarray:
        """The largest loss that a pattern of every group can bring."""
        shape = tables[0].shape
        outer = _corners(trees, nodes, [t.some for t in trees], shape)
        inner = _corners(trees, nodes, [t.every for t in trees], shape)
        fewest = np.round(np.array([t.count(hit, inner) for t in tables]))
        share = self.rule.most(fewest)
        most = np.array([t.bad(hit, outer) - t.only_good(hit, inner) for t in tables])
        least = most
        if self.outlook.form == "gap":
            least = np.array([t.bad(hit, inner) - t.only_good(hit, outer) for t in tables])
        # a share of what is less than nothing may be as small as can be
        most, least = np.maximum(most, 0.0) * share, np.minimum(least, 0.0) * share
        bound = self.outlook.most(least, most)
        if self.support:
            # no pattern of these matches as many rows as are asked for
            matched = np.array([t.count(hit, outer) for t in tables]).sum(axis=0)
            bound[matched < self.support - 0.5] = -np.inf
        return bound


@dataclass(frozen=True, eq=False)
class _Table:
    """Sums over rows below every corner: counts, harm where there is harm, good where good.

    `flat` has shape (n_channels, n_corners); the channels are counts, harm and good by hit.
    """

    flat: np.ndarray
    shape: tuple[int, ...]
    count_of: np.ndarray
    position: np.ndarray
    n_counts: int
    n_hits: int

    def count(self, hit: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """Rows that can be struck."""
        return self._sum(self.count_of[hit], corners)

    def bad(self, hit: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """Harm of the rows that are harmed."""
        return self._sum(self.n_counts + self.position[hit], corners)

    def only_good(self, hit: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """Good done to the rows that gain."""
        return self._sum(self.n_counts + self.n_hits + self.position[hit], corners)

    def good(self, hit: np.ndarray, corners: np.ndarray, sign: float) -> np.ndarray:
        """Good less harm, or with -1 harm less good."""
        return sign * (self.only_good(hit, corners) - self.bad(hit, corners))

    def _sum(self, channel: np.ndarray, corners: np.ndarray) -> np.ndarray:
        base = channel * self.flat.shape[1]
        flat = self.flat.ravel()
        total = np.zeros(len(channel))
        for corner, sign in zip(corners, _signs(len(self.shape)), strict=True):
            total += sign * flat[base + corner]
        return total


def _signs(n_dims: int) -> Iterator[int]:
    """Of the corners of a box, upper ends first, what each counts in the sum within it."""
    return (1 - 2 * (sum(ends) % 2) for ends in itertools.product((0, 1), repeat=n_dims))


def _corners(
    trees: Sequence[ConditionTree],
    nodes: np.ndarray,
    ranges: Sequence[np.ndarray],
    shape: tuple[int, ...],
) -> np.ndarray:
    """Positions of the corners of boxes among all corners, shape (2 ** n_dims, n)."""
    found = np.zeros((1, len(nodes)), dtype=np.int64)
    for i, size in enumerate(shape):
        first, end = ranges[i][nodes[:, i]].T
        found = np.stack([found * size + end, found * size + first], axis=1)
        found = found.reshape(-1, len(nodes))
    return found


def _children(
    trees: Sequence[ConditionTree], hit: np.ndarray, nodes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Groups of patterns in smaller ones, by the condition that they differ in most."""
    width = np.stack(
        [
            np.where(
                t.atom[nodes[:, i]] >= 0,
                -1,
                (np.diff(t.some[nodes[:, i]]) - np.diff(t.every[nodes[:, i]]))[:, 0] / t.n_levels,
            )
            for i, t in enumerate(trees)
        ],
        axis=1,
    )
    axis = np.argmax(width, axis=1)
    hits, found = [], []
    for i, tree in enumerate(trees):
        own = np.flatnonzero(axis == i)
        below = tree.children[nodes[own, i]]
        parent, child = np.nonzero(below >= 0)
        more = nodes[own[parent]].copy()
        more[:, i] = below[parent, child]
        hits.append(hit[own[parent]])
        found.append(more)
    return np.concatenate(hits), np.concatenate(found)


def _distinct_columns(flags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different columns of a table of flags, and which of them each column is."""
    packed = np.packbits(flags, axis=0)
    known: dict[bytes, int] = {}
    which = [known.setdefault(column.tobytes(), len(known)) for column in packed.T]
    return flags[:, [which.index(i) for i in range(len(known))]], np.array(which)
