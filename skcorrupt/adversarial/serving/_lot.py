"""One kind of error within one budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from skcorrupt.base import FeatureCorruption

from ..candidates import CandidateSpace, SearchTask, Template

Hit = tuple[int, ...]
# points of a grid among which one is looked for that is feasible
MOST_TRIED = 64


@dataclass(frozen=True, eq=False)
class Lot:
    """One kind of error within one budget.

    Attributes
    ----------
    task : SearchTask
        The search for the kind.
    kind : str
        Its name, "" where there is one kind.
    space : CandidateSpace
        The candidates within the budget.
    """

    task: SearchTask
    kind: str
    space: CandidateSpace

    @property
    def template(self) -> FeatureCorruption:
        """The error."""
        return cast("FeatureCorruption", self.space.template)

    @property
    def like(self) -> tuple[Any, ...]:
        """What kinds have in common that are searched together."""
        return self.template.rate, tuple(choice.atom for choice in self.space.label_choices)

    def labels(self, hit: Hit) -> tuple[Any, ...]:
        """Labels of columns that are hit."""
        return tuple(self.space.table.labels[j] for j in hit)


def first_points(space: CandidateSpace, template: Template) -> list[tuple[int, ...]]:
    """Some points of the grid of a template, among which one may be feasible."""
    grid = space.grid(template)
    first = grid.points(np.arange(min(MOST_TRIED, grid.size)))
    return [tuple(int(i) for i in point) for point in first]
