"""Corruption of tables that are read in parts: one pass for the cuts, one that strikes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from skcorrupt.patterns import as_pattern
from skcorrupt.utils import Source, Target, draw_seed, warn
from skcorrupt.utils._validation import check_columns

from ._corruption_result import CorruptionResult
from ._cuts import Cut, Cuts, Tally, Window
from ._edit import Edit, apply_edits, matched_by
from ._keys import check_order, keys_of_rows, raise_if_struck
from ._mar import MAR
from ._mnar import MNAR
from ._part_table import Part, PartTable
from ._partitioned_record import PartitionedRecord
from ._reference import Reference
from ._survey_table import SurveyTable, SurveyTarget

if TYPE_CHECKING:
    from ._base_corruption import BaseCorruption


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

    corruption: BaseCorruption
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
        """Whether rows are dropped."""
        return any(each._drops for _, each in self.corruption._members())

    def _in_order(self, names: Sequence[Any]) -> list[str]:
        return [name for name in self.schema if name in names]


def _decisive(corruption: BaseCorruption, reference: Reference, striking: Striking) -> list[Any]:
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


@dataclass
class _Count:
    """Counts of a part: scores that are not cut yet, rows, rows that can be struck."""

    striking: Striking
    windows: list[Window] | None = None

    def __call__(self, frame: Any, first: int) -> tuple[list[Tally], int, int, bool]:
        cuts = Cuts(self.striking.cuts, self.windows)
        edits = self.striking.edits(frame, first, cuts)
        # members that drop rows are counted one after the other, before those that do not
        more = len(edits) < len(self.striking.corruption._members())
        return cuts.tallies, frame.height, matched_by(edits, frame.height), more


@dataclass
class _Types:
    """Types that columns have in a part once it has its errors."""

    striking: Striking

    def __call__(self, frame: Any, first: int) -> dict[str, Any]:
        return dict(self.striking.struck(frame, first)[0].schema)


@dataclass
class _CountStruck:
    """Number of rows that are struck in a part."""

    striking: Striking

    def __call__(self, frame: Any, first: int) -> int:
        return int(self.striking.struck(frame, first)[1].n_corrupted)


def corrupt_in_parts(
    corruption: BaseCorruption, source: Source, y: Any, key: Any, n_jobs: int | None = None
) -> CorruptionResult:
    """Corrupt a table that is read in parts.

    Parameters
    ----------
    corruption : BaseCorruption
        The error; its parameters were checked.
    source : Source
        The table.
    y : str or None
        Name of the column of labels.
    key : str, list of str or None
        Columns that tell all rows apart.
    n_jobs : int or None, default=None
        Number of workers.

    Returns
    -------
    CorruptionResult
        A LazyFrame of all columns, one of the labels, and a `PartitionedRecord`.
    """
    import polars as pl

    striking, n_matched, n_struck, schema = plan_in_parts(corruption, source, y, key, n_jobs)
    X = _lazy(source, striking, schema)
    record = PartitionedRecord(
        n_matched=n_matched,
        n_samples_in=striking.total,
        seed=striking.seed,
        feature_names=tuple(striking.labels),
        _events=lambda: _lazy_events(source, striking),
        _count=lambda: _n_corrupted(striking, source, n_struck, n_jobs),
    )
    return CorruptionResult(X, None if y is None else X.select(pl.col(y)), record)


def plan_in_parts(
    corruption: BaseCorruption, source: Source, y: Any, key: Any, n_jobs: int | None
) -> tuple[Striking, int, int, dict[str, Any]]:
    """Find out which rows of a table are struck.

    Parameters
    ----------
    corruption : BaseCorruption
        The error; its parameters were checked.
    source : Source
        The table.
    y : str or None
        Name of the column of labels.
    key : str, list of str or None
        Columns that tell all rows apart.
    n_jobs : int or None
        Number of workers.

    Returns
    -------
    striking : Striking
        What strikes a part.
    n_matched : int
        Rows that can be struck.
    n_struck : int
        Rows that are, counted as often as they are by parts of the error that strike apart.
    schema : dict of str to polars data type
        Columns of the corrupted table.
    """
    labels = _labels(source, y)
    keys = _checked_key(corruption, source, key, labels)
    fitted = hasattr(corruption, "reference_")
    _raise_if_not_in_parts(corruption, fitted)
    features = {name: source.schema[name] for name in labels}
    check_columns(corruption if fitted else copy.copy(corruption), features, reset=not fitted)
    corruption = _with_own_seeds(corruption)
    reference, survey = _learned(corruption, source, labels, y, n_jobs)
    if keys:
        raise_if_struck(corruption, survey, reference, keys)
    seed = corruption._seed(reference)
    striking = Striking(
        corruption, reference, seed, source.schema, labels, y, keys, survey.nullable
    )
    if any(member.sampling != "uniform" for _, member in corruption._members()):
        striking.total = survey.n_rows
    n_matched, n_struck = _find_cuts(striking, source, key, n_jobs)
    rated = [each for _, each in corruption._members() if each._rate > 0]
    if striking.cuts and n_struck == 0 and rated:
        warn(
            f"{type(corruption).__name__} changed nothing in {striking.total} rows: its share of "
            f"the {n_matched} rows that match its pattern and can change is less than one row. "
            "Raise the rate or widen the pattern."
        )
    return striking, n_matched, n_struck, _types(striking, source, n_jobs)


def _labels(source: Source, y: Any) -> list[str]:
    if y is not None and not (isinstance(y, str) and y in source.schema):
        raise ValueError(
            f"y={y!r} should be the name of the column of labels of {source.name}, or None; its "
            f"columns are: {', '.join(source.schema)}."
        )
    return [name for name in source.schema if name != y]


def _checked_key(
    corruption: BaseCorruption, source: Source, key: Any, labels: list[str]
) -> list[str]:
    if key is None:
        if not source.ordered:
            raise ValueError(
                f"{source.name} has no order of rows that could be relied on; pass key= with the "
                "column, or columns, that tell all rows apart."
            )
        return []
    keys = key if isinstance(key, list) else [key]
    wrong = [name for name in keys if name not in labels]
    if wrong or not keys:
        raise ValueError(
            f"key={key!r} should name columns of features that tell all rows apart; these are: "
            f"{', '.join(labels)}."
        )
    check_order(corruption, key)
    return keys


def _raise_if_not_in_parts(corruption: BaseCorruption, fitted: bool) -> None:
    for _, member in corruption._members():
        name = type(member).__name__
        reason = member._why_not_in_parts
        if member._reads != "row":
            reason = "takes values from other rows, which may be in another part"
        if reason:
            raise ValueError(
                f"{name} {reason}, so that it corrupts tables in memory only; pass such a table, "
                "for example X.collect(), or a part of X."
            )
        if getattr(member, "when", "fit") == "always" and not fitted:
            raise ValueError(
                f'{name} with when="always" learns from all rows at once which content is struck; '
                'fit it on a sample in memory first, or use when="fit".'
            )


def _with_own_seeds(corruption: BaseCorruption) -> BaseCorruption:
    """A copy of a process whose members draw the same seed for every part."""
    if not any(member is not corruption for _, member in corruption._members()):
        return corruption
    members = []
    for name, member in corruption._members():
        own = copy.copy(member)
        if own.random_state is not None:
            own.random_state = draw_seed(own.random_state)
        members.append((name, own))
    process: Any = copy.copy(corruption)
    process.corruptions = members
    return process  # type: ignore[no-any-return]


def _learned(
    corruption: BaseCorruption, source: Source, labels: list[str], y: Any, n_jobs: int | None
) -> tuple[Reference, SurveyTable]:
    members = [member for _, member in corruption._members()]
    wanted: list[str] = []
    for member in members:
        columns = getattr(member, "columns", None)
        named = [columns] if isinstance(columns, str) else columns
        if member.strikes == "cells":
            wanted += labels if named is None else [name for name in named if name in labels]
        if isinstance(member.mechanism, MAR):
            by = member.mechanism.columns
            wanted += labels if by is None else [by] if isinstance(by, str) else list(by)
    exact = any(member.strikes == "cells" and not member._erases for member in members)
    ordered = [name for name in labels if name in wanted]
    survey = SurveyTable(source, labels, ordered, exact, n_jobs)
    if hasattr(corruption, "reference_"):
        return corruption.reference_, survey
    return corruption._refer(survey, _known_labels(members, source, y, n_jobs)), survey


def _known_labels(
    members: Sequence[BaseCorruption], source: Source, y: Any, n_jobs: int | None
) -> Target | None:
    for member in members:
        if member.strikes == "labels" and isinstance(member.mechanism, MNAR):
            raise ValueError(
                f"mechanism={member.mechanism!r} of labels learns from all labels at once; fit the "
                "corruption on a sample in memory first, or use MAR."
            )
    return None if y is None else SurveyTarget(source, y, n_jobs)


def _find_cuts(
    striking: Striking, source: Source, key: Any, n_jobs: int | None
) -> tuple[int, int]:
    """Find where the smallest scores end; give the number of rows that can be and are struck."""
    n_struck = 0
    droppers = [member for _, member in striking.corruption._members() if member._drops]
    while True:
        tallies, n_rows, n_matched, more = _counted(striking, source, n_jobs)
        striking.total = n_rows
        if any(tally.cut(key) is None for tally in tallies):
            windows = [tally.bucket() for tally in tallies]
            parts = source.run(_Count(striking, windows), striking.decisive, n_jobs=n_jobs)
            tallies = _merged(parts)[0]
        found = [tally.cut(key) for tally in tallies]
        striking.cuts = [*striking.cuts, *(cut for cut in found if cut is not None)]
        n_struck += sum(tally.count for tally in tallies)
        if len(striking.cuts) <= len(droppers) and 0 < n_rows == n_struck:
            raise ValueError(
                f"The selection would drop all {n_rows} rows; lower its rate or narrow its "
                "pattern."
            )
        if not more:
            return n_matched, n_struck


def _counted(
    striking: Striking, source: Source, n_jobs: int | None
) -> tuple[list[Tally], int, int, bool]:
    columns = striking.decisive
    head = source.run(_Count(striking), columns, last=1)
    if not head:
        raise ValueError(f"{source.name} has no rows.")
    windows = [tally.window_of_others() for tally in head[0][0]]
    return _merged(source.run(_Count(striking, windows), columns, n_jobs=n_jobs))


def _merged(parts: list[Any]) -> tuple[list[Tally], int, int, bool]:
    tallies, n_rows, n_matched, more = parts[0]
    for others, rows, matched, _ in parts[1:]:
        for tally, other in zip(tallies, others, strict=True):
            tally.merge(other)
        n_rows, n_matched = n_rows + rows, n_matched + matched
    return tallies, n_rows, n_matched, more


def _n_corrupted(striking: Striking, source: Source, n_struck: int, n_jobs: int | None) -> int:
    if len(striking.cuts) == 1:
        return n_struck
    return sum(source.run(_CountStruck(striking), striking.all_touched, n_jobs=n_jobs))


def _types(striking: Striking, source: Source, n_jobs: int | None) -> dict[str, Any]:
    """The columns of the corrupted table, in types that hold what is put into any part."""
    import polars as pl

    open_ones = striking.may_change_type
    schema = dict(source.schema)
    if not open_ones:
        return schema
    # what holds all numbers, or all texts, is not looked for any further
    for last in (1, None):
        parts = source.run(_Types(striking), striking.all_touched, last=last, n_jobs=n_jobs)
        for name in open_ones:
            frames = [pl.DataFrame(schema={name: part[name]}) for part in parts]
            schema[name] = pl.concat(frames, how="vertical_relaxed").schema[name]
        if all(schema[name] in (pl.Float64, pl.String) for name in open_ones):
            break
    return schema


def _lazy(source: Source, striking: Striking, schema: dict[str, Any]) -> Any:
    """The corrupted table, made when it is asked for."""
    touched = striking.all_touched

    def make(wanted: list[str], n_rows: int | None) -> Iterator[Any]:
        strike = striking.drops or bool(set(wanted) & set(touched))
        columns = [name for name in schema if name in wanted or (strike and name in touched)]
        first = 0
        for frame in source.checked(columns):
            out = striking.struck(frame, first)[0] if strike else frame
            first += frame.height
            yield out.select(pl_cast(schema, wanted))
        if n_rows is None and first != striking.total:
            raise ValueError(
                f"{source.name} gave {striking.total} rows when the rows to strike were counted, "
                f"and {first} now; it should give the same rows each time."
            )

    return _from_generator(make, schema)


def _lazy_events(source: Source, striking: Striking) -> Any:
    """What is changed, made when it is asked for."""
    schema = event_schema(striking)

    def make(wanted: list[str], n_rows: int | None) -> Iterator[Any]:
        first = 0
        for frame in source.checked(striking.all_touched):
            record = striking.struck(frame, first)[1]
            yield events_of(striking, frame, first, record).select(wanted)
            first += frame.height

    return _from_generator(make, schema)


def _from_generator(
    make: Callable[[list[str], int | None], Iterator[Any]], schema: dict[str, Any]
) -> Any:
    from polars.io.plugins import register_io_source

    def frames(
        with_columns: list[str] | None, predicate: Any, n_rows: int | None, batch_size: int | None
    ) -> Iterator[Any]:
        left = n_rows
        for frame in make(with_columns or list(schema), n_rows):
            out = frame if left is None else frame.head(left)
            left = None if left is None else left - out.height
            yield out if predicate is None else out.filter(predicate)
            if left == 0:
                return

    return register_io_source(frames, schema=schema)


def pl_cast(schema: dict[str, Any], wanted: Sequence[str]) -> list[Any]:
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
