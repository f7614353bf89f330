"""What real columns can be for each joint value of the others, by bounds that rules pass on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rules._conditions import CHANGE, DISTANCE, Comparison, Linear, Term
from ..rules._numbers import FEW_ULPS, tolerance
from ..rules._people import People, Person
from ._component import Component, Draft
from ._factors import Factor, Interval, Way

MOST_BOXES = 20_000
MOST_ROUNDS = 20
# parts of what a column can be that count as nothing
SAME = 1e-9


class BoxFactor(Factor):
    """Listed columns, and for each of their joint values an interval for every real column.

    A joint value is as likely as the volume of its intervals.

    Parameters
    ----------
    columns : tuple of str
        The listed columns, then the real ones.
    listed : ndarray of shape (n_boxes, n_listed)
        Their joint values.
    lows, highs : ndarray of shape (n_boxes, n_real)
        The intervals. Those of a column are all open, or all of them are single numbers.

    Attributes
    ----------
    n_pinned : int
        Number of real columns that are single numbers.
    """

    how = "boxes"

    def __init__(
        self, columns: tuple[str, ...], listed: np.ndarray, lows: np.ndarray, highs: np.ndarray
    ) -> None:
        self.columns = columns
        self.rows = len(listed)
        self._listed, self._lows = listed, lows
        self._widths = highs - lows
        is_open = (self._widths > 0).any(axis=0)
        self.n_pinned = int((~is_open).sum())
        self.size = np.inf if is_open.any() else len(listed)
        # in parts of the widest one, so that the product stays in the range of floats
        shares = self._widths[:, is_open] / self._widths[:, is_open].max(axis=0, initial=0.0)
        volumes = np.cumsum(shares.prod(axis=1))
        self._cumulative = volumes / volumes[-1]

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        rows = np.searchsorted(self._cumulative, rng.random(n), side="right")
        real = self._lows[rows] + rng.random((n, self._lows.shape[1])) * self._widths[rows]
        return np.column_stack([self._listed[rows], real])

    def table(self) -> np.ndarray:
        return np.column_stack([self._listed, self._lows])


@dataclass
class Bounds:
    """Intervals of columns, an entry a box.

    Attributes
    ----------
    lows, highs : dict of str to ndarray of shape (n_boxes,)
        The intervals.
    possible : ndarray of bool, shape (n_boxes,)
        Boxes in which something may keep the rules.
    """

    lows: dict[str, np.ndarray]
    highs: dict[str, np.ndarray]
    possible: np.ndarray

    # where nothing is possible, bounds may run away to infinity
    @np.errstate(over="ignore", invalid="ignore")
    def keep(self, sums: list[tuple[Linear, bool, np.ndarray]], present: Person) -> None:
        """Narrow the intervals to what sums that are at most 0 leave.

        Parameters
        ----------
        sums : list of (Linear, strict, where)
            Sums that are at most 0, or below it, and the boxes in which they have to be.
        present : mapping of str to float
            The person's values.
        """
        for _ in range(MOST_ROUNDS):
            moved = False
            for total, strict, where in sums:
                least = [
                    term.least(
                        self.lows[term.column], self.highs[term.column], present[term.column]
                    )
                    for term in total.terms
                ]
                bottom = total.constant + sum(least)
                size = abs(total.constant) + sum(abs(value) for value in least)
                slack = tolerance(size)
                self.possible &= ~where | (bottom < -slack if strict else bottom <= slack)
                for term, mine in zip(total.terms, least, strict=True):
                    # what this term may come to while the others are at their least
                    room = np.where(where, mine - bottom, np.inf)
                    moved |= self._narrow(term, room, present)
            if not moved:
                return

    def _least(self, term: Term, here: float) -> np.ndarray:
        return term.least(self.lows[term.column], self.highs[term.column], here)

    def _narrow(self, term: Term, room: np.ndarray, present: Person) -> bool:
        """Keep a term at most as large as `room`; whether that says anything new."""
        name, here = term.column, present[term.column]
        limit = room / term.factor
        low, high = np.full(len(room), -np.inf), np.full(len(room), np.inf)
        if term.kind == DISTANCE and term.factor > 0:
            low, high = here - limit, here + limit
        elif term.kind == DISTANCE:
            # it has to go far enough to the one side to which it can
            low = np.where(self.lows[name] >= here, here + limit, low)
            high = np.where(self.highs[name] <= here, here - limit, high)
        else:
            limit = limit + (here if term.kind == CHANGE else 0.0)
            if term.factor > 0:
                high = limit
            else:
                low = limit
        width = self.highs[name] - self.lows[name]
        slack = SAME * np.nan_to_num(width, posinf=0.0)
        news = self.possible & ((high < self.highs[name] - slack) | (low > self.lows[name] + slack))
        self.highs[name] = np.minimum(self.highs[name], high)
        self.lows[name] = np.maximum(self.lows[name], low)
        return bool(news.any())


def box_cases(
    case: Component, factors: list[Factor], kept: set[int], *, steps: bool
) -> list[tuple[BoxFactor, Way]] | None:
    """Ways to propose the free columns, with intervals that the rules have narrowed.

    Where a yes or no, a category or a listed value leaves real columns single numbers, as
    "amount <= 100 * premium" does where premium is 0, this is a case of its own, without a share of
    the volume. Steps of numbers that leave a single one, such as those that spend a budget to the
    last unit, have no share.

    Parameters
    ----------
    case : Component
        The columns and rules, for one person.
    factors : list of Factor
        The usual way, column by column.
    kept : set of int
        Positions of rules that this keeps by itself.
    steps : bool
        Whether the intervals are narrowed for every value of stepped columns too.

    Returns
    -------
    list of (box, (factors, kept)), or None
        The ways, one for each set of columns that are left a single number, with the factor that
        lists the boxes apart; None where bounds say nothing, or there are too many joint values.
    """
    real = [f for f in factors if isinstance(f, Interval) and not case.links[f.columns[0]]]
    names = {f.columns[0] for f in real}
    tied = {n for c in case.constraints if names & set(c.columns) for n in c.columns}
    beside = [f for f in factors if f not in real and f.size < np.inf and set(f.columns) & tied]
    beside = [f for f in beside if not any(case.links[name] for name in f.columns)]
    switches = [f for f in beside if _is_switch(case, f)]
    beside = switches + [f for f in beside if steps and f not in switches]
    if not real or np.prod([f.size for f in beside]) > MOST_BOXES:
        return None
    listed, n = _joint(case, beside, kept)
    bounds = _bounds(case, listed, n)
    bounds.keep(_sums(case, listed, n), case.present)
    columns = (*listed, *(f.columns[0] for f in real))
    values = np.column_stack([*listed.values(), np.empty((n, 0))])
    lows = np.column_stack([bounds.lows[f.columns[0]] for f in real])
    highs = np.column_stack([bounds.highs[f.columns[0]] for f in real])
    limits = np.array([case.limits[f.columns[0]] for f in real])
    slack = SAME * np.ptp(limits, axis=1) + FEW_ULPS * abs(limits).max(axis=1)
    possible = bounds.possible & (lows <= highs + slack).all(axis=1)
    values, lows, highs = (part[possible] for part in (values, lows, highs))
    here = np.array([case.present[f.columns[0]] for f in real])
    pinned = highs - lows <= 2 * slack
    at = np.where(abs(lows - here) <= 2 * slack, here, (lows + highs) / 2)
    lows, highs = np.where(pinned, at, lows), np.where(pinned, at, highs)
    rest = [f for f in factors if f not in real and f not in beside]
    roomy = _with_most_room(values[:, : sum(len(f.columns) for f in switches)], pinned)
    kinds, kind = np.unique(pinned[roomy], axis=0, return_inverse=True)
    cases: list[tuple[BoxFactor, Way]] = []
    for k in range(len(kinds)):
        mine = roomy[kind.ravel() == k]
        box = BoxFactor(columns, values[mine], lows[mine], highs[mine])
        cases.append((box, ([*rest, box], kept)))
    return cases


def _is_switch(case: Component, factor: Factor) -> bool:
    """Whether a factor is of states rather than of steps of a number."""
    kinds = {case.elements[name].kind for name in factor.columns}
    return len(factor.columns) > 1 or bool(kinds & {"bool", "categorical"}) or factor.size == 1


def _with_most_room(states: np.ndarray, pinned: np.ndarray) -> np.ndarray:
    """Rows that leave as few columns a single number as any row of the same state."""
    count = pinned.sum(axis=1)
    if not len(count):
        return np.arange(0)
    state = np.unique(states, axis=0, return_inverse=True)[1].ravel()
    least = np.full(state.max() + 1, pinned.shape[1])
    np.minimum.at(least, state, count)
    return np.flatnonzero(count == least[state])


def _joint(case: Component, factors: list[Factor], kept: set[int]) -> tuple[Draft, int]:
    """All joint values of listed columns that break no rule yet, and how many there are."""
    listed: Draft = {}
    n = 1
    for factor in factors:
        table = factor.table()
        listed = {name: np.repeat(values, len(table)) for name, values in listed.items()}
        listed |= {name: np.tile(table[:, k], n) for k, name in enumerate(factor.columns)}
        n *= len(table)
    ready = case.early(set(listed), kept)
    keep = case.kept_by(listed, n, ready)
    return {name: values[keep] for name, values in listed.items()}, int(keep.sum())


def _bounds(case: Component, listed: Draft, n: int) -> Bounds:
    lows, highs = {}, {}
    for name in case.inputs:
        low = high = case.present[name]
        if name in case.fixed:
            low = high = case.fixed[name]
        elif name in case.names:
            low, high = case.limits[name]
        lows[name], highs[name] = np.full(n, low), np.full(n, high)
        if name in listed:
            lows[name] = highs[name] = listed[name]
    return Bounds(lows, highs, np.ones(n, dtype=bool))


def _sums(case: Component, listed: Draft, n: int) -> list[tuple[Linear, bool, np.ndarray]]:
    """What the rules and links say, as sums that are at most 0."""
    before = case.before
    known = {name: case.present[name] for name in case.inputs if name not in case.names}
    known |= case.fixed | listed
    after = People(case.elements, known)
    found = [pair for c in case.constraints for pair in c._comparisons(before, after, set(known))]
    for name, links in case.links.items():
        if links and not case.elements[name].actionable:
            moved = [Term(float(scale), CHANGE, source) for source, scale in links]
            change = Linear((Term(1.0, CHANGE, name),))
            found.append((Comparison(change, "==", Linear(tuple(moved))), True))
    return [
        (total, strict, np.broadcast_to(np.asarray(where, dtype=bool), (n,)))
        for part, where in found
        for total, strict in part.at_most()
    ]
