"""The search for patterns without a condition that is required by default alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from skcorrupt.utils import column_key, spawn_seeds

from .candidates import (
    Candidate,
    CandidateSpace,
    Evaluator,
    PatternClass,
    SearchTask,
    Stream,
    Template,
    class_space,
    n_given,
    place_of,
)
from .optimizers import Point
from .proxies import PROXIES, Found, Screened, StandIns

# of what the search scored, on the pipeline and on a proxy
SHARE = 0.25
# candidates of a class that are scored at once, and leaders of the search that are relaxed
AT_ONCE = 4
LEADERS = 8
POLISHED = 16
# refused candidates that are passed over before a class waits for its next turn
PASSED_OVER = 64
MOST_LISTED = 20_000
MOST_DRAWN = 2_000


@dataclass
class ClassSearch:
    """The search of one class.

    Attributes
    ----------
    which : PatternClass
        The class.
    space : CandidateSpace
        Candidates with and without the conditions that it says.
    best : tuple or None
        Template and point of the lowest score, and the score.
    proposals : iterator
        What is tried next.
    complete : bool
        Whether everything on the grid was tried.
    n_refused : int
        Proposals that could not be scored.
    """

    which: PatternClass
    space: CandidateSpace
    best: tuple[float, Template, Point] | None = None
    proposals: Iterator[tuple[Template, Point]] = field(default_factory=lambda: iter(()))
    complete: bool = False
    n_refused: int = 0

    @property
    def depth(self) -> int:
        """Conditions on features besides those of the template's own pattern."""
        return self.which.n_conditions - n_given(self.space)

    @cached_property
    def size(self) -> float:
        """Points of the grids of all templates; infinite where they are too many to be listed."""
        size = 0.0
        for n_listed, template in enumerate(self.space.templates_of_depth(self.depth)):
            size += self.space.grid(template).size
            if size > MOST_LISTED or n_listed > MOST_LISTED // 16:
                return np.inf
        return size

    def note(self, score: float, template: Template, point: Point) -> None:
        """Remember the lowest score."""
        if np.isfinite(score) and (self.best is None or score < self.best[0]):
            self.best = score, template, point


class Relaxation:
    """The classes of one kind of error that the search left out, searched within an allotment.

    Leaders of the search lose what a class is without, a proxy that the search had ranks others,
    and from the best of these one bound at a time is changed. Classes of few candidates are
    enumerated. All take turns, until the allotment is used.

    Parameters
    ----------
    task : SearchTask
        The search, done.
    evaluator : Evaluator
        Scores candidates; what the search scored it remembers.
    told : Screened
        What the search was screened on.
    classes : sequence of PatternClass
        Those to search.
    allotment : int
        Most candidates that are scored.
    """

    def __init__(
        self,
        task: SearchTask,
        evaluator: Evaluator,
        told: Screened,
        classes: Sequence[PatternClass],
        allotment: int,
    ) -> None:
        self.task, self.evaluator, self.told = task, evaluator, told
        self.leaders = task.evaluator.ranked()
        self.left = allotment
        # patterns that strike the rows of others that were scored
        self.known: list[Candidate] = []
        (self.seed,) = spawn_seeds(task.seed, 1, Stream.ALTERNATIVES)
        self.searches = []
        spaces: dict[tuple[bool, bool], CandidateSpace | None] = {}
        for which in classes:
            pair = which.uses_label, which.uses_own_column
            if pair not in spaces:
                spaces[pair] = class_space(task.space, label=pair[0], own=pair[1])
            space = spaces[pair]
            if space is not None:
                self.searches.append(ClassSearch(which, space))
        self._ranked: dict[tuple[bool, bool], dict[int, list[tuple[Template, Point]]]] = {}

    def run(self) -> None:
        """Score candidates of all classes in turn."""
        share = self.left // max(1, len(self.searches))
        for search in self.searches:
            search.proposals = self._proposals(search, share)
        active = self.searches
        while active and self.left > 0:
            chosen: dict[bytes, tuple[ClassSearch, Template, Point, Candidate]] = {}
            waiting = []
            for search in active:
                most = min(AT_ONCE, max(1, share), self.left - len(chosen))
                if self._take(search, most, chosen):
                    waiting.append(search)
            self.evaluator.evaluate([candidate for *_, candidate in chosen.values()])
            self.left -= len(chosen)
            for search, template, point, candidate in chosen.values():
                search.note(self.evaluator.done[candidate.key].score, template, point)
            active = waiting

    def _take(
        self,
        search: ClassSearch,
        most: int,
        chosen: dict[bytes, tuple[ClassSearch, Template, Point, Candidate]],
    ) -> bool:
        """Choose new candidates of a class; whether there may be more."""
        n_taken = n_passed = 0
        while n_taken < most and n_passed < most + PASSED_OVER:
            place = next(search.proposals, None)
            if place is None:
                return False
            candidate = search.space.candidate(*place)
            n_passed += 1
            if candidate.refused:
                search.n_refused += 1
            elif candidate.key in self.evaluator.done:
                self.known.append(candidate)
                search.note(self.evaluator.done[candidate.key].score, *place)
            elif candidate.key not in chosen:
                chosen[candidate.key] = (search, *place, candidate)
                n_taken += 1
        return True

    def _proposals(self, search: ClassSearch, share: int) -> Iterator[tuple[Template, Point]]:
        """Places in the grid, the most promising first, none twice."""
        seen: set[tuple[Template, Point]] = set()
        size = search.size
        for place in self._all_proposals(search, share):
            if place not in seen:
                seen.add(place)
                yield place
        search.complete = len(seen) == size

    def _all_proposals(self, search: ClassSearch, share: int) -> Iterator[tuple[Template, Point]]:
        yield from self._relaxed_leaders(search)
        yield from self._of_proxy(search)
        rng = np.random.default_rng(spawn_seeds(self.seed, 1, *map(int, search.which))[0])
        if search.size > share:
            yield from self._extended(search, rng)
            yield from itertools.islice(_drawn(search, rng), max(1, share // 4))
        if search.size > share:
            yield from _descent(search)
        yield from _everything(search, rng) if search.size <= MOST_LISTED else _drawn(search, rng)

    def _relaxed_leaders(self, search: ClassSearch) -> Iterator[tuple[Template, Point]]:
        """The worst of the search without what the class is without."""
        n_found = 0
        for leader in self.leaders:
            for conditions in _stripped(leader.candidate, search):
                candidate = leader.candidate
                place = place_of(search.space, candidate.columns, conditions, candidate.target)
                if place is not None:
                    n_found += 1
                    yield place
            if n_found >= LEADERS:
                return

    def _extended(
        self, search: ClassSearch, rng: np.random.Generator
    ) -> Iterator[tuple[Template, Point]]:
        """The worst of the class of one condition less with one more, at random."""
        shorter = search.which._replace(n_conditions=search.which.n_conditions - 1)
        best = next((other.best for other in self.searches if other.which == shorter), None)
        if best is None:
            return
        _, template, point = best
        known = dict(zip(sorted(template.attributes), point, strict=False))
        for j in search.space.allowed[template.columns]:
            if j not in known:
                atom = int(rng.integers(search.space.attributes[j].n_atoms))
                longer = Template(template.columns, template.attributes | {j})
                order = [atom if k == j else known[k] for k in sorted(longer.attributes)]
                yield longer, (*order, *point[-2:])

    def _of_proxy(self, search: ClassSearch) -> Iterator[tuple[Template, Point]]:
        """What a proxy takes for the worst, where the search has one."""
        name = self.told.name
        if name not in PROXIES or self.told.certificate is None or self.told.certificate.empty:
            return
        pair = search.which.uses_label, search.which.uses_own_column
        if pair not in self._ranked:
            self._ranked[pair] = self._screened(name, search.space)
        yield from self._ranked[pair].get(search.depth, [])

    @cached_property
    def _stand_ins(self) -> StandIns:
        """Those of the search, whose rows are in groups; new ones where they are gone."""
        (seed,) = spawn_seeds(self.task.seed, 1, Stream.GROUPS)
        return self.told.stand_ins or StandIns(self.task, seed)

    def _screened(
        self, name: str, space: CandidateSpace
    ) -> dict[int, list[tuple[Template, Point]]]:
        """The worst on a proxy, by depth, after a share of what the search has screened."""
        with self.told.timed():
            stand_ins = self._stand_ins
            if not stand_ins.can(name):
                return {}
            # as the search has screened, so that a share of its points is a share of its time
            screen = stand_ins.first_screen(name, space)
            n_pairs = len({search.which[1:] for search in self.searches})
            n_points = float(self.told.certificate["n_points"].iloc[-1])  # type: ignore[index]
            screen.most_visits = SHARE / n_pairs * n_points * screen.cost
            found = screen.run()
            first = Found()
            for depth in space.depths:
                some = [i for i, t in enumerate(found.templates) if t.depth == depth][:POLISHED]
                first.templates += [found.templates[i] for i in some]
                first.points += [found.points[i] for i in some]
            first.scores = np.zeros(len(first.templates))
            closer = stand_ins.screen(name, stand_ins.groups, space)
            last = closer.rescore(first, len(first.templates), polish=True)
        ranked: dict[int, list[tuple[Template, Point]]] = {}
        for template, point in zip(last.templates, last.points, strict=True):
            ranked.setdefault(template.depth, []).append((template, tuple(point)))
        return ranked


def _stripped(candidate: Candidate, search: ClassSearch) -> Iterator[Mapping[str, Any]]:
    """The conditions of a candidate that a class can have, for all choices of so many."""
    which, given = search.which, search.space.base_pattern.conditions
    conditions = {k: c for k, c in candidate.pattern.conditions.items() if k not in given}
    on_label = {k: c for k, c in conditions.items() if k == "y" and which.uses_label}
    keys = {column_key(column) for column in candidate.columns}
    own = {k: c for k, c in conditions.items() if k in keys}
    others = [k for k in conditions if k not in own and k != "y"]
    kept = own if which.uses_own_column else {}
    n_more = search.depth - len(kept)
    if n_more < 0 or (which.uses_label and not on_label and "y" not in given):
        return
    for some in itertools.combinations(others, n_more):
        yield {**kept, **{k: conditions[k] for k in some}, **on_label}


def _drawn(search: ClassSearch, rng: np.random.Generator) -> Iterator[tuple[Template, Point]]:
    """Points at random, at the largest rates there are."""
    space, depth = search.space, search.depth
    hits = [
        hit for hit, js in space.allowed.items() if len(js) >= depth >= len(space.required[hit])
    ]
    for _ in range(MOST_DRAWN if hits else 0):
        hit = hits[rng.integers(len(hits))]
        need = space.required[hit]
        others = [j for j in space.allowed[hit] if j not in need]
        more = rng.permutation(others)[: depth - len(need)].tolist() if others else []
        template = Template(hit, need | frozenset(more))
        atoms = [int(rng.integers(space.attributes[j].n_atoms)) for j in sorted(need | {*more})]
        choice = int(rng.integers(len(space.label_choices)))
        yield template, (*atoms, choice, len(space.rate_steps) - 1)


def _everything(search: ClassSearch, rng: np.random.Generator) -> Iterator[tuple[Template, Point]]:
    """All points of a class, in random order."""
    places = [
        (template, tuple(point))
        for template in search.space.templates_of_depth(search.depth)
        for grid in [search.space.grid(template)]
        for point in grid.points(np.arange(grid.size)).tolist()
    ]
    for i in rng.permutation(len(places)).tolist():
        yield places[i]


def _descent(search: ClassSearch) -> Iterator[tuple[Template, Point]]:
    """From the best of a class, one bound changed at a time, as long as that lowers the score."""
    while search.best is not None:
        best = search.best
        for place in _neighbours(search.space, *best[1:]):
            yield place
            if search.best is not best:
                break
        if search.best is best:
            return


def _neighbours(
    space: CandidateSpace, template: Template, point: Point
) -> Iterator[tuple[Template, Point]]:
    """Points with one bound moved by a level, or another label."""
    for place, j in enumerate(sorted(template.attributes)):
        atoms = space.attributes[j].atoms
        steps = np.abs(atoms - atoms[point[place]]).sum(axis=1)
        for atom in np.flatnonzero(steps == 1).tolist():
            yield template, (*point[:place], atom, *point[place + 1 :])
    for choice in range(len(space.label_choices)):
        yield template, (*point[:-2], choice, point[-1])
