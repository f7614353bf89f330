"""All readable patterns of errors in served rows, the worst of them exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from skcorrupt.base import FeatureCorruption

from ..candidates import Candidate, CandidateSpace, LabelChoice, SearchTask, Template
from ._condition_tree import ConditionTree
from ._effects import Harm, Outlook, Part, StrikeRule
from ._pattern_search import Best, PatternSearch
from ._row_effects import RowEffects
from ._row_sums import RowSums
from ._served_evaluator import ServedEvaluator

Hit = tuple[int, ...]
# conditions from which on patterns are left out that cannot win, whatever they hit
FIRST_PRUNED = 3
# patterns of which checks are asked, for kinds of error and a budget: the room's own, and others
MOST_WATCHED, MOST_WATCHED_SLOWLY = 5_000, 100
# refused patterns, such as excluded ones, after which no others are looked at
MOST_REFUSED = 2_000
# points of a grid among which one is looked for that is feasible
MOST_TRIED = 64
# patterns of a class of which the worst is found for all columns
MOST_FILLED = 300_000


@dataclass(frozen=True, eq=False)
class Lot:
    """One kind of error within one budget.

    Attributes
    ----------
    task : SearchTask
        The search for the kind.
    kind : str
        Its name, "" where there is one kind.
    space : CandidateSpace
        The candidates within the budget.
    """

    task: SearchTask
    kind: str
    space: CandidateSpace

    @property
    def template(self) -> FeatureCorruption:
        """The error."""
        return cast("FeatureCorruption", self.space.template)

    @property
    def like(self) -> tuple[Any, ...]:
        """What kinds have in common that are searched together."""
        return self.template.rate, tuple(choice.atom for choice in self.space.label_choices)

    def labels(self, hit: Hit) -> tuple[Any, ...]:
        """Labels of columns that are hit."""
        return tuple(self.space.table.labels[j] for j in hit)


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
        self.n_watched = 0
        self.n_refused = 0
        self._sums: dict[int | None, list[RowSums]] = {}

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
        trees = {
            j: ConditionTree.of(each)
            for j, each in {
                j: each for lot in self.lots for j, each in lot.space.attributes.items()
            }.items()
        }
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
        # what is looked at again for classes of patterns does not count twice
        scored = self.n_scored.copy()
        self._fill(trees)
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
            for point in _first_points(space, t)
        )
        some = next((each for each in points if not each.refused), None)
        if some is not None:
            lot.task.evaluator.evaluate([some])
        known = {"columns": lot.labels(hit), "proven": False, "n_patterns": 0, "n_pruned": 0}
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
        if combinations:
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

        def accept(h: int, atoms: dict[int, int], loss: float) -> float:
            self._tick()
            if self.ended:
                raise _Enough
            lot, hit = self.hits[h]
            point = (*(atoms[j] for j in sorted(atoms)), number, len(space.rate_steps) - 1)
            candidate = lot.space.candidate(Template(hit, frozenset(atoms)), point)
            if candidate.refused:
                lot.task.refused[candidate.refused] += 1
                self.n_refused += 1
                return -np.inf
            if self.served.watched.watch:
                loss = self._unnoticed(lot, candidate)
                if not np.isfinite(loss):
                    return loss
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
        )
        best = [Best(loss) for loss in losses]
        # what was found until then is scored all the same
        with suppress(_Enough):
            if depth == 0:
                for _, hits in combinations:
                    search.without_conditions(hits, best)
            else:
                search.run(combinations, best)
        self.n_scored += search.n_scored
        # of scores that are no sums those that led on the way may be worse than the last one
        scored = leaders if self.served.effects is None else [*made.values()]
        for lot in self.lots:
            lot.task.evaluator.evaluate([each for own, each in scored if own is lot])
        yield from ((best[h], h) for h in made)

    def _sums_of(self, trees: dict[int, ConditionTree], choice: LabelChoice) -> list[RowSums]:
        """What errors do to the rows that a condition on the label matches."""
        label = self.space.label
        if choice.atom not in self._sums:
            among = None if choice.atom is None or label is None else label.mask(choice.atom)
            self._sums[choice.atom] = [RowSums(trees, part, among) for part in self.parts]
        return self._sums[choice.atom]

    def _unnoticed(self, lot: Lot, candidate: Candidate) -> float:
        """The loss of a pattern at the largest rate that no check notices."""
        evaluator = lot.task.evaluator
        if candidate.key not in evaluator.done:
            self.n_watched += 1
            evaluator.evaluate([candidate])
        score = evaluator.done[candidate.key].score
        return -score if np.isfinite(score) else -np.inf

    def _tick(self) -> None:
        self.served.deadline.check(found=self.served.found_any)

    @property
    def ended(self) -> str:
        """Why patterns that may be worse were not looked at; "" where all were."""
        watch = self.served.watched.watch
        if self.n_refused > MOST_REFUSED:
            return f"{self.n_refused:,} patterns that would win were refused"
        most = MOST_WATCHED if watch and watch.is_quick else MOST_WATCHED_SLOWLY
        if self.n_watched >= most:
            return f"checks were asked about {self.n_watched:,} patterns"
        return ""

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
            for template in lot.space.templates_of_depth(depth):
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
        return self.outlook.most(ends[1], ends[0])

    def _row(self, h: int, at_most: float) -> dict[str, Any]:
        """What is known of a group of columns."""
        mine = max((b.loss for (k, _), b in self.best.items() if k == h), default=-np.inf)
        bound = mine
        if self.ended:
            # patterns that nobody looked at are no worse than any rows
            bound = at_most
        elif self.space.max_conditions >= FIRST_PRUNED:
            # with more conditions it was only seen that it is not worse than the worst of others
            bound = max(mine, min(at_most, self._worst()))
        beyond = [score.beyond for score in self.effects.scores]
        if self.served.effects is None:
            # what single rows do, and what pairs of them may add
            pairs = zip(beyond, self.allowed, strict=True)
            added = [np.nan if each is None else each(k) for each, k in pairs]
            bound = at_most + float(np.mean(added))
        return {
            "columns": self.hits[h][0].labels(self.hits[h][1]),
            "proven": self._is_proof(h),
            "any_rows_score": -float(at_most) if self.served.effects else np.nan,
            "readable_bound": -float(at_most if bound == -np.inf else bound),
            # where somebody watches, errors are fewer than the budget allows
            "random_score": -self._random(h) if self._compares else np.nan,
        }

    @property
    def _compares(self) -> bool:
        return self.served.effects is not None and not self.served.watched.watch

    def _is_proof(self, h: int) -> bool:
        """Whether sums say exactly what a pattern does, whatever values are drawn."""
        summed = self.served.effects is not None and self.served.form == "sum"
        return summed and not self._of(h)[1] and not self.ended

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


def _first_points(space: CandidateSpace, template: Template) -> list[tuple[int, ...]]:
    """Some points of the grid of a template."""
    grid = space.grid(template)
    first = grid.points(np.arange(min(MOST_TRIED, grid.size)))
    return [tuple(int(i) for i in point) for point in first]
