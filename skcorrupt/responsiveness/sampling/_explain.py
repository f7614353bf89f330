"""What a person can do, in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from skcorrupt.utils._readable import listed_labels

from ..rules._constraint import Constraint
from ..rules._people import Elements, Person
from ._component import Component, components_of
from ._pools import pool_of

COLUMNS = ["columns", "rules", "method", "size", "acceptance", "blocked_by"]


def explained(
    elements: Elements, constraints: Sequence[Constraint], present: Person, max_table: int
) -> pd.DataFrame:
    """A row for each group of columns that rules tie together.

    Parameters
    ----------
    elements : mapping of str to ActionElement
        The columns.
    constraints : sequence of Constraint
        The rules.
    present : mapping of str to float
        The person as numbers.
    max_table : int
        Most interventions of a group that are listed.

    Returns
    -------
    DataFrame
        As `ReachableSampler.explain` says.
    """
    rows = []
    for part in components_of(elements, constraints):
        pool = pool_of(part, present, max_table)
        stays = pool.size == 1
        blocking = _blocking(part, elements, constraints, present, max_table) if stays else []
        rows.append(
            {
                "columns": listed_labels(part.names),
                "rules": "; ".join(map(str, part.constraints)),
                "method": pool.method,
                "size": pool.size,
                "acceptance": pool.acceptance,
                "blocked_by": "; ".join(map(str, blocking)),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def _blocking(
    part: Component,
    elements: Elements,
    constraints: Sequence[Constraint],
    present: Person,
    max_table: int,
) -> list[Constraint]:
    """Rules without any one of which a person could do something, else all that matter."""

    def stays(rules: list[Constraint]) -> bool:
        """Whether the columns of the group cannot move under some rules."""
        parts = [p for p in components_of(elements, rules) if set(p.names) <= set(part.names)]
        return all(pool_of(p, present, max_table).size == 1 for p in parts)

    if stays([rule for rule in constraints if rule not in part.constraints]):
        return []
    blocking = [
        rule for rule in part.constraints if not stays([r for r in constraints if r is not rule])
    ]
    return blocking or part.constraints
