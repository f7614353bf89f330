"""The worst error of every class of patterns: what a headline owes to its conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption

from ._problem import Problem
from ._process_relaxation import ProcessRelaxation
from ._relaxation import SHARE, Relaxation
from ._spellings import Spellings, spelled
from .candidates import (
    Candidate,
    Evaluation,
    KindsTask,
    OutOfTime,
    PatternClass,
    ProcessTask,
    SearchTask,
    class_of,
    class_space,
    n_given,
)
from .proxies import Screened
from .strategies import Settling

COLUMNS = (
    "n_conditions", "uses_label", "uses_own_column", "columns", "pattern", "rate", "score", "drop",
    "n_draws", "corruption", "status",
)  # fmt: skip
TYPES = {"n_conditions": int, "uses_label": bool, "uses_own_column": bool, "n_draws": int}
TYPES |= dict.fromkeys(("rate", "score", "drop"), float)
SEARCHED, RELAXED, ENUMERATED = "searched", "relaxed", "enumerated"
NONE_FEASIBLE, NOT_TRIED, NOT_ALLOWED = "none feasible", "not tried", "not allowed"
# candidates that are spelled in other ways, by rows times columns that are read for that
LEAST_SPELLED, MOST_SPELLED, CELLS_READ = 8, 256, 2.5e7
# that were drawn once, of each class
MOST_LUCKY = 4


class KindAlternatives:
    """The classes of one kind of error.

    Parameters
    ----------
    task : SearchTask or ProcessTask
        The search for it, done.
    space : SearchSpace
        What the user calls plausible.
    told : Screened
        What the search was screened on.
    """

    def __init__(self, task: SearchTask | ProcessTask, space: SearchSpace, told: Screened) -> None:
        self.task, self.space, self.told = task, space, told
        self.evaluator = task.evaluator
        # other patterns that strike the rows of what was scored, by key
        self.spelled: dict[bytes, dict[PatternClass, Candidate]] = defaultdict(dict)
        self.complete: set[PatternClass] = set()
        self.refused: set[PatternClass] = set()
        self.classes = sorted(set(self._classes()))
        # chooses among the feasible ones of a class, the lowest score first
        self.worst_of: Callable[[list[Evaluation]], Evaluation | None] = _first

    def left_out(self) -> list[PatternClass]:
        """Classes that defaults alone keep out of the search."""
        return [c for c in self.classes if self._is_relaxed(c) and not self._forbidden(c)]

    def relax(self) -> None:
        """Search the classes that the search left out, with a quarter of its evaluations."""
        # what lacks but one of the conditions comes first
        wanted = sorted(self.left_out(), key=lambda c: (2 - c.uses_label - c.uses_own_column, c))
        allotment = int(SHARE * len(self.task.evaluator.done))
        self.evaluator.bar = self.task.evaluator.bar
        try:
            if isinstance(self.task, ProcessTask):
                relaxation = ProcessRelaxation(self.task, self.evaluator, wanted, allotment)
                relaxation.run()
                self._note_all(relaxation.known)
            else:
                self._relax_patterns(self.task, wanted, allotment)
        finally:
            self._tell_seconds()

    def _tell_seconds(self) -> None:
        """Note the seconds that went into fits where those of the search are."""
        self.task.evaluator.busy_seconds = self.evaluator.busy_seconds

    def _relax_patterns(
        self, task: SearchTask, wanted: Sequence[PatternClass], allotment: int
    ) -> None:
        relaxation = Relaxation(task, self.evaluator, self.told, wanted, allotment)
        relaxation.run()
        self._note_all(relaxation.known)
        self.refused = {s.which for s in relaxation.searches if s.n_refused}
        self.complete = {s.which for s in relaxation.searches if s.complete}

    def settle(self, budgets: Sequence[float]) -> None:
        """Draw the worst of every class of the search, before the worst of all is chosen."""
        self.spell(lucky=MOST_LUCKY)
        before, settling = self._worst(budgets), Settling(self.evaluator, len(budgets))
        try:
            settling.settle_leaders([*self._ranked().values()], budgets)
        finally:
            # where time is over in the middle of it, too
            after = self._worst(budgets)
            if after != before:
                self.told.note_draws(after)

    def _worst(self, budgets: Sequence[float]) -> dict[float, float]:
        """By budget, the lowest score."""
        ranked = {budget: self.evaluator.within(budget) for budget in budgets}
        return {budget: found[0].score for budget, found in ranked.items() if found}

    def go_beside(self) -> None:
        """Leave the evaluations of the search as they are from here on."""
        self.evaluator = self.task.evaluator.beside()

    def spell(self, lucky: int = 0) -> None:
        """Find the patterns of every class that strike the rows of the worst of all.

        Parameters
        ----------
        lucky : int, default=0
            Random errors of each class that count though they were drawn once, as they will be
            drawn again.
        """
        settling, ranked = Settling(self.evaluator), self.evaluator.ranked()
        open_ = [which for which in self.classes if not self._forbidden(which)]
        if isinstance(self.task, ProcessTask):
            relaxation = ProcessRelaxation(self.task, self.evaluator, open_, 0)
            for leader in ranked[:LEAST_SPELLED]:
                self._note_all(relaxation.known_of(leader.candidate))
            return
        lowest = {
            which: next((e.score for e in scored if settling.is_drawn(e)), np.inf)
            for which, scored in self._ranked().items()
        }
        left = dict.fromkeys(open_, lucky)
        space = self.task.space
        spaces = {
            (label, own): class_space(space, label=label, own=own)
            for label in (True, False)
            for own in (True, False)
        }
        masks: dict[Any, np.ndarray] = {}
        able = CELLS_READ / (space.table.n_rows * max(len(space.attributes), 1))
        for leader in ranked[: int(np.clip(able, LEAST_SPELLED, MOST_SPELLED))]:
            spellings = Spellings(space, leader.candidate, masks)
            is_drawn = settling.is_drawn(leader)
            for which in open_:
                within = spaces[which.uses_label, which.uses_own_column]
                outdone = lowest.get(which, np.inf) <= leader.score
                if within is None or outdone or not (is_drawn or left[which]):
                    continue
                found = spellings.of_class(which, within)
                if found is None:
                    continue
                self._note_all([found])
                if is_drawn:
                    lowest[which] = leader.score
                else:
                    left[which] -= 1

    def _note_all(self, candidates: Iterable[Candidate]) -> None:
        """Remember that patterns strike the rows of others that were scored."""
        for candidate in candidates:
            known = self.evaluator.done[candidate.key].candidate
            made = spelled(candidate, known)
            self.spelled[known.key].setdefault(class_of(made), made)

    def draw(self) -> None:
        """Draw the worst of the classes that the search left out, as it drew that of its own."""
        known = self.task.evaluator.done
        # what the search scored is as it was when the worst of all was chosen
        left_out = [
            [e for e in scored if e.candidate.key not in known]
            for which, scored in self._ranked().items()
            if self._is_relaxed(which)
        ]
        try:
            Settling(self.evaluator).draw_leaders(left_out)
        finally:
            self._tell_seconds()

    def _ranked(self) -> dict[PatternClass, list[Evaluation]]:
        """What was scored of every class, the lowest score first, by whatever pattern it was."""
        ranked: dict[PatternClass, list[Evaluation]] = {}
        for evaluation in self.evaluator.ranked():
            own = class_of(evaluation.candidate)
            ranked.setdefault(own, []).append(evaluation)
            for which, candidate in self.spelled.get(evaluation.candidate.key, {}).items():
                if which != own:
                    ranked.setdefault(which, []).append(replace(evaluation, candidate=candidate))
        return ranked

    def rows(
        self, worst_score: float, *, proven: bool
    ) -> Iterator[tuple[PatternClass, Evaluation | None, str]]:
        """Every class with the worst that was scored of it, and how it was found.

        What is worst by a lucky draw is passed over where another one of the class is no such.

        Parameters
        ----------
        worst_score : float
            The lowest that the search found, which stands for its class in any case.
        proven : bool
            Whether no candidate of the search can be worse than that.

        Yields
        ------
        tuple of (PatternClass, Evaluation or None, str)
            Without an evaluation where none of the class was scored.
        """
        settling, ranked = Settling(self.evaluator), self._ranked()
        for which, scored in ranked.items():
            told = [e for e in scored if e.score == worst_score or settling.is_drawn(e)]
            ranked[which] = told or scored
        worst = {which: self.worst_of(scored) for which, scored in ranked.items()}
        looked_at = {class_of(e.candidate) for e in self.evaluator.done.values()} | self.refused
        for which in sorted({*self.classes, *worst}):
            found = worst.get(which)
            if found is not None:
                yield which, found, self._how(which, found)
            elif self._forbidden(which):
                yield which, None, NOT_ALLOWED
            elif which in looked_at:
                yield which, None, NONE_FEASIBLE
            else:
                # bounds may leave nothing of a class to score
                bounded = proven and not self._is_relaxed(which)
                yield which, None, SEARCHED if bounded else NOT_TRIED

    def _how(self, which: PatternClass, found: Evaluation) -> str:
        known = self.task.evaluator.done.get(found.candidate.key)
        # a process that lacks a member lacks what the class of all of them has
        if not self._is_relaxed(which) or (known and class_of(known.candidate) == which):
            return SEARCHED
        return ENUMERATED if which in self.complete else RELAXED

    def _forbidden(self, which: PatternClass) -> bool:
        """Whether the user rules a class out."""
        space = self.space
        against = (
            which.uses_label and space.label == "forbidden",
            not which.uses_label and space.label == "required",
            which.uses_own_column and space.own_column == "forbidden",
            not which.uses_own_column and self._hits and space.own_column == "required",
        )
        return any(against)

    def _is_relaxed(self, which: PatternClass) -> bool:
        """Whether defaults alone keep a class out of the search."""
        own = self._hits and self.space.max_conditions > 0 and self.space.own_column is None
        return (not which.uses_label and self.space.label is None and self._by_label) or (
            not which.uses_own_column and own
        )

    @property
    def _hits(self) -> bool:
        """Whether the error hits columns."""
        return any(hit for part in self.task.parts for hit in part.space.allowed)

    @property
    def _by_label(self) -> bool:
        """Whether patterns of the search have conditions on the label."""
        return any(part.space.uses_label for part in self.task.parts)

    def _classes(self) -> Iterator[PatternClass]:
        """All classes that the columns at hand can give."""
        for part in self.task.parts:
            given = n_given(part.space)
            for label in (True, False):
                for own in (True, False):
                    space = class_space(part.space, label=label, own=own)
                    if space is None:
                        continue
                    for depth in range(space.max_conditions + 1):
                        if next(space.templates_of_depth(depth), None) is not None:
                            yield PatternClass(depth + given, label, own)
            if self.space.label == "forbidden":
                # what is ruled out is said too, though it has no candidates
                yield from (c._replace(uses_label=True) for c in self._without_label(part))

    @staticmethod
    def _without_label(part: SearchTask) -> list[PatternClass]:
        return [
            PatternClass(depth + n_given(part.space), False, own)
            for own in (True, False)
            for space in [class_space(part.space, label=False, own=own)]
            if space is not None
            for depth in range(space.max_conditions + 1)
            if next(space.templates_of_depth(depth), None) is not None
        ]


class Alternatives:
    """The worst error of every class of patterns, after a search.

    Parameters
    ----------
    problem : Problem
        The search, done.
    told : Screened
        What candidates were screened on.

    Attributes
    ----------
    lucky : list of int
        Rows of the table, once there is one, whose score may be a lucky draw.
    """

    def __init__(self, problem: Problem, told: Screened) -> None:
        self.problem, self.told, task = problem, told, problem.task
        self.lucky: list[int] = []
        several = isinstance(task, KindsTask)
        tasks = task.kinds if isinstance(task, KindsTask) else {"": task}
        space = problem.settings.space
        self.kinds = {
            kind: KindAlternatives(
                each, space, told.kinds.get(kind, Screened()) if several else told
            )
            for kind, each in tasks.items()
        }

    def any_left_out(self) -> bool:
        """Whether there are classes that defaults alone keep out of the search."""
        return any(each.left_out() for each in self.kinds.values())

    def settle_search(self) -> None:
        """Draw the worst of every class of the search, before the worst of all is chosen."""
        evaluator, budgets = self.problem.evaluator, self.problem.settings.budgets
        try:
            with evaluator.bar.phase("Settling"):
                self._by_turns(lambda kind: kind.settle(budgets))
        finally:
            if len(self.kinds) > 1:
                # the phases of kinds were put together before
                self.told.phases = [
                    {"kind": kind, **phase}
                    for kind, each in self.kinds.items()
                    for phase in each.told.phases
                ]
        for worst in evaluator.ranked()[:1]:
            evaluator.bar.best(worst.score, settled=True)

    def _by_turns(self, work: Callable[[KindAlternatives], None]) -> None:
        """Do some work for one kind after the other, each in its share of a limited time.

        Raises
        ------
        OutOfTime
            If it was over for any of them.
        """
        deadline, n_ended = self.problem.evaluator.deadline, 0
        for i, kind in enumerate(self.kinds.values()):
            with deadline.within(deadline.left() / (len(self.kinds) - i)):
                work(kind)
                n_ended += 1
        if n_ended < len(self.kinds):
            raise OutOfTime

    def go_beside(self) -> None:
        """Leave the evaluations of the search as they are from here on."""
        for each in self.kinds.values():
            each.go_beside()

    def spell(self) -> None:
        """Find other patterns for what was scored."""
        for each in self.kinds.values():
            each.spell()

    def draw(self) -> None:
        """Draw errors that are random again."""
        self._by_turns(KindAlternatives.draw)

    def count(self) -> None:
        """Count what was scored on all rows, where the search holds some of them."""
        all_rows, budget = self.problem.all_rows, self.problem.settings.budgets[-1]
        if all_rows is None:
            return
        for kind, each in self.kinds.items():
            spelled = (one for by_class in each.spelled.values() for one in by_class.values())
            all_rows.settle(each.evaluator, kind, spelled)
            each.worst_of = partial(all_rows.worst, each.evaluator, budget=budget, kind=kind)

    def relax(self) -> None:
        """Search the classes that defaults alone keep out."""
        before = sum(kind.told.seconds for kind in self.kinds.values())
        try:
            self._by_turns(KindAlternatives.relax)
        finally:
            if len(self.kinds) > 1:
                seconds = sum(kind.told.seconds for kind in self.kinds.values())
                self.told.seconds += seconds - before

    def table(
        self,
        worst_score: float,
        ready: Callable[[Evaluation], BaseCorruption],
        proven: Collection[str] = (),
    ) -> pd.DataFrame:
        """The worst of every class.

        Parameters
        ----------
        worst_score : float
            The lowest that the search found.
        ready : callable
            `ready(evaluation) -> BaseCorruption` gives an error as it is handed out.
        proven : collection of str, default=()
            Kinds of error of which none that was searched can be worse than the worst found.

        Returns
        -------
        DataFrame
            A row for each class, of several kinds of error a row for each of them.
        """
        # a single kind has no name here
        names = self.problem.settings.templates
        rows: list[dict[str, Any]] = []
        self.lucky = []
        for name, (kind, each) in zip(names, self.kinds.items(), strict=True):
            is_drawn = Settling(each.evaluator).is_drawn
            for which, found, status in each.rows(worst_score, proven=name in proven):
                if found is not None and not is_drawn(found):
                    self.lucky.append(len(rows))
                rows.append({"kind": kind, **self._row(which, found, status, ready)})
        table = pd.DataFrame(rows, columns=["kind", *COLUMNS]).astype(TYPES)
        return table if len(self.kinds) > 1 else table.drop(columns="kind")

    def _row(
        self,
        which: PatternClass,
        found: Evaluation | None,
        status: str,
        ready: Callable[[Evaluation], BaseCorruption],
    ) -> dict[str, Any]:
        row: dict[str, Any] = which._asdict() | {"columns": (), "pattern": "", "status": status}
        row |= {"rate": np.nan, "score": np.nan, "drop": np.nan, "n_draws": 0, "corruption": None}
        if found is not None:
            chosen = found.candidate
            row |= {"columns": chosen.columns, "pattern": str(chosen.pattern), "rate": chosen.rate}
            row |= {"score": found.score, "drop": self.problem.baseline - found.score}
            row |= {"n_draws": found.n_draws, "corruption": ready(found)}
        return row


def _first(ranked: list[Evaluation]) -> Evaluation | None:
    return ranked[0]


def no_alternatives() -> pd.DataFrame:
    """The table where nothing was found."""
    return pd.DataFrame(columns=[*COLUMNS]).astype(TYPES)
