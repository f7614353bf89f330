"""Ranges between the bins of the grid, and sets, that do most harm, by what errors do to rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from skcorrupt.metrics._ranks import MOST_PAIRED, JointChanges

from ..candidates import Candidate, Shape
from ..candidates._shape import Shapes
from ._effects import Outlook, StrikeRule
from ._level_choices import LevelChoices
from ._lot import Hit, Lot
from ._row_effects import RowEffects
from ._served_evaluator import ServedEvaluator

# ranges that are looked for, of few rows and of rows in all; of these, how many alone
MOST_RANGES, MOST_ROWS = 20_000, 400_000_000
ALONE = 0.75
# categories of a column beyond which no set is looked at
MOST_CATEGORIES = 64
# patterns that get a condition more
GROWN = 32
# conditions that are looked for, fewer of many rows, so that predictions take most of the time; how
# many pairs of rows take as long as one; of those that are left, what one more condition for all
# may take, and as many turns for all again
MOST_LOOKED_FOR, LEAST_LOOKED_FOR, ROWS_LOOKED_AT = 6_000, 200, 3_000_000
PAIRS_AT_ONCE = 100_000
SHARE_GROWN, TURNS = 0.2, 2
# of the conditions that may be looked for, the share that is expected, and the seconds of each: by
# itself, and for a pair of rows
EXPECTED, SECONDS_EACH, SECONDS_A_PAIR = 0.8, 2e-4, 1.2e-8
# of the worst, those of which a condition is exchanged or moved to begin anew, and how often that
# may find nothing worse
PARENTS, IDLE = 8, 150
# patterns whose scores are asked, of many rows and of few: those of sums, and those that single
# rows say are bad
ASKED, ASKED_OF_LED, ROWS_ASKED = (12, 24), (24, 96), 200_000
# ranges of a pattern are found again, each beside the others, at most so often
MOST_TURNS = 8


@dataclass(frozen=True, eq=False)
class Ranged:
    """A pattern with what it loses.

    Attributes
    ----------
    loss : float
        Minus the score that follows from rows, and from pairs of rows.
    shape : Shape
        Its pieces.
    """

    loss: float
    shape: Shape


class FinerRanges:
    """Patterns within one budget whose ranges and sets are the worst that rows can tell apart.

    One range is the worst of its column whatever the grid is, and so is one set of few categories.
    Several are found in turn, each the worst beside the others, from the worst with a condition
    less and from those of the grid. Of an area under the ROC curve that holds too: it follows from
    what each row and each pair of rows changes.

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
        self._by_pairs = any(score.joint is not None for score in self.effects.scores)
        self._by_pairs &= self.served.effects is None
        self._n_pairs = 0.0
        if self._by_pairs:
            self._n_pairs = sum(min(n / 2, MOST_PAIRED) ** 2 for n in sizes)
        # beside the first ones, which are quick where each row counts for itself
        most = min(MOST_LOOKED_FOR, max(LEAST_LOOKED_FOR, ROWS_LOOKED_AT // max(1, sum(sizes))))
        self._most = min(self.left, int(most / (1 + self._n_pairs / PAIRS_AT_ONCE)))
        if self._by_pairs:
            self.left = self._most
        self._rng = np.random.default_rng(lot.task.seed)
        # of the column that was looked at last, and the rows among which
        self._codes: tuple[int, list[np.ndarray]] = -1, []
        self._last: tuple[int, np.ndarray, LevelChoices] | None = None

    @property
    def expected_seconds(self) -> float:
        """Seconds that are expected to go into it."""
        return EXPECTED * self._most * (SECONDS_EACH + SECONDS_A_PAIR * self._n_pairs)

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
        self.left = min(self.left, self._most)
        # leaders may have sets of categories, and conditions on columns that are not ranged
        known = [shape for each in leaders if (shape := self.shapes.of(each)) is not None]
        starts = [self._settled(shape) for shape in known if self._is_known(shape.columns)]
        found = [each for each in starts if each is not None]
        for depth in range(self.space.max_conditions):
            found += grown
            growing = self._growing(grown, self.space.table.n_columns)
            longer = [each for start in growing for each in self._longer(start)]
            # where there is no time for all, the others are what they are
            found += longer
            settling = self._growing(longer, TURNS * (depth + 2))
            settled = [self._settled(each.shape) for each in settling]
            grown = [each for each in settled if each is not None]
        found += grown
        found += self._begun_anew(found)
        shapes = [each.shape for each in self._asked(found)]
        made: dict[bytes, Candidate] = {}
        for shape in shapes:
            candidate = self.shapes.made(self.space, shape)
            if not candidate.refused:
                # of patterns that strike the same rows the one that is the worst of its class
                made.setdefault(candidate.key, candidate)
        return [*made.values()]

    def _asked(self, found: Sequence[Ranged]) -> list[Ranged]:
        """The worst of every class of patterns, and the worst of all."""
        whole = [each for each in _worst(found, len(found)) if self._is_whole(each.shape)]
        classes: dict[object, Ranged] = {}
        for each in whole:
            shape = each.shape
            own = not {*shape.columns}.isdisjoint(shape.chosen)
            classes.setdefault((len(shape.chosen), own, shape.choice.atom), each)
        few, many = ASKED if self.served.effects is not None else ASKED_OF_LED
        most = min(many, max(few, ROWS_ASKED // self.space.table.n_rows))
        return list(dict.fromkeys([*classes.values(), *whole]))[:most]

    def _growing(self, found: Sequence[Ranged], n_each: int) -> list[Ranged]:
        """Those of some patterns that get a condition more, or are settled with it."""
        most = int(np.clip(SHARE_GROWN * self.left / n_each, 1, GROWN))
        return self._differing(found)[:most]

    @staticmethod
    def _differing(found: Sequence[Ranged]) -> list[Ranged]:
        """The worst pattern of every set of columns, the worst first."""
        alike: dict[object, Ranged] = {}
        for each in _worst(found, len(found)):
            alike.setdefault(_columns(each.shape), each)
        return [*alike.values()]

    def _begun_anew(self, found: Sequence[Ranged]) -> list[Ranged]:
        """What is found from the worst with a condition exchanged or moved, until that is idle."""
        pool, idle, cut_short = self._differing(found), 0, self.cut_short
        best = {_columns(each.shape): each for each in pool}
        while self.left > 0 and pool and idle < IDLE:
            parents = pool[:PARENTS]
            shape = self._changed(parents[self._rng.integers(len(parents))].shape)
            settled = None if shape is None else self._settled(shape)
            idle += 1
            if settled is None:
                continue
            columns = _columns(settled.shape)
            if columns in best and settled.loss <= best[columns].loss:
                continue
            idle = 0 if settled.loss > pool[0].loss + 1e-12 else idle
            best[columns] = settled
            pool = _worst([*best.values()], len(best))
        # that no more was begun anew is no lack
        self.cut_short = cut_short
        return pool

    def _changed(self, shape: Shape) -> Shape | None:
        """A pattern with another condition in place of one, the last to be found again."""
        chosen = dict(shape.chosen)
        j = int(self._rng.choice([*chosen]))
        del chosen[j]
        rest = replace(shape, chosen=chosen)
        others = [k for k in self._next(rest) if k != j]
        if others and self._rng.random() < 0.5:
            longer = self._range(rest, int(self._rng.choice(others)))
            return None if longer is None else longer.shape
        n = self.shapes.fine(j).levels.n_levels
        if n < 2:
            return None
        if self.shapes.fine(j).ranged:
            a, b = np.sort(self._rng.choice(n + 1, 2, replace=False))
            own = (np.arange(n) >= a) & (np.arange(n) < b)
        else:
            own = self._rng.random(n) < 0.5
        if own.all() or not own.any():
            return None
        return replace(shape, chosen={**chosen, j: own})

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
        """What one more condition makes worst, for every column that it may be on."""
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
            if j not in shape.chosen and self._has_choices(j):
                yield j

    def _has_choices(self, j: int) -> bool:
        """Whether conditions on a column are ranges, or sets of not too many categories."""
        fine = self.shapes.fine(j)
        return fine.ranged or fine.levels.n_levels <= MOST_CATEGORIES

    def _settled(self, shape: Shape) -> Ranged | None:
        """A pattern of which no condition alone can be made worse; None without any."""
        best: Ranged | None = None
        for _ in range(MOST_TURNS):
            before = best
            for j in shape.chosen:
                if self._has_choices(j):
                    found = self._range(shape, j)
                    if found is not None and (best is None or found.loss > best.loss + 1e-12):
                        best, shape = found, found.shape
            if best is before:
                break
        return best

    def _range(self, shape: Shape, j: int) -> Ranged | None:
        """A pattern with the worst condition on a column, None where none is feasible."""
        if self.left <= 0:
            self.cut_short = True
            return None
        self.left -= 1
        self.served.deadline.check(found=self.served.found_any)
        among = self._among(self.shapes.rows(self.space, shape, besides=j), j)
        harm, joint = self._harm_of(shape.columns), self._joint_of(shape.columns)
        if not self.shapes.fine(j).ranged:
            loss, own = self._worst_set(among, harm, joint)
            if not np.isfinite(loss):
                return None
            return Ranged(loss, replace(shape, chosen={**shape.chosen, j: own}))
        summed = among.summed(harm)
        loss, a, b = self._worst_pair(among, summed, joint, among.pairs)
        if among.is_coarse and np.isfinite(loss):
            # both ends inside the bins around them
            loss, a, b = self._worst_pair(among, summed, joint, among.closer(a, b))
        if not np.isfinite(loss):
            return None
        own = np.zeros(among.n_levels, dtype=bool)
        own[a:b] = True
        return Ranged(loss, replace(shape, chosen={**shape.chosen, j: own}))

    def _among(self, rows: np.ndarray, j: int) -> LevelChoices:
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
        found = LevelChoices(self._codes[1], masks, everywhere, self._support)
        self._last = j, rows, found
        return found

    def _worst_pair(
        self,
        among: LevelChoices,
        summed: np.ndarray,
        joint: Sequence[JointChanges] | None,
        pairs: tuple[np.ndarray, np.ndarray],
    ) -> tuple[float, int, int]:
        """The largest loss of a range from one of some levels to before another, and these."""
        a, b = pairs
        if not len(a):
            return -np.inf, 0, 0
        matched = among.matched(a, b)
        shares = self.rule.shares(matched)
        harm = shares * (summed[:, b] - summed[:, a])
        if joint is not None:
            edges = np.union1d(a, b)
            i, j = np.searchsorted(edges, a), np.searchsorted(edges, b)
            both = among.joint(joint, edges)
            both = both[:, j, j] - both[:, i, j] - both[:, j, i] + both[:, i, i]
            harm -= _of_pairs(shares, matched) * both
        best, loss = self._largest(harm)
        return loss, int(a[best]), int(b[best])

    def _worst_set(
        self, among: LevelChoices, harm: Sequence[np.ndarray], joint: Sequence[JointChanges] | None
    ) -> tuple[float, np.ndarray]:
        """The largest loss of a set of categories, and the set; of many categories not of all."""
        of_levels = np.diff(among.summed(harm))
        sets = among.sets(of_levels.sum(axis=0))
        if not len(sets):
            return -np.inf, np.zeros(among.n_levels, dtype=bool)
        matched = among.rows_of_levels @ sets.T
        shares = self.rule.shares(matched)
        lost = shares * (of_levels @ sets.T)
        if joint is not None:
            each = np.diff(np.diff(among.joint(joint, np.arange(among.n_levels + 1)), axis=1))
            both = np.einsum("sl,plm,sm->ps", sets, each, sets)
            lost -= _of_pairs(shares, matched) * both
        best, loss = self._largest(lost)
        return loss, sets[best]

    def _largest(self, harm: np.ndarray) -> tuple[int, float]:
        """The place of the largest loss, and that loss; minus infinity where there is none."""
        losses = self.outlook.loss(harm)
        losses[np.isnan(losses)] = -np.inf
        best = int(np.argmax(losses))
        return best, float(losses[best])

    def _joint_of(self, hit: Hit) -> list[JointChanges] | None:
        """What pairs of rows change together, None where each row counts for itself."""
        if not self._by_pairs:
            return None
        return self.effects.joint(self.lot.kind, self.lot.labels(hit))

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


def _columns(shape: Shape) -> tuple[Hit, frozenset[int]]:
    """The columns that a pattern hits, and those that it looks at."""
    return shape.columns, frozenset(shape.chosen)


def _of_pairs(shares: np.ndarray, matched: np.ndarray) -> np.ndarray:
    """The chance that both of two matched rows are among those struck, whichever these are."""
    others = np.maximum(shares * matched - 1.0, 0.0) / np.maximum(matched - 1.0, 1.0)
    return shares * others


def _worst(found: Sequence[Ranged], most: int) -> list[Ranged]:
    """The worst of some patterns, the worst first, and of those alike the shortest."""
    return sorted(found, key=lambda each: (-round(each.loss, 12), len(each.shape.chosen)))[:most]
