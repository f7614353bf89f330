"""The worst process of several errors: one member after the other, the others held."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.corruptions import CorruptionProcess, SelectionBias
from skcorrupt.evaluation import Split
from skcorrupt.patterns import as_pattern

from ..candidates._candidate_space import Candidate
from ..candidates._evaluator import ROUNDING, Evaluation, Evaluator
from ..candidates._member_space import MemberSpace
from ..candidates._process_candidate import Choice, ProcessCandidate, ProcessMaker
from ..candidates._process_random import random_draw
from ..proxies._proxy_choice import Proxied
from ._beam import IMPROVEMENT, BeamSearch
from ._proxied import JUDGED, ProxiedSearch
from ._warm_start import check_searched, score_carried, unwanted, worst_first

ROUNDS = 3
# without a proxy, patterns that were worst alone and go along with the other members
CARRIED = 8
# ways to strike the rows that another member strikes
ECHOES = 8
PARTS = 4
MOST_PARTED = 4


class MemberScreening(ProxiedSearch):
    """The search of one member alone on a proxy; keeps what goes on to the pipeline.

    Parameters
    ----------
    search, problem : AdversarialCorruptionSearch, Problem
        As for any search on a proxy.
    budgets : list of float
        Budgets and shares of them.
    whole : sequence of float
        Those among them at which the member alone is scored on the pipeline.
    """

    def __init__(
        self, search: Any, problem: Any, budgets: Sequence[float], whole: Sequence[float]
    ) -> None:
        super().__init__(search, problem, budgets)
        self.whole = whole
        self.chosen: dict[float, list[Candidate]] = {}

    def _decide(self, budget: float, candidates: list[Candidate]) -> None:
        self.chosen[budget] = candidates
        if budget in self.whole:
            super()._decide(budget, candidates)

    def _without(self, agreements: dict[str, float]) -> Proxied:
        """Nothing: the search of the process goes on without a proxy for this member."""
        return Proxied(agreements=agreements)


class ProcessSearch:
    """Block-coordinate search over the members of a process.

    Parameters
    ----------
    maker : ProcessMaker
        Joins members within the budget.
    beams : dict of str to BeamSearch
        The search of each member.
    evaluator : Evaluator
        Scores processes on the pipeline.
    """

    def __init__(
        self, maker: ProcessMaker, beams: dict[str, BeamSearch], evaluator: Evaluator
    ) -> None:
        self.maker, self.beams, self.evaluator = maker, beams, evaluator
        self.names = list(beams)
        self.kept = maker.kept_fraction()
        self.n_pool = CARRIED
        self.screened: dict[str, dict[float, list[Candidate]]] = {}
        self.search: Any = None

    def run(self, search: Any, problem: Any, budgets: Sequence[float]) -> Proxied:
        """Score processes of all budgets on the pipeline.

        Parameters
        ----------
        search : AdversarialCorruptionSearch
            Its parameters.
        problem : Problem
            The search laid out.
        budgets : sequence of float
            Budgets, the smallest first.

        Returns
        -------
        Proxied
            What members were screened on.
        """
        self.search = search
        proxied = Proxied()
        possible = [budget for budget in budgets if budget - self.kept > ROUNDING]
        if len(possible) < len(budgets):
            reason = "the members that are kept strike as many rows as the budget allows"
            self.beams[self.names[0]].refused[reason] += 1
        if search.warm_start_from is not None:
            score_carried(possible, self._transferred, self.evaluator.evaluate)
        if search.proxy is not None and possible:
            self.n_pool = search.n_rerank
            proxied = problem.proxied = self._screen(problem, possible)
        if search.proxy is not None or search.warm_start_from is None:
            for budget in possible:
                self._search(budget)
        return proxied

    def most_evaluations(
        self, search: Any, beam_evaluations: int, n_budgets: int, *, screens: bool
    ) -> int:
        """How many processes are scored at most."""
        n = len(self.names)
        shared = len(shares_of(self.names)) * (ROUNDS + 1)
        echoes = ECHOES * (n - 1 + len(self.maker.kept))
        carried = search.n_rerank * n_budgets if search.warm_start_from is not None else 0
        if screens:
            each = n * search.n_rerank + ROUNDS * n * (search.n_rerank + echoes) + shared
            return carried + n * JUDGED + n_budgets * each
        each = (1 + ROUNDS * (n > 1)) * beam_evaluations + ROUNDS * n * (CARRIED + echoes) + shared
        if search.proxy is not None:
            return carried + n * JUDGED + n_budgets * each
        return carried or n_budgets * each

    def _screen(self, problem: Any, budgets: Sequence[float]) -> Proxied:
        """Every member alone on a proxy, at each budget and at an equal share of it."""
        whole = [budget - self.kept for budget in budgets]
        parts = sorted({*whole, *(left / len(self.names) for left in whole)})
        found: list[Proxied] = []
        certificates = []
        for name, beam in self.beams.items():
            template = beam.space.template
            alone = dataclasses.replace(problem, template=template, beam=beam)
            screening = MemberScreening(self.search, alone, parts, whole)
            found.append(screening.run())
            if screening.chosen:
                self.screened[name] = screening.chosen
            if len(found[-1].certificate):
                certificate = found[-1].certificate
                # what the process strikes while the member is alone with those kept
                budget = certificate["budget"] + self.kept
                certificates.append(certificate.assign(budget=budget, member=name))
        names = list(dict.fromkeys(each.name for each in found))
        agreements = [each.agreement for each in found]
        return Proxied(
            ", ".join(names),
            float(np.nan if np.isnan(agreements).all() else np.nanmin(agreements)),
            {
                f"{member}: {proxy}": value
                for member, each in zip(self.beams, found, strict=True)
                for proxy, value in each.agreements.items()
            },
            pd.concat(certificates, ignore_index=True) if certificates else pd.DataFrame(),
        )

    def _search(self, budget: float) -> None:
        """Every member alone, then one after the other beside the others."""
        for name in self.names:
            if name not in self.screened:
                beam = self.beams[name]
                dataclasses.replace(beam, space=self._space(name, budget), n_templates=0).run()
        alone = {name: self._pool(name, budget) for name in self.names}
        self._share_out({name: pool[0] for name, pool in alone.items() if pool}, budget)
        tried: set[tuple[Any, ...]] = set()
        for _ in range(ROUNDS):
            before = self._worst(budget)
            if before is None:
                return
            for name in self.names:
                self._improve(name, budget, tried)
            self._share_out({}, budget)
            after = self._worst(budget)
            if after is None or not after.score < before.score - IMPROVEMENT:
                return

    def _space(self, name: str, budget: float, **changes: Any) -> Any:
        return dataclasses.replace(self.beams[name].space, budget=budget - self.kept, **changes)

    def _worst(self, budget: float) -> Evaluation | None:
        return next(iter(self.evaluator.within(budget)), None)

    def _improve(self, name: str, budget: float, tried: set[tuple[Any, ...]]) -> None:
        """Search one member with the others where they are in the worst process."""
        worst = self._worst(budget)
        if worst is None:
            return
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
        beam = self.beams[name]
        labels = space.table.labels
        taken = {labels.index(c) for choice in held.values() for c in choice.candidate.columns}
        allowed = {hit: js for hit, js in beam.allowed.items() if not taken & set(hit)}
        dataclasses.replace(beam, space=space, allowed=allowed, n_templates=0).run()

    def _share_out(self, starts: dict[str, Choice], budget: float) -> None:
        """Score the members of the worst process, or those given, under many splits of the budget.

        Members that the worst process leaves out take part as they are worst alone.
        """
        worst = self._worst(budget)
        if worst is None:
            return
        state: Any = worst.candidate
        choices = starts or dict(state.choices)
        for name in self.names:
            if name not in choices and (pool := self._pool(name, budget)):
                choices[name] = pool[0]
        shares = shares_of([name for name in self.names if name in choices])
        self._evaluate([self.maker.join(choices, weights, budget) for weights in shares])

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
        beam = self.beams[name]
        if isinstance(space.template, SelectionBias):
            return
        members = dict(self.maker.process.corruptions)
        patterns = {n: choice.candidate.pattern for n, choice in held.items()}
        patterns |= {n: as_pattern(member.pattern) for n, member in self.maker.kept.items()}
        targets = list(dict.fromkeys(choice.target for choice in space.label_choices))
        for other, pattern in patterns.items():
            if isinstance(members[other], SelectionBias):
                continue
            n_left = ECHOES
            for hit, target in itertools.product(beam.allowed, targets):
                columns = tuple(space.table.labels[j] for j in hit)
                try:
                    joint: Any = space.transfer(space.base_pattern & pattern, columns, target)
                except ValueError:
                    # the two patterns have no row in common
                    break
                if joint.refused or n_left == 0:
                    continue
                own = joint.choices[name].candidate
                if not unwanted(own, space, beam.allowed, beam.required, self.search):
                    n_left -= 1
                    yield joint

    def _evaluate(self, candidates: Iterable[Candidate]) -> None:
        self.evaluator.evaluate([c for c in candidates if not c.refused])

    def _transferred(self, budget: float) -> list[Candidate]:
        """The worst processes of another search, as far as they are feasible here."""
        other = self.search.warm_start_from
        check_searched(other)
        results = other.cv_results_
        found: dict[bytes, Candidate] = {}
        for i in worst_first(results, budget):
            joint = self._carried_over(results["corruption"][i], results["target"][i], budget)
            if joint is not None and not joint.refused:
                found.setdefault(joint.key, joint)
            if len(found) >= self.search.n_rerank:
                break
        if not found:
            raise ValueError(
                "warm_start_from: none of its processes is feasible here; pass a search for a "
                f"CorruptionProcess with members {self.names} and the same columns, or none."
            )
        return list(found.values())

    def _carried_over(self, process: Any, target: Any, budget: float) -> ProcessCandidate | None:
        if not isinstance(process, CorruptionProcess):
            return None
        choices = {}
        for name, member in process.corruptions:
            if name not in self.beams:
                continue
            beam, space = self.beams[name], self._space(name, budget)
            columns = tuple(getattr(member, "columns", None) or ())
            to = target if hasattr(member, "transition") else None
            try:
                pattern = space.base_pattern & as_pattern(member.pattern).labelled(space.table)
                joint = space.transfer(pattern, columns, to)
            except (ValueError, TypeError):
                return None
            if joint.refused:
                return None
            own = joint.choices[name]
            if unwanted(own.candidate, space, beam.allowed, beam.required, self.search):
                return None
            choices[name] = own
        equal = dict.fromkeys(choices, 1 / max(1, len(choices)))
        return self.maker.join(choices, equal, budget) if choices else None

    def random_draws(self, chosen: Any, splits: Sequence[Split]) -> list[CorruptionProcess]:
        """Errors of a process's sizes in random rows, a process a split."""
        spaces = {name: beam.space for name, beam in self.beams.items()}
        return [random_draw(chosen, self.maker, spaces, split.train) for split in splits]


def _with_share(weights: dict[str, float], name: str) -> dict[str, float]:
    """Shares of the budget that have one for a member."""
    if name in weights or not weights:
        return dict(weights) or {name: 1.0}
    n = len(weights)
    return {**{other: w * n / (n + 1) for other, w in weights.items()}, name: 1 / (n + 1)}


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
