"""Columns that rules tie together, and what they can become for one person."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from skcorrupt.utils._readable import listed_labels, on_one_line

from ..rules._conditions import DISTANCE, MOST_CASES, Comparison, too_many_cases
from ..rules._constraint import Case, Constraint, movable_of
from ..rules._people import Elements, Limits, People, Person
from ._factors import Factor, Listed, factor_of

Draft = dict[str, Any]
MOST_CHOICES = 1_000


class Component:
    """Movable columns that rules tie together, directly or through one another.

    Some of them are free; the others follow from these by an equation and are computed.

    Parameters
    ----------
    elements : mapping of str to ActionElement
        All columns.
    constraints : sequence of Constraint
        All rules.
    names : tuple of str
        The movable columns of the component.

    Attributes
    ----------
    constraints : list of Constraint
        The rules on them.
    present, limits : mapping of str to float, and to (low, high)
        In `branches` the person's values, and what every column can be.
    inputs : tuple of str
        The component's columns and the immovable ones its rules look at: people who agree in
        these can reach the same values.
    """

    def __init__(
        self, elements: Elements, constraints: Sequence[Constraint], names: tuple[str, ...]
    ) -> None:
        self.elements = dict(elements)
        self.names = names
        self.constraints = [c for c in constraints if set(c.columns) & set(names)]
        seen = [name for c in self.constraints for name in c.columns]
        self.inputs = tuple(dict.fromkeys([*names, *seen]))
        self.links = {
            name: [link for c in self.constraints for link in c._links(name)] for name in names
        }
        self.present: Person = {}
        self.limits: Limits = {}
        self.fixed: dict[str, float] = {}
        self._solve(dict.fromkeys(names, 1.0))

    def branches(self, present: Person) -> list[Component]:
        """The component for one person, in each of the cases that fix real columns.

        Parameters
        ----------
        present : mapping of str to float
            The person's values of `inputs`.

        Returns
        -------
        list of Component
            Without such rules, the component itself.
        """
        limits = {name: (present[name], present[name]) for name in self.inputs}
        limits |= {name: self.elements[name].limits(present[name]) for name in self.names}
        real = {
            name
            for name in self.names
            if not self.elements[name].is_discrete and np.ptp(limits[name]) > 0
        }
        cases: list[Case] = [([], {})]
        for constraint in self.constraints:
            options = constraint._branches(real, present, limits)
            if options is not None:
                cases = [
                    ([*rules, *more], fixed | values)
                    for rules, fixed in cases
                    for more, values in options
                    if all(fixed.get(name, value) == value for name, value in values.items())
                ]
            if len(cases) > MOST_CASES:
                raise too_many_cases("; ".join(str(c) for c in self.constraints))
        widths = {name: float(np.ptp(limits[name])) for name in self.names}
        parts = []
        for rules, fixed in cases:
            part = copy.copy(self)
            part.constraints = [*self.constraints, *rules]
            part.present, part.limits, part.fixed = present, limits, fixed
            part._solve(widths | dict.fromkeys(fixed, 0.0))
            parts.append(part)
        return parts

    def _solve(self, widths: Mapping[str, float]) -> None:
        """Choose the columns that follow from equations, and the order in which they do.

        Parameters
        ----------
        widths : mapping of str to float
            How far each column can move; one that cannot is not solved for.
        """
        parts = [
            (part, self._unknowns(part, moved, widths))
            for part, moved in equations_of(
                [(p, c.moved) for c in self.constraints for p in c.comparisons]
            )
        ]
        # an equation may be left to be checked where all of its columns are solved for already
        choices = itertools.product(*([*names, None] for _, names in parts))
        circle = ""
        for chosen in itertools.islice(choices, MOST_CHOICES):
            pairs = [(n, part) for n, (part, _) in zip(chosen, parts, strict=True) if n is not None]
            equations = dict(pairs)
            if len(equations) < len(pairs):
                continue
            try:
                self.order = self._ordered(equations)
            except CycleError as error:
                circle = circle or " → ".join(error.args[1])
                continue
            self.equations = equations
            self.free = [name for name in self.names if not self._follows(name)]
            return
        raise ValueError(
            f"The columns {circle or listed_labels(map(on_one_line, self.names))} follow from each "
            "other in a circle; "
            "leave out one of the rules between them, or put one into the other."
        )

    def _follows(self, name: str) -> bool:
        linked = bool(self.links[name]) and not self.elements[name].actionable
        return linked or name in self.equations

    def _unknowns(
        self, part: Comparison, moved: Sequence[str], widths: Mapping[str, float]
    ) -> list[str]:
        """Columns that an equation can be solved for, the best first."""
        sized = {term.column for term in part.gap.terms if term.kind == DISTANCE}
        candidates = [
            name
            for name in part.columns
            if name in self.names
            and name not in sized
            and not self.links[name]
            and widths[name] > 0
            and _slope(part, name) != 0
        ]

        def rank(name: str) -> tuple[bool, bool, float]:
            return (
                name not in moved,
                self.elements[name].is_discrete,
                -abs(_slope(part, name)) * widths[name],
            )

        # solving for a listed column would cut the lists of others
        kept = [name for name in candidates if self.elements[name].kind != "bool"]
        return sorted(kept, key=rank)

    def _ordered(self, equations: Mapping[str, Comparison]) -> list[str]:
        graph: dict[str, set[str]] = {
            name: {s for s, _ in self.links[name]} & set(self.names) for name in self.names
        }
        for name, part in equations.items():
            graph[name] |= (set(part.columns) - {name}) & set(self.names)
        return list(TopologicalSorter(graph).static_order())

    @property
    def before(self) -> People:
        """The person as constraints see them."""
        return People(self.elements, self.present)

    def allows(self, name: str, values: np.ndarray) -> np.ndarray:
        """Which values an action of the person on a column can lead to."""
        return self.elements[name].allows(self.present[name], values)

    def factors(self) -> tuple[list[Factor], set[int]]:
        """What the free columns are drawn from, and the rules that this keeps by itself.

        Returns
        -------
        factors : list of Factor
            One for every free column, or for several of them that a rule lists together.
        kept : set of int
            Positions of these rules among `constraints`.
        """
        present = self.present
        factors: list[Factor] = []
        kept: set[int] = set()
        left = list(self.free)
        for i, constraint in enumerate(self.constraints):
            mine = [name for name in constraint.columns if name in left and name not in self.fixed]
            moved = set(constraint.columns) & set(self.names)
            if not mine or set(mine) != moved or any(self.links[name] for name in mine):
                continue
            table = constraint._table(present, self.elements)
            if table is None:
                continue
            fits = np.ones(len(table), dtype=bool)
            for k, name in enumerate(constraint.columns):
                if name in mine:
                    fits &= self.allows(name, table[:, k])
                else:
                    fits &= table[:, k] == present[name]
            columns = [constraint.columns.index(name) for name in mine]
            factors.append(Listed(tuple(mine), table[fits][:, columns]))
            kept.add(i)
            left = [name for name in left if name not in mine]
        for name in left:
            if name in self.fixed and self.links[name]:
                # what a person does to it follows from what it has to be
                continue
            if name in self.fixed:
                value = np.array([self.fixed[name]])
                allowed = self.allows(name, value)
                factors.append(Listed((name,), value[allowed][:, np.newaxis]))
            else:
                factors.append(factor_of(self.elements[name], present[name]))
        return factors, kept

    # what is computed may be far out of bounds, and is left out then
    @np.errstate(over="ignore", invalid="ignore")
    def finish(self, draft: Draft, n: int, kept: set[int]) -> tuple[np.ndarray, np.ndarray]:
        """Compute the columns that follow, and check all rules.

        Parameters
        ----------
        draft : dict of str to ndarray of shape (n,)
            Values of the free columns.
        n : int
            Number of rows.
        kept : set of int
            Positions of rules that the draft keeps already.

        Returns
        -------
        values : ndarray of shape (n, n_names)
            Values of all columns of the component.
        feasible : ndarray of bool, shape (n,)
            Which rows keep all rules.
        """
        present, before = self.present, self.before
        after: Draft = {name: present[name] for name in self.inputs} | draft
        feasible = np.ones(n, dtype=bool)
        for name in self.order:
            if name in self.equations:
                part = self.equations[name]
                after[name] = present[name]
                gap = part.gap.value(before, People(self.elements, after))
                after[name] = present[name] - gap / _slope(part, name)
            elif self.links[name]:
                shift = sum(s * (after[source] - present[source]) for source, s in self.links[name])
                if name in self.fixed:
                    own = np.broadcast_to(self.fixed[name] - shift, (n,))
                    reach = own if name in self.free else own + shift
                    feasible &= self.allows(name, reach)
                    after[name] = self.fixed[name] if name in self.free else present[name] + shift
                else:
                    after[name] = after[name] + shift
            else:
                continue
            after[name] = np.broadcast_to(after[name], (n,))
            feasible &= self.allows(name, after[name])
        people = People(self.elements, after)
        for i, constraint in enumerate(self.constraints):
            if i not in kept:
                feasible &= constraint._holds(before, people)
        columns = [np.broadcast_to(after[name], (n,)) for name in self.names]
        return np.column_stack(columns), feasible

    def kept_by(self, draft: Draft, n: int, rules: set[int]) -> np.ndarray:
        """Rows of a draft that keep some rules, a boolean array of shape (n,)."""
        before = self.before
        known = {name: self.present[name] for name in self.inputs}
        after = People(self.elements, known | draft)
        keep = np.ones(n, dtype=bool)
        for i in rules:
            keep &= self.constraints[i]._holds(before, after)
        return keep

    def early(self, assigned: set[str], kept: set[int]) -> set[int]:
        """Positions of rules that can be checked once some of the free columns are known."""
        shifted = {name for name in self.names if self.links[name] or name in self.equations}
        unknown = (set(self.names) - assigned) | shifted
        return {
            i
            for i, constraint in enumerate(self.constraints)
            if i not in kept and not unknown.intersection(constraint.columns)
        }


def equations_of(
    comparisons: Sequence[tuple[Comparison, Sequence[str]]],
) -> list[tuple[Comparison, Sequence[str]]]:
    """The comparisons that are equations, or pairs of "at most" and "at least" that make one.

    Parameters
    ----------
    comparisons : sequence of (Comparison, moved)
        Comparisons, and the columns that each lets move.

    Returns
    -------
    list of (Comparison, moved)
        The equations, each once.
    """
    found: dict[tuple[Any, ...], tuple[Comparison, Sequence[str]]] = {}
    sides: dict[tuple[Any, ...], set[str]] = {}
    for part, moved in comparisons:
        key, is_turned = part.plane()
        side = part.relation
        if is_turned:
            side = {"<=": ">=", ">=": "<="}.get(side, side)
        if key:
            sides.setdefault(key, set()).add(side)
            if side == "==" or {"<=", ">="} <= sides[key]:
                found.setdefault(key, (Comparison(part.left, "==", part.right), moved))
    return list(found.values())


def _slope(part: Comparison, name: str) -> float:
    """What one unit of a column adds to the left side less the right one."""
    return sum(term.factor for term in part.gap.terms if term.column == name)


def components_of(elements: Elements, constraints: Sequence[Constraint]) -> list[Component]:
    """The movable columns parted into those that rules tie together, in the order of the data."""
    movable = movable_of(elements, constraints)
    group = {name: {name} for name in movable}
    for constraint in constraints:
        tied = [name for name in constraint.columns if name in group]
        joined = set().union(*(group[name] for name in tied)) if tied else set()
        for name in joined:
            group[name] = joined
    seen: set[str] = set()
    parts = []
    for name in movable:
        if name not in seen:
            seen |= group[name]
            parts.append(tuple(other for other in movable if other in group[name]))
    return [Component(elements, constraints, part) for part in parts]
