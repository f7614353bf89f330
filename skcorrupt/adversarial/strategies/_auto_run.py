"""The search that decides by itself, at work."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from skcorrupt.utils import spawn_seeds
from skcorrupt.utils._as_text import score

from ..candidates import (
    Candidate,
    CandidateSpace,
    Evaluator,
    SearchTask,
    Stream,
    filled_spaces,
    fills,
)
from ..proxies import (
    PROXIES,
    Judged,
    ScorerRefuses,
    Screened,
    StandIns,
    agreement_of,
    on_fewer_rows,
    preferred,
    shrunken,
)
from . import _workload
from ._beam_run import BeamRun
from ._beam_search import BeamSearch
from ._growth import Growth
from ._learning import AT_ONCE, Learning
from ._picks import batches_of, picks_of
from ._proxy_descent import ProxyDescent
from ._screened_best import screened_best
from ._settling import draw_lucky
from ._workload import (
    FEW_CONDITIONS,
    in_beam,
    n_shortest,
    on_all_rows,
    pair_spaces,
    pairs_of,
    rounds_of,
)

# those by which proxies are judged: so many of the pipeline's worst, of each proxy's, and others
JUDGED_EACH = 30
# candidates that a proxy may choose at once, and in all while the pipeline gets worse by them
PICKED, MOST_PICKED = 24, 96
# least agreement of a proxy that may choose some candidates, which costs little
HEARD = 0.2
# agreement of the best proxy from which on the longer patterns are left to it
TRUSTED = 0.9
# training rows of a split below which a single row turns trees, however well others order most
MANY_ROWS = 2_000
# standard errors of a rank correlation below none by which the pipeline contradicts a proxy
SURELY = 2.0
# rows on which it searches where there are too many
SAMPLED_ROWS = 4_500
# of limited time, what patterns of one condition may take, as longer ones are mostly worse
SHORT_SHARE = 0.5
# of limited time, what a proxy may take to tell which of these are likely
LIKELY_SHARE = 0.1
# of limited time, what a proxy may take
SCREENING_SHARE = 0.2
# of limited time, what a beam may take, as proxies that are asked after it may know better
BEAM_SHARE = 0.4
# candidates of a sample that go to the pipeline on all rows
DECIDED = 64
# of limited time, what the sample may take at least; candidates that are scored on all rows behind
# it for each that is decided on; and how many are decided on where it was cut short
SAMPLE_SHARE = 0.6
BEHIND_SAMPLE = 1.5
IN_HASTE = 4
# of the worst, those that are drawn again before they are grown
DRAWN = 8


class AutoRun:
    """One search of all budgets.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    told : Screened
        Filled in as the run goes on.
    where : str, default=""
        What phases are said to work on.
    """

    def __init__(self, task: SearchTask, told: Screened, where: str = "") -> None:
        self.task, self.told, self.where = task, told, where
        self.evaluator = task.evaluator
        self.stand_ins = StandIns(task, spawn_seeds(task.seed, 1, Stream.GROUPS)[0])
        told.stand_ins = self.stand_ins
        self.points: dict[bytes, Judged] = {}
        # by proxy, budgets within which it was asked and the pipeline did not contradict it
        self._heard: Counter[str] = Counter()
        # by proxy and budget, scores of the shortest patterns by their keys
        self._foretold: dict[tuple[str, float], dict[bytes, float]] = {}

    def run(self) -> None:
        """Search, on a sample of the rows first where fits on all of them would take too long."""
        self.told.begin()
        if on_all_rows(self.task):
            self._explore()
            return
        (seed,) = spawn_seeds(self.task.seed, 1, Stream.FEWER_ROWS)
        estimator = shrunken(self.evaluator.estimator) or self.evaluator.estimator
        cheap = on_fewer_rows(self.task, estimator, SAMPLED_ROWS, seed, kept=True)
        sampled = dataclasses.replace(self.task, evaluator=cheap, refused=Counter())
        deadline, ended = self.evaluator.deadline, False
        try:
            with deadline.within(self._seconds_of_sample()):
                AutoRun(sampled, self.told, " on a sample")._explore()
                ended = True
        except KeyboardInterrupt:
            # scores on a sample are none of the pipeline's, which alone can be handed back
            self._decide(cheap, IN_HASTE)
            raise
        finally:
            self.told.seconds += cheap.busy_seconds
        if not ended:
            self._tell_of_time("all was tried on the sample of the rows")
        self._decide(cheap, DECIDED)

    def _seconds_of_sample(self) -> float:
        """Of limited time, what fits on all rows leave to the sample."""
        evaluator, left = self.evaluator, self.evaluator.deadline.left()
        n_decided = BEHIND_SAMPLE * DECIDED * len(self.task.budgets)
        behind = n_decided * len(evaluator.splits) * evaluator.seconds_per_fit
        return float(np.fmax(SAMPLE_SHARE * left, left - behind))

    def _decide(self, cheap: Evaluator, most: int) -> None:
        """Score the worst of a sample on all rows, those of the largest budget first."""
        for space in reversed(self.task.spaces):
            found = [e.candidate for e in cheap.within(space.budget)]
            with self._phase("deciding", space):
                self._score(picks_of(found, space, most))

    def _explore(self) -> None:
        self._enumerate_all()
        voters = self._voters()
        self._search_all_longer(voters)
        if not voters:
            self._tell_of_none()
        elif not self._heard[self.told.name]:
            self._rename([name for name in voters if self._heard[name]])

    def _search_all_longer(self, voters: list[str]) -> None:
        """Search longer patterns of all budgets, of which each has its share of limited time."""
        deadline, spaces, n_ended = self.evaluator.deadline, self.task.spaces, 0
        for i, space in enumerate(spaces):
            with deadline.within(deadline.left() / (len(spaces) - i)):
                self._search_longer(space, voters)
                n_ended += 1
        if n_ended < len(spaces):
            self._tell_of_time("all was tried within every budget")

    def _search_longer(self, space: CandidateSpace, voters: list[str]) -> None:
        """Search longer patterns, by the proxies that the pipeline does not contradict."""
        longest = max(space.depths, default=0)
        trusted = self._trusts(voters)
        paired = [] if self.where else pair_spaces(self.task, space, trusted=trusted)
        if paired:
            with self._phase("enumerating pairs", space):
                self._score(list(pairs_of(paired).values()))
            self.told.enumerated[space.budget] = FEW_CONDITIONS, longest
        if paired and longest <= FEW_CONDITIONS:
            # nothing is left to choose
            self._grow(space, beside=True)
            return
        agreed: list[str] = []
        for name in voters:
            self._heard[name] += 1
            with self._phase(f"screening on the {name} proxy", space):
                if self._screen(space, name, closely=not agreed):
                    agreed.append(name)
                else:
                    self._heard[name] -= 1
        learns = longest > 0 and not self._trusts(agreed)
        if learns:
            if not self.where:
                self._climb(space)
            self._learn(space)
        else:
            self._grow(space, beside=bool(agreed))

    def _climb(self, space: CandidateSpace) -> None:
        """Search by beam, as nothing that a proxy chooses can be relied on to be as bad."""
        beam, deadline, ended = BeamSearch(), self.evaluator.deadline, False
        with (
            self._phase("searching by beam", space, math.ceil(in_beam(space))),
            deadline.within(BEAM_SHARE * deadline.left()),
        ):
            BeamRun(self.task, space, beam.optimizer, beam.n_calls, beam.beam_width).run()
            ended = True
        if not ended:
            self._tell_of_time(f"the beam had ended at a budget of {space.budget:g}")

    def _learn(self, space: CandidateSpace) -> None:
        """Go on by what scores teach, and from where the others stopped as if nothing were."""
        untaught = Growth(self.task, space, beside=True).refinement(sweeps=False)
        leaders = untaught.leaders(space)
        rounds = rounds_of(self.task)
        with self._phase("learning", space, AT_ONCE * rounds):
            Learning(self.task, space, rounds).learn()
        self._grow(space, beside=True)
        with self._phase("refining", space, untaught.most):
            untaught.refine(space, leaders)

    def _trusts(self, names: list[str]) -> bool:
        """Whether longer patterns are left to proxies."""
        n_rows = np.mean([len(split.train) for split in self.evaluator.splits])
        # a sample is searched on where rows are many
        many = bool(self.where) or n_rows >= MANY_ROWS
        heard = (name for name in names if many or not PROXIES[name].rugged)
        return max((self.told.agreements[name] for name in heard), default=-1.0) >= TRUSTED

    def _rename(self, heard: list[str]) -> None:
        """Say which proxy was heard, where the pipeline overruled the one that agreed best."""
        self.told.name = heard[0] if heard else "none"
        self.told.agreement = self.told.agreements[heard[0]] if heard else np.nan

    def _tell_of_none(self) -> None:
        """Say that longer patterns were chosen without proxies, where not all were scored."""
        longest = max(self.task.space.depths, default=0)
        known = [self.told.enumerated.get(budget, (-1, 0))[0] for budget in self.task.budgets]
        if longest < FEW_CONDITIONS or min(known) >= longest or not self.evaluator.done:
            return
        said = ", ".join(f"{name} {score(each)}" for name, each in self.told.agreements.items())
        why = "can stand in for the pipeline"
        if said:
            asked = f"(rank correlations {said}; {HEARD} is asked for)"
            why = f"orders errors as the pipeline does {asked}"
        elif self.stand_ins.names():
            why = "takes much less time than the pipeline"
        taught = "longer patterns were chosen by what the pipeline's own scores teach"
        self._note(f"no proxy {why}, so {taught}")

    def _tell_of_time(self, before: str) -> None:
        """Say that time limited what was tried."""
        self.told.cut_short = True
        self._note(f"max_time was over before {before}")

    def _note(self, gap: str) -> None:
        if gap not in self.told.gaps:
            self.told.gaps.append(gap)

    @contextmanager
    def _phase(self, name: str, space: CandidateSpace, most: int | None = None) -> Iterator[None]:
        """Note what a phase scored, of so many at most, and the worst after it."""
        before = len(self.evaluator.done)
        try:
            with self.evaluator.bar.phase(name.capitalize() + self.where, most):
                yield
        finally:
            # where time is over in the middle of one, too
            self.told.phases.append(
                {
                    "phase": name + self.where,
                    "budget": space.budget,
                    "n_candidates": len(self.evaluator.done) - before,
                    "worst_score": self._worst(space),
                }
            )

    def _score(self, candidates: list[Candidate]) -> None:
        """Score all that a phase has."""
        self.evaluator.bar.total = len({c.key for c in candidates} - self.evaluator.done.keys())
        self.evaluator.evaluate(candidates)

    def _worst(self, space: CandidateSpace) -> float:
        return next((e.score for e in self.evaluator.within(space.budget)), np.inf)

    def _enumerate_all(self) -> None:
        """Score the shortest patterns of all budgets, where time is limited in a share of it."""
        deadline, spaces, n_ended = self.evaluator.deadline, self.task.spaces, 0
        share = SHORT_SHARE if any(map(_has_longer, spaces)) else 1.0
        with deadline.within(share * deadline.left()):
            for i, space in enumerate(spaces):
                with (
                    self._phase("enumerating", space),
                    deadline.within(deadline.left() / (len(spaces) - i)),
                ):
                    self._enumerate(space)
                    n_ended += 1
        if n_ended < len(spaces):
            self._tell_of_time("all patterns of one condition were scored")

    def _enumerate(self, space: CandidateSpace) -> None:
        """Score all patterns of one condition, and those of the label alone."""
        found = self.first(space)
        self.points |= found
        likely = self._likeliest(list(found.values()), space)
        others = [judged.candidate for judged in found.values()]
        self._score([*likely, *self._in_order([*others, *self.filling(space)])])
        n_points = n_shortest(space)
        if n_points <= _workload.MOST_FIRST and not self.where:
            first = max(min(space.depths, default=0), 1)
            self.told.enumerated[space.budget] = first, max(space.depths, default=0)
        elif n_points > _workload.MOST_FIRST:
            self._note(f"only some of the {n_points:,} shortest patterns were scored")

    def _likeliest(self, candidates: list[Judged], space: CandidateSpace) -> list[Candidate]:
        """The worst of every column hit by the first proxy, so that it is known soon."""
        deadline, scores = self.evaluator.deadline, np.full(len(candidates), np.nan)
        with self.told.timed(), deadline.within(LIKELY_SHARE * deadline.left()):
            name = next(iter(self.stand_ins.saving()), None) if candidates else None
            if name is None:
                return []
            if not self.stand_ins.screen(name, self.stand_ins.groups, space).score.is_fast:
                # a scorer of the user's may take as long as the fits that it is to save
                return []
            scores = self.stand_ins.scores(name, candidates, space)
            keys = [judged.candidate.key for judged in candidates]
            self._foretold[name, space.budget] = dict(zip(keys, scores.tolist(), strict=True))
        found: dict[tuple[Hashable, ...], Candidate] = {}
        for i in np.argsort(scores, kind="stable")[: np.isfinite(scores).sum()]:
            found.setdefault(candidates[i].candidate.columns, candidates[i].candidate)
        return list(found.values())

    def _in_order(self, candidates: list[Candidate]) -> list[Candidate]:
        """As they come, or, where time is too short for all, of every column hit in turn."""
        deadline, n_fits = self.evaluator.deadline, len(candidates) * len(self.evaluator.splits)
        if not deadline.limited or n_fits * self.evaluator.seconds_per_fit <= deadline.left():
            return candidates
        rng = np.random.default_rng(spawn_seeds(self.task.seed, 1, Stream.FIRST)[0])
        mixed = [candidates[i] for i in rng.permutation(len(candidates))]
        before: Counter[tuple[Hashable, ...]] = Counter()
        turns = []
        for candidate in mixed:
            turns.append(before[candidate.columns])
            before[candidate.columns] += 1
        return [mixed[i] for i in np.argsort(turns, kind="stable")]

    def first(self, space: CandidateSpace) -> dict[bytes, Judged]:
        """The shortest patterns: all of them, or some of every template where there are many."""
        found: dict[bytes, Judged] = {}
        rng = np.random.default_rng(spawn_seeds(self.task.seed, 1, Stream.FIRST)[0])
        templates, most = space.first_templates(), _workload.MOST_FIRST
        if len(templates) > most:
            chosen = np.sort(rng.choice(len(templates), most, replace=False))
            templates = [templates[i] for i in chosen]
        grids = {template: space.grid(template) for template in templates}
        few = sum(grid.size for grid in grids.values()) <= most
        each = max(1, most // max(1, len(grids)))
        for template, grid in grids.items():
            numbers = np.arange(grid.size)
            if not few and grid.size > each:
                numbers = np.sort(rng.choice(grid.size, each, replace=False))
            for point in map(tuple, grid.points(numbers).tolist()):
                candidate = space.candidate(template, point)
                if candidate.refused:
                    self.task.refused[candidate.refused] += 1
                else:
                    found.setdefault(candidate.key, Judged(template, point, candidate))
        return found

    def filling(self, space: CandidateSpace) -> list[Candidate]:
        """Patterns of one condition that just fill the budget, off the grid; none of many."""
        if n_shortest(space) > _workload.MOST_FIRST:
            return []
        filled, found = self._filled[1][space.budget], dict[bytes, Candidate]()
        for template in filled.first_templates():
            if len(template.attributes) != 1:
                continue
            (j,), grid = template.attributes, filled.grid(template)
            for point in map(tuple, grid.points(np.arange(grid.size)).tolist()):
                if point[0] >= space.attributes[j].n_atoms:
                    candidate = filled.candidate(template, point)
                    if not candidate.refused and fills(space, candidate):
                        found.setdefault(candidate.key, candidate)
        return list(found.values())

    @cached_property
    def _filled(self) -> tuple[StandIns, dict[float, CandidateSpace]]:
        """What stands in for the pipeline where patterns may just fill a budget, and these."""
        filled = filled_spaces(self.task.spaces)
        task = dataclasses.replace(self.task, space=filled[-1])
        by_budget = {space.budget: space for space in filled}
        return StandIns(task, self.stand_ins.seed), by_budget

    def _voters(self) -> list[str]:
        """Proxies that order candidates as the pipeline does, the best first."""
        space = self.task.spaces[len(self.task.budgets) // 2]
        done = self.evaluator.done
        known = [
            judged
            for key, judged in self.points.items()
            if key in done and np.isfinite(done[key].score) and self._feasible(space, judged)
        ]
        real = np.array([done[each.candidate.key].score for each in known])
        for name in self.stand_ins.saving() if known else []:
            try:
                scores = self._scores_of(name, known, space)
            except ScorerRefuses:
                continue
            rng = np.random.default_rng(spawn_seeds(self.task.seed, 1, Stream.JUDGED)[0])
            chosen = _judged_by(real, scores, rng)
            self.told.agreements[name] = agreement_of(real[chosen], scores[chosen])
        best = preferred(self.told.agreements)
        agreed = [n for n, each in self.told.agreements.items() if each >= HEARD]
        if best in agreed:
            self.told.name, self.told.agreement = best, self.told.agreements[best]
        return sorted(agreed, key=lambda name: name != best)

    def _scores_of(self, name: str, known: list[Judged], space: CandidateSpace) -> np.ndarray:
        """What a proxy says of candidates, NaN where its time was over."""
        foretold = self._foretold.get((name, space.budget), {})
        if all(judged.candidate.key in foretold for judged in known):
            return np.array([foretold[judged.candidate.key] for judged in known])
        scores = np.full(len(known), np.nan)
        left = self.evaluator.deadline.left() * SCREENING_SHARE
        with self.told.timed(), self.evaluator.deadline.within(left):
            scores = self.stand_ins.scores(name, known, space)
        return scores

    @staticmethod
    def _feasible(space: CandidateSpace, judged: Judged) -> bool:
        """Whether a candidate, perhaps of another budget, is the same in this one."""
        return space.candidate(judged.template, judged.point).key == judged.candidate.key

    def _screen(self, space: CandidateSpace, name: str, *, closely: bool) -> bool:
        """Let a proxy choose while the pipeline agrees, at last closely; whether it did so."""
        left = self.evaluator.deadline.left() * SCREENING_SHARE
        stand_ins, filled = self._filled[0], self._filled[1][space.budget]
        best = screened_best(stand_ins, name, filled, self.told, left)
        ranked = best.candidates(filled)
        scores = {c.key: i for i, c in enumerate(ranked)}
        taken: list[Candidate] = []
        agrees = True
        for some in batches_of(ranked, filled, PICKED, MOST_PICKED):
            before = self._worst(space)
            self.evaluator.evaluate(some)
            taken += some
            real = np.array([self.evaluator.done[c.key].score for c in taken])
            agreement = agreement_of(real, np.array([float(scores[c.key]) for c in taken]))
            # what is picked lies close together, so that chance alone may turn the order round
            agrees = not agreement < -SURELY / np.sqrt(len(taken))
            if not agrees or not self._worst(space) < before:
                break
        if not agrees:
            self._note(
                f"the {name} proxy was overruled at a budget of {space.budget:g}, as the pipeline "
                "orders its worst otherwise"
            )
            # what it has scored, however closely, says nothing of the pipeline
            best.looked_at.update(complete_conditions=-1, n_converged=0)
        row = {"budget": space.budget, "proxy": name}
        n_reranked = 0 if self.where else len(taken)
        self.told.certify({**row, **best.looked_at, "n_reranked": n_reranked})
        if agrees and closely:
            self._descend(space, name, ranked)
        return agrees

    def _descend(self, space: CandidateSpace, name: str, ranked: list[Candidate]) -> None:
        """Let a proxy choose what is near its worst, at full resolution."""
        left, descent = self.evaluator.deadline.left(), self.descent(space, name)
        with self.told.timed(), self.evaluator.deadline.within(SCREENING_SHARE * left):
            descent.run(ranked)
        for some in batches_of(descent.worst(), space, PICKED, MOST_PICKED):
            before = self._worst(space)
            self.evaluator.evaluate(some)
            if not self._worst(space) < before:
                break

    def descent(self, space: CandidateSpace, name: str) -> ProxyDescent:
        """What changes the worst of a budget on a proxy."""
        stand_ins, filled = self._filled
        return ProxyDescent(self.task, space, stand_ins, filled[space.budget], name)

    def _grow(self, space: CandidateSpace, *, beside: bool) -> None:
        growth = Growth(self.task, space, beside=beside)
        for _ in range(max(1, space.max_conditions)):
            draw_lucky(self.evaluator, lambda: self.evaluator.within(space.budget)[:DRAWN])
            before = self._worst(space)
            with self._phase("growing", space):
                self._score(growth.grown())
            refinement = growth.refinement()
            with self._phase("refining", space, refinement.most):
                refinement.refine(space)
            if not self._worst(space) < before:
                break


def _judged_by(real: np.ndarray, scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Places of the worst by the pipeline, of the worst by a proxy, and of others."""
    worst = [np.argsort(each, kind="stable")[:JUDGED_EACH] for each in (real, scores)]
    others = rng.permutation(len(real))[:JUDGED_EACH]
    return np.unique(np.concatenate([*worst, others]))


def _has_longer(space: CandidateSpace) -> bool:
    """Whether there are patterns longer than the shortest ones."""
    return any(any(space.longer_templates(shortest)) for shortest in space.first_templates())
