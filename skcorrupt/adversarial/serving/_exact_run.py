"""All readable patterns of errors in served rows, the worst of them exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, cast

import numpy as np

from skcorrupt.utils._readable import listed_labels

from ..candidates import (
    Candidate,
    LabelChoice,
    MemberSpace,
    OutOfTime,
    Template,
)
from ._batch_bounds import BatchBounds
from ._condition_tree import ConditionTree
from ._effects import Harm, Outlook, Part, StrikeRule
from ._lot import Hit, Lot, first_points
from ._pattern_search import Best, Found, PatternSearch
from ._row_effects import RowEffects
from ._row_sums import RowSums
from ._served_evaluator import ServedEvaluator
from ._watched_hits import WatchedHits
from ._watched_rows import ALWAYS_NOTICED

# conditions from which on patterns are left out that cannot win, whatever they hit
FIRST_PRUNED = 3
# patterns of which checks are asked at a budget, for the same columns and in all: the room's own
# checks, and others
MOST_WATCHED, MOST_WATCHED_SLOWLY = (10_000, 100_000), (50, 200)
# templates that are gone through before the clock is looked at again
AT_ONCE = 4_096
# refused patterns, such as excluded ones, after which no others are looked at
MOST_REFUSED = 2_000
# patterns of a class of which the worst is found for all columns
MOST_FILLED = 300_000


class _Enough(Exception):
    """No other pattern is looked at."""


class ExactRun:
    """The worst patterns of kinds of error within one budget, which rule one another out.

    Parameters
    ----------
    lots : sequence of Lot
        Kinds of error that are alike.
    served : ServedEvaluator
        Knows what errors do to every row.
    """

    def __init__(self, lots: Sequence[Lot], served: ServedEvaluator) -> None:
        self.lots, self.served = lots, served
        self.effects = effects = cast("RowEffects", served.effects or served.leading)
        for lot in lots:
            groups = [lot.labels(hit) for hit in lot.space.allowed]
            effects.prepare(lot.kind, lot.template, groups)
        self.hits: list[tuple[Lot, Hit]] = [
            (lot, hit)
            for lot in lots
            for hit in lot.space.allowed
            if effects.known(lot.kind, lot.template, lot.labels(hit))
        ]
        self.failing = [
            (lot, hit)
            for lot in lots
            for hit in lot.space.allowed
            if effects.failure(lot.kind, lot.template, lot.labels(hit))
        ]
        self.outlook = Outlook(effects.form, effects.sums())
        self.space = lots[0].space
        n_rows = [len(split.test) for split in served.splits]
        self.allowed = [math.floor(self.space.budget * n + 1e-9) for n in n_rows]
        self.rule = StrikeRule(self.allowed, lots[0].template.rate)
        self.n_scored = np.zeros(len(self.hits), dtype=np.int64)
        self.n_patterns = np.zeros(len(self.hits), dtype=np.int64)
        self.best: dict[tuple[int, int], Best] = {}
        self.n_watched = np.zeros(len(self.hits), dtype=np.int64)
        # columns of which no other pattern is looked at, and those in which one was left out so
        self.closed = np.zeros(len(self.hits), dtype=bool)
        self.cut = np.zeros(len(self.hits), dtype=bool)
        self.ended = ""
        self.n_refused = 0
        self._sums: dict[int | None, list[RowSums]] = {}
        self._watched: WatchedHits | None = None

    def _parts(self) -> list[Part]:
        """Rows of every split with what the error in every group of columns does to them."""
        able = [lot.space.eligible(None, hit) for lot, hit in self.hits]
        harm = [self._of(h)[0] for h in range(len(self.hits))]
        return [
            Part(split.test, float(clean), [h[i] for h in harm], [a[split.test] for a in able])
            for i, (split, clean) in enumerate(
                zip(self.served.splits, self.effects.sums(), strict=True)
            )
        ]

    def _of(self, h: int) -> tuple[list[Harm], bool]:
        """What an error does to rows, and whether its values are random."""
        lot, hit = self.hits[h]
        return self.effects.of(lot.kind, lot.template, lot.labels(hit))

    def run(self) -> dict[str, list[dict[str, Any]]]:
        """Score the worst of every group of columns and number of conditions.

        Returns
        -------
        dict of str to list of dict
            By kind, a row for each group of columns: what was looked at, and the bounds.
        """
        rows: dict[str, list[dict[str, Any]]] = {lot.kind: [] for lot in self.lots}
        for lot, hit in self.failing:
            rows[lot.kind].append(self._failed(lot, hit))
        if not self.hits:
            return rows
        self.parts = self._parts()
        attributes = {j: a for lot in self.lots for j, a in lot.space.attributes.items()}
        trees = ConditionTree.of_each(attributes)
        if self._asks_quickly:
            self._watched = WatchedHits(self.hits, self.served.watched, attributes)
        losses = np.full(len(self.hits), -np.inf)
        at_most = self._any_rows()
        for depth in range(self.space.max_conditions + 1):
            open_, least = None, losses
            if depth >= FIRST_PRUNED:
                open_ = np.flatnonzero(at_most > self._worst())
                least = np.maximum(losses, self._worst())
            for number, choice in enumerate(self.space.label_choices):
                self._count(self._combinations(depth, None))
                for best, h in self._deepest(trees, depth, number, choice, least, open_):
                    known = self.best.get((h, depth))
                    if known is None or best.loss > known.loss:
                        self.best[(h, depth)] = best
            losses = np.maximum(losses, self._losses(depth))
        # what is looked at again for classes of patterns does not count twice, and ends nothing
        if self._watched is not None and not self.best:
            self.lots[0].task.refused[ALWAYS_NOTICED] += 1
        scored, cut, self.ended = self.n_scored.copy(), self.cut.copy(), self._end
        self._fill(trees)
        self.cut = cut
        for h, (lot, _) in enumerate(self.hits):
            n_scored = int(scored[h])
            counted = {"n_patterns": n_scored, "n_pruned": int(self.n_patterns[h]) - n_scored}
            rows[lot.kind].append(self._row(h, at_most[h]) | counted)
        return rows

    @staticmethod
    def _failed(lot: Lot, hit: Hit) -> dict[str, Any]:
        """A row for columns in which errors make the model fail, of which one is scored."""
        space = lot.space
        templates = (t for d in space.depths for t in space.templates_of_depth(d))
        points = (
            space.candidate(t, point)
            for t in templates
            if t.columns == hit
            for point in first_points(space, t)
        )
        some = next((each for each in points if not each.refused), None)
        if some is not None:
            lot.task.evaluator.evaluate([some])
        known = {"columns": lot.labels(hit), "proven": False, "conditional": False}
        known |= {"n_patterns": 0, "n_pruned": 0}
        return known | {"any_rows_score": np.nan, "readable_bound": np.nan}

    def _worst(self) -> float:
        """The largest loss of any kind of error within the budget."""
        known = self.served.within(self.space.budget)
        other = -known[0].score if known else -np.inf
        return max([other, *(best.loss for best in self.best.values())])

    def _fill(self, trees: dict[int, ConditionTree]) -> None:
        """Find the worst with every number of conditions, with and without the columns hit.

        What is no worse than the worst of all was left out until here. Where the grid is large it
        stays so, for all but one group of columns.
        """
        worst = self.best_hit()
        for depth in range(1, self.space.max_conditions + 1):
            for own in (True, False):
                combinations = self._of_class(depth, own)
                if self._size(combinations) > MOST_FILLED:
                    combinations = [(a, some[some == worst]) for a, some in combinations]
                    combinations = [(a, some) for a, some in combinations if len(some)]
                for number, choice in enumerate(self.space.label_choices):
                    self._within_class(trees, depth, number, choice, combinations)

    def _of_class(self, depth: int, own: bool) -> list[tuple[tuple[int, ...], np.ndarray]]:
        """Attributes with the groups of columns of which they have one, or have none."""
        found = []
        for attributes, hits in self._combinations(depth, None):
            uses = np.array([self._uses_own(h, attributes) for h in hits])
            if (uses == own).any():
                found.append((attributes, hits[uses == own]))
        return found

    def _uses_own(self, h: int, attributes: Iterable[int]) -> bool:
        """Whether patterns on some attributes look at the columns hit."""
        return not {*self.hits[h][1]}.isdisjoint(attributes)

    def best_hit(self) -> int:
        """The group of columns in which errors are worst."""
        return max(self.best, key=lambda key: self.best[key].loss, default=(0, 0))[0]

    def _size(self, combinations: Sequence[tuple[tuple[int, ...], np.ndarray]]) -> int:
        """Number of patterns of some attributes, for all groups of columns."""
        total = 0
        for attributes, hits in combinations:
            of = self.hits[hits[0]][0].space.attributes
            total += len(hits) * math.prod(of[j].n_atoms for j in attributes)
        return total

    def _within_class(
        self,
        trees: dict[int, ConditionTree],
        depth: int,
        number: int,
        choice: LabelChoice,
        combinations: list[tuple[tuple[int, ...], np.ndarray]],
    ) -> None:
        """Score the worst of one class of patterns, whichever columns they hit."""
        if not combinations:
            return
        known = np.full(len(self.hits), -np.inf)
        own = self._uses_own(combinations[0][1][0], combinations[0][0])
        for (h, d), best in self.best.items():
            if d == depth and own == self._uses_own(h, best.atoms):
                known[:] = np.maximum(known, best.loss)
        for best, h in self._searched(trees, depth, number, choice, known, combinations):
            if (h, depth) not in self.best:
                self.best[(h, depth)] = best

    def _losses(self, depth: int) -> np.ndarray:
        found = [self.best.get((h, depth), Best()).loss for h in range(len(self.hits))]
        return np.array(found)

    def _deepest(
        self,
        trees: dict[int, ConditionTree],
        depth: int,
        number: int,
        choice: LabelChoice,
        losses: np.ndarray,
        open_: np.ndarray | None,
    ) -> Iterator[tuple[Best, int]]:
        """The worst of every group of columns with so many conditions on features."""
        combinations = self._combinations(depth, open_)
        # where every column has one value there are no trees, and no pattern
        if combinations and trees:
            yield from self._searched(trees, depth, number, choice, losses, combinations)

    def _searched(
        self,
        trees: dict[int, ConditionTree],
        depth: int,
        number: int,
        choice: LabelChoice,
        losses: np.ndarray,
        combinations: list[tuple[tuple[int, ...], np.ndarray]],
    ) -> Iterator[tuple[Best, int]]:
        """Patterns on some attributes that are worse than known losses."""
        space = self.space
        made: dict[int, Any] = {}
        leaders = []

        def accept(found: Found) -> float:
            self._tick()
            if self._end:
                raise _Enough
            h, loss = found.hit, found.loss
            if self._watched is not None:
                loss = self._passing(self._watched, found, self._among(choice))
                if loss <= found.known:
                    return loss
            lot, hit = self.hits[h]
            atoms = found.atoms
            point = (*(atoms[j] for j in sorted(atoms)), number, len(space.rate_steps) - 1)
            candidate = lot.space.candidate(Template(hit, frozenset(atoms)), point)
            if candidate.refused:
                lot.task.refused[candidate.refused] += 1
                self.n_refused += 1
                return -np.inf
            if self.served.watched.watch and self._watched is None:
                loss = self._unnoticed(h, candidate)
                if not np.isfinite(loss):
                    return loss
            elif self._watched is not None:
                # asking takes long, and a search whose time is over keeps what was scored
                lot.task.evaluator.evaluate([candidate])
            made[h] = lot, candidate
            leaders.append((lot, candidate))
            return loss

        search = PatternSearch(
            trees,
            self._sums_of(trees, choice),
            self.outlook,
            self.rule,
            accept,
            support=self._support(),
            tick=self._tick,
            closed=self.closed,
            cut=self.cut,
            bounds=self._batch_bounds(trees, choice),
            is_watched=bool(self.served.watched.watch),
        )
        best = [Best(loss) for loss in losses]
        # what was found until then is scored all the same
        try:
            with suppress(_Enough):
                if depth == 0:
                    for _, hits in combinations:
                        search.without_conditions(hits, best)
                else:
                    search.run(combinations, best)
        except OutOfTime:
            if self.served.effects is not None:
                # their scores are sums that are known
                with self.served.deadline.lifted():
                    self._evaluate([*made.values()])
            raise
        self.n_scored += search.n_scored
        # of scores that are no sums those that led on the way may be worse than the last one
        scored = leaders if self.served.effects is None else [*made.values()]
        self._evaluate(scored)
        yield from ((best[h], h) for h in made)

    def _evaluate(self, candidates: Sequence[tuple[Lot, Candidate]]) -> None:
        for lot in self.lots:
            lot.task.evaluator.evaluate([each for own, each in candidates if own is lot])

    def _sums_of(self, trees: dict[int, ConditionTree], choice: LabelChoice) -> list[RowSums]:
        """What errors do to the rows that a condition on the label matches."""
        if choice.atom not in self._sums:
            among = self._among(choice)
            self._sums[choice.atom] = [RowSums(trees, part, among) for part in self.parts]
        return self._sums[choice.atom]

    def _among(self, choice: LabelChoice) -> np.ndarray | None:
        """Rows that a condition on the label matches, None for all."""
        label = self.space.label
        return None if choice.atom is None or label is None else label.mask(choice.atom)

    @property
    def _asks_quickly(self) -> bool:
        """Whether it is known what checks say of an error, whichever rows it strikes."""
        watched = self.served.watched
        known = watched.watch and self.served.effects is not None
        return bool(known) and all(
            watched.is_quick(lot.template) and not isinstance(lot.space, MemberSpace)
            for lot in self.lots
        )

    def _batch_bounds(
        self, trees: dict[int, ConditionTree], choice: LabelChoice
    ) -> BatchBounds | None:
        """What checks let pass at most; None where more struck rows are not more harm."""
        if self._watched is None or self.outlook.form == "gap":
            return None
        return self._watched.bounds(trees, self._among(choice))

    def _passing(self, watched: WatchedHits, found: Found, among: np.ndarray | None) -> float:
        """The loss of a pattern at the largest rate that no check notices, -inf if none is."""
        h, matched = found.hit, found.matched[:, None]
        self.n_watched[h] += 1
        self.closed[h] = self.n_watched[h] >= self._most_watched[0]
        rate = watched.rate(found, among, float(self.rule.rates(matched)[0]))
        if not rate:
            self.hits[h][0].task.refused[ALWAYS_NOTICED] += 1
            return -np.inf
        shares = self.rule.shares_at(matched, np.array([rate]))
        return float(self.outlook.loss(shares * found.harm[:, None])[0])

    def _unnoticed(self, h: int, candidate: Candidate) -> float:
        """The loss of a pattern at the largest rate that no check notices."""
        evaluator = self.hits[h][0].task.evaluator
        if candidate.key not in evaluator.done:
            self.n_watched[h] += 1
            evaluator.evaluate([candidate])
            self.closed[h] = self.n_watched[h] >= self._most_watched[0]
        known = evaluator.done.get(candidate.key)
        return -known.score if known is not None and np.isfinite(known.score) else -np.inf

    def _tick(self) -> None:
        self.served.deadline.check(found=self.served.found_any)

    @property
    def _most_watched(self) -> tuple[int, int]:
        """Patterns of which checks are asked, of each kind and columns, and in all."""
        watch = self.served.watched.watch
        # of members of a process, batches are struck for each pattern
        quick = watch and watch.is_quick and not isinstance(self.space, MemberSpace)
        return MOST_WATCHED if quick else MOST_WATCHED_SLOWLY

    @property
    def _end(self) -> str:
        """Why no other pattern is looked at; "" where others are."""
        if self.n_refused > MOST_REFUSED:
            return f"{self.n_refused:,} patterns that would win were refused"
        if self.n_watched.sum() >= self._most_watched[1]:
            return f"checks were asked about {self.n_watched.sum():,} patterns"
        return ""

    @property
    def gaps(self) -> dict[str, str]:
        """Why patterns that may be worse were not looked at, by kind."""
        if self.ended:
            return {lot.kind: f"{self.ended}, so that the enumeration ended" for lot in self.lots}
        found: dict[str, list[str]] = {}
        for h in np.flatnonzero(self.cut):
            lot, hit = self.hits[h]
            found.setdefault(lot.kind, []).append(listed_labels(lot.labels(hit)))
        most = f"checks were asked about {self._most_watched[0]:,} patterns"
        return {
            kind: f"{most} in each of {'; '.join(columns)}, so that the enumeration ended there"
            for kind, columns in found.items()
        }

    def _support(self) -> int:
        """Fewest rows that a pattern matches, where the parts hold every row once."""
        n = self.space.table.n_rows
        whole = sum(part.n_rows for part in self.parts) == n
        return math.ceil(self.space.min_support * n - 1e-9) if whole else 0

    def _combinations(
        self, depth: int, open_: np.ndarray | None
    ) -> list[tuple[tuple[int, ...], np.ndarray]]:
        """Attributes of patterns, with the groups of columns whose patterns may have them."""
        found: dict[tuple[int, ...], list[int]] = {}
        some = range(len(self.hits)) if open_ is None else {*open_.tolist()}
        for lot in self.lots:
            place = {hit: h for h, (own, hit) in enumerate(self.hits) if own is lot}
            for i, template in enumerate(lot.space.templates_of_depth(depth)):
                if i % AT_ONCE == 0:
                    # of hundreds of columns there are tens of millions
                    self._tick()
                h = place.get(template.columns)
                if h is not None and h in some:
                    found.setdefault(tuple(sorted(template.attributes)), []).append(h)
        return [(attributes, np.array(hits)) for attributes, hits in found.items()]

    def _count(self, combinations: Sequence[tuple[tuple[int, ...], np.ndarray]]) -> None:
        for attributes, hits in combinations:
            of = self.hits[hits[0]][0].space.attributes
            self.n_patterns[hits] += math.prod(of[j].n_atoms for j in attributes)

    def _any_rows(self) -> np.ndarray:
        """The largest loss that any choice of rows brings, by group of columns."""
        ends = []
        for sign in (1.0, -1.0):
            sums = [
                [
                    sign * _most(sign * h.each, able, k)
                    for h, able in zip(p.harm, p.changeable, strict=True)
                ]
                for p, k in zip(self.parts, self.allowed, strict=True)
            ]
            ends.append(np.array(sums))
        self.most_harm, self.least_harm = ends
        return self.outlook.most(ends[1], ends[0])

    def _row(self, h: int, at_most: float) -> dict[str, Any]:
        """What is known of a group of columns."""
        mine = max((b.loss for (k, _), b in self.best.items() if k == h), default=-np.inf)
        bound = mine
        if self.ended or self.cut[h]:
            # patterns that nobody looked at are no worse than any rows
            bound = at_most
        elif self.space.max_conditions >= FIRST_PRUNED:
            # with more conditions it was only seen that it is not worse than the worst of others
            bound = max(mine, min(at_most, self._worst()))
        if self.served.effects is not None:
            if bound == -np.inf and not self.served.watched.watch:
                bound = at_most
            # where checks notice every pattern, this is what rows without errors lose
            bound = self._over_draws(h, bound)
            # sizes of gaps whose values are drawn are known of their mean alone
            at_most = np.nan if np.isnan(bound) else at_most
        beyond = [score.beyond for score in self.effects.scores]
        if self.served.effects is None:
            # what single rows do, and what pairs of them may add
            pairs = zip(beyond, self.allowed, strict=True)
            added = [np.nan if each is None else each(k) for each, k in pairs]
            lowest = np.mean([score.lowest for score in self.effects.scores])
            bound = min(at_most + float(np.mean(added)), -float(lowest))
        return {
            "columns": self.hits[h][0].labels(self.hits[h][1]),
            "proven": self._is_proof(h),
            "any_rows_score": -float(at_most) if self.served.effects else np.nan,
            "readable_bound": -float(bound),
            "conditional": self._of(h)[1],
            "bounded": self.served.effects is not None and not self._of(h)[1],
            # where somebody watches, errors are fewer than the budget allows
            "random_score": -self._random(h) if self._compares else np.nan,
        }

    def _over_draws(self, h: int, bound: float) -> float:
        """What no pattern loses more than on average, if sums do not on average."""
        if self.served.form == "gap" and self._of(h)[1]:
            return np.nan
        if self.served.watched.watch:
            # where fewer are struck than may be, scores are between the clean one and that
            bound = max(bound, float(self.outlook.loss(np.zeros((len(self.parts), 1)))[0]))
        return self.outlook.over_draws(bound, self.least_harm[:, h], self.most_harm[:, h])

    @property
    def _compares(self) -> bool:
        return self.served.effects is not None and not self.served.watched.watch

    def _is_proof(self, h: int) -> bool:
        """Whether sums say exactly what a pattern does, whatever values are drawn."""
        summed = self.served.effects is not None and self.served.form == "sum"
        return summed and not (self._of(h)[1] or self.ended or self.cut[h])

    def _random(self, h: int) -> float:
        """The loss that struck rows bring on average, whichever they are."""
        matched = np.array([[part.changeable[h].sum()] for part in self.parts], dtype=float)
        harm = [[part.harm[h].each[part.changeable[h]].sum()] for part in self.parts]
        return float(self.outlook.loss(self.rule.shares(matched) * np.array(harm))[0])


def _most(values: np.ndarray, among: np.ndarray, k: int) -> float:
    """The sum of the k largest of some values that are above 0."""
    found = values[among & (values > 0)]
    if not 0 < k < len(found):
        # all of them, or none where the budget is less than a row
        return float(found[: int(k)].sum())
    top = np.partition(found, len(found) - k)[len(found) - k :]
    return float(top.sum())
