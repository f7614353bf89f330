"""Checks with a line for each column."""

from __future__ import annotations

from typing import Any

from skcorrupt.utils import Table, describe_columns, resolve_columns, warn
from skcorrupt.utils._typing import ColumnLabels

from ._base_check import BaseCheck


class ColumnCheck(BaseCheck):
    """Base of checks that look at columns one by one.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to watch; None is all that the check is for.
    batch_size : int, default=1000
        Rows of a batch.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause.
    """

    _kinds: tuple[str, ...] = ("bool", "integer", "real", "datetime", "timedelta", "text")
    _parameter_constraints: dict[str, Any] = {
        **BaseCheck._parameter_constraints,
        "columns": "no_validation",
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        batch_size: int = 1000,
        false_alarm: float = 0.01,
    ) -> None:
        super().__init__(batch_size=batch_size, false_alarm=false_alarm)
        self.columns = columns

    def _watched(self, table: Table) -> list[int]:
        """Positions of the columns to watch."""
        if self.columns is None:
            found = [j for j in range(table.n_columns) if table.kind(j) in self._kinds]
            if not found:
                warn(
                    f"{type(self).__name__} is for columns of {', '.join(self._kinds)} values, of "
                    "which there are none; it will never raise an alarm."
                )
            return found
        named = resolve_columns(table, self.columns)
        if not named:
            raise ValueError(
                f"columns={self.columns!r} names no column; pass None for all that "
                f"{type(self).__name__} is for, or some of: {describe_columns(table)}."
            )
        for j in named:
            if table.kind(j) not in self._kinds:
                raise ValueError(
                    f"columns: {table.labels[j]!r} holds {table.kind(j)} values, but "
                    f"{type(self).__name__} is for {', '.join(self._kinds)} values; leave it out."
                )
        return named
