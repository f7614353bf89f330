"""Several errors at once as one candidate, within one budget."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from sklearn.base import clone

from skcorrupt.base import BaseCorruption, FeatureCorruption, SampleCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import Table, Target, resolve_columns

from ._candidate import Candidate
from ._overlap import Overlap, Part


class MemberPatterns(dict[str, Any]):
    """The pattern of each member of a process by name, readable as text."""

    def __str__(self) -> str:
        return "; ".join(f"{name}: {pattern}" for name, pattern in self.items())


@dataclass(frozen=True, eq=False)
class Choice:
    """Where one member of a process strikes.

    Attributes
    ----------
    candidate : Candidate
        The member on its own; its rate is not used.
    bits : ndarray of uint8
        Rows it can strike, packed.
    step : float
        Share of the largest possible rate.
    """

    candidate: Candidate
    bits: np.ndarray
    step: float = 1.0

    def mask(self, n_rows: int) -> np.ndarray:
        """Rows it can strike."""
        return np.unpackbits(self.bits, count=n_rows).astype(bool)


@dataclass(frozen=True, eq=False)
class ProcessCandidate(Candidate):
    """A process as a candidate, with what it was made of.

    Attributes
    ----------
    choices : dict of str to Choice
        The members that are searched, but for those that strike nothing.
    weights : dict of str to float
        Their shares of the budget.
    """

    choices: Mapping[str, Choice] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass
class ProcessMaker:
    """Makes one process of what is chosen for its members.

    Attributes
    ----------
    process : CorruptionProcess
        The template.
    searched : list of str
        Members that are searched; the others are kept as they are.
    table, target : Table, Target
        The data searched on.
    trains : list of ndarray of int
        Training rows of every split.
    """

    process: CorruptionProcess
    searched: list[str]
    table: Table
    target: Target
    trains: list[np.ndarray]

    def __post_init__(self) -> None:
        self.kept = {
            name: member for name, member in self.process.corruptions if name not in self.searched
        }
        self.noise = {
            name: group for group, names in (self.process.noise or {}).items() for name in names
        }
        self._kept_parts = {
            name: kept_parts(member, self.table, self.target, self._noise_of(name, member))
            for name, member in self.kept.items()
        }
        self._kept_columns = {
            name: [self.table.labels[j] for j in member._learn(self.table, self.target).columns]
            for name, member in self.kept.items()
        }

    def kept_fraction(self) -> float:
        """Largest fraction of the rows of a split that the members kept strike."""
        parts = [part for name in self.kept for part in self._kept_parts[name]]
        if not parts:
            return 0.0
        overlap = Overlap(parts, self.trains)
        rates = np.array([part.rate for part in parts], dtype=float)
        return float((overlap.most(overlap.counts(rates)) / overlap.sizes).max())

    def join(
        self, choices: Mapping[str, Choice], weights: Mapping[str, float], budget: float
    ) -> ProcessCandidate:
        """One process of the members chosen and the members kept.

        Parameters
        ----------
        choices : dict of str to Choice
            Where members strike; those without a share are left out.
        weights : dict of str to float
            Shares of the budget that is left by members kept.
        budget : float
            Largest fraction of the rows of a split that the process strikes.

        Returns
        -------
        ProcessCandidate
            With the reason where it is refused.
        """
        chosen = {name: choices[name] for name in choices if weights.get(name, 0) > 0}
        names = [name for name, _ in self.process.corruptions if name in {**self.kept, **chosen}]
        parts, owners = [], []
        for name in sorted(names, key=lambda n: not self._drops(n)):
            own = self._parts(name, chosen, weights)
            parts += own
            owners += [name] * len(own)
        overlap = Overlap(parts, self.trains)
        rates = overlap.rates(budget)
        refused = self._clash(chosen)
        if rates is None:
            refused = refused or "over budget at the rates that are given"
            rates = np.zeros(len(parts))
        for name, choice in chosen.items():
            rates[owners.index(name)] *= choice.step
        by_name = {name: float(rates[owners.index(name)]) for name in chosen}
        certain = dict(zip(owners, overlap.certain(rates), strict=True))
        if any(certain[name] < 1 for name in chosen):
            refused = refused or "one error leaves no row for another in some split"
        return self._candidate(names, chosen, by_name, weights, refused)

    def _candidate(
        self,
        names: Sequence[str],
        chosen: Mapping[str, Choice],
        rates: Mapping[str, float],
        weights: Mapping[str, float],
        refused: str,
    ) -> ProcessCandidate:
        given = dict(self.process.corruptions)
        members: list[tuple[str, BaseCorruption]] = []
        patterns: Any = MemberPatterns()
        columns: list[Any] = []
        digest = hashlib.blake2b(digest_size=16)
        for name in names:
            choice = chosen.get(name)
            if choice is None:
                member = clone(given[name])
                patterns[name] = as_pattern(member.pattern)
                columns += self._kept_columns[name]
            else:
                candidate = choice.candidate
                member = clone(candidate.corruption).set_params(rate=rates[name])
                patterns[name] = candidate.pattern
                columns += candidate.columns
                digest.update(repr((name, candidate.columns, candidate.target)).encode())
                digest.update(repr(rates[name]).encode() + choice.bits.tobytes())
            members.append((name, member))
        noise = {
            group: [name for name in grouped if name in names]
            for group, grouped in (self.process.noise or {}).items()
        }
        noise = {group: grouped for group, grouped in noise.items() if len(grouped) > 1}
        targets = [c.candidate.target for c in chosen.values() if c.candidate.target is not None]
        process = CorruptionProcess(
            members, noise=noise or None, random_state=self.process.random_state
        )
        return ProcessCandidate(
            corruption=process,
            pattern=patterns,
            columns=tuple(columns),
            target=targets[0] if targets else None,
            rate=next(iter(rates.values())) if len(rates) == 1 else np.nan,
            depth=max((c.candidate.depth for c in chosen.values()), default=0),
            key=digest.digest(),
            refused=refused,
            choices=dict(chosen),
            weights={name: float(weights[name]) for name in chosen},
        )

    def _parts(
        self, name: str, chosen: Mapping[str, Choice], weights: Mapping[str, float]
    ) -> list[Part]:
        if name not in chosen:
            return self._kept_parts[name]
        choice = chosen[name]
        member = cast("BaseCorruption", choice.candidate.corruption)
        return [
            Part(
                mask=choice.mask(self.table.n_rows),
                rate=self._given(name),
                weight=weights[name],
                strikes=n_strikes(member, self.table),
                drops=self._drops(name),
                noise=self._noise_of(name, member),
            )
        ]

    def _given(self, name: str) -> float | None:
        """The rate that the template sets."""
        rate = dict(self.process.corruptions)[name].rate
        return None if rate is None else float(rate)

    def _drops(self, name: str) -> bool:
        return dict(self.process.corruptions)[name]._drops

    def kept_mask(self, name: str) -> np.ndarray:
        """Rows that a member that is kept can strike."""
        return self._kept_parts[name][0].mask

    def _noise_of(self, name: str, member: BaseCorruption) -> object:
        """Members of one group order rows alike, unless something else decides on the order."""
        group = self.noise.get(name)
        if group is None or member._drops:
            return None
        base = FeatureCorruption if member.strikes == "cells" else SampleCorruption
        plain = member.mechanism is None and not _overrides(member, base, "_scores", "_edit")
        plain &= n_strikes(member, self.table) == 1
        return (group, member.sampling) if plain else None

    def _clash(self, chosen: Mapping[str, Choice]) -> str:
        owners: dict[Any, str] = {}
        hits = {name: choice.candidate.columns for name, choice in chosen.items()}
        for name, columns in {**self._kept_columns, **hits}.items():
            for column in columns:
                if column in owners:
                    return "two members strike one column"
                owners[column] = name
        return ""


def kept_parts(member: BaseCorruption, table: Table, target: Target, noise: object) -> list[Part]:
    """A member that is kept as parts with rates: inside its pattern and, for some, outside."""
    parts = member._parts(table, target, None)
    if isinstance(member, SampleCorruption):
        reference = member._learn(table, target)
        parts = [(member._eligible(rows, target, reference), rate) for rows, rate in parts]
    every, strikes = np.ones(table.n_rows, dtype=bool), n_strikes(member, table)
    shared = noise if len(parts) == 1 else None
    return [
        Part(
            every if mask is None else mask,
            rate,
            strikes=strikes,
            drops=member._drops,
            noise=shared,
        )
        for mask, rate in parts
    ]


def n_strikes(member: BaseCorruption, table: Table) -> int:
    """How often a member draws rows: once, or for every column with `same_rows=False`."""
    if getattr(member, "same_rows", True) or member.columns is None:
        return 1
    return len(resolve_columns(table, member.columns))


def _overrides(member: BaseCorruption, base: type, *names: str) -> bool:
    return any(getattr(type(member), name) is not getattr(base, name) for name in names)


def member_columns(candidates: Sequence[Candidate]) -> dict[str, list[Any]]:
    """Columns of a table of candidates: pattern and rate of each member of a process.

    A member that is left out of a candidate, or is of another process of a list of kinds, has the
    pattern "" and the rate 0.
    """
    members = [
        dict(c.corruption.corruptions) if isinstance(c.corruption, CorruptionProcess) else {}
        for c in candidates
    ]
    patterns: list[dict[str, Any]] = [
        c.pattern if isinstance(c.pattern, dict) else {} for c in candidates
    ]
    table: dict[str, list[Any]] = {}
    for name in dict.fromkeys(name for each in members for name in each):
        table[f"{name}__pattern"] = [str(each.get(name, "")) for each in patterns]
        table[f"{name}__rate"] = [
            float(cast("float", each[name].rate)) if name in each else 0.0 for each in members
        ]
    return table
