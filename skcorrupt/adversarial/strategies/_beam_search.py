"""Beam search over the attributes of a pattern."""

from __future__ import annotations

import itertools
from numbers import Integral
from typing import Any, Literal

from skcorrupt.utils._compat import Interval, StrOptions

from ..candidates import SearchTask, timed
from ..optimizers import BATCH, OPTIMIZERS, GridOptimizer, Point, make_optimizer
from ..proxies import Screened
from ._beam_run import BeamRun, first_calls, is_enumerated, longer_calls
from ._search_strategy import SearchStrategy

# how often a round is expected to improve something, so that another one follows
GOES_ON = 0.9


class BeamSearch(SearchStrategy):
    """Attributes of a pattern by beam, their bounds by an optimizer (algorithms 1, 2 of [1]_).

    Parameters
    ----------
    beam_width : int, default=3
        Templates that survive a round.
    optimizer : {"auto", "gp", "forest", "tpe", "random"} or class, default="auto"
        Search for the bounds of a template of several conditions; those of one are all scored.
        "auto" enumerates up to `n_calls` combinations and uses "forest" beyond; "gp" and "forest"
        are scikit-optimize's, "tpe" is optuna's. A subclass of
        `skcorrupt.adversarial.GridOptimizer` is one of your own.
    n_calls : int, default=32
        Candidates scored for each template of several conditions.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025,
       section 4.

    Examples
    --------
    >>> from skcorrupt.adversarial import BeamSearch
    >>> BeamSearch(n_calls=64)
    BeamSearch(n_calls=64)
    """

    note = "the search stops sooner when a round improves nothing"

    _parameter_constraints: dict[str, Any] = {
        "beam_width": [Interval(Integral, 1, None, closed="left")],
        "optimizer": [StrOptions(set(OPTIMIZERS)), type],
        "n_calls": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        beam_width: int = 3,
        optimizer: Literal["auto", "gp", "forest", "tpe", "random"] | type[GridOptimizer] = "auto",
        n_calls: int = 32,
    ) -> None:
        self.beam_width = beam_width
        self.optimizer = optimizer
        self.n_calls = n_calls

    def check(self) -> None:
        """Refuse parameters that are none.

        Raises
        ------
        ValueError
            With the parameter and what is allowed.
        """
        super().check()
        optimizer = self.optimizer
        if isinstance(optimizer, type) and not issubclass(optimizer, GridOptimizer):
            raise ValueError(
                f"optimizer={optimizer.__name__} should be one of {', '.join(OPTIMIZERS)}, or a "
                "class that derives from skcorrupt.adversarial.GridOptimizer and has a method "
                "propose()."
            )

    def run(self, task: SearchTask, told: Screened) -> None:
        """One beam search for each budget, with the scores of the others at hand.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Filled in with what was enumerated.
        """
        for space in task.spaces:
            BeamRun(task, space, self.optimizer, self.n_calls, self.beam_width).run()
            first = [(t, space.grid(t)) for t in space.first_templates()]
            if all(is_enumerated(template, grid) for template, grid in first):
                shortest = max((template.depth for template, _ in first), default=0)
                told.enumerated[space.budget] = shortest, max(space.depths, default=0)

    def most_evaluations(self, task: SearchTask) -> int:
        """Most candidates that it scores.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            Over all budgets.
        """
        return round(self._evaluations(task, goes_on=1.0))

    def expected_evaluations(self, task: SearchTask) -> float:
        """As many candidates as it is expected to score: rounds that improve nothing are the last.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        float
            Over all budgets.
        """
        return self._evaluations(task, goes_on=GOES_ON)

    def expected_seconds(self, task: SearchTask) -> float:
        """Seconds of the optimizer, by those of the largest template of the first round.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        float
            Over all budgets.
        """
        space = task.space
        templates = space.first_templates()
        if not templates or not self.n_calls:
            return 0.0
        deepest = max(templates, key=lambda template: template.depth)
        if space.max_conditions > deepest.depth:
            # most templates are longer ones
            templates = [*space.longer_templates(deepest)] or templates
        grid = max((space.grid(template) for template in templates), key=lambda grid: grid.size)
        n = min(grid.size, self.n_calls)
        _, seconds = timed(lambda: _asked_in_vain(make_optimizer(self.optimizer, grid, n, 0), n))
        return seconds / n * self.expected_evaluations(task)

    def _evaluations(self, task: SearchTask, goes_on: float) -> float:
        """Candidates that are scored where each round is followed by another one so often."""
        here = first_calls(task.space, self.n_calls)
        longer = longer_calls(task.space, self.n_calls, self.beam_width, goes_on)
        return (here + longer) * len(task.budgets)


def _asked_in_vain(optimizer: GridOptimizer, n_calls: int) -> None:
    """Have an optimizer propose so many points, of which each scores a little less."""
    n_told = 0
    while n_told < n_calls:
        points: list[Point] = list(itertools.islice(optimizer.ask(), BATCH))
        if not points:
            return
        optimizer.tell(points, [-float(n_told + i) for i in range(len(points))])
        n_told += len(points)
