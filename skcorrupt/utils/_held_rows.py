"""Rows of a table that is read in parts, as a table whose columns are held in few bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd

from ._columns import MISSING, Coded
from ._frames import Cells, PandasTable, Table, as_table
from ._hashing import row_keys
from ._held_columns import GrowingColumn, HeldColumn, in_container
from ._kept_answers import packed, unpacked
from ._kept_parts import KeptParts, run_kept
from ._sources import Source

# rows up to which some are fetched once, to be asked about together
FEW_ROWS = 1 << 12
# rows that a model is asked about at once, as it takes more memory for each than all else
ASKED_ROWS = 1 << 16


class Unread(BaseException):
    """A table could not be read, for which no model, pattern or scorer is to blame.

    It passes through what catches the errors of these. The first argument is the error.
    """


@dataclass(eq=False)
class PartedTable:
    """A table that is read in parts, with the columns that are held of it.

    Attributes
    ----------
    source : Source or None
        The table; None in another process, and after a pickle.
    labels : list of str
        Its columns of features.
    container : {"pandas", "polars"}
        What models are given.
    n_jobs : int or None
        Number of workers that read it.
    n_rows : int
        Its number of rows, known once it was read.
    nullable : set of str
        Columns in which values are missing.
    columns : dict of str to HeldColumn
        Those that are held.
    known : dict
        What was asked about clean rows, by what it is.
    """

    source: Source | None
    labels: list[str]
    container: str
    n_jobs: int | None = None
    n_rows: int = 0
    nullable: set[str] = field(default_factory=set)
    columns: dict[str, HeldColumn] = field(default_factory=dict)
    known: dict[Any, Any] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        # workers are handed parts, and some sources cannot be handed on
        return {**self.__dict__, "source": None, "known": {}}

    @property
    def is_read(self) -> Source:
        """The table, where it can be read.

        Raises
        ------
        ValueError
            After a pickle.
        """
        if self.source is None:
            raise ValueError(
                "The table was read in parts and is not in this pickle; call fit again with it."
            )
        return self.source

    def hold(self, names: Sequence[str]) -> None:
        """Read some columns, all in one pass, and keep them.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Raises
        ------
        ValueError
            If there are no rows, or a part cannot be read.
        """
        source = self.is_read
        wanted = [name for name in names if name not in self.columns]
        growing = {name: GrowingColumn(name, source.schema[name]) for name in wanted}
        others = [n for n in self.labels if _has_gaps(source.schema[n]) and not self.n_rows]
        n_rows = 0
        for frame in source.checked([n for n in source.schema if n in {*wanted, *others}]):
            for name, column in growing.items():
                column.add(frame.get_column(name))
            counted = frame.null_count().row(0, named=True)
            self.nullable |= {name for name, count in counted.items() if count}
            n_rows += frame.height
        if not n_rows:
            raise ValueError(f"{source.name} has no rows.")
        self.n_rows = n_rows
        self.columns |= {name: each.held(self.container) for name, each in growing.items()}

    def column(self, name: str) -> HeldColumn:
        """A column, which is read if it is not held."""
        if name not in self.columns:
            self.hold([name])
        return self.columns[name]

    def popped(self, name: str) -> np.ndarray:
        """The values of a column that is held no longer."""
        column = self.columns.pop(name)
        return column.by_row(column.table.values(0), slice(None))

    def check_same(self, frame: Any, first: int) -> None:
        """Refuse a part that is not what it was in the first pass.

        Parameters
        ----------
        frame : polars.DataFrame
            The part.
        first : int
            Position of its first row.

        Raises
        ------
        ValueError
            If rows came in another order, or are others.
        """
        rows = slice(first, first + frame.height)
        for name in frame.columns:
            if name in self.columns:
                before = self.columns[name].at(rows)
                same = len(before) == frame.height and before.eq_missing(frame[name]).all()
                if not same:
                    raise ValueError(
                        f"X gave other values of {name!r} in rows {first} to "
                        f"{first + frame.height} than when it was read before, or rows in another "
                        "order. Write it to Parquet once, and pass the file."
                    )


def _has_gaps(dtype: Any) -> bool:
    """Whether the type of a column in memory depends on whether there are missing values."""
    return bool(dtype.is_integer() or str(dtype) == "Boolean")


class HeldRows(Table):
    """Some rows of a table that is read in parts, clean or with errors in some columns.

    Models are not given it: `ask` gives them the parts.

    Parameters
    ----------
    whole : PartedTable
        What the rows are of.
    positions : ndarray of int or None
        Which rows these are, None for all in their order.
    changes : dict of int to Table or None
        New columns of these rows by position, None where all cells are missing.
    """

    def __init__(
        self,
        whole: PartedTable,
        positions: np.ndarray | None = None,
        changes: Mapping[int, Table | None] | None = None,
    ) -> None:
        self.whole, self.positions, self.changes = whole, positions, dict(changes or {})
        self.container = whole.container
        self.labels = list(whole.labels)
        self.n_columns = len(self.labels)
        self.n_rows = whole.n_rows if positions is None else len(positions)

    @classmethod
    def of(cls, source: Source, labels: list[str], held: Sequence[str], n_jobs: int | None) -> Self:
        """All rows of a table.

        Parameters
        ----------
        source : Source
            The table.
        labels : list of str
            Its columns of features.
        held : sequence of str
            Columns that will be looked at as a whole.
        n_jobs : int or None
            Number of workers that read it later on.

        Returns
        -------
        HeldRows
            Once these columns were read.
        """
        whole = PartedTable(source, labels, source.container, n_jobs)
        whole.hold(held)
        return cls(whole)

    @property
    def source(self) -> Self:
        """Itself: there is no frame of all rows."""
        return self

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.n_rows, self.n_columns

    def __len__(self) -> int:
        return self.n_rows

    @cached_property
    def empty(self) -> Any:
        """A frame with the columns and without rows."""
        import polars as pl

        schema = self.whole.is_read.schema
        frame = pl.DataFrame(schema={name: schema[name] for name in self.labels})
        return in_container(frame, self.container)

    @cached_property
    def key(self) -> bytes:
        """What tells these rows of the whole from others."""
        if self.positions is None:
            return b""
        return hashlib.blake2b(self.positions.tobytes(), digest_size=16).digest()

    def _held(self, j: int) -> HeldColumn:
        return self.whole.column(self.labels[j])

    def _levels(self, j: int) -> Table:
        """What a column holds, each value once at least."""
        if j not in self.changes:
            return self._held(j).table
        return self._changed(j)

    def _changed(self, j: int) -> Table:
        new = self.changes[j]
        if new is None:
            return as_table(self._clean(j).with_cells({0: Cells(np.arange(self.n_rows), MISSING)}))
        return new

    def _clean(self, j: int) -> Table:
        """A column without errors, as a table of one column."""
        values = self._held(j).at(self._rows)
        return as_table(in_container(values.to_frame(), self.container, self.whole.nullable))

    @property
    def _rows(self) -> Any:
        return slice(None) if self.positions is None else self.positions

    def _by_row(self, j: int, ask: Callable[[Table], np.ndarray]) -> np.ndarray:
        found = ask(self._levels(j))
        return found if j in self.changes else self._held(j).by_row(found, self._rows)

    def values(self, j: int) -> np.ndarray:
        return self._by_row(j, lambda levels: levels.values(0))

    def kind(self, j: int) -> str:
        return self._levels(j).kind(0)

    def missing(self, j: int) -> np.ndarray:
        return self._by_row(j, lambda levels: levels.missing(0))

    def values_at(self, j: int, rows: np.ndarray) -> np.ndarray:
        return self.take(rows).values(j)

    def categories(self, j: int) -> list[Any] | None:
        return self._levels(j).categories(0)

    def time_zone(self, j: int) -> Any:
        return self._levels(j).time_zone(0)

    def only_days(self, j: int) -> bool:
        return self._levels(j).only_days(0)

    def takes_texts(self, j: int) -> bool:
        return self._levels(j).takes_texts(0)

    def matching_texts(
        self, j: int, satisfy: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray | None:
        if j in self.changes or self._held(j).codes is None or self.kind(j) != "text":
            return None
        levels = self._levels(j)
        values, present = levels.values(0), ~levels.missing(0)
        satisfied = np.zeros(len(values), dtype=bool)
        satisfied[present] = satisfy(values[present])
        return self._held(j).by_row(satisfied, self._rows)

    def with_cells(self, changes: Mapping[int, Cells]) -> HeldRows:
        new = {j: self._new_column(j, self._plain(cells)) for j, cells in changes.items()}
        return HeldRows(self.whole, self.positions, {**self.changes, **new})

    def _plain(self, cells: Cells) -> Cells:
        # codes are what saves making all values
        return cells if isinstance(cells.values, Coded) else super()._plain(cells)

    def _new_column(self, j: int, cells: Cells) -> Table | None:
        if cells.values is MISSING and j not in self.changes:
            left = ~self.missing(j)
            left[cells.rows] = False
            if not left.any():
                return None
        column = self._changed(j) if j in self.changes else self._clean(j)
        return as_table(column.with_cells({0: cells}))

    def take(self, indices: np.ndarray) -> HeldRows:
        indices = np.asarray(indices)
        if indices.dtype == bool:
            indices = np.flatnonzero(indices)
        if len(indices) == self.n_rows and np.array_equal(indices, np.arange(self.n_rows)):
            return self
        positions = indices if self.positions is None else self.positions[indices]
        small = np.min_scalar_type(max(self.whole.n_rows - 1, 0))
        changes = {
            j: None if new is None else as_table(new.take(indices))
            for j, new in self.changes.items()
        }
        return HeldRows(self.whole, positions.astype(small), changes)

    def ask(
        self, model: Any, name: str, *, kept: KeptParts | None = None, said: str = ""
    ) -> np.ndarray:
        """What a model answers for the rows, part by part.

        Parameters
        ----------
        model : fitted estimator
            What is asked.
        name : str
            The method.
        kept : KeptParts or None, default=None
            Where answers are kept as they come, and taken from.
        said : str, default=""
            What tells the model from others there.

        Returns
        -------
        ndarray of shape (n_rows, ...)
            An entry for each row.

        Raises
        ------
        Unread
            If the table cannot be read, or is another one.
        Exception
            What the model raised.
        """
        if self.n_rows <= FEW_ROWS:
            return np.asarray(getattr(model, name)(self._with_changes(self.fetched(), None)))
        job = _Counted(_Answer(self, model, name))
        told = "" if kept is None else json.dumps([said, name, self.container, *self._told()])
        found: list[Any] = self._over_parts(job, kept=kept, name=told)
        errors = [each for each in found if isinstance(each, Exception)]
        if errors:
            raise errors[0]
        dtype = np.result_type(*(answers.dtype for _, answers in found))
        out = np.empty((self.n_rows, *found[0][1].shape[1:]), dtype=dtype)
        for rows, answers in found:
            out[rows] = answers
        return out

    def fetched(self) -> Any:
        """These rows of the clean table in memory, with all columns; looked for once.

        Returns
        -------
        DataFrame of shape (n_rows, n_columns)
            In the container that models are given.
        """
        key = "rows", self.key
        if key not in self.whole.known:
            import polars as pl

            found = self._over_parts(_Counted(_Fetch(self)))
            order = np.argsort(np.concatenate([rows for rows, _ in found]), kind="stable")
            frame = pl.concat([frame for _, frame in found])[order]
            self.whole.known[key] = in_container(
                frame, self.container, [n for n in self.whole.nullable if n in self.labels]
            )
        return self.whole.known[key]

    def _told(self) -> list[str]:
        """What tells these rows, errors included, from others of the same table."""
        told = [self.key.hex()]
        for j, new in sorted(self.changes.items()):
            told.append(self.labels[j])
            if new is None:
                told.append("missing")
                continue
            values = new.values(0)
            # of equal values, such as 1 and True, models may make something else
            types = {type(each).__name__ for each in values} if values.dtype == object else ()
            told.append(str([*new.source.dtypes, new.categories(0), *sorted(types)]))
            told.append(hashlib.blake2b(row_keys(new).tobytes(), digest_size=16).hexdigest())
        return told

    def _over_parts(
        self, job: _Counted, *, kept: KeptParts | None = None, name: str = ""
    ) -> list[Any]:
        whole = self.whole
        try:
            source = whole.is_read
            found = run_kept(source, job, self.labels, kept=kept, name=name, n_jobs=whole.n_jobs)
            n_rows = sum(height for height, _ in found)
            if n_rows != whole.n_rows:
                raise ValueError(
                    f"{source.name} gave {whole.n_rows} rows when it was read first, and {n_rows} "
                    "now; it should give the same rows each time."
                )
        except Exception as error:
            raise Unread(error) from error
        return [each for _, each in found if each is not None]

    @cached_property
    def _sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions in order, and where they stand."""
        positions = self.positions if self.positions is not None else np.arange(self.n_rows)
        order = np.argsort(positions, kind="stable")
        return positions[order], order

    def of_part(self, frame: Any, first: int) -> tuple[Any, Any]:
        """Which of the rows are in a part.

        Parameters
        ----------
        frame : polars.DataFrame
            The part.
        first : int
            Position of its first row.

        Returns
        -------
        rows : slice or ndarray of int
            Those, as positions among these rows.
        clean : polars.DataFrame
            What the table holds of them.
        """
        self.whole.check_same(frame, first)
        rows = self.rows_in(first, frame.height)
        if self.positions is None:
            return rows, frame
        return rows, frame[self.positions[rows].astype(np.int64) - first]

    def rows_in(self, first: int, n_rows: int) -> Any:
        """Which of the rows are among so many of the table, as positions among these rows."""
        if self.positions is None:
            return slice(first, first + n_rows)
        positions, order = self._sorted
        a, b = np.searchsorted(positions, [first, first + n_rows])
        return order[a:b]

    def given(self, clean: Any, rows: Any) -> Any:
        """Rows as a model gets them, errors included.

        Parameters
        ----------
        clean : polars.DataFrame
            What the table holds of them.
        rows : slice or ndarray of int
            Which of these rows they are.

        Returns
        -------
        DataFrame
            In the container that models are given.
        """
        return self._with_changes(in_container(clean, self.container, self.whole.nullable), rows)

    def _with_changes(self, frame: Any, rows: Any) -> Any:
        every = np.arange(len(frame))
        gone = {j: Cells(every, MISSING) for j, new in self.changes.items() if new is None}
        if gone:
            frame = as_table(frame).with_cells(gone)
        for j, new in self.changes.items():
            if new is not None:
                frame = _with_column(frame, self.labels[j], new.source, rows)
        return frame


def _with_column(frame: Any, label: str, column: Any, rows: Any) -> Any:
    """A frame with another column in the place of one."""
    if isinstance(as_table(frame), PandasTable):
        new = column.iloc[:, 0]
        new = new if rows is None else new.iloc[rows]
        out = frame.copy(deep=False)
        out[label] = pd.Series(new.array, index=frame.index)
        return out
    new = column.to_series(0)
    return frame.with_columns((new if rows is None else new[rows]).alias(label))


def _some(rows: Any, first: int, n_rows: int) -> Any:
    """Some of the rows of a part, one after the other."""
    if isinstance(rows, slice):
        return slice(rows.start + first, rows.start + first + n_rows)
    return rows[first : first + n_rows]


@dataclass
class _Counted:
    """A job with the number of rows of its part; what is kept of it is what the job keeps."""

    job: Any

    def __call__(self, frame: Any, first: int) -> tuple[int, Any]:
        return frame.height, self.job(frame, first)

    def plain(self, found: tuple[int, Any]) -> Any:
        """What the job found, as JSON holds it, or None."""
        return self.job.plain(found[1])

    def taken(self, kept: Any, first: int, n_rows: int) -> tuple[int, Any]:
        """The same as it was before it was kept."""
        return n_rows, self.job.taken(kept, self.job.rows.rows_in(first, n_rows), n_rows)


@dataclass
class _Answer:
    """What a model answers for the rows in a part, or what it raised."""

    rows: HeldRows
    model: Any
    name: str

    def __call__(self, frame: Any, first: int) -> Any:
        rows, clean = self.rows.of_part(frame, first)
        if not clean.height:
            return None
        answers = []
        for a in range(0, clean.height, ASKED_ROWS):
            some = clean[a : a + ASKED_ROWS]
            here = _some(rows, a, some.height)
            try:
                answers.append(
                    np.asarray(getattr(self.model, self.name)(self.rows.given(some, here)))
                )
            except Exception as error:
                return error
        return rows, np.concatenate(answers)

    def plain(self, found: Any) -> Any:
        """Answers as JSON holds them, None where they are too many or there was an error."""
        if found is None:
            return {}
        return None if isinstance(found, Exception) else packed(found[1])

    def taken(self, kept: Any, rows: Any, n_rows: int) -> Any:
        """Answers for these rows of a part as they were before they were kept."""
        n_own = n_rows if isinstance(rows, slice) else len(rows)
        if not n_own and kept == {}:
            return None
        return rows, unpacked(kept, n_own)


@dataclass
class _Fetch:
    """The rows that are in a part."""

    rows: HeldRows

    def __call__(self, frame: Any, first: int) -> Any:
        rows, clean = self.rows.of_part(frame, first)
        if isinstance(rows, slice):
            rows = np.arange(first, first + clean.height)
        return (rows, clean) if clean.height else None
