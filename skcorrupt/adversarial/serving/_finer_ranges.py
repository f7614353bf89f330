"""Ranges between the bins of the grid that do most harm, from sums of what errors do to rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from ..candidates import Candidate
from ..candidates._shape import Shape, Shapes
from ._effects import Outlook, StrikeRule
from ._lot import Hit, Lot
from ._row_effects import RowEffects
from ._served_evaluator import ServedEvaluator

# levels of a column of which all ranges are looked at, and those inside bins at both ends of one
MOST_LEVELS = 128
# ranges that are looked for, of few rows and of rows in all
MOST_RANGES, MOST_ROWS = 4_000, 50_000_000
# patterns that get a condition more
GROWN = 8
# patterns whose scores are asked: those of sums, and those that single rows say are bad
ASKED, ASKED_OF_LED = 12, 24
# ranges of a pattern are found again, each beside the others, at most so often
MOST_TURNS = 8


@dataclass(frozen=True, eq=False)
class Ranged:
    """A pattern with what it loses.

    Attributes
    ----------
    loss : float
        Minus the score that sums over rows give.
    shape : Shape
        Its pieces.
    """

    loss: float
    shape: Shape


class FinerRanges:
    """Patterns within one budget whose ranges are the worst of all that the rows can tell apart.

    One range is the worst of its column whatever the grid is. Several are found in turn, each the
    worst beside the others, from the worst with a condition less and from those of the grid.

    Parameters
    ----------
    lot : Lot
        A kind of error within the budget, of which the grid was searched.
    served : ServedEvaluator
        Knows what errors do to every row.
    """

    def __init__(self, lot: Lot, served: ServedEvaluator) -> None:
        self.lot, self.served, self.space = lot, served, lot.space
        self.effects = cast("RowEffects", served.effects or served.leading)
        self.shapes = Shapes(lot.space)
        self.outlook = Outlook(self.effects.form, self.effects.sums())
        sizes = [len(split.test) for split in served.splits]
        allowed = [math.floor(self.space.budget * n + 1e-9) for n in sizes]
        self.rule = StrikeRule(allowed, lot.template.rate)
        self.left = min(MOST_RANGES, MOST_ROWS // max(1, sum(sizes)))
        self._harm: dict[Hit, list[np.ndarray]] = {}

    def candidates(self, hits: Sequence[Hit], leaders: Sequence[Candidate]) -> list[Candidate]:
        """The worst that are found, of every number of conditions.

        Parameters
        ----------
        hits : sequence of tuple of int
            Columns hit, those first in which errors may be worst.
        leaders : sequence of Candidate
            The worst of the grid.

        Returns
        -------
        list of Candidate
            Feasible ones, some of which may be known.
        """
        # leaders may have sets of categories, and conditions on columns that are not ranged
        known = [shape for each in leaders if (shape := self.shapes.of(each)) is not None]
        starts = [self._settled(shape) for shape in known if self._is_known(shape.columns)]
        found = [each for each in starts if each is not None]
        grown = self._first(hits)
        for _ in range(self.space.max_conditions):
            longer = [each for start in _worst(grown, GROWN) for each in self._longer(start)]
            settled = [self._settled(each.shape) for each in _worst(longer, GROWN)]
            found += grown
            grown = [each for each in settled if each is not None]
        most = ASKED if self.served.effects is not None else ASKED_OF_LED
        shapes = [each.shape for each in _worst(found + grown, most) if self._is_whole(each.shape)]
        made = [self.shapes.made(self.space, shape) for shape in shapes]
        return [*{each.key: each for each in made if not each.refused}.values()]

    def _first(self, hits: Sequence[Hit]) -> list[Ranged]:
        """The worst with as few conditions as there can be, one for each column looked at."""
        found = []
        for hit in hits:
            if self._is_known(hit):
                for choice in self.space.label_choices:
                    found += self._longer(Ranged(-np.inf, Shape(hit, {}, choice, 1.0)))
        return found

    def _longer(self, start: Ranged) -> list[Ranged]:
        """What one more condition, a range, makes worst, for every column that it may be on."""
        shape, found = start.shape, []
        if len(shape.chosen) < self.space.max_conditions:
            for j in self._next(shape):
                best = self._range(shape, j)
                if best is not None:
                    found.append(best)
        return found

    def _next(self, shape: Shape) -> Iterator[int]:
        """Columns that a pattern has no condition on, those first that it has to have one on."""
        missing = self.space.required[shape.columns] - shape.chosen.keys()
        allowed = missing or self.space.allowed[shape.columns]
        for j in sorted(allowed):
            if j not in shape.chosen and self.shapes.fine(j).ranged:
                yield j

    def _settled(self, shape: Shape) -> Ranged | None:
        """A pattern of which no range alone can be made worse; None without ranges."""
        best: Ranged | None = None
        for _ in range(MOST_TURNS):
            before = best
            for j in shape.chosen:
                if self.shapes.fine(j).ranged:
                    found = self._range(shape, j)
                    if found is not None and (best is None or found.loss > best.loss + 1e-12):
                        best, shape = found, found.shape
            if best is before:
                break
        return best

    def _range(self, shape: Shape, j: int) -> Ranged | None:
        """A pattern with the worst range of a column, None where no range is feasible."""
        if self.left <= 0:
            return None
        self.left -= 1
        self.served.deadline.check(found=self.served.found_any)
        levels = self.shapes.fine(j).levels
        rows = self.shapes.rows(self.space, shape, besides=j)
        harm = self._harm_of(shape.columns)
        counted, summed = [], []
        for split, each in zip(self.served.splits, harm, strict=True):
            some = rows[split.test]
            codes, size = levels.codes[split.test][some], levels.n_levels + 1
            counted.append(np.bincount(codes, minlength=size)[:-1])
            summed.append(np.bincount(codes, each[some], minlength=size)[:-1])
        below = _Below(np.stack(counted), np.stack(summed))
        n_levels = levels.n_levels
        edges = below.edges(MOST_LEVELS)
        loss, a, b = self._worst_pair(below, edges, edges)
        if len(edges) <= n_levels and np.isfinite(loss):
            # both ends inside the bins around them
            ends = [below.inside(edges, end, MOST_LEVELS) for end in (a, b)]
            loss, a, b = self._worst_pair(below, *ends)
        if not np.isfinite(loss):
            return None
        own = np.zeros(n_levels, dtype=bool)
        own[a:b] = True
        return Ranged(loss, replace(shape, chosen={**shape.chosen, j: own}))

    def _worst_pair(
        self, below: _Below, firsts: np.ndarray, ends: np.ndarray
    ) -> tuple[float, int, int]:
        """The largest loss of a range from one of some levels to before another, and these."""
        pairs = np.array(np.meshgrid(firsts, ends, indexing="ij")).reshape(2, -1)
        a, b = pairs[:, pairs[0] < pairs[1]]
        # all levels are no condition
        part = (a > 0) | (b < below.n_levels)
        a, b = a[part], b[part]
        matched = below.counts[:, b] - below.counts[:, a]
        shares = self.rule.shares(matched)
        losses = self.outlook.loss(shares * (below.sums[:, b] - below.sums[:, a]))
        losses[np.isnan(losses) | (matched.sum(axis=0) < self._support)] = -np.inf
        if not len(losses):
            return -np.inf, 0, 0
        best = int(np.argmax(losses))
        return float(losses[best]), int(a[best]), int(b[best])

    @cached_property
    def _support(self) -> float:
        return self.space.min_support * self.space.table.n_rows - 1e-9

    def _harm_of(self, hit: Hit) -> list[np.ndarray]:
        """What an error takes from every row of every split."""
        if hit not in self._harm:
            found, _ = self.effects.of(self.lot.kind, self.lot.template, self.lot.labels(hit))
            self._harm[hit] = [each.each for each in found]
        return self._harm[hit]

    def _is_known(self, hit: Hit) -> bool:
        return self.effects.known(self.lot.kind, self.lot.template, self.lot.labels(hit))

    def _is_whole(self, shape: Shape) -> bool:
        """Whether a pattern has all the conditions that it has to have."""
        return bool(shape.chosen) and self.space.required[shape.columns] <= shape.chosen.keys()


class _Below:
    """Rows that may be struck and the harm in them, below every level of a column.

    Parameters
    ----------
    counts, sums : ndarray of shape (n_parts, n_levels)
        Rows that have a level, and the harm in these together.
    """

    def __init__(self, counts: np.ndarray, sums: np.ndarray) -> None:
        self.n_levels = counts.shape[1]
        before = np.zeros((len(counts), 1))
        self.counts = np.hstack([before, counts.cumsum(axis=1)])
        self.sums = np.hstack([before, sums.cumsum(axis=1)])

    def edges(self, most: int) -> np.ndarray:
        """Levels at which ranges may begin or end, at most about so many, of rows alike."""
        # where no row is between two levels, one of them is enough
        rows = self.counts.sum(axis=0)
        distinct = np.union1d([0, self.n_levels], np.flatnonzero(np.diff(rows)) + 1)
        if len(distinct) <= most:
            return distinct
        wanted = np.linspace(0, rows[-1], most)
        return np.union1d(distinct[[0, -1]], distinct[np.searchsorted(rows[distinct], wanted)])

    def inside(self, edges: np.ndarray, end: int, most: int) -> np.ndarray:
        """Levels around one of the edges, to the edges beside it."""
        place = int(np.searchsorted(edges, end))
        first, last = edges[max(0, place - 1)], edges[min(len(edges) - 1, place + 1)]
        levels = np.arange(first, last + 1)
        if len(levels) <= most:
            return levels
        return np.union1d(levels[np.linspace(0, len(levels) - 1, most).astype(int)], [end])


def _worst(found: Sequence[Ranged], most: int) -> list[Ranged]:
    """The worst of some patterns, the worst first, and of those alike the shortest."""
    return sorted(found, key=lambda each: (-round(each.loss, 12), len(each.shape.chosen)))[:most]
