"""The worst on a proxy changed piece by piece, at full resolution, before the pipeline is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from ..candidates import Candidate, CandidateSpace, SearchTask, some_candidates, timed
from ..candidates._shape import Shapes
from ..proxies import PROXIES, StandIns
from ._neighbours import by_turns, fitted, neighbours, sort_of

# candidates that are made at once, and rows times these
MOST_MADE, ROWS_MADE = 4_096, 1e8
# of these, those whose models are converged
CONVERGED_EACH = 128
# the worst that are changed at once, of any columns of the pattern so many; and how often
LEADERS, OF_COLUMNS, MOST_ROUNDS = 8, 3, 8
# rounds without anything worse before it ends, and rounds that are expected
IDLE, ROUNDS = 2, 3
# rounds on a slow proxy, and candidates of each, all of which it scores itself
SLOW_ROUNDS, SLOW_MADE = 4, 768
# candidates by which it is told how long one takes
MEASURED = 48


def fitted_candidates(
    task: SearchTask, space: CandidateSpace, more: Iterable[Candidate] = (), most: int = MOST_MADE
) -> list[Candidate]:
    """What strikes some of its rows by chance, made to strike all of fewer rows.

    Where a pattern matches more rows than the budget has, which of them are struck is left to
    chance. A range of another column, or a set of its categories, that leaves as many as there may
    be chooses them.

    Parameters
    ----------
    task : SearchTask
        What was scored.
    space : CandidateSpace
        The candidates of the budget.
    more : iterable of Candidate, default=()
        Patterns that were not scored, the worst first.
    most : int, default=4096
        How many there may be.

    Returns
    -------
    list of Candidate
        Those made of the worst come first.
    """
    shapes, found = Shapes(task.space), dict[bytes, Candidate]()
    scored = (each.candidate for each in task.evaluator.within(space.budget))
    most = min(most, int(ROWS_MADE / space.table.n_rows))
    for candidate in by_turns(scored, more):
        # what was made until time is over is the worst
        if len(found) >= most or task.evaluator.deadline.passed:
            break
        shape = shapes.of(candidate) if candidate.rate < 1 else None
        for narrower in [] if shape is None else fitted(shapes, space, shape):
            made = shapes.made(space, narrower)
            if not made.refused and made.key not in task.evaluator.done:
                found.setdefault(made.key, made)
    return list(found.values())[:most]


class ProxyDescent:
    """Descends on a proxy from its worst candidates, at full resolution.

    Parameters
    ----------
    task : SearchTask
        What was scored.
    space : CandidateSpace
        The candidates of the budget.
    stand_ins : StandIns
        The proxies.
    grid : CandidateSpace
        The candidates that these have screened.
    name : str
        The proxy.
    """

    def __init__(
        self,
        task: SearchTask,
        space: CandidateSpace,
        stand_ins: StandIns,
        grid: CandidateSpace,
        name: str,
    ) -> None:
        self.task, self.space = task, space
        self.stand_ins, self.grid, self.name = stand_ins, grid, name
        self.shapes = Shapes(task.space)
        self.is_slow = PROXIES[name].prefiltered
        # a slow one sees what a quick one puts first
        self.first = "linear" if self.is_slow and stand_ins.can("linear") else name
        screen = stand_ins.screen(self.first, stand_ins.groups, grid)
        self.most = min(MOST_MADE, int(screen.most_visits / screen.cost))
        self.most = min(self.most, int(ROWS_MADE / space.table.n_rows))
        self.known: dict[bytes, tuple[float, Candidate]] = {}
        self._changed: set[bytes] = set()

    def run(self, ranked: list[Candidate]) -> None:
        """Change the worst while that makes any worse.

        Parameters
        ----------
        ranked : list of Candidate
            What the proxy puts first on the grid.
        """
        scored = [each.candidate for each in self.task.evaluator.within(self.space.budget)]
        self._add([*ranked[:CONVERGED_EACH], *scored[:LEADERS]])
        self._add(fitted_candidates(self.task, self.space, ranked, self.most))
        idle = 0
        for _ in range(SLOW_ROUNDS if self.is_slow else MOST_ROUNDS):
            before = self._least()
            made = self._near_leaders()
            if not made or idle == IDLE:
                break
            self._add(made, quickly=not self.is_slow)
            idle = 0 if self._least() < before else idle + 1

    def worst(self) -> list[Candidate]:
        """The worst on the proxy, of what it has seen so far.

        Returns
        -------
        list of Candidate
            Those that the pipeline has not scored, the worst first.
        """
        done = self.task.evaluator.done
        ordered = sorted(self.known.items(), key=lambda item: item[1][0])
        return [candidate for key, (_, candidate) in ordered if key not in done]

    @property
    def expected_seconds(self) -> float:
        """Seconds that it is expected to take, by some candidates of the grid."""
        some = some_candidates(self.space, MEASURED, self.task.seed)
        if not some:
            return 0.0
        # the first time, much is made that all others find made
        self._scores(self.first, some[:2], polish=False)
        _, rough = timed(lambda: self._scores(self.first, some, polish=False))
        _, closely = timed(lambda: self._scores(self.name, some, polish=True))
        if self.is_slow:
            n_rough, n_close = self.most / ROUNDS, 2 * CONVERGED_EACH + IDLE * SLOW_MADE
        else:
            n_rough, n_close = self.most, (1 + ROUNDS) * CONVERGED_EACH
        return (n_rough * rough + n_close * closely) / len(some)

    def _least(self) -> float:
        return min((score for score, _ in self.known.values()), default=np.inf)

    def _add(self, candidates: list[Candidate], *, quickly: bool = True) -> None:
        """Score candidates, and keep the worst by converged models."""
        worst = candidates
        if quickly:
            scores = self._scores(self.first, candidates, polish=False)
            worst = [candidates[i] for i in np.argsort(scores, kind="stable")[:CONVERGED_EACH]]
        for candidate, score in zip(
            worst, self._scores(self.name, worst, polish=True).tolist(), strict=True
        ):
            if np.isfinite(score):
                self.known.setdefault(candidate.key, (score, candidate))

    def _scores(self, name: str, candidates: list[Candidate], *, polish: bool) -> np.ndarray:
        return self.stand_ins.scores_of_rows(name, candidates, self.grid, polish=polish)

    def _near_leaders(self) -> list[Candidate]:
        found: dict[bytes, Candidate] = {}
        most = min(SLOW_MADE, self.most) if self.is_slow else self.most
        for leader in self._leaders():
            self._changed.add(leader.key)
            shape = self.shapes.of(leader)
            for other in [] if shape is None else neighbours(self.shapes, self.space, shape):
                made = self.shapes.made(self.space, other)
                if not made.refused and made.key not in self.known:
                    found.setdefault(made.key, made)
                if len(found) >= most:
                    return list(found.values())
        return list(found.values())

    def _leaders(self) -> list[Candidate]:
        """The worst that were not changed yet, a few of the same columns."""
        counts: Counter[object] = Counter()
        found = []
        for _, candidate in sorted(self.known.values(), key=lambda pair: pair[0]):
            counts[sort_of(candidate)] += 1
            if counts[sort_of(candidate)] <= OF_COLUMNS and candidate.key not in self._changed:
                found.append(candidate)
            if len(found) == LEADERS:
                break
        return found
