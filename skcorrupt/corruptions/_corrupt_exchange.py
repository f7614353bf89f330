"""Values in each other's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from skcorrupt.base import FeatureCorruption, Mechanism, Reference, Struck
from skcorrupt.base._struck import same_cells
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Table, Target, warn
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

# pairs of columns that are tried, of those that no one names
MOST_PAIRS = 20
_NUMBERS = ("integer", "real")


class CorruptExchange(FeatureCorruption):
    """Put the values of columns into each other's place, as when fields are mixed up.

    Columns of one kind of value go together: numbers, truth values, times, spans of time, texts,
    and what else there is by the type of its first value.
    In a struck row two of them exchange their values; of three and more each takes that of the
    next, the last one that of the first. A value comes from the row that is struck itself.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike, in the order in which they are rotated, two or more of each kind that
        is among them. None is all that have another of their kind, in the order of their names. In
        a search None is pairs of columns of one kind, those first that stand next to each
        other, 20 at most; name others in `corrupt_columns` of its space, as tuples. A study of
        sensitivity takes the same pairs.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    same_rows : bool, default=True
        Columns are struck on the same rows; False is refused.
    when : {"fit", "always"}, default="fit"
        Corrupt in `fit_transform` only, or in every `transform`.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed; `record_.to_frame()` tells which row supplied each
        value.

    See Also
    --------
    CorruptCategories : Another of the column's own values.

    Notes
    -----
    Missing values are exchanged like others. Rows in which all columns of a kind are equal are not
    matched. Integer columns that get other numbers become float64, columns of float32 stay so; a
    pandas categorical gains the other column's values as categories.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptExchange
    >>> X = pd.DataFrame({"first": ["Ann", "Bo"], "last": ["Smith", "Lee"]})
    >>> CorruptExchange(rate=1.0).fit_transform(X).values.tolist()
    [['Smith', 'Ann'], ['Lee', 'Bo']]
    """

    short_name = "exchange"
    title = "values in each other's columns"
    _draws_values = False

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            columns,
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )

    def _check_params(self) -> None:
        super()._check_params()
        if not self.same_rows:
            raise ValueError(
                "same_rows=False strikes each column on rows of its own, but CorruptExchange puts "
                "values of one row into each other's place; pass same_rows=True."
            )

    def _applicable_columns(self, table: Table) -> list[int]:
        columns = super()._applicable_columns(table)
        partners = self._partners(table, columns)
        alone = [j for j in columns if j not in partners]
        if alone and self.columns is not None:
            raise ValueError(
                f"columns={self.columns!r} has no other column of the kind of "
                f"{table.labels[alone[0]]!r} ({table.kind(alone[0])} values), with which it could "
                "exchange them; name two or more columns of each kind, in a search as a tuple of "
                "corrupt_columns."
            )
        if columns and not partners and self._rate > 0:
            warn(
                "CorruptExchange exchanges values of columns of one kind, and X has no two such "
                "columns. Nothing will be corrupted."
            )
        return [j for j in columns if j in partners]

    def _partners(self, table: Table, columns: list[int]) -> dict[int, int]:
        """For each of some columns the one whose value it takes; none for those alone."""
        if self.columns is None:
            columns = sorted(columns, key=lambda j: (str(table.labels[j]), j))
        families: dict[str, list[int]] = {}
        for j in columns:
            families.setdefault(_family(table, j), []).append(j)
        return {
            j: family[(i + 1) % len(family)]
            for family in families.values()
            if len(family) > 1
            for i, j in enumerate(family)
        }

    def _hit_groups(self, table: Table, columns: list[int]) -> list[tuple[int, ...]]:
        kinds = {j: _family(table, j) for j in sorted(columns)}
        pairs = [(a, b) for a, b in combinations(kinds, 2) if kinds[a] == kinds[b]]
        return sorted(sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair))[:MOST_PAIRS])

    def _learn(self, table: Table, target: Target | None) -> Reference:
        reference = super()._learn(table, target)
        reference.facts = dict(self._partners(table, reference.columns))
        return reference

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        ticked = ", ".join(f"`{column}`" for column in columns)
        return f"Exchanging {ticked or 'values of columns'}"

    def _also_read(self, columns: Sequence[str]) -> list[str]:
        return [*columns]

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        partners = self._partners(table, self._applicable_columns(table))
        return _differ(table, column, partners[column]) if column in partners else None

    def _able(
        self,
        table: Table,
        group: list[int],
        among: np.ndarray | None,
        facts: Mapping[int, int] | None = None,
    ) -> np.ndarray | None:
        partners = self._partners(table, group) if facts is None else facts
        if not partners:
            return among
        each = [_differ(table, j, partner) for j, partner in partners.items()]
        able = np.asarray(np.logical_or.reduce(each))
        return able if among is None else able & among

    def _new_values(self, struck: Struck) -> Any:
        return struck.taken(struck.rows, struck.facts)


def _family(table: Table, j: int) -> str:
    """What columns have in common that can hold each other's values."""
    kind = table.kind(j)
    if kind != "text":
        return "number" if kind in _NUMBERS else kind
    # lists, intervals and numbers that are categories are no texts
    return table.type_name(j)


def _differ(table: Table, column: int, other: int) -> np.ndarray:
    """Rows in which two columns hold different values."""
    rows = np.arange(table.n_rows)
    return ~same_cells(table, column, rows, other, rows)
