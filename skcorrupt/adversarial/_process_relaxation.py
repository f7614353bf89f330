"""Processes without a condition that is required by default alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from sklearn.base import clone

from skcorrupt.patterns import Pattern
from skcorrupt.utils import column_key

from .candidates import (
    Candidate,
    Choice,
    Evaluator,
    MemberSpace,
    PatternClass,
    ProcessCandidate,
    ProcessTask,
    class_of,
)


class ProcessRelaxation:
    """The worst processes of a search without what classes are without.

    Members lose their conditions on the label, on the columns that they hit, or both, and keep
    the others with their bounds; rates fill the budget again, in the proportions that they had.

    Parameters
    ----------
    task : ProcessTask
        The search, done.
    evaluator : Evaluator
        Scores candidates; what the search scored it remembers.
    classes : sequence of PatternClass
        Those to search.
    allotment : int
        Most candidates that are scored.
    """

    def __init__(
        self,
        task: ProcessTask,
        evaluator: Evaluator,
        classes: Sequence[PatternClass],
        allotment: int,
    ) -> None:
        self.task, self.evaluator, self.left = task, evaluator, allotment
        self.classes = list(classes)
        # processes that strike the rows of others that were scored
        self.known: list[Candidate] = []
        self.leaders = [e.candidate for e in task.evaluator.ranked()]

    def run(self) -> None:
        """Score what becomes of the worst processes, of all classes in turn."""
        waiting = [self._proposals(which) for which in self.classes]
        while waiting and self.left > 0:
            chosen: dict[bytes, Candidate] = {}
            for proposals in [*waiting]:
                if len(chosen) >= self.left:
                    break
                candidate = next(proposals, None)
                if candidate is None:
                    waiting.remove(proposals)
                else:
                    chosen[candidate.key] = candidate
            self.evaluator.evaluate([*chosen.values()])
            self.left -= len(chosen)

    def _proposals(self, which: PatternClass) -> Iterator[Candidate]:
        """Relaxed processes of a class that were not scored before."""
        seen: set[bytes] = set()
        for leader in self.leaders:
            made = self._made(leader, which)
            if made is None or made.key in seen:
                continue
            seen.add(made.key)
            if made.key in self.evaluator.done:
                self.known.append(made)
            else:
                yield made

    def known_of(self, leader: Candidate) -> Iterator[Candidate]:
        """Processes of all classes that are a scored one without some of its conditions.

        Parameters
        ----------
        leader : Candidate
            What was scored.

        Yields
        ------
        Candidate
            Those that strike the rows of others that were scored, most often its own.
        """
        for which in self.classes:
            made = self._made(leader, which)
            if made is not None and made.key in self.evaluator.done:
                yield made

    def _made(self, leader: Candidate, which: PatternClass) -> Candidate | None:
        """A process of a class, None where there is none."""
        made = self._relaxed(cast("ProcessCandidate", leader), which)
        return None if made is None or made.refused or class_of(made) != which else made

    def _relaxed(self, leader: ProcessCandidate, which: PatternClass) -> ProcessCandidate | None:
        """A process without what a class is without; None where it cannot be."""
        choices: dict[str, Choice] = {}
        for name, choice in leader.choices.items():
            space = cast("MemberSpace", self.task.members[name].space)
            own = choice.candidate
            conditions = _kept(own, space, which)
            try:
                pattern = space.base_pattern & type(own.pattern)(conditions)
                made: Any = space.transfer(pattern, own.columns, own.target)
            except ValueError:
                return None
            if made.refused:
                return None
            choices[name] = _spelled(made.choices[name], pattern)
        return self.task.maker.join(choices, leader.weights, self.task.budgets[-1])


def _spelled(choice: Choice, pattern: Pattern) -> Choice:
    """Where a member strikes by a pattern, where another one of the same rows was made before."""
    known = choice.candidate
    if known.pattern == pattern:
        return choice
    corruption = clone(known.corruption).set_params(pattern=pattern)
    return replace(choice, candidate=replace(known, pattern=pattern, corruption=corruption))


def _kept(own: Candidate, space: MemberSpace, which: PatternClass) -> Mapping[str, Any]:
    """The conditions that a member keeps."""
    hit = {column_key(column) for column in own.columns}
    given = space.base_pattern.conditions
    return {
        key: condition
        for key, condition in own.pattern.conditions.items()
        if key not in given
        and (which.uses_label or key != "y")
        and (which.uses_own_column or key not in hit)
    }
