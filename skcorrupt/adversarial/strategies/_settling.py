"""Draws added to the worst candidates until their order no longer depends on them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..candidates import Candidate, Evaluation, Evaluator, ProcessCandidate

# draws of a candidate that is in the running, those that are enough once all is spent that may be
# added, and most of them
FIRST, ENOUGH, MOST = 4, 16, 64
# candidates that get draws in the same step
AT_ONCE = 4
# those that lead by a lucky draw, nearly all of which lead no more after another one
LUCKY_AT_ONCE = 64
# draws that only what leads may get besides, while others may be worse
BEYOND = AT_ONCE * (MOST - ENOUGH)
# how often leaders are drawn again before something follows them, at most
DRAWN_ROUNDS = 6
# of the ranking, where the spread of draws is not known yet
LOOKED_AT = 64
# standard errors by which candidates have to differ
SURELY = 2.0
# share of the drop by which the worst may be another one without further draws
NEGLIGIBLE = 0.005
# share of the drop that a reader is told may be luck
LUCKY = 0.1
# share of the candidates that draws may be added to the search by, and the least number
SHARE, LEAST = 0.25, 24


class Settling:
    """Finds the candidate that is worst in the mean over draws of its errors.

    One draw is enough to see that a candidate is harmless, but the lowest of many single draws is
    lucky. So the leaders are drawn again, those that may still be the worst ever more often.

    Parameters
    ----------
    evaluator : Evaluator
        What was scored.
    n_budgets : int, default=1
        Budgets among which the draws are shared.
    n_before : int, default=0
        Of what was scored, how much was settled before, so that its draws are there.
    """

    def __init__(self, evaluator: Evaluator, n_budgets: int = 1, n_before: int = 0) -> None:
        self.evaluator = evaluator
        self._random: dict[tuple[Any, ...], bool] = {}
        # draws that are added make another evaluation
        self._asked: dict[Evaluation, bool] = {}
        self._each = most_added(len(evaluator.done) - n_before, n_budgets) // n_budgets
        self._left = 0

    def settle(self, budgets: Sequence[float]) -> None:
        """Draw until the worst within every budget is clear.

        Parameters
        ----------
        budgets : sequence of float
            Largest fractions of rows struck in a split.
        """
        for budget in budgets:
            # what one budget did not need is left to those after it
            self._left = max(self._left, 0) + self._each
            self._settle(budget)
        self._left = 0
        # what is drawn for one budget may put another candidate first within another one
        while any(self._settle(budget) for budget in budgets):
            pass

    def _settle(self, budget: float) -> bool:
        """Draw until the worst within a budget is clear, or nothing is left; whether any was."""
        n_times = 0
        while True:
            ranked = self.evaluator.within(budget)
            running = self._in_the_running(ranked)
            is_clear = not running or (running == ranked[:1] and _leads_surely(ranked))
            # many at once where much is left, as no step may spend more than that
            some = running[: max(AT_ONCE, self._left // MOST)]
            if self._left <= 0:
                some = self._leading(ranked, set(running))
            if is_clear or not some:
                return n_times > 0
            fewest = min(e.n_draws for e in some)
            # of those that are lucky, most lead no more after the second draw
            wanted = min(self._most, 2 * fewest)
            if _spread(ranked) is None:
                # how much draws differ is not known yet
                wanted = FIRST
            elif self._left <= 0:
                wanted = min(self._most, fewest + max(1, fewest // 2))
            self._left -= sum(max(0, wanted - e.n_draws) for e in some)
            self.evaluator.draw_again(some, wanted)
            n_times += 1

    def _leading(self, ranked: list[Evaluation], running: set[Evaluation]) -> list[Evaluation]:
        """The first, and what else leads by too few draws to be the result, however many it is."""
        lucky = itertools.takewhile(lambda e: not self.is_drawn(e), ranked)
        return [e for e in [*itertools.islice(lucky, LUCKY_AT_ONCE)] or ranked[:1] if e in running]

    def _in_the_running(self, ranked: list[Evaluation]) -> list[Evaluation]:
        """Those that may be the worst and are not drawn often enough, the likeliest first."""
        spread = _spread(ranked)
        if spread is None:
            random = filter(self.is_random, ranked[:LOOKED_AT])
            return list(itertools.islice(random, AT_ONCE))
        drawn = (_error(e, spread) for e in ranked if e.n_draws >= FIRST)
        widest = max(SURELY * spread, max(drawn, default=0.0))
        bound = np.inf
        least: dict[Evaluation, float] = {}
        for e in ranked:
            # nothing from here on can be the worst, so whether it is random need not be known
            if e.score - widest > bound:
                break
            error = 0.0
            if self.is_random(e):
                error = _error(e, spread)
                least[e] = e.score - error
            bound = min(bound, e.score + error)
        running = [e for e in least if e.n_draws < self._most and least[e] <= bound]
        running.sort(key=lambda e: (least[e], e.order))
        leader, drop = ranked[0], self.evaluator.baseline - ranked[0].score
        if running and self.is_drawn(leader):
            highest = 2 * leader.score - least.get(leader, leader.score)
            if highest - least[running[0]] < NEGLIGIBLE * drop:
                return []
        return running

    @property
    def _most(self) -> int:
        """Draws after which a candidate's place is taken as it is."""
        return MOST if self._left > -BEYOND else ENOUGH

    def settle_leaders(
        self, rankings: Sequence[Sequence[Evaluation]], budgets: Sequence[float]
    ) -> None:
        """Draw the first few of every ranking, and the worst of all, by turns while either changes.

        Parameters
        ----------
        rankings : sequence of sequence of Evaluation
            Of what was scored, the lowest score first.
        budgets : sequence of float
            Largest fractions of rows struck in a split.
        """
        left = self.draw_leaders(rankings)
        while any(self._settle(budget) for budget in budgets):
            # what was first of its ranking may be so no more
            left = self.draw_leaders(rankings, left)

    def draw_leaders(
        self, rankings: Sequence[Sequence[Evaluation]], left: int | None = None
    ) -> int:
        """Draw the first few of every ranking so often that none is first by a lucky draw.

        Where draws differ by much of the drop, whatever is first then is drawn more often.

        Parameters
        ----------
        rankings : sequence of sequence of Evaluation
            Of what was scored, the lowest score first.
        left : int, default=None
            Draws that may be added; None is a share of what was scored.

        Returns
        -------
        int
            How many of these are left, fewer where the time is limited.
        """
        most = most_added(len(self.evaluator.done), 1)
        each = min(most, self._n_in_time()) // max(len(rankings), 1)
        n_leaders = int(np.clip(each // FIRST, 1, AT_ONCE))
        leaders = {
            e.candidate.key: self.evaluator.done[e.candidate.key]
            for ranked in rankings
            for e in ranked[:n_leaders]
            if not self.is_drawn(e)
        }
        self.evaluator.draw_again([*leaders.values()], FIRST)
        left = most_added(len(self.evaluator.done), 1) if left is None else left
        left = int(min(left, self._n_in_time()))
        while left > 0:
            firsts = (self._first_drawn(ranked) for ranked in rankings)
            lucky = {e.candidate.key: e for e in firsts if e is not None and self._is_luckier(e)}
            if not lucky:
                break
            wanted = min(ENOUGH, 2 * min(e.n_draws for e in lucky.values()))
            left -= sum(max(0, wanted - e.n_draws) for e in lucky.values())
            self.evaluator.draw_again([*lucky.values()], wanted)
        return left

    def _n_in_time(self) -> float:
        """As many draws as there is time for."""
        evaluator = self.evaluator
        each = evaluator.seconds_per_fit * len(evaluator.splits)
        n_draws = evaluator.deadline.left() / max(each, 1e-9)
        return np.inf if np.isnan(n_draws) else n_draws

    def _first_drawn(self, ranked: Sequence[Evaluation]) -> Evaluation | None:
        """The lowest by now of the first of a ranking, of those that owe it to several draws."""
        now = (self.evaluator.done[e.candidate.key] for e in ranked[:LOOKED_AT])
        return min(filter(self.is_drawn, now), key=lambda e: e.place, default=None)

    def _is_luckier(self, evaluation: Evaluation) -> bool:
        """Whether further draws may make much of a difference to an error."""
        return evaluation.n_draws < ENOUGH and self.may_be_lucky(evaluation)

    def is_drawn(self, evaluation: Evaluation) -> bool:
        """Whether the score of an error is no lucky draw of it: it has several, or all are alike.

        Parameters
        ----------
        evaluation : Evaluation
            The error.

        Returns
        -------
        bool
            True also where the mean over all draws is known.
        """
        return evaluation.n_draws >= FIRST or not self.is_random(evaluation)

    def may_be_lucky(self, evaluation: Evaluation) -> bool:
        """Whether the drop may owe more than a little of itself to the draws that there are.

        Parameters
        ----------
        evaluation : Evaluation
            The error.

        Returns
        -------
        bool
            False where the mean over all draws is known, or all are alike.
        """
        if not self.is_drawn(evaluation):
            return True
        if evaluation.n_draws < FIRST:
            return False
        drop = self.evaluator.baseline - evaluation.score
        return _error(evaluation, 0.0) > LUCKY * drop

    def is_random(self, evaluation: Evaluation) -> bool:
        """Whether another draw of an error is another data set, found out once a sort of error.

        Parameters
        ----------
        evaluation : Evaluation
            The error.

        Returns
        -------
        bool
            True also where it does not strike all rows that its pattern matches.
        """
        if evaluation not in self._asked:
            self._asked[evaluation] = self._is_random(evaluation.candidate)
        return self._asked[evaluation]

    def _is_random(self, candidate: Candidate) -> bool:
        if self.evaluator.knows_mean(candidate):
            return self.evaluator.is_random(candidate)
        if candidate.rate < 1:
            return True
        # errors that strike all rows of a pattern are random by their kind, not by the pattern
        alone = candidate.key if isinstance(candidate, ProcessCandidate) else b""
        kind = candidate.kind, candidate.columns, str(candidate.target), alone
        if kind not in self._random:
            self._random[kind] = self.evaluator.is_random(candidate)
        return self._random[kind]


def _error(evaluation: Evaluation, spread: float) -> float:
    """How far the mean over all draws may be from that of those there are."""
    # draws of some differ more than those of others, which a few of them tell
    own = evaluation.variance if evaluation.n_draws >= FIRST else 0.0
    return SURELY * math.sqrt(max(spread**2, own) / evaluation.n_draws)


def _leads_surely(ranked: Sequence[Evaluation]) -> bool:
    """Whether the next, random or not, is beyond where more draws may put the first."""
    leader = ranked[0]
    if leader.n_draws < FIRST:
        return False
    error = SURELY * math.sqrt(leader.variance / leader.n_draws)
    return all(each.score >= leader.score + error for each in ranked[1:2])


def draw_lucky(evaluator: Evaluator, leaders: Callable[[], Sequence[Evaluation]]) -> None:
    """Draw those again that lead by a single draw, so that nothing follows a lucky one.

    That is of the rows they strike. Twice as often each time, as most of them lead no more after
    the second draw.

    Parameters
    ----------
    evaluator : Evaluator
        What was scored.
    leaders : callable
        Gives those that lead, as they are known so far.
    """
    for _ in range(DRAWN_ROUNDS):
        lucky = [
            each
            for each in leaders()
            if each.candidate.rate < 1
            and each.n_draws < FIRST
            and not evaluator.knows_mean(each.candidate)
        ]
        if not lucky:
            return
        evaluator.draw_again(lucky, min(FIRST, 2 * min(each.n_draws for each in lucky)))


def _spread(evaluations: Iterable[Evaluation]) -> float | None:
    """Standard deviation of the score of a draw, pooled; None where nothing was drawn twice."""
    several = [e.variance for e in evaluations if e.n_draws > 1]
    return float(np.sqrt(np.mean(several))) if several else None


def most_added(n_candidates: float, n_budgets: int) -> int:
    """Draws that are added to a search of so many candidates before only its results count."""
    return n_budgets * max(LEAST, int(SHARE * n_candidates) // n_budgets)


def most_drawn(n_candidates: int, n_budgets: int) -> int:
    """Draws that are added to a search of so many candidates at most."""
    beyond = n_budgets * AT_ONCE * MOST
    return most_added(n_candidates, n_budgets) + beyond + FIRST * n_candidates
