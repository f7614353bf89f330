"""Every candidate of the grid on the pipeline."""

from __future__ import annotations

import numpy as np

from ..candidates import CandidateSpace, SearchTask, Template
from ..proxies import Screened
from ._search_strategy import SearchStrategy

AT_ONCE = 64
# points by which different candidates are counted
COUNTED = 1024


class ExhaustiveSearch(SearchStrategy):
    """Every candidate of the grid, for searches of a few thousand at most."""

    def run(self, task: SearchTask, told: Screened) -> None:
        """Score all candidates of all budgets.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Filled in with what was enumerated.
        """
        for space in task.spaces:
            for template in _templates(space):
                grid = space.grid(template)
                for first in range(0, grid.size, AT_ONCE):
                    numbers = np.arange(first, min(first + AT_ONCE, grid.size))
                    points = map(tuple, grid.points(numbers).tolist())
                    made = [space.candidate(template, point) for point in points]
                    task.evaluator.evaluate([c for c in made if not c.refused])
                    task.refused.update(c.refused for c in made if c.refused)
            longest = max(space.depths, default=0)
            told.enumerated[space.budget] = longest, longest

    def most_evaluations(self, task: SearchTask) -> int:
        """Number of points of all grids.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            Over all budgets.
        """
        sizes = (task.space.grid(template).size for template in _templates(task.space))
        return sum(sizes) * len(task.budgets)

    def expected_evaluations(self, task: SearchTask) -> float:
        """Number of different candidates that are feasible, by those of some templates.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        float
            Over all budgets.
        """
        space, n_points, keys = task.space, 0, set()
        templates = _templates(space)
        for i in np.random.default_rng(task.seed).permutation(len(templates)).tolist():
            grid = space.grid(templates[i])
            for point in map(tuple, grid.points(np.arange(min(grid.size, COUNTED))).tolist()):
                candidate = space.candidate(templates[i], point)
                keys |= set() if candidate.refused else {candidate.key}
                n_points += 1
            if n_points >= COUNTED:
                break
        return self.most_evaluations(task) * len(keys) / max(1, n_points)


def _templates(space: CandidateSpace) -> list[Template]:
    return [template for depth in space.depths for template in space.templates_of_depth(depth)]
