"""Candidates of one member of a process, each as the process it is part of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.patterns import Pattern

from ._candidate import Candidate, Template
from ._candidate_space import CandidateSpace
from ._process_candidate import Choice, ProcessMaker


@dataclass
class MemberSpace(CandidateSpace):
    """Candidates of one member of a process, each as the process it is part of.

    Attributes
    ----------
    name : str
        The member.
    maker : ProcessMaker or None
        What makes processes; None gives the member on its own.
    kept : float
        Largest fraction of rows that the members kept strike; `budget` is what they leave.
    held : dict of str to Choice
        Where other members strike meanwhile.
    weights : dict of str to float
        Shares of the budget; without one for the member it has all.
    made : dict of bytes to tuple of Choice and float, or None
        Filled in with where the member strikes on its own, by key, and the budget of the process.
    """

    name: str = ""
    maker: ProcessMaker | None = None
    kept: float = 0.0
    held: dict[str, Choice] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    made: dict[bytes, tuple[Choice, float]] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._joined: dict[tuple[Any, ...], Candidate] = {}

    def _made(
        self,
        template: Template,
        pattern: Pattern,
        mask: np.ndarray | None,
        target: Any,
        step: float,
    ) -> Candidate:
        own = super()._made(template, pattern, mask, target, step)
        if own.refused or (self.maker is None and self.made is None):
            return own
        known = own.key, step
        if known in self._joined:
            return self._joined[known]
        bits = np.packbits(np.ones(self.table.n_rows, dtype=bool) if mask is None else mask)
        if self.made is not None:
            self.made[own.key] = Choice(own, bits, step), max(0.0, self.budget) + self.kept
            return own
        self._joined[known] = self.joined(Choice(own, bits, step))
        return self._joined[known]

    def joined(self, choice: Choice) -> Candidate:
        """The process in which the member strikes as chosen, the others as held."""
        if self.maker is None:
            return choice.candidate
        weights = self.weights or {self.name: 1.0}
        return self.maker.join(
            {**self.held, self.name: choice}, weights, max(0.0, self.budget) + self.kept
        )
