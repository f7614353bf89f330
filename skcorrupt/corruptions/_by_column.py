"""Errors with parameters that can be given by column, and are learned of columns where not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from skcorrupt.base import FeatureCorruption
from skcorrupt.utils import Table, resolve_columns


class ByColumn(FeatureCorruption):
    """Base of errors of which a parameter can be a dict of columns to values, or be learned."""

    _is_base = True
    # parameters that can be such a dict
    _by_column: ClassVar[tuple[str, ...]] = ()

    def _learned_params(self, facts: Any) -> dict[str, Any]:
        """What was learned of a column, as values of parameters."""
        raise NotImplementedError

    def _is_given(self) -> bool:
        """Whether nothing is left to be learned that decides which rows can change."""
        given = [getattr(self, name) for name in self._by_column]
        learned = all(value is None for value in given)
        return not (learned or any(isinstance(value, Mapping) for value in given))

    def _own(self, table: Table, j: int, name: str) -> Any:
        """The value of a parameter for column `j`, None where it has none."""
        given = getattr(self, name)
        if not isinstance(given, Mapping):
            return given
        by_position = {
            resolve_columns(table, [label], parameter=name)[0]: value
            for label, value in given.items()
        }
        return by_position.get(j)

    def _alone(self, name: str) -> Any:
        """The value of a parameter for the only column that is struck."""
        given = getattr(self, name)
        if not isinstance(given, Mapping):
            return given
        columns = self.columns if isinstance(self.columns, list) else [self.columns]
        return given.get(columns[0])

    def _settled(self, table: Table) -> Self:
        if self._is_given():
            return self
        named = self.columns is not None
        hit = resolve_columns(table, self.columns) if named else range(table.n_columns)
        found: dict[str, dict[Any, Any]] = {name: {} for name in self._by_column}
        for j in hit:
            if self._applies_to(table, j):
                params = self._learned_params(self._learn_column(table, j))
                for name, value in params.items():
                    if value is not None:
                        found[name][table.labels[j]] = value
        settled = super()._settled(table)._striking(self.columns)
        for name, values in found.items():
            if values:
                setattr(settled, name, values)
        return settled

    def _striking(self, columns: Any) -> Self:
        striking = super()._striking(columns)
        for name in self._by_column if isinstance(columns, list) else ():
            given = getattr(self, name)
            if isinstance(given, Mapping):
                kept = {label: given[label] for label in columns if label in given}
                setattr(striking, name, kept or None)
        return striking
