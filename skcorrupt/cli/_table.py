"""A user's file as a table, with errors that say what to do."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import warn
from skcorrupt.utils._as_text import counted

from ._column_names import set_as_in_file
from ._command_error import CommandError
from ._load import sep_hint

PARQUET = (".parquet", ".pq")
# of a line of values, so many tell by themselves that they are no names
TELLING_SHARE = 0.5
SHOWN_CELLS = 4
# a day, perhaps with a time of it
CLOCK = r"[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?"
DATE = rf"\d{{4}}-\d{{2}}-\d{{2}}({CLOCK})?"
# a time with how far the clocks of its zone are ahead of UTC
ZONE = r"Z|[+-]\d{2}(?::?\d{2})?"
ZONED = rf"\d{{4}}-\d{{2}}-\d{{2}}{CLOCK}({ZONE})"
# a duration as pandas writes it
DURATION = r"-?\d+ days?( \+?\d{1,2}:\d{2}:\d{2}(\.\d{1,9})?)?"


def load_table(
    path: Path,
    separator: str,
    *,
    decimal: str = ".",
    header: bool | None = None,
    words: bool = False,
) -> pd.DataFrame:
    """Read a CSV file, compressed or not, or a Parquet file, with at least one row.

    Parameters
    ----------
    path : Path
        The file. What its name ends with says how it is compressed, and whether it is Parquet.
    separator : str
        What stands between cells.
    decimal : str, default="."
        What stands before the decimals of a number.
    header : bool or None, default=None
        Whether the first line has names of columns; where it has none, they are x0, x1, …. None
        takes it to have them, and refuses a line that reads as values.
    words : bool, default=False
        Whether words such as "N/A" and "null" are kept as they are, and only empty cells missing.

    Returns
    -------
    DataFrame
        The table.

    Raises
    ------
    CommandError
        If there is no such file, or none that can be read as a table.
    """
    try:
        if path.is_dir():
            raise CommandError(f"{path} is a folder; name a CSV or Parquet file")
        if path.suffix.lower() in PARQUET:
            frame = _parquet(path)
        else:
            frame = _csv(path, separator, decimal, header, words)
    except FileNotFoundError:
        raise CommandError(f"no such file: {path}") from None
    except pd.errors.EmptyDataError:
        raise CommandError(f"{path} is empty; it should have a header line and rows") from None
    except pd.errors.ParserWarning:
        names = list(pd.read_csv(path, sep=separator, nrows=0).columns)
        hint = f"; {sep_hint(names)}" if len(names) == 1 else ""
        raise CommandError(
            f"{path}: rows have more cells than the header line has names{hint}"
        ) from None
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8 ({error}); save it as UTF-8") from None
    except (pd.errors.ParserError, ValueError, EOFError) as error:
        raise CommandError(
            f"cannot read {path} as CSV ({error}); if its cells are not separated by "
            f"{separator!r}, pass --sep"
        ) from None
    if frame.empty:
        raise CommandError(f"{path} has a header but no rows")
    return frame


def read(args: argparse.Namespace, path: Path, *, words: bool = False) -> pd.DataFrame:
    """Read a file of a command as its `--sep`, `--decimal` and `--header` say.

    Options that name its columns as they are printed have them as the file does from then on.
    """
    header = None if args.header is None else args.header == "yes"
    frame = load_table(path, args.sep, decimal=args.decimal, header=header, words=words)
    set_as_in_file(args, list(frame.columns))
    return frame


def with_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns of dates, or of texts such as 2026-01-31 or 2026-01-31 12:30 alone, as times.

    Times that all have their zone, such as 2026-01-31 12:30+01:00, become times in it, in UTC
    where clocks were set forward and back. Texts that are all durations, such as 0 days 01:30:00,
    become durations.

    Parameters
    ----------
    frame : DataFrame
        A table as it was read.

    Returns
    -------
    DataFrame
        The same with dates and durations, of which patterns are ranges.
    """
    found: dict[Any, pd.Series] = {}
    for name in frame.columns[frame.columns.map(lambda name: not frame[name].isna().all())]:
        known = frame[name].dropna()
        if pd.api.types.infer_dtype(known) == "date":
            found[name] = pd.to_datetime(frame[name])
        if not all(isinstance(each, str) for each in known):
            continue
        times: pd.Series | None = None
        if known.str.fullmatch(DATE).all():
            times = pd.to_datetime(frame[name], format="ISO8601", errors="coerce")
        elif known.str.fullmatch(ZONED).all():
            times = _in_zone(frame[name], known)
        elif known.str.fullmatch(DURATION).all():
            times = pd.to_timedelta(frame[name], errors="coerce")
        # a day such as 2026-02-30 is a text that looks like one
        if times is not None and times.notna().sum() == len(known):
            found[name] = times
    frame = frame.copy()
    for name, times in found.items():
        frame[name] = times
    return frame


def _in_zone(texts: pd.Series, known: pd.Series) -> pd.Series:
    """Times in the offset that all of them have, in UTC where they have several."""
    offsets = known.str.extract(f"({ZONE})$")[0].unique()
    return pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=len(offsets) > 1)


def _parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path).reset_index(drop=True)
    except ImportError:
        raise CommandError(
            f"{path} is a Parquet file, which needs pyarrow; pip install pyarrow, or save it as CSV"
        ) from None
    except ValueError as error:
        raise CommandError(f"cannot read {path} as Parquet: {error}") from None


def _csv(
    path: Path, separator: str, decimal: str, header: bool | None, words: bool
) -> pd.DataFrame:
    kept: dict[str, Any] = {"keep_default_na": False, "na_values": [""]} if words else {}
    kept |= {"sep": separator, "decimal": decimal, "index_col": False}
    named: dict[str, Any] = {"header": None} if header is False else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        # in chunks, pandas would guess types chunk by chunk and mix them within a column
        frame = pd.read_csv(path, low_memory=False, **named, **kept)
        if header is not False and not frame.empty:
            first = pd.read_csv(path, header=None, nrows=1, dtype=str, **kept).iloc[0].tolist()
            if header is None:
                _refuse_values(path, first, frame)
            _tell_repeated(path, first, frame)
    if header is False:
        frame.columns = pd.Index([f"x{j}" for j in range(frame.shape[1])])
    if frame.shape[1] > 1:
        # a single one is a file whose cells are separated by something else
        _tell_texts_like_numbers(path, frame, decimal)
    return frame


def _refuse_values(path: Path, first: list[Any], frame: pd.DataFrame) -> None:
    """Refuse a first line that reads as a row of values, not as names.

    Raises
    ------
    CommandError
        With the remedy.
    """
    cells = [cell for cell in first if isinstance(cell, str)]
    numbers = pd.to_numeric(pd.Series(cells), errors="coerce").dropna().to_numpy()
    if len(numbers) == len(cells) and len({*np.diff(numbers)}) == 1:
        # columns that are numbered, such as 0, 1, 2 or years
        return
    telling = [
        cell
        for cell, (_, column) in zip(first, frame.items(), strict=False)
        if isinstance(cell, str) and _is_value(cell, column)
    ]
    if len(telling) < max(2, TELLING_SHARE * frame.shape[1]):
        return
    shown = ", ".join(telling[:SHOWN_CELLS]) + (", …" if len(telling) > SHOWN_CELLS else "")
    raise CommandError(
        f"{path} seems to have no header: its first line reads as values ({shown}). Pass "
        "--header no, and columns are called x0, x1, …; or --header yes, if these are names"
    )


def _tell_repeated(path: Path, names: list[Any], frame: pd.DataFrame) -> None:
    """Say how a column is called whose name another one before it has."""
    called = {
        new: name
        for j, (name, new) in enumerate(zip(names, frame.columns, strict=False))
        if name in names[:j] and isinstance(name, str)
    }
    if called:
        new, name = next(iter(called.items()))
        more = f", and {len(called) - 1} more are told apart like this" if len(called) > 1 else ""
        warn(f"{path}: two columns or more are named {name!r}; one is called {new!r}{more}.")


def _tell_texts_like_numbers(path: Path, frame: pd.DataFrame, decimal: str) -> None:
    """Say which columns are texts because of what stands in their numbers."""
    other = "," if decimal == "." else "."
    whole = rf"(\d+|[1-9]\d{{0,2}}([{other}]\d{{3}})+)"
    thousands = rf"\s*[+-]?{whole}([{decimal}]\d+)?\s*"
    decimals = rf"\s*[+-]?(\d+([{other}]\d*)?|[{other}]\d+)\s*"
    remedies = {
        decimals: f"pass --decimal {other}",
        thousands: f"write them in the file without {other!r}",
    }
    found: dict[str, list[tuple[Any, str]]] = {}
    for name, column in frame.items():
        if not isinstance(column.dtype, pd.StringDtype) and column.dtype != object:
            continue
        known = pd.Series(column.dropna().unique())
        if pd.api.types.infer_dtype(known) != "string":
            continue
        like = known[known.str.contains(other, regex=False)]
        forms = [form for form in remedies if like.head(1).str.fullmatch(form).all()]
        fits = [remedies[form] for form in forms if known.str.fullmatch(form).all()]
        if len(like) and fits:
            remedy = f", or, if {other!r} stands between thousands, ".join(fits)
            found.setdefault(remedy, []).append((name, like.iloc[0]))
    for remedy, columns in found.items():
        (name, example), *others = columns
        more = f", and {counted(len(others), 'more column')}, hold" if others else " holds"
        warn(
            f"{path}: {name!r}{more} texts such as {example!r}, each a category of its own. "
            f"If they are numbers, {remedy}."
        )


def _is_value(cell: str, column: pd.Series) -> bool:
    """Whether a cell of the first line is like those below it."""
    if pd.api.types.is_numeric_dtype(column):
        return bool(pd.notna(pd.to_numeric(cell, errors="coerce")))
    return cell in set(column.dropna().unique())
