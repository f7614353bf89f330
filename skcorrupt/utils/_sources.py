"""Tables that are read in parts: Parquet files, lazy frames, data sets, frames of a cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from itertools import accumulate
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.utils.parallel import delayed

from ._arriving import arriving
from ._shorten import first_line, shorten

# rows that parts of streams have, and parts of files with small row groups about
PART_ROWS = 2**18
# partitions of a cluster of which results are held at the same time
AT_ONCE = 128
# whole numbers below are told apart by floats
_EXACT = 2**53
# beginnings of addresses, of which a path leaves one stroke
REMOTE = ("s3", "gs", "gcs", "az", "abfs", "abfss", "adl", "hdfs", "http", "https", "hf")

# the first polars whose LazyFrame.collect_batches raises where a part cannot be read
LOUD_POLARS = (1, 37)

Job = Callable[[Any, int], Any]

_WRITE = "write it to Parquet by itself, which shows where it fails, and pass the files"
_PERSIST = "pass X.persist(), or write it to Parquet and pass the files"
_COMPUTE = "X.partitions[0].compute() and so on show which; write it again, or leave it out"
_COLLECT = "X.head().collect() shows whether it is the frame; its files may be gone or damaged"


class Source:
    """A table that is read in parts, each a polars frame, as often as there are passes over it.

    Attributes
    ----------
    name : str
        What it is, for messages.
    schema : dict of str to polars data type
        Its columns.
    ordered : bool
        Whether its rows come in the same order each time.
    container : {"pandas", "polars"}
        What its rows are as a table in memory, such as models are given.
    files, folders : list of str
        What it is read from, as far as that is known.
    stamp : object
        What tells it from others and from itself when it has changed, as JSON holds it.
    parts : list of (int, int) or None
        First row and number of rows of every part, where parts can be left out unread.
    """

    name: str
    schema: dict[str, Any]
    ordered = True
    container = "pandas"
    files: Sequence[str] = ()
    folders: Sequence[str] = ()
    stamp: Any = None
    parts: Sequence[tuple[int, int]] | None = None

    def features(self, y: Any) -> list[str]:
        """The columns without that of the labels.

        Parameters
        ----------
        y : str or None
            Name of the column of labels.

        Returns
        -------
        list of str
            All others.

        Raises
        ------
        ValueError
            If there is no such column.
        """
        if y is not None and not (isinstance(y, str) and y in self.schema):
            raise ValueError(
                f"y={shorten(y)} should be the name of the column of labels of {self.name}, or "
                f"None; its columns are: {', '.join(self.schema)}."
            )
        return [name for name in self.schema if name != y]

    def frames(self, columns: Sequence[str]) -> Iterator[Any]:
        """The parts in their order, with some of the columns."""
        raise NotImplementedError

    def run(
        self,
        job: Job,
        columns: Sequence[str],
        *,
        last: int | None = None,
        n_jobs: int | None = None,
    ) -> list[Any]:
        """What `job(part, position of its first row)` gives for all parts, or the first ones."""
        return list(self.stream(job, columns, last=last, n_jobs=n_jobs))

    def stream(
        self,
        job: Job,
        columns: Sequence[str],
        *,
        last: int | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[Any]:
        """The same part after part, so that not all of it has to be held."""
        first = 0
        for i, frame in enumerate(self.checked(columns), start=1):
            yield job(frame, first)
            first += frame.height
            if i == last:
                break

    def checked(self, columns: Sequence[str]) -> Iterator[Any]:
        """The parts that have rows, with the columns in the types that they should have."""
        for i, frame in enumerate(self.frames(self._some(columns))):
            if frame.height:
                yield self._fitting(frame, columns, f"part {i} of {self.name}")

    def handed_out(self, frame: Any) -> Any:
        """Rows of it, a polars frame or a series, as those who passed it hold such rows."""
        return frame.to_pandas() if self.container == "pandas" else frame

    def _some(self, columns: Sequence[str]) -> list[str]:
        # rows of a table without columns would not be counted
        return list(columns) or [next(iter(self.schema))]

    def _fitting(self, frame: Any, columns: Sequence[str], place: str) -> Any:
        wanted = {name: self.schema[name] for name in self._some(columns)}
        raise_if_other(wanted, dict(frame.schema), place)
        return frame.cast(wanted)


class ParquetFiles(Source):
    """Parquet files, cut where their row groups end."""

    def __init__(self, paths: Sequence[Path], name: str, folders: Sequence[str] = ()):
        import polars as pl
        from pyarrow import parquet

        self.name = name
        self.files = [str(path) for path in paths]
        self.folders = folders
        # before anything is read, so that a change from then on is seen
        self.stamp = [_stamp(file) for file in self.files]
        self._parts: list[tuple[str, int, int]] = []
        for path in paths:
            try:
                schema = dict(pl.read_parquet_schema(path))
                footer = parquet.read_metadata(path)
            except Exception as error:
                raise ValueError(
                    f"{path} cannot be read as Parquet ({first_line(error)}); write it again, or "
                    f"take it out of {name}."
                ) from error
            if not hasattr(self, "schema"):
                self.schema = schema
            # a column without any value, as pandas writes it, has the type that it has elsewhere
            unknown = [name for name, dtype in self.schema.items() if dtype == pl.Null]
            self.schema |= {name: schema[name] for name in unknown if name in schema}
            raise_if_other(self.schema, schema, str(path), str(paths[0]))
            groups = [footer.row_group(i).num_rows for i in range(footer.num_row_groups)]
            self._parts += [(str(path), *part) for part in _gathered_groups(groups)]

    @property
    def parts(self) -> Sequence[tuple[int, int]]:  # type: ignore[override]
        """First row and number of rows of every part."""
        lengths = [n_rows for _, _, n_rows in self._parts]
        return [*zip(accumulate(lengths, initial=0), lengths, strict=False)]

    def frames(self, columns: Sequence[str]) -> Iterator[Any]:
        self._raise_if_changed()
        for part in self._parts:
            yield _read_part(*part, list(columns))
        self._raise_if_changed()

    def stream(
        self,
        job: Job,
        columns: Sequence[str],
        *,
        last: int | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[Any]:
        self._raise_if_changed()
        firsts = [first for first, _ in self.parts]
        tasks = [*zip(self._parts, firsts, strict=True)][:last]
        wanted = {name: self.schema[name] for name in columns}
        yield from arriving(
            (delayed(_on_part)(job, *task, wanted) for task in tasks), n_jobs=n_jobs, batch_size=1
        )
        self._raise_if_changed()

    def _raise_if_changed(self) -> None:
        """Refuse files that are others than when they were opened; reading names those gone."""
        for file, stamp in zip(self.files, self.stamp, strict=True):
            if Path(file).exists() and _stamp(file) != stamp:
                raise ValueError(
                    f"{file} was changed after it was first read, so that what was counted in it "
                    "no longer holds; make the call again."
                )


def _stamp(file: str) -> list[Any]:
    """Name, size and time of a file."""
    stat = Path(file).stat()
    return [file, stat.st_size, stat.st_mtime_ns]


def _polars_version() -> tuple[int, ...]:
    import polars as pl

    return tuple(int(part) for part in pl.__version__.split(".")[:2])


class LazyFrame(Source):
    """A polars LazyFrame, collected in batches."""

    container = "polars"

    def __init__(self, frame: Any):
        self.name = "X, a polars LazyFrame"
        with _named(self.name, _COLLECT):
            self.schema = dict(frame.collect_schema())
        self._frame = frame
        if _polars_version() < LOUD_POLARS:
            raise ValueError(
                "Before version 1.37, polars ends a LazyFrame without a word where a part of it "
                "cannot be read; upgrade to polars 1.37 or later, or write the frame by "
                "sink_parquet and pass the file."
            )

    def frames(self, columns: Sequence[str]) -> Iterator[Any]:
        batches = iter(self._frame.select(columns).collect_batches(chunk_size=PART_ROWS))
        yield from _each_read(batches, self.name, _COLLECT)


class ArrowBatches(Source):
    """What gives Arrow batches each time it is asked: data sets, relations and the like."""

    def __init__(self, name: str, open_batches: Callable[[list[str]], Any], *, ordered: bool):
        import polars as pl
        import pyarrow as pa

        self.name = name
        self.ordered = ordered
        self._open = open_batches
        reader = open_batches([])
        schema = reader.schema if isinstance(reader, pa.RecordBatchReader) else reader
        _raise_if_twice(name, schema.names)
        self.schema = dict(pl.from_arrow(schema.empty_table()).schema)  # type: ignore[union-attr]

    def frames(self, columns: Sequence[str]) -> Iterator[Any]:
        import polars as pl
        import pyarrow as pa

        held: list[Any] = []
        with _named(self.name, _WRITE):
            batches = iter(self._open(list(columns)))
        for batch in _each_read(batches, self.name, _WRITE):
            held.append(batch)
            if sum(each.num_rows for each in held) >= PART_ROWS:
                yield pl.from_arrow(pa.Table.from_batches(held)).select(columns)  # type: ignore[union-attr]
                held = []
        if held:
            yield pl.from_arrow(pa.Table.from_batches(held)).select(columns)  # type: ignore[union-attr]


@dataclass(frozen=True)
class _Failed:
    """What went wrong once a partition was there, which is no fault of its reader."""

    error: Exception


class DaskFrame(Source):
    """A Dask DataFrame, whose own scheduler runs what is done with its partitions."""

    def __init__(self, frame: Any):
        self.name = "X, a Dask DataFrame"
        self._frame = frame
        _raise_if_twice(self.name, list(frame.columns))
        labels = [label for label in frame.columns if not isinstance(label, str)]
        if labels:
            raise ValueError(
                f"X has columns that are not texts, such as {labels[0]!r}; rename them, for "
                "example by X.rename(columns=str)."
            )
        self._lengths: list[int] | None = None
        self.schema = self._declared()

    def frames(self, columns: Sequence[str]) -> Iterator[Any]:
        pieces = self._pieces(columns)
        lengths = [None] * len(pieces) if self._lengths is None else self._lengths
        self._raise_if_others(len(pieces), len(lengths))
        for i, (piece, length) in enumerate(zip(pieces, lengths, strict=True)):
            place = f"partition {i} of {self.name}"
            with _named(place, _COMPUTE):
                frame = piece.compute()
            yield _of_length(frame, length, place)

    def stream(
        self,
        job: Job,
        columns: Sequence[str],
        *,
        last: int | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[Any]:
        from dask.base import compute
        from dask.delayed import delayed as later

        if self._lengths is None:
            counts = [later(len)(piece) for piece in self._pieces([])]
            with _named(self.name, _COMPUTE):
                self._lengths = [*compute(*counts)]  # type: ignore[no-untyped-call]
        pieces = self._pieces(columns)
        self._raise_if_others(len(pieces), len(self._lengths))
        tasks, first = [], 0
        for i, (piece, length) in enumerate(zip(pieces, self._lengths, strict=True)):
            if length:
                place = f"partition {i} of {self.name}"
                tasks.append(later(self._on_frame)(piece, job, first, length, list(columns), place))
            first += length
        tasks = tasks[:last]
        # what comes of a partition is let go before that of the next ones is there
        for i in range(0, len(tasks), AT_ONCE):
            with _named(self.name, _COMPUTE):
                found = compute(*tasks[i : i + AT_ONCE])  # type: ignore[no-untyped-call]
            for each in found:
                if isinstance(each, _Failed):
                    raise each.error
                yield each

    def _declared(self) -> dict[str, Any]:
        """The types of the columns; Dask does not know them all before it has read some rows."""
        import polars as pl

        meta = self._frame._meta_nonempty
        unknown = [name for name in meta if meta[name].dtype in ("object", "category")]
        schema = dict(pl.from_pandas(meta[[n for n in meta if n not in unknown]]).schema)
        parts = self.frames(unknown) if unknown else iter(())
        while unknown and (part := next(parts, None)) is not None:
            schema |= {n: t for n, t in part.schema.items() if n in unknown and t != pl.Null}
            unknown = [name for name in unknown if name not in schema]
        return {name: schema.get(name, pl.Null()) for name in meta}

    def _fitting(self, frame: Any, columns: Sequence[str], place: str) -> Any:
        # pandas holds whole numbers as others where some are missing
        whole = [
            _whole(frame.get_column(name), self.schema[name])
            for name, dtype in frame.schema.items()
            if dtype.is_float() and self.schema[name].is_integer()
        ]
        return super()._fitting(frame.with_columns(whole), columns, place)

    def _pieces(self, columns: Sequence[str]) -> Sequence[Any]:
        """The partitions with some columns, the same rows in each whatever the columns are."""
        # Dask's optimize would join partitions of which few columns are read
        chosen = self._frame[self._some(columns)].simplify()
        pieces: Sequence[Any] = chosen.to_delayed(optimize_graph=False)
        return pieces

    def _raise_if_others(self, n_pieces: int, n_counted: int) -> None:
        if n_pieces != n_counted:
            raise ValueError(
                f"{self.name} had {n_counted} partitions when their rows were counted, and "
                f"{n_pieces} now that other columns are read; {_PERSIST}."
            )

    def _on_frame(
        self, piece: Any, job: Job, first: int, length: int, columns: list[str], place: str
    ) -> Any:
        try:
            return job(self._fitting(_of_length(piece, length, place), columns, place), first)
        except Exception as error:
            return _Failed(error)

    def __getstate__(self) -> dict[str, Any]:
        # tasks have their partition and need not carry the frame
        return {**self.__dict__, "_frame": None}


def _raise_if_twice(name: str, labels: Sequence[Any]) -> None:
    twice = [label for i, label in enumerate(labels) if label in labels[:i]]
    if twice:
        raise ValueError(
            f"{name} has several columns that are called {twice[0]!r}; rename them, or drop all "
            "but one."
        )


@contextmanager
def _named(name: str, remedy: str) -> Iterator[None]:
    """A block in which somebody else's reader is asked, whose errors get the table's name."""
    try:
        yield
    except Exception as error:
        # faults of a cluster are none of the table
        if type(error).__module__.split(".")[0] == "distributed":
            raise
        raise ValueError(
            f"{name} cannot be read ({type(error).__name__}: {first_line(error)}); {remedy}."
        ) from error


def _each_read(batches: Iterator[Any], name: str, remedy: str) -> Iterator[Any]:
    """What somebody else's reader gives, one by one."""
    end = object()
    while True:
        with _named(name, remedy):
            batch = next(batches, end)
        if batch is end:
            return
        yield batch


def as_source(X: Any) -> Source | None:
    """The table as one that is read in parts, None where it is one in memory.

    Parameters
    ----------
    X : object
        A polars LazyFrame, a pyarrow Dataset, a Dask DataFrame, a DuckDB relation, what gives an
        Arrow stream each time, a Parquet file or a folder of such, or anything else.

    Returns
    -------
    Source or None
        Its parts.

    Raises
    ------
    ValueError
        If there is no such file, a file cannot be read, or the files differ in their columns.
    TypeError
        If it can be read once only.
    """
    if isinstance(X, Source):
        return X
    if isinstance(X, (str, Path)):
        return _files(Path(X))
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(X, polars.LazyFrame):
        return LazyFrame(X)
    kind = type(X)
    room = kind.__module__.split(".")[0]
    if room in ("dask", "dask_expr") and kind.__name__ == "DataFrame":
        return DaskFrame(X)
    if room in ("duckdb", "_duckdb") and kind.__name__ == "DuckDBPyRelation":
        return ArrowBatches("X, a DuckDB relation", _relation_batches(X), ordered=False)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and room == "pyarrow":
        if isinstance(X, arrow.RecordBatchReader):
            raise TypeError(
                "X is a RecordBatchReader, which can be read once, but two passes are needed; "
                "write it to Parquet first and pass the file, or pass a Dataset."
            )
        if isinstance(X, arrow.Table):
            return ArrowBatches("X, an Arrow table", _table_batches(X), ordered=True)
        if hasattr(X, "to_batches") and hasattr(X, "scanner"):
            return ArrowBatches("X, an Arrow Dataset", _dataset_batches(X), ordered=True)
    if hasattr(X, "__arrow_c_stream__") and not _is_in_memory(X):
        # nothing is known of the order of its rows
        return ArrowBatches(f"X, a {kind.__name__}", _stream_batches(X), ordered=False)
    return None


def _is_in_memory(X: Any) -> bool:
    """Whether it is a frame, or a column of one, though it gives an Arrow stream too."""
    polars = sys.modules.get("polars")
    kinds = (pd.DataFrame, pd.Series, *((polars.DataFrame, polars.Series) if polars else ()))
    return isinstance(X, kinds) or type(X).__module__.split(".")[0] == "pyarrow"


def raise_if_other(
    wanted: Mapping[str, Any], found: Mapping[str, Any], place: str, like: str = "the first part"
) -> None:
    """Refuse a part whose columns are not those that others have.

    Parameters
    ----------
    wanted, found : dict of str to polars data type
        Columns that there should be, and that there are.
    place : str
        Which part it is.
    like : str, default="the first part"
        Which part has the columns that there should be.

    Raises
    ------
    ValueError
        If a column is absent, is new or has another type; a column without any value has all types.
    """
    wrong = [f"has no column {name!r}" for name in wanted if name not in found]
    wrong += [f"has a column {name!r} more" for name in found if name not in wanted]
    wrong += [
        f"holds {name!r} as {found[name]}, not as {dtype}"
        for name, dtype in wanted.items()
        if name in found and found[name] != dtype and str(found[name]) != "Null"
    ]
    if wrong:
        raise ValueError(
            f"{place} {' and '.join(wrong[:5])}, as {like} has. All parts should have the same "
            "columns and types: write that part again, or leave it out."
        )


def _files(path: Path) -> ParquetFiles:
    if "://" in str(path) or str(path).partition(":/")[0] in REMOTE:
        address = str(path).replace(":/", "://", 1) if "://" not in str(path) else str(path)
        raise ValueError(
            f"X={shorten(address)} is no path of this machine; pass polars.scan_parquet({address!r}"
            "), or a pyarrow Dataset."
        )
    if path.is_dir():
        paths = sorted(each for each in path.rglob("*") if _is_parquet(each, path))
        if not paths:
            raise ValueError(
                f"X={str(path)!r} is a folder without files that end in .parquet or .pq."
            )
        folders = {name for each in paths for name in each.relative_to(path).parts[:-1]}
        named = sorted(name for name in folders if "=" in name)
        if named:
            raise ValueError(
                f"X={str(path)!r} has folders such as {named[0]!r}, whose names are columns; pass "
                f"polars.scan_parquet({str(path)!r}, hive_partitioning=True)."
            )
        return ParquetFiles(paths, f"X={str(path)!r}", [str(path)])
    if any(sign in str(path) for sign in "*?["):
        paths = [Path(each) for each in sorted(glob(str(path), recursive=True))]
        if not paths:
            raise ValueError(f"X={str(path)!r} matches no files.")
        return ParquetFiles(paths, f"X={str(path)!r}")
    if not path.is_file():
        raise ValueError(
            f"X={shorten(str(path))} is no file and no folder; pass a Parquet file, a folder of "
            "such, or a pattern such as 'folder/*.parquet'."
        )
    return ParquetFiles([path], f"X={str(path)!r}")


def _is_parquet(file: Path, folder: Path) -> bool:
    """Whether a file of a folder is meant: what begins with a mark is left over from writing."""
    hidden = any(name.startswith(("_", ".")) for name in file.relative_to(folder).parts)
    return file.suffix in (".parquet", ".pq") and not hidden and file.is_file()


def _gathered_groups(groups: Sequence[int]) -> list[tuple[int, int]]:
    """First row and number of rows of parts of whole row groups, as near PART_ROWS as these end."""
    parts, first, n_rows = [], 0, 0
    for group in groups:
        if n_rows and n_rows + group - PART_ROWS > PART_ROWS - n_rows:
            parts.append((first, n_rows))
            first, n_rows = first + n_rows, 0
        n_rows += group
    return [*parts, (first, n_rows)] if n_rows else parts


def _read_part(path: str, first: int, n_rows: int, columns: list[str]) -> Any:
    import polars as pl

    try:
        return pl.scan_parquet(path, glob=False).slice(first, n_rows).select(columns).collect()
    except Exception as error:
        raise ValueError(
            f"Rows {first} to {first + n_rows} of {path} cannot be read ({first_line(error)}); "
            "write the file again, or take it out."
        ) from error


def _on_part(job: Job, part: tuple[str, int, int], first: int, wanted: dict[str, Any]) -> Any:
    import polars as pl

    is_done = getattr(job, "is_done", None)
    if is_done is not None and is_done(first):
        return None
    if wanted:
        frame = _read_part(*part, list(wanted))
        raise_if_other(wanted, dict(frame.schema), part[0])
        frame = frame.cast(wanted)
    else:
        frame = pl.DataFrame({"": pl.repeat(None, part[2], eager=True)})
    return job(frame, first)


def _of_length(frame: Any, length: int | None, place: str) -> Any:
    """A partition as a polars frame, if it has as many rows as when they were counted."""
    import polars as pl

    if length is not None and len(frame) != length:
        raise ValueError(
            f"{place} had {length} rows when they were counted, and {len(frame)} now; {_PERSIST}."
        )
    try:
        return pl.from_pandas(frame, include_index=False)
    except Exception as error:
        raise ValueError(
            f"{place} has a column of values of several types ({first_line(error)}); make them of "
            "one, for example by X.astype."
        ) from error


def _whole(numbers: Any, dtype: Any) -> Any:
    """Numbers as whole ones, if they are, and none so large that it may have been another one."""
    whole = numbers.cast(dtype, strict=False)
    if whole.null_count() > numbers.null_count() or (numbers.abs() >= _EXACT).any():
        return numbers
    return whole if (whole.cast(numbers.dtype) == numbers).all() else numbers


def _relation_batches(relation: Any) -> Callable[[list[str]], Any]:
    def open_batches(columns: list[str]) -> Any:
        quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
        chosen = relation.select(", ".join(quoted)) if columns else relation.limit(0)
        # of older versions
        read = getattr(chosen, "to_arrow_reader", None) or chosen.fetch_arrow_reader
        return read(PART_ROWS)

    return open_batches


def _stream_batches(X: Any) -> Callable[[list[str]], Any]:
    def open_batches(columns: list[str]) -> Any:
        import pyarrow as pa

        reader = pa.RecordBatchReader.from_stream(X)
        return (batch.select(columns) for batch in reader) if columns else reader

    return open_batches


def _table_batches(table: Any) -> Callable[[list[str]], Any]:
    def open_batches(columns: list[str]) -> Any:
        if not columns:
            return table.schema
        return table.select(columns).to_batches(max_chunksize=PART_ROWS)

    return open_batches


def _dataset_batches(dataset: Any) -> Callable[[list[str]], Any]:
    def open_batches(columns: list[str]) -> Any:
        if not columns:
            return dataset.schema
        return dataset.to_batches(columns=columns, batch_size=PART_ROWS)

    return open_batches
