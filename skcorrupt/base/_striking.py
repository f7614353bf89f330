"""What strikes the parts of a table, one like another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.patterns import as_pattern
from skcorrupt.utils import Target

from ._cuts import Cut, Cuts
from ._edit import Edit, apply_edits
from ._keys import keys_of_rows
from ._mnar import MNAR
from ._part_table import Part, PartTable
from ._reference import Reference


@dataclass
class Striking:
    """All that it takes to strike a part; it pickles.

    Attributes
    ----------
    corruption : BaseCorruption
        The error.
    reference : Reference
        What it learned.
    seed : int
        Seed of its draws.
    schema : dict of str to polars data type
        All columns of the table.
    labels : list of str
        Those of features.
    y : str or None
        That of labels.
    key : list of str
        Those that tell rows apart.
    nullable : frozenset of str
        Columns with missing values, where it matters.
    total : int
        Number of rows of the table, where it matters.
    cuts : list of Cut
        Where the smallest scores end.
    """

    corruption: Any
    reference: Reference
    seed: int
    schema: dict[str, Any]
    labels: list[str]
    y: str | None
    key: list[str]
    nullable: frozenset[str]
    total: int = 0
    cuts: list[Cut] = field(default_factory=list)

    def prepared(self, frame: Any, first: int, cuts: Cuts) -> tuple[PartTable, Target | None]:
        """A part as corruptions read it, and its labels."""
        part = Part(first, self.total, None, cuts)
        table = PartTable(frame, self.labels, part, self.nullable)
        if self.key:
            table.part.keys = keys_of_rows(table, [self.labels.index(name) for name in self.key])
        with_y = self.y is not None and self.y in frame.columns
        return table, Target(frame.get_column(self.y)) if with_y else None

    def edits(self, frame: Any, first: int, cuts: Cuts) -> list[Edit]:
        """What is changed in a part."""
        table, target = self.prepared(frame, first, cuts)
        return self.corruption._edits(table, target, self.reference, self.seed)

    def struck(self, frame: Any, first: int) -> tuple[Any, Any]:
        """A part with its errors, and the record of these."""
        table, target = self.prepared(frame, first, Cuts(self.cuts))
        edits = self.corruption._edits(table, target, self.reference, self.seed)
        if any(len(edit.copied) for edit in edits):
            raise ValueError(
                f"{self.corruption!r} appends copies of rows to the end of the table, which parts "
                "have not; pass a table in memory."
            )
        y = None if target is None else frame.get_column(self.y)
        X_out, y_out, record = apply_edits(table, y, target, edits, self.seed)
        out = X_out if y_out is None else X_out.with_columns(y_out)
        return out.select([name for name in frame.columns if name]), record

    @property
    def decisive(self) -> list[str]:
        """Columns that decide on which rows are struck."""
        return self._in_order(_decisive(self.corruption, self.reference, self))

    @property
    def all_touched(self) -> list[str]:
        """Columns that are struck, or decide on it or on values."""
        struck = [self.labels[j] for j in self.corruption._struck_columns(self.reference)]
        also = [name for _, each in self.corruption._members() for name in each._also_read(struck)]
        labels = [self.y] if self.y is not None and self.strikes_labels else []
        return self._in_order([*self.decisive, *struck, *also, *labels])

    @property
    def strikes_labels(self) -> bool:
        """Whether labels are changed."""
        return any(each.strikes == "labels" for _, each in self.corruption._members())

    @property
    def may_change_type(self) -> list[str]:
        """Columns of which it depends on the values put into them in which type they end."""
        import polars as pl

        learned = self.reference.extra.get("members", {"": self.reference})
        found = [self.y] if self.strikes_labels else []
        for name, member in self.corruption._members():
            if member.strikes == "cells" and not member._erases:
                found += [self.labels[j] for j in learned[name].columns]
        kept = (pl.Float32, pl.Float64, pl.String)
        return [name for name in self._in_order(found) if self.schema[name] not in kept]

    @property
    def drops(self) -> bool:
        """Whether rows may be dropped."""
        return any(each.strikes == "rows" for _, each in self.corruption._members())

    def _in_order(self, names: Sequence[Any]) -> list[str]:
        return [name for name in self.schema if name in names]


def _decisive(corruption: Any, reference: Reference, striking: Striking) -> list[Any]:
    labels = striking.labels
    found: list[Any] = list(striking.key)
    learned = reference.extra.get("members", {"": reference})
    for name, member in corruption._members():
        pattern, own = as_pattern(member.pattern), learned[name]
        found += pattern.columns
        if pattern.uses_y or member.strikes == "labels":
            found.append(striking.y)
        by_label = member.strikes == "labels" and isinstance(member.mechanism, MNAR)
        if member.mechanism is not None and not by_label:
            found += [labels[driver.column] for group in own.drivers for driver in group]
        if member._asks_cells():
            found += [labels[j] for j in own.columns]
        if getattr(member, "when", "fit") == "always":
            found += labels
    return found


def in_types(schema: dict[str, Any], wanted: Sequence[str]) -> list[Any]:
    """Columns in the types that they have in all parts."""
    import polars as pl

    return [pl.col(name).cast(schema[name]) for name in wanted]


def event_schema(striking: Striking) -> dict[str, Any]:
    """Columns of the record of what is changed."""
    import polars as pl

    places = {name: striking.schema[name] for name in striking.key} or {"source": pl.Int64}
    return {"event": pl.String, **places, "column": pl.String, "from_row": pl.Boolean}


def events_of(striking: Striking, frame: Any, first: int, record: Any) -> Any:
    """What was changed in a part, a row for every cell, label and row.

    Parameters
    ----------
    striking : Striking
        What struck.
    frame : polars.DataFrame
        The clean part.
    first : int
        Position of its first row.
    record : CorruptionRecord
        What was changed in it.

    Returns
    -------
    polars.DataFrame
        The events.
    """
    import polars as pl

    rows, columns = record.X_mask.nonzero()
    flipped = np.flatnonzero(record.y_mask)
    dropped = np.setdiff1d(np.arange(frame.height), record.sample_indices)
    sizes = [len(rows), len(flipped), len(dropped)]
    places = np.concatenate([record.sample_indices[rows], record.sample_indices[flipped], dropped])
    names = pl.Series([*striking.labels, striking.y, None], dtype=pl.String)
    n = len(striking.labels)
    of_names = np.concatenate([columns, np.full(sizes[1], n), np.full(sizes[2], n + 1)])
    # the last place is that of labels, whose sources are those of column -1
    supplied = np.array([j in record.sources for j in [*range(n), -1]] + [True])
    where = (
        frame.select(striking.key)[places]
        if striking.key
        else pl.DataFrame({"source": first + places.astype(np.int64)})
    )
    events = pl.Series(["cell", "label", "dropped"], dtype=pl.String)
    return where.with_columns(
        event=events[np.repeat(np.arange(3), sizes)],
        column=names[of_names],
        from_row=pl.Series(supplied[of_names], dtype=pl.Boolean),
    ).select(list(event_schema(striking)))
