"""The worst process of several errors: one member after the other, the others held."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.patterns import as_pattern

from ..candidates import (
    ROUNDING,
    Candidate,
    Choice,
    Evaluation,
    MemberSpace,
    ProcessCandidate,
    ProcessTask,
    SearchResults,
    SearchTask,
)
from ._beam_run import IMPROVEMENT

ROUNDS = 3
# of all processes that may be scored, what usually is
USUAL_SHARE = 0.3
# without a proxy, patterns that were worst alone and go along with the other members
CARRIED = 8
# processes from which the climb sets out
STARTS = 2
# of these, how many of each of two members are tried together before the climb
PAIRED = 3
# ways to strike the rows that another member strikes
ECHOES = 8
PARTS = 4
MOST_PARTED = 4


class ProcessClimb:
    """Block-coordinate search over the members of a process.

    Parameters
    ----------
    task : ProcessTask
        The process.

    Attributes
    ----------
    budgets : list of float
        Those that leave something for the members that are searched.
    screened : dict of str to dict of float to list of Candidate
        What goes on to the process of a member that was screened, by the budget it had.
    n_pool : int
        Ways of a member that are tried beside the others.
    """

    def __init__(self, task: ProcessTask) -> None:
        self.task, self.maker, self.evaluator = task, task.maker, task.evaluator
        self.names = list(task.members)
        self.kept = task.maker.kept_fraction()
        self.budgets = [budget for budget in task.budgets if budget - self.kept > ROUNDING]
        self.n_pool = CARRIED
        self.screened: dict[str, dict[float, list[Candidate]]] = {}
        self._alone: Callable[[SearchTask], None] = lambda member: None

    @property
    def whole(self) -> list[float]:
        """What the budgets leave for the members that are searched."""
        return [budget - self.kept for budget in self.budgets]

    @property
    def shares(self) -> list[float]:
        """Budgets at which members are screened alone: all that is left, and an equal share."""
        return sorted({*self.whole, *(left / len(self.names) for left in self.whole)})

    def judged(self, n: int) -> int:
        """Candidates by which the proxies of all members are judged."""
        return len(self.names) * n

    def most_evaluations(self, alone: int) -> int:
        """Most processes that are scored, from those of all members alone."""
        n = len(self.names)
        beside = STARTS * ROUNDS * n * (CARRIED + self._most_echoes) + self._most_shared
        beside += self._most_paired
        return (1 + STARTS * ROUNDS * (n > 1)) * alone + len(self.task.budgets) * beside

    @property
    def expected_share(self) -> float:
        """Share of the most processes that is expected: the climb ends before its last round."""
        return USUAL_SHARE

    def most_screened(self, n_rerank: int) -> int:
        """Most processes that are scored where every member has been screened."""
        n = len(self.names)
        climbed = STARTS * ROUNDS * n * (n_rerank + self._most_echoes)
        each = n * n_rerank + climbed + self._most_shared
        return len(self.task.budgets) * (each + self._most_paired)

    @property
    def _most_paired(self) -> int:
        return math.comb(len(self.names), 2) * PAIRED**2

    @property
    def _most_shared(self) -> int:
        return len(shares_of(self.names)) * (STARTS * ROUNDS + 1)

    @property
    def _most_echoes(self) -> int:
        return ECHOES * (len(self.names) - 1 + len(self.maker.kept))

    def up(self, alone: Callable[[SearchTask], None]) -> None:
        """Score processes of all budgets.

        Parameters
        ----------
        alone : callable
            `alone(member)` searches a member that was not screened, the others held.
        """
        self._alone = alone
        if len(self.budgets) < len(self.task.budgets):
            reason = "the members that are kept strike as many rows as the budget allows"
            self.task.refused[reason] += 1
        for budget in self.budgets:
            self._search(budget)

    def _search(self, budget: float) -> None:
        """Every member alone, then one after the other beside the others."""
        for name in self.names:
            if name not in self.screened:
                self._search_alone(name, self._space(name, budget))
        alone = {name: self._pool(name, budget) for name in self.names}
        leading = {name: pool[0] for name, pool in alone.items() if pool}
        self._share_out(leading, budget, self._worst(budget))
        self._pair(alone, budget)
        tried: set[tuple[Any, ...]] = set()
        for start in self._starts(budget):
            self._climb(start, budget, tried)

    def _starts(self, budget: float) -> list[Evaluation]:
        """The worst processes, each of other members or on other columns."""
        found: dict[Any, Evaluation] = {}
        for each in self.evaluator.within(budget):
            state: Any = each.candidate
            looks_at = frozenset(
                (name, frozenset(choice.candidate.pattern.columns))
                for name, choice in state.choices.items()
            )
            found.setdefault(looks_at, each)
            if len(found) == STARTS:
                break
        return list(found.values())

    def _climb(self, start: Evaluation, budget: float, tried: set[tuple[Any, ...]]) -> None:
        """Improve a process, one member after the other."""
        before_it = set(self.evaluator.done) - {start.candidate.key}

        def worst() -> Evaluation:
            # what other climbs came to is not where this one goes on
            own = (e for e in self.evaluator.within(budget) if e.candidate.key not in before_it)
            return next(own, start)

        for _ in range(ROUNDS):
            before = worst().score
            for name in self.names:
                self._improve(name, budget, tried, worst())
            self._share_out({}, budget, worst())
            if not worst().score < before - IMPROVEMENT:
                return

    def _space(self, name: str, budget: float, **changes: Any) -> MemberSpace:
        space = cast("MemberSpace", self.task.members[name].space)
        return dataclasses.replace(space, budget=budget - self.kept, **changes)

    def _search_alone(self, name: str, space: MemberSpace) -> None:
        member = self.task.members[name]
        self._alone(dataclasses.replace(member, space=space, budgets=(space.budget,)))

    def _worst(self, budget: float) -> Evaluation | None:
        return next(iter(self.evaluator.within(budget)), None)

    def _improve(
        self, name: str, budget: float, tried: set[tuple[Any, ...]], worst: Evaluation
    ) -> None:
        """Search one member with the others where they are in a process."""
        state: Any = worst.candidate
        held = {other: choice for other, choice in state.choices.items() if other != name}
        if not held and not self.maker.kept:
            return
        weights = _with_share(state.weights, name)
        space = self._space(name, budget, held=held, weights=weights)
        mark = (name, self.maker.join(held, weights, budget).key)
        if mark in tried:
            return
        tried.add(mark)
        candidates = [space.joined(choice) for choice in self._pool(name, budget)]
        self._evaluate([*candidates, *self._echoes(name, space, held)])
        if name in self.screened or not held:
            return
        labels = space.table.labels
        taken = {labels.index(c) for choice in held.values() for c in choice.candidate.columns}
        allowed = {hit: js for hit, js in space.allowed.items() if not taken & set(hit)}
        self._search_alone(name, dataclasses.replace(space, allowed=allowed))

    def _share_out(
        self, starts: dict[str, Choice], budget: float, worst: Evaluation | None
    ) -> None:
        """Score the members of a process, or those given, under many splits of the budget.

        Members that the process leaves out take part as they are worst alone.
        """
        if worst is None:
            return
        state: Any = worst.candidate
        choices = starts or dict(state.choices)
        for name in self.names:
            if name not in choices and (pool := self._pool(name, budget)):
                choices[name] = pool[0]
        shares = shares_of([name for name in self.names if name in choices])
        self._evaluate([self.maker.join(choices, weights, budget) for weights in shares])

    def _pair(self, alone: dict[str, list[Choice]], budget: float) -> None:
        """Score leaders of two members together, as what is worst alone may leave no room."""
        leaders = {name: _of_other_columns(pool, PAIRED) for name, pool in alone.items()}
        self._evaluate(
            self.maker.join({a: one, b: other}, {a: 0.5, b: 0.5}, budget)
            for a, b in itertools.combinations(self.names, 2)
            for one, other in itertools.product(leaders[a], leaders[b])
        )

    def _pool(self, name: str, budget: float) -> list[Choice]:
        """Where a member was worst alone: on the pipeline, or on a proxy at parts of the budget."""
        if name not in self.screened:
            candidates: list[Any] = [e.candidate for e in self.evaluator.within(budget)]
            alone = (c.choices[name] for c in candidates if [*c.choices] == [name])
            return distinct(alone, self.n_pool)
        left = budget - self.kept
        lists = [self.screened[name].get(part, []) for part in (left, left / len(self.names))]
        mixed: Iterable[Any] = itertools.chain.from_iterable(itertools.zip_longest(*lists))
        scored = {c.key: e.score for e in self.evaluator.done.values() for c in [e.candidate]}
        first = [c for c in lists[0] if np.isfinite(scored.get(c.key, np.nan))]
        # the worst on the pipeline leads
        first = sorted(first, key=lambda c: scored[c.key])[:1]
        found = [*first, *(c for c in mixed if c is not None)]
        return distinct((c.choices[name] for c in found), self.n_pool)

    def _echoes(
        self, name: str, space: MemberSpace, held: dict[str, Choice]
    ) -> Iterable[Candidate]:
        """The member on the rows that another one strikes, which takes less of the budget."""
        if space.template._drops:
            return
        members = dict(self.maker.process.corruptions)
        patterns = {n: choice.candidate.pattern for n, choice in held.items()}
        patterns |= {n: as_pattern(member.pattern) for n, member in self.maker.kept.items()}
        targets = list(dict.fromkeys(choice.target for choice in space.label_choices))
        for other, pattern in patterns.items():
            if members[other]._drops:
                continue
            n_left = ECHOES
            for hit, target in itertools.product(space.allowed, targets):
                columns = tuple(space.table.labels[j] for j in hit)
                try:
                    joint: Any = space.transfer(space.base_pattern & pattern, columns, target)
                except ValueError:
                    # the two patterns have no row in common
                    break
                if joint.refused or n_left == 0:
                    continue
                own = joint.choices[name].candidate
                if not space.unwanted(own):
                    n_left -= 1
                    yield joint

    def _evaluate(self, candidates: Iterable[Candidate]) -> None:
        self.evaluator.evaluate([c for c in candidates if not c.refused])

    def carry(self, found: SearchResults, most: int) -> None:
        """Score the worst processes of another search, for every budget that takes any of them.

        Parameters
        ----------
        found : SearchResults
            What it found.
        most : int
            How many at each budget.

        Raises
        ------
        ValueError
            If no budget takes any.
        """
        n_feasible = 0
        for budget in self.budgets:
            joints: dict[bytes, Candidate] = {}
            for corruption, _, target in found.worst_first(budget):
                joint = self._carried_over(corruption, target, budget)
                if joint is not None and not joint.refused:
                    joints.setdefault(joint.key, joint)
                if len(joints) >= most:
                    break
            self.evaluator.evaluate(list(joints.values()))
            n_feasible += len(joints)
        if self.budgets and not n_feasible:
            raise ValueError(
                "WarmStart: none of the processes of search is feasible here; pass a search for a "
                f"CorruptionProcess with members {self.names} and the same columns, or another "
                "strategy."
            )

    def _carried_over(
        self, process: BaseCorruption, target: Any, budget: float
    ) -> ProcessCandidate | None:
        if not isinstance(process, CorruptionProcess):
            return None
        choices, rates = {}, {}
        for name, member in process.corruptions:
            if name not in self.task.members:
                continue
            space = self._space(name, budget)
            columns = tuple(getattr(member, "columns", None) or ())
            to = target if member.strikes == "labels" else None
            try:
                pattern = space.base_pattern & as_pattern(member.pattern).labelled(space.table)
                joint = space.transfer(pattern, columns, to)
            except (ValueError, TypeError):
                return None
            if joint.refused:
                return None
            own = cast("ProcessCandidate", joint).choices[name]
            if space.unwanted(own.candidate):
                return None
            choices[name] = own
            rates[name] = 1.0 if member.rate is None else float(member.rate)
        if not choices:
            return None
        # the members share the budget as they did there, by the rates that come of it
        joints = [
            self.maker.join(choices, weights, budget)
            for weights in [dict.fromkeys(choices, 1 / len(choices)), *shares_of([*choices])]
            if all(weights.values())
        ]
        return min(joints, key=lambda joint: self._apart(joint, rates))

    @staticmethod
    def _apart(joint: ProcessCandidate, rates: dict[str, float]) -> float:
        """How far the rates of a process are from others."""
        members = cast("CorruptionProcess", joint.corruption).corruptions
        found = {name: 1.0 if member.rate is None else member.rate for name, member in members}
        return float(sum(abs(found[name] - rate) for name, rate in rates.items()))


def _with_share(weights: dict[str, float], name: str) -> dict[str, float]:
    """Shares of the budget that have one for a member."""
    if name in weights or not weights:
        return dict(weights) or {name: 1.0}
    n = len(weights)
    return {**{other: w * n / (n + 1) for other, w in weights.items()}, name: 1 / (n + 1)}


def _of_other_columns(choices: Sequence[Choice], most: int) -> list[Choice]:
    """The first so many, those before others that look at columns no earlier one looks at."""
    seen: set[frozenset[Any]] = set()
    fresh: list[Choice] = []
    rest: list[Choice] = []
    for choice in choices:
        columns = frozenset(choice.candidate.pattern.columns)
        (rest if columns in seen else fresh).append(choice)
        seen.add(columns)
    return [*fresh, *rest][:most]


def shares_of(names: Sequence[str]) -> list[dict[str, float]]:
    """Splits of a budget among members that are tried, all to one and equal ones among them."""
    n = len(names)
    if n <= MOST_PARTED:
        quarters = itertools.product(range(PARTS + 1), repeat=n)
        splits = [tuple(q / PARTS for q in each) for each in quarters if sum(each) == PARTS]
        splits += [(1 / 3, 2 / 3), (2 / 3, 1 / 3)] if n == 2 else []
    else:
        splits = [tuple(float(i == j) for j in range(n)) for i in range(n)]
        splits += [tuple(0.5 if i == j else 0.5 / (n - 1) for j in range(n)) for i in range(n)]
    splits.append((1 / n,) * n if n else ())
    return [dict(zip(names, each, strict=True)) for each in dict.fromkeys(splits) if each]


def distinct(choices: Iterable[Choice], most: int) -> list[Choice]:
    """The first so many that strike different rows, columns or labels."""
    found: dict[tuple[Any, ...], Choice] = {}
    for choice in choices:
        candidate = choice.candidate
        mark = (choice.bits.tobytes(), candidate.columns, candidate.target, choice.step)
        found.setdefault(mark, choice)
        if len(found) == most:
            break
    return list(found.values())
