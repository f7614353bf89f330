"""Scores of one member of a process alone, as processes in which it strikes by itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import cast

from ._candidate import Candidate
from ._evaluator import Evaluator
from ._kinds_task import KindEvaluator
from ._member_space import MemberSpace
from ._process_candidate import Choice, ProcessMaker


class MemberEvaluator(KindEvaluator):
    """What a strategy sees of the scores of processes that have one member.

    Parameters
    ----------
    shared : Evaluator
        Scores processes.
    space : MemberSpace
        Makes the process of a member.
    """

    def __init__(self, shared: Evaluator, space: MemberSpace) -> None:
        super().__init__(shared, shared.kind if isinstance(shared, KindEvaluator) else "")
        self._maker = cast("ProcessMaker", space.maker)
        self._joined: dict[bytes, Candidate] = {}
        self._made: dict[bytes, tuple[Choice, float]] = {}
        self.alone = dataclasses.replace(space, maker=None, made=self._made)

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        """Score those candidates that are new.

        Parameters
        ----------
        candidates : sequence of Candidate
            The member on its own, as `alone` makes it.
        """
        new = {c.key: c for c in candidates if c.key not in self.done}
        joined = {key: self.named(candidate) for key, candidate in new.items()}
        try:
            self.shared.evaluate([each for each in joined.values() if not each.refused])
        finally:
            for key, candidate in new.items():
                scored = self.shared.done.get(joined[key].key)
                if scored is not None:
                    order = len(self.done)
                    self.done[key] = dataclasses.replace(scored, candidate=candidate, order=order)

    def named(self, candidate: Candidate) -> Candidate:
        """The process in which a member strikes by itself."""
        if candidate.key not in self._joined:
            (choice, budget), name = self._made[candidate.key], self.alone.name
            self._joined[candidate.key] = self._maker.join({name: choice}, {name: 1.0}, budget)
        return self._joined[candidate.key]
