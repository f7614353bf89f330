"""The worst candidates with one more condition, any that there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from skcorrupt.attributes._attribute import Attribute

from ..candidates import Candidate, CandidateSpace, Evaluation, SearchTask, Shape
from ..candidates._shape import LEFT_OUT, Shapes
from ._neighbours import sort_of
from ._refinement import Refinement
from ._workload import NEAR_EACH, SWEPT_EACH, leaders_of

# leaders that grow in a round, conditions of a column that they try
WIDTH, LONG = 3, 24
# where proxies have been through the longer patterns already
WIDTH_BESIDE, SHORT = 2, 8
REFINED = 128


class Growth:
    """Grows the worst candidates of a budget.

    Parameters
    ----------
    task : SearchTask
        What was scored.
    space : CandidateSpace
        The candidates of the budget.
    beside : bool
        Whether proxies have chosen among longer patterns.
    """

    def __init__(self, task: SearchTask, space: CandidateSpace, *, beside: bool) -> None:
        self.task, self.space = task, space
        self.shapes = Shapes(task.space)
        self.width = WIDTH_BESIDE if beside else WIDTH
        self.n_conditions = SHORT if beside else LONG
        self._grown: set[bytes] = set()

    def refinement(self, *, sweeps: bool = True) -> Refinement:
        """What changes the leaders of a round piece by piece."""
        n_leaders = max(self.width, leaders_of(self.task))
        most = max(REFINED * self.width // WIDTH, NEAR_EACH * leaders_of(self.task))
        return Refinement(self.task, most, n_leaders, swept=SWEPT_EACH if sweeps else 0)

    @property
    def most_refined(self) -> int:
        """Most candidates near the leaders that are scored in a round."""
        return self.refinement().most

    @property
    def most_grown(self) -> int:
        """Most candidates with one more condition that are scored in a round."""
        ends = [len(_ends(a, self.n_conditions)) for a in self.space.attributes.values()]
        return self.width * (sum(ends) + 2 * len(LEFT_OUT) * len(ends))

    def grown(self) -> list[Candidate]:
        """The leaders that have not grown yet, with one more condition.

        Returns
        -------
        list of Candidate
            Those that are feasible.
        """
        found = []
        for leader in self._leaders():
            key = leader.candidate.key
            shape = self.shapes.of(leader.candidate)
            if key in self._grown or shape is None:
                continue
            self._grown.add(key)
            made = (self.shapes.made(self.space, longer) for longer in self._longer(shape))
            found += [candidate for candidate in made if not candidate.refused]
        return found

    def _leaders(self) -> list[Evaluation]:
        """The worst, one for each set of columns, those that may have more conditions."""
        found: dict[object, Evaluation] = {}
        for each in self.task.evaluator.within(self.space.budget):
            candidate = each.candidate
            if candidate.depth < self.space.max_conditions:
                found.setdefault(sort_of(candidate), each)
            if len(found) == self.width:
                break
        return list(found.values())

    def _longer(self, shape: Shape) -> Iterator[Shape]:
        for j in self.space.allowed[shape.columns]:
            if j in shape.chosen:
                continue
            attribute = self.space.attributes[j]
            for atom in _ends(attribute, self.n_conditions):
                levels = self.shapes.fine(j).matched(attribute.mask(atom))
                yield replace(shape, chosen={**shape.chosen, j: levels})
            for levels in self.shapes.without_few(self.space, shape, j):
                yield replace(shape, chosen={**shape.chosen, j: levels})


def _ends(attribute: Attribute, most: int) -> np.ndarray:
    """Conditions with one open end, evenly spaced where there are many."""
    first, last = attribute.atoms[:, 0], attribute.atoms[:, 1]
    one_sided = np.flatnonzero((first == 0) | (last == attribute.atoms.max()))
    alone = np.flatnonzero((first == last) & (first > 0) & (last < attribute.atoms.max()))
    for some in (np.concatenate([one_sided, alone]), one_sided):
        if len(some) <= most:
            return some
    return one_sided[np.unique(np.linspace(0, len(one_sided) - 1, most).astype(int))]
