"""What several errors at once do to every row that a fitted model is served."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

import numpy as np
from sklearn.base import clone

from skcorrupt.base import BaseCorruption, FeatureCorruption, strike_count
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation import Outcome, Split, reseeded, run_tasks
from skcorrupt.metrics import RowScore
from skcorrupt.utils import Sheltered, as_table

from ..candidates import Candidate
from ._company import alike, compared_rows, some_struck
from ._effects import Harm
from ._row_effects import RowEffects, suits_rows

# members of a process up to which all that may strike a row together is predicted
MOST_MEMBERS = 4
# effects on rows that are kept, as numbers
MOST_KEPT = 1 << 24

# members, each by its name and the columns it hits
Joint = tuple[tuple[str, tuple[Any, ...]], ...]


def member_kind(kind: str, name: str) -> str:
    """What a member of a process is called among kinds of error."""
    return f"{kind}\n{name}"


@dataclass(frozen=True, eq=False)
class _Member:
    """A member of a process, and how likely it strikes each row of every split."""

    name: str
    corruption: FeatureCorruption
    columns: tuple[Any, ...]
    chances: list[np.ndarray]


class JointEffects:
    """Scores of processes, whose members strike rows independently, in closed form.

    A row is struck by some of the members, each of them with a probability that depends on the row
    alone, so that its mean contribution is a sum over all sets of members. Which of these can meet
    in a row is predicted once for all processes on the same columns.

    Parameters
    ----------
    effects : RowEffects
        What errors do to rows, of a score that is a sum over them.
    matched : callable
        `matched(corruption, columns)` says which rows can be struck.
    """

    def __init__(
        self,
        effects: RowEffects,
        matched: Callable[[FeatureCorruption, tuple[Any, ...]], np.ndarray],
    ) -> None:
        self.effects, self.matched = effects, matched
        self._harm: dict[tuple[str, Joint], list[Harm]] = {}
        self._unknown: set[tuple[str, Joint]] = set()

    def prepare(self, candidates: Iterable[Candidate]) -> None:
        """Predict what the members of processes do together, where it is not known yet."""
        if len(self._harm) * sum(len(each) for each in self.effects.clean) > MOST_KEPT:
            self._harm.clear()
        wanted: dict[tuple[str, Joint], CorruptionProcess] = {}
        for candidate in candidates:
            members = self._members(candidate) or []
            for some in self._meeting(members):
                key = candidate.kind, _joint(some)
                if len(some) > 1 and key not in self._harm and key not in self._unknown:
                    wanted[key] = _every(some)
        started = time.perf_counter()
        tasks = [
            (split, score, process, [each for _, each in key[1]], answers, clean)
            for key, process in wanted.items()
            for split, score, answers, clean in zip(
                self.effects.splits,
                self.effects.scores,
                self.effects.answers,
                self.effects.clean,
                strict=True,
            )
        ]
        found = run_tasks(
            _struck_jointly,
            tasks,
            n_jobs=self.effects.starting.jobs(len(tasks), self.effects.slowest),
            done=lambda _: self.effects.tick(),
        )
        n = len(self.effects.splits)
        for i, key in enumerate(wanted):
            own = [each for each in found[i * n : (i + 1) * n] if each is not None]
            if len(own) == n:
                self._harm[key] = own
            else:
                self._unknown.add(key)
        self.effects.seconds += time.perf_counter() - started

    def knows(self, candidate: Candidate) -> bool:
        """Whether the score of a process is known without drawing it."""
        members = self._members(candidate)
        if members is None:
            return False
        keys = [(candidate.kind, _joint(some)) for some in self._meeting(members) if len(some) > 1]
        if any(key not in self._harm and key not in self._unknown for key in keys):
            self.prepare([candidate])
        return self._unknown.isdisjoint(keys)

    def outcomes(self, candidate: Candidate) -> list[Outcome]:
        """What comes of a process on every split, the mean over which rows its members strike."""
        members = cast("list[_Member]", self._members(candidate))
        found = []
        for i, total in enumerate(self.effects.sums()):
            chances = [member.chances[i] for member in members]
            harm = 0.0
            for some in _subsets(members):
                chance = _chance(chances, [member in some for member in members])
                if chance.any():
                    harm += float(chance @ self._of(candidate.kind, some)[i].each)
            free = math.prod([1.0 - chance for chance in chances], start=np.ones(len(chances[0])))
            found.append(Outcome(score=total - harm, row_fraction=float(1.0 - free.mean())))
        return found

    def _of(self, kind: str, some: Sequence[_Member]) -> list[Harm]:
        if len(some) > 1:
            return self._harm[(kind, _joint(some))]
        (one,) = some
        return self.effects.of(member_kind(kind, one.name), one.corruption, one.columns)[0]

    def _members(self, candidate: Candidate) -> list[_Member] | None:
        """The members of a process, None where their effects are not known, or not independent."""
        process = candidate.corruption
        if not isinstance(process, CorruptionProcess) or process.noise:
            return None
        if len(process.corruptions) > MOST_MEMBERS:
            return None
        found = []
        for name, member in process.corruptions:
            if not _is_plain(member):
                return None
            columns = tuple(cast("Sequence[Any]", member.columns))
            kind = member_kind(candidate.kind, name)
            if not self.effects.known(kind, member, columns):
                return None
            if self.effects.of(kind, member, columns)[1]:
                # of random values each draw is another one
                return None
            matched = self.matched(member, columns)
            chances = []
            for split in self.effects.splits:
                own = matched[split.test]
                n = int(np.count_nonzero(own))
                chances.append(own * (strike_count(cast("float", member.rate), n) / max(n, 1)))
            found.append(_Member(name, member, columns, chances))
        return found

    @staticmethod
    def _meeting(members: Sequence[_Member]) -> list[list[_Member]]:
        """The sets of members that may strike one row together."""
        return [
            some
            for some in _subsets(members)
            if any(
                np.logical_and.reduce([m.chances[i] > 0 for m in some]).any()
                for i in range(len(some[0].chances))
            )
        ]


def _is_plain(member: BaseCorruption) -> TypeGuard[FeatureCorruption]:
    """Whether a member strikes rows by what they hold, in columns and at a rate that are set."""
    return (
        isinstance(member, FeatureCorruption)
        and suits_rows(member)
        and member._reads == "row"
        and not getattr(member, "outside_ratio", 0.0)
        and isinstance(member.columns, (list, tuple))
        and member.rate is not None
    )


def _joint(members: Sequence[_Member]) -> Joint:
    return tuple((member.name, member.columns) for member in members)


def _subsets(members: Sequence[_Member]) -> list[list[_Member]]:
    sizes = range(1, len(members) + 1)
    return [[*some] for n in sizes for some in itertools.combinations(members, n)]


def _chance(chances: Sequence[np.ndarray], struck: Sequence[bool]) -> np.ndarray:
    """How likely each row is struck by some members and by no others."""
    each = [own if by else 1.0 - own for own, by in zip(chances, struck, strict=True)]
    return np.prod(each, axis=0)


def _every(members: Sequence[_Member]) -> CorruptionProcess:
    """The members in all rows."""
    return CorruptionProcess(
        [
            (member.name, clone(member.corruption).set_params(rate=1.0, pattern=None))
            for member in members
        ]
    )


def _struck_jointly(
    split: Split,
    score: RowScore,
    process: CorruptionProcess,
    columns: Sequence[tuple[Any, ...]],
    answers: Any,
    clean: np.ndarray,
) -> Harm | None:
    """What is taken from every row that all members strike; None where that is not known."""
    model = Sheltered(split.model)
    drawn = reseeded(process, 0).fit(split.X_train, split.y_train)
    try:
        struck = np.asarray(score.ask(model, drawn.corrupt(split.X_test, split.y_test).X))
        each = np.asarray(score.each(struck), dtype=float)
        half = reseeded(process, 0)
        half.set_params(**{f"{name}__rate": 0.5 for name, _ in process.corruptions})
        X, hit = some_struck(split, half)
        mixed = np.asarray(score.ask(model, X))
    except Exception:
        # what the model says of it is seen where it is drawn
        return None
    rows = compared_rows(len(clean))
    labels = [*as_table(split.X_test).labels]
    by_member = [hit[:, [labels.index(c) for c in own]].any(axis=1) for own in columns]
    every, none = np.logical_and.reduce(by_member), ~hit.any(axis=1)
    for known, some in ((struck, every), (np.asarray(answers), none)):
        if not alike(mixed[some], known[rows][some]):
            return None
    return Harm.of(clean - each)
