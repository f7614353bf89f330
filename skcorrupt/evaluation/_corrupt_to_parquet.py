"""Corrupt a table larger than memory, part by part, into Parquet files."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from skcorrupt.base import BaseCorruption, CorruptionResult
from skcorrupt.base._in_parts import result_in_parts
from skcorrupt.base._plan_parts import plan_in_parts
from skcorrupt.base._row_order import RowOrder, order_mark
from skcorrupt.base._striking import Striking, events_of, in_types
from skcorrupt.utils import as_source, checked_path, replace_file
from skcorrupt.utils._typing import FilePath, TableLike

PLAN = "_corruption.json"


@dataclass
class _Write:
    """Writes a part and its record, and leaves what is there already of files."""

    striking: Striking
    schema: dict[str, Any]
    path: Path
    record_path: Path | None
    by_order: bool

    def is_done(self, first: int) -> bool:
        """Whether the part that begins at a row has been written."""
        return (self.path / _name(first)).exists()

    def __call__(self, frame: Any, first: int) -> int:
        """The mark of the order of the rows that were written."""
        mark = order_mark(frame, self.striking.decisive if self.by_order else (), first)
        if self.is_done(first):
            return mark
        out, record = self.striking.struck(frame, first)
        if self.record_path is not None:
            events = events_of(self.striking, frame, first, record)
            _write(events, self.record_path / _name(first))
        # last, as it says that the part is done
        _write(out.select(in_types(self.schema, out.columns)), self.path / _name(first))
        return mark


def corrupt_to_parquet(
    corruption: BaseCorruption,
    X: TableLike | FilePath,
    path: FilePath,
    *,
    y: str | None = None,
    key: str | list[str] | None = None,
    record_path: FilePath | None = None,
    n_jobs: int | None = None,
) -> CorruptionResult:
    """Corrupt a table that need not fit in memory, and write it as Parquet files.

    The rows that are struck and the values that they get are those of `corruption.corrupt` on the
    same table in memory, for any number of files and workers. The table is read once to count, and
    once to strike; where values depend on means or on the categories there are, once more.

    Parameters
    ----------
    corruption : BaseCorruption
        The error.
    X : table in parts
        A Parquet file or a folder of such, a polars LazyFrame, a pyarrow Dataset, a Dask DataFrame,
        a DuckDB relation or what else gives an Arrow stream, with features and labels.
    path : str or Path
        A folder to write to, which is made; a file for every part.
    y : str, default=None
        Name of the column of labels, where there is one.
    key : str or list of str, default=None
        Columns that tell all rows apart; needed where rows come in no fixed order.
    record_path : str or Path, default=None
        Another folder, to which the record of what was changed is written.
    n_jobs : int or None, default=None
        Number of workers, as in joblib, for Parquet files. A Dask DataFrame is worked on by its
        own scheduler, other tables by one worker.

    Returns
    -------
    CorruptionResult
        `(X, y, record)` as of `corrupt`, read from the files that were written.

    Raises
    ------
    ValueError
        If the error takes values from other rows, if a file cannot be read or has other columns
        than the rest, or if the folder holds something else.

    Notes
    -----
    Each file is written under another name first, so that there are never parts of one. A call
    that reads Parquet files and did not come to its end is taken up where it was by the same call,
    if the corruption has a `random_state`; of other tables all is written anew, as nothing tells
    whether they are still the same.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import polars as pl
    >>> from skcorrupt import CorruptMissing
    >>> from skcorrupt.evaluation import corrupt_to_parquet
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pl.DataFrame({"age": range(20, 40)}).write_parquet(folder / "people.parquet")
    >>> error = CorruptMissing("age", rate=0.25, random_state=0)
    >>> dirty = corrupt_to_parquet(error, folder / "people.parquet", folder / "dirty")
    >>> dirty.X.collect()["age"].null_count(), dirty.record.n_corrupted
    (5, 5)
    """
    import polars as pl

    corruption._check_params()
    source = as_source(X)
    if source is None:
        raise TypeError(
            f"X is a {type(X).__name__}; pass a Parquet file, a folder of such, a LazyFrame, a "
            "Dataset, a Dask DataFrame or a DuckDB relation, or call corruption.corrupt(X)."
        )
    folder = _folder("path", path, source)
    records = None if record_path is None else _folder("record_path", record_path, source)
    if records == folder:
        raise ValueError(f"record_path={str(record_path)!r} is path too; pass another folder.")
    plan = plan_in_parts(corruption, source, y, key, n_jobs)
    striking = plan.striking
    _note(folder, striking, source.stamp)
    if source.stamp is None:
        # nothing tells whether what is there is of the same data, cut in the same way
        for each in filter(None, (folder, records)):
            for part in each.glob(_name("*")):
                part.unlink()
    write = _Write(striking, plan.schema, folder, records, plan.mark is not None)
    order = RowOrder(striking.decisive)
    for mark in source.stream(write, list(source.schema), n_jobs=n_jobs):
        # parts that were there already are not read
        order.join(mark or 0)
    order.check(plan.mark, source.name)
    result = result_in_parts(source, plan, n_jobs)
    written = pl.scan_parquet(folder / _name("*"))
    events = None if records is None else pl.scan_parquet(records / _name("*"))
    record: Any = result.record
    if events is not None:
        record = replace(record, _events=lambda: events)
    return CorruptionResult(written, None if y is None else written.select(y), cast("Any", record))


def _name(first: int | str) -> str:
    return f"part-{first:012d}.parquet" if isinstance(first, int) else f"part-{first}.parquet"


def _folder(parameter: str, path: FilePath, source: Any) -> Path:
    folder = checked_path(parameter, path)
    inside = [each for each in source.files if folder.resolve() in Path(each).resolve().parents]
    below = [each for each in source.folders if Path(each).resolve() in folder.resolve().parents]
    if inside or below:
        raise ValueError(
            f"{parameter}={str(folder)!r} is where X is read from, or a folder in it; pass another "
            "folder, beside it."
        )
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{parameter}={str(folder)!r} is a file; pass a folder.")
    return folder


def _note(folder: Path, striking: Striking, stamp: Any) -> None:
    """Say in a folder what is written to it, and refuse one in which there is something else."""
    said = json.dumps(
        {
            "corruption": repr(striking.corruption),
            "seed": striking.seed,
            "rows": striking.total,
            "cuts": [[cut.score, cut.position] for cut in striking.cuts],
            "columns": {name: str(dtype) for name, dtype in striking.schema.items()},
            "y": striking.y,
            "key": striking.key,
            "source": stamp,
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / PLAN
    if note.exists() and note.read_text(encoding="utf-8") == said:
        return
    if any(folder.iterdir()):
        raise ValueError(
            f"path={str(folder)!r} holds files of something else, or of another seed; pass a new "
            "folder. To go on with a call that did not end, give the corruption a random_state."
        )
    replace_file(note, said)


def _write(frame: Any, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # a worker that is thought to be dead may still write the same part
    part = file.with_suffix(f".{uuid.uuid4().hex}.tmp")
    try:
        frame.write_parquet(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
