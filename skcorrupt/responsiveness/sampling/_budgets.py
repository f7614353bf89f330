"""Several columns in one comparison, drawn so that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rules._conditions import CHANGE, DISTANCE, VALUE, Comparison, Term
from ..rules._people import People, Person
from ._component import Component
from ._factors import Factor, Interval, Stepped

LARGEST_COUNT = 2_000_000
MOST_UNITS = 2.0**40
LARGEST_DIVISOR = 12
ROUNDING = 1e-9


@dataclass(frozen=True)
class Sum:
    """A comparison as a sum over columns that is at most `total`.

    Attributes
    ----------
    terms : dict of str to list of Term
        What is added up, by column.
    total : float
        What it may come to.
    exact : bool
        Whether it has to come to it.
    strict : bool
        Whether it has to stay below.
    """

    terms: dict[str, list[Term]]
    total: float
    exact: bool
    strict: bool

    def at(self, name: str, present: float, values: np.ndarray) -> np.ndarray:
        """What a column adds at some values, shape (n_values,)."""
        return sum((term.at(values, present) for term in self.terms[name]), np.zeros(len(values)))

    def least(self, name: str, present: float, limits: tuple[float, float]) -> float:
        """The least that a column adds between two limits, or less."""
        return float(sum(term.least(*limits, present) for term in self.terms[name]))


class SimplexFactor(Factor):
    """Real columns under a budget, by exponential spacings; bounds are for others to check.

    The shares that k exponential variables have of the sum of k + 1 are uniform on the simplex.

    Parameters
    ----------
    columns : tuple of str
        The columns.
    anchors : sequence of float
        Where each costs nothing.
    signs : sequence of tuple of int
        Where each can go from there: 1 is up, -1 down.
    reach : sequence of float
        How far each comes with all of the budget.
    """

    how = "simplex"
    within_bounds = False

    def __init__(
        self,
        columns: Iterable[str],
        anchors: Sequence[float],
        signs: Sequence[tuple[int, ...]],
        reach: Sequence[float] | np.ndarray,
    ) -> None:
        self.columns = tuple(columns)
        self.size = np.inf
        self._anchors, self._reach = np.array(anchors), np.array(reach)
        self._signs = [np.array(s) for s in signs]

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        spacings = rng.exponential(size=(n, len(self.columns) + 1))
        shares = spacings[:, :-1] / spacings.sum(axis=1, keepdims=True)
        signs = np.column_stack([s[rng.integers(len(s), size=n)] for s in self._signs])
        return self._anchors + signs * shares * self._reach


class CountedFactor(Factor):
    """Stepped columns with a sum of whole numbers, by counting what is left for the others.

    Parameters
    ----------
    columns : tuple of str
        The columns.
    grids : list of ndarray
        The values of each.
    costs : list of ndarray of int
        What each value adds, 0 or more.
    total : int
        What the sum may come to.
    exact : bool
        Whether it has to come to it.
    """

    how = "counting"

    def __init__(
        self, columns: tuple[str, ...], grids: list[Any], costs: list[Any], total: int, exact: bool
    ) -> None:
        self.columns = columns
        self._grids = [grid[cost <= total] for grid, cost in zip(grids, costs, strict=True)]
        self._costs = [cost[cost <= total] for cost in costs]
        self._total = total
        # ways[k][r]: how many joint values of the columns from k on do with r
        last = np.zeros(total + 1)
        last[0 : 1 if exact else None] = 1.0
        ways = [last]
        for cost in reversed(self._costs):
            here = np.zeros(total + 1)
            for price in cost:
                here[price:] += ways[0][: total + 1 - price]
            ways.insert(0, here)
        self._ways = ways
        self.rows = (total + 1) * len(ways)
        self.size = float(ways[0][total])

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        left = np.full(n, self._total)
        out = np.empty((n, len(self.columns)))
        for k, (grid, cost) in enumerate(zip(self._grids, self._costs, strict=True)):
            amounts, row = np.unique(left, return_inverse=True)
            remaining = amounts[:, np.newaxis] - cost[np.newaxis, :]
            weights = np.where(remaining >= 0, self._ways[k + 1][np.maximum(remaining, 0)], 0.0)
            cumulative = np.cumsum(weights, axis=1)
            # the rows one after the other, each one unit long, to be searched all at once
            cumulative /= cumulative[:, -1:]
            cumulative += np.arange(len(amounts))[:, np.newaxis]
            u = np.minimum(row + rng.random(n), np.nextafter(row + 1.0, 0.0))
            picks = np.searchsorted(cumulative.ravel(), u, side="right") - row * len(cost)
            out[:, k] = grid[picks]
            left = left - cost[picks]
        return out


def budget_factors(
    case: Component, factors: list[Factor], kept: set[int]
) -> list[tuple[list[Factor], set[int]]]:
    """Other ways to propose the free columns of a case, for the comparisons in its rules.

    Parameters
    ----------
    case : Component
        The columns and rules, for one person.
    factors : list of Factor
        The usual way, column by column.
    kept : set of int
        Positions of rules that this keeps by itself.

    Returns
    -------
    list of (factors, kept)
        The same with one factor for several columns of a comparison.
    """
    # what a rule lists is not to be replaced by what its column alone could be
    alone = {
        f.columns[0]
        for f in factors
        if isinstance(f, (Stepped, Interval)) and not case.links[f.columns[0]]
    }
    known = {name: case.present[name] for name in case.inputs if name not in case.names}
    known |= case.fixed
    before, after = case.before, People(case.elements, known)
    found = []
    for i, constraint in enumerate(case.constraints):
        rules = constraint._comparisons(before, after, set(known))
        parts = [part for part, where in rules if where]
        single = len(constraint.comparisons) == len(parts) == 1
        for part in parts:
            for total in _sums(part, case.present, known):
                for factor, sure in (
                    _simplex(total, case, alone),
                    _counted(total, case, alone),
                ):
                    if factor is not None:
                        rest = [f for f in factors if f.columns[0] not in factor.columns]
                        keeps = {i} if sure and single else set()
                        found.append(([*rest, factor], kept | keeps))
    return found


def _sums(part: Comparison, present: Person, known: Mapping[str, float]) -> list[Sum]:
    """The comparison as sums that are at most a number, an equation also as two of them."""
    sums = []
    for total, strict in part.at_most():
        terms: dict[str, list[Term]] = {}
        left = -total.constant
        for term in total.terms:
            if term.column in known:
                left -= float(term.at(known[term.column], present[term.column]))
            else:
                terms.setdefault(term.column, []).append(term)
        sums.append(Sum(terms, left, part.relation == "==", strict))
    return sums


def _left_for(total: Sum, mine: list[str], case: Component) -> float:
    """What the other columns leave at best; what they spend is left to the check of the rule."""
    others = [name for name in total.terms if name not in mine]
    return total.total - sum(
        total.least(name, case.present[name], case.limits[name]) for name in others
    )


def _simplex(total: Sum, case: Component, alone: set[str]) -> tuple[Factor | None, bool]:
    """A draw of the real columns, and whether it keeps the comparison."""
    anchors: dict[str, float] = {}
    signs: dict[str, tuple[int, ...]] = {}
    prices: dict[str, float] = {}
    budget = 0.0
    for name, terms in total.terms.items():
        element, here = case.elements[name], case.present[name]
        if name not in alone or element.is_discrete:
            continue
        low, high = element.limits(here)
        slope = sum(term.factor for term in terms if term.kind in (VALUE, CHANGE))
        size = sum(term.factor for term in terms if term.kind == DISTANCE)
        if slope and not size:
            anchors[name] = low if slope > 0 else high
            signs[name] = (1,) if slope > 0 else (-1,)
        elif size > 0 and not slope:
            anchors[name] = here
            signs[name] = tuple(s for s, on in ((-1, low < here), (1, high > here)) if on)
        else:
            continue
        prices[name] = abs(slope or size)
        budget -= float(total.at(name, here, np.array([anchors[name]]))[0])
    budget += _left_for(total, list(prices), case)
    if len(prices) < 2 or budget <= 0:
        return None, False
    reach = budget / np.array(list(prices.values()))
    factor = SimplexFactor(prices, list(anchors.values()), list(signs.values()), reach)
    whole = len(prices) == len(total.terms) and not total.exact and not total.strict
    return factor, whole


def _counted(total: Sum, case: Component, alone: set[str]) -> tuple[Factor | None, bool]:
    """A draw of the stepped columns, and whether it keeps the comparison."""
    names = [n for n in total.terms if n in alone and case.elements[n].is_discrete]
    n_values = [case.elements[name].n_values(case.present[name]) for name in names]
    if len(names) < 2 or max(n_values) > LARGEST_COUNT:
        return None, False
    whole = len(names) == len(total.terms)
    budget = _left_for(total, names, case)
    grids, costs = [], []
    for name in names:
        grids.append(case.elements[name].grid(case.present[name]))
        cost = total.at(name, case.present[name], grids[-1])
        budget -= cost.min()
        costs.append(cost - cost.min())
    unit = _unit(np.concatenate(costs))
    if unit is None or budget < -ROUNDING * unit:
        return None, False
    exact = whole and total.exact
    left = budget / unit
    near = abs(left - round(left)) < ROUNDING * max(1.0, abs(left))
    if exact and not near:
        return None, False
    n_units = round(left) if near else int(np.floor(left))
    n_units -= int(near and whole and total.strict)
    # counts beyond that are more than any budget that is counted
    counts = [np.minimum(np.round(cost / unit), MOST_UNITS).astype(np.int64) for cost in costs]
    if not exact:
        n_units = min(n_units, int(sum(count.max() for count in counts)))
    if n_units < 0 or (n_units + 1) * max(map(len, grids)) > LARGEST_COUNT:
        return None, False
    factor = CountedFactor(tuple(names), grids, counts, n_units, exact)
    return (factor, whole) if 0 < factor.size < np.inf else (None, False)


def _unit(costs: np.ndarray) -> float | None:
    """A number of which all costs are multiples."""
    least = costs[costs > 0].min(initial=np.inf)
    for divisor in range(1, LARGEST_DIVISOR + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            counts = costs / (least / divisor)
            rounded = abs(counts - np.round(counts))
        if np.all(rounded < ROUNDING * np.maximum(1.0, counts)):
            return least / divisor if np.isfinite(least) else None
    return None
