"""Score candidates on the user's pipeline, each distinct one once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Journal,
    Outcome,
    Split,
    Starting,
    Stopped,
    draws_alike,
    evaluate_split,
    run_tasks,
    unsaid_of_no_effect,
)
from skcorrupt.utils import spawn_seeds
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._typing import ApplyTo, ErrorScore, Estimator

from . import _deadline
from ._candidate import ROUNDING, Candidate
from ._deadline import Deadline
from ._evaluation import Evaluation, Ranking
from ._feasibility_check import FeasibilityCheck
from ._progress import Progress
from ._search_settings import ALTERNATIVES, DRAWS, EVALUATIONS, SAMPLED
from ._streams import Stream

# tells further draws of a candidate from random errors of its size, in the same table
AGAIN = 255
# draws by which it is known whether another one is other data
COMPARED = 4


def evaluate_task(
    place: Any,
    estimator: Estimator,
    split: Split,
    scorer: Callable[..., Any],
    corruption: BaseCorruption | None,
    seed: int | None,
    check: FeasibilityCheck | None,
    error_score: ErrorScore,
    apply_to: ApplyTo = "train",
) -> tuple[Any, Outcome]:
    """One fit, as a task for a worker, with the place of the outcome among all."""
    outcome = evaluate_split(
        estimator,
        split,
        scorer,
        corruption=corruption,
        corruption_seed=seed,
        check=check,
        error_score=error_score,
        apply_to=apply_to,
    )
    # masks of all fits together would fill the memory; the search needs their shares alone
    outcome.records = []
    return place, outcome


class PassingRows(Protocol):
    """Rows as they are served, which checks may watch."""

    watch: Any

    def unnoticed(self, candidate: Candidate) -> Candidate:
        """A candidate at the largest rate that no check notices, refused where there is none."""

    def detection(self, winner: Candidate, tick: Callable[[], None]) -> Iterator[dict[str, Any]]:
        """How often each check alarms on an error, and from which size and rate on."""


@dataclass
class Evaluator:
    """Scores candidates and remembers those it has scored.

    Attributes
    ----------
    seed : int
        Seed of the draws: those that `cross_validate_corrupted` makes with the same one.
    done : dict of bytes to Evaluation
        Distinct candidates by key, in the order of evaluation.
    busy_seconds : float
        Seconds spent in fits and scores, over all workers; those of outcomes that a journal kept
        are not in it.
    bar : Progress
        Shows what is done, by phases.
    deadline : Deadline
        When the search, or the part of it that is under way, is to end.
    apply_to : {"train", "test", "both"}
        Where errors strike.
    watched : PassingRows or None
        Rows as they are served, and what watches them.
    baseline : float
        Score of the clean data, NaN before it is known, and on a sample of the rows.
    ranking : Ranking
        Of what is done.
    """

    estimator: Estimator
    splits: list[Split]
    scorer: Callable[..., Any]
    check: FeasibilityCheck
    error_score: ErrorScore
    n_jobs: int | None
    seed: int
    bar: Progress = field(default_factory=Progress)
    done: dict[bytes, Evaluation] = field(default_factory=dict)
    busy_seconds: float = 0.0
    started: float = field(default_factory=time.perf_counter)
    journal: Journal | None = None
    kept: dict[str, dict[bytes, list[Outcome]]] = field(default_factory=dict)
    # where a journal keeps candidates
    table: str = EVALUATIONS
    deadline: Deadline = field(default_factory=Deadline)
    found_any: bool = False
    # of a sample of the rows errors strike another share than of all, which the budget is about
    is_sample: bool = False
    apply_to: ApplyTo = "train"
    watched: PassingRows | None = None
    baseline: float = np.nan
    starting: Starting = field(init=False)
    ranking: Ranking = field(default_factory=Ranking, init=False, repr=False)
    _n_timed: int = 0
    _timed: float = 0.0

    def __post_init__(self) -> None:
        self.starting = Starting(self.n_jobs)

    def keep(self, journal: Journal) -> None:
        """Go on from what a journal keeps, and keep there what is scored."""
        self.journal = journal
        tables = EVALUATIONS, DRAWS, ALTERNATIVES
        self.kept = {table: journal.read(table) for table in tables}

    def keep_sampled(self, journal: Journal, kind: str) -> None:
        """Go on from what a journal keeps of a sample of the rows, and keep it there."""
        self.journal, self.table = journal, f"{SAMPLED} {kind}".rstrip()
        self.kept = {self.table: journal.read(self.table)}

    def beside(self) -> Evaluator:
        """An evaluator that knows what this one scored, and keeps to itself what it scores."""
        return replace(self, done=dict(self.done), table=ALTERNATIVES)

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        """Score those candidates that are new."""
        self._evaluate(self._passing({c.key: c for c in candidates if c.key not in self.done}))

    def _passing(self, new: Mapping[bytes, Candidate]) -> dict[bytes, Candidate]:
        """Candidates that no check notices, at a rate at which it does not; others are noted."""
        if self.watched is None or not self.watched.watch:
            return dict(new)
        passing = {}
        for key, candidate in new.items():
            candidate = self.watched.unnoticed(candidate)
            if candidate.refused:
                outcome = Outcome(infeasible=True, error=candidate.refused)
                self._note(key, candidate, [outcome] * len(self.splits))
            else:
                passing[key] = candidate
        return passing

    def _note(self, key: bytes, candidate: Candidate, outcomes: list[Outcome]) -> None:
        self.done[key] = Evaluation(candidate, outcomes, len(self.done), len(self.splits))
        self._step(self.table, outcomes)

    def _evaluate(self, new: Mapping[bytes, Candidate]) -> None:
        tasks = {key: self._draws(c, 0, 1) for key, c in new.items()}
        found: dict[bytes, list[Outcome]] = {}
        try:
            said = {} if self.journal is None else {key: in_words(c) for key, c in new.items()}
            self._run_groups(tasks, found, self.table, said)
        finally:
            # an interruption takes what was being fitted, not what was scored
            for key, candidate in new.items():
                if key in found:
                    order, n_splits = len(self.done), len(self.splits)
                    self.done[key] = Evaluation(candidate, found[key], order, n_splits)

    def draw_again(self, evaluations: Sequence[Evaluation], n_draws: int) -> None:
        """Draw errors that are random until each was drawn so often.

        Parameters
        ----------
        evaluations : sequence of Evaluation
            What was scored, which goes on from the draws it has.
        n_draws : int
            How often at least.
        """
        fewer = [e for e in evaluations if e.n_draws < n_draws]
        tasks = {
            e.candidate.key + bytes([AGAIN, i]): self._draws(e.candidate, i, i + 1)
            for e in fewer
            for i in range(e.n_draws, n_draws)
        }
        found: dict[bytes, list[Outcome]] = {}
        try:
            self._run_groups(tasks, found, DRAWS, {})
        finally:
            for e in fewer:
                # an interruption leaves the draws until the first that is not there
                for i in range(e.n_draws, n_draws):
                    key = e.candidate.key + bytes([AGAIN, i])
                    if key not in found:
                        break
                    self.done[e.candidate.key] = e = replace(e, outcomes=e.outcomes + found[key])

    def knows_mean(self, candidate: Candidate) -> bool:
        """Whether the score is the mean over all draws of struck rows, in closed form."""
        return False

    def is_random(self, candidate: Candidate) -> bool:
        """Whether another draw of a candidate's errors is another data set."""
        if candidate.rate < 1 or candidate.corruption is None:
            return True
        if getattr(candidate.corruption, "_draws_values", None) is False:
            # every row that can be struck is, and nothing else is left to chance
            return False
        seeds = self._seeds(COMPARED)[:: len(self.splits)]
        return not draws_alike(self.splits[0], candidate.corruption, seeds, self.apply_to)

    def _seeds(self, n_draws: int) -> list[int]:
        return spawn_seeds(self.seed, n_draws * len(self.splits), Stream.DRAWS)

    def _draws(self, candidate: Candidate, first: int, end: int) -> list[tuple[Any, ...]]:
        """Tasks of some draws of a candidate's errors, on every split."""
        seeds = self._seeds(end)[first * len(self.splits) :]
        splits = self.splits * (end - first)
        return [(candidate.corruption, *task) for task in zip(splits, seeds, strict=True)]

    def draw(self, tasks: Mapping[bytes, list[tuple[Any, ...]]]) -> list[Outcome]:
        """Fit and score draws of errors of one kind, each a list of `(corruption, split, seed)`."""
        found: dict[bytes, list[Outcome]] = {}
        self._run_groups(tasks, found, DRAWS, {})
        return [outcome for key in tasks for outcome in found[key]]

    def run(self, tasks: Sequence[tuple[Any, ...]]) -> list[Outcome]:
        """Fit and score `(corruption, split, seed)` tasks; a seed of None is the split's."""
        full = [self._full(i, task) for i, task in enumerate(tasks)]

        def note(placed: tuple[Any, Outcome]) -> None:
            self.busy_seconds += placed[1].seconds
            self.bar.update()

        return [placed[1] for placed in self._run_in_time(full, note)]

    @property
    def seconds_per_fit(self) -> float:
        """Seconds from one fit to the next, on all workers together; NaN before the first.

        Those of starting workers are not among them.
        """
        return self._timed / self._n_timed if self._n_timed else np.nan

    def _run_in_time(
        self, full: Sequence[tuple[Any, ...]], note: Callable[[Any], None], **params: Any
    ) -> list[Any]:
        """Run tasks, noting each as it ends, until the time is over."""
        self.deadline.check(found=self.found_any)
        last, starts = _deadline.now(), self.starting.needed

        def noted(placed: Any) -> None:
            nonlocal last, starts
            note(placed)
            here = _deadline.now()
            # the first of workers that are not there yet takes the time of their start, too
            late = starts and not self.starting.needed
            seconds = placed[1].seconds if late else here - last
            self._n_timed, self._timed, last = self._n_timed + 1, self._timed + seconds, here
            starts = starts and not late
            self.deadline.check(found=self.found_any)

        return self._outcomes(full, noted, **params)

    def _outcomes(
        self, full: Sequence[tuple[Any, ...]], noted: Callable[[Any], None], **params: Any
    ) -> list[Any]:
        n_jobs = self.jobs_for(len(full))
        with unsaid_of_no_effect():
            return run_tasks(evaluate_task, full, n_jobs=n_jobs, done=noted, **params)

    def jobs_for(self, n_fits: int) -> int | None:
        """Number of workers for some fits, 1 where these are over before any are started."""
        return self.starting.jobs(n_fits, self.seconds_per_fit)

    def _run_groups(
        self,
        groups: Mapping[bytes, list[tuple[Any, ...]]],
        found: dict[bytes, list[Outcome]],
        table: str,
        said: Mapping[bytes, str],
    ) -> None:
        """Run groups of tasks, noting each group in `found` and in the journal as it ends."""
        kept = self.kept.get(table, {})
        parts: dict[bytes, dict[int, Outcome]] = {}
        full = []
        for key, group in groups.items():
            if key in kept:
                found[key] = kept[key]
                self._step(table, kept[key])
            else:
                parts[key] = {}
                full += [self._full((key, i), task) for i, task in enumerate(group)]

        def note(placed: tuple[tuple[bytes, int], Outcome]) -> None:
            (key, i), outcome = placed
            self.busy_seconds += outcome.seconds
            parts[key][i] = outcome
            if len(parts[key]) == len(groups[key]):
                part = [parts[key][k] for k in range(len(groups[key]))]
                if self.journal is not None:
                    self.journal.write(table, [(key, said.get(key, ""), part)])
                found[key] = part
                self._step(table, part)

        # what a worker holds back until its batch is done, a kill would lose
        batch_size = "auto" if self.journal is None else 1
        self._run_in_time(full, note, batch_size=batch_size)

    def _full(self, place: Any, task: tuple[Any, ...]) -> tuple[Any, ...]:
        corruption, split, seed = task
        check = None if corruption is None else self.check
        given = corruption, seed, check, self.error_score, self.apply_to
        return place, self.estimator, split, self.scorer, *given

    @property
    def root(self) -> Evaluator:
        """What scores candidates of all kinds of error."""
        return self

    @property
    def model_seconds(self) -> float:
        """Seconds spent in models and scores, over all workers."""
        return self.busy_seconds

    @property
    def struck_parts(self) -> list[np.ndarray]:
        """Positions of the rows of every part that errors strike, each with a budget."""
        trains = [split.train for split in self.splits]
        tests = [split.test for split in self.splits]
        return {"train": trains, "test": tests, "both": trains + tests}[self.apply_to]

    def _step(self, table: str, group: list[Any]) -> None:
        """One step of the bar a candidate, or one a fit of draws."""
        self.bar.update(len(group) if table == DRAWS else 1)
        if table not in (DRAWS, ALTERNATIVES) and _feasible(group):
            self.found_any = True
            if not self.is_sample:
                self.deadline.found = True
                self.bar.best(float(np.mean([outcome.score for outcome in group])))
        if self.bar.stop_asked and self.found_any:
            self.bar.stop_asked = False
            raise Stopped

    def within(self, budget: float) -> list[Evaluation]:
        """Of the feasible evaluations, lowest first, those that strike no more than a budget."""
        most = budget + ROUNDING
        if self.is_sample:
            return [e for e in self.ranked() if e.candidate.row_fraction <= most]
        return [e for e in self.ranked() if e.row_fraction <= most]

    def ranked(self) -> list[Evaluation]:
        """Feasible evaluations, the lowest score first, earlier ones first among equals."""
        return self.ranking.of(self.done)


def _feasible(outcomes: list[Outcome]) -> bool:
    return all(np.isfinite(o.score) and not o.infeasible for o in outcomes)


def in_words(candidate: Candidate) -> str:
    """Where a candidate strikes, as a line of a journal."""
    columns = listed_labels(map(on_one_line, candidate.columns))
    target = "" if candidate.target is None else f" to {candidate.target!r}"
    # members of a process have rates of their own
    rate = f" at rate {candidate.rate:.6g}" if np.isfinite(candidate.rate) else ""
    return f"{columns or 'rows'}{target} where {candidate.pattern}{rate}"
