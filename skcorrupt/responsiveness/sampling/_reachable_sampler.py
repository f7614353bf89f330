"""Points that people can reach, drawn uniformly over their interventions."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import as_table, checked_whole, draw_seed
from skcorrupt.utils._columns import Coded
from skcorrupt.utils._frames import Cells
from skcorrupt.utils._typing import ColumnLike, RandomState, TableLike

from ..actions._action_set import ActionSet
from ._component import components_of
from ._explain import explained
from ._pool import Pool
from ._pools import TablePool, pool_of

# pools that are kept for people who agree in what matters, and rows of their tables
MAX_TABLE = 200_000
MOST_POOLS = 20_000
MOST_POINTS = 10**9
MOST_ROWS = 5_000_000


class Reach:
    """What one person can reach: a pool for every component.

    Parameters
    ----------
    pools : sequence of Pool
        In the order of the components.

    Attributes
    ----------
    size : float
        Number of interventions, infinite or NaN where they cannot be counted.
    sound : bool
        Whether draws are independent and come upon all of them.
    """

    def __init__(self, pools: Sequence[Pool]) -> None:
        self.pools = pools
        self.sound = all(pool.sound for pool in pools)
        self.size = float(np.prod([pool.size for pool in pools])) if pools else 1.0

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Independent uniform draws, shape (n, n_movable), columns in the order of components."""
        drawn = [pool.draw(n, rng) for pool in self.pools]
        return np.column_stack(drawn) if drawn else np.empty((n, 0))

    def listed(self) -> np.ndarray | None:
        """All interventions, shape (size, n_movable), or None where they cannot be listed."""
        tables = [pool.values for pool in self.pools if isinstance(pool, TablePool)]
        if len(tables) < len(self.pools):
            return None
        lengths = [len(table) for table in tables]
        rows = np.unravel_index(np.arange(int(np.prod(lengths))), lengths) if tables else ()
        parts = [table[r] for table, r in zip(tables, rows, strict=True)]
        return np.column_stack(parts) if parts else np.empty((1, 0))


class ReachableSampler:
    """Draws or lists the points that a person can reach.

    Interventions are uniform: every allowed action has the same chance. Where a rule moves a
    column that people act on too, several actions may lead to one point.

    Parameters
    ----------
    actions : ActionSet
        What people can change, and the rules on it.
    max_table : int, default=200000
        Most interventions that are listed for a group of columns that rules tie together; beyond
        it they are drawn.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.responsiveness import ActionSet, ReachableSampler
    >>> X = pd.DataFrame({"age": [25, 60], "works": [0, 1], "savings": [0, 2]})
    >>> actions = ActionSet.from_data(X, actionable=["works", "savings"])
    >>> actions.add("if works == 0 then savings == 0")
    ActionSet(3 columns, 2 can move, 1 rule)
    >>> ReachableSampler(actions).enumerate(X.iloc[[0]])
       age  works  savings
    0   25      0        0
    1   25      1        0
    2   25      1        1
    3   25      1        2
    """

    most_rows_kept = MOST_ROWS

    def __init__(self, actions: ActionSet, *, max_table: int = MAX_TABLE) -> None:
        if not isinstance(actions, ActionSet):
            raise TypeError(f"actions={actions!r} should be an ActionSet.")
        if not isinstance(max_table, (int, np.integer)) or max_table < 1:
            raise ValueError(f"max_table={max_table!r} should be a whole number, 1 or more.")
        # what is changed in the actions later must not meet pools made before
        self.actions = copy.deepcopy(actions)
        elements = {element.name: element for element in self.actions}
        for constraint in self.actions.constraints:
            constraint._check(elements)
        for effect in self.actions.effects:
            effect._check(elements)
        self.max_table = max_table
        self._components = components_of(elements, self.actions.constraints)
        self.movable = tuple(name for part in self._components for name in part.names)
        pushed = [name for effect in actions.effects for name in effect.targets]
        self.changed = tuple(dict.fromkeys([*self.movable, *pushed]))
        self.is_random = any(effect.is_random for effect in actions.effects)
        self._pools: list[dict[tuple[Any, ...], Pool]] = [{} for _ in self._components]
        self.rows_kept = 0

    def enumerate(self, x: TableLike | ColumnLike) -> Any:
        """All points that a person can reach, one for each intervention.

        Parameters
        ----------
        x : one-row table, Series or array of shape (n_features,)
            The person.

        Returns
        -------
        table of shape (n_interventions, n_features)
            The points, with the columns and the container of `x`; a frame for a Series or an
            array.

        Raises
        ------
        ValueError
            If they cannot be listed, or the person breaks a rule as they are.
        """
        person, codes = self.actions.person(x)
        size = self.reach(codes).size
        if np.isfinite(size) and size > MOST_ROWS:
            raise ValueError(
                f"There are {size:,.0f} reachable points, more than the {MOST_ROWS:,} that are "
                "listed at once; draw some with sample."
            )
        values = self.listed(codes, MOST_ROWS)
        if values is None:
            methods = [
                f"{', '.join(part.names)}: {pool.method}"
                for part, pool in zip(self._components, self.reach(codes).pools, strict=True)
                if not isinstance(pool, TablePool)
            ]
            methods += [f"{effect}: random" for effect in self.actions.effects if effect.is_random]
            raise ValueError(
                f"The reachable points cannot be listed ({'; '.join(methods)}); draw some with "
                f"sample, or raise max_table={self.max_table}."
            )
        return self.points(person, np.zeros(len(values), dtype=np.intp), values)

    def sample(self, x: TableLike | ColumnLike, n: int, random_state: RandomState = None) -> Any:
        """Points that a person can reach, uniform over the interventions and independent.

        Where hardly any action keeps the rules they depend on each other, with a warning.

        Parameters
        ----------
        x : one-row table, Series or array of shape (n_features,)
            The person.
        n : int
            Number of points.
        random_state : None, int, RandomState or Generator, default=None
            Source of the draws.

        Returns
        -------
        table of shape (n, n_features)
            The points, with the columns and the container of `x`; a frame for a Series or an
            array.

        Raises
        ------
        ValueError
            If the person breaks a rule as they are, or `n` is no number of points.
        """
        n = checked_whole("n", n, 1, MOST_POINTS)
        person, codes = self.actions.person(x)
        rng = np.random.default_rng(draw_seed(random_state))
        unsound = [pool.method for pool in self.reach(codes).pools if not pool.sound]
        if unsound:
            warnings.warn(
                f"These points are not independent, or not all were within reach "
                f"({'; '.join(unsound)}): hardly any action keeps the rules.",
                stacklevel=2,
            )
        return self.points(person, np.zeros(n, dtype=np.intp), self.drawn(codes, n, rng))

    def explain(self, x: TableLike | ColumnLike) -> pd.DataFrame:
        """What a person can do, by groups of columns that rules tie together.

        Parameters
        ----------
        x : one-row table, Series or array of shape (n_features,)
            The person.

        Returns
        -------
        DataFrame
            A row a group: `columns`, `rules`, `method` (how its values are listed or drawn),
            `size` (number of interventions, infinite for real columns, NaN where they are not
            counted), `acceptance` (share of proposals that keep the rules) and `blocked_by`, the
            rules that leave a person nothing to do where the columns alone would.

        Raises
        ------
        ValueError
            If the person breaks a rule as they are.
        """
        _, codes = self.actions.person(x)
        elements = {element.name: element for element in self.actions}
        present = dict(zip(self.actions.columns, codes.tolist(), strict=True))
        return explained(elements, self.actions.constraints, present, self.max_table)

    def reach(self, codes: np.ndarray) -> Reach:
        """What a person can reach, by groups of columns.

        Parameters
        ----------
        codes : ndarray of shape (n_features,)
            The person, as `ActionSet.codes` gives it; people who agree in what matters share
            their pools.

        Returns
        -------
        Reach
            Its columns are those of `movable`.
        """
        present = dict(zip(self.actions.columns, codes.tolist(), strict=True))
        pools = []
        for part, known in zip(self._components, self._pools, strict=True):
            key = tuple(present[name] for name in part.inputs)
            if key not in known:
                pool = pool_of(part, present, self.max_table)
                if len(known) >= MOST_POOLS or self.rows_kept + pool.rows > self.most_rows_kept:
                    for kept in self._pools:
                        kept.clear()
                    self.rows_kept = 0
                self.rows_kept += pool.rows
                known[key] = pool
            pools.append(known[key])
        return Reach(pools)

    def listed(self, codes: np.ndarray, most: float) -> np.ndarray | None:
        """All points of a person, unless they are too many or random.

        Parameters
        ----------
        codes : ndarray of shape (n_features,)
            The person, as `ActionSet.codes` gives it.
        most : float
            More points than this are not listed.

        Returns
        -------
        ndarray of shape (n_interventions, n_changed), or None
            Values of the columns `changed`, one row for each intervention.
        """
        reach = self.reach(codes)
        # the size of what cannot be counted is NaN, which is never small enough
        if self.is_random or not reach.size <= most:
            return None
        values = reach.listed()
        return values if values is None else self._followed(codes, values, np.random.default_rng(0))

    def drawn(self, codes: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw points of a person, uniform over the interventions.

        Parameters
        ----------
        codes : ndarray of shape (n_features,)
            The person, as `ActionSet.codes` gives it.
        n : int
            Number of points.
        rng : Generator
            Source of the draws.

        Returns
        -------
        ndarray of shape (n, n_changed)
            Values of the columns `changed`.
        """
        return self._followed(codes, self.reach(codes).draw(n, rng), rng)

    def _followed(
        self, codes: np.ndarray, values: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Interventions with what follows from them."""
        if not self.actions.effects:
            return values
        elements = {element.name: element for element in self.actions}
        before = dict(zip(self.actions.columns, codes.tolist(), strict=True))
        after: dict[str, Any] = before | dict(zip(self.movable, values.T, strict=True))
        for effect in self.actions.effects:
            after |= effect._follow(elements, before, after, len(values), rng)
        return np.column_stack([np.broadcast_to(after[n], (len(values),)) for n in self.changed])

    def points(self, X: Any, rows: np.ndarray, values: np.ndarray) -> Any:
        """Return rows of X with other values in the columns that change.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The people.
        rows : ndarray of int, shape (n_points,)
            Whose point each is.
        values : ndarray of shape (n_points, n_changed)
            New values of `changed`, categories as their position.

        Returns
        -------
        table of shape (n_points, n_features)
            The points, in the container of X; a pandas index counts from 0.
        """
        points = as_table(X).take(rows)
        if isinstance(points, pd.DataFrame):
            points = points.reset_index(drop=True)
        table = as_table(points)
        everywhere = np.arange(len(rows))
        cells = {}
        for k, name in enumerate(self.changed):
            j = self.actions.columns.index(name)
            element = self.actions[name]
            new: Any = values[:, k]
            if element.kind == "categorical":
                new = Coded(new.astype(np.intp), np.array(element.values, dtype=object))
            elif table.kind(j) == "bool":
                new = new > 0
            cells[j] = Cells(everywhere, new)
        return table.with_cells(cells)
