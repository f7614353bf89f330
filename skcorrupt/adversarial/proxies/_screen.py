"""All candidates of a search, or as many as are affordable, scored on a proxy."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from skcorrupt.patterns import Pattern

from ..candidates import CandidateSpace, Deadline, OutOfTime, Progress, Template
from ._changed_values import Changes, changes_of
from ._linear_proxy import BATCH, TOLERANCE
from ._masks import Masks, Points
from ._proxy import Proxy
from ._proxy_groups import Groups
from ._proxy_score import ProxyScore
from ._struck_groups import StruckGroups

# group visits a budget: about five seconds of a core with linear models
MOST_VISITS = 3e8
# candidates of which the best are kept for closer looks
KEPT = 4096
GROWN = 128
SAMPLED_TEMPLATES = 4
# changes of margins that no score shows
CONVERGED = 1e-3
# of every number of conditions and every columns hit, candidates that are kept in any case
KEPT_OF_EACH = 8
MASKS_AT_ONCE = 8 * BATCH


@dataclass
class Found:
    """Candidates with their proxy scores, the lowest first.

    Attributes
    ----------
    templates : list of Template
        The template of each.
    points : list of tuple of int
        Points of the templates' grids, rate included.
    scores : ndarray of shape (n_found,)
        What the proxy says.
    bound : float
        Candidates that do not score less would be cut.
    """

    templates: list[Template] = field(default_factory=list)
    points: list[tuple[int, ...]] = field(default_factory=list)
    scores: np.ndarray = field(default_factory=lambda: np.empty(0))
    bound: float = np.inf

    def add(self, templates: list[Any], points: list[Any], scores: np.ndarray, most: int) -> None:
        """Add candidates and keep the best."""
        self.templates += templates
        self.points += points
        self.scores = np.concatenate([self.scores, scores])
        if len(self.scores) > 2 * most:
            self.cut(most)

    def cut(self, most: int) -> None:
        """Keep the best, in order, and the first few of every sort behind them."""
        order = np.argsort(self.scores, kind="stable")
        if len(order) >= most > 0:
            self.bound = float(self.scores[order[most - 1]])
        self._take(np.concatenate([order[:most], self._of_each(order, most)]))

    def varied(self, most: int) -> Found:
        """The best of candidates in order, and the first few of every sort behind them."""
        order = np.arange(len(self.scores))
        varied = Found(self.templates, self.points, self.scores)
        varied._take(np.concatenate([order[:most], self._of_each(order, most)]))
        return varied

    def _take(self, places: np.ndarray) -> None:
        self.templates = [self.templates[i] for i in places.tolist()]
        self.points = [self.points[i] for i in places.tolist()]
        self.scores = self.scores[places]

    def _of_each(self, order: np.ndarray, most: int) -> np.ndarray:
        """Of the candidates behind the best, the first few that hit the same at the same depth."""
        counts: Counter[tuple[Any, ...]] = Counter()
        chosen = []
        for rank, i in enumerate(order.tolist()):
            template = self.templates[i]
            sort = template.columns, template.depth
            counts[sort] += 1
            if rank >= most and counts[sort] <= KEPT_OF_EACH:
                chosen.append(i)
        return np.array(chosen, dtype=int)


@dataclass
class Coverage:
    """What a screening has looked at.

    Attributes
    ----------
    depth : int
        All patterns of up to so many conditions on features were scored; -1 if not all of any.
    converged_depth : int
        The same, of those whose scores are all exact.
    n_points : int
        Points of the grids.
    n_distinct : int
        Different masks among them that are feasible, which were scored.
    n_converged : int
        Those of them whose scores are exact, of models that had converged.
    """

    depth: int = -1
    converged_depth: int = -1
    n_points: int = 0
    n_distinct: int = 0
    n_converged: int = 0


class Screen:
    """Candidates of one budget on a proxy.

    Parameters
    ----------
    space : CandidateSpace
        The candidates.
    groups : Groups
        The data.
    proxy : Proxy
        What is fitted in the place of the pipeline.
    score : ProxyScore
        What is made worst.
    kind : {"missing", "values", "labels", "selection", "duplicates"}
        The kind of error.
    masks : Masks, default=None
        Those of another budget.
    """

    def __init__(
        self,
        space: CandidateSpace,
        groups: Groups,
        proxy: Proxy,
        score: ProxyScore,
        kind: str,
        masks: Masks | None = None,
    ) -> None:
        self.space, self.groups, self.proxy = space, groups, proxy
        self.score, self.kind = score, kind
        self.masks = Masks(space, groups) if masks is None else masks
        n_classes = groups.n_classes
        trains = groups.trains
        self.sizes = trains.sum(axis=1)
        by_class = [trains * (groups.y == k) for k in range(n_classes)] if n_classes else [trains]
        self.counts = np.concatenate(by_class).T.astype(np.float32)
        present = np.bincount(groups.of_row, groups.weights, minlength=groups.n_groups)
        self.present = present.astype(np.float32)
        self.coverage = Coverage()
        # struck in every row that it matches, a candidate is the same within larger budgets
        self.memo: dict[Any, dict[int, tuple[float, float]]] = {}
        self.lefts: list[float] = []
        self.most_visits = MOST_VISITS
        self.deadline, self.bar = Deadline(), Progress()
        self._changed: dict[tuple[Any, ...], Changes] = {}
        self._counted: dict[Any, set[int]] = {}
        self._seen: dict[Any, set[int]] = {}
        self._converged: set[Any] = set()
        self._exact: dict[Any, dict[tuple[int, float], tuple[float, float]]] = {}
        self._waiting: dict[Any, list[Points]] = {}

    def within(self, space: CandidateSpace) -> Screen:
        """The screening of another budget or of fewer patterns, with all that is in common."""
        masks = self.masks.within(space)
        other = Screen(space, self.groups, self.proxy, self.score, self.kind, masks)
        other.memo, other.lefts, other._exact = self.memo, self.lefts, self._exact
        other._changed = self._changed
        return other

    @property
    def largest_left(self) -> float:
        """Largest change of a margin in the last step of converged models, of all budgets."""
        return max(self.lefts, default=0.0)

    @property
    def cost(self) -> float:
        """Group visits of a candidate."""
        per = self.groups.n_groups * len(self.sizes) * len(self._steps)
        return per * self.proxy.cost(self.kind, self.score.is_fast)

    @property
    def _steps(self) -> tuple[float, ...]:
        return self.space.rate_steps

    @property
    def most_points(self) -> int:
        """Points of the grids that `run` looks at, at most."""
        total, complete = 0, True
        for depth in self.space.depths:
            size = sum(map(self.masks.size, self.space.templates_of_depth(depth)))
            complete = complete and size * self.cost <= self.most_visits
            total += size if complete else min(size, int(self.most_visits / self.cost))
        return total

    def sample(self, n_points: int, seed: int) -> float:
        """Score points of the longest patterns that are looked at, to learn how long that takes.

        Parameters
        ----------
        n_points : int
            About how many.
        seed : int
            Seed of the choice.

        Returns
        -------
        float
            How many points of the grids they stand for, of which some strike the same rows.
        """
        rng, most = np.random.default_rng(seed), self.most_visits
        templates: list[Template] = []
        for depth in self.space.depths:
            more = list(self.space.templates_of_depth(depth))
            if sum(map(self.masks.size, more)) * self.cost > most and templates:
                break
            templates = more or templates
        if not templates:
            return 0.0
        some = [templates[i] for i in rng.permutation(len(templates))[:SAMPLED_TEMPLATES]]
        self.most_visits, n = n_points * self.cost, 0
        for part in self._sampled(some):
            self._add(part, Found())
            n += len(part.points)
        self._score_waiting(Found())
        self.most_visits = most
        whole = next(iter(self.masks.points(some[0])), None)
        if whole is None or not len(whole.points):
            return float(n)
        distinct = len(np.unique(self.masks.keys(whole.bits)))
        return n * len(whole.points) / distinct

    def run(self) -> Found:
        """Score depth by depth, all candidates of a depth while that is affordable.

        Returns
        -------
        Found
            The best, scored closely, of those that there was time for.
        """
        found = Found()
        complete = True
        for depth in self.space.depths:
            templates = self._affordable(depth) if complete else None
            if templates is not None and not templates:
                continue
            complete = templates is not None
            before = replace(self.coverage)
            if templates is not None:
                parts: Iterable[Points] = itertools.chain.from_iterable(
                    self.masks.points(template) for template in templates
                )
                self.coverage.depth = depth
                # what matches nothing is left out on the way
                self.coverage.n_points += sum(map(self.masks.size, templates))
            elif len(found.scores):
                parts = self._grown(found, depth)
            else:
                parts = self._sampled(list(self.space.templates_of_depth(depth)))
            try:
                for part in parts:
                    before.n_points += len(part.points)
                    self.coverage.n_points += 0 if complete else len(part.points)
                    self._add(part, found)
                    self.bar.update(len(part.points))
                self._score_waiting(found)
                if complete and self.coverage.n_converged == self.coverage.n_distinct:
                    self.coverage.converged_depth = depth
            except OutOfTime:
                self._waiting = {}
                self.coverage.depth, self.coverage.n_points = before.depth, before.n_points
                break
        found.cut(KEPT)
        return found

    def _affordable(self, depth: int) -> list[Template] | None:
        """All templates of a depth, None if there are too many points."""
        templates, left = [], self.most_visits / self.cost
        for template in self.space.templates_of_depth(depth):
            left -= self.masks.size(template)
            if left < 0:
                return None
            templates.append(template)
        return templates

    def _grown(self, found: Found, depth: int) -> Iterator[Points]:
        """The best points so far with one more condition."""
        found.cut(KEPT)
        best = [
            (template, point)
            for template, point in zip(found.templates, found.points, strict=True)
            if template.depth == depth - 1
        ]
        most = self.most_visits / self.cost
        for template, point in best[:GROWN]:
            known = dict(zip(sorted(template.attributes), point, strict=False))
            for j in self.space.allowed[template.columns]:
                if j in known:
                    continue
                child = Template(template.columns, template.attributes | {j})
                most -= len(self.masks.atoms[j])
                if most < 0:
                    return
                yield from self.masks.around(child, known, point[-2], j)

    def _sampled(self, templates: list[Template]) -> Iterator[Points]:
        """Points at random, where not even the shortest patterns are affordable."""
        rng = np.random.default_rng(0)
        each = max(1, int(self.most_visits / self.cost / len(templates)))
        for template in templates:
            levels = [len(self.masks.atoms[j]) for j in sorted(template.attributes)]
            levels.append(len(self.masks.choices))
            n = min(each, math.prod(levels))
            points = np.column_stack([rng.integers(0, m, n) for m in levels]).astype(np.int32)
            yield Points(template, points, self.masks.bits_of(template, points))

    def _add(self, part: Points, found: Found) -> None:
        """Have points wait until there are enough that are struck alike to fill batches."""
        for target, chosen in self._by_target(part):
            points, bits = part.points[chosen], part.bits[chosen]
            columns = part.template.columns
            fresh = self._fresh(columns, target, bits)
            if not len(fresh):
                continue
            waiting = self._waiting.setdefault((columns, target), [])
            waiting.append(Points(part.template, points[fresh], bits[fresh]))
            if sum(len(each.points) for each in waiting) >= MASKS_AT_ONCE:
                self._score_some(columns, target, self._waiting.pop((columns, target)), found)

    def _score_waiting(self, found: Found) -> None:
        for (columns, target), parts in self._waiting.items():
            self._score_some(columns, target, parts, found)
        self._waiting = {}

    def _by_target(self, part: Points) -> Iterator[tuple[Any, np.ndarray]]:
        targets = list(dict.fromkeys(self.masks.targets))
        if len(targets) == 1:
            yield targets[0], np.arange(len(part.points))
            return
        place = np.array([targets.index(t) for t in self.masks.targets])[part.points[:, -1]]
        for k, target in enumerate(targets):
            chosen = np.flatnonzero(place == k)
            if len(chosen):
                yield target, chosen

    def _fresh(self, columns: tuple[Any, ...], target: Any, bits: np.ndarray) -> np.ndarray:
        if self.space.exclusions:
            # the same rows may be struck by one pattern that is excluded and one that is not
            return np.arange(len(bits))
        seen = self._seen.setdefault((columns, target), set())
        keys, first = np.unique(self.masks.keys(bits), return_index=True)
        new = [key not in seen for key in keys.tolist()]
        seen.update(keys.tolist())
        return np.sort(first[new])

    def _score_some(
        self, columns: tuple[Any, ...], target: Any, parts: list[Points], found: Found
    ) -> None:
        all_bits = np.concatenate([part.bits for part in parts])
        templates = [part.template for part in parts for _ in part.points]
        points = [point for part in parts for point in part.points.tolist()]
        for a in range(0, len(all_bits), MASKS_AT_ONCE):
            bits = all_bits[a : a + MASKS_AT_ONCE]
            masks = self.masks.unpack(bits).astype(np.float32)
            rates, feasible = self.rates(masks, target)
            kept = np.flatnonzero(feasible)
            if not len(kept):
                continue
            if len(kept) < len(bits):
                masks, rates, bits = masks[kept], rates[kept], bits[kept]
            keys = self.masks.keys(bits)
            for k, step in enumerate(self._steps):
                scores = self._scored(columns, target, keys, masks, rates * step, polish=False)
                self._count(columns, target, keys, k)
                places = np.arange(len(scores))
                if len(found.scores) >= KEPT:
                    places = np.flatnonzero(scores < found.bound)
                rows = (a + kept[places]).tolist()
                made = [(templates[i], (*points[i], k)) for i in rows]
                if self.space.exclusions:
                    # asking users' rules takes long, so only of those that would be kept
                    good = [i for i, each in enumerate(made) if not self._excluded(*each)]
                    made, places = [made[i] for i in good], places[good]
                found.add([t for t, _ in made], [p for _, p in made], scores[places], KEPT)

    def _count(self, columns: tuple[Any, ...], target: Any, keys: np.ndarray, step: int) -> None:
        counted = self._counted.setdefault((columns, target, step), set())
        before = len(counted)
        counted.update(keys.tolist())
        self.coverage.n_distinct += len(counted) - before

    def _excluded(self, template: Template, point: tuple[int, ...]) -> bool:
        space = self.space
        conditions: dict[str, Any] = {}
        for j, atom in zip(sorted(template.attributes), point, strict=False):
            conditions[space.attributes[j].key] = space.attributes[j].conditions[atom]
        choice = space.label_choices[point[-2]]
        if choice.atom is not None and space.label is not None:
            conditions["y"] = space.label.conditions[choice.atom]
        pattern = space.base_pattern & Pattern(conditions)
        used = template.attributes | set(template.columns) | space.base_columns
        rules = space.exclusions
        return any(excluded(pattern, used, space.table.source, space.y) for excluded in rules)

    def rates(self, masks: np.ndarray, target: Any) -> tuple[np.ndarray, np.ndarray]:
        """The largest rates within the budget, and which candidates are feasible."""
        n_folds = len(self.sizes)
        by_class = (masks @ self.counts).reshape(len(masks), -1, n_folds)
        matched = by_class.sum(axis=1)
        allowed = self.space.budget * self.sizes
        own = self.space.template.rate
        with np.errstate(divide="ignore", invalid="ignore"):
            most = np.minimum(1.0, allowed / matched)
        rates = np.nanmin(most, axis=1) if own is None else np.full(len(masks), float(own))
        struck = rates[:, None] * matched
        feasible = (matched > 0).all(axis=1) & (struck > 0).all(axis=1)
        feasible &= (struck * self.groups.share**-1 >= 0.5).all(axis=1)
        if own is not None:
            feasible &= (struck <= allowed + 1e-6).all(axis=1)
        feasible &= masks @ self.present >= self.space.min_support * self.present.sum()
        # missing values may be screened as selection, but they leave every row
        if self.space.template.strikes != "cells":
            feasible &= self._learnable(rates[:, None, None] * by_class, target)
        return rates, feasible

    def _learnable(self, taken: np.ndarray, target: Any) -> np.ndarray:
        """Whether rows are left, and two classes of them where there are classes."""
        totals = self.counts.sum(axis=0).reshape(-1, len(self.sizes))
        left = np.broadcast_to(totals, taken.shape)
        if self.kind == "selection" or (self.kind == "labels" and self.groups.n_classes):
            left = totals - taken
        if self.kind == "labels" and self.groups.n_classes:
            gained = taken.sum(axis=1, keepdims=True) - taken
            left = left + gained * self._target_classes(target)[None, :, None]
        # the pipeline needs a row of two classes, as the check of what is feasible does
        enough = left >= 0.5 * self.groups.share
        return (enough.sum(axis=1) >= min(2, len(totals))).all(axis=1)

    def _target_classes(self, target: Any) -> np.ndarray:
        """Which classes labels flip to."""
        classes = self.groups.classes
        return np.ones(len(classes)) if target is None else (classes == target).astype(float)

    def scores(
        self,
        columns: tuple[Any, ...],
        target: Any,
        masks: np.ndarray,
        rates: np.ndarray,
        *,
        polish: bool,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean scores over the splits, and how far the models are from converged."""
        total, left = np.zeros(len(masks)), np.zeros(len(masks))
        closely = np.ones(len(masks), dtype=bool)
        if not polish:
            closely = self.proxy.misjudges(self.kind, masks, rates, self.score)
        flipped, changes = self._flipped(target), self._changes(columns)
        for converged in (False, True):
            places = np.flatnonzero(closely == converged)
            for a in range(0, len(places), BATCH):
                self.deadline.check()
                some = places[a : a + BATCH]
                share = rates[some, None].astype(np.float32) * masks[some]
                struck = StruckGroups(self.kind, share, columns, flipped, changes)
                for fold in range(len(self.sizes)):
                    scores, last = self.proxy.scores(fold, struck, self.score, polish=converged)
                    total[some] += scores
                    left[some] = np.maximum(left[some], last)
        return total / len(self.sizes), left

    def _scored(
        self,
        columns: tuple[Any, ...],
        target: Any,
        keys: np.ndarray,
        masks: np.ndarray,
        rates: np.ndarray,
        *,
        polish: bool,
    ) -> np.ndarray:
        """Scores of any number of candidates, those of other budgets where they are the same."""
        memo = self.memo.setdefault((columns, target, polish), {})
        exact = self._exact.setdefault((columns, target), {})
        known = [
            (memo.get(key) if rate == 1 else None) or (exact.get((key, rate)) if polish else None)
            for key, rate in zip(keys.tolist(), rates.tolist(), strict=True)
        ]
        new = np.array([i for i, each in enumerate(known) if each is None], dtype=int)
        scores, left = np.array([each or (np.nan, np.inf) for each in known]).reshape(-1, 2).T
        if len(new):
            scores[new], left[new] = self.scores(
                columns, target, masks[new], rates[new], polish=polish
            )
        if polish:
            self.lefts += left.tolist()
        # a model that has converged on the way is not fitted again
        for i in new[left[new] <= TOLERANCE].tolist():
            exact[int(keys[i]), float(rates[i])] = float(scores[i]), float(left[i])
        good = left <= CONVERGED
        self._converged.update(
            (columns, target, key, rate)
            for key, rate in zip(keys[good].tolist(), rates[good].tolist(), strict=True)
        )
        self.coverage.n_converged = len(self._converged)
        whole = new[rates[new] == 1]
        found = zip(scores[whole].tolist(), left[whole].tolist(), strict=True)
        memo.update(zip(keys[whole].tolist(), found, strict=True))
        return scores

    def _changes(self, columns: tuple[Any, ...]) -> Changes | None:
        if self.kind != "values":
            return None
        if columns not in self._changed:
            space = self.space
            self._changed[columns] = changes_of(space.template, space.table, self.groups, columns)
        return self._changed[columns]

    def _flipped(self, target: Any) -> np.ndarray | None:
        if self.kind != "labels":
            return None
        groups, template = self.groups, self.space.template
        if not groups.n_classes:
            return (groups.y + template.shift).astype(np.float32)
        if target is None:
            return (1 - groups.y).astype(np.float32)
        to = int(np.searchsorted(groups.classes, target))
        return np.full(groups.n_groups, to, dtype=np.float32)

    def rescore(self, found: Found, most: int, *, polish: bool) -> Found:
        """Score the best again, with converged models or on other groups.

        Parameters
        ----------
        found : Found
            Candidates in order, perhaps of another screening.
        most : int
            How many of them.
        polish : bool
            Whether linear models are converged.

        Returns
        -------
        Found
            Those that are feasible here, in order.
        """
        again = Found()
        some = list(zip(found.templates[:most], found.points[:most], strict=True))
        by_hit: dict[Any, list[int]] = {}
        for i, (template, point) in enumerate(some):
            target = self.masks.targets[point[-2]]
            by_hit.setdefault((template.columns, target), []).append(i)
        for (columns, target), rows in by_hit.items():
            for a in range(0, len(rows), BATCH):
                part = rows[a : a + BATCH]
                bits = np.concatenate(
                    [self.masks.bits_of(t, np.array([p[:-1]])) for t, p in (some[i] for i in part)]
                )
                masks = self.masks.unpack(bits).astype(np.float32)
                rates, feasible = self.rates(masks, target)
                if not feasible.any():
                    continue
                kept = [i for i, good in zip(part, feasible, strict=True) if good]
                steps = np.array([self._steps[some[i][1][-1]] for i in kept])
                scores = self._scored(
                    columns,
                    target,
                    self.masks.keys(bits[feasible]),
                    masks[feasible],
                    rates[feasible] * steps,
                    polish=polish,
                )
                again.add([some[i][0] for i in kept], [some[i][1] for i in kept], scores, len(some))
        again.cut(len(some))
        return again
