"""What people can reach, in numbers: pools of interventions, and the points they lead to."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import as_table
from skcorrupt.utils._columns import Coded
from skcorrupt.utils._frames import Cells
from skcorrupt.utils._typing import TableLike

from ..actions._action_set import ActionSet
from ._component import components_of
from ._pool import Pool
from ._pools import TablePool, pool_of

MAX_TABLE = 200_000
# pools that are kept for people who agree in what matters, and rows of their tables
MOST_POOLS = 20_000
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


class ReachableSpace:
    """What people can reach by an action set, each person being a row of numbers.

    Parameters
    ----------
    actions : ActionSet
        What people can change, and the rules on it.
    max_table : int, default=200000
        Most interventions that are listed for a group of columns that rules tie together.

    Attributes
    ----------
    components : list of Component
        Columns that people act on or that move along, by the rules that tie them together.
    movable : tuple of str
        These columns, in the order of the components.
    changed : tuple of str
        The same and those that effects change.
    rows_kept : int
        Rows of numbers that are kept for people to come.
    """

    most_rows_kept = MOST_ROWS

    def __init__(self, actions: ActionSet, max_table: int = MAX_TABLE) -> None:
        # what is changed in the actions later must not meet pools made before
        self.actions = copy.deepcopy(actions)
        elements = {element.name: element for element in self.actions}
        for constraint in self.actions.constraints:
            constraint._check(elements)
        for effect in self.actions.effects:
            effect._check(elements)
        self.max_table = max_table
        self.components = components_of(elements, self.actions.constraints)
        self.movable = tuple(name for part in self.components for name in part.names)
        pushed = [name for effect in actions.effects for name in effect.targets]
        self.changed = tuple(dict.fromkeys([*self.movable, *pushed]))
        self.is_random = any(effect.is_random for effect in actions.effects)
        self._pools: list[dict[tuple[Any, ...], Pool]] = [{} for _ in self.components]
        self.rows_kept = 0

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
        for part, known in zip(self.components, self._pools, strict=True):
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

    def points(self, X: TableLike, rows: np.ndarray, values: np.ndarray) -> Any:
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
