"""Checks as a file of tests that needs pandas only: what they learned is written as literals."""

from __future__ import annotations

import ast
import pprint
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.checks import (
    BaseCheck,
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
)
from skcorrupt.checks._category_drift import CategoryDrift
from skcorrupt.utils import shorten

# values of the reference by which a distribution is written down
GRID = 200
# what tests pass to read_csv themselves
OF_TESTS = frozenset({"dtype", "usecols", "keep_default_na", "na_values"})
LITERALS = (str, int, float, bool)
# what pandas reads as missing in a file of CSV
READ_AS_MISSING = frozenset(
    {
        *("#N/A", "#N/A N/A", "#NA", "<NA>", "N/A", "n/a", "NA", "NULL", "null", "None"),
        *("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
    }
)

HEAD = '''\
"""Checks of a batch of rows, made by skcorrupt. Run with pytest; {variable} names the file.

The limits are for batches of {batch_size} rows. Of a larger one so many rows are drawn.
"""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

BATCH_SIZE = {batch_size}
# columns of texts, also where these are "1" and "2", and those in which "NA" is a text too
TEXTS = {texts}
WITH_NA = {with_na}
# how CSV is read
READ_CSV = {read_csv}
# what a limit without an end is printed as
inf = np.inf


@pytest.fixture(scope="module")
def table():
    """All rows of the batch: put another way to read them here, or in a conftest.py."""
    path = os.environ.get("{variable}")
    if not path:
        pytest.skip("{variable} is not set; it should name a file of CSV or Parquet.")
    is_parquet = Path(path).suffix == ".parquet"
    # Parquet may be a folder, too
    if "://" not in path and not (Path(path).is_file() or (is_parquet and Path(path).is_dir())):
        pytest.skip(f"{variable}={{path!r}} names no file; it should name one of CSV or Parquet.")
    if is_parquet:
        return pd.read_parquet(path)
    try:
        rows = pd.read_csv(path, dtype=dict.fromkeys(TEXTS, str), **READ_CSV)
    except pd.errors.EmptyDataError:
        pytest.skip(f"{variable}={{path!r}} is an empty file; it should hold rows of CSV.")
    if WITH_NA:
        kept = pd.read_csv(
            path, usecols=WITH_NA.__contains__, dtype=str, keep_default_na=False, na_values=[""],
            **READ_CSV,
        )
        rows[list(kept)] = kept
    return rows


@pytest.fixture(scope="module")
def batch(table):
    """As many rows as the limits are for."""
    if len(table) < BATCH_SIZE:
        pytest.skip(f"{{len(table)}} rows are fewer than the {{BATCH_SIZE}} that limits are for.")
    return table.sample(BATCH_SIZE, random_state=0)


def test_batch_is_there(request):
    """Without a batch this fails once, and the others are skipped."""
    reason = ""
    try:
        request.getfixturevalue("batch")
    except pytest.skip.Exception as skipped:
        reason = str(skipped)
    expect(not reason, reason)


def expect(holds, said):
    """Fail with what is said alone: a traceback would show rows of the batch."""
    if not holds:
        pytest.fail(said, pytrace=False)


def cells_of(batch, column):
    """A column that has to be there."""
    there = ", ".join(map(str, batch.columns))
    expect(column in batch, f"{{column}}: the batch has no such column, but {{there}}.")
    return batch[column]


def percent(share):
    """A share as a text."""
    return f"{{100 * share:.3g}} %"


def far_off(cell):
    """A time that nanoseconds do not reach, as a number of these; NaN for all others."""
    try:
        time = pd.Timestamp(cell)
        time = time.tz_convert(None) if time.tz else time
        # also where there is no year
        if not (time.year < 1678 or time.year > 2261):
            return np.nan
        return float(time.to_datetime64().astype("datetime64[us]").astype("int64")) * 1e3
    except (TypeError, ValueError, OverflowError):
        return np.nan


def numbers(column, measured):
    """A column as numbers, times in nanoseconds; what is none of these is NaN."""
    if measured == "number":
        return pd.to_numeric(column, errors="coerce").astype(float)
    if measured == "datetime":
        times = pd.to_datetime(column, errors="coerce", utc=True).dt.tz_localize(None)
    else:
        times = pd.to_timedelta(column, errors="coerce")
    counts = times.to_numpy()
    if counts.dtype.kind not in "mM":
        counts = counts.astype("datetime64[us]" if measured == "datetime" else "timedelta64[us]")
    nanoseconds = np.timedelta64(1, np.datetime_data(counts.dtype)[0]) / np.timedelta64(1, "ns")
    found = np.where(times.isna(), np.nan, counts.astype("int64").astype(float) * nanoseconds)
    found = pd.Series(found, index=column.index)
    lost = times.isna() & column.notna()
    if measured == "datetime" and lost.any():
        # some versions of pandas read texts as nanoseconds only
        found[lost] = [far_off(cell) for cell in column[lost]]
    return found
'''
MISSING_SHARE = '''

@pytest.mark.parametrize(("column", "most"), {lines})
def test_{name}(batch, column, most):
    """No more missing values than usual."""
    share = cells_of(batch, column).isna().mean()
    expect(share <= most, f"{{column}}: {{percent(share)}} missing, limit {{percent(most)}}")
'''
VALUE_RANGE = '''

@pytest.mark.parametrize(
    ("column", "measured", "least", "largest", "ends", "most"),
    {lines},
    ids={ids},
)
def test_{name}(batch, column, measured, least, largest, ends, most):
    """No more values out of range than usual."""
    cells = cells_of(batch, column)
    inside = numbers(cells, measured).between(least, largest)
    share = (~inside & cells.notna()).mean()
    expect(
        share <= most, f"{{column}}: {{percent(share)}} outside {{ends}}, limit {{percent(most)}}"
    )
'''
KNOWN_CATEGORIES = '''

@pytest.mark.parametrize(("column", "known", "most"), {lines})
def test_{name}(batch, column, known, most):
    """No more unknown categories than usual."""
    cells = cells_of(batch, column)
    unknown = cells.notna() & ~cells.isin(known)
    some = ", ".join(map(repr, cells[unknown].unique()[:3]))
    expect(
        unknown.mean() <= most,
        f"{{column}}: {{percent(unknown.mean())}} never seen before, such as {{some}}, "
        f"limit {{percent(most)}}",
    )
'''
NUMBER_DRIFT = '''

@pytest.mark.parametrize(("column", "measured", "missing", "values", "shares", "most"), {lines})
def test_{name}(batch, column, measured, missing, values, shares, most):
    """Missing ones and, of numbers, the shares up to each value are about as usual."""
    cells = cells_of(batch, column)
    gaps, found = cells.isna(), numbers(cells, measured)
    distances = [abs(gaps.mean() - missing)]
    for value, share in zip(values, shares, strict=True):
        distances.append(abs((gaps | (found <= value)).mean() - share))
    expect(
        max(distances) <= most,
        f"{{column}}: a share of its values moved by {{percent(max(distances))}}, "
        f"limit {{percent(most)}}",
    )
'''
CATEGORY_DRIFT = '''

@pytest.mark.parametrize(("column", "cells", "unseen", "missing", "counts", "most"), {lines})
def test_{name}(batch, column, cells, unseen, missing, counts, most):
    """The chi-square statistic of the categories of the batch and of the reference."""
    given = cells_of(batch, column)
    codes = given.map(cells).astype(float).fillna(unseen)
    codes = codes.mask(given.isna(), missing)
    counts = np.array(counts)
    found = np.bincount(codes.astype(int), minlength=len(counts))
    expected = len(batch) * (found + counts) / (len(batch) + counts.sum())
    parts = (found - expected) ** 2 / np.maximum(expected, np.finfo(float).tiny)
    statistic = parts.sum() * (1 + len(batch) / counts.sum())
    expect(
        statistic <= most,
        f"{{column}}: its categories moved by a chi-square of {{statistic:.4g}}, "
        f"limit {{most:.4g}}",
    )
'''
SEGMENT_SHARE = '''

@pytest.mark.parametrize(("column", "measured", "names", "shares", "missing", "other"), {lines})
def test_{name}(batch, column, measured, names, shares, missing, other):
    """Every category has about its usual share: at least the first number, at most the second."""
    cells = given = cells_of(batch, column)
    if measured in ("datetime", "timedelta"):
        cells = numbers(given, measured)
    found = [(cells == value).mean() for value in shares]
    limits = list(shares.values())
    if missing is not None:
        found.append(given.isna().mean())
        limits.append(missing)
        names = [*names, "missing"]
    rest = ~cells.isin(list(shares)) & (given.notna() if missing is not None else True)
    every = zip([*names, "others"], [*found, rest.mean()], [*limits, other], strict=True)
    for name, share, (least, most) in every:
        expect(
            least <= share <= most,
            f"{{column}}: {{percent(share)}} {{name}}, limits {{percent(least)}} and "
            f"{{percent(most)}}",
        )
'''
ROW_COUNT = '''

def test_{name}(table):
    """About as many rows as usual."""
    expect(
        {least} <= len(table) <= {most}, f"{{len(table)}} rows, limits {least:g} and {most:g}"
    )
'''
UNIQUE_KEYS = '''

def test_{name}(batch):
    """No more repeated rows than usual."""
    for column in {columns} or []:
        cells_of(batch, column)
    share = batch.duplicated({columns}).mean()
    expect(share <= {most}, f"{{percent(share)}} repeated rows, limit {{percent({most})}}")
'''


def file_of(checks: list[tuple[str, BaseCheck]], variable: str, read_csv: Mapping[str, Any]) -> str:
    """The text of a file of tests.

    Parameters
    ----------
    checks : list of (str, BaseCheck)
        Fitted checks of one batch size, with names that are parts of names of functions.
    variable : str
        The environment variable that names the data.
    read_csv : mapping of str to object
        How CSV is read, where that is not as usual.

    Returns
    -------
    str
        Python.

    Raises
    ------
    ValueError
        If what a check learned has no literal.
    """
    texts = _texts([check for _, check in checks])
    text = HEAD.format(
        batch_size=checks[0][1].batch_size,
        variable=variable,
        texts=_literal([*texts]),
        with_na=_literal([name for name, known in texts.items() if known & READ_AS_MISSING]),
        read_csv=_reading(read_csv),
    )
    return text + "".join(_test_of(name, check) for name, check in checks)


def _reading(given: Mapping[str, Any]) -> str:
    """How CSV is read, as Python."""
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise ValueError(
            f"read_csv={shorten(given)} should map parameters of pandas.read_csv to values, such "
            "as {'sep': ';', 'decimal': ','}."
        )
    taken = [name for name in given if name in OF_TESTS]
    if taken:
        raise ValueError(
            f"read_csv has {', '.join(taken)}, which the tests set themselves; leave them out."
        )
    text = repr(dict(given))
    try:
        same = ast.literal_eval(text) == dict(given)
    except (SyntaxError, ValueError):
        same = False
    if not same:
        raise ValueError(
            f"read_csv={shorten(given)} should hold texts, numbers, None and lists of these, such "
            "as {'sep': ';', 'decimal': ','}."
        )
    return text


def _texts(checks: list[BaseCheck]) -> dict[Any, set[str]]:
    """Columns of which the categories are texts, with these."""
    known: dict[Any, set[Any]] = {}
    for check in checks:
        for column, values in _known(check):
            known.setdefault(column, set()).update(values)
    return {
        column: values
        for column, values in known.items()
        if values and all(isinstance(value, str) for value in values)
    }


def _known(check: BaseCheck) -> list[tuple[Any, list[Any]]]:
    """Columns whose categories a check has learned, with these."""
    columns = check.lines_["column"].tolist()
    if isinstance(check, KnownCategories):
        return [(c, each.values) for c, each in zip(columns, check._levels, strict=True)]
    if isinstance(check, Drift):
        return [
            (c, drift._levels.values)
            for c, drift in zip(columns, check._drifts, strict=True)
            if isinstance(drift, CategoryDrift)
        ]
    if isinstance(check, SegmentShare):
        found = []
        for each in check._segments:
            if len(each.positions) == 1:
                found.append((columns[0], [value for value in each.values if value is not None]))
            columns = columns[each.n_lines :]
        return found
    return []


def _test_of(name: str, check: BaseCheck) -> str:
    lower, upper = check._limits_of(check.batch_size)
    columns = check.lines_["column"].tolist()
    if isinstance(check, RowCount):
        rows = [check.batch_size if limit is None else limit for limit in (lower[0], upper[0])]
        return ROW_COUNT.format(name=name, least=float(rows[0]), most=float(rows[1]))
    if isinstance(check, UniqueKeys):
        keys = None if check.columns is None else np.atleast_1d(np.asarray(check.columns)).tolist()
        return UNIQUE_KEYS.format(name=name, columns=keys, most=float(upper[0]))
    most = [float(limit) for limit in upper]
    if isinstance(check, Drift):
        return _drift_tests(name, check, columns, most)
    if isinstance(check, SegmentShare):
        ends = list(zip(map(float, lower), map(float, upper), strict=True))
        return SEGMENT_SHARE.format(name=name, lines=_literal(_segments(check, ends)))
    if isinstance(check, ValueRange):
        ends = list(zip(check.lines_["least"], check.lines_["largest"], strict=True))
        lines = [
            (column, *found, " … ".join(map(_text, told)), limit)
            for column, found, told, limit in zip(columns, check._ranges, ends, most, strict=True)
        ]
        ids = [
            "-".join([str(column), *(_text(end, whole=True) for end in told)])
            for column, told in zip(columns, ends, strict=True)
        ]
        return VALUE_RANGE.format(name=name, lines=_literal(lines), ids=_literal(ids))
    if isinstance(check, KnownCategories):
        levels = [_values(c, each.values) for c, each in zip(columns, check._levels, strict=True)]
        known = list(zip(columns, levels, most, strict=True))
        return KNOWN_CATEGORIES.format(name=name, lines=_literal(known))
    if isinstance(check, MissingShare):
        return MISSING_SHARE.format(
            name=name, lines=_literal(list(zip(columns, most, strict=True)))
        )
    raise ValueError(
        f"{type(check).__name__} cannot be written as a test; call its own passes(X_batch)."
    )


def _text(end: Any, *, whole: bool = False) -> str:
    """An end of a range, times in their zone, in whole seconds if so wanted."""
    if isinstance(end, (pd.Timestamp, pd.Timedelta)):
        text = re.sub(r"\.\d+", "", str(end)) if whole else str(end)
        return text.removesuffix(" 00:00:00")
    return f"{end:.10g}"


def _segments(check: SegmentShare, ends: list[tuple[float, float]]) -> list[Any]:
    """The limits of each column's categories, of missing ones and of all others."""
    columns, lines = check.lines_["column"].tolist(), []
    for each in check._segments:
        column, here = columns[0], ends[: each.n_lines]
        if len(each.positions) > 1:
            raise ValueError(
                f"SegmentShare of {column!r} watches combinations of columns, which cannot be "
                "written as a test; use to_pandera(), or call its own passes(X_batch)."
            )
        shares = dict(zip([cell for (cell,) in each.cells], here[:-1], strict=True))
        missing = shares.pop(None, None)
        _values(column, list(shares))
        names = [str(value) for value in each.values[:-1] if value is not None]
        lines.append((column, each.measured[0], names, shares, missing, here[-1]))
        columns, ends = columns[each.n_lines :], ends[each.n_lines :]
    return lines


def _drift_tests(name: str, check: Drift, columns: list[Any], most: list[float]) -> str:
    numbers, categories = [], []
    for column, drift, limit in zip(columns, check._drifts, most, strict=True):
        if isinstance(drift, CategoryDrift):
            values = _values(column, drift._levels.values)
            cells = drift._cells.tolist()
            known = dict(zip(values, cells, strict=False))
            categories.append((column, known, cells[-2], cells[-1], drift._counts.tolist(), limit))
            continue
        present = drift._sorted[np.isfinite(drift._sorted)]
        # at some values only, so that the distance is never larger than that of the check
        at = np.unique(np.quantile(present, np.linspace(0, 1, GRID), method="lower"))
        shares = (np.searchsorted(drift._sorted, at, side="right") + drift._n_missing) / drift._n
        missing = drift._n_missing / drift._n
        numbers.append((column, drift._measured, missing, at.tolist(), shares.tolist(), limit))
    text = ""
    if numbers:
        text += NUMBER_DRIFT.format(name=f"{name}_of_numbers", lines=_literal(numbers))
    if categories:
        text += CATEGORY_DRIFT.format(name=f"{name}_of_categories", lines=_literal(categories))
    return text


def _values(column: Any, values: list[Any]) -> list[Any]:
    """Categories, where they can be written."""
    for value in values:
        if not isinstance(value, LITERALS):
            raise ValueError(
                f"{column!r} holds {value!r}, of type {type(value).__name__}, which cannot be "
                "written in a file of tests; use to_pandera(), or the checks themselves."
            )
    return values


def _literal(lines: list[Any]) -> str:
    return pprint.pformat(lines, width=96, compact=True)
