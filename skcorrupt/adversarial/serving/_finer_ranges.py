"""Ranges between the bins of the grid that do most harm, from sums of what errors do to rows."""

from __future__ import annotations

import itertools
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
# ranges that are looked for, of few rows and of rows in all; of these, how many alone
MOST_RANGES, MOST_ROWS = 20_000, 400_000_000
ALONE = 0.75
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

    Attributes
    ----------
    cut_short : bool
        Whether there were more columns hit and looked at than are tried.
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
        self.cut_short = False
        self._support = self.space.min_support * self.space.table.n_rows - 1e-9
        self._harm: dict[Hit, list[np.ndarray]] = {}
        # of the column that was looked at last, and the rows among which
        self._codes: tuple[int, list[np.ndarray]] = -1, []
        self._last: tuple[int, np.ndarray, _Among] | None = None

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
        grown = self._first(hits)
        # leaders may have sets of categories, and conditions on columns that are not ranged
        known = [shape for each in leaders if (shape := self.shapes.of(each)) is not None]
        starts = [self._settled(shape) for shape in known if self._is_known(shape.columns)]
        found = [each for each in starts if each is not None]
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
        starts = [
            Shape(hit, {}, choice, 1.0)
            for choice in self.space.label_choices
            for hit in hits
            if self._is_known(hit)
        ]
        looked_at = [dict.fromkeys(self._next(shape)) for shape in starts]
        columns = dict.fromkeys(itertools.chain.from_iterable(looked_at))
        most = int(ALONE * self.left)
        some = starts[: max(1, most // max(1, len(columns)))]
        # the rows of a column are counted once for all that are hit
        pairs = [
            (shape, j)
            for j in columns
            for shape, own in zip(some, looked_at, strict=False)
            if j in own
        ]
        self.cut_short = len(some) < len(starts) or most < len(pairs)
        found = [self._range(shape, j) for shape, j in pairs[:most]]
        return [each for each in found if each is not None]

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
            self.cut_short = True
            return None
        self.left -= 1
        self.served.deadline.check(found=self.served.found_any)
        among = self._among(self.shapes.rows(self.space, shape, besides=j), j)
        summed = among.summed(self._harm_of(shape.columns))
        loss, a, b = self._worst_pair(summed, *among.pairs)
        if among.is_coarse and np.isfinite(loss):
            # both ends inside the bins around them
            loss, a, b = self._worst_pair(summed, *among.closer(a, b))
        if not np.isfinite(loss):
            return None
        own = np.zeros(among.n_levels, dtype=bool)
        own[a:b] = True
        return Ranged(loss, replace(shape, chosen={**shape.chosen, j: own}))

    def _among(self, rows: np.ndarray, j: int) -> _Among:
        """The levels of a column among some rows, known where they were asked for last."""
        if self._last is not None:
            column, before, known = self._last
            if column == j and np.array_equal(before, rows):
                return known
        levels, splits = self.shapes.fine(j).levels, self.served.splits
        if self._codes[0] != j:
            self._codes = j, [levels.codes[split.test] for split in splits]
        # of all rows, as few of those that are scored may be what a pattern has to match
        everywhere = np.bincount(levels.codes[rows], minlength=levels.n_levels + 1)[:-1]
        masks = [rows[split.test] for split in splits]
        found = _Among(self._codes[1], masks, everywhere, self.rule, self._support)
        self._last = j, rows, found
        return found

    def _worst_pair(
        self, summed: np.ndarray, a: np.ndarray, b: np.ndarray, shares: np.ndarray
    ) -> tuple[float, int, int]:
        """The largest loss of a range from one of some levels to before another, and these."""
        if not len(a):
            return -np.inf, 0, 0
        losses = self.outlook.loss(shares * (summed[:, b] - summed[:, a]))
        losses[np.isnan(losses)] = -np.inf
        best = int(np.argmax(losses))
        return float(losses[best]), int(a[best]), int(b[best])

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


class _Among:
    """The levels of a column among rows that may be struck, and the ranges that there are.

    Parameters
    ----------
    codes, masks : list of ndarray of shape (n_part,)
        By part, the levels of its rows, and which of them may be struck.
    everywhere : ndarray of int, shape (n_levels,)
        Rows of the table that may be struck and have a level.
    rule : StrikeRule
        How many of the matched rows are struck.
    support : float
        Rows of the table that a range has to match.
    """

    def __init__(
        self,
        codes: Sequence[np.ndarray],
        masks: Sequence[np.ndarray],
        everywhere: np.ndarray,
        rule: StrikeRule,
        support: float,
    ) -> None:
        self.n_levels = len(everywhere)
        self._codes, self._masks, self._rule, self._least = codes, masks, rule, support
        self._below = self._before(masks)
        self._everywhere = np.concatenate([[0.0], everywhere.cumsum()])
        # rows that are not scored count where a pattern has to match some number of them
        self._rows = self._below.sum(axis=0) if support <= 0 else self._everywhere
        self._edges = self._edges_of(MOST_LEVELS)
        self.is_coarse = len(self._edges) <= self.n_levels

    def summed(self, harm: Sequence[np.ndarray]) -> np.ndarray:
        """The harm in rows below every level, shape (n_parts, n_levels + 1)."""
        pairs = zip(harm, self._masks, strict=True)
        return self._before([np.where(mask, each, 0.0) for each, mask in pairs])

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """First levels of ranges, levels behind their last, and the shares that are struck."""
        return self._paired(self._edges, self._edges)

    def closer(self, a: int, b: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of ranges with both ends inside the bins around those of one of them."""
        return self._paired(self._inside(a), self._inside(b))

    def _before(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        found = np.zeros((len(weights), self.n_levels + 1))
        for k, (codes, each) in enumerate(zip(self._codes, weights, strict=True)):
            found[k, 1:] = np.bincount(codes, each, minlength=self.n_levels + 1)[:-1].cumsum()
        return found

    def _paired(
        self, firsts: np.ndarray, ends: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        a, b = np.array(np.meshgrid(firsts, ends, indexing="ij")).reshape(2, -1)
        # all levels are no condition
        some = (a < b) & ((a > 0) | (b < self.n_levels))
        some &= self._everywhere[b] - self._everywhere[a] >= self._least
        a, b = a[some], b[some]
        return a, b, self._rule.shares(self._below[:, b] - self._below[:, a])

    def _edges_of(self, most: int) -> np.ndarray:
        """Levels at which ranges may begin or end, at most about so many, of rows alike."""
        # where no row is between two levels, one of them is enough, but for levels below all rows:
        # a range of all levels is no condition, and one without these is
        rows = self._rows
        held = np.flatnonzero(np.diff(rows))
        distinct = np.union1d([0, self.n_levels, *held[:1]], held + 1).astype(int)
        if len(distinct) <= most:
            return distinct
        wanted = np.linspace(0, rows[-1], most)
        return np.union1d(distinct[[0, -1]], distinct[np.searchsorted(rows[distinct], wanted)])

    def _inside(self, end: int) -> np.ndarray:
        """Levels around one of the edges, to the edges beside it."""
        edges = self._edges
        place = int(np.searchsorted(edges, end))
        first, last = edges[max(0, place - 1)], edges[min(len(edges) - 1, place + 1)]
        levels = np.arange(first, last + 1)
        if len(levels) <= MOST_LEVELS:
            return levels
        return np.union1d(levels[np.linspace(0, len(levels) - 1, MOST_LEVELS).astype(int)], [end])


def _worst(found: Sequence[Ranged], most: int) -> list[Ranged]:
    """The worst of some patterns, the worst first, and of those alike the shortest."""
    return sorted(found, key=lambda each: (-round(each.loss, 12), len(each.shape.chosen)))[:most]
