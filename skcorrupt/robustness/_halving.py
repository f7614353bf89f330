"""Candidates compete: ever fewer of them are attacked with ever more effort."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.adversarial._interruption import Interruption
from skcorrupt.adversarial._time_too_short import TimeTooShort
from skcorrupt.adversarial.candidates import Candidate, SearchTask, some_candidates
from skcorrupt.adversarial.proxies import Screened
from skcorrupt.adversarial.strategies import SearchStrategy
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import CALLBACK, Stopped, going_on
from skcorrupt.utils import told
from skcorrupt.utils._typing import FilePath

from ._attack import Attack
from ._left_out import left_out_table, place_of, some_raised, struck_in_words
from ._shares_of_time import SharesOfTime

# of every three, one goes on, and so many are searched fully beside the given parameters
SHARE, FINALISTS = 3, 3
# errors of a pipeline that others are struck with, and most of them on the same columns
HARDEST, ON_COLUMNS = 8, 3
# what a short search tries before it refines the worst
TRIED = 16
# of scores that are compared
ROUNDING = 1e-12

STOPPED, FINALIST, LOST, FAILED = "stopped", "finalist", "loses too much on clean data", "failed"
ENDED = "ended early"
# rungs: struck with known errors, searched shortly, searched fully
STRUCK, SHORTLY, FULLY = 1, 2, 3


class ShortSearch(SearchStrategy):
    """A few random errors of short patterns; the worst, known ones included, is refined after."""

    def run(self, task: SearchTask, told: Screened) -> None:
        """Score them.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Left as it is.
        """
        seed = task.evaluator.seed
        for space in task.spaces:
            task.evaluator.evaluate(some_candidates(space, TRIED, seed))

    def most_evaluations(self, task: SearchTask) -> int:
        """As many for each budget.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            How many.
        """
        return TRIED * len(task.budgets)

    def run_process(self, climb: Any, told: Screened) -> None:
        """Of processes only known ones are scored, as a climb is as long as a search.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.
        told : Screened
            Left as it is.
        """


@dataclass
class Rival:
    """A candidate: parameters, and what came of them.

    Attributes
    ----------
    index : int
        Place among all.
    params : dict
        Parameters.
    clean : ndarray of float
        Clean score on every split.
    seconds : ndarray of float, shape (n_splits, 2)
        What each clean fit and its score took.
    status : str
        What became of it.
    rung : int
        0: scored on clean data; 1: struck with known errors; 2: searched shortly; 3: fully.
    worst_score : float
        The lowest score of any error that it was struck with; NaN where there is none.
    worst_scores : ndarray of float
        The same on every split.
    worst_corruption : BaseCorruption or None
        That error.
    n_draws : int
        How often it was drawn; 0 where there is none.
    cut_short : bool
        Whether its search was ended by the clock, or it was not searched as all was ended early.
    attack : Attack or None
        What was done to it; None once it is out.
    raised : set of bytes or None
        Keys of errors on which it raised, once it has failed; None where it was not attacked.
    """

    index: int
    params: dict[str, Any]
    clean: np.ndarray
    seconds: np.ndarray
    status: str = ""
    rung: int = 0
    worst_score: float = np.nan
    worst_scores: np.ndarray = field(init=False)
    worst_corruption: BaseCorruption | None = None
    n_draws: int = 0
    cut_short: bool = False
    attack: Attack | None = None
    raised: set[bytes] | None = None

    def __post_init__(self) -> None:
        self.worst_scores = np.full(len(self.clean), np.nan)

    @property
    def clean_score(self) -> float:
        """Mean clean score."""
        return float(np.mean(self.clean))

    def fail(self, message: str) -> None:
        """Take it out, as the pipeline failed."""
        if self.attack is not None:
            self.raised = self.attack.raised_keys
        self.status, self.attack = f"{FAILED}: {message}", None
        self.worst_score, self.worst_corruption, self.n_draws = np.nan, None, 0
        self.worst_scores = np.full(len(self.clean), np.nan)

    @property
    def failed(self) -> bool:
        """Whether the pipeline failed."""
        return self.status.startswith(FAILED)

    def note(self) -> None:
        """Take over what the attack has found so far."""
        if self.attack is not None:
            self.worst_score, worst = self.attack.worst_score, self.attack.worst
            self.worst_corruption = None if worst is None else worst.candidate.corruption
            self.worst_scores = self.clean if worst is None else worst.scores
            self.n_draws = 0 if worst is None else worst.n_draws


@dataclass
class Halving:
    """Successive halving over candidates and the effort of attacks.

    Attributes
    ----------
    rivals : list of Rival
        All candidates.
    given : Rival
        That of the given parameters, which is in every round.
    attack_on : callable
        `attack_on(rival) -> Attack` lays a search out.
    max_clean_loss : float
        What a candidate may lose on clean data.
    tell : callable
        Called with what is done next.
    shares : SharesOfTime
        What full searches may take.
    journal : str, Path or None, default=None
        What an interruption tells to go on from.
    pool : dict of bytes to Candidate
        Errors that were hard for some pipeline, or on which it raised.
    taken : set of bytes
        Keys of errors on which one raises and that another one takes.
    interruption : Interruption
        Ends it early; those who were searched fully until then are compared.
    most_steps : int
        How often it tells what is done next, at most, once it has begun.
    """

    rivals: list[Rival]
    given: Rival
    attack_on: Callable[[Rival], Attack]
    max_clean_loss: float
    tell: Callable[[str], None]
    shares: SharesOfTime
    journal: FilePath | None = None
    pool: dict[bytes, Candidate] = field(default_factory=dict)
    taken: set[bytes] = field(default_factory=set)
    interruption: Interruption = field(init=False)
    most_steps: int = field(init=False, default=1)
    _given_done: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.interruption = Interruption(self._enough)

    def run(self) -> Rival:
        """Let them compete.

        Returns
        -------
        Rival
            The best: the highest worst score, the given parameters among equals, then the
            highest clean score.
        """
        least = self.given.clean_score - self.max_clean_loss - ROUNDING
        for rival in self.rivals:
            if not rival.failed and rival is not self.given and rival.clean_score < least:
                rival.status = LOST
        n = sum(not r.status and r is not self.given for r in self.rivals)
        self.most_steps = 1 + min(n, FINALISTS)
        if n > FINALISTS:
            further = going_further(n)
            self.most_steps += n + (further if further > FINALISTS else 0)
        finalists = [self.given]
        with self.interruption.ends(lambda cause: self._interrupted(cause, len(finalists))):
            self._compete(finalists)
        for rival in self.rivals:
            if not rival.status and not any(rival is each for each in finalists):
                # where it is not searched to its end, what was found of it is too little
                rival.status, rival.attack, rival.cut_short = ENDED, None, True
        finalists = [r for r in finalists if not r.failed]
        with self.interruption.ends(lambda cause: self._interrupted(cause, len(finalists))):
            self._share(finalists)
            for rival in finalists:
                self._settle(rival)
        standing = self._standing(finalists)
        for rival in standing:
            rival.note()
            rival.status = FINALIST
        return min(standing, key=self._place, default=self.given)

    def _enough(self) -> bool:
        """Whether there is anything that candidates can be compared with."""
        attack = self.given.attack
        return self._given_done or (attack is not None and attack.worst is not None)

    def _interrupted(self, cause: str, n: int) -> str:
        """What is said of a contest that was ended early."""
        again = "" if cause == CALLBACK else f" {cause} again stops that by raising."
        return (
            f"The search was ended by {cause} when {n} of {len(self.rivals)} candidates had been "
            "searched, the given parameters among them. These are compared, and the choice is not "
            f"confirmed; others have the status {ENDED!r}.{again} "
            f"{going_on(self.journal)}"
        )

    def _tell(self, what: str) -> None:
        """Tell what is done next, unless a callback asked for an end before."""
        listens = told()
        if listens is not None and listens.stopped and self._given_done:
            raise Stopped
        self.tell(what)

    def _compete(self, finalists: list[Rival]) -> None:
        """Rounds of ever fewer candidates; those who are searched fully become finalists."""
        self._search(self.given, "the given parameters")
        self._given_done = True
        self._share([self.given])
        left = [r for r in self.rivals if not r.status and r is not self.given]
        # without known errors nothing tells candidates apart but clean scores
        if len(left) > FINALISTS and self.pool:
            left = self._known(left)
            left = self._keep(left, going_further(len(left)))
        if len(left) > FINALISTS:
            left = self._keep(self._short(left), FINALISTS)
        for rival in left:
            self._search(rival, f"candidate {rival.index}")
            finalists.append(rival)

    def ranks(self) -> np.ndarray:
        """Rank of every candidate, those of more rungs first, by their worst scores.

        Returns
        -------
        ndarray of int
            From 1; equal ones of a rung share the lowest, as in a grid search. Those that failed,
            or have no worst score, share the last one. Where all fail, the given parameters are
            the first.
        """
        scored = [r for r in self.rivals if np.isfinite(r.worst_score) and not r.failed]
        scored = scored or [self.given]
        scored.sort(key=self._place)
        ranks = np.full(len(self.rivals), len(scored) + 1)
        places = [self._place(rival)[:2] for rival in scored]
        for rival, place in zip(scored, places, strict=True):
            ranks[rival.index] = places.index(place) + 1
        return ranks

    def _place(self, rival: Rival) -> tuple[float, ...]:
        given = rival is not self.given
        return -rival.rung, -rival.worst_score, given, -rival.clean_score, rival.index

    def _known(self, left: list[Rival]) -> list[Rival]:
        """Strike all with what is hard for the given pipeline."""
        for rival in left:
            self._tell(f"known errors on candidate {rival.index}")
            self._try_out(rival)
        return self._standing(left)

    def _short(self, left: list[Rival]) -> list[Rival]:
        """Search all shortly, and strike each with what is hard for the others."""
        for rival in left:
            self._tell(f"a short search on candidate {rival.index}")
            self._do(rival, lambda attack: attack.run(ShortSearch()), SHORTLY)
        left = [r for r in left if not r.failed]
        self._share(left)
        for rival in left:
            self._try_out(rival)
        if self.given.attack is not None:
            # whether it takes what they do not; the rest of the pool is for finalists
            raised = [c for r in left if r.attack is not None for c in some_raised(r.attack)]
            self._do(self.given, lambda attack: attack.try_out(raised), STRUCK)
        return self._standing(left)

    def _standing(self, rivals: list[Rival]) -> list[Rival]:
        """Take out who raises on an error that another one takes, and return the others.

        Such an error is worse than any on which a pipeline scores badly. One on which all raise
        tells nothing of which is the best, and is left out for all.
        """
        others = [r for r in rivals if r is not self.given]
        group = [(r, r.attack) for r in (self.given, *others) if r.attack is not None]
        raised = {e.candidate.key for _, attack in group for e in attack.raised}
        self.taken |= {key for key in raised if any(attack.takes(key) for _, attack in group)}
        for rival, attack in group:
            counted = [e for e in attack.raised if e.candidate.key in self.taken]
            if not counted:
                continue
            said = f"{struck_in_words(*place_of(attack, counted[0].candidate))}: {counted[0].error}"
            if rival is self.given:
                # what else is hard for it is tried on the others
                rival.status = f"{FAILED}: {said}"
            else:
                rival.fail(said)
        return [r for r in rivals if not r.failed]

    def left_out(self) -> pd.DataFrame:
        """Errors on which all who were compared raise.

        Only some errors of each are tried on the others, and what nobody else was struck with tells
        nothing of whether others take it.

        Returns
        -------
        DataFrame
            A row for each kind and columns, with the first message.
        """
        compared = [self.given, *(r for r in self.rivals if r.status == FINALIST)]
        attacks = [r.attack for r in compared if r.attack is not None]
        # where no other one stands, those that failed are all that tells what others take
        failed = [] if len(compared) > 1 else [r.raised for r in self.rivals]
        sets = [a.raised_keys for a in attacks] + [keys for keys in failed if keys is not None]
        keys = set.intersection(*sets) if sets else set()
        return left_out_table(attacks, keys - self.taken)

    def _search(self, rival: Rival, who: str) -> None:
        self._tell(f"a search on {who}")
        before = self.shares.n_ended
        # until it has come to its end, which a signal may come before
        rival.cut_short = True
        self._do(rival, self.shares.run, FULLY)
        rival.cut_short = self.shares.n_ended > before

    def _settle(self, rival: Rival) -> None:
        """Try finalists out to the end, as those who were struck less would win."""
        try:
            self._try_out(rival, settled=True)
        except Stopped:
            # callbacks are heard once
            self._try_out(rival, settled=True)

    def _try_out(self, rival: Rival, *, settled: bool = False) -> None:
        self._do(rival, lambda a: a.try_out([*self.pool.values()], settled=settled), STRUCK)

    def _do(self, rival: Rival, what: Callable[[Attack], None], rung: int) -> None:
        """Attack a candidate; a pipeline that cannot take the error in any column is out."""
        before, rival.rung = rival.rung, max(rival.rung, rung)
        try:
            if rival.attack is None:
                rival.attack = self.attack_on(rival)
            what(rival.attack)
        except KeyboardInterrupt:
            # it was not struck as others of that rung were
            rival.rung = before
            raise
        except TimeTooShort:
            raise
        except (ValueError, TypeError, AttributeError) as error:
            rival.fail(" ".join(str(error).split()))
            return
        rival.note()

    def _keep(self, left: list[Rival], n: int) -> list[Rival]:
        ranked = sorted(left, key=self._place)
        for rival in ranked[n:]:
            rival.status, rival.attack = STOPPED, None
        return sorted(ranked[:n], key=lambda rival: rival.index)

    def _share(self, rivals: Iterable[Rival]) -> None:
        for rival in rivals:
            if rival.attack is not None:
                shared = [*hardest(rival.attack), *some_raised(rival.attack)]
                self.pool |= {c.key: c for c in shared}


def going_further(n: int) -> int:
    """How many of so many candidates that were struck with known errors go on.

    Parameters
    ----------
    n : int
        Candidates, more than finalists.

    Returns
    -------
    int
        As many as finalists, or more, which are searched shortly first.
    """
    return max(FINALISTS, math.ceil(n / SHARE))


def hardest(attack: Attack, most: int = HARDEST) -> Sequence[Candidate]:
    """The worst errors of a pipeline, of several columns where there are some.

    Parameters
    ----------
    attack : Attack
        What was done to it.
    most : int, default=8
        How many.

    Returns
    -------
    list of Candidate
        The worst first.
    """
    found: list[Candidate] = []
    counts: dict[Any, int] = {}
    for evaluation in attack.ranked:
        chosen = evaluation.candidate
        place = chosen.kind, str(chosen.columns)
        counts[place] = counts.get(place, 0) + 1
        if counts[place] <= ON_COLUMNS:
            found.append(chosen)
        if len(found) >= most:
            break
    return found
