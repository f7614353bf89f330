"""Several columns under one budget, drawn so that none is exceeded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ._component import Component
from ._expression import DISTANCE, VALUE, Comparison
from ._factors import Factor, Interval, Stepped
from ._linear_constraint import LinearConstraint

LARGEST_COUNT = 2_000_000
ROUNDING = 1e-9


@dataclass(frozen=True)
class Budget:
    """Changes that add up to at most `total`, each of them with a price.

    Attributes
    ----------
    prices : dict of str to float
        What one unit of change costs, by column.
    total : float
        What there is to spend.
    whole : bool
        Whether these are all that spend.
    """

    prices: dict[str, float]
    total: float
    whole: bool


class SimplexFactor(Factor):
    """Real columns under a budget, by exponential spacings; bounds are for others to check.

    The shares that k exponential variables have of the sum of k + 1 are uniform on the simplex.
    """

    how = "simplex"
    within_bounds = False

    def __init__(
        self, budget: Budget, present: Mapping[str, float], signs: Mapping[str, tuple[int, ...]]
    ):
        self.columns = tuple(budget.prices)
        self.size = np.inf
        self._reach = budget.total / np.array(list(budget.prices.values()))
        self._present = np.array([present[name] for name in self.columns])
        self._signs = [np.array(signs[name]) for name in self.columns]

    def draw(self, n, rng):
        spacings = rng.exponential(size=(n, len(self.columns) + 1))
        shares = spacings[:, :-1] / spacings.sum(axis=1, keepdims=True)
        signs = np.column_stack([s[rng.integers(len(s), size=n)] for s in self._signs])
        return self._present + signs * shares * self._reach


class CountedFactor(Factor):
    """Stepped columns under a budget of whole numbers, by counting what is left for the others."""

    how = "counting"

    def __init__(self, columns: tuple[str, ...], grids: list, costs: list, total: int):
        self.columns = columns
        self._grids, self._costs, self._total = grids, costs, total
        # ways[k][r]: how many joint values of the columns from k on cost at most r
        ways = [np.ones(total + 1)]
        for cost in reversed(costs):
            here = np.zeros(total + 1)
            for price in cost:
                if price <= total:
                    here[price:] += ways[0][: total + 1 - price]
            ways.insert(0, here)
        self._ways = ways
        self.size = float(ways[0][total])

    def draw(self, n, rng):
        left = np.full(n, self._total)
        out = np.empty((n, len(self.columns)))
        for k, (grid, cost) in enumerate(zip(self._grids, self._costs, strict=True)):
            remaining = np.arange(self._total + 1)[:, np.newaxis] - cost[np.newaxis, :]
            weights = np.where(remaining >= 0, self._ways[k + 1][np.maximum(remaining, 0)], 0.0)
            cumulative = np.cumsum(weights, axis=1)
            u = rng.random(n) * cumulative[left, -1]
            picks = (cumulative[left] <= u[:, np.newaxis]).sum(axis=1)
            out[:, k] = grid[picks]
            left = left - cost[picks]
        return out


def budget_factors(
    component: Component, present: Mapping[str, float], factors: list[Factor], kept: set[int]
) -> list[tuple[list[Factor], set[int]]]:
    """Other ways to propose the free columns of a component, one for each budget in its rules.

    Parameters
    ----------
    component : Component
        The columns and rules.
    present : mapping of str to float
        The person's values.
    factors : list of Factor
        The usual way, column by column.
    kept : set of int
        Positions of rules that this keeps by itself.

    Returns
    -------
    list of (factors, kept)
        The same with one factor for all columns of a budget.
    """
    # what a rule lists is not to be replaced by what its column alone could be
    alone = {f.columns[0] for f in factors if isinstance(f, (Stepped, Interval))}
    found = []
    for i, constraint in enumerate(component.constraints):
        if not isinstance(constraint, LinearConstraint):
            continue
        for part in constraint.comparisons:
            budget = _budget(part, component, present, alone)
            factor = None if budget is None else _factor(budget, component, present)
            if budget is not None and factor is not None:
                rest = [f for f in factors if f.columns[0] not in factor.columns]
                # what is spent to the last unit breaks a rule that says "less than"
                strict = part.relation in ("<", ">")
                sure = {i} if budget.whole and len(constraint.comparisons) == 1 else set()
                sure = set() if strict else sure
                found.append(([*rest, factor], kept | sure))
    return found


def _budget(
    part: Comparison, component: Component, present: Mapping[str, float], alone: set[str]
) -> Budget | None:
    if part.relation == "==":
        return None
    turn = 1.0 if part.relation in ("<=", "<") else -1.0
    terms = [(turn * t.factor, t) for t in part.left.terms]
    terms += [(-turn * t.factor, t) for t in part.right.terms]
    total = turn * (part.right.constant - part.left.constant)
    prices: dict[str, float] = {}
    whole = True
    for factor, term in terms:
        name = term.column
        if term.kind == VALUE:
            total -= factor * present[name]
        if name not in component.names:
            continue
        if name not in alone and term.kind == DISTANCE and factor > 0:
            # what it spends is left to the check of the rule
            whole = False
            continue
        low, high = component.elements[name].limits(present[name])
        if name not in alone or name in prices or component.links[name] or name in component.fixed:
            return None
        dear = factor > 0 if term.kind == DISTANCE else factor * (high - present[name]) >= 0
        one_way = low >= present[name] if factor > 0 else high <= present[name]
        if not dear or not (term.kind == DISTANCE or one_way) or factor == 0:
            return None
        prices[name] = abs(factor)
    return Budget(prices, total, whole) if len(prices) > 1 and total >= 0 else None


def _factor(budget: Budget, component: Component, present: Mapping[str, float]) -> Factor | None:
    elements = [component.elements[name] for name in budget.prices]
    if not any(element.is_discrete for element in elements):
        signs = {}
        for element in elements:
            low, high = element.limits(present[element.name])
            here = present[element.name]
            signs[element.name] = tuple(s for s, on in ((-1, low < here), (1, high > here)) if on)
        if budget.total == 0 or not all(signs.values()):
            return None
        return SimplexFactor(budget, present, signs)
    if not all(element.is_discrete for element in elements):
        return None
    grids = [element.grid(present[element.name]) for element in elements]
    costs = [
        price * abs(grid - present[name])
        for (name, price), grid in zip(budget.prices.items(), grids, strict=True)
    ]
    whole = all(np.all(abs(cost - np.round(cost)) < ROUNDING) for cost in costs)
    total = int(np.floor(budget.total + ROUNDING))
    if not whole or (total + 1) * max(map(len, grids)) > LARGEST_COUNT:
        return None
    rounded = [np.round(cost).astype(int) for cost in costs]
    return CountedFactor(tuple(budget.prices), grids, rounded, total)
