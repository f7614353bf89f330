"""Several kinds of error as one task: each has candidates of its own, all share the fits."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skcorrupt.base import BaseCorruption

from ._candidate import Candidate
from ._evaluation import Evaluation, Ranking
from ._evaluator import Evaluator
from ._search_task import ProcessTask, SearchTask


class KindEvaluator(Evaluator):
    """What the strategy sees of the scores of one kind of error among several.

    Parameters
    ----------
    shared : Evaluator
        Scores candidates of all kinds, and remembers them by keys that tell kinds apart.
    kind : str
        The name of the kind.
    """

    def __init__(self, shared: Evaluator, kind: str) -> None:
        vars(self).update({**vars(shared), "done": {}, "ranking": Ranking()})
        self.shared, self.kind = shared, kind

    def beside(self) -> KindEvaluator:
        """An evaluator that knows what this one scored, and keeps to itself what it scores."""
        beside = KindEvaluator(self.shared.beside(), self.kind)
        # all kinds together know of draws that were added, and of candidates at lower rates
        own = {self.named(e.candidate).key: e.candidate for e in self.done.values()}
        for key, e in self.shared.done.items():
            known = own.get(key) or own.get(e.candidate.origin)
            if known is not None:
                candidate = known
                if key not in own:
                    candidate = dataclasses.replace(e.candidate, kind="", origin=known.key)
                beside.done[candidate.key] = dataclasses.replace(e, candidate=candidate)
        return beside

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        """Score those candidates that are new.

        Parameters
        ----------
        candidates : sequence of Candidate
            Candidates of this kind.
        """
        new = {c.key: c for c in candidates if c.key not in self.done}
        named = {key: self.named(candidate) for key, candidate in new.items()}
        try:
            self.shared.evaluate([*named.values()])
        finally:
            for key, candidate in new.items():
                scored = self.shared.done.get(named[key].key)
                if scored is not None:
                    order = len(self.done)
                    # a check may let it pass at a lower rate only
                    found = scored.candidate
                    own = dataclasses.replace(
                        candidate,
                        corruption=found.corruption,
                        rate=found.rate,
                        refused=found.refused,
                    )
                    self.done[key] = dataclasses.replace(scored, candidate=own, order=order)

    @property
    def root(self) -> Evaluator:
        """What scores candidates of all kinds of error."""
        return self.shared.root

    def knows_mean(self, candidate: Candidate) -> bool:
        """Whether the score is the mean over all draws of struck rows, in closed form."""
        return self.shared.knows_mean(self.named(candidate))

    def is_random(self, candidate: Candidate) -> bool:
        """Whether another draw of a candidate's errors is another data set."""
        return self.shared.is_random(self.named(candidate))

    def draw_again(self, evaluations: Sequence[Evaluation], n_draws: int) -> None:
        """Draw errors that are random until each was drawn so often.

        Parameters
        ----------
        evaluations : sequence of Evaluation
            Of this kind.
        n_draws : int
            How often at least.
        """
        scored = {self.named(e.candidate).key: e for e in evaluations}
        try:
            self.shared.draw_again([self.shared.done[key] for key in scored], n_draws)
        finally:
            for key, e in scored.items():
                again = self.shared.done[key]
                self.done[e.candidate.key] = dataclasses.replace(
                    again, candidate=e.candidate, order=e.order
                )

    @property
    def bar(self) -> Any:
        """What shows progress, of all kinds together."""
        return self.shared.bar

    @bar.setter
    def bar(self, bar: Any) -> None:
        self.shared.bar = bar

    @property
    def busy_seconds(self) -> float:
        """Seconds spent in fits and scores, of all kinds together."""
        return self.shared.busy_seconds

    @busy_seconds.setter
    def busy_seconds(self, seconds: float) -> None:
        self.shared.busy_seconds = seconds

    @property
    def found_any(self) -> bool:
        """Whether a feasible candidate of any kind was scored."""
        return self.shared.found_any

    @found_any.setter
    def found_any(self, found: bool) -> None:
        self.shared.found_any = found

    @property
    def seconds_per_fit(self) -> float:
        """Seconds from one fit to the next, of all kinds together."""
        return self.shared.seconds_per_fit

    def named(self, candidate: Candidate) -> Candidate:
        """A candidate as all kinds together know it."""
        digest = hashlib.blake2b(candidate.key + self.kind.encode(), digest_size=16)
        return dataclasses.replace(candidate, key=digest.digest(), kind=self.kind)


@dataclass(frozen=True)
class KindsTask:
    """The search for the worst of several kinds of error, of which one strikes.

    Attributes
    ----------
    kinds : dict of str to SearchTask or ProcessTask
        The search for each kind, by its name.
    evaluator : Evaluator
        Scores candidates of all kinds.
    budgets : tuple of float
        Largest fractions of rows struck in a split, the smallest first.
    """

    kinds: Mapping[str, SearchTask | ProcessTask]
    evaluator: Evaluator
    budgets: tuple[float, ...]

    @property
    def parts(self) -> Sequence[SearchTask]:
        """The searches of all kinds, of processes those of their members."""
        return [part for task in self.kinds.values() for part in task.parts]

    @property
    def refused(self) -> Counter[str]:
        """Why candidates were not evaluated, of all kinds together."""
        return sum((task.refused for task in self.kinds.values()), Counter())

    def random_draws(self, chosen: Candidate) -> Sequence[BaseCorruption]:
        """Errors of a candidate's kind and size, one for each split."""
        return self.kinds[chosen.kind].random_draws(chosen)
