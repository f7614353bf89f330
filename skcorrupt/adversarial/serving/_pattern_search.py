"""The readable pattern that does most harm, exactly: branch and bound over sums in cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ._batch_bounds import BatchBounds, JobBounds
from ._condition_tree import ConditionTree
from ._effects import SLACK, Outlook, StrikeRule
from ._pattern_groups import GridSums, Jobs, Nodes
from ._quick_watch import N_RATES
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


@dataclass(frozen=True, eq=False)
class Found:
    """A pattern that may be worse than the worst so far.

    Attributes
    ----------
    hit : int
        Position of the group of columns.
    atoms : dict of int to int
        By attribute, its condition.
    loss : float
        What it loses at most.
    known : float
        What it has to lose more than.
    matched, harm : ndarray of shape (n_parts,)
        Rows that it matches, and the harm in them together.
    parts : int
        How many 32nds of the rate checks may let pass.
    """

    hit: int
    atoms: dict[int, int]
    loss: float
    known: float
    matched: np.ndarray
    harm: np.ndarray
    parts: int


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
        `accept(found) -> float`, what a pattern that would win is worth: the loss, or less where it
        is watched, -inf where it is none that may win.
    support : int, default=0
        Fewest rows that a pattern matches, of all parts together.
    tick : callable
        Called now and then, to end a search whose time is over.
    closed : ndarray of bool or None, default=None
        Groups of columns of which no other pattern is looked at; `accept` may set it.
    cut : ndarray of bool or None, default=None
        Filled in with those of which a pattern that may win was left out so.
    bounds : BatchBounds or None, default=None
        What checks let pass at most.
    is_watched : bool, default=False
        Whether fewer rows than the rule says are struck where checks notice an error.
    """

    def __init__(
        self,
        trees: Mapping[int, ConditionTree],
        sums: Sequence[RowSums],
        outlook: Outlook,
        rule: StrikeRule,
        accept: Callable[[Found], float],
        *,
        support: int = 0,
        tick: Callable[[], None] = lambda: None,
        closed: np.ndarray | None = None,
        cut: np.ndarray | None = None,
        bounds: BatchBounds | None = None,
        is_watched: bool = False,
    ) -> None:
        self.trees, self.outlook, self.rule, self.accept = trees, outlook, rule, accept
        self.support, self.tick, self.bounds = support, tick, bounds
        self.is_watched = is_watched
        self.n_hits = sums[0].n_hits
        self.n_scored = np.zeros(self.n_hits, dtype=np.int64)
        self.closed = np.zeros(self.n_hits, dtype=bool) if closed is None else closed
        self.cut = np.zeros(self.n_hits, dtype=bool) if cut is None else cut
        order = [*trees]
        n_nodes = np.cumsum([0, *(len(trees[j].atom) for j in order[:-1])])
        self._root = dict(zip(order, n_nodes.tolist(), strict=True))
        self._nodes = Nodes.of([trees[j] for j in order], n_nodes.tolist())
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
                if self.bounds is not None:
                    cells += self.bounds.n_cells(size, some)
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
        loss = self._most(self.rule.shares(matched) * harm)
        self.n_scored[hits] += 1
        for i, h in enumerate(hits):
            if np.isfinite(loss[i]) and loss[i] > best[h].loss + SLACK:
                if self.closed[h]:
                    self.cut[h] = True
                    continue
                known = float(best[h].loss)
                found = (float(loss[i]), known, matched[:, i], harm[:, i], N_RATES)
                worth = self.accept(Found(int(h), {}, *found))
                if worth > best[h].loss + SLACK:
                    best[h] = Best(worth, {})

    def _search(
        self, batch: Sequence[tuple[tuple[int, ...], np.ndarray]], best: list[Best]
    ) -> None:
        jobs = Jobs.of(batch)
        tables = [GridSums.of(sums, jobs) for sums in self._sums]
        limits = None if self.bounds is None else self.bounds.of(jobs)
        job = np.arange(len(jobs.hit))
        nodes = np.array([[self._root[j] for j in attributes] for attributes in jobs.attributes])
        losses = np.array([each.loss for each in best])
        stack = [(job, nodes[jobs.combination], np.full(len(job), np.inf))]
        while stack:
            self.tick()
            job, nodes, bound = stack.pop()
            hit = jobs.hit[job]
            alive = bound > losses[hit] + SLACK
            self.cut[hit[alive & self.closed[hit]]] = True
            alive &= ~self.closed[hit]
            job, nodes = job[alive], nodes[alive]
            single = (self._nodes.atom[nodes] >= 0).all(axis=1)
            if single.any():
                self._score(jobs, tables, limits, job[single], nodes[single], best, losses)
                job, nodes = job[~single], nodes[~single]
            if not len(job):
                continue
            parent, nodes = self._nodes.split(nodes)
            job = job[parent]
            bound = self._bounds(tables, job, nodes)
            alive = np.flatnonzero(bound > losses[jobs.hit[job]] + SLACK)
            if limits is not None:
                ends = self._nodes.every[nodes[alive]], self._nodes.some[nodes[alive]]
                rates = limits.rates(job[alive], *ends)
                bound[alive] = self._bounds(tables, job[alive], nodes[alive], rates)
                alive = alive[bound[alive] > losses[jobs.hit[job[alive]]] + SLACK]
            # the most promising are looked at first, and rule others out
            alive = alive[np.argsort(bound[alive], kind="stable")]
            for some in np.array_split(alive, -(-len(alive) // MOST_AT_ONCE) or 1):
                stack.append((job[some], nodes[some], bound[some]))

    def _score(
        self,
        jobs: Jobs,
        tables: Sequence[GridSums],
        limits: JobBounds | None,
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
        harm = np.array([bad - good for _, bad, good in sums])
        with np.errstate(invalid="ignore"):
            loss = self._most(shares * harm)
        hit = jobs.hit[job]
        self.n_scored += np.bincount(hit, minlength=self.n_hits)
        loss[~np.isfinite(loss)] = -np.inf
        better = np.flatnonzero(loss > losses[hit] + SLACK)
        parts = np.full(len(loss), N_RATES)
        if limits is not None and len(better):
            rates = self.rule.rates(matched[:, better])
            most = limits.rates(job[better], ends[better], ends[better]) / rates * N_RATES
            parts[better] = np.minimum(most + 1e-9, N_RATES)
            lower = self.rule.shares_at(matched[:, better], rates * parts[better] / N_RATES)
            loss[better] = self._most(lower * harm[:, better])
            # those that a check notices at any rate are left out here
            loss[better[parts[better] < 1]] = -np.inf
            better = better[loss[better] > losses[hit[better]] + SLACK]
        for i in better[np.argsort(-loss[better], kind="stable")]:
            h = int(hit[i])
            if loss[i] <= losses[h] + SLACK:
                continue
            if self.closed[h]:
                self.cut[h] = True
                continue
            attributes = jobs.attributes[jobs.combination[job[i]]]
            own = (int(atom) for atom in self._nodes.atom[nodes[i]])
            atoms = dict(zip(attributes, own, strict=True))
            found = (float(loss[i]), float(losses[h]), matched[:, i], harm[:, i], int(parts[i]))
            worth = self.accept(Found(h, atoms, *found))
            if worth > losses[h] + SLACK:
                best[h] = Best(worth, atoms)
                losses[h] = worth

    def _most(self, harm: np.ndarray) -> np.ndarray:
        """The largest loss where so much harm is done in every part, or less if that is noticed."""
        loss = self.outlook.loss(harm)
        if not self.is_watched:
            return loss
        # at a lower rate a part that gains may be left out, where counts are rounded
        most = self.outlook.most(np.minimum(harm, 0.0), np.maximum(harm, 0.0))
        none = self.outlook.loss(np.zeros_like(harm))
        return np.where(most > none + SLACK, most, loss)

    def _bounds(
        self,
        tables: Sequence[GridSums],
        job: np.ndarray,
        nodes: np.ndarray,
        rates: np.ndarray | None = None,
    ) -> np.ndarray:
        """The largest loss that a pattern of every group can bring, below some rates."""
        outer, inner = self._nodes.some[nodes], self._nodes.every[nodes]
        fewest, most = [], []
        for t in tables:
            count, good = t.totals(job, inner, (t.count, t.good))
            (bad,) = t.totals(job, outer, (t.bad,))
            fewest.append(count)
            most.append(bad - good)
        share, worst = self.rule.most(np.round(np.array(fewest)), rates), np.array(most)
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
        if rates is not None:
            bound[rates <= 0] = -np.inf
        return bound
