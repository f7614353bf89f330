"""Interventions by hit-and-run, for rules that hardly any proposal keeps."""

from __future__ import annotations

import numpy as np

from ._component import Component, Draft
from ._factors import Factor, Interval, Stepped
from ._pool import Pool

CHAINS = 64
STEPS_A_COLUMN = 50
BETWEEN_A_COLUMN = 5
SHRINKS = 40


class WalkPool(Pool):
    """Interventions that walks from the present values come upon.

    A step takes a direction through all real columns, along which a number is drawn between the
    bounds and nearer and nearer until it keeps the rules (hit-and-run with the shrinkage of slice
    sampling, Neal, Annals of Statistics 2003, section 5), a new value of a listed or stepped
    column, or a move of stepped columns, alone or with others in a direction in which other
    walks differ. Each leaves the uniform distribution as it is, but draws depend on each other
    and on where the walks began.

    Parameters
    ----------
    case : Component
        The columns and rules, for one person.
    factors : list of Factor
        What the free columns can be.
    kept : set of int
        Positions of rules that values of the factors keep by themselves.
    """

    sound = False
    method = "hit-and-run, dependent draws"
    acceptance = 0.0

    def __init__(self, case: Component, factors: list[Factor], kept: set[int]) -> None:
        self._case, self._kept = case, kept
        names = [name for factor in factors for name in factor.columns]
        self._real = [f.columns[0] for f in factors if isinstance(f, Interval)]
        self._listed = [f for f in factors if not isinstance(f, Interval)]
        self._stepped = [f.columns[0] for f in factors if isinstance(f, Stepped)]
        self._n_columns = len(names)
        self.size = np.inf if self._real else np.nan

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        state = {name: np.full(CHAINS, self._case.present[name]) for name in self._case.free}
        found: list[np.ndarray] = []
        for _ in range(STEPS_A_COLUMN * self._n_columns):
            state = self._step(state, rng)
        while sum(map(len, found)) < n:
            for _ in range(BETWEEN_A_COLUMN * self._n_columns):
                state = self._step(state, rng)
            found.append(self._case.finish(state, CHAINS, self._kept)[0])
        return np.concatenate(found)[:n]

    def _step(self, state: Draft, rng: np.random.Generator) -> Draft:
        moves = [self._along] * bool(self._real) + [self._anew] * bool(self._listed)
        moves += [self._shift] * bool(self._stepped)
        moves += [self._follow] * bool(self._stepped)
        return moves[rng.integers(len(moves))](state, rng)

    def _taken(self, state: Draft, new: Draft, where: np.ndarray | None = None) -> np.ndarray:
        """Rows in which a move keeps the rules and the bounds; they are moved."""
        case, n = self._case, len(next(iter(state.values())))
        _, keeps = case.finish(state | new, n, self._kept)
        for name, values in new.items():
            keeps &= case.allows(name, values)
        if where is not None:
            keeps &= where
        for name, values in new.items():
            state[name] = np.where(keeps, values, state[name])
        return keeps

    def _along(self, state: Draft, rng: np.random.Generator) -> Draft:
        case = self._case
        n = len(state[self._real[0]])
        limits = np.array([case.limits[m] for m in self._real]).T
        here = np.column_stack([state[name] for name in self._real])
        kind = rng.integers(3)
        waiting = np.ones(n, dtype=bool)
        direction = rng.normal(size=here.shape) * (limits[1] - limits[0])
        if kind == 1:
            # rules may leave room along a single column only
            one = rng.integers(len(self._real), size=n)
            direction = np.where(np.arange(len(self._real)) == one[:, np.newaxis], direction, 0.0)
        elif kind == 2:
            # half of the walks go in directions in which the others differ, and so learn the shape
            waiting = rng.permutation(n) < n // 2
            others = np.flatnonzero(~waiting)
            first, second = rng.choice(others, size=n), rng.choice(others, size=n)
            direction = here[first] - here[second]
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack([(limits[0] - here) / direction, (limits[1] - here) / direction])
        ends = np.where(np.isfinite(ends), ends, np.array([-np.inf, np.inf])[:, None, None])
        low, high = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
        # there is no way to go where two walks stand at the same point, and rounding may put one a
        # little beyond its limits
        low = np.where(np.isfinite(low), np.minimum(low, 0.0), 0.0)
        high = np.where(np.isfinite(high), np.maximum(high, 0.0), 0.0)
        for _ in range(SHRINKS):
            t = rng.uniform(low, high)
            moved = here + t[:, np.newaxis] * direction
            new = {name: moved[:, k] for k, name in enumerate(self._real)}
            waiting &= ~self._taken(state, new, waiting)
            if not waiting.any():
                break
            low, high = np.where(t < 0, t, low), np.where(t > 0, t, high)
        return state

    def _anew(self, state: Draft, rng: np.random.Generator) -> Draft:
        factor = self._listed[rng.integers(len(self._listed))]
        drawn = factor.draw(len(next(iter(state.values()))), rng)
        self._taken(state, {name: drawn[:, k] for k, name in enumerate(factor.columns)})
        return state

    def _shift(self, state: Draft, rng: np.random.Generator) -> Draft:
        """A move of one stepped column, or of two."""
        n = len(state[self._stepped[0]])
        mine = rng.permutation(self._stepped)[:2]
        # steps of all sizes, so that narrow and wide rules are both crossed
        sizes = [np.round(rng.normal(size=n) * 4.0 ** rng.integers(5, size=n)) for _ in mine]
        kind = rng.integers(3)
        if kind == 0:
            mine = mine[:1]
        elif kind == 1:
            sizes[-1] = rng.choice([-1.0, 1.0]) * sizes[0]
        steps = [float(self._case.elements[name].step) for name in mine]
        moved = zip(mine, steps, sizes, strict=False)
        self._taken(state, {name: state[name] + step * size for name, step, size in moved})
        return state

    def _follow(self, state: Draft, rng: np.random.Generator) -> Draft:
        """A move of half of the walks by the differences of two of the others."""
        names = [*self._real, *self._stepped]
        n = len(state[names[0]])
        half = rng.permutation(n) < n // 2
        others = np.flatnonzero(~half)
        first, second = rng.choice(others, size=n), rng.choice(others, size=n)
        new = {name: state[name] + state[name][first] - state[name][second] for name in names}
        self._taken(state, new, half)
        return state
