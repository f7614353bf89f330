"""Points that people can reach, drawn uniformly over their interventions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import checked_whole, draw_seed
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._typing import ColumnLike, RandomState, TableLike
from skcorrupt.utils._warn import warn

from ..actions._action_set import ActionSet
from ..actions._people_checked import person_of
from ._explain import explained
from ._pools import TablePool
from ._reachable_space import MAX_TABLE, MOST_ROWS, ReachableSpace

MOST_POINTS = 10**9


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

    def __init__(self, actions: ActionSet, *, max_table: int = MAX_TABLE) -> None:
        if not isinstance(actions, ActionSet):
            raise TypeError(f"actions={actions!r} should be an ActionSet.")
        self.actions, self.max_table = actions, checked_whole("max_table", max_table, 1)
        self._space = ReachableSpace(actions, self.max_table)

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
        space = self._space
        person, codes = person_of(space.actions, x)
        reach = space.reach(codes)
        if np.isfinite(reach.size) and reach.size > MOST_ROWS:
            raise ValueError(
                f"There are {reach.size:,.0f} reachable points, more than the {MOST_ROWS:,} that "
                "are listed at once; draw some with sample."
            )
        values = space.listed(codes, MOST_ROWS)
        if values is None:
            methods = [
                f"{listed_labels(map(on_one_line, part.names))}: {pool.method}"
                for part, pool in zip(space.components, reach.pools, strict=True)
                if not isinstance(pool, TablePool)
            ]
            methods += [f"{effect}: random" for effect in space.actions.effects if effect.is_random]
            raise ValueError(
                f"The reachable points cannot be listed ({'; '.join(methods)}); draw some with "
                f"sample, or raise max_table={self.max_table}."
            )
        return space.points(person, np.zeros(len(values), dtype=np.intp), values)

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
        space = self._space
        person, codes = person_of(space.actions, x)
        rng = np.random.default_rng(draw_seed(random_state))
        unsound = [pool.method for pool in space.reach(codes).pools if not pool.sound]
        if unsound:
            warn(
                f"These points are not independent, or not all were within reach "
                f"({'; '.join(unsound)}): hardly any action keeps the rules.",
            )
        return space.points(person, np.zeros(n, dtype=np.intp), space.drawn(codes, n, rng))

    def explain(self, x: TableLike | ColumnLike) -> pd.DataFrame:
        """What a person can do, by groups of columns that rules tie together.

        Parameters
        ----------
        x : one-row table, Series or array of shape (n_features,)
            The person.

        Returns
        -------
        DataFrame
            One row per group: `columns`, `rules`, `method` (how its values are listed or drawn),
            `size` (number of interventions, infinite for real columns, NaN where they are not
            counted), `acceptance` (share of proposals that keep the rules) and `blocked_by`, the
            rules that leave a person nothing to do where the columns alone would.

        Raises
        ------
        ValueError
            If the person breaks a rule as they are.
        """
        _, codes = person_of(self._space.actions, x)
        actions = self._space.actions
        elements = {element.name: element for element in actions}
        present = dict(zip(actions.columns, codes.tolist(), strict=True))
        return explained(elements, actions.constraints, present, self.max_table)
