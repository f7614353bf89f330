"""One screening at work: a proxy is chosen, screens, and the pipeline decides on the best."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from skcorrupt.utils import first_line, spawn_seeds, warn
from skcorrupt.utils._as_text import score
from skcorrupt.utils._typing import Estimator

from ..candidates import Candidate, CandidateSpace, Evaluator, SearchTask, Stream, Template
from ..proxies import (
    CLOSER_ROWS,
    LEAST_AGREEMENT,
    MOST_VISITS,
    PROXIES,
    SCREENED_ROWS,
    Judged,
    ScorerRefuses,
    Screened,
    StandIns,
    agreement_of,
    judged_of,
    on_fewer_rows,
    preferred,
    shrunken,
)
from ._beam_search import BeamSearch
from ._screened_best import screened_best

# real fits by which proxies are judged
JUDGED = 30
# most candidates do hardly any harm, and noise orders those: so they are chosen from many
JUDGED_OF = 240
JUDGED_VISITS = MOST_VISITS / 4
TRIES = 1_200
FEW_TEMPLATES = 20_000


class ScreeningRun:
    """The search of all budgets on a proxy.

    Parameters
    ----------
    proxy : {"auto", "linear", "tree"} or estimator
        What candidates are screened on.
    n_rerank : int
        Candidates of every budget that go on to the pipeline.
    beam : BeamSearch
        The search on an estimator or a clone.
    complete : bool
        Whether all patterns are screened, at any cost.
    task : SearchTask
        The search for one kind of error.
    told : Screened
        Filled in as the run goes on, so that an interruption leaves what was done.
    decide : callable
        `decide(budget, candidates)` lets the pipeline decide on the best of a budget.
    without : callable
        `without(said)` is called where no proxy agrees, with that in words.
    """

    def __init__(
        self,
        proxy: str | Estimator,
        n_rerank: int,
        beam: BeamSearch,
        complete: bool,
        task: SearchTask,
        told: Screened,
        decide: Callable[[float, list[Candidate]], None],
        without: Callable[[str], None],
    ) -> None:
        self.proxy, self.n_rerank, self.beam = proxy, n_rerank, beam
        self.task, self.told = task, told
        self.decide, self.without = decide, without
        self.evaluator, self.deadline = task.evaluator, task.evaluator.deadline
        self.group_seed, self.judged_seed, self.clone_seed = (
            spawn_seeds(task.seed, 1, stream)[0]
            for stream in (Stream.GROUPS, Stream.JUDGED, Stream.FEWER_ROWS)
        )
        self.stand_ins = StandIns(task, self.group_seed, complete=complete)
        told.stand_ins = self.stand_ins
        self.middle = task.spaces[len(task.budgets) // 2]

    def run(self) -> None:
        """Choose a proxy, screen with it, and score the best on the pipeline."""
        asked = self.proxy if isinstance(self.proxy, str) and self.proxy in PROXIES else None
        if asked is None:
            wanted: list[str] = self.stand_ins.names() if self.proxy == "auto" else []
        elif self.stand_ins.can(asked):
            wanted = [asked]
        else:
            raise ValueError(
                f"proxy={asked!r} cannot stand in for this search: "
                f"{self.stand_ins.obstacle(asked)}; pass Screening('auto') or "
                "Screening(estimator), or strategy='beam'."
            )
        judged, real, agreements = self.judge(wanted)
        self.told.agreements = dict(agreements)
        best = preferred(agreements)
        if best is None or not (asked or agreements[best] >= LEAST_AGREEMENT):
            self._with_estimator(judged, real)
            return
        if not agreements[best] >= LEAST_AGREEMENT:
            self._warn_of_disagreement(best, agreements[best])
        self.told.name, self.told.agreement = best, agreements[best]
        self._screen(best)

    def judge(self, wanted: Sequence[str]) -> tuple[list[Judged], np.ndarray, dict[str, float]]:
        """Compare proxies with the pipeline on random candidates and on each proxy's worst.

        Parameters
        ----------
        wanted : sequence of str
            Built-in proxies.

        Returns
        -------
        tuple
            The candidates, the pipeline's scores of them, and the agreement of each proxy that
            the scorer takes.

        Raises
        ------
        ValueError
            If a proxy was asked for by its name and the scorer does not take it.
        """
        pool = self.random_candidates(self.n_pool(wanted))
        scores: dict[str, np.ndarray] = {}
        for name in wanted:
            try:
                # in time that is limited, that which takes too much of it cannot stand in
                with self.told.timed(), self.deadline.within(self.deadline.left() / 4):
                    scores[name] = self.stand_ins.scores(name, pool, self.middle)
            except ScorerRefuses as error:
                if self.proxy == name:
                    raise ValueError(
                        f"proxy={name!r} cannot stand in for this search: scoring="
                        f"{self.task.scoring!r} asks for more than predictions for the test rows "
                        f"({error}); pass Screening('auto') or Screening(estimator), or "
                        "strategy='beam'."
                    ) from error
        chosen = judged_of(len(pool), scores.values(), JUDGED)
        judged = [pool[i] for i in chosen]
        real = self.pipeline_scores(judged)
        return (
            judged,
            real,
            {name: agreement_of(real, each[chosen]) for name, each in scores.items()},
        )

    def n_pool(self, wanted: Sequence[str]) -> int:
        """How many candidates proxies may score to be judged."""
        stand_ins = self.stand_ins
        costs = [stand_ins.screen(name, stand_ins.groups, self.middle).cost for name in wanted]
        affordable = JUDGED_VISITS / max(costs, default=np.inf)
        return int(np.clip(affordable, JUDGED, JUDGED_OF))

    def random_candidates(self, most: int) -> list[Judged]:
        """Random candidates of the middle budget, those first that fill it."""
        space, rng = self.middle, np.random.default_rng(self.judged_seed)
        templates = _short_templates(space)
        shapes: dict[Template, tuple[int, ...]] = {}
        full: dict[bytes, Judged] = {}
        partial: dict[bytes, Judged] = {}
        # of a small grid most points are drawn again and again
        drawn: set[tuple[Template, tuple[int, ...]]] = set()
        for _ in range(TRIES if templates else 0):
            template = templates[rng.integers(len(templates))]
            if template not in shapes:
                shapes[template] = space.grid(template).shape
            point = tuple(int(rng.integers(m)) for m in shapes[template])
            if (template, point) in drawn:
                continue
            drawn.add((template, point))
            candidate = space.candidate(template, point)
            if candidate.refused:
                continue
            into = full if candidate.rate < 1 else partial
            into.setdefault(candidate.key, Judged(template, point, candidate))
            if len(full) >= most:
                break
        return [*full.values(), *partial.values()][:most]

    def pipeline_scores(self, judged: Sequence[Judged]) -> np.ndarray:
        """What the pipeline says of candidates, on a sample of very many rows."""
        evaluator = self.evaluator
        if max(len(split.train) for split in evaluator.splits) > CLOSER_ROWS:
            # so many rows are enough to see in which order the pipeline puts candidates
            evaluator = on_fewer_rows(
                self.task, self.evaluator.estimator, CLOSER_ROWS, self.clone_seed
            )
        scores = _scores(evaluator, judged)
        if evaluator is not self.evaluator:
            self.evaluator.busy_seconds += evaluator.busy_seconds
        return scores

    def _screen(self, name: str) -> None:
        for k, space in enumerate(self.task.spaces):
            best = screened_best(self.stand_ins, name, space, self.told, self._time_to_screen(k))
            chosen = best.candidates(space, self.n_rerank)
            self.decide(space.budget, chosen)
            self._certify(space.budget, **best.looked_at, n_reranked=len(chosen))

    def _certify(self, budget: float, **looked_at: float) -> None:
        self.told.certify({"budget": budget, "proxy": self.told.name, **looked_at})

    def _time_to_screen(self, n_done: int) -> float:
        """Seconds that a budget may be screened, where they are limited: the pipeline decides."""
        left = self.deadline.left() / (len(self.task.budgets) - n_done)
        n_fits = self.n_rerank * len(self.evaluator.splits)
        return max(left / 2, left - n_fits * self.evaluator.seconds_per_fit)

    def _with_estimator(self, judged: list[Judged], real: np.ndarray) -> None:
        """A cheaper estimator in the pipeline's place, and the pipeline if there is none."""
        given = None if isinstance(self.proxy, str) else self.proxy
        estimator = given or shrunken(self.evaluator.estimator)
        if estimator is None and (
            max(len(s.train) for s in self.evaluator.splits) <= SCREENED_ROWS
        ):
            # a clone on all rows would be the pipeline itself
            self._go_without()
            return
        cheap = on_fewer_rows(
            self.task, estimator or self.evaluator.estimator, SCREENED_ROWS, self.clone_seed
        )
        with self.evaluator.bar.phase("Judging", len(judged)):
            scores = _scores(cheap, judged)
        failed = [e.error for e in cheap.done.values() if e.error and not e.infeasible]
        if given is not None and failed and len(failed) == len(judged):
            raise ValueError(
                f"proxy={given!r} failed on every candidate ({first_line(failed[0])}); pass an "
                "estimator that takes X with such errors, as with the same preprocessing, and that "
                f"scoring={self.task.scoring!r} can score."
            )
        name = "clone" if given is None else "estimator"
        agreement = agreement_of(real, scores)
        self.told.agreements[name] = agreement
        if agreement >= LEAST_AGREEMENT or given is not None:
            if not agreement >= LEAST_AGREEMENT:
                self._warn_of_disagreement(name, agreement)
            self.told.name, self.told.agreement = name, agreement
            self._search_on(cheap, judged)
        self.told.seconds += cheap.busy_seconds
        if self.told.name == "none":
            self._go_without()

    def _search_on(self, cheap: Evaluator, judged: list[Judged]) -> None:
        """Beam searches on the cheap estimator, of which the pipeline scores the best."""
        cheaply = dataclasses.replace(self.task, evaluator=cheap, refused=Counter())
        for k, budget in enumerate(self.task.budgets):
            before = len(cheap.done)
            alone = dataclasses.replace(cheaply, budgets=(budget,))
            with (
                self.evaluator.bar.phase("Screening", self.beam.most_evaluations(alone)),
                self.deadline.within(self._time_to_screen(k)),
            ):
                self.beam.run(alone, Screened())
            # those so far keep to this budget on all rows, if perhaps not on these; those judged
            # need not, and where they were scored they need not be again
            done = self.evaluator.done
            known = {
                c.candidate.key
                for c in judged
                if c.candidate.key in done or budget < self.middle.budget
            }
            ranked = [e.candidate for e in cheap.ranked() if e.candidate.key not in known]
            chosen = ranked[: self.n_rerank]
            self.decide(budget, chosen)
            self._certify(
                budget,
                complete_conditions=-1,
                n_rows=sum(len(split.train) + len(split.test) for split in cheap.splits[:1]),
                n_points=len(cheap.done) - before,
                n_distinct=len(cheap.done) - before,
                n_polished=0,
                largest_step=np.nan,
                n_reranked=len(chosen),
            )

    def _go_without(self) -> None:
        said = ", ".join(f"{name} {score(each)}" for name, each in self.told.agreements.items())
        self.without(
            f"none agrees with the pipeline ({said}; {LEAST_AGREEMENT} is asked for)"
            if said
            else f"none can be made ({LEAST_AGREEMENT} is asked for)"
        )

    @staticmethod
    def _warn_of_disagreement(name: str, agreement: float) -> None:
        said = (
            f"The {name} proxy could not be compared with the pipeline, for want of candidates or "
            "because all score alike"
            if np.isnan(agreement)
            else f"The {name} proxy orders candidates unlike the pipeline (Spearman "
            f"{score(agreement)} on up to {JUDGED} of them, where {LEAST_AGREEMENT} is asked for)"
        )
        warn(
            f"{said}: what it screens out may be worse than what was found. Pass "
            "Screening('auto'), another estimator, or strategy='beam'."
        )


def _scores(evaluator: Evaluator, judged: Sequence[Judged]) -> np.ndarray:
    evaluator.evaluate([each.candidate for each in judged])
    return np.array([evaluator.done[each.candidate.key].score for each in judged])


def _short_templates(space: CandidateSpace) -> list[Template]:
    """Templates of up to two conditions, or those of the first round where these are many."""
    most = max((len(attributes) for attributes in space.allowed.values()), default=0)
    if len(space.allowed) * most**2 >= FEW_TEMPLATES:
        return space.first_templates()
    return [
        template
        for depth in space.depths
        for template in space.templates_of_depth(depth)
        if depth <= max(2, len(space.required[template.columns]))
    ]
