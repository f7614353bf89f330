"""Beam search over the attributes of a pattern."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any, Literal

from skcorrupt.utils._compat import Interval, StrOptions

from ..candidates import SearchTask
from ..optimizers import OPTIMIZERS, GridOptimizer
from ..proxies import Screened
from ._beam_run import BeamRun
from ._search_strategy import SearchStrategy


class BeamSearch(SearchStrategy):
    """Attributes of a pattern by beam, their bounds by an optimizer (algorithms 1, 2 of [1]_).

    Parameters
    ----------
    beam_width : int, default=3
        Templates that survive a round.
    optimizer : {"auto", "gp", "forest", "tpe", "random"} or class, default="auto"
        Search for the bounds of a template. "auto" enumerates up to `n_calls` combinations and
        uses "forest" beyond; "gp" and "forest" are scikit-optimize's, "tpe" is optuna's. A
        subclass of `skcorrupt.adversarial.GridOptimizer` is one of your own.
    n_calls : int, default=32
        Candidates scored for each template.

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
            Left as it is.
        """
        for space in task.spaces:
            BeamRun(task, space, self.optimizer, self.n_calls, self.beam_width).run()

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
        space = task.space
        first = space.first_templates()
        total = sum(min(space.grid(template).size, self.n_calls) for template in first)
        depths = [template.depth for template in first]
        largest = max((len(attributes) for attributes in space.allowed.values()), default=0)
        levels = sorted((a.n_atoms for a in space.attributes.values()), reverse=True)
        rest = len(space.label_choices) * len(space.rate_steps)
        deepest = min(space.max_conditions, largest)
        for more in range(deepest - min(depths, default=deepest)):
            size = rest * math.prod(levels[: max(depths) + more + 1])
            children = max(0, largest - min(depths) - more)
            total += self.beam_width * children * min(size, self.n_calls)
        return total * len(task.budgets)
