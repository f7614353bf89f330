"""What one person can make of a case, ready to be drawn from."""

from __future__ import annotations

import numpy as np

from skcorrupt.utils._readable import listed_labels, on_one_line

from ..effects._no_points_error import NoPointsError
from ..rules._people import Person
from ._boxes import BoxFactor, box_cases
from ._budgets import budget_factors
from ._component import Component, Draft
from ._factors import Factor, Way
from ._pool import Pool
from ._walk_pool import WalkPool

PILOT = 2_000
LARGEST_PILOT = 200_000
# fewer accepted ones would make every draw wait for seconds
FEWEST = 5
CHUNK = 100_000
# below this share of accepted proposals other ways to propose are tried
RARE = 0.1
REJECTION_SEED = 0


class TablePool(Pool):
    """Interventions that are listed one by one.

    Parameters
    ----------
    values : ndarray of shape (size, n_columns)
        What each leads to.
    method : str
        How they were found.
    """

    def __init__(self, values: np.ndarray, method: str) -> None:
        self.values = values
        self.size = self.rows = len(values)
        self.method = method

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return self.values[rng.integers(len(self.values), size=n)]


class RejectionPool(Pool):
    """Interventions drawn column by column, of which those that keep all rules are taken.

    Parameters
    ----------
    case : Component
        The columns and rules, for one person.
    factors : list of Factor
        What is proposed.
    kept : set of int
        Positions of rules that proposals keep by themselves.
    """

    def __init__(self, case: Component, factors: list[Factor], kept: set[int]) -> None:
        self._case = case
        self._factors, self._kept = factors, kept
        kinds = " × ".join(dict.fromkeys(factor.how for factor in factors))
        self.size = np.inf if any(factor.size == np.inf for factor in factors) else np.nan
        self.rows = sum(factor.rows for factor in factors)
        self.method = f"{kinds}, rejection" if case.constraints else kinds
        if case.constraints:
            self.acceptance = self._pilot()
        else:
            self.size = float(np.prod([factor.size for factor in factors]))

    def _pilot(self) -> float:
        rng = np.random.default_rng(REJECTION_SEED)
        n, accepted = PILOT, 0
        while True:
            accepted = len(self._propose(n, rng))
            if accepted >= 2 * FEWEST or n >= LARGEST_PILOT:
                return accepted / n if accepted >= FEWEST else 0.0
            n *= 10

    def _propose(self, n: int, rng: np.random.Generator) -> np.ndarray:
        draft: Draft = {}
        inside = np.ones(n, dtype=bool)
        for factor in self._factors:
            drawn = factor.draw(n, rng)
            draft |= {name: drawn[:, k] for k, name in enumerate(factor.columns)}
            for name in factor.columns if not factor.within_bounds else ():
                inside &= self._case.allows(name, draft[name])
        values, feasible = self._case.finish(draft, n, self._kept)
        feasible &= inside
        return values if feasible.all() else values[feasible]

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        parts, missing = [], n
        while missing > 0:
            size = min(CHUNK, int(missing / self.acceptance * 1.1) + 10)
            parts.append(self._propose(size, rng)[:missing])
            missing -= len(parts[-1])
        return np.concatenate(parts)


class BranchPool(Pool):
    """Interventions of several cases, of which each is as likely as any other.

    Parameters
    ----------
    pools : list of Pool
        One a case.
    lost : int, default=0
        Further cases that no proposal came upon, though there may be some that would.
    """

    def __init__(self, pools: list[Pool], lost: int = 0) -> None:
        self._pools = pools
        self.size = np.inf if any(pool.size == np.inf for pool in pools) else np.nan
        self.rows = sum(pool.rows for pool in pools)
        inner = ", ".join(dict.fromkeys(pool.method for pool in pools))
        self.method = f"{len(pools)} cases, equally likely ({inner})"
        if lost:
            self.method += f", without {lost} that no draw came upon"
        self.acceptance = min(pool.acceptance for pool in pools)
        self.sound = not lost and all(pool.sound for pool in pools)

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        chosen = rng.integers(len(self._pools), size=n)
        counts = np.bincount(chosen, minlength=len(self._pools))
        parts = [pool.draw(k, rng) for pool, k in zip(self._pools, counts, strict=True) if k]
        out = np.empty((n, parts[0].shape[1])) if parts else np.empty((0, 0))
        if parts:
            out[np.argsort(chosen, kind="stable")] = np.concatenate(parts)
        return out


def pool_of(component: Component, present: Person, max_table: int) -> Pool:
    """What a person can reach in a case.

    Parameters
    ----------
    component : Component
        The columns and rules.
    present : mapping of str to float
        The person's values of the component's inputs.
    max_table : int
        Most rows of a table, also while it is being made.

    Returns
    -------
    Pool
        A table where there are few enough interventions, else draws by rejection, and by
        hit-and-run where no proposal keeps the rules.

    Raises
    ------
    NoPointsError
        If no proposal keeps the rules, nor do the present values.
    """
    found = [pool for case in component.branches(present) for pool in _pools(case, max_table)]
    pools = [pool for pool in found if pool is not None and pool.size != 0]
    lost = found.count(None)
    if not pools:
        rules = "; ".join(str(constraint) for constraint in component.constraints)
        raise NoPointsError(
            f"None of {LARGEST_PILOT} actions on "
            f"{listed_labels(map(on_one_line, component.names))} keeps the rules: {rules}. Bounds "
            "nearer to what the rules allow make them easier to find."
        )
    if lost:
        return BranchPool(pools, lost)
    if len(pools) == 1:
        return pools[0]
    if all(isinstance(pool, TablePool) for pool in pools):
        # cases that can all be listed leave nothing to draw
        tables = [pool.values for pool in pools if isinstance(pool, TablePool)]
        return TablePool(np.concatenate(tables), "enumeration")
    return BranchPool(pools)


def _pools(case: Component, max_table: int) -> list[Pool | None]:
    """A pool for each case that bounds make, None for one that no proposal came upon."""
    factors, kept = case.factors()
    if not all(factor.size for factor in factors):
        return []
    values = _enumerated(case, factors, kept, max_table)
    if values is not None:
        how = "table" if len(factors) == 1 and factors[0].how == "table" else "enumeration"
        return [TablePool(values, how)]
    plain = factors, kept
    coarse = box_cases(case, factors, kept, steps=False)
    if coarse is None:
        return [_drawn(case, [plain], plain)]
    pools = _case_pools(case, coarse, plain, max_table)
    if any(pool is None or pool.acceptance < RARE for pool in pools):
        fine = box_cases(case, factors, kept, steps=True)
        if fine is not None:
            return _case_pools(case, fine, plain, max_table)
    return pools


def _case_pools(
    case: Component, cases: list[tuple[BoxFactor, Way]], plain: Way, max_table: int
) -> list[Pool | None]:
    """A pool for each case, None for one that no proposal came upon."""
    pools: list[Pool | None] = []
    for box, way in cases:
        values = _enumerated(case, *way, max_table)
        if values is not None:
            pools.append(TablePool(values, "enumeration"))
        elif box.n_pinned:
            pools.append(_drawn(case, [way], way))
        else:
            # a single case is drawn the simple way where that does
            ways = [plain, way] if len(cases) == 1 else [way, plain]
            pools.append(_drawn(case, ways, plain))
    return pools


def _drawn(case: Component, ways: list[Way], walk: Way) -> Pool | None:
    """The best of several ways to propose, hit-and-run if none does, or None."""
    pool = RejectionPool(case, *ways[0])
    if pool.acceptance < RARE:
        others = [*ways[1:], *budget_factors(case, *walk)]
        rivals = [RejectionPool(case, *way) for way in others]
        pool = max([pool, *rivals], key=lambda rival: rival.acceptance)
    if pool.acceptance > 0:
        return pool
    followed = sorted(set(case.fixed) - set(case.free))
    if followed:
        rules = "; ".join(map(str, case.constraints))
        raise NoPointsError(
            f"A case of the rules {rules} says what {', '.join(followed)} is, which follows from "
            "several other columns; make it actionable, or state the rule on these."
        )
    here = {name: np.array([case.present[name]]) for name in case.free}
    stays = all(case.fixed.get(name, value) == value for name, value in here.items())
    _, keeps = case.finish(here, 1, set())
    return WalkPool(case, *walk) if stays and keeps.all() else None


def _enumerated(
    case: Component, factors: list[Factor], kept: set[int], max_table: int
) -> np.ndarray | None:
    """All interventions, or None where there are too many."""
    draft: Draft = {}
    n = 1
    assigned: set[str] = set()
    checked = set(kept)
    for factor in sorted(factors, key=lambda factor: factor.size):
        if not n:
            return np.empty((0, len(case.names)))
        if factor.size == np.inf or n * factor.size > max_table:
            return None
        table = factor.table()
        draft = {name: np.repeat(values, len(table)) for name, values in draft.items()}
        draft |= {name: np.tile(table[:, k], n) for k, name in enumerate(factor.columns)}
        n *= len(table)
        assigned |= set(factor.columns)
        ready = case.early(assigned, checked)
        if ready:
            keep = case.kept_by(draft, n, ready)
            draft = {name: values[keep] for name, values in draft.items()}
            n = int(keep.sum())
            checked |= ready
    values, feasible = case.finish(draft, n, checked)
    return values[feasible]
