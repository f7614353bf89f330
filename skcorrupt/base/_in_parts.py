"""Corrupted tables that are made part by part, when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from skcorrupt.utils import Source

from ._corruption_result import CorruptionResult
from ._partitioned_record import PartitionedRecord
from ._plan_parts import Plan, plan_in_parts
from ._row_order import RowOrder
from ._striking import Striking, event_schema, events_of, in_types


@dataclass
class _CountStruck:
    """Number of rows that are struck in a part."""

    striking: Striking

    def __call__(self, frame: Any, first: int) -> int:
        return int(self.striking.struck(frame, first)[1].n_corrupted)


def corrupt_in_parts(
    corruption: Any, source: Source, y: Any, key: Any, n_jobs: int | None = None
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
    return result_in_parts(source, plan_in_parts(corruption, source, y, key, n_jobs), n_jobs)


def result_in_parts(source: Source, plan: Plan, n_jobs: int | None) -> CorruptionResult:
    """The corrupted table, made when it is asked for.

    Parameters
    ----------
    source : Source
        The table.
    plan : Plan
        What to do with every part.
    n_jobs : int or None
        Number of workers that count where that is asked for.

    Returns
    -------
    CorruptionResult
        A LazyFrame of all columns, one of the labels, and a `PartitionedRecord`.
    """
    striking = plan.striking
    X = _lazy(source, plan)
    record = PartitionedRecord(
        n_matched=plan.n_matched,
        n_samples_in=striking.total,
        seed=striking.seed,
        feature_names=tuple(striking.labels),
        _events=lambda: _lazy_events(source, plan),
        _count=lambda: _n_corrupted(striking, source, plan.n_struck, n_jobs),
    )
    # it stands in the place of the record of a table in memory
    return CorruptionResult(
        X, None if striking.y is None else X.select(striking.y), cast("Any", record)
    )


def _n_corrupted(striking: Striking, source: Source, n_struck: int, n_jobs: int | None) -> int:
    if len(striking.cuts) == 1:
        return n_struck
    return sum(source.run(_CountStruck(striking), striking.all_touched, n_jobs=n_jobs))


def _lazy(source: Source, plan: Plan) -> Any:
    """The corrupted table, made when it is asked for."""
    striking, schema = plan.striking, plan.schema
    touched = striking.all_touched

    def make(wanted: list[str], n_rows: int | None) -> Iterator[Any]:
        strike = striking.drops or bool(set(wanted) & set(touched))
        columns = [name for name in schema if name in wanted or (strike and name in touched)]
        first, order = 0, RowOrder(striking.decisive)
        for frame in source.checked(columns):
            out = striking.struck(frame, first)[0] if strike else frame
            if strike and plan.mark is not None:
                order.add(frame, first)
            first += frame.height
            yield out.select(in_types(schema, wanted))
        if n_rows is None and first != striking.total:
            raise ValueError(
                f"{source.name} gave {striking.total} rows when the rows to strike were counted, "
                f"and {first} now; it should give the same rows each time."
            )
        if n_rows is None and strike:
            order.check(plan.mark, source.name)

    return _from_generator(make, schema)


def _lazy_events(source: Source, plan: Plan) -> Any:
    """What is changed, made when it is asked for."""
    striking = plan.striking
    schema = event_schema(striking)

    def make(wanted: list[str], n_rows: int | None) -> Iterator[Any]:
        first, order = 0, RowOrder(striking.decisive)
        for frame in source.checked(striking.all_touched):
            record = striking.struck(frame, first)[1]
            yield events_of(striking, frame, first, record).select(wanted)
            if plan.mark is not None:
                order.add(frame, first)
            first += frame.height
        if n_rows is None:
            order.check(plan.mark, source.name)

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
